//! The rules of Colosseum Survival!, the game of COMP 424 (2022 and 2023): exact and fast.
//!
//! Two players stand on a square grid. In each turn a player walks up to K steps and then puts a wall on a side of the
//! cell it stands on. The game ends as soon as walls separate the two players; the larger zone wins.
//!
//! ```
//! use colosseum::{Position, Setup};
//! use search_core::{Game, TurnBased};
//!
//! let setup: Setup = "size=6".parse()?;
//! let mut position = Position::initial(&setup, 2022);
//! let mut plies = 0;
//! while position.end().is_none() {
//!     let mv = position.nth_move(position.to_move(), 0).ok_or("a running game has a move")?;
//!     position.play(mv);
//!     plies += 1;
//! }
//! assert_eq!(position.plies(), plies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows the rules and facts that follow from them ([`Position::step_distances`], [`Position::zone`],
//! [`Position::reachable`], and [`Position::visit`] for code that wants the bitboards); no bot, no input, no output.
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
