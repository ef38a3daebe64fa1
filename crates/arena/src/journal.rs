//! The journal: one line for each finished game, append-only, each with a checksum. The first line holds the plan, and
//! a bot that is withdrawn has a line of its own.
//!
//! A line is one JSON object written with one write, so that a kill loses nothing that was finished. Its last field is
//! the checksum of all before it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use search_core::Outcome;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::Digest;
use crate::event::FinishedGame;
use crate::plan::Plan;
use crate::saved::SavedGame;
use crate::schedule::Job;

/// A bot's failure in a line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLine {
    /// `p1` or `p2`.
    pub player: String,
    /// The kind of failure.
    pub kind: String,
    /// What happened.
    pub message: String,
}

/// One finished game. The fields of a [`SavedGame`] are among its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// The id of the plan.
    pub plan: Digest,
    /// The id of the game.
    pub id: Digest,
    /// Its number in the plan.
    pub index: u64,
    /// The event.
    pub event: String,
    /// The round, from 0.
    pub round: u32,
    /// The seed of its pair, in hexadecimal.
    pub seed: String,
    /// The game.
    pub game: String,
    /// Its set-up.
    pub setup: String,
    /// Who moved first and second.
    pub players: [String; 2],
    /// The position at the start.
    pub start: String,
    /// The turns, separated by spaces.
    pub turns: String,
    /// `p1`, `p2` or `draw`.
    pub outcome: String,
    /// Why it ended.
    pub reason: String,
    /// How many turns.
    pub plies: u32,
    /// The failures behind a forfeit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultLine>,
    /// How often the game was played again by the rule for infinite moves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replays: u32,
    /// Moves of each player.
    pub moves: [u32; 2],
    /// Microseconds of each player's moves.
    pub micros: [u64; 2],
    /// Microseconds of each player's slowest move.
    pub slowest: [u64; 2],
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl GameLine {
    /// The line of a finished game.
    pub fn new(plan: &Plan, plan_id: Digest, id: Digest, job: &Job, game: FinishedGame) -> GameLine {
        let event = &plan.events[job.event];
        GameLine {
            plan: plan_id,
            id,
            index: job.index,
            event: event.name.clone(),
            round: job.round,
            seed: format!("{:016x}", game.seed),
            game: event.game.clone(),
            setup: event.setup.clone(),
            players: job.seats().map(|bot| plan.bots[bot].name.clone()),
            start: game.start,
            turns: game.turns,
            outcome: game.outcome.to_string(),
            reason: game.reason.to_owned(),
            plies: game.plies,
            faults: game
                .faults
                .into_iter()
                .map(|fault| FaultLine {
                    player: fault.player.to_string(),
                    kind: fault.kind.to_string(),
                    message: fault.message,
                })
                .collect(),
            replays: game.replays,
            moves: game.usage.map(|usage| usage.moves),
            micros: game.usage.map(|usage| usage.time.as_micros() as u64),
            slowest: game.usage.map(|usage| usage.slowest.as_micros() as u64),
        }
    }

    /// Who won; an error in words if the text names nobody.
    pub fn outcome(&self) -> Result<Outcome, String> {
        self.outcome.parse().map_err(|error| format!("{error}"))
    }

    /// The game by itself.
    pub fn saved(&self) -> SavedGame {
        SavedGame {
            game: self.game.clone(),
            setup: self.setup.clone(),
            players: self.players.clone(),
            start: self.start.clone(),
            turns: self.turns.clone(),
            outcome: Some(self.outcome.clone()),
            reason: Some(self.reason.clone()),
        }
    }

    /// A hash of how the game went, for counting distinct games.
    pub fn moves_hash(&self) -> u64 {
        Digest::of(&[&self.start, &self.turns]).number()
    }

    /// Whether two lines tell of the same game with the same result; times may differ.
    pub fn agrees_with(&self, other: &GameLine) -> bool {
        let key = |line: &GameLine| {
            (
                line.id,
                line.index,
                line.start.clone(),
                line.turns.clone(),
                line.outcome.clone(),
                line.reason.clone(),
            )
        };
        key(self) == key(other)
    }
}

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    journal: u32,
    plan: Digest,
    settings: Plan,
}

/// A bot that is out (with its problem) or in again (without), by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Withdrawal {
    withdrawn: String,
    plan: Digest,
    problem: Option<String>,
}

/// Closes a JSON object with the checksum of what is before.
fn seal(mut object: Vec<u8>) -> Vec<u8> {
    object.pop();
    let check = Digest::of(&[&object]);
    object.extend_from_slice(format!(",\"check\":\"{check}\"}}\n").as_bytes());
    object
}

/// The length of `,"check":"…"}`.
const SEAL: usize = 10 + 32 + 2;

/// The object without its checksum, if the checksum is right.
fn unseal(line: &[u8]) -> Result<Vec<u8>, String> {
    let split = line.len().checked_sub(SEAL).ok_or("too short")?;
    let (body, seal) = line.split_at(split);
    let digest = seal
        .strip_prefix(b",\"check\":\"")
        .and_then(|rest| rest.strip_suffix(b"\"}"))
        .ok_or("it does not end with a checksum")?;
    if Digest::of(&[body]).to_string().as_bytes() != digest {
        return Err("its checksum is wrong".to_owned());
    }
    let mut object = body.to_vec();
    object.push(b'}');
    Ok(object)
}

/// What is wrong with one line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} is left out: {problem}")]
pub struct LineProblem {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
}

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

