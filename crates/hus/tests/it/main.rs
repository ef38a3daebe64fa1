//! The tests of the crate, one binary.

mod corpus;
mod documents;
mod laws;
mod naive;
mod oracle;
mod perft;
mod rules;
