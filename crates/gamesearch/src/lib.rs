#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

#[cfg(feature = "contests")]
pub mod contests;
mod listed;
#[cfg(feature = "program")]
mod program;

pub use listed::{Listed, Visitor, check_paths};
#[cfg(feature = "program")]
pub use program::{App, CommandResult, Failure};
