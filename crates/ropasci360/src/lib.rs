//! The rules of RoPaSci 360, a simultaneous-move game on a hexagon of 61 hexes (COMP30024, 2021).
//!
//! Two players, Upper and Lower, throw rocks, papers and scissors on the board and slide or swing them; both choose at
//! the same time. [`Position`] implements [`search_core::Game`] and [`search_core::Simultaneous`]. The crate knows the
//! rules and facts about positions, and nothing of playing well.
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
