//! Monte Carlo tree search for simultaneous games: statistics per player, not per pair of moves.

mod run;
mod selector;
mod tree;

use crate::{Analysis, HookSet, Search, Simultaneous, Task, TimeSettings};
pub use selector::Selector;
use tree::{ROOT, Tree};

/// The settings of [`SmMcts`].
#[derive(Debug, Clone, PartialEq)]
pub struct SmMctsSettings {
    /// How each player chooses in the tree.
    pub selector: Selector,
    /// Passes on what each position of the line is worth on the average, instead of what the playout led to: slower, but sure to
    /// approach an equilibrium where the selector does so in a single matrix. Outcome sampling has no use for it.
    pub averaged: bool,
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
            averaged: false,
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

    /// What the last search found for both players after some turns from its root; nothing where the tree does not reach or no
    /// move was ever chosen.
    pub fn strategies_after(&self, turns: &[[G::Move; 2]]) -> Option<[Vec<(G::Move, f64)>; 2]> {
        let tree = self.tree.as_ref()?;
        let mut node = ROOT;
        for turn in turns {
            let place =
                |side: usize| tree.actions(node, side).iter().position(|action| action.mv == turn[side]);
            node = tree.child(node, [place(0)?, place(1)?])?;
        }
        let known =
            tree.node(node).is_expanded() && tree.actions(node, 0).iter().any(|action| action.visits > 0);
        known.then(|| {
            [0, 1].map(|side| {
                let shares = self.settings.selector.strategy(tree, node, side, self.settings.least_share);
                tree.actions(node, side).iter().map(|action| action.mv).zip(shares).collect()
            })
        })
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
