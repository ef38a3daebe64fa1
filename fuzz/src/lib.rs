//! What the fuzz targets share: one function for each kind of target, for any game.

mod dialogues;
mod games;
mod journals;

pub use dialogues::dialogue;
pub use games::{game, text};
pub use journals::journal;
