//! The tests of this crate, one program: `cargo xtask` from outside, and the house.

mod commands;
mod own_games;
mod tidy;
