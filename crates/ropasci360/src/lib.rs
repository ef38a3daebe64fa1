#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod facts;
mod game;
mod hex;
mod hexset;
pub mod log;
mod moves;
mod numbers;
mod picture;
mod position;
mod stacks;
#[cfg(feature = "proptest")]
pub mod strategies;
mod symbol;
mod symmetry;
mod text;

pub use facts::Threat;
pub use hex::{Hex, ParseHexError};
pub use hexset::{HexSet, Hexes};
pub use moves::{Action, Move, ParseMoveError};
pub use position::{Position, PositionError};
pub use symbol::Symbol;
pub use symmetry::Symmetry;
pub use text::ParsePositionError;

/// The contract that this crate's types stand in.
pub use search_core;

#[cfg(feature = "proptest")]
/// The version whose types stand in the signatures of [`strategies`].
pub use proptest;

/// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
pub const PERFT: &str = include_str!("../tests/data/perft.txt");
