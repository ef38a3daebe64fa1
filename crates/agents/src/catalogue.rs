//! The registry of one game: its bots, their options, and how to build them.

use search_core::{Bot, Game};
use thiserror::Error;

use crate::generic::{MOVETIME, THREADS};
use crate::options::{Declared, OptionInfo, Options};
use crate::{ParseSpecError, Spec, nearest};

/// A bot, or why there is none.
pub type Built<G> = Result<Box<dyn Bot<G>>, SpecError>;

/// How a bot is made from its options.
pub type Build<G> = fn(&Options<'_>) -> Built<G>;

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

impl<G: Game> BotInfo<G> {
    /// A bot without options.
    pub const fn new(name: &'static str, about: &'static str, build: Build<G>) -> Self {
        BotInfo { name, about, options: Vec::new(), build }
    }

    /// With these options after those it has; one of the same key takes the place of the other.
    #[must_use]
    pub fn with(mut self, settings: &[&dyn Declared]) -> Self {
        for info in settings.iter().map(|setting| setting.info()) {
            match self.options.iter_mut().find(|known| known.key == info.key) {
                Some(known) => *known = info,
                None => self.options.push(info),
            }
        }
        self
    }
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
        let mut given = spec.options().to_vec();
        // A number alone, which stands first, sets the first option.
        if let (Some((key, _)), Some(option)) =
            (given.first_mut().filter(|(key, _)| key.is_empty()), info.options.first())
        {
            option.key.clone_into(key);
        }
        (info.build)(&Options::new(info.name, &info.options, &given))
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
            let first = info.options.first().map(|option| option.key).filter(|_| key.is_empty());
            if first.is_some_and(|first| spec.options().iter().any(|(key, _)| key == first)) {
                let problem = format!("`{value}` and `{}` set the same option", first.unwrap_or_default());
                return Err(SpecError::Together { bot: info.name, problem });
            }
            let key = first.unwrap_or(if key.is_empty() { value } else { key });
            let option = info.options.iter().find(|option| option.key == key).ok_or_else(|| {
                let keys = info.options.iter().map(|option| option.key);
                SpecError::UnknownKey {
                    bot: info.name,
                    key: key.to_owned(),
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

impl<G: Game> Catalogue<G> {
    /// Why a bot does not play the same game again, though limits and seed are the same; nothing if it does.
    pub fn unrepeatable(&self, spec: &str) -> Option<String> {
        let parsed: Spec = spec.parse().ok()?;
        let known = &self.check(&parsed).ok()?.options;
        // Another option may have the same key.
        let is = |setting: &dyn Declared, key: &str| {
            let info = setting.info();
            info.key == key && known.iter().any(|option| option.key == key && option.about == info.about)
        };
        parsed.options().iter().find_map(|(key, value)| {
            if is(&THREADS, key) && value != "1" {
                Some(format!("`{spec}` searches with {value} threads that share a table"))
            } else if is(&MOVETIME, key) {
                Some(format!("`{spec}` goes by the clock"))
            } else {
                None
            }
        })
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
