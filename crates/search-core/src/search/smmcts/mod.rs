//! Monte Carlo tree search for simultaneous games: statistics per player, not per pair of moves.

mod run;
mod tree;

use crate::{Analysis, HookSet, Search, Simultaneous, Task, TimeSettings};
use tree::Tree;

/// How each player chooses in the tree, without knowing the other's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selector {
    /// UCB1 over the player's own moves (decoupled UCT). Strong in practice; need not approach an equilibrium.
    DecoupledUct {
        /// The weight of exploration.
        c: f64,
    },
    /// Regret matching: plays in proportion to what each move would have gained; the average approaches an equilibrium.
    RegretMatching {
        /// The share of choices that are made at random.
        exploration: f64,
    },
}

impl Default for Selector {
    fn default() -> Self {
        Selector::RegretMatching { exploration: 0.1 }
    }
}

/// The settings of [`SmMcts`].
#[derive(Debug, Clone, PartialEq)]
pub struct SmMctsSettings {
    /// How each player chooses in the tree.
    pub selector: Selector,
    /// Cuts playouts after this many turns and asks the evaluation. 0 asks it at the leaf at once. `None` plays to the end.
    pub rollout_turns: Option<u32>,
    /// The score of the evaluation that is worth half a win: values are `score / (|score| + half_win)`.
    pub half_win: f64,
    /// Size of the tree in bytes, never exceeded (64 KiB at least). When it is full it grows no more, but keeps learning.
    pub memory_bytes: usize,
    /// A position that occurred before, in the game or in the line through the tree, counts as a draw.
    pub repetition: bool,
    /// If the player has a single move, it is played at once.
    pub only_move: bool,
    /// Moves with a smaller share than this are left out of the final strategy: they are what exploration left behind.
    pub least_share: f64,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for SmMctsSettings {
    fn default() -> Self {
        SmMctsSettings {
            selector: Selector::default(),
            rollout_turns: None,
            half_win: 100.0,
            memory_bytes: 64 << 20,
            repetition: true,
            only_move: true,
            least_share: 0.01,
            time: TimeSettings::default(),
        }
    }
}

/// Monte Carlo tree search over any simultaneous game; the answer is a mixed strategy.
///
/// The hooks it uses: `rollout` plays games to the end, `evaluate` judges playouts that are cut, `prune` leaves moves
/// out.
#[derive(Debug)]
pub struct SmMcts<G: Simultaneous, H> {
    hooks: H,
    settings: SmMctsSettings,
    tree: Option<Tree<G::Move>>,
    seed: u64,
}

impl<G: Simultaneous, H: HookSet<G>> SmMcts<G, H> {
    /// A search with these hooks and settings. The tree is allocated by the first search.
    pub fn new(hooks: H, settings: SmMctsSettings) -> Self {
        SmMcts { hooks, settings, tree: None, seed: 0 }
    }

    /// The settings.
    pub fn settings(&self) -> &SmMctsSettings {
        &self.settings
    }

    /// The bytes the tree occupies now.
    pub fn tree_bytes(&self) -> usize {
        self.tree.as_ref().map_or(0, Tree::bytes)
    }
}

impl<G: Simultaneous, H: HookSet<G>> Search<G> for SmMcts<G, H> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        // Before the first move's time begins.
        self.tree.get_or_insert_with(|| Tree::new(self.settings.memory_bytes));
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        let tree = self.tree.get_or_insert_with(|| Tree::new(self.settings.memory_bytes));
        run::run(&self.hooks, &self.settings, tree, self.seed, task)
    }
}
