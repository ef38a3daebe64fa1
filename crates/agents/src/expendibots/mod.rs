//! The bots of Expendibots: those of the report, faithfully, the generic ones, and the champion.

mod candidates;
mod champion;
mod evaluation;
mod levels;
mod report;
mod searches;

use ::expendibots::Position;

pub use champion::{ThreatEvaluation, Threats, WEIGHTS, tuning};
pub use report::counted_searches;
#[cfg(feature = "fidelity")]
pub use report::fidelity;

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
        report::greedy(),
        searches::minimax(),
        searches::alphabeta(),
        report::mcts(),
        report::info(),
        champion::info(),
        levels::info(),
    ])
}
