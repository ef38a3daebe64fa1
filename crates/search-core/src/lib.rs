//! The contract of a two-player game, and every search that needs no knowledge of a particular game.
//!
//! Three rooms: `contract` says what a game is, `search` holds the searches, `testing` what holds a game to the contract.
//! The paths for users are short: everything is re-exported here.
#![warn(missing_docs)]

mod contract;
mod search;
mod testing;

pub use contract::*;
pub use search::*;
pub use testing::*;
