#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod bits;
mod cell;
mod facts;
mod game;
mod grid;
mod moves;
mod numbers;
mod picture;
mod position;
mod setup;
#[cfg(feature = "proptest")]
pub mod strategies;
mod text;

pub use bits::{Bits, CellIter, Wide, WordCells};
pub use cell::{Cell, ParseCellError, Side};
pub use facts::{CellSet, StepDistances};
pub use grid::{Grid, Visitor};
pub use moves::{Move, MoveError, ParseMoveError};
pub use position::{MAX_SIZE, MIN_SIZE, Position};
pub use setup::{Edition, Setup, SetupError};
pub use text::ParsePositionError;

/// The contract that this crate's types stand in.
pub use search_core;

#[cfg(feature = "proptest")]
/// The version whose types stand in the signatures of [`strategies`].
pub use proptest;

/// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
pub const PERFT: &str = include_str!("../tests/data/perft.txt");
