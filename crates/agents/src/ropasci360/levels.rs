//! The champion in grades: opponents of known strength.

use ::ropasci360::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

/// The figures are measured: docs/strength/levels.md.
const ABOUT: &str = "the champion in grades: 1 to 8 are +47, +269, +441, +542, +729, +804, +958, +1254 Elo over random at 3000 nodes";

const LEVELS: Levels = [
    Weakness { errs: 0.88, picks: 1, nodes: 100 },
    Weakness { errs: 0.66, picks: 1, nodes: 150 },
    Weakness { errs: 0.47, picks: 1, nodes: 200 },
    Weakness { errs: 0.33, picks: 1, nodes: 400 },
    Weakness { errs: 0.23, picks: 1, nodes: 1000 },
    Weakness { errs: 0.12, picks: 1, nodes: 2000 },
    Weakness { errs: 0.06, picks: 1, nodes: 2000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info(ABOUT, |options| Level::build(options, &champion::info(), &LEVELS))
}
