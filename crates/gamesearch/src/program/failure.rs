//! Commands that could not do their work.

use std::fmt;
use std::process::ExitCode;

/// A command that could not do its work: what to tell, and the exit code (1 failed, 2 wrong usage).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
}

/// What a command comes to.
pub type CommandResult = Result<ExitCode, Failure>;

impl Failure {
    /// The work failed: exit code 1.
    pub fn failed(message: impl fmt::Display) -> Failure {
        Failure { code: 1, message: message.to_string() }
    }

    /// The command was called wrongly: exit code 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
