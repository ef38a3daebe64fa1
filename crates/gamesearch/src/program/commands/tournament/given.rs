//! Values that a user gave: from the command line, or from a file, where mistakes point at the line.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use arena::{MatchLimits, ParseLimitsError, duration_text, parse_duration};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

use crate::program::Failure;

/// A value with the text it was read from, and where that stands if it came from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given<T> {
    pub(crate) value: T,
    text: String,
    span: Option<Range<usize>>,
}

impl<T: FromStr> FromStr for Given<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Given { value: text.parse()?, text: text.to_owned(), span: None })
    }
}

impl<T: fmt::Display> From<T> for Given<T> {
    fn from(value: T) -> Given<T> {
        Given { text: value.to_string(), value, span: None }
    }
}

impl<T> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        let span = Some(spanned.span());
        let text = spanned.into_inner();
        Ok(Given { value: text.parse().map_err(D::Error::custom)?, text, span })
    }
}

impl<T> Given<T> {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same place with a part of the value.
    pub(crate) fn with<U>(&self, value: U, text: &str) -> Given<U> {
        Given { value, text: text.to_owned(), span: self.span.clone() }
    }
}

/// The file that settings came from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    name: String,
    text: String,
}

impl Source {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
        Ok(Source { name, text })
    }

    /// A text that is a file's, or would be.
    pub(crate) fn of_text(name: String, text: String) -> Source {
        Source { name, text }
    }

    /// What the file holds.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        toml::from_str(&self.text).map_err(|error| self.failure(error.span(), error.message()))
    }

    /// A mistake in a value.
    pub(crate) fn mistake<T>(&self, given: &Given<T>, problem: impl fmt::Display) -> Failure {
        self.failure(given.span.clone(), problem)
    }

    /// With the place in front and the line below, where they are known.
    fn failure(&self, span: Option<Range<usize>>, problem: impl fmt::Display) -> Failure {
        let Some(span) = span else { return Failure::usage(problem) };
        let before = &self.text[..self.text.floor_char_boundary(span.start)];
        let number = before.matches('\n').count() + 1;
        let line = self.text.lines().nth(number - 1).unwrap_or_default();
        Failure::usage(format!("{}:{number}: {problem}\n  {number} | {line}", self.name))
    }
}

/// Reads a word as serde names it, so that the words of a type stand in one place.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::Value::from(text).try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

/// The limits of a tournament or of a bot in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitsChoice {
    /// What the game says is fair between its kinds of bots.
    Usual,
    /// Those of the game's own contest.
    Official,
    /// These.
    Of(MatchLimits),
}

impl FromStr for LimitsChoice {
    type Err = ParseLimitsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "usual" => Ok(LimitsChoice::Usual),
            "official" => Ok(LimitsChoice::Official),
            _ => text.parse().map(LimitsChoice::Of),
        }
    }
}

/// How far a bot may overrun its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Margin(pub(crate) Duration);

impl FromStr for Margin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = parse_duration(text);
        time.map(Margin).ok_or_else(|| format!("margin: expected a time such as `100ms`, found `{text}`"))
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration_text(self.0))
    }
}

/// The error rates of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ErrorRates {
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl FromStr for ErrorRates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rate = |text: &str| text.trim().parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate < 0.5);
        let both = text.split_once(',').and_then(|(alpha, beta)| Some((rate(alpha)?, rate(beta)?)));
        both.map(|(alpha, beta)| ErrorRates { alpha, beta }).ok_or_else(|| {
            format!("sprt-errors: expected two rates between 0 and 0.5 as `0.05,0.05`, found `{text}`")
        })
    }
}
