//! The registry of one game: its bots, their options, and how to build them.

use std::fmt;

use search_core::{Bot, Game};
use thiserror::Error;

use crate::{ParseSpecError, Spec, nearest};

/// What values an option takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Values {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, both ends included.
    Integer(u64, u64),
    /// A number in this range, both ends included.
    Number(f64, f64),
    /// `true` or `false`.
    Flag,
    /// A text that the bot reads itself; this says what it is.
    Text(&'static str),
}

impl Values {
    fn accept(&self, text: &str) -> bool {
        match *self {
            Values::Choice(words) => words.contains(&text),
            Values::Integer(min, max) => text.parse().is_ok_and(|n: u64| (min..=max).contains(&n)),
            Values::Number(min, max) => text.parse().is_ok_and(|x: f64| (min..=max).contains(&x)),
            Values::Flag => matches!(text, "true" | "false"),
            Values::Text(_) => true,
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Choice(words) => f.pad(&words.join("|")),
            Values::Integer(min, u64::MAX) => f.pad(&format!("{min}..")),
            Values::Integer(min, max) => f.pad(&format!("{min}..{max}")),
            Values::Number(min, max) => f.pad(&format!("{min} to {max}")),
            Values::Flag => f.pad("true|false"),
            Values::Text(what) => f.pad(what),
        }
    }
}

/// One option of a bot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionInfo {
    /// The key in the spec string.
    pub key: &'static str,
    /// What it may be set to.
    pub values: Values,
    /// What it is if it is not set; empty for options that are off unless given.
    pub default: &'static str,
    /// One line on what it does.
    pub about: &'static str,
}

/// The options of one bot as the spec string set them, checked against the bot's [`OptionInfo`]s.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    infos: &'a [OptionInfo],
    set: &'a [(String, String)],
}

impl<'a> Options<'a> {
    /// The value as text: as set, else the default; empty if the option is off, or unknown to the bot.
    pub fn text(&self, key: &str) -> &'a str {
        debug_assert!(
            self.infos.iter().any(|info| info.key == key),
            "the bot does not declare the option {key}"
        );
        let set = self.set.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        let default = || self.infos.iter().find(|info| info.key == key).map_or("", |info| info.default);
        set.unwrap_or_else(default)
    }

    /// Whether the bot has this option at all.
    pub fn has(&self, key: &str) -> bool {
        self.infos.iter().any(|info| info.key == key)
    }

    /// Whether the spec string sets this option itself.
    pub fn is_set(&self, key: &str) -> bool {
        self.set.iter().any(|(known, _)| known == key)
    }

    /// A whole number; `None` if the option is off.
    pub fn integer(&self, key: &str) -> Option<u64> {
        self.text(key).parse().ok()
    }

    /// A number; `None` if the option is off.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key).parse().ok()
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &str) -> bool {
        self.text(key) == "true"
    }
}

/// How a bot is made from its options.
pub type Build<G> = fn(&Options<'_>) -> Result<Box<dyn Bot<G>>, SpecError>;

/// One bot of a catalogue.
#[derive(Debug, Clone)]
pub struct BotInfo<G: Game> {
    /// The name in the spec string.
    pub name: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Makes it.
    pub build: Build<G>,
}

/// All bots of one game.
#[derive(Debug, Clone)]
pub struct Catalogue<G: Game> {
    bots: Vec<BotInfo<G>>,
}

impl<G: Game> Catalogue<G> {
    /// A catalogue of these bots.
    pub fn new(bots: Vec<BotInfo<G>>) -> Self {
        Catalogue { bots }
    }

    /// The bots, in the order in which they are listed for people.
    pub fn bots(&self) -> &[BotInfo<G>] {
        &self.bots
    }

    /// Checks a spec string and makes the bot.
    pub fn build(&self, spec: &str) -> Result<Box<dyn Bot<G>>, SpecError> {
        let spec: Spec = spec.parse()?;
        let info = self.check(&spec)?;
        (info.build)(&Options { infos: &info.options, set: spec.options() })
    }

    /// The bot that a spec names, after checking every option.
    pub fn check(&self, spec: &Spec) -> Result<&BotInfo<G>, SpecError> {
        let info = self.bots.iter().find(|info| info.name == spec.name()).ok_or_else(|| {
            let names = self.bots.iter().map(|info| info.name);
            SpecError::UnknownBot {
                game: G::NAME,
                name: spec.name().to_owned(),
                meant: meant(spec.name(), names.clone()),
                known: names.collect::<Vec<_>>().join(", "),
            }
        })?;
        for (key, value) in spec.options() {
            let option = info.options.iter().find(|option| option.key == key).ok_or_else(|| {
                let keys = info.options.iter().map(|option| option.key);
                SpecError::UnknownKey {
                    bot: info.name,
                    key: key.clone(),
                    meant: meant(key, keys.clone()),
                    known: match keys.collect::<Vec<_>>().join(", ") {
                        none if none.is_empty() => "none".to_owned(),
                        keys => keys,
                    },
                }
            })?;
            if !option.values.accept(value) {
                return Err(SpecError::Value {
                    bot: info.name,
                    key: option.key,
                    expected: option.values.to_string(),
                    found: value.clone(),
                });
            }
        }
        Ok(info)
    }
}

fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or(String::new(), |near| format!(" (did you mean `{near}`?)"))
}

/// A spec string that names no bot of the game, or sets an option wrongly.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecError {
    /// It is not a spec string.
    #[error(transparent)]
    Syntax(#[from] ParseSpecError),
    /// No bot has this name.
    #[error("{game} has no bot `{name}`{meant}; its bots: {known}")]
    UnknownBot {
        /// The game.
        game: &'static str,
        /// The name that was given.
        name: String,
        /// The nearest valid name, as part of a sentence.
        meant: String,
        /// All valid names.
        known: String,
    },
    /// The bot has no such option.
    #[error("{bot} has no option `{key}`{meant}; its options: {known}")]
    UnknownKey {
        /// The bot.
        bot: &'static str,
        /// The key that was given.
        key: String,
        /// The nearest valid key, as part of a sentence.
        meant: String,
        /// All valid keys.
        known: String,
    },
    /// The option does not take this value.
    #[error("{bot}: the option `{key}` takes {expected}, found `{found}`")]
    Value {
        /// The bot.
        bot: &'static str,
        /// The option.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The options are valid each, but not together.
    #[error("{bot}: {problem}")]
    Together {
        /// The bot.
        bot: &'static str,
        /// What does not fit.
        problem: String,
    },
}
