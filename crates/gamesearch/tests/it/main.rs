//! The program, command by command, from outside; and what the library says of the four games.

mod analyse;
#[cfg(unix)]
mod class;
mod common;
mod data;
mod entries;
mod journal;
mod laws;
mod levels;
mod limits;
mod openings;
mod outside;
mod paths;
mod perft;
mod pieces;
mod play;
mod sandbox;
mod session;
#[cfg(unix)]
mod tournament;
mod web;
