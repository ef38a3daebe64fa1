//! The champion in grades: opponents of known strength.

use ::hus::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

/// The figures are measured: docs/strength/levels.md.
const ABOUT: &str = "the champion in grades: 1 to 8 are +125, +381, +616, +892, +1025, +1382, +1423, +1712 Elo over random at 3000 nodes";

const LEVELS: Levels = [
    Weakness { errs: 0.92, picks: 1, nodes: 100 },
    Weakness { errs: 0.78, picks: 1, nodes: 150 },
    Weakness { errs: 0.58, picks: 1, nodes: 200 },
    Weakness { errs: 0.38, picks: 1, nodes: 300 },
    Weakness { errs: 0.22, picks: 1, nodes: 500 },
    Weakness { errs: 0.12, picks: 1, nodes: 1000 },
    Weakness { errs: 0.055, picks: 1, nodes: 2000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info(ABOUT, |options| Level::build(options, &champion::info(), &LEVELS))
}
