//! A closed room for bots from outside (Linux): what they see, what they may use, and that nothing of them gets out.
//!
//! Built from what the kernel gives every user, without root: a user namespace of its own, in which the bot has its own
//! process numbers, network, file system and names; Landlock and seccomp besides, so that a hole in one wall is closed by
//! the next; resource limits; a look at memory and processes many times a second. All of it is set up by our own program
//! started again, between the guard and the bot.

#[cfg(target_os = "linux")]
pub(crate) mod inside;
#[cfg(target_os = "linux")]
pub(crate) mod namespaces;
#[cfg(target_os = "linux")]
mod room;
#[cfg(target_os = "linux")]
mod rules;
pub(crate) mod trial;
mod view;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use trial::{Held, try_sandbox};
pub(crate) use view::Seen;

/// The most threads and processes that a bot may have at a time.
pub const PROCESSES: u64 = 256;
/// The most files that it may have open.
pub const OPEN_FILES: u64 = 1024;
/// The most bytes of files that it may write into its scratch folder, which is removed with it.
pub const SCRATCH: u64 = 64 << 20;
/// The memory it may use by default.
pub const MEMORY: u64 = 4 << 30;

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxChoice {
    /// The best that this system can do.
    #[default]
    Auto,
    /// The whole sandbox or an error.
    On,
    /// None.
    Off,
}

impl fmt::Display for SandboxChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SandboxChoice::Auto => "auto",
            SandboxChoice::On => "on",
            SandboxChoice::Off => "off",
        })
    }
}

impl FromStr for SandboxChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(SandboxChoice::Auto),
            "on" => Ok(SandboxChoice::On),
            "off" => Ok(SandboxChoice::Off),
            other => Err(format!("expected `auto`, `on` or `off`, found `{other}`")),
        }
    }
}

/// How strong a sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Strength {
    /// Landlock and seccomp alone: the bot writes nothing and has no network, but sees that others are there.
    Rules,
    /// A room of its own besides.
    Room,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strength::Rules => "without namespaces: Landlock, seccomp and limits alone",
            Strength::Room => "namespaces, Landlock, seccomp and limits",
        })
    }
}

/// The sandbox of a bot, as the runner asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// How strong it is.
    pub strength: Strength,
    /// Folders and files that the bot may read besides its own.
    pub readable: Vec<PathBuf>,
    /// Folders and files that it must not see even where they lie in what it may read: the run, other bots.
    pub hidden: Vec<PathBuf>,
    /// Folders that it may write to, and that stay: for a build, never for a bot.
    pub writable: Vec<PathBuf>,
}

impl Sandbox {
    /// A sandbox with nothing to be read or hidden besides.
    pub fn new(strength: Strength) -> Sandbox {
        Sandbox { strength, readable: Vec::new(), hidden: Vec::new(), writable: Vec::new() }
    }

    /// The sandbox that `choice` means on this system; `None` where there is none, and why.
    pub fn choose(choice: SandboxChoice) -> Result<(Option<Sandbox>, String), SandboxError> {
        if choice == SandboxChoice::Off {
            return Ok((None, "off".to_owned()));
        }
        match (strongest(), choice) {
            (Ok((Strength::Room, _)), _) => {
                Ok((Some(Sandbox::new(Strength::Room)), format!("on ({})", Strength::Room)))
            }
            (Ok((strength, why)), SandboxChoice::Auto) => {
                let told = format!("partly on ({strength}); more is not possible: {why}");
                Ok((Some(Sandbox::new(*strength)), told))
            }
            (Err(why), SandboxChoice::Auto) => Ok((None, format!("off: {why}"))),
            (Ok((_, why)) | Err(why), _) => Err(SandboxError(why.clone())),
        }
    }
}

/// The sandbox that was asked for cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no whole sandbox here: {0}; `sandbox check` says what holds")]
pub struct SandboxError(String);

/// What a guard sets up for a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Confinement {
    pub(crate) strength: Strength,
    /// What the bot may read.
    pub(crate) readable: Vec<Seen>,
    pub(crate) hidden: Vec<PathBuf>,
    /// What it may write to besides its scratch.
    #[serde(default)]
    pub(crate) writable: Vec<PathBuf>,
    /// Where it is started.
    pub(crate) folder: PathBuf,
}

impl Confinement {
    /// For a bot with this command line that is started in `folder`.
    pub(crate) fn new(sandbox: &Sandbox, command: &[String], folder: PathBuf) -> Confinement {
        let readable = view::of_command(command, &folder, &sandbox.readable);
        let own = [view::own_files(command, &folder), sandbox.writable.clone()].concat();
        let hidden = view::hidden(&sandbox.hidden, &own);
        let writable = sandbox.writable.clone();
        Confinement { strength: sandbox.strength, readable, hidden, writable, folder }
    }
}

/// The files and folders that a command line names, as [`Sandbox::hidden`] of others.
pub fn files_of_command(command: &[String]) -> Vec<PathBuf> {
    view::own_files(command, &std::env::current_dir().unwrap_or_default())
}

/// The strongest sandbox that this system gives, found out by trying, with what stands against more; why there is none.
fn strongest() -> &'static Result<(Strength, String), String> {
    static FOUND: OnceLock<Result<(Strength, String), String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        if !cfg!(target_os = "linux") {
            return Err("it needs Linux".to_owned());
        }
        let mut reasons = Vec::new();
        for strength in [Strength::Room, Strength::Rules] {
            match trial::starts(strength) {
                Ok(()) => return Ok((strength, reasons.join("; "))),
                Err(why) => reasons.push(why),
            }
        }
        reasons.dedup();
        Err(reasons.join("; "))
    })
}
