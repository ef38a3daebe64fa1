//! Reading a journal, whatever became of it.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use thiserror::Error;

use super::JournalError;
use super::line::{Note, Parsed, Withdrawal, parse, parse_game};
use crate::digest::Digest;
use crate::disk::{DiskPath, DiskReader};
use crate::finished::FinishedGame;
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

/// The plan of a journal's first line, with the settings that were kept there; nothing if that line is damaged.
pub fn read_first_line(path: impl Into<DiskPath>) -> Result<Option<(Plan, Option<String>)>, JournalError> {
    let path = path.into();
    let file = path.reader().map_err(JournalError::io("open", &path))?;
    let mut bytes = Vec::new();
    BufReader::new(file.take(LONGEST_LINE))
        .read_until(b'\n', &mut bytes)
        .map_err(JournalError::io("read", &path))?;
    Ok(match bytes.strip_suffix(b"\n").map(parse) {
        Some(Ok(Parsed::Header(header))) => Some((header.settings, header.options)),
        _ => None,
    })
}

/// No line of ours is so long.
const LONGEST_LINE: u64 = 1 << 26;

/// Reads a line with its break, of one with more than `most` bytes only the last part: nobody's file takes all the memory. Returns
/// its length, 0 at the end of the file.
fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>, most: u64) -> io::Result<u64> {
    let mut length = 0;
    loop {
        bytes.clear();
        let count = reader.by_ref().take(most).read_until(b'\n', bytes)? as u64;
        length += count;
        if count == 0 {
            // What was read before still tells that the line was not finished.
            return Ok(length);
        }
        if bytes.last() == Some(&b'\n') {
            return Ok(length);
        }
    }
}

/// Where a line stands in a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 1.
    pub line: u64,
    /// The byte it begins at.
    pub offset: u64,
}

/// A game without a result that is not played again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Void {
    /// Who played.
    pub players: [String; 2],
    /// Why it has no result.
    pub problem: String,
}

/// A game that was begun and not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) players: [String; 2],
    /// How often the runner died before the game ended.
    crashes: u32,
    under_way: bool,
}

