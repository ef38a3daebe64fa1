//! The champion in grades: opponents of known strength.

use ::colosseum::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

const LEVELS: Levels = [
    Weakness { errs: 0.9, picks: 1, nodes: 100 },
    Weakness { errs: 0.6, picks: 1, nodes: 200 },
    Weakness { errs: 0.4, picks: 1, nodes: 300 },
    Weakness { errs: 0.25, picks: 1, nodes: 500 },
    Weakness { errs: 0.15, picks: 2, nodes: 800 },
    Weakness { errs: 0.1, picks: 2, nodes: 1500 },
    Weakness { errs: 0.05, picks: 2, nodes: 3000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info("ABOUT", |options| Level::build(options, &champion::info(), &LEVELS))
}
