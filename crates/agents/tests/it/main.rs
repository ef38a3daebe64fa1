//! The bots of the four games, from outside.

mod clock;
mod colosseum;
mod every_bot_ends;
mod expendibots;
mod expendibots_endgames;
mod generic_bots;
mod hus;
mod ropasci360;
mod spec_strings;
