//! The tests of the crate, one binary.

mod corpus;
mod endgames;
mod laws;
mod log;
mod naive;
mod oracle;
mod perft;
mod rules;
mod symmetry;
