//! The bots of Colosseum Survival!.

mod candidates;
mod champion;
mod evaluation;
mod levels;
mod report;
mod searches;

use ::colosseum::Position;

use crate::{Catalogue, Choice, Random, Setting};

pub use candidates::{Approach, Listed};
pub use champion::{ByOutlook, Learned, RegionViews, Territory, training, tuning};
pub use evaluation::{Cells, Room, static_value, value_for};
#[cfg(feature = "fidelity")]
pub use report::fidelity;
pub use report::{
    Counts, Deepening, INFINITE, Interrupted, Lookup, MoveChoice, Negamax, NodeMoves, ReportBot,
    ReportSettings, Rules, Seen, budget, deepen, final_value, generated_moves, random_walk, sorted_moves,
    squared_distance,
};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        report::walk(),
        report::greedy(),
        searches::minimax(),
        searches::alphabeta(),
        searches::mcts(),
        report::info(),
        champion::info(),
        levels::info(),
    ])
}

/// Which moves to look at.
const MOVES: Setting<Choice<MoveChoice>> = Setting::choice(
    "moves",
    &[("tree", MoveChoice::Tree), ("all", MoveChoice::All)],
    "all",
    "the moves to look at: the edges of one breadth-first tree (as the program) or all legal ones (as the text)",
);

/// Which cells the evaluation sums over.
const CELLS: Setting<Choice<Cells>> = Setting::choice(
    "cells",
    &[("near", Cells::Near), ("reachable", Cells::Reachable)],
    "near",
    "the cells the evaluation counts: nearer than K steps (as the program) or all reachable ones (as the text)",
);
