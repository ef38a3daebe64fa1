//! The tests of this crate, one program: `cargo xtask` from outside, the documents, and the house.

mod claims;
mod commands;
mod documents;
mod fresh_projects;
mod fuzz_corpus;
mod own_games;
mod tables;
mod tidy;
