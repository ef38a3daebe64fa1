//! The champion in grades: opponents of known strength.

use ::colosseum::Position;

use super::champion;
use crate::BotInfo;
use crate::generic::{Level, Levels, Weakness};

/// The figures are measured: docs/strength/levels.md.
const ABOUT: &str = "the champion in grades: 1 to 8 are +199, +305, +483, +580, +703, +883, +1103, +1269 Elo over random at 3000 nodes";

const LEVELS: Levels = [
    Weakness { errs: 0.82, picks: 1, nodes: 100 },
    Weakness { errs: 0.68, picks: 1, nodes: 150 },
    Weakness { errs: 0.46, picks: 1, nodes: 200 },
    Weakness { errs: 0.28, picks: 1, nodes: 300 },
    Weakness { errs: 0.18, picks: 1, nodes: 500 },
    Weakness { errs: 0.115, picks: 1, nodes: 1000 },
    Weakness { errs: 0.045, picks: 1, nodes: 2000 },
];

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    Level::info(ABOUT, |options| Level::build(options, &champion::info(), &LEVELS))
}
