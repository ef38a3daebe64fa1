//! The champion in grades: opponents of known strength.

use ::expendibots::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

/// The figures are measured: docs/strength/levels.md.
const ABOUT: &str = "the champion in grades: 1 to 8 are +248, +278, +470, +670, +685, +800, +1039, +1315 Elo over random at 3000 nodes";

const LEVELS: Levels = [
    Weakness { errs: 0.85, picks: 1, nodes: 100 },
    Weakness { errs: 0.62, picks: 1, nodes: 150 },
    Weakness { errs: 0.45, picks: 1, nodes: 200 },
    Weakness { errs: 0.31, picks: 1, nodes: 300 },
    Weakness { errs: 0.215, picks: 1, nodes: 500 },
    Weakness { errs: 0.13, picks: 1, nodes: 1000 },
    Weakness { errs: 0.05, picks: 1, nodes: 2000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info(ABOUT, |options| Level::build(options, &champion::info(), &LEVELS))
}
