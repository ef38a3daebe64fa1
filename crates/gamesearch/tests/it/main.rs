//! The program, command by command, from outside.

mod common;
mod outside;
mod perft;
#[cfg(unix)]
mod tournament;
