//! Alpha-beta with everything that makes it fast, every part switchable.

mod frontier;
mod history;
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
use crate::{Analysis, Bound, Child, HookSet, Record, Search, Task, TurnBased};

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
    /// A search with these hooks and settings. The table is allocated when a game begins.
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
        root::prepare(self);
    }

    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        let table = self.table.as_ref();
        let position = line.position();
        let player = position.to_move();
        let child = |&mv: &G::Move| {
            let next = position.after(mv);
            if let Some(end) = next.end() {
                let score = self.settings.ends.score(&next, end, player, 1);
                return Child {
                    mv,
                    score: Some((score, Bound::Exact)),
                    visits: 0,
                    depth: None,
                    proven: true,
                };
            }
            let entry = table.and_then(|table| table.get(next.key()));
            let score = entry
                .as_ref()
                .and_then(|entry| entry.bound.map(|bound| (entry.score.one_ply_later(), bound)));
            let score = score.map(|(score, bound)| match bound {
                _ if next.to_move() == player => (score, bound),
                Bound::Exact => (-score, bound),
                Bound::Upper => (-score, Bound::Lower),
                Bound::Lower => (-score, Bound::Upper),
            });
            let depth = entry.as_ref().filter(|_| score.is_some()).map(|entry| entry.depth);
            let resolved = lookup::resolved_from(self.settings.table);
            let proven = depth.is_some_and(|depth| depth >= resolved);
            Child { mv, score, visits: 0, depth: depth.filter(|_| !proven), proven }
        };
        Some(line.legal_moves(player).iter().map(child).collect())
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        root::run(self, task)
    }
}
