//! The bots of RoPaSci 360.

mod evaluation;
#[cfg(feature = "fidelity")]
mod fidelity;
mod guard;
mod pessimistic;
mod report;
mod rules;
mod tokens;

use ::ropasci360::Position;

use crate::{Catalogue, Random};

pub use evaluation::{Distance, Features, Phase, Settings, WON, evaluate};
#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub use guard::Guard;
pub use pessimistic::{Movers, Pessimistic, generate};
pub use report::{DecidedBy, Decision, Report, ReportSettings, decide, opening_move};
pub use rules::{Rule, RuleSet, State};
pub use tokens::{Token, TokenSet, Tokens};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![Random::info(), Report::info()])
}
