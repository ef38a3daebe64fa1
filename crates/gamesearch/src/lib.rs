#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

#[cfg(feature = "contests")]
pub mod contests;
mod listed;
#[cfg(feature = "program")]
pub mod page;
#[cfg(any(feature = "session", feature = "program"))]
mod picks;
#[cfg(feature = "program")]
mod program;
#[cfg(feature = "session")]
pub mod session;

/// What a game of one's own names in its [`Listed`]: bots and catalogues, drawings and adapters, the contract of a game.
pub use {agents, arena, search_core};

pub use listed::{
    Brush, Listed, MeasureExploitability, Scale, Strategy, Visitor, check_paths, score_scale, usual_limits,
};
#[cfg(feature = "program")]
pub use program::{App, CommandResult, Failure, jobs, processors};
#[cfg(feature = "program")]
#[doc(hidden)]
pub use program::{console, pieces};