impl Begun {
    /// How often the runner went away during this game, if no runner plays it now.
    pub(crate) fn crashes(&self) -> u32 {
        self.crashes + u32::from(self.under_way)
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
    /// Games that were begun and have no result, by number.
    pub(crate) begun: BTreeMap<u64, Begun>,
    /// Games without a result that are not played again, by number.
    pub void: BTreeMap<u64, Void>,
    /// Games whose lines up to this one count for nothing.
    pub(crate) struck: BTreeMap<u64, u64>,
    /// The notes by line: all but games, headers, and the word that every game under way was given up, which also the program
    /// around a run may say.
    pub(crate) notes: Vec<(u64, Digest)>,
    /// How many bytes are whole lines; what follows is a torn last line.
    pub whole: u64,
    /// Whether a torn last line follows.
    pub torn: bool,
}

/// Reads a journal line by line. Damaged lines are reported and left out; lines of another plan than `expected` are an
/// error.
pub fn read_journal(
    path: impl Into<DiskPath>,
    expected: Option<Digest>,
    mut visit: impl FnMut(Place, FinishedGame),
) -> Result<Scan, JournalError> {
    let path = &path.into();
    let file = path.reader().map_err(JournalError::io("open", path))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut scan = Scan::default();
    let mut expected = expected;
    let mut bytes = Vec::new();
    for number in 1.. {
        let length =
            read_line(&mut reader, &mut bytes, LONGEST_LINE).map_err(JournalError::io("read", path))?;
        if length == 0 {
            break;
        }
        if bytes.last() != Some(&b'\n') {
            scan.torn = true;
            // Half a line is left by a full disk or a loss of power, and neither is a bot's doing.
            scan.begun.values_mut().for_each(|begun| begun.under_way = false);
            scan.problems.push(LineProblem { line: number, problem: "it was not finished".to_owned() });
            break;
        }
        let place = Place { line: number, offset: scan.whole };
        scan.whole += length;
        bytes.pop();
        if length > LONGEST_LINE {
            let problem = format!("it has {length} bytes, and no line of a journal more than {LONGEST_LINE}");
            scan.problems.push(LineProblem { line: number, problem });
            continue;
        }
        match parse(&bytes) {
            Ok(Parsed::Header(header)) => {
                refuse(path, expected, header.plan, number)?;
                expected = Some(header.plan);
                scan.plan = Some(header.settings);
            }
            Ok(Parsed::Game(game)) => {
                refuse(path, expected, game.plan, number)?;
                scan.begun.remove(&game.index);
                visit(place, *game);
            }
            Ok(Parsed::Withdrawal(Withdrawal { withdrawn, plan, problem })) => {
                refuse(path, expected, plan, number)?;
                scan.notes.push((number, Digest::of(&[&bytes])));
                match problem {
                    Some(problem) => scan.withdrawn.insert(withdrawn, problem),
                    None => scan.withdrawn.remove(&withdrawn),
                };
            }
            Ok(Parsed::Note(note)) => {
                refuse(path, expected, note.plan(), number)?;
                if !note.gives_up_all() {
                    scan.notes.push((number, Digest::of(&[&bytes])));
                }
                scan.note(note, number);
            }
            Err(problem) => scan.problems.push(LineProblem { line: number, problem }),
        }
    }
    Ok(scan)
}

impl Scan {
    fn note(&mut self, note: Note, line: u64) {
        match note {
            Note::Begun { game, players, .. } => {
                let begun = self.begun.entry(game).or_insert(Begun { players, crashes: 0, under_way: false });
                begun.crashes = begun.crashes();
                begun.under_way = true;
            }
            Note::Left { game, .. } => {
                let left = |number: u64| game.is_none_or(|game| game == number);
                for (_, begun) in self.begun.iter_mut().filter(|(number, _)| left(**number)) {
                    begun.under_way = false;
                }
            }
            Note::Void { game, players, problem, .. } => {
                self.begun.remove(&game);
                self.void.insert(game, Void { players, problem });
            }
            Note::Struck { game, .. } => {
                self.struck.insert(game, line);
            }
        }
    }
}

fn refuse(path: &DiskPath, expected: Option<Digest>, found: Digest, line: u64) -> Result<(), JournalError> {
    match expected {
        Some(expected) if expected != found => {
            Err(JournalError::OtherPlan { path: path.path().to_owned(), expected, found, line })
        }
        _ => Ok(()),
    }
}

/// A journal whose games are read one by one, from the places that [`read_journal`] tells.
#[derive(Debug)]
pub(crate) struct PlacedGames {
    reader: BufReader<DiskReader>,
    path: DiskPath,
}

impl PlacedGames {
    pub(crate) fn open(path: impl Into<DiskPath>) -> Result<PlacedGames, JournalError> {
        let path = path.into();
        let file = path.reader().map_err(JournalError::io("open", &path))?;
        Ok(PlacedGames { reader: BufReader::new(file), path })
    }

    /// The game whose line begins at `offset`; `None` if there is none any more.
    pub(crate) fn at(&mut self, offset: u64) -> Result<Option<FinishedGame>, JournalError> {
        let mut bytes = Vec::new();
        self.reader
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes))
            .map_err(JournalError::io("read", &self.path))?;
        Ok(bytes.strip_suffix(b"\n").and_then(parse_game))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn of_a_line_that_is_too_long_little_is_kept() {
        let text = b"one\n1234567890123\nthree\n12345678901234567890";
        let mut reader = &text[..];
        let mut bytes = Vec::new();
        let mut next = || {
            let length = read_line(&mut reader, &mut bytes, 6).unwrap();
            assert!(bytes.len() <= 6);
            (length, String::from_utf8(bytes.clone()).unwrap())
        };
        assert_eq!(next(), (4, "one\n".to_owned()));
        assert_eq!(next(), (14, "3\n".to_owned()));
        assert_eq!(next(), (6, "three\n".to_owned()));
        // Torn: nothing ends it.
        assert_eq!(next(), (20, String::new()));
        assert_eq!(next(), (0, String::new()));
    }

    #[test]
    fn a_line_longer_than_any_of_ours_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        // Zeros that take no room on the disk.
        let file = fs::File::create(&path).unwrap();
        file.set_len(LONGEST_LINE + 9).unwrap();
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, b"\nshort\n").unwrap();
        let scan = read_journal(&path, None, |_, _| panic!("there is no game")).unwrap();
        assert!(!scan.torn);
        assert_eq!(scan.whole, LONGEST_LINE + 16);
        let told: Vec<String> = scan.problems.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("line 1 is left out: it has 67108874 bytes"), "{told:?}");
        assert!(told[1].starts_with("line 2 is left out"), "{told:?}");
    }
}
