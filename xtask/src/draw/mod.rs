//! Positions as pictures: one drawer for each game.

pub(crate) mod colosseum;
pub(crate) mod expendibots;
pub(crate) mod hus;
pub(crate) mod ropasci360;
