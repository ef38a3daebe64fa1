//! The champion in grades: opponents of known strength.

use ::ropasci360::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

/// The figures are measured: docs/strength/levels.md.
const ABOUT: &str = "the champion in grades: 1 to 8 are +162, +355, +456, +664, +779, +904, +1030, +1216 Elo over random at 3000 nodes";

const LEVELS: Levels = [
    Weakness { errs: 0.88, picks: 1, nodes: 100 },
    Weakness { errs: 0.66, picks: 1, nodes: 150 },
    Weakness { errs: 0.47, picks: 1, nodes: 200 },
    Weakness { errs: 0.36, picks: 1, nodes: 400 },
    Weakness { errs: 0.23, picks: 1, nodes: 1000 },
    Weakness { errs: 0.165, picks: 1, nodes: 2000 },
    Weakness { errs: 0.1, picks: 1, nodes: 2000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info(ABOUT, |options| Level::build(options, &champion::info(), &LEVELS))
}
