//! The rules of Expendibots, the two-player game of the course COMP30024 (2020), exactly as its referee plays them.
//!
//! A [`Position`] is a small value (56 bytes) on bitboards; moves and explosions are set arithmetic. Everything that a
//! program may want to know of a position is here ([`Position::components`], [`Position::boom_result`],
//! [`Position::targets`]), so that no bot has to flood-fill on its own. There are no bots here, and no input or output.
//!
//! ```
//! use expendibots::{Move, Position};
//! use search_core::{Game, Record, TurnBased};
//!
//! let mut game = Record::new(Position::start());
//! let mv: Move = "1e2e3".parse()?;
//! game.play(mv)?;
//! assert_eq!(game.position().to_string(), "aa1aa1aa/aa1aa1aa/8/8/8/4A3/AA1A2AA/AA1AA1AA b 1");
//! assert_eq!(game.position().move_count(game.position().to_move()), 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
