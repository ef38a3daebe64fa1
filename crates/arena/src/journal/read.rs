//! Reading a journal, whatever became of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::JournalError;
use super::line::{GameLine, Parsed, Withdrawal, parse, parse_game};
use crate::digest::Digest;
use crate::plan::Plan;

/// What is wrong with one line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} is left out: {problem}")]
pub struct LineProblem {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
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

/// A journal whose games are read one by one, from the places that [`read_journal_at`] tells.
#[derive(Debug)]
pub(crate) struct PlacedGames {
    reader: BufReader<File>,
    path: PathBuf,
}

impl PlacedGames {
    pub(crate) fn open(path: &Path) -> Result<PlacedGames, JournalError> {
        let file = File::open(path).map_err(JournalError::io("open", path))?;
        Ok(PlacedGames { reader: BufReader::new(file), path: path.to_owned() })
    }

    /// The game whose line begins at `offset`; `None` if there is none any more.
    pub(crate) fn at(&mut self, offset: u64) -> Result<Option<GameLine>, JournalError> {
        let mut bytes = Vec::new();
        self.reader
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.reader.read_until(b'\n', &mut bytes))
            .map_err(JournalError::io("read", &self.path))?;
        Ok(bytes.strip_suffix(b"\n").and_then(parse_game))
    }
}
