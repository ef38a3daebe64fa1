//! The options of the champion.

use search_core::Stage;

use crate::ropasci360::searches::HALF_WIN;
use crate::{Choice, Options, Range, Setting, SpecError, Text};

/// Whose moves it foresees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Foresight {
    /// Those of known programs, as far as the purse allows.
    Known,
    /// Nobody's.
    Nobody,
    /// Those of another of its kind: the best answer to its own mixed strategy, at any risk.
    Itself,
}

pub(super) const MODEL: Setting<Choice<Foresight>> = Setting::choice(
    "model",
    &[("on", Foresight::Known), ("off", Foresight::Nobody), ("itself", Foresight::Itself)],
    "on",
    "whom it foresees: opponents that play just as a known program does, at a bounded risk; nobody; or the champion itself, to find \
     what its mixed strategy gives away",
);

pub(super) const EAGER: Setting<Choice<bool>> = Setting::choice(
    "eager",
    &[("on", true), ("off", false)],
    "off",
    "throws for a small gain already, once ten turns have passed without a loss",
);

pub(super) const WIDTH: Setting<Range<usize>> =
    Setting::range("width", 2..=400, 30, "moves of each player that are looked at");

pub(super) const EVALUATION: Setting<Choice<bool>> = Setting::choice(
    "evaluation",
    &[("network", true), ("sum", false)],
    "sum",
    "what judges positions: the weighted sum, or the trained network (always the sum with other weights)",
);

pub(super) const STAGES: Setting<Text> = Setting::text(
    "stages",
    "off or DEPTHxWIDTH joined by /",
    DEFAULT_STAGES,
    "what is searched one after the other: how deep in turns, and how many moves of each player are looked at; off for one depth \
     after the other with `width` moves everywhere",
);

/// One depth after the other with the same moves: no stages have won yet.
const DEFAULT_STAGES: &str = "off";

pub(super) const INNER: Setting<Range<usize>> = Setting::range(
    "inner",
    2..=400,
    6,
    "with stages: moves of each player that are looked at below the root",
);

/// Reads [`STAGES`].
pub(super) fn stages(options: &Options<'_>) -> Result<Vec<Stage>, SpecError> {
    let text = options.get(&STAGES);
    if text == "off" {
        return Ok(Vec::new());
    }
    let stage = |text: &str| {
        let (depth, width) = text.split_once('x')?;
        Some(Stage { depth: depth.parse().ok()?, width: width.parse().ok()? })
    };
    let stages: Option<Vec<Stage>> = text.split('/').map(stage).collect();
    let fits = |stage: &Stage| (1..=99).contains(&stage.depth) && (2..=400).contains(&stage.width);
    stages.filter(|stages| stages.iter().all(fits)).ok_or_else(|| {
        options.wrong(&STAGES, "`off`, or stages such as 1x40/2x10, depths of 1 to 99 and widths of 2 to 400")
    })
}

pub(super) const SCALE: Setting<Range<f64>> =
    Setting::range("scale", 1.0..=1e6, HALF_WIN, "the score that is worth half a win");
