//! The report's bot: iterative deepening over its negamax, with its budgets.

#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod lookup;
mod moves;
mod random_walk;
mod search;

use std::time::Duration;

use colosseum::{Move, Position};
use rand_chacha::ChaCha8Rng;
use search_core::{
    Analysis, Answer, Bot, BotFailure, Limits, Player, Score, Stats, StopReason, Task, Time, stream,
};

use crate::colosseum::evaluation::Cells;
use crate::colosseum::{CELLS, MOVES};
use crate::generic::{no_move, poll};
use crate::{BotInfo, Choice, Flag, Optional, Range, Setting};
pub use lookup::{Lookup, Seen};
pub use moves::MoveChoice;
pub use random_walk::random_walk;
pub use search::{Negamax, Rules};

#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub(crate) use greedy::info as greedy;
pub use moves::{NodeMoves, generated_moves, sorted_moves, squared_distance};
pub(crate) use random_walk::info as walk;
pub use search::{Counts, INFINITE, Interrupted, final_value};

/// The depth at which the program stops.
const DEEPEST: u32 = 9;

/// What the report's bot searches for one move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportSettings {
    /// Moves, evaluation and place of the clock test.
    pub rules: Rules,
    /// The last depth.
    pub deepest: u32,
    /// Whether states seen before are looked up, from depth to depth too; the report proposes it.
    pub table: bool,
    /// The half-width of the first window around the value of the depth before; the report proposes narrower windows.
    pub window: Option<u32>,
}

impl ReportSettings {
    /// As the authors' program plays.
    pub fn program() -> Self {
        ReportSettings { rules: Rules::default(), deepest: DEEPEST, table: false, window: None }
    }

    /// As the report describes it: all legal moves, the sum over all reachable cells, the clock test before the depth
    /// test, and no last depth, because "the search tree is finite".
    pub fn text() -> Self {
        let rules = Rules { moves: MoveChoice::All, cells: Cells::Reachable, clock_at_leaves: true };
        ReportSettings { rules, deepest: u32::MAX, ..ReportSettings::program() }
    }
}

/// What iterative deepening came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Deepening {
    /// The move of the last finished depth; none if there was none, or if that depth found every move lost to a trap.
    pub mv: Option<Move>,
    /// Its value, if a depth was finished.
    pub value: Option<i32>,
    /// The last finished depth.
    pub depth: u32,
    /// Calls of the search, over all depths.
    pub nodes: u64,
    /// Why it ended.
    pub stop: StopReason,
}

/// Searches depth 1, 2, ... until the time is up, and keeps the answer of the last finished depth.
pub fn deepen(
    position: &Position,
    settings: &ReportSettings,
    mut out_of_time: impl FnMut(u64) -> Option<StopReason>,
    mut finished: impl FnMut(&Deepening),
) -> Deepening {
    let mut result = Deepening { mv: None, value: None, depth: 0, nodes: 0, stop: StopReason::Depth };
    // No game is longer than there are open edges; deeper searches of the text's bot would only repeat themselves.
    let size = u32::from(position.size());
    let longest = 2 * size * (size - 1) - position.inner_walls();
    let mut lookup = settings.table.then(Lookup::default);
    for depth in 1..=settings.deepest.min(longest) {
        let before = result.nodes;
        let mut stop = None;
        let mut test = |nodes| {
            stop = out_of_time(before + nodes);
            stop.is_some()
        };
        let mut search = Negamax::new(settings.rules, &mut test).with_lookup(lookup.as_mut());
        let outcome = match (settings.window, result.value) {
            (Some(half_width), Some(expected)) => search.root_near(position, depth, expected, half_width),
            _ => search.root(position, depth),
        };
        result.nodes += search.counts.nodes;
        let Ok((value, mv)) = outcome else {
            result.stop = stop.unwrap_or(StopReason::Time);
            break;
        };
        result = Deepening { mv, value: Some(value), depth, ..result };
        finished(&result);
    }
    result
}

/// The part of a move's time limit that the program uses: 25 of 30 seconds for its first move, 1.5 of 2 for the others.
pub fn budget(limit: Duration, first: bool) -> Duration {
    if first { limit * 25 / 30 } else { limit * 3 / 4 }
}

