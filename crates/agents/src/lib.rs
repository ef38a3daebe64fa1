//! The bots of the four games: evaluations, orderings, heuristics, and the registry from spec strings to bots.
//!
//! A bot is named by a spec string, `name[:key=value,...]`, the same everywhere: on the command line, in a tournament
//! file, over UGI. Each game has a [`Catalogue`] that lists its bots and builds them.
#![warn(missing_docs)]

mod catalogue;
pub mod colosseum;
pub mod expendibots;
#[cfg(feature = "fidelity")]
pub mod fidelity;
pub mod generic;
pub mod hus;
mod nearest;
pub mod ropasci360;
mod spec;
pub mod tuning;

pub use catalogue::{BotInfo, Build, Catalogue, OptionInfo, Options, SpecError, Values};
pub use generic::{Greedy, Minimax, Random};
pub use nearest::nearest;
pub use spec::{ParseSpecError, Spec};
