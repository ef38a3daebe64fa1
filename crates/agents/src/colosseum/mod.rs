//! The bots of Colosseum Survival!.

mod candidates;
mod champion;
mod evaluation;
mod report;
mod searches;

use ::colosseum::Position;

use crate::{Catalogue, OptionInfo, Options, Random, Values};

pub use candidates::{Approach, Listed};
pub use champion::{ByOutlook, Territory, tuning};
pub use evaluation::{Cells, Room, static_value, value_for};
#[cfg(feature = "fidelity")]
pub use report::fidelity;
pub use report::{
    Counts, Deepening, Greedy, INFINITE, Interrupted, MoveChoice, Negamax, NodeMoves, Report, ReportSettings,
    Rules, Walk, budget, deepen, final_value, generated_moves, random_walk, sorted_moves, squared_distance,
};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        Walk::info(),
        Greedy::info(),
        searches::minimax(),
        searches::alphabeta(),
        searches::mcts(),
        Report::info(),
        champion::info(),
    ])
}

const MOVES: Values = Values::Choice(&["tree", "all"]);

/// Which moves to look at, for bots that take the program's list by default.
const MOVES_TREE: OptionInfo = OptionInfo {
    key: "moves",
    values: MOVES,
    default: "tree",
    about: "the moves to look at: the edges of one breadth-first tree (as the program) or all legal ones (as the text)",
};

/// The same for bots that look at all moves by default.
const MOVES_ALL: OptionInfo = OptionInfo { default: "all", ..MOVES_TREE };

/// Which cells the evaluation sums over.
const CELLS: OptionInfo = OptionInfo {
    key: "cells",
    values: Values::Choice(&["near", "reachable"]),
    default: "near",
    about: "the cells the evaluation counts: nearer than K steps (as the program) or all reachable ones (as the text)",
};

/// A cap on the depth.
const DEPTH: OptionInfo = OptionInfo {
    key: "depth",
    values: Values::Integer(1, 1000),
    default: "9",
    about: "the last depth in plies, besides the limits of the match (none with as=text)",
};

fn moves_of(options: &Options<'_>) -> MoveChoice {
    if options.text("moves") == "all" { MoveChoice::All } else { MoveChoice::Tree }
}

fn cells_of(options: &Options<'_>) -> Cells {
    if options.text("cells") == "reachable" { Cells::Reachable } else { Cells::Near }
}
