//! Every search that needs no knowledge of a particular game, and what all of them share: the trait they implement, how
//! they score ended games, and the bot around them.

mod alphabeta;
pub mod and_or;
mod budget;
mod exploitability;
mod hooks;
mod in_progress;
mod linear;
pub mod matrix;
mod mcts;
mod move_hash;
mod path;
mod proof;
pub mod reference;
mod serialized;
mod simultaneous;
mod smmcts;
mod solver;
mod table;
mod ucb;

pub use alphabeta::{AlphaBeta, AlphaBetaSettings, Reductions, TableUse};
pub use budget::TimeSettings;
pub use exploitability::{Exploitability, TooLarge, exploitability};
pub use hooks::{
    ByEvaluation, Decisive, Evaluate, EvaluateBy, Extend, HookSet, Hooks, NoExtend, NoOrder, NoPrune,
    NoQuiesce, Order, Prune, Quiesce, Rollout, Uniform, Zero,
};
pub use linear::{Features, Linear, WeightsError};
pub use mcts::{AtCap, FinalChoice, Growth, Mcts, MctsSettings, Selection};
pub use proof::{ProofAnalysis, ProofResult, ProofSearch, ProofSettings, ProofStats};
pub use serialized::{ParseSerializedError, SerialBot, Serialized, Serially, serialize_record};
pub use simultaneous::{SimultaneousSearch, SimultaneousSettings, Stage};
pub use smmcts::{Selector, SmMcts, SmMctsSettings};
pub use solver::{
    Foresight, Goal, Insight, Known, Payoffs, RankedMove, RankedMoves, RulesOnly, Solution, Solver,
    SolverSettings,
};
pub use ucb::{puct_bonus, ucb1};

use crate::{
    Active, Analysis, Answer, Bot, BotFailure, Child, End, FailureKind, Game, Limits, Player, Record, Score,
    SearchRng, StopFlag, SystemClock, Task,
};

/// A search of the game `G`: a question in, an analysis out. It may keep what it learned for the next question.
///
/// Everything is anytime: a search answers when its limits are reached or its stop flag is raised, with the best it
/// has. A question about a finished game gets an analysis without a move.
pub trait Search<G: Game>: Send {
    /// Forgets everything about earlier games; all randomness comes from `seed`.
    fn new_game(&mut self, seed: u64);

    /// What the last search remembers of the moves at the end of a line, see [`Bot::children`](crate::Bot::children).
    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        let _ = line;
        None
    }

    /// Answers the question.
    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move>;

    /// Searches the current position of a record for the player who acts there (the first player where both do), with the
    /// system's clock.
    fn analyse(&mut self, record: &Record<G>, limits: Limits) -> Analysis<G::Move> {
        let player = match record.position().active() {
            Active::One(player) => player,
            Active::Both => Player::One,
        };
        let clock = SystemClock::new();
        self.search(&Task::plain(record, player, limits, &StopFlag::new(), &clock))
    }
}

impl<G: Game, S: Search<G> + ?Sized> Search<G> for Box<S> {
    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }

    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        (**self).children(line)
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        (**self).search(task)
    }
}

/// How the end of a game is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// By the outcome: won, drawn or lost, and the sooner won the better.
    #[default]
    Outcome,
    /// By [`Game::utility`], for games with payoffs; how soon does not matter.
    Utility,
}

impl Ends {
    /// The score of a finished position for `player`, `ply` plies below the root.
    #[inline]
    pub fn score<G: Game>(self, position: &G, end: End, player: Player, ply: u32) -> Score {
        match self {
            Ends::Outcome => Score::of_outcome(end.outcome, player, ply),
            Ends::Utility => Score::new(position.utility(player)),
        }
    }
}

/// Makes a bot of any search: the agents only supply hooks, settings and a cap on the limits.
///
/// Where the analysis holds a mixed strategy, the move is drawn from it with the seed of the game.
#[derive(Debug, Clone)]
pub struct SearchBot<S> {
    search: S,
    cap: Limits,
    rng: SearchRng,
}

impl<S> SearchBot<S> {
    /// A bot that answers with what `search` finds.
    pub fn new(search: S) -> Self {
        SearchBot { search, cap: Limits::default(), rng: SearchRng::new(0, "mixed moves") }
    }

    /// The same with limits of its own, besides those of the match: whichever comes first.
    pub fn with_cap(mut self, cap: Limits) -> Self {
        self.cap = cap;
        self
    }

    /// The search inside.
    pub fn search(&self) -> &S {
        &self.search
    }
}

impl<G: Game, S: Search<G>> Bot<G> for SearchBot<S> {
    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        let _ = player;
        self.search.new_game(seed);
        self.rng = SearchRng::new(seed, "mixed moves");
        Ok(())
    }

    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        self.search.children(line)
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let task = Task {
            record: task.record,
            player: task.player,
            limits: task.limits.and(self.cap),
            stop: task.stop,
            clock: task.clock,
            watch: task.watch,
        };
        let analysis = self.search.search(&task);
        let drawn = analysis
            .mixed
            .as_ref()
            .and_then(|mixed| draw(&mixed.strategies[task.player.index()], &mut self.rng));
        let mv = drawn
            .or(analysis.best)
            .or_else(|| task.record.legal_moves(task.player).first().copied())
            .ok_or_else(|| BotFailure::new(FailureKind::Crash, "there is no legal move to choose"))?;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}

/// Draws from a mixed strategy; `None` if it is empty.
pub(crate) fn draw<M: Copy>(strategy: &[(M, f64)], rng: &mut SearchRng) -> Option<M> {
    let total: f64 = strategy.iter().map(|&(_, weight)| weight).sum();
    let mut left = rng.unit() * total;
    for &(mv, weight) in strategy {
        left -= weight;
        if left < 0.0 {
            return Some(mv);
        }
    }
    strategy.first().map(|&(mv, _)| mv)
}
