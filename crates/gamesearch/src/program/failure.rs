//! Commands that could not do their work.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// A command that could not do its work: what to tell, and the exit code (1 failed, 2 wrong usage).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
    /// Whether it may go well in a moment, because another program uses something now.
    in_use: bool,
}

/// What a command comes to.
pub type CommandResult = Result<ExitCode, Failure>;

impl Failure {
    /// The work failed: exit code 1.
    pub fn failed(message: impl fmt::Display) -> Failure {
        Failure { code: 1, message: message.to_string(), in_use: false }
    }

    /// The command was called wrongly: exit code 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { code: 2, message: message.to_string(), in_use: false }
    }

    /// The work failed because another program uses something now: exit code 1.
    pub fn in_use(message: impl fmt::Display) -> Failure {
        Failure { in_use: true, ..Failure::failed(message) }
    }

    /// Whether another program uses something now, so that the same may go well in a moment.
    pub fn is_in_use(&self) -> bool {
        self.in_use
    }

    /// What to make of an error of the system: "cannot WHAT PATH: ...".
    ///
    /// ```
    /// use gamesearch::Failure;
    /// let read = std::fs::read("no/such/file").map_err(Failure::cannot("read", "no/such/file"));
    /// assert!(read.unwrap_err().to_string().starts_with("cannot read no/such/file: "));
    /// ```
    pub fn cannot<'a, E: fmt::Display>(
        what: &'a str,
        path: &'a (impl AsRef<Path> + ?Sized),
    ) -> impl Fn(E) -> Failure + Copy + 'a {
        let path = path.as_ref();
        move |error| Failure::failed(format!("cannot {what} {}: {error}", path.display()))
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
