//! Play: referee, clocks, matches, tournaments, journal, ratings, reports.
//!
//! The arena knows the contract of a game (`search_core`) and nothing else: it names no game and no bot.
#![warn(missing_docs)]

pub mod statistics;
pub mod ugi;
