//! Side-by-side speed comparisons: our code and the other's, in one run, alternating.
//!
//! A [`Comparison`] is one row of `cargo xtask compare`. Each part of the project lists its rows in a file of its own,
//! and every speed target of the project is a row. Other libraries live in `benches/peers`, a package outside the
//! workspace, so that their dependencies stay out of ours; it uses this framework too and prints rows of the same form.
#![warn(missing_docs)]

mod colosseum;
mod contract;
mod expendibots;
mod hus;
mod measure;
mod ropasci360;
mod search;

pub use contract::by_hand;
pub use measure::{Clock, Comparison, Done, Measured, Work, main_with, work};
pub use search::print_simultaneous;
pub use toys::{connect_four, connect_four_insight, connect_four_positions};

/// The examples of the README, compiled and run as doc tests: this package sees all crates.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// The rows of this package, part by part.
pub fn rows() -> Vec<Comparison> {
    let mut rows = Vec::new();
    rows.extend(contract::rows());
    rows.extend(expendibots::rows());
    rows.extend(search::rows());
    rows.extend(hus::rows());
    rows.extend(ropasci360::rows());
    rows.extend(colosseum::rows());
    rows
}
