#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod contract;
mod search;
mod testing;

pub use contract::*;
pub use search::*;
pub use testing::*;

/// The version whose types stand in our signatures: random moves take its generators.
pub use rand;

#[cfg(feature = "proptest")]
/// The version whose types stand in the signatures of [`laws`] and [`strategies`].
pub use proptest;