/// What was found while reading a journal.
#[derive(Debug, Default)]
pub struct Scan {
    /// The plan of its first line, if that could be read.
    pub plan: Option<Plan>,
    /// Lines that were left out.
    pub problems: Vec<LineProblem>,
    /// Bots that were withdrawn and not taken back, by name, each with its last problem.
    pub withdrawn: BTreeMap<String, String>,
    /// How many bytes are whole lines; what follows is a torn last line.
    pub whole: u64,
    /// Whether a torn last line follows.
    pub torn: bool,
}

/// Reads the games of a journal of any plan with the places of their lines; damaged lines are left out.
pub(crate) fn read_journal_at(path: &Path, mut visit: impl FnMut(u64, GameLine)) -> Result<(), JournalError> {
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut bytes, mut offset) = (Vec::new(), 0);
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes).map_err(JournalError::io("read", path))?;
        if length == 0 {
            return Ok(());
        }
        if let Some(line) = bytes.strip_suffix(b"\n").and_then(parse_game) {
            visit(offset, line);
        }
        offset += length as u64;
    }
}

/// The game on a sealed line, if it is one.
pub(crate) fn parse_game(line: &[u8]) -> Option<GameLine> {
    match parse(line) {
        Ok(Parsed::Game(game)) => Some(*game),
        _ => None,
    }
}

/// Reads a journal line by line. Damaged lines are reported and left out; lines of another plan than `expected` are an
/// error.
pub fn read_journal(
    path: &Path,
    expected: Option<Digest>,
    mut visit: impl FnMut(u64, GameLine),
) -> Result<Scan, JournalError> {
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut scan = Scan::default();
    let mut expected = expected;
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes).map_err(JournalError::io("read", path))?;
        if length == 0 {
            break;
        }
        if bytes.last() != Some(&b'\n') {
            scan.torn = true;
            scan.problems.push(LineProblem { line: number, problem: "it was not finished".to_owned() });
            break;
        }
        scan.whole += length as u64;
        bytes.pop();
        match parse(&bytes) {
            Ok(Parsed::Header(header)) => {
                refuse(path, expected, header.plan, number)?;
                expected = Some(header.plan);
                scan.plan = Some(header.settings);
            }
            Ok(Parsed::Game(line)) => {
                refuse(path, expected, line.plan, number)?;
                visit(number, *line);
            }
            Ok(Parsed::Withdrawal(Withdrawal { withdrawn, plan, problem })) => {
                refuse(path, expected, plan, number)?;
                match problem {
                    Some(problem) => scan.withdrawn.insert(withdrawn, problem),
                    None => scan.withdrawn.remove(&withdrawn),
                };
            }
            Err(problem) => scan.problems.push(LineProblem { line: number, problem }),
        }
    }
    Ok(scan)
}

fn refuse(path: &Path, expected: Option<Digest>, found: Digest, line: u64) -> Result<(), JournalError> {
    match expected {
        Some(expected) if expected != found => {
            Err(JournalError::OtherPlan { path: path.to_owned(), expected, found, line })
        }
        _ => Ok(()),
    }
}

enum Parsed {
    Header(Box<Header>),
    Game(Box<GameLine>),
    Withdrawal(Withdrawal),
}

fn parse(bytes: &[u8]) -> Result<Parsed, String> {
    let object = unseal(bytes)?;
    if object.starts_with(b"{\"journal\":") {
        let header: Header = serde_json::from_slice(&object).map_err(|error| error.to_string())?;
        if header.settings.id() != header.plan {
            return Err("its plan does not have the id it says".to_owned());
        }
        return Ok(Parsed::Header(Box::new(header)));
    }
    if object.starts_with(b"{\"withdrawn\":") {
        return serde_json::from_slice(&object).map(Parsed::Withdrawal).map_err(|error| error.to_string());
    }
    let line: GameLine = serde_json::from_slice(&object).map_err(|error| error.to_string())?;
    line.outcome()?;
    Ok(Parsed::Game(Box::new(line)))
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

    /// Writes the first line.
    pub fn begin(&mut self, plan: &Plan) -> Result<(), JournalError> {
        let header = Header { journal: 1, plan: plan.id(), settings: plan.clone() };
        // Plain structs of texts and numbers serialise without fail.
        self.write(&seal(serde_json::to_vec(&header).unwrap_or_default()))?;
        self.syncer()?.sync()
    }

    /// Notes that a bot is withdrawn, or with no problem that it is taken back.
    pub fn withdraw(&mut self, plan: Digest, bot: &str, problem: Option<&str>) -> Result<(), JournalError> {
        let line = Withdrawal { withdrawn: bot.to_owned(), plan, problem: problem.map(str::to_owned) };
        // Plain structs of texts serialise without fail.
        self.write(&seal(serde_json::to_vec(&line).unwrap_or_default()))
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

    /// Whether nothing is in it yet.
    pub fn is_empty(&self) -> Result<bool, JournalError> {
        let metadata = self.file.metadata().map_err(JournalError::io("look at", &self.path))?;
        Ok(metadata.len() == 0)
    }

    /// A handle that hands what was written to the disk, without holding up the writers.
    pub fn syncer(&self) -> Result<Syncer, JournalError> {
        let file = self.file.try_clone().map_err(JournalError::io("open", &self.path))?;
        Ok(Syncer { file, path: self.path.clone() })
    }
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
        match self.file.sync_data() {
            // Pipes and the like cannot be synced; that is no loss.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(JournalError::io("sync", &self.path)(error))
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of a line, sealed.
pub fn line_bytes(line: &GameLine) -> Vec<u8> {
    // Plain structs of texts and numbers serialise without fail.
    seal(serde_json::to_vec(line).unwrap_or_default())
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
}
