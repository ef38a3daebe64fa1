//! The journal: one line for each finished game, append-only, each with a checksum. The first line holds the plan, and
//! a bot that is withdrawn has a line of its own.
//!
//! A line is one JSON object written with one write, so that a kill loses nothing that was finished. Its last field is
//! the checksum of all before it.

mod line;
mod read;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

pub(crate) use self::line::Note;
pub(crate) use self::line::parse_game;
pub use self::line::{line_bytes, seal, unseal};
pub(crate) use self::read::PlacedGames;
pub use self::read::{LineProblem, Place, Scan, Void, read_first_line, read_journal};

use self::line::{Header, Withdrawal};
use crate::digest::Digest;
use crate::disk::{DiskFile, DiskPath, Purpose};
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
    fn io(what: &'static str, path: &DiskPath) -> impl FnOnce(io::Error) -> JournalError {
        let path = path.path().to_owned();
        move |error| JournalError::Io { what, path, error }
    }
}

/// A journal open for writing, locked against others.
#[derive(Debug)]
pub struct Journal {
    file: Box<dyn DiskFile>,
    path: DiskPath,
    /// Why no line was written any more, once one could not be: what follows half a line would be lost with it.
    broken: Option<Broken>,
    /// How often each note stands in it, as far as this run knows: those that it found and those that it wrote.
    notes: HashMap<Digest, u32>,
}

/// What a failed write left behind.
#[derive(Debug, Clone, Copy)]
struct Broken {
    kind: io::ErrorKind,
    /// Where the half line begins, if that is known.
    whole: Option<u64>,
}

impl Journal {
    /// Opens the file for appending, and makes it if it is not there.
    pub fn open(path: impl Into<DiskPath>) -> Result<Journal, JournalError> {
        let path = path.into();
        let file = path.open(Purpose::Append).map_err(JournalError::io("write to", &path))?;
        if !file.try_lock().map_err(JournalError::io("lock", &path))? {
            return Err(JournalError::Locked(path.path().to_owned()));
        }
        Ok(Journal { file, path, broken: None, notes: HashMap::new() })
    }

    /// Writes the first line: the plan, and the settings in the words of the caller, if they are to be kept.
    pub fn begin(&mut self, plan: &Plan, options: Option<&str>) -> Result<(), JournalError> {
        let options = options.map(str::to_owned);
        let header = Header { journal: 1, plan: plan.id(), settings: plan.clone(), options };
        // Plain structs of texts and numbers serialise without fail.
        self.write(&seal(serde_json::to_vec(&header).unwrap_or_default()))?;
        self.secure()
    }

    /// Returns when what is in it is on the disk, and its name too.
    pub(crate) fn secure(&self) -> Result<(), JournalError> {
        self.syncer()?.sync()?;
        self.path.sync_name().map_err(JournalError::io("sync the folder of", &self.path))
    }

    /// Notes as the last thing of a run that ends by an error that no game under way is to blame for it. Where even that cannot be
    /// written, half a line at the end tells the same.
    pub(crate) fn give_up(&mut self, plan: Digest) {
        if let Some(Broken { whole: Some(whole), .. }) = self.broken
            && self.file.truncate(whole).is_err()
        {
            return;
        }
        let note = Note::Left { plan, game: None };
        // Plain structs of numbers serialise without fail.
        let _ = self.file.append(&seal(serde_json::to_vec(&note).unwrap_or_default()));
    }

    /// Notes that a bot is withdrawn, or with no problem that it is taken back.
    pub fn withdraw(&mut self, plan: Digest, bot: &str, problem: Option<&str>) -> Result<(), JournalError> {
        let line = Withdrawal { withdrawn: bot.to_owned(), plan, problem: problem.map(str::to_owned) };
        // Plain structs of texts serialise without fail.
        self.write_note(&seal(serde_json::to_vec(&line).unwrap_or_default()))
    }

    /// Notes something about a game.
    pub(crate) fn note(&mut self, note: &Note) -> Result<(), JournalError> {
        // Plain structs of texts and numbers serialise without fail.
        let line = seal(serde_json::to_vec(note).unwrap_or_default());
        if note.gives_up_all() { self.write(&line) } else { self.write_note(&line) }
    }

    fn write_note(&mut self, line: &[u8]) -> Result<(), JournalError> {
        self.write(line)?;
        self.knows(Digest::of(&[line.strip_suffix(b"\n").unwrap_or(line)]));
        Ok(())
    }

    /// A note stands in it.
    pub(crate) fn knows(&mut self, note: Digest) {
        *self.notes.entry(note).or_default() += 1;
    }

    /// How often each note should stand in it.
    pub(crate) fn notes(&self) -> HashMap<Digest, u32> {
        self.notes.clone()
    }

    /// Cuts off a torn last line.
    pub fn truncate(&mut self, length: u64) -> Result<(), JournalError> {
        self.file.truncate(length).map_err(JournalError::io("cut a torn line off", &self.path))
    }

    /// Writes one sealed line with one write. After a failure nothing more is written: a line behind half a line would be
    /// damaged with it, and what is torn at the very end is cut off by the next run.
    pub fn write(&mut self, line: &[u8]) -> Result<(), JournalError> {
        if let Some(Broken { kind, .. }) = self.broken {
            return Err(JournalError::io("write to", &self.path)(kind.into()));
        }
        let whole = self.file.length().ok();
        self.file.append(line).map_err(|error| {
            self.broken = Some(Broken { kind: error.kind(), whole });
            JournalError::io("write to", &self.path)(error)
        })
    }

    /// How many bytes are in it.
    pub fn length(&self) -> Result<u64, JournalError> {
        self.file.length().map_err(JournalError::io("look at", &self.path))
    }

    /// Whether nothing is in it yet.
    pub fn is_empty(&self) -> Result<bool, JournalError> {
        Ok(self.length()? == 0)
    }

    /// A handle that hands what was written to the disk, without holding up the writers.
    pub fn syncer(&self) -> Result<Syncer, JournalError> {
        let file = self.file.duplicate().map_err(JournalError::io("open", &self.path))?;
        Ok(Syncer { file, path: self.path.clone() })
    }
}

/// Notes beside a run that writes to it that all games under way were given up: the run's program is about to end.
pub fn note_interruption(path: impl Into<DiskPath>, plan: &Plan) -> Result<(), JournalError> {
    let path = path.into();
    // Not locked: the run has the lock. Appending one line with one write does no harm.
    let file = path.open(Purpose::Extend).map_err(JournalError::io("write to", &path))?;
    let mut journal = Journal { file, path, broken: None, notes: HashMap::new() };
    journal.note(&Note::Left { plan: plan.id(), game: None })
}

/// Syncs a journal to the disk.
#[derive(Debug)]
pub struct Syncer {
    file: Box<dyn DiskFile>,
    path: DiskPath,
}

impl Syncer {
    /// Returns when everything written so far is on the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync().map_err(JournalError::io("sync", &self.path))
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
        let place = folder.path().join("journal.jsonl");
        fs::write(&place, "half a li").unwrap();
        let path = DiskPath::from(&place);
        let file = path.open(Purpose::Read).unwrap();
        let mut journal = Journal { file, path: path.clone(), broken: None, notes: HashMap::new() };
        let first = journal.write(b"one\n").unwrap_err().to_string();
        assert!(first.starts_with("cannot write to "), "{first}");
        // Even if there is room again.
        journal.file = path.open(Purpose::Append).unwrap();
        assert!(journal.write(b"two\n").is_err());
        assert_eq!(fs::read_to_string(&place).unwrap(), "half a li");
    }
}
