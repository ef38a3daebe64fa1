//! The error of a text that cannot be read.

use std::error::Error;
use std::fmt;

/// A text that is not a move or a position of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub(crate) expected: &'static str,
    pub(crate) found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}
