//! What `cargo xtask tune` needs to know of a champion whose evaluation is a weighted sum.

use std::fmt;

use search_core::{Features, Game};

use crate::{Options, Setting, SpecError, Text};

/// The evaluation of a game's champion, open to tuning.
pub struct Tuning<G: Game> {
    /// The features of the evaluation.
    pub features: Box<dyn Features<G>>,
    /// The weights it plays with now, one per feature.
    pub weights: Vec<i32>,
    /// The divisor of the sum.
    pub scale: i32,
    /// The bot's name; it takes the option [`WEIGHTS`].
    pub bot: &'static str,
}

impl<G: Game> fmt::Debug for Tuning<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tuning")
            .field("bot", &self.bot)
            .field("weights", &self.weights)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Tuning<G> {
    /// The spec string of the bot with other weights.
    pub fn spec(&self, weights: &[i32]) -> String {
        let weights: Vec<String> = weights.iter().map(i32::to_string).collect();
        format!("{}:{}={}", self.bot, WEIGHTS.key(), weights.join("/"))
    }
}

/// The option that replaces the weights of an evaluation: numbers joined by `/`, in the order of its features.
pub const WEIGHTS: Setting<Text> = Setting::text(
    "weights",
    "numbers joined by /",
    "",
    "other weights of the evaluation, one per feature in order (see cargo xtask tune)",
);

/// Reads [`WEIGHTS`]; `None` if the option is not set.
pub fn weights(options: &Options<'_>, count: usize) -> Result<Option<Vec<i32>>, SpecError> {
    let text = options.get(&WEIGHTS);
    if text.is_empty() {
        return Ok(None);
    }
    let parsed: Option<Vec<i32>> = text.split('/').map(|number| number.trim().parse().ok()).collect();
    match parsed {
        Some(weights) if weights.len() == count => Ok(Some(weights)),
        _ => Err(options.wrong(&WEIGHTS, format_args!("{count} whole numbers joined by `/`"))),
    }
}
