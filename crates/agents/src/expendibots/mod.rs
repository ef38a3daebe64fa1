//! The bots of Expendibots: those of the report, faithfully, the generic ones, and the champion.

#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod keys;
mod program;
mod ratio;

use ::expendibots::Position;

#[cfg(feature = "fidelity")]
pub use fidelity::fidelity;

use crate::{Catalogue, Random};

/// All bots of Expendibots.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![Random::info(), greedy::info()])
}
