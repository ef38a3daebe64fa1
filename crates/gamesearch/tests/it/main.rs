//! The program, command by command, from outside; and what the library says of the four games.

mod analyse;
mod common;
mod entries;
mod journal;
mod outside;
mod paths;
mod perft;
mod play;
mod session;
#[cfg(unix)]
mod tournament;
mod web;
