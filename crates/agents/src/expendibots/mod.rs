//! The bots of Expendibots: those of the report, faithfully, the generic ones, and the champion.

mod champion;
#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod hooks;
mod keys;
mod mcts;
mod program;
mod ratio;
mod relay;
mod report;
mod searches;
pub mod study;
mod threats;

use ::expendibots::Position;

#[cfg(feature = "fidelity")]
pub use fidelity::fidelity;

pub use champion::tuning;
pub use threats::{ThreatEvaluation, Threats, WEIGHTS};

use crate::{Catalogue, Random};

/// All bots of Expendibots.
///
/// ```
/// let catalogue = agents::expendibots::catalogue();
/// assert!(catalogue.build("alphabeta:depth=4,order=booms").is_ok());
/// assert!(catalogue.build("alphabeta:order=bombs").is_err());
/// ```
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        greedy::info(),
        searches::minimax(),
        searches::alphabeta(),
        mcts::info(),
        report::info(),
        champion::info(),
    ])
}
