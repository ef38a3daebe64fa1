#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod component;
mod facts;
mod game;
mod moves;
mod numbers;
mod past_end;
mod picture;
mod position;
mod square;
mod square_set;
#[cfg(feature = "proptest")]
pub mod strategies;
mod text;

pub use component::{BoomResult, Component, Components};
pub use moves::{Action, Move, MoveList, ParseMoveError};
pub use position::{Position, PositionError};
pub use square::{Direction, ParseSquareError, Square};
pub use square_set::{SquareSet, SquareSetIter};
pub use text::ParsePositionError;

/// The contract that this crate's types stand in.
pub use search_core;

#[cfg(feature = "proptest")]
/// The version whose types stand in the signatures of [`strategies`].
pub use proptest;

/// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
pub const PERFT: &str = include_str!("../tests/data/perft.txt");