/// The budget of one move. Without any limit the contest's own: 30 seconds for the first move, 2 for the others.
fn move_budget(limits: &Limits, first: bool) -> Option<Duration> {
    let limit = match limits.time {
        Some(Time::Move(limit)) => limit,
        Some(Time::Bounds { hard, .. }) => hard,
        // The program knows no clock for a whole game; a 20th of it lasts to the end of nearly all games.
        Some(Time::Game { left, increment }) => (left / 20 + increment).min(left * 9 / 10),
        None if limits.depth.is_some() || limits.node_limit().is_some() => return None,
        None => Duration::from_secs(if first { 30 } else { 2 }),
    };
    Some(budget(limit, first))
}

/// The bot `report`.
///
/// Where the authors' program has no answer (no move generated, every move lost to a trap, or not even one depth
/// finished), the contest's referee played its random walk; so does this bot, and counts it ([`ReportBot::walks`]).
#[derive(Debug)]
pub struct ReportBot {
    settings: ReportSettings,
    first: bool,
    walks: u32,
    rng: ChaCha8Rng,
}

impl ReportBot {
    /// A bot with these settings.
    pub fn new(settings: ReportSettings) -> ReportBot {
        ReportBot { settings, first: true, walks: 0, rng: stream(0, "report") }
    }

    /// How often in this game the program had no answer and the random walk was played.
    pub fn walks(&self) -> u32 {
        self.walks
    }
}

const AS: Setting<Choice<fn() -> ReportSettings>> = Setting::choice(
    "as",
    &[("program", ReportSettings::program), ("text", ReportSettings::text)],
    "program",
    "as the authors' program plays, or as their report describes it (all moves, all cells, no last depth)",
);

const TABLE: Setting<Flag> = Setting::flag(
    "table",
    false,
    "looks up states seen before, also those of the depths before (the report proposes it)",
);

const WINDOW: Setting<Optional<u32>> = Setting::optional(
    "window",
    1..=1_000_000,
    "half-width of the first window around the value of the depth before (the report proposes it)",
);

const DEPTH: Setting<Range<u32>> = Setting::range(
    "depth",
    1..=1000,
    DEEPEST,
    "the last depth in plies, besides the limits of the match (none with as=text)",
);

/// The entry of the catalogue. What is not set follows `as`.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "report",
        "the report's bot: deepening negamax to depth 9 in 25/30 of the first and 1.5/2 of a later move's time; the \
         random walk where the program has no answer",
        |options| {
            let ReportSettings { rules, deepest, .. } = options.get(&AS)();
            let rules = Rules {
                moves: options.set(&MOVES).unwrap_or(rules.moves),
                cells: options.set(&CELLS).unwrap_or(rules.cells),
                ..rules
            };
            let deepest = options.set(&DEPTH).unwrap_or(deepest);
            let (table, window) = (options.get(&TABLE), options.get(&WINDOW));
            Ok(Box::new(ReportBot::new(ReportSettings { rules, deepest, table, window })))
        },
    )
    .with(&[&AS, &MOVES.with_default("tree"), &CELLS, &DEPTH, &TABLE, &WINDOW])
}

impl Bot<Position> for ReportBot {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.first = true;
        self.walks = 0;
        self.rng = stream(seed, "report");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let started = task.clock.now();
        let deadline = move_budget(&task.limits, self.first).map(|budget| started + budget);
        self.first = false;
        let mut settings = self.settings;
        settings.deepest = settings.deepest.min(task.limits.depth.unwrap_or(u32::MAX)).max(1);
        // The program goes on at the limit itself, and comes back behind it.
        let past = |deadline: Duration| deadline + Duration::from_nanos(1);
        let nodes = task.limits.node_limit().map(|limit| limit.saturating_add(1));
        let out_of_time = poll(task, nodes, deadline.map(past));
        let finished = |result: &Deepening| {
            if let Some(watch) = task.watch {
                watch(&analysis(result, task.clock.now().saturating_sub(started)));
            }
        };
        let result = deepen(position, &settings, out_of_time, finished);
        let mut analysis = analysis(&result, task.clock.now().saturating_sub(started));
        let mv = if let Some(mv) = result.mv {
            mv
        } else {
            self.walks += 1;
            random_walk(position, &mut self.rng).ok_or_else(no_move)?
        };
        analysis.best = Some(mv);
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}

/// The result as an analysis. The line of play is empty where the program has no answer.
fn analysis(result: &Deepening, time: Duration) -> Analysis<Move> {
    Analysis {
        best: result.mv,
        score: Score::new(result.value.unwrap_or(0)),
        pv: result.mv.into_iter().collect(),
        depth: result.depth,
        stop: result.stop,
        stats: Stats { nodes: result.nodes, time, ..Stats::default() },
        ..Analysis::default()
    }
}
