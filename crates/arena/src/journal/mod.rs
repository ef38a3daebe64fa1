//! The journal: one line for each finished game, append-only, each with a checksum. The first line holds the plan, and
//! a bot that is withdrawn has a line of its own.
//!
//! A line is one JSON object written with one write, so that a kill loses nothing that was finished. Its last field is
//! the checksum of all before it.

mod line;
mod read;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub(crate) use self::line::Note;
pub(crate) use self::line::parse_game;
pub use self::line::{line_bytes, seal, unseal};
pub(crate) use self::read::PlacedGames;
pub use self::read::{LineProblem, Place, Scan, Void, read_first_line, read_journal};

use self::line::{Header, Withdrawal};
use crate::digest::Digest;
use crate::plan::Plan;

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system said no.
    #[error("cannot {what} {}: {error}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// What came back.
        error: io::Error,
    },
    /// Somebody else writes to it.
    #[error("{} is in use by another run", .0.display())]
    Locked(PathBuf),
    /// It belongs to another tournament.
    #[error("{} belongs to another plan: expected {expected}, line {line} says {found}", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The plan of this run.
        expected: Digest,
        /// The plan of the line.
        found: Digest,
        /// The number of the line.
        line: u64,
    },
    /// Its plan is nowhere to be found.
    #[error("{} has no readable first line with its plan", .0.display())]
    NoPlan(PathBuf),
}

impl JournalError {
    fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> JournalError {
        let path = path.to_owned();
        move |error| JournalError::Io { what, path, error }
    }
}

/// A journal open for writing, locked against others.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Why no line was written any more, once one could not be: what follows half a line would be lost with it.
    broken: Option<io::ErrorKind>,
}

impl Journal {
    /// Opens the file for appending, and makes it if it is not there.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(JournalError::io("write to", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(JournalError::io("lock", path)(error)),
        }
        Ok(Journal { file, path: path.to_owned(), broken: None })
    }

    /// Writes the first line: the plan, and the settings in the words of whoever runs it, if they are to be kept.
    pub fn begin(&mut self, plan: &Plan, options: Option<&str>) -> Result<(), JournalError> {
        let options = options.map(str::to_owned);
        let header = Header { journal: 1, plan: plan.id(), settings: plan.clone(), options };
        // Plain structs of texts and numbers serialise without fail.
        self.write(&seal(serde_json::to_vec(&header).unwrap_or_default()))?;
        self.syncer()?.sync()?;
        // The file's name must be on the disk as well.
        let folder = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        sync_folder(folder.unwrap_or(Path::new(".")))
            .map_err(JournalError::io("sync the folder of", &self.path))
    }

    /// Notes that a bot is withdrawn, or with no problem that it is taken back.
    pub fn withdraw(&mut self, plan: Digest, bot: &str, problem: Option<&str>) -> Result<(), JournalError> {
        let line = Withdrawal { withdrawn: bot.to_owned(), plan, problem: problem.map(str::to_owned) };
        // Plain structs of texts serialise without fail.
        self.write(&seal(serde_json::to_vec(&line).unwrap_or_default()))
    }

    /// Notes something about a game.
    pub(crate) fn note(&mut self, note: &Note) -> Result<(), JournalError> {
        // Plain structs of texts and numbers serialise without fail.
        self.write(&seal(serde_json::to_vec(note).unwrap_or_default()))
    }

    /// Cuts off a torn last line.
    pub fn truncate(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.set_len(length).map_err(JournalError::io("cut a torn line off", &self.path))
    }

    /// Writes one sealed line with one write. After a failure nothing more is written: a line behind half a line would be
    /// damaged with it, and what is torn at the very end is cut off by the next run.
    pub fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let written = match self.broken {
            Some(kind) => Err(kind.into()),
            None => self.file.write_all(line),
        };
        written.map_err(|error| {
            self.broken = Some(error.kind());
            JournalError::io("write to", &self.path)(error)
        })
    }

    /// How many bytes are in it.
    pub fn length(&self) -> Result<u64, JournalError> {
        let metadata = self.file.metadata().map_err(JournalError::io("look at", &self.path))?;
        Ok(metadata.len())
    }

    /// Whether nothing is in it yet.
    pub fn is_empty(&self) -> Result<bool, JournalError> {
        Ok(self.length()? == 0)
    }

    /// A handle that hands what was written to the disk, without holding up the writers.
    pub fn syncer(&self) -> Result<Syncer, JournalError> {
        let file = self.file.try_clone().map_err(JournalError::io("open", &self.path))?;
        Ok(Syncer { file, path: self.path.clone() })
    }
}

/// Notes beside a run that writes to it that all games under way were given up: the run's program is about to end.
pub fn note_interruption(path: &Path, plan: &Plan) -> Result<(), JournalError> {
    // Not locked: the run has the lock. Appending one line with one write does no harm.
    let file = OpenOptions::new().append(true).open(path).map_err(JournalError::io("write to", path))?;
    let mut journal = Journal { file, path: path.to_owned(), broken: None };
    journal.note(&Note::Left { plan: plan.id(), game: None })
}

/// Hands the names in a folder to the disk, where the system has such a thing.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder)?.sync_all() {
            // Some file systems do not sync folders; that is no loss of ours.
            Err(error)
                if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Syncs a journal to the disk.
#[derive(Debug)]
pub struct Syncer {
    file: File,
    path: PathBuf,
}

impl Syncer {
    /// Returns when everything written so far is on the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.judge(self.file.sync_data())
    }

    /// What the system's answer means.
    fn judge(&self, answer: io::Result<()>) -> Result<(), JournalError> {
        match answer {
            // Pipes and the like cannot be synced; that is no loss.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(JournalError::io("sync", &self.path)(error))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file that is open for reading only refuses every write, as a full disk does.
    #[test]
    fn nothing_is_written_after_a_failed_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, "half a li").unwrap();
        let file = File::open(&path).unwrap();
        let mut journal = Journal { file, path: path.clone(), broken: None };
        let first = journal.write(b"one\n").unwrap_err().to_string();
        assert!(first.starts_with("cannot write to "), "{first}");
        // Even if there is room again.
        journal.file = OpenOptions::new().append(true).open(&path).unwrap();
        assert!(journal.write(b"two\n").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "half a li");
    }

    /// A disk that fails is an error that names the file; what cannot be synced at all is none.
    #[test]
    fn a_sync_that_fails_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, "a line\n").unwrap();
        let mut syncer = Syncer { file: File::open(&path).unwrap(), path: path.clone() };
        syncer.sync().unwrap();
        let error = syncer.judge(Err(io::Error::other("the disk is gone"))).unwrap_err().to_string();
        assert!(
            error.contains("sync") && error.contains("journal.jsonl") && error.contains("gone"),
            "{error}"
        );
        let (reader, _writer) = io::pipe().unwrap();
        let mut pipe = Syncer { file: File::from(std::os::fd::OwnedFd::from(reader)), path };
        pipe.sync().unwrap();
    }
}
