//! The rules of Hus, the four-row mancala of the COMP 424 contest of 2016: relay sowing, captures, exact ends.
//!
//! Rules only: no bots, no input or output. A move is a [`Pit`]; everything a search, a referee or a perft needs of a
//! [`Position`] comes through the contract of `search-core` ([`Game`](search_core::Game),
//! [`TurnBased`](search_core::TurnBased)).
//!
//! ```
//! use hus::{Pit, Position};
//! use search_core::{Game, Player, TurnBased, perft};
//!
//! let mut position = Position::start();
//! assert_eq!(perft(&position, 3), 11_040);
//! position.play("23".parse::<Pit>()?);
//! assert_eq!(position.to_move(), Player::Two);
//! assert_eq!(position.seeds(Player::One), 48);
//! assert!(position.end().is_none());
//! # Ok::<(), hus::ParsePitError>(())
//! ```
//!
//! What happens inside one long move is told by [`Position::play_traced`]; the plain `play` pays nothing for it.
//!
//! # Features
//!
//! - `proptest`: the module `strategies` for property tests, and the laws of `search-core`.
//!
//! Not here: the traditional openings of the Nama and the capture that needs both opposite pits occupied; the contest's
//! "a cancelled game is played again, the third time loses", which is the match runner's business.
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
