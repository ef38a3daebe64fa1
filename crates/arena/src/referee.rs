//! The referee: asks the bots, checks what they answer, keeps the clocks, and says how the game ended.

use std::time::Duration;

use search_core::{
    Active, Answer, Bot, BotFailure, Clock, FailureKind, Game, IllegalMove, Limits, Outcome, Player, Record,
    StopFlag, Task, Turn, quietly,
};

use crate::game_result::{Fault, GameResult, Usage, forfeit};
use crate::limits::{ClockKind, MatchLimits, Overrun, PlayerClock};
#[cfg(all(feature = "native", unix))]
use crate::processor::ThreadClock;
use crate::thoughts::{Seen, Thought, Thoughts};

/// A game that ends with this reason word is played again from the start, until one player has caused it too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayRule {
    /// The reason word, such as `infinite-move`.
    pub reason: String,
    /// How many of them lose the game for the player who lost each.
    pub times: u32,
}

/// What a game is played under.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The limits of each player.
    pub limits: [MatchLimits; 2],
    /// How far a player may overrun before it loses on time.
    pub margin: Duration,
    /// Whether both players of a simultaneous game think at the same time, in two threads. Else one thinks after the
    /// other, which is as secret and leaves each a processor of its own; clocks count each player's own time.
    pub at_once: bool,
    /// What time counts. Of a bot in our own process that uses several threads the first one counts.
    pub counted: ClockKind,
    /// Whether games that end in a certain way are played again.
    pub replay: Option<ReplayRule>,
}

impl Conditions {
    /// The same limits for both players, with a margin of 100 ms.
    pub fn new(limits: MatchLimits) -> Conditions {
        Conditions {
            limits: [limits; 2],
            margin: Duration::from_millis(100),
            at_once: false,
            counted: ClockKind::Wall,
            replay: None,
        }
    }
}

/// A game that was played to its end.
#[derive(Debug, Clone)]
pub struct Played<G: Game> {
    /// The turns that count.
    pub record: Record<G>,
    /// How it came out.
    pub result: GameResult,
    /// What the bots thought.
    pub thoughts: Thoughts,
}

/// Why a game has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoResult {
    /// The stop flag was raised.
    Stopped,
    /// A bot could not be started.
    Start(Player, String),
}

/// Plays one game from `start`.
///
/// `seeds` are the seeds of the two bots. The game ends without a result if `stop` is raised or a bot does not start;
/// every other failure of a bot is a loss with its reason.
pub fn play_game<G: Game>(
    start: &G,
    [one, two]: [&mut dyn Bot<G>; 2],
    seeds: [u64; 2],
    conditions: &Conditions,
    clock: &dyn Clock,
    stop: &StopFlag,
) -> Result<Played<G>, NoResult> {
    let mut blamed = [0_u32; 2];
    for replays in 0.. {
        let mut table = Table {
            record: Record::new(start.clone()),
            bots: [&mut *one, &mut *two],
            clocks: conditions.limits.map(PlayerClock::new),
            usage: [Usage::default(); 2],
            thoughts: Thoughts::default(),
            conditions,
            clock,
            stop,
        };
        // A replay draws other numbers, else a bot with a seed would only repeat itself.
        let again = u64::from(replays).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let ending = match table.start([seeds[0] ^ again, seeds[1] ^ again])? {
            Some(ending) => ending,
            None => table.play()?,
        };
        if let (Some(rule), Ending { outcome: Outcome::Win(winner), reason, .. }) =
            (&conditions.replay, &ending)
            && *reason == rule.reason
        {
            let culprit = winner.opponent().index();
            blamed[culprit] += 1;
            if blamed[culprit] < rule.times {
                continue;
            }
        }
        let Table { record, usage, thoughts, .. } = table;
        let Ending { outcome, reason, faults } = ending;
        let result = GameResult {
            outcome,
            reason: reason.to_owned(),
            plies: record.turns().len() as u32,
            faults,
            replays,
            moves: usage.map(|usage| usage.moves),
            micros: usage.map(|usage| usage.micros()),
            slowest: usage.map(|usage| usage.slowest_micros()),
        };
        return Ok(Played { record, result, thoughts });
    }
    // The loop above only ends by returning: each replay blames one of two players, each `rule.times` at most.
    Err(NoResult::Stopped)
}

struct Ending {
    outcome: Outcome,
    reason: &'static str,
    faults: Vec<Fault>,
}

