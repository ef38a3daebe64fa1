#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod catalogue;
#[cfg(feature = "colosseum")]
pub mod colosseum;
#[cfg(feature = "expendibots")]
pub mod expendibots;
#[cfg(feature = "fidelity")]
pub mod fidelity;
pub mod generic;
#[cfg(feature = "hus")]
pub mod hus;
mod nearest;
#[cfg(any(feature = "colosseum", feature = "hus", feature = "ropasci360"))]
pub mod network;
mod options;
#[cfg(feature = "ropasci360")]
pub mod ropasci360;
mod spec;
pub mod tuning;

pub use catalogue::{BotInfo, Build, Built, Catalogue, SpecError};
pub use generic::{Greedy, Level, Levels, Minimax, Random, Weakness};
pub use nearest::nearest;
pub use options::{
    Choice, Declared, Flag, Kind, Number, OptionInfo, Optional, Options, Range, Setting, Text, Values,
};
pub use spec::{ParseSpecError, Spec};
