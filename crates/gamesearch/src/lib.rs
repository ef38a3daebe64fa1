//! The workbench as a product: play, analyse and run tournaments of bots, for any game.
//!
//! A game joins by the trait [`Listed`], every item of which has a default, and one call makes a program of it:
//!
//! ```no_run
//! # #[cfg(all(feature = "program", feature = "contests"))]
//! # fn main() -> std::process::ExitCode {
//! gamesearch::App::new().with::<hus::Position>().main()
//! # }
//! # #[cfg(not(all(feature = "program", feature = "contests")))]
//! # fn main() {}
//! ```
//!
//! # Features
//!
//! - `contests` (default): the four contest games, described. The only part of this crate that names a game.
//! - `program` (default): the command line, [`App`]. Without it the crate describes games and is free of files, processes
//!   and terminals.
#![warn(missing_docs)]

#[cfg(feature = "contests")]
pub mod contests;
mod listed;
#[cfg(feature = "program")]
mod program;

pub use listed::{Listed, Visitor, check_paths};
#[cfg(feature = "program")]
#[doc(hidden)]
pub use program::console;
#[cfg(feature = "program")]
pub use program::{App, CommandResult, Failure};
