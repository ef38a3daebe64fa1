//! Alpha-beta with everything that makes it fast, every part switchable.

mod frontier;
mod history;
mod in_progress;
mod lookup;
mod node;
mod order;
mod picker;
mod quiescence;
mod root;
mod settings;

pub use settings::{AlphaBetaSettings, Reductions, TableUse};

use self::history::Memory;
use crate::search::table::Table;
use crate::{Analysis, HookSet, Search, Task, TurnBased};

/// Iterative-deepening principal-variation search with a transposition table, over any turn-based game.
///
/// What it knows of the game comes from a [`Hooks`](crate::Hooks) bundle; what it does with it, from
/// [`AlphaBetaSettings`]. On one thread, with a limit on nodes or depth, it is reproducible to the bit. What it learned
/// stays for the next move of the same game; [`Search::new_game`] forgets it.
#[derive(Debug)]
pub struct AlphaBeta<G: TurnBased, H> {
    hooks: H,
    settings: AlphaBetaSettings,
    table: Option<Table>,
    /// For each of several threads what it alone remembers.
    near: Vec<Table>,
    /// One per thread.
    memories: Vec<Memory<G::Move>>,
    seed: u64,
}

impl<G: TurnBased, H: HookSet<G>> AlphaBeta<G, H> {
    /// A search with these hooks and settings. The table is allocated by the first search.
    pub fn new(hooks: H, settings: AlphaBetaSettings) -> Self {
        AlphaBeta { hooks, settings, table: None, near: Vec::new(), memories: Vec::new(), seed: 0 }
    }

    /// The hooks.
    pub fn hooks(&self) -> &H {
        &self.hooks
    }

    /// The settings.
    pub fn settings(&self) -> &AlphaBetaSettings {
        &self.settings
    }

    /// The bytes the table occupies now.
    pub fn table_bytes(&self) -> usize {
        self.table.iter().chain(&self.near).map(Table::bytes).sum()
    }
}

impl<G: TurnBased, H: HookSet<G>> Search<G> for AlphaBeta<G, H> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.memories.iter_mut().for_each(Memory::clear);
        self.table.iter_mut().chain(&mut self.near).for_each(Table::clear);
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        root::run(self, task)
    }
}
