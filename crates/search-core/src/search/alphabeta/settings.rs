//! What the alpha-beta search does, part by part.

use super::history::Learning;
use crate::{Ends, TimeSettings};

/// When an entry of the transposition table may replace a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableUse {
    /// No table.
    Off,
    /// The table only says which move to try first.
    MovesOnly,
    /// An entry counts at exactly its own depth: on a game without repetition the result is that of plain minimax.
    ExactDepth,
    /// An entry from at least the wanted depth counts.
    #[default]
    AtLeast,
}

/// Late moves are searched less deeply at first, and again at full depth if they surprise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reductions {
    /// Nodes with less depth left are never reduced.
    pub min_depth: u32,
    /// How many moves are always searched at full depth.
    pub full_moves: u32,
    /// The reduction is `ln(depth) * ln(move number) / divisor` plies.
    pub divisor: f64,
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions { min_depth: 3, full_moves: 3, divisor: 2.0 }
    }
}

/// The settings of [`AlphaBeta`](crate::AlphaBeta). The default switches everything on that keeps the result sound;
/// [`AlphaBetaSettings::plain`] switches everything off.
#[derive(Debug, Clone, PartialEq)]
pub struct AlphaBetaSettings {
    /// Searches depth 1, 2, 3, ... instead of the wanted depth at once.
    pub iterative: bool,
    /// From which depth the iterations start.
    pub first_depth: u32,
    /// By how much each iteration is deeper than the last (2 where a turn takes two plies).
    pub depth_step: u32,
    /// Searches all but the first move of a node with a null window, and again only if they turn out better.
    pub principal_variation: bool,
    /// Starts an iteration with a window of this half-width around the last score; `None` always uses a full one.
    pub aspiration: Option<i32>,
    /// What the transposition table is used for.
    pub table: TableUse,
    /// Uses the table only at nodes with at least this much depth left: a look-up costs about as much as judging a few
    /// leaves.
    pub table_from: u32,
    /// Looks all moves up in the table before the first is searched: one of them may be known to be too good. Pays where
    /// many lines meet in the same position and playing a move is cheap.
    pub enhanced_cutoffs: bool,
    /// Does not enter a position that the opponent wins with one move
    /// ([`TurnBased::winning_move`](crate::TurnBased::winning_move)) when that is bad enough. Pays where a game can be won
    /// suddenly and the game sees it at a glance.
    pub wins_first: bool,
    /// Size of the transposition table in bytes, never exceeded.
    pub table_bytes: usize,
    /// Uses this many bytes of the table at first, and more between two iterations when they have filled up; `None` uses all
    /// from the start, as several threads always do. A short search in a large table waits for memory most of the time.
    pub table_first: Option<usize>,
    /// Tries moves early that caused a cutoff at the same ply.
    pub killers: bool,
    /// Tries moves early that caused cutoffs anywhere.
    pub history: bool,
    /// Tries moves early that caused cutoffs anywhere after the same previous move; where `history` is on too, the
    /// average of both counts. Pays where a game has few different moves.
    pub pair_history: bool,
    /// Tries moves early that refuted the same previous move.
    pub counter_moves: bool,
    /// Asks the user's order only at nodes with at least this much depth left.
    pub order_from: u32,
    /// The user's order stands above killers, counter-moves and history; otherwise below.
    pub order_first: bool,
    /// Late-move reductions; `None` for none. They change results, so they are off by default.
    pub reductions: Option<Reductions>,
    /// Narrows windows by what a win or a loss at this ply could be worth.
    pub distance_pruning: bool,
    /// How many plies of noisy moves are searched below the horizon.
    pub quiescence_depth: u32,
    /// A position that occurred before, in the game or in the line, scores as a draw.
    pub repetition: bool,
    /// How ended games are scored.
    pub ends: Ends,
    /// Draws the order of the root moves from the seed, so that equal moves are played equally often.
    pub shuffle: bool,
    /// How many of the best root moves get a score and a line of their own; the others are only known to be no better. Every
    /// line more costs nodes, and more than one switches aspiration windows off.
    pub lines: usize,
    /// A single legal move is played after one iteration.
    pub only_move: bool,
    /// Stops when the result is proven.
    pub stop_when_proven: bool,
    /// When the clock decides, a move that has long taken nearly all of the work ends the search early.
    pub clearly_best: bool,
    /// Threads that search together through the table. Without the feature `threads`, on wasm, or without a table, one.
    pub threads: usize,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        AlphaBetaSettings {
            iterative: true,
            first_depth: 1,
            depth_step: 1,
            principal_variation: true,
            aspiration: None,
            table: TableUse::AtLeast,
            table_from: 1,
            enhanced_cutoffs: false,
            wins_first: false,
            table_bytes: 16 << 20,
            table_first: None,
            killers: true,
            history: true,
            pair_history: false,
            counter_moves: true,
            order_from: 0,
            order_first: true,
            reductions: None,
            distance_pruning: true,
            quiescence_depth: 8,
            repetition: true,
            ends: Ends::Outcome,
            shuffle: false,
            lines: 1,
            only_move: true,
            stop_when_proven: true,
            clearly_best: true,
            threads: 1,
            time: TimeSettings::default(),
        }
    }
}

impl AlphaBetaSettings {
    /// Plain fail-soft alpha-beta at one depth, in the generator's order (or the user's), nothing else. Repetitions in
    /// the game's history are still seen.
    pub fn plain() -> Self {
        AlphaBetaSettings {
            iterative: false,
            principal_variation: false,
            aspiration: None,
            table: TableUse::Off,
            enhanced_cutoffs: false,
            wins_first: false,
            killers: false,
            history: false,
            pair_history: false,
            counter_moves: false,
            reductions: None,
            distance_pruning: false,
            quiescence_depth: 0,
            only_move: false,
            stop_when_proven: false,
            clearly_best: false,
            ..AlphaBetaSettings::default()
        }
    }

    pub(super) fn learning(&self) -> Learning {
        Learning {
            killers: self.killers,
            history: self.history,
            counter_moves: self.counter_moves,
            pairs: self.pair_history,
        }
    }
}

/// Reductions by depth and move number, computed once.
#[derive(Debug, Clone)]
pub(super) struct ReductionTable {
    plies: Vec<u8>,
    settings: Reductions,
}

const SIDE: usize = 64;

impl ReductionTable {
    pub(super) fn new(settings: Reductions) -> Self {
        let divisor = if settings.divisor > 0.0 { settings.divisor } else { f64::INFINITY };
        let plies = (0..SIDE * SIDE)
            .map(|index| {
                let depth = (index / SIDE).max(1) as f64;
                let number = (index % SIDE).max(1) as f64;
                (libm::log(depth) * libm::log(number) / divisor) as u8
            })
            .collect();
        ReductionTable { plies, settings }
    }

    /// By how many plies the move number `number` (from 0) is reduced at a node with `depth` plies left. At least one
    /// ply of search is left.
    #[inline]
    pub(super) fn get(&self, depth: u32, number: u32) -> u32 {
        if depth < self.settings.min_depth.max(2) || number < self.settings.full_moves {
            return 0;
        }
        let index = (depth as usize).min(SIDE - 1) * SIDE + (number as usize).min(SIDE - 1);
        u32::from(self.plies[index]).min(depth - 2)
    }
}
