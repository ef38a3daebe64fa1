//! What the fuzz targets share: one function for each kind of target, for any game.

mod dialogues;
mod files;
mod games;
mod journals;
mod lines;

use std::str::from_utf8;

pub use dialogues::dialogue;
pub use files::{link, raw_journal, settings, setup, setup_of};
pub use games::{game, text};
pub use journals::journal;
pub use lines::{line, log, spec};

/// Runs a target once on these bytes, as the fuzzer does: what is no text is nothing to a target of texts. Whether there is
/// such a target.
pub fn run(target: &str, bytes: &[u8]) -> bool {
    let texts = |with: fn(&str)| from_utf8(bytes).map_or((), with);
    match target {
        "dialogues" => dialogue(bytes),
        "games-colosseum" => game::<colosseum::Position>(bytes),
        "games-expendibots" => game::<expendibots::Position>(bytes),
        "games-hus" => game::<hus::Position>(bytes),
        "games-ropasci360" => game::<ropasci360::Position>(bytes),
        "journals" => journal(bytes),
        "lines" => texts(line),
        "links" => texts(link),
        "logs" => texts(log),
        "raw-journals" => raw_journal(bytes),
        "settings" => texts(settings),
        "setups" => texts(setup),
        "specs" => texts(spec),
        "texts-colosseum" => texts(text::<colosseum::Position>),
        "texts-expendibots" => texts(text::<expendibots::Position>),
        "texts-hus" => texts(text::<hus::Position>),
        "texts-ropasci360" => texts(text::<ropasci360::Position>),
        _ => return false,
    }
    true
}
