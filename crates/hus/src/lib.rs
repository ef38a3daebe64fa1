#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod bytes;
mod facts;
mod game;
mod moves;
mod numbers;
mod past_end;
mod picture;
mod position;
mod sowing;
#[cfg(feature = "proptest")]
pub mod strategies;
mod text;
mod trace;

pub use moves::{ParsePitError, Pit};
pub use position::Position;
pub use sowing::SOWING_LIMIT;
pub use text::ParsePositionError;
pub use trace::Step;

/// The contract that this crate's types stand in.
pub use search_core;

#[cfg(feature = "proptest")]
/// The version whose types stand in the signatures of [`strategies`].
pub use proptest;

/// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
pub const PERFT: &str = include_str!("../tests/data/perft.txt");
