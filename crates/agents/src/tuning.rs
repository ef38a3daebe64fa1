//! What `cargo xtask tune` needs to know of a champion: its weighted sum, its network.

use std::fmt;

use search_core::{Features, Game};
#[cfg(any(feature = "colosseum", feature = "hus", feature = "ropasci360"))]
use search_core::{Player, Score};

#[cfg(any(feature = "colosseum", feature = "hus", feature = "ropasci360"))]
use crate::network::{Squash, Trained};
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

/// The network of a game's champion, open to training.
#[cfg(any(feature = "colosseum", feature = "hus", feature = "ropasci360"))]
#[derive(Clone, Copy)]
pub struct Training<G: Game> {
    /// Lists of a side.
    pub lists: usize,
    /// Rows of weights.
    pub rows: usize,
    /// Names the rows of the lists of a player: see [`Views::see`](crate::network::Views::see).
    pub see: fn(&G, Player, &mut dyn FnMut(usize, usize)),
    /// Whether the value is what the player who looks sees less what the other sees; else what the player to move sees, alone.
    pub both_sides: bool,
    /// How a sum becomes a chance.
    pub squash: Squash,
    /// The chance that a score of the search stands for, from 0 to 1.
    pub chance: fn(Score) -> f32,
    /// Writes a trained network as the file that the program reads, and checks that it can be read.
    pub pack: fn(&Trained) -> Result<Vec<u8>, String>,
    /// Where the file of the network in use is, from the root of the workspace.
    pub home: &'static str,
    /// The bot that plays itself, unless another is asked for.
    pub bot: &'static str,
    /// The bot whose match decides.
    pub match_bot: &'static str,
}

#[cfg(any(feature = "colosseum", feature = "hus", feature = "ropasci360"))]
impl<G: Game> fmt::Debug for Training<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Training").field("rows", &self.rows).field("bot", &self.bot).finish_non_exhaustive()
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
