//! Games against random moves, as a tournament would play them.

use std::fmt::Write as _;
use std::time::Duration;

use rand::RngExt;
use search_core::{Game, Player, Record, Turn, stream};

use super::{Examiner, Gone, Severity, question};
use crate::limits::PlayerClock;
use crate::ugi::host::SLOW_WALL;
use crate::ugi::session::Session;

const CHECK: &str = "finds legal moves in time";

/// What was seen in the games.
#[derive(Default)]
struct Seen {
    moves: u32,
    games: u32,
    with_info: u32,
    other_lines: Vec<String>,
    /// The slowest answer, and the time that was allowed for it.
    slowest: (Duration, Option<Duration>),
    /// Answers after their time that only the margin saved.
    late: u32,
    /// The latest of them, and the time that was allowed for it.
    latest: Option<(Duration, Duration)>,
}

impl Seen {
    fn count(&mut self, time: Duration, allowed: Option<Duration>) {
        self.moves += 1;
        if time >= self.slowest.0 {
            self.slowest = (time, allowed);
        }
        if let Some(allowed) = allowed.filter(|&allowed| time > allowed) {
            self.late += 1;
            if self
                .latest
                .is_none_or(|(latest, budget)| time.saturating_sub(allowed) > latest.saturating_sub(budget))
            {
                self.latest = Some((time, allowed));
            }
        }
    }
}

impl Examiner<'_> {
    /// Plays games, in turn as the first player and as the second; the other player's moves are drawn at random. So the bot sees
    /// what it sees in a tournament: one player for a whole game, with its own moves played and its own clock running.
    pub(super) fn games<G: Game>(&mut self, session: &mut Session) -> Result<(), Gone> {
        let examination = self.examination;
        let mut rng = stream(examination.seed, "compliance");
        let mut seen = Seen::default();
        // A game can end before the bot is asked; that must not go on for ever.
        while seen.moves < examination.positions && seen.games < examination.positions {
            let player = if seen.games.is_multiple_of(2) { Player::One } else { Player::Two };
            let seed = if seen.games == 0 { examination.seed } else { rng.random() };
            seen.games += 1;
            self.new_game(session, CHECK)?;
            let mut record = Record::new(G::initial(&G::Setup::default(), seed));
            let mut clock = PlayerClock::new(examination.limits);
            while record.end().is_none() && seen.moves < examination.positions {
                let active = record.position().active();
                let mut moves = [None, None];
                for mover in active.players() {
                    moves[mover.index()] = if mover == player {
                        Some(self.one_move(session, &record, player, &mut clock, &mut seen)?)
                    } else {
                        record.position().sample(mover, &mut rng)
                    };
                }
                let turn = G::Turn::from_moves(active, moves);
                if turn.is_none_or(|turn| record.play(turn).is_err()) {
                    break;
                }
            }
        }
        self.sum_up(&seen);
        Ok(())
    }

    /// Asks for one move under the clock of the game.
    fn one_move<G: Game>(
        &mut self,
        session: &mut Session,
        record: &Record<G>,
        player: Player,
        clock: &mut PlayerClock,
        seen: &mut Seen,
    ) -> Result<G::Move, Gone> {
        let margin = self.bot.settings().margin;
        let allowed = clock.budget();
        let patience = allowed.map_or(self.bot.settings().untimed_move, |time| time + margin);
        // Where processor time counts, the wall only ends a bot that hangs, as in a game.
        let worked =
            (!self.bot.settings().counted.is_wall()).then(|| session.process.processor_time()).flatten();
        let patience = if worked.is_some() { patience * SLOW_WALL } else { patience };
        let lines = question(session, record, player, &clock.limits());
        let mut answer = self.ask(session, CHECK, &lines, patience)?;
        if let Some((before, after)) = worked.zip(session.process.processor_time()) {
            answer.time = after.saturating_sub(before);
        }
        seen.with_info += u32::from(answer.infos > 0);
        seen.other_lines.extend(answer.other);
        seen.count(answer.time, allowed);
        if clock.spend(answer.time, margin).is_err() {
            let allowed = allowed.unwrap_or_default();
            let text = format!(
                "took {:.1?} where {allowed:.1?} were left, and the margin of {margin:.1?} was spent before",
                answer.time
            );
            return Err(self.gone(CHECK, text));
        }
        self.check_move(CHECK, record, player, &answer.text, &lines)?;
        answer.text.parse().map_err(|_| Gone)
    }

    fn sum_up(&mut self, seen: &Seen) {
        let Seen { moves, games, with_info, other_lines, slowest, late, latest } = seen;
        let mut text = format!("{moves} moves in {games} games, slowest answer {:.1?}", slowest.0);
        if let Some(allowed) = slowest.1 {
            // Writing into a `String` cannot fail.
            let _ = write!(text, " of {allowed:.1?}");
        }
        match latest {
            None => self.note(Severity::Fine, CHECK, text),
            Some((time, allowed)) => {
                let margin = self.bot.settings().margin;
                let text = format!(
                    "{late} of {moves} answers came after their time was over, the latest after {time:.1?} of {allowed:.1?}; \
                     only the margin of {margin:.1?} saves them, and a busy machine will spend it"
                );
                self.note(Severity::Remark, CHECK, text);
            }
        }
        if *with_info == 0 {
            self.note(
                Severity::Remark,
                "tells what it thinks",
                "it writes no `info` lines; nobody can see its scores",
            );
        }
        if let Some(line) = other_lines.first() {
            let text = format!(
                "{} lines are not of the protocol, such as `{line}`; notes belong on standard error",
                other_lines.len()
            );
            self.note(Severity::Remark, "writes only the protocol", text);
        }
    }
}
