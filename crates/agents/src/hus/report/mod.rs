//! The report's bot: deepening over its search from depth 3, with its budget.

#[cfg(feature = "fidelity")]
mod fidelity;
mod search;

use std::time::Duration;

use hus::{Pit, Position};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Limits, Score, Stats, StopReason, Task, Time, TurnBased,
};

use crate::generic::{CAP, cap, no_move, poll};
use crate::{BotInfo, Choice, Range, Setting};
pub use search::{Counts, LOST, Program, ReportSettings, WON};

#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub use search::Interrupted;

/// The first and the last depth of the program.
const DEPTHS: [u32; 2] = [3, 100];

/// The bot `report`.
///
/// If not even the first depth is finished in time, the authors' program answers with an empty move, which loses. This
/// bot then plays the move it likes best at sight, and counts it ([`ReportBot::unanswered`]).
#[derive(Debug)]
pub struct ReportBot {
    settings: ReportSettings,
    cap: Limits,
    unanswered: u32,
}

/// What iterative deepening came to.
#[derive(Debug, Clone, Copy)]
struct Deepening {
    mv: Option<Pit>,
    value: i32,
    depth: u32,
    counts: Counts,
    stop: StopReason,
}

impl ReportBot {
    /// A bot with these settings and limits of its own.
    pub fn new(settings: ReportSettings, cap: Limits) -> ReportBot {
        ReportBot { settings, cap, unanswered: 0 }
    }

    /// How often since it was made the program would have had no answer.
    pub fn unanswered(&self) -> u32 {
        self.unanswered
    }
}

const AS: Setting<Choice<ReportSettings>> = Setting::choice(
    "as",
    &[("program", ReportSettings::PROGRAM), ("text", ReportSettings::TEXT)],
    "program",
    "as the authors' program plays (K = 16, shallow bounds), or as their report describes it (K = 32, alpha-beta)",
);

const CONSTANT: Setting<Range<u32>> = Setting::range(
    "k",
    0..=1000,
    16,
    "the constant K of the evaluation (32 with as=text); it shifts the scores and changes no move",
);

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "report",
        "the report's bot: minimax with shallow cut-offs, sorted by static value, deepening from 3 plies within the limit \
         less 3 %",
        |options| {
            let mut settings = options.get(&AS);
            if let Some(constant) = options.set(&CONSTANT) {
                settings.constant = constant as i32;
            }
            Ok(Box::new(ReportBot::new(settings, cap(options))))
        },
    )
    .with(&[&AS, &CONSTANT])
    .with(CAP)
}

/// The program's own budget: the limit less 60 ms of 2 s, that is 3 %.
fn budget(limits: &Limits, first_turn: bool) -> Option<Duration> {
    let limit = match limits.time {
        Some(Time::Move(limit)) => limit,
        Some(Time::Bounds { hard, .. }) => hard,
        // The program knows no clock for a whole game.
        Some(Time::Game { left, increment }) => (left / 40 + increment).min(left / 2),
        None if limits.depth.is_some() || limits.node_limit().is_some() => return None,
        // The contest's limits.
        None => Duration::from_secs(if first_turn { 30 } else { 2 }),
    };
    Some(limit * 97 / 100)
}

/// Searches depth 3, 4, ... and keeps the answer of the last finished depth.
fn deepen(
    position: &Position,
    settings: ReportSettings,
    last: u32,
    mut interrupt: impl FnMut(u64) -> Option<StopReason>,
    mut finished: impl FnMut(&Deepening),
) -> Deepening {
    let mut result =
        Deepening { mv: None, value: 0, depth: 0, counts: Counts::default(), stop: StopReason::Depth };
    let last = last.clamp(1, DEPTHS[1]);
    for depth in DEPTHS[0].min(last)..=last {
        let before = result.counts;
        let mut stop = None;
        let mut test = |nodes| {
            stop = interrupt(before.nodes + nodes);
            stop.is_some()
        };
        let mut program = Program::new(settings, position.to_move(), &mut test);
        let outcome = program.root(position, depth);
        result.counts.nodes += program.counts.nodes;
        result.counts.evaluations += program.counts.evaluations;
        let Ok((value, mv)) = outcome else {
            result.stop = stop.unwrap_or(StopReason::Time);
            break;
        };
        result = Deepening { mv, value, depth, ..result };
        finished(&result);
        if value == WON {
            result.stop = StopReason::Proven;
            break;
        }
    }
    result
}

impl Bot<Position> for ReportBot {
    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Pit>, BotFailure> {
        let position = task.record.position();
        let started = task.clock.now();
        let limits = task.limits.and(self.cap);
        let deadline = budget(&limits, position.plies() < 2).map(|budget| started + budget);
        let interrupt = poll(task, limits.node_limit(), deadline);
        let elapsed = || task.clock.now().saturating_sub(started);
        let finished = |result: &Deepening| {
            if let Some(watch) = task.watch {
                watch(&analysis(result, elapsed()));
            }
        };
        let last = limits.depth.unwrap_or(u32::MAX);
        let mut result = deepen(position, self.settings, last, interrupt, finished);
        if result.mv.is_none() {
            self.unanswered += 1;
            let mut never = |_| false;
            let mut program = Program::new(self.settings, position.to_move(), &mut never);
            result.mv = program.sorted_moves(position).first().copied();
        }
        let mv = result.mv.ok_or_else(no_move)?;
        Ok(Answer { mv, analysis: Some(analysis(&result, elapsed())) })
    }
}

/// The result as an analysis. The program's infinities become the largest heuristic scores: it does not tell how far
/// the end is, and it can be wrong about it.
fn analysis(result: &Deepening, time: Duration) -> Analysis<Pit> {
    let score = match result.value {
        WON => Score::new(Score::BOUND),
        LOST => Score::new(-Score::BOUND),
        value => Score::new(value),
    };
    let stats = Stats {
        nodes: result.counts.nodes,
        evaluations: result.counts.evaluations,
        time,
        ..Stats::default()
    };
    Analysis {
        best: result.mv,
        score,
        pv: result.mv.into_iter().collect(),
        depth: result.depth,
        stop: result.stop,
        stats,
        ..Analysis::default()
    }
}
