//! The bots of Hus.

mod candidates;
mod champion;
mod evaluation;
mod levels;
mod report;
mod searches;

use ::hus::Position;

use crate::{Catalogue, Random};

pub use candidates::StaticOrder;
pub use champion::{HusFeatures, Learned, Network, NetworkError, Trained, training, tuning};
pub use evaluation::{OPENING_PLIES, ParsePitWeightsError, PitWeights, Weighted};
#[cfg(feature = "fidelity")]
pub use report::fidelity;
pub use report::{Counts, Interrupted, LOST, Program, ReportBot, ReportSettings, WON};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        searches::greedy(),
        searches::minimax(),
        searches::alphabeta(),
        searches::mcts(),
        report::info(),
        champion::info(),
        levels::info(),
    ])
}
