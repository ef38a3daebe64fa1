//! The plan of a tournament: everything that decides which games are played, and nothing else.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::Digest;
use crate::limits::ClockKind;
use crate::schedule::Format;
use crate::shown::shown;
use crate::statistics::Sprt;

/// A bot of the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotPlan {
    /// What it is called in tables. Unique.
    pub name: String,
    /// The spec string that makes it.
    pub spec: String,
    /// What else decides how it plays: the version of its code, or a digest of its files.
    pub fingerprint: String,
    /// Whether it is given only games that begin at the game's own start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub start_only: bool,
}

/// One game of the tournament with its set-up: all bots meet in every event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPlan {
    /// What it is called in tables and files. Unique.
    pub name: String,
    /// The game.
    pub game: String,
    /// The game's set-up.
    pub setup: String,
    /// Whether both players move at once: then there is no first-mover advantage.
    pub simultaneous: bool,
    /// How the games begin: `start`, `random:N`, or `balanced=DIGEST` and `file=DIGEST` of a list.
    pub openings: String,
    /// The limits of each bot, in the order of the bots.
    pub limits: Vec<String>,
}

/// An immutable plan. Equal plans have equal ids, and the same id means the same games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this format.
    pub version: u32,
    /// The games.
    pub events: Vec<EventPlan>,
    /// The players.
    pub bots: Vec<BotPlan>,
    /// Who meets whom.
    pub format: Format,
    /// How many rounds. In each, every pairing of the round plays one pair of games.
    pub rounds: u32,
    /// The master seed.
    pub seed: u64,
    /// How far a player may overrun its time, in microseconds.
    pub margin_micros: u64,
    /// Whether both bots of a simultaneous game think at the same time.
    pub at_once: bool,
    /// What time counts against limits in time.
    #[serde(default, skip_serializing_if = "ClockKind::is_wall")]
    pub clock: ClockKind,
    /// A reason word and a number: games that end so are played again, that many lose.
    pub replay: Option<(String, u32)>,
    /// A test that ends the tournament early.
    pub sprt: Option<Sprt>,
}

/// The version of the format of plans and journals.
pub const FORMAT_VERSION: u32 = 1;

/// A plan that makes no tournament.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// Nothing to play.
    #[error("a tournament needs at least one game")]
    NoEvents,
    /// Too few players.
    #[error("a tournament needs at least two bots, found {0}")]
    TooFewBots(usize),
    /// Two bots or two events with one name.
    #[error("the {what} `{name}` is there twice; give one of them a name of its own, `NAME=SPEC`")]
    Duplicate {
        /// `bot` or `game`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that could not be shown as it is.
    #[error(
        "the {what} `{}`: expected a name of 1 to {LONGEST_NAME} characters that can all be seen",
        shown(name)
    )]
    Name {
        /// `bot` or `game`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Nothing to play.
    #[error("a tournament needs at least one round")]
    NoRounds,
    /// More games than can be numbered.
    #[error("{0} rounds are too many")]
    TooManyRounds(u32),
    /// Limits and bots do not match.
    #[error("the event `{event}` has limits for {found} bots, expected {expected}")]
    Limits {
        /// The event.
        event: String,
        /// How many limits there are.
        found: usize,
        /// How many bots there are.
        expected: usize,
    },
    /// A test is between two bots.
    #[error("a sequential test compares exactly two bots, found {0}")]
    SprtBots(usize),
    /// A test over different games has no meaning.
    #[error("a sequential test takes one game (its set-ups may differ), found {0}")]
    SprtGames(String),
    /// The file was written by another version.
    #[error("expected a plan of format {FORMAT_VERSION}, found format {0}")]
    Version(u32),
}

/// A bot without a name of its own is called by its spec string, so names may be as long as a command line.
const LONGEST_NAME: usize = 300;

/// Names stand in tables, files and terminals: one line, nothing hidden in it.
fn check_name(what: &'static str, name: &str) -> Result<(), PlanError> {
    let fits = !name.is_empty() && name.chars().count() <= LONGEST_NAME && shown(name) == name;
    if fits { Ok(()) } else { Err(PlanError::Name { what, name: name.chars().take(LONGEST_NAME).collect() }) }
}

impl Plan {
    /// The plan's id: a digest of everything in it.
    pub fn id(&self) -> Digest {
        // A struct of plain fields serialises in the order of its fields, and without fail.
        Digest::of(&[serde_json::to_vec(self).unwrap_or_default()])
    }

    /// The margin as a duration.
    pub fn margin(&self) -> Duration {
        Duration::from_micros(self.margin_micros)
    }

    /// Checks that this is a tournament.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.version != FORMAT_VERSION {
            return Err(PlanError::Version(self.version));
        }
        if self.events.is_empty() {
            return Err(PlanError::NoEvents);
        }
        if self.bots.len() < 2 {
            return Err(PlanError::TooFewBots(self.bots.len()));
        }
        if self.rounds == 0 {
            return Err(PlanError::NoRounds);
        }
        for (index, bot) in self.bots.iter().enumerate() {
            check_name("bot", &bot.name)?;
            if self.bots[..index].iter().any(|other| other.name == bot.name) {
                return Err(PlanError::Duplicate { what: "bot", name: bot.name.clone() });
            }
        }
        for (index, event) in self.events.iter().enumerate() {
            check_name("game", &event.name)?;
            if self.events[..index].iter().any(|other| other.name == event.name) {
                return Err(PlanError::Duplicate { what: "game", name: event.name.clone() });
            }
            if event.limits.len() != self.bots.len() {
                return Err(PlanError::Limits {
                    event: event.name.clone(),
                    found: event.limits.len(),
                    expected: self.bots.len(),
                });
            }
        }
        if self.sprt.is_some() {
            if self.bots.len() != 2 {
                return Err(PlanError::SprtBots(self.bots.len()));
            }
            let mut games: Vec<&str> = self.events.iter().map(|event| event.game.as_str()).collect();
            games.sort_unstable();
            games.dedup();
            if games.len() > 1 {
                return Err(PlanError::SprtGames(games.join(", ")));
            }
        }
        if self.rounds > 1_000_000_000 {
            return Err(PlanError::TooManyRounds(self.rounds));
        }
        Ok(())
    }
}
