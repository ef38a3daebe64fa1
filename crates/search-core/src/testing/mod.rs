//! What holds a game to the contract: counting, corpora of referees' games, and the laws with their strategies.

#[cfg(feature = "corpus")]
pub mod corpus;
#[cfg(feature = "proptest")]
pub mod laws;
mod perft;
#[cfg(feature = "proptest")]
pub mod strategies;
#[cfg(not(feature = "proptest"))]
mod without_laws;

pub use perft::{ParseSuiteError, SuiteEntry, divide, perft, perft_played, perft_suite};
