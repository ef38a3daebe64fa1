//! A turn-based and a simultaneous game, and bots that behave well and badly.
#![allow(unreachable_pub, reason = "a module of the test program")]

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use arena::{
    BotPlan, Contest, Control, Event, FORMAT_VERSION, Format, MatchLimits, Openings, Plan, RunError,
    RunOptions, RunReport, Summary,
};
use search_core::{
    Active, Answer, Bot, BotFailure, End, FailureKind, Game, MoveSink, Outcome, Player, Simultaneous,
    Standard, Task, stream,
};
use toys::pile::Pile;

/// Both choose 0, 1 or 2 at once, three times; a choice beats the next one modulo three. `turn lead`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duel {
    turn: u8,
    lead: i8,
}

#[derive(Debug)]
pub struct ParseDuelError;

impl fmt::Display for ParseDuelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected turn and lead, such as `0 0`")
    }
}

impl std::error::Error for ParseDuelError {}

impl fmt::Display for Duel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.turn, self.lead)
    }
}

impl FromStr for Duel {
    type Err = ParseDuelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (turn, lead) = text.split_once(' ').ok_or(ParseDuelError)?;
        Ok(Duel {
            turn: turn.parse().map_err(|_| ParseDuelError)?,
            lead: lead.parse().map_err(|_| ParseDuelError)?,
        })
    }
}

impl Game for Duel {
    const NAME: &'static str = "duel";
    type Move = u8;
    type Turn = [u8; 2];
    type Moves = Vec<u8>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Duel { turn: 0, lead: 0 }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<u8>>(&self, _: Player, sink: &mut S) {
        if self.turn < 5 {
            (0..3).for_each(|choice| sink.push(choice));
        }
    }

    fn play_turn(&mut self, [one, two]: [u8; 2]) {
        self.turn += 1;
        self.lead += match (two + 3 - one) % 3 {
            0 => 0,
            1 => 1,
            _ => -1,
        };
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.lead.signum() {
            1 => Outcome::Win(Player::One),
            -1 => Outcome::Win(Player::Two),
            _ => Outcome::Draw,
        };
        (self.turn >= 5).then(|| End::by_rule(outcome, "counted"))
    }

    fn key(&self) -> u64 {
        u64::from(self.turn) * 100 + self.lead.unsigned_abs() as u64 + u64::from(self.lead < 0) * 50
    }
}

impl Simultaneous for Duel {}

/// What a test bot does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Random,
    /// The last legal move.
    Last,
    Illegal,
    Panics,
    Fails(FailureKind),
    NoStart,
}

#[derive(Debug)]
pub struct TestBot {
    pub manner: Manner,
    pub seed: u64,
}

impl TestBot {
    pub fn new(manner: Manner) -> TestBot {
        TestBot { manner, seed: 0 }
    }
}

impl<G: Game<Move = u8>> Bot<G> for TestBot {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.seed = seed;
        match self.manner {
            Manner::NoStart => Err(BotFailure::new(FailureKind::Start, "will not")),
            _ => Ok(()),
        }
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<u8>, BotFailure> {
        let moves = task.record.legal_moves(task.player);
        let last = moves.last().copied().unwrap_or(0);
        Ok(Answer::plain(match self.manner {
            Manner::Random => {
                let mut rng = stream(self.seed.wrapping_add(task.record.turns().len() as u64), "test");
                task.record.position().sample(task.player, &mut rng).unwrap_or(last)
            }
            Manner::Last | Manner::NoStart => last,
            Manner::Illegal => 99,
            Manner::Panics => panic!("out of ideas"),
            Manner::Fails(kind) => return Err(BotFailure::new(kind, "told to")),
        }))
    }
}

/// Crashes with these last words.
#[derive(Debug)]
struct Says(String);

impl<G: Game<Move = u8>> Bot<G> for Says {
    fn choose(&mut self, _: &Task<'_, G>) -> Result<Answer<u8>, BotFailure> {
        Err(BotFailure::new(FailureKind::Crash, self.0.clone()))
    }
}

pub fn make<G: Game<Move = u8>>(spec: &str) -> Result<Box<dyn Bot<G>>, String> {
    if let Some(words) = spec.strip_prefix("says:") {
        return Ok(Box::new(Says(words.to_owned())));
    }
    let manner = match spec.split(':').next().unwrap_or(spec) {
        "random" => Manner::Random,
        "illegal" => Manner::Illegal,
        "panics" => Manner::Panics,
        "protocol" => Manner::Fails(FailureKind::Protocol),
        "nostart" => Manner::NoStart,
        "unknown" => return Err("there is no such bot".to_owned()),
        _ => Manner::Last,
    };
    Ok(Box::new(TestBot::new(manner)))
}

/// Pile (four random plies), duel, or both.
pub fn contests(games: &[&str]) -> Vec<Box<dyn Contest>> {
    let contest = |game: &&str| -> Box<dyn Contest> {
        match *game {
            "duel" => Box::new(Event::<Duel>::new(make)),
            "pile from the start" => Box::new(Event::<Pile>::new(make).with_openings(Openings::Start)),
            _ => Box::new(Event::<Pile>::new(make)),
        }
    };
    games.iter().map(contest).collect()
}

pub fn plan(contests: &[Box<dyn Contest>], specs: &[&str], rounds: u32) -> Plan {
    let limits = vec![MatchLimits::default(); specs.len()];
    Plan {
        version: FORMAT_VERSION,
        events: contests.iter().map(|contest| contest.plan(&limits)).collect(),
        bots: specs
            .iter()
            .map(|spec| BotPlan {
                name: (*spec).to_owned(),
                spec: (*spec).to_owned(),
                fingerprint: String::new(),
                start_only: false,
            })
            .collect(),
        format: Format::RoundRobin,
        rounds,
        seed: 5,
        margin_micros: 1_000_000,
        at_once: false,
        clock: arena::ClockKind::Wall,
        replay: None,
        sprt: None,
    }
}

pub fn options(jobs: usize) -> RunOptions {
    RunOptions { jobs, ..RunOptions::default() }
}

pub fn play(
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    journal: &Path,
    options: &RunOptions,
) -> Result<RunReport, RunError> {
    arena::run(plan, contests, journal, options, &Control::default(), &mut |_| {})
}

/// What must be the same however a plan was played.
pub fn outcome(plan: &Plan, report: &RunReport) -> (String, String) {
    let summary = Summary::new(plan, &report.results, Some(0));
    (summary.json(), summary.csv().unwrap())
}