impl Ending {
    /// The end of a game by the failure of one player, or of both at once.
    fn forfeit(faults: Vec<Fault>) -> Ending {
        let (outcome, reason) = forfeit(&faults);
        Ending { outcome, reason, faults }
    }
}

/// A move that came in time with what its player thought, or the failure.
type Judged<G> = Result<(<G as Game>::Move, Thought), Fault>;

/// One game in progress.
struct Table<'a, G: Game> {
    record: Record<G>,
    bots: [&'a mut dyn Bot<G>; 2],
    clocks: [PlayerClock; 2],
    usage: [Usage; 2],
    thoughts: Thoughts,
    conditions: &'a Conditions,
    clock: &'a dyn Clock,
    stop: &'a StopFlag,
}

impl<G: Game> Table<'_, G> {
    /// Tells both of the new game; the end of the game if a bot is interfered with already.
    fn start(&mut self, seeds: [u64; 2]) -> Result<Option<Ending>, NoResult> {
        for player in Player::BOTH {
            let index = player.index();
            let bot = &mut *self.bots[index];
            let started = quietly(|| bot.new_game(player, seeds[index]));
            let problem = match started {
                Ok(Ok(())) => continue,
                Ok(Err(BotFailure { kind: kind @ FailureKind::Tampering, message })) => {
                    return Ok(Some(Ending::forfeit(vec![Fault { player, kind, message }])));
                }
                Ok(Err(failure)) => failure.message,
                Err(panic) => format!("panicked: {panic}"),
            };
            return Err(NoResult::Start(player, problem));
        }
        Ok(None)
    }

    fn play(&mut self) -> Result<Ending, NoResult> {
        let mut last = self.clock.now();
        loop {
            if let Some(end) = self.record.end() {
                return Ok(Ending { outcome: end.outcome, reason: end.reason, faults: Vec::new() });
            }
            if self.stop.is_set() {
                return Err(NoResult::Stopped);
            }
            let active = self.record.position().active();
            let mut moves = [None, None];
            let mut thoughts = [None, None];
            match active {
                Active::One(player) => {
                    let answer = self.ask(player, &mut last);
                    if self.stop.is_set() {
                        return Err(NoResult::Stopped);
                    }
                    match answer {
                        Ok((mv, thought)) => {
                            moves[player.index()] = Some(mv);
                            thoughts[player.index()] = Some(thought);
                        }
                        Err(fault) => return Ok(Ending::forfeit(vec![fault])),
                    }
                }
                Active::Both => {
                    let answers = if self.conditions.at_once {
                        self.ask_both_at_once()
                    } else {
                        Player::BOTH.map(|player| self.ask(player, &mut last))
                    };
                    // Both are looked at before either is played: two failures in one turn are no win for either.
                    let answers =
                        [(Player::One, &answers[0]), (Player::Two, &answers[1])].map(|(player, answer)| {
                            let (mv, thought) = answer.clone()?;
                            let checked = self.record.check(player, mv).map_err(|illegal| fault_of(&illegal));
                            checked.map(|()| (mv, thought))
                        });
                    if self.stop.is_set() {
                        return Err(NoResult::Stopped);
                    }
                    match answers {
                        [Ok((one, of_one)), Ok((two, of_two))] => {
                            moves = [Some(one), Some(two)];
                            thoughts = [Some(of_one), Some(of_two)];
                        }
                        [Err(one), Err(two)] => return Ok(Ending::forfeit(vec![one, two])),
                        [Err(fault), Ok(_)] | [Ok(_), Err(fault)] => return Ok(Ending::forfeit(vec![fault])),
                    }
                }
            }
            // Every active player's move is there, so there is a turn.
            if let Some(turn) = G::Turn::from_moves(active, moves)
                && let Err(illegal) = self.record.play(turn)
            {
                return Ok(Ending::forfeit(vec![fault_of(&illegal)]));
            }
            for (player, thought) in Player::BOTH.into_iter().zip(thoughts) {
                if let Some(thought) = thought {
                    self.thoughts.push(player, thought);
                }
            }
        }
    }

    /// Asks one player and judges the answer. `last` is when the clock was read last.
    fn ask(&mut self, player: Player, last: &mut Duration) -> Judged<G> {
        let index = player.index();
        if !self.conditions.counted.is_wall() {
            let limits = self.clocks[index].limits();
            let (answer, used) =
                ask_counting(&mut *self.bots[index], &self.record, player, limits, self.stop);
            return self.judge(player, answer, used);
        }
        // The referee's own time is not charged to a bot where time decides.
        if self.clocks[index].is_timed() {
            *last = self.clock.now();
        }
        let answer = ask_bot(
            &mut *self.bots[index],
            &Task::plain(&self.record, player, self.clocks[index].limits(), self.stop, self.clock),
        );
        let now = self.clock.now();
        let used = now.saturating_sub(*last);
        *last = now;
        self.judge(player, answer, used)
    }

    /// Asks both players in two threads; each is timed by itself.
    fn ask_both_at_once(&mut self) -> [Judged<G>; 2] {
        let (record, clock, stop) = (&self.record, self.clock, self.stop);
        let [one, two] = &mut self.bots;
        let limits = [self.clocks[0].limits(), self.clocks[1].limits()];
        let counted = self.conditions.counted;
        let timed = |bot: &mut dyn Bot<G>, player: Player| {
            if !counted.is_wall() {
                return ask_counting(bot, record, player, limits[player.index()], stop);
            }
            let started = clock.now();
            let task = Task::plain(record, player, limits[player.index()], stop, clock);
            let answer = ask_bot(bot, &task);
            (answer, clock.now().saturating_sub(started))
        };
        let (first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| timed(&mut **two, Player::Two));
            let first = timed(&mut **one, Player::One);
            let crashed = || BotFailure::new(FailureKind::Crash, "its thread died");
            (first, second.join().unwrap_or_else(|_| (Err(crashed()), Duration::ZERO)))
        });
        [self.judge(Player::One, first.0, first.1), self.judge(Player::Two, second.0, second.1)]
    }

    /// Failures first, then time: a late answer is late whatever it says.
    fn judge(
        &mut self,
        player: Player,
        answer: Result<Answer<G::Move>, BotFailure>,
        used: Duration,
    ) -> Judged<G> {
        let index = player.index();
        self.usage[index].add(used);
        let fault = |kind, message| Fault { player, kind, message };
        let timing = self.clocks[index].spend(used, self.conditions.margin);
        match (answer, timing) {
            (Err(failure), _) => Err(fault(failure.kind, failure.message)),
            (Ok(_), Err(Overrun { allowed, overdrawn: Duration::ZERO })) => {
                let message = format!("took {used:.1?} where {allowed:.1?} were allowed");
                Err(fault(FailureKind::Time, message))
            }
            (Ok(_), Err(Overrun { allowed, overdrawn })) => {
                let message = format!(
                    "took {used:.1?} where {allowed:.1?} were left and the clock was {overdrawn:.1?} overdrawn"
                );
                Err(fault(FailureKind::Time, message))
            }
            (Ok(answer), Ok(())) => {
                let thought = Thought { time: used, seen: answer.analysis.as_ref().map(Seen::of) };
                Ok((answer.mv, thought))
            }
        }
    }
}

