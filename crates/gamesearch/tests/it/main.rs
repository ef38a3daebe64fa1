//! The program, command by command, from outside; and what the library says of the four games.

mod common;
mod entries;
mod outside;
mod paths;
mod perft;
#[cfg(unix)]
mod tournament;
