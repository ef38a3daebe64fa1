//! Comparing our versions of the report's bots with what the authors' own programs answered.
//!
//! A fidelity file holds one JSON object per line: a position, how the bot was run, and its answer with counters. Each
//! game module has a function `fidelity` that runs our bot on one line and compares every field that a faithful bot
//! must match.

use search_core::Game;
use serde_json::Value;
use thiserror::Error;

/// One compared field of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name in the file, with dots for inner fields: `rounded_keys.nodes`.
    pub name: String,
    /// What the authors' program answered.
    pub expected: String,
    /// What ours answered.
    pub found: String,
}

impl Field {
    /// A field from two values.
    pub fn new(name: impl Into<String>, expected: &Value, found: &Value) -> Field {
        Field { name: name.into(), expected: expected.to_string(), found: found.to_string() }
    }

    /// Whether the two agree.
    pub fn agrees(&self) -> bool {
        self.expected == self.found
    }
}

/// A line that cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FidelityError {
    /// The line is not JSON.
    #[error("expected a JSON object: {0}")]
    Json(String),
    /// A field is missing or of another kind.
    #[error("expected the field `{field}` to be {expected}, found {found}")]
    Field {
        /// The field.
        field: String,
        /// What it should be.
        expected: &'static str,
        /// What came instead.
        found: String,
    },
    /// The position or a move cannot be read.
    #[error("{0}")]
    Position(String),
}

impl FidelityError {
    /// The error of a field that is not what it should be.
    pub fn field(line: &Value, field: &str, expected: &'static str) -> FidelityError {
        let found = line.get(field).map_or_else(|| "nothing".to_owned(), Value::to_string);
        FidelityError::Field { field: field.to_owned(), expected, found }
    }
}

/// The text in a field.
pub fn text<'a>(line: &'a Value, field: &str) -> Result<&'a str, FidelityError> {
    line.get(field).and_then(Value::as_str).ok_or_else(|| FidelityError::field(line, field, "a text"))
}

/// The position of a line, in which the game goes on.
pub(crate) fn position<G: Game>(line: &Value) -> Result<G, FidelityError> {
    let position: G = text(line, "position")?
        .parse()
        .map_err(|error| FidelityError::Position(format!("the position cannot be read: {error}")))?;
    match position.end() {
        Some(end) => Err(FidelityError::Position(format!("the game is over in `{position}`: {end}"))),
        None => Ok(position),
    }
}

/// Compares one line of a fidelity file; every game exports one of these.
pub type Compare = fn(&Value) -> Result<Vec<Field>, FidelityError>;
