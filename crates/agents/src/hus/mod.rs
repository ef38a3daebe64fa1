//! The bots of Hus.

mod bots;
mod champion;
mod evaluation;
#[cfg(feature = "fidelity")]
mod fidelity;
mod learned;
mod network;
mod program;
mod prover;
mod report;

use ::hus::Position;

use crate::{Catalogue, Random};

pub use champion::tuning;
pub use evaluation::{ParsePitWeightsError, PitWeights, StaticOrder, Weighted};
#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub use learned::{HusFeatures, Learned};
pub use network::{Network, NetworkError, Trained};
pub use program::{Counts, Interrupted, LOST, Program, ReportSettings, WON};
pub use report::Report;

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        bots::greedy_info(),
        bots::minimax_info(),
        bots::alphabeta_info(),
        bots::mcts_info(),
        Report::info(),
        champion::info(),
    ])
}
