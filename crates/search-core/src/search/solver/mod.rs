//! Exact solving: who wins, how soon, by how much, without an evaluation.

mod insight;
mod memory;
mod node;
mod run;
mod table;

use std::marker::PhantomData;

pub use insight::{Foresight, Insight, Known, Payoffs, RankedMove, RankedMoves, RulesOnly};

use self::table::SolverTable;
use crate::{
    Active, Analysis, Bound, Limits, Player, Record, RootMove, Score, Search, Stats, StopFlag, StopReason,
    SystemClock, Task, TimeSettings, TurnBased,
};

/// What is to be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal {
    /// Win, draw or loss.
    Outcome,
    /// The outcome, and in how many plies.
    #[default]
    Distance,
    /// The payoff, by [`Game::utility`](crate::Game::utility), whenever it comes. The insight says how large it may be
    /// ([`Insight::PAYOFF`]).
    Payoff,
}

/// The settings of a [`Solver`].
#[derive(Debug, Clone, PartialEq)]
pub struct SolverSettings {
    /// What is to be found out.
    pub goal: Goal,
    /// Size of the table in bytes, never exceeded (two lines of 64 bytes at least).
    pub table_bytes: usize,
    /// How many threads search, with one table (feature `threads`; 1 otherwise).
    pub threads: usize,
    /// Follows the line of the proof when the score is found, which takes some more searching; `false` where the score alone is
    /// wanted.
    pub line: bool,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for SolverSettings {
    fn default() -> Self {
        SolverSettings {
            goal: Goal::Distance,
            table_bytes: 64 << 20,
            threads: 1,
            line: true,
            time: TimeSettings::default(),
        }
    }
}

/// What a solver found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution<M> {
    /// The player to move gets this at least: proven.
    pub lower: Score,
    /// The player to move gets this at most: proven.
    pub upper: Score,
    /// A move that keeps the score, once it is found and the line is wanted ([`SolverSettings::line`]).
    pub best: Option<M>,
    /// The line of the proof, both sides playing their best: to the end of the game for [`Goal::Distance`] and
    /// [`Goal::Payoff`], a win or a draw held for [`Goal::Outcome`]. As far as the limits allow, and if it is wanted.
    pub line: Vec<M>,
    /// Why the solver came back; [`StopReason::Proven`] if the goal is reached.
    pub stop: StopReason,
    /// What it did.
    pub stats: Stats,
}

impl<M> Solution<M> {
    /// The score, once the goal is reached. For [`Goal::Outcome`] a win or a loss stands without a distance that means anything.
    pub fn score(&self) -> Option<Score> {
        (self.stop == StopReason::Proven || self.lower == self.upper).then_some(self.lower)
    }
}

/// Solves positions of turn-based games exactly.
///
/// It asks "is the score at least this?" again and again, each time with a search that knows no evaluation, only the ends of the
/// game, and what its [`Insight`] proves: searches with null windows, first for the outcome, then halving what is left. All that
/// was found stays in a table of fixed size with both bounds of each position.
///
/// Stopped by its limits it says what is proven so far; asked again about the same position it goes on from there.
/// With one thread and a limit on nodes it is reproducible to the bit.
///
/// Its games end by themselves: a game with a repetition rule does not compile (see
/// [`ProofSearch`](crate::ProofSearch) for those), a line longer than [`Insight::LONGEST`] ends the search unsolved. Keys of more bits
/// than fit into the table's entries are told apart by 64 bits, as in all tables of this crate; with
/// [`Insight::KEY_BITS`] small enough ([`Solver::is_exact`]) nothing is ever taken for something else.
///
/// ```
/// # use search_core::{Limits, Record, RulesOnly, Solver, SolverSettings, TurnBased};
/// # fn test<G: TurnBased>(start: G) {
/// let mut solver = Solver::new(RulesOnly, SolverSettings::default());
/// let solution = solver.solve(&Record::new(start), Limits::nodes(1_000_000));
/// println!("between {} and {}: {:?}", solution.lower, solution.upper, solution.line);
/// # }
/// ```
#[derive(Debug)]
pub struct Solver<G: TurnBased, I = RulesOnly> {
    insight: I,
    settings: SolverSettings,
    table: Option<SolverTable>,
    game: PhantomData<fn() -> G>,
}

impl<G: TurnBased, I: Insight<G>> Solver<G, I> {
    /// A solver with this insight. The table is allocated by the first search.
    pub fn new(insight: I, settings: SolverSettings) -> Self {
        const {
            assert!(
                G::REPETITION.is_none(),
                "a Solver needs a game without a repetition rule: there the score depends on how a position was reached"
            );
        }
        Solver { insight, settings, table: None, game: PhantomData }
    }

    /// The settings.
    pub fn settings(&self) -> &SolverSettings {
        &self.settings
    }

    /// The bytes the table occupies now.
    pub fn table_bytes(&self) -> usize {
        self.table.as_ref().map_or(0, SolverTable::bytes)
    }

    /// Whether the table keeps keys whole: then the solution is a proof, not only as good as 64 bits of a hash.
    pub fn is_exact(&self) -> bool {
        self.table.as_ref().is_some_and(SolverTable::is_exact)
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// Solves the current position of a record, with the system's clock.
    pub fn solve(&mut self, record: &Record<G>, limits: Limits) -> Solution<G::Move> {
        let clock = SystemClock::new();
        let player = match record.position().active() {
            Active::One(player) => player,
            Active::Both => Player::One,
        };
        self.solve_task(&Task::plain(record, player, limits, &StopFlag::new(), &clock))
    }

    /// Solves the position of a task. Its watcher hears of every bound that is proven; a limit on depth is not asked.
    pub fn solve_task(&mut self, task: &Task<'_, G>) -> Solution<G::Move> {
        let has_cap = task.record.position().turns_left().is_some();
        let key_bits = if has_cap { u64::BITS } else { I::KEY_BITS.clamp(1, u64::BITS) };
        let settings = &self.settings;
        // Payoffs know no distance.
        let longest = if settings.goal == Goal::Payoff { 0 } else { I::LONGEST };
        let table = self
            .table
            .get_or_insert_with(|| SolverTable::new(settings.table_bytes, key_bits, longest, I::PAYOFF));
        table.age();
        run::solve(&self.insight, settings, table, task)
    }
}

impl<G: TurnBased, I: Insight<G>> Search<G> for Solver<G, I> {
    fn new_game(&mut self, _: u64) {
        self.forget();
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        let solution = self.solve_task(task);
        let mover = task.record.position().to_move();
        let mut analysis = analysis(&solution);
        if mover != task.player {
            analysis.score = -analysis.score;
            analysis.best = None;
        }
        analysis
    }
}

/// What is proven as the answer of a search: the draw, or what is nearest to it, while the score lies in between.
fn analysis<M: Copy>(solution: &Solution<M>) -> Analysis<M> {
    let score = Score::DRAW.clamp(solution.lower, solution.upper);
    let bound = if solution.lower == solution.upper {
        Bound::Exact
    } else if score == solution.lower {
        Bound::Lower
    } else {
        Bound::Upper
    };
    Analysis {
        best: solution.best,
        score,
        pv: solution.line.clone(),
        depth: solution.line.len() as u32,
        stop: solution.stop,
        stats: solution.stats,
        lines: Vec::new(),
        root: solution
            .best
            .map(|mv| RootMove { mv, score, bound, visits: solution.stats.nodes, weight: 1.0 })
            .into_iter()
            .collect(),
        mixed: None,
    }
}
