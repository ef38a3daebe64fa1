//! What the Monte Carlo tree search does, part by part.

use crate::TimeSettings;

/// How much of a tree is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Growth {
    /// None: equally many playouts for every root move, and the best average wins. The textbook's first version.
    Flat,
    /// A tree that grows where the playouts go.
    #[default]
    Tree,
}

/// Where the next playout goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selection {
    /// UCB1: the average plus `c * sqrt(ln(parent visits) / visits)`; moves that were never tried come first.
    Ucb1 {
        /// The weight of exploration.
        c: f64,
    },
    /// PUCT: the average plus `c * prior * sqrt(parent visits) / (1 + visits)`; the priors come from the evaluation.
    Puct {
        /// The weight of exploration.
        c: f64,
    },
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Ucb1 { c: std::f64::consts::SQRT_2 }
    }
}

/// What a playout that reaches its ply cap is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtCap {
    /// A draw.
    Draw,
    /// What the evaluation says, as a chance to win.
    #[default]
    Evaluate,
}

/// Which root move is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FinalChoice {
    /// The most visited.
    #[default]
    MostVisits,
    /// The one with the best average.
    BestAverage,
}

/// The settings of [`Mcts`](crate::Mcts).
#[derive(Debug, Clone, PartialEq)]
pub struct MctsSettings {
    /// Flat Monte Carlo or a tree.
    pub growth: Growth,
    /// Where the next playout goes.
    pub selection: Selection,
    /// Weight of the progressive bias, which adds `weight * prior / (1 + visits)`; 0 for none.
    pub bias: f64,
    /// Keeps only this many moves of a node, the best by the user's order or else by the evaluation; `None` keeps all.
    pub expand_best: Option<usize>,
    /// A node gets children when it is visited again after this many playouts.
    pub expand_after: u32,
    /// Playouts from each new leaf; their average counts as one.
    pub playouts_per_leaf: u32,
    /// Cuts playouts after this many plies. 0 asks the evaluation at the leaf at once. `None` plays to the end (or for
    /// 10,000 plies, in a game that may never end).
    pub rollout_plies: Option<u32>,
    /// What a playout is worth that was cut.
    pub at_cap: AtCap,
    /// The score that counts as a chance of 73 % to win: chances are `1 / (1 + exp(-score / scale))`.
    pub value_scale: f64,
    /// Backs up proven results, and stops searching what is proven.
    pub solver: bool,
    /// Which root move is played.
    pub final_choice: FinalChoice,
    /// Keeps the part of the tree that belongs to the moves played since the last search.
    pub reuse_tree: bool,
    /// Size of the tree in bytes, never exceeded (64 KiB at least). When it is full, the least visited parts are given
    /// up and the search goes on.
    pub memory_bytes: usize,
    /// A position that occurred before, in the game or in the line through the tree, counts as a draw.
    pub repetition: bool,
    /// A single legal move is played at once.
    pub only_move: bool,
    /// When the clock decides, stops as soon as no other move can become the most visited.
    pub clearly_best: bool,
    /// Independent trees, one per thread, whose root visits are added up. The same seed and number of playouts give the
    /// same answer. Without the feature `threads`, and on wasm, one.
    pub threads: usize,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for MctsSettings {
    fn default() -> Self {
        MctsSettings {
            growth: Growth::Tree,
            selection: Selection::default(),
            bias: 0.0,
            expand_best: None,
            expand_after: 1,
            playouts_per_leaf: 1,
            rollout_plies: None,
            at_cap: AtCap::Evaluate,
            value_scale: 100.0,
            solver: true,
            final_choice: FinalChoice::MostVisits,
            reuse_tree: true,
            memory_bytes: 64 << 20,
            repetition: true,
            only_move: true,
            clearly_best: true,
            threads: 1,
            time: TimeSettings::default(),
        }
    }
}

impl MctsSettings {
    /// Flat Monte Carlo.
    pub fn flat() -> Self {
        MctsSettings {
            growth: Growth::Flat,
            final_choice: FinalChoice::BestAverage,
            solver: false,
            reuse_tree: false,
            ..MctsSettings::default()
        }
    }

    /// Plain UCT: UCB1 with all moves, nothing proven, nothing kept.
    pub fn uct() -> Self {
        MctsSettings { solver: false, reuse_tree: false, ..MctsSettings::default() }
    }
}
