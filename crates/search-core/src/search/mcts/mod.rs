//! Monte Carlo tree search, from flat Monte Carlo to proofs and priors, within a fixed number of bytes.

#[cfg(test)]
mod lecture;
mod logarithms;
mod run;
mod settings;
mod summary;
mod tree;

pub use settings::{AtCap, FinalChoice, Growth, MctsSettings, Selection};

use crate::{Analysis, Child, Game, HookSet, Record, Search, Task, TurnBased};
use tree::Tree;

/// Monte Carlo tree search over any turn-based game.
///
/// The hooks it uses: `rollout` plays games to the end, `evaluate` judges playouts that are cut and gives priors,
/// `order` (or else `evaluate`) chooses the best few children, `prune` leaves moves out.
#[derive(Debug)]
pub struct Mcts<G: TurnBased, H> {
    hooks: H,
    settings: MctsSettings,
    /// One per thread.
    trees: Vec<Tree<G::Move>>,
    /// Where the root of the trees is: the start of that game and the moves since.
    root: Option<(u64, Vec<G::Move>)>,
    seed: u64,
}

impl<G: TurnBased, H: HookSet<G>> Mcts<G, H> {
    /// A search with these hooks and settings. The tree is allocated by the first search.
    pub fn new(hooks: H, settings: MctsSettings) -> Self {
        Mcts { hooks, settings, trees: Vec::new(), root: None, seed: 0 }
    }

    /// The hooks.
    pub fn hooks(&self) -> &H {
        &self.hooks
    }

    /// The settings.
    pub fn settings(&self) -> &MctsSettings {
        &self.settings
    }

    /// The bytes the trees occupy now.
    pub fn tree_bytes(&self) -> usize {
        self.trees.iter().map(Tree::bytes).sum()
    }

    /// The bytes that one node of a tree takes.
    pub fn node_bytes() -> usize {
        tree::node_bytes::<G::Move>()
    }

    /// The nodes of all trees now.
    pub fn tree_nodes(&self) -> usize {
        self.trees.iter().map(Tree::len).sum()
    }

    /// How often the memory was full and the least visited parts of a tree were given up.
    pub fn recycled(&self) -> u64 {
        self.trees.iter().map(|tree| tree.recycled).sum()
    }

    /// Moves the trees on to the current position of a record, as far as they hold it; else starts new ones.
    pub fn advance(&mut self, record: &crate::Record<G>) {
        let start = record.start().key();
        let played = record.turns();
        let known = match &self.root {
            Some((from, moves)) if *from == start && played.starts_with(moves) => moves.len(),
            _ => usize::MAX,
        };
        for tree in &mut self.trees {
            let follows = known != usize::MAX
                && played[known..].iter().all(|&mv| match tree.child_of_root(mv) {
                    Some(child) => {
                        tree.advance(child);
                        true
                    }
                    None => false,
                });
            if !follows {
                tree.clear();
            }
        }
        self.root = Some((start, played.to_vec()));
    }
}

impl<G: TurnBased, H: HookSet<G>> Search<G> for Mcts<G, H> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.root = None;
        self.trees.iter_mut().for_each(Tree::clear);
    }

    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        // Nothing was searched yet, or the tree is not kept from move to move.
        let Some((start, moves)) = &self.root else { return Some(Vec::new()) };
        let below = line.turns().strip_prefix(&moves[..]).filter(|_| line.start().key() == *start);
        Some(below.map_or_else(Vec::new, |below| {
            summary::children(&self.trees, &self.settings, below, line.position().to_move())
        }))
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<<G as Game>::Move> {
        run::run(self, task)
    }
}