fn fault_of<G: Game>(illegal: &IllegalMove<G>) -> Fault {
    Fault { player: illegal.player, kind: FailureKind::Illegal, message: illegal.to_string() }
}

fn ask_bot<G: Game>(bot: &mut dyn Bot<G>, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
    match quietly(|| bot.choose(task)) {
        Ok(answer) => answer,
        Err(panic) => Err(BotFailure::new(FailureKind::Crash, format!("panicked: {panic}"))),
    }
}

/// Asks a bot; the processor time that it took.
#[cfg(all(feature = "native", unix))]
fn ask_counting<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    stop: &StopFlag,
) -> (Result<Answer<G::Move>, BotFailure>, Duration) {
    let clock = ThreadClock::new();
    let (outside, started) = (bot.processor_time(), clock.now());
    let answer = ask_bot(bot, &Task::plain(record, player, limits, stop, &clock));
    let used = match (outside, bot.processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => clock.now().saturating_sub(started),
    };
    (answer, used)
}

/// Where the processor time is not known, wall-clock time counts.
#[cfg(not(all(feature = "native", unix)))]
fn ask_counting<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    stop: &StopFlag,
) -> (Result<Answer<G::Move>, BotFailure>, Duration) {
    let clock = search_core::SystemClock::new();
    let answer = ask_bot(bot, &Task::plain(record, player, limits, stop, &clock));
    (answer, clock.now())
}
