//! What a search found, as plain data.

use std::ops::AddAssign;
use std::time::Duration;

use crate::{Bound, Score};

/// Why a search came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopReason {
    /// The depth limit was reached.
    #[default]
    Depth,
    /// The node limit was reached.
    Nodes,
    /// The playout limit was reached.
    Playouts,
    /// The time was used up.
    Time,
    /// The stop flag was raised.
    Stopped,
    /// There was only one move to choose: only one is legal, or a turn-based search looks at no other.
    OnlyMove,
    /// The result is proven; more search cannot change it.
    Proven,
    /// A win or a loss was found that deeper search would find again, but moves were left out on the way: no proof.
    Decided,
    /// One move stayed clearly best, and the clock decides.
    ClearlyBest,
    /// The game was over already.
    GameOver,
}

impl StopReason {
    /// It in a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            StopReason::Depth => "depth",
            StopReason::Nodes => "nodes",
            StopReason::Playouts => "playouts",
            StopReason::Time => "time",
            StopReason::Stopped => "stopped",
            StopReason::OnlyMove => "only move",
            StopReason::Proven => "proven",
            StopReason::Decided => "decided",
            StopReason::ClearlyBest => "clearly best",
            StopReason::GameOver => "game over",
        }
    }
}

/// What a search did, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Visited nodes, root included, quiescence nodes included.
    pub nodes: u64,
    /// Those of them in the quiescence search.
    pub quiescence_nodes: u64,
    /// Calls of the evaluation.
    pub evaluations: u64,
    /// Nodes left early because a move was too good.
    pub cutoffs: u64,
    /// Those of them where the first move searched was the one.
    pub first_move_cutoffs: u64,
    /// Table look-ups that found the position.
    pub table_hits: u64,
    /// Playouts of a Monte Carlo search.
    pub playouts: u64,
    /// Time taken, as the clock handed in saw it.
    pub time: Duration,
}

/// Two searches, one after the other. Of searches side by side the time is that of the longest: set it afterwards.
impl AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        let Stats {
            nodes,
            quiescence_nodes,
            evaluations,
            cutoffs,
            first_move_cutoffs,
            table_hits,
            playouts,
            time,
        } = other;
        self.nodes += nodes;
        self.quiescence_nodes += quiescence_nodes;
        self.evaluations += evaluations;
        self.cutoffs += cutoffs;
        self.first_move_cutoffs += first_move_cutoffs;
        self.table_hits += table_hits;
        self.playouts += playouts;
        self.time += time;
    }
}

/// One root move and what the search thinks of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its score for the player who asked.
    pub score: Score,
    /// What the score says: a search that has a better move leaves the others at an upper bound.
    pub bound: Bound,
    /// Visits of a Monte Carlo search; nodes below it in another search.
    pub visits: u64,
    /// Probability in a mixed strategy, or share of the visits.
    pub weight: f64,
}

impl<M> RootMove<M> {
    /// The score as text, with `≤` or `≥` in front of a bound.
    ///
    /// ```
    /// use search_core::{Bound, RootMove, Score};
    /// let row = RootMove { mv: 'a', score: Score::new(4), bound: Bound::Upper, visits: 9, weight: 0.5 };
    /// assert_eq!(row.score_text(), "≤ +4");
    /// ```
    pub fn score_text(&self) -> String {
        match self.bound {
            Bound::Exact => self.score.to_string(),
            Bound::Upper => format!("≤ {}", self.score),
            Bound::Lower => format!("≥ {}", self.score),
        }
    }
}

/// What a search remembers of one move at a node of its tree, or of its table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// Its score for the player who chooses it and what the score says; nothing if the search has none.
    pub score: Option<(Score, Bound)>,
    /// Visits of a Monte Carlo search.
    pub visits: u64,
    /// How deep an alpha-beta search has looked below it.
    pub depth: Option<u32>,
    /// Whether the result is proven.
    pub proven: bool,
}

/// The answer of a search for one player.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis<M> {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<M>,
    /// Its score for the player who asked.
    pub score: Score,
    /// The expected course of the game, `best` first.
    pub pv: Vec<M>,
    /// The deepest finished iteration (alpha-beta), or the deepest line of the tree (Monte Carlo).
    pub depth: u32,
    /// Why the search came back.
    pub stop: StopReason,
    /// What it did.
    pub stats: Stats,
    /// The root moves, best first.
    pub root: Vec<RootMove<M>>,
    /// The expected course after each of the first root moves, in their order, where the search keeps several.
    pub lines: Vec<Vec<M>>,
    /// For simultaneous games: the mixed strategy with its value and its gap.
    pub mixed: Option<Mixed<M>>,
}

impl<M> Default for Analysis<M> {
    fn default() -> Self {
        Analysis {
            best: None,
            score: Score::DRAW,
            pv: Vec::new(),
            depth: 0,
            stop: StopReason::default(),
            stats: Stats::default(),
            root: Vec::new(),
            lines: Vec::new(),
            mixed: None,
        }
    }
}

impl<M> Analysis<M> {
    /// That the game was over already.
    pub fn game_over() -> Self {
        Analysis { stop: StopReason::GameOver, ..Analysis::default() }
    }
}

impl<M: Copy> Analysis<M> {
    /// That there is only this move.
    pub fn only_move(mv: M) -> Self {
        Analysis { best: Some(mv), pv: vec![mv], stop: StopReason::OnlyMove, ..Analysis::default() }
    }
}

/// Moves with the probabilities that they are played with.
pub type Shares<M> = Vec<(M, f64)>;

/// A pair of mixed strategies at a node where both players choose at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixed<M> {
    /// For each player the moves that are played with a probability above 0, most likely first.
    pub strategies: [Shares<M>; 2],
    /// The value for the player who asked, -1 (lost) to +1 (won), or in the units of the evaluation.
    pub value: f64,
    /// How much the two players could gain together by best responses: 0 means an equilibrium of the searched game.
    pub gap: f64,
    /// What the player who asked gets for each pair of the moves in [`Mixed::strategies`]: a row for each move of the first
    /// player. Empty where the search keeps no such values.
    pub payoffs: Vec<Vec<f64>>,
}
