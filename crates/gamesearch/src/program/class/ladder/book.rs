//! The journal of the ladder: files of some hundred games each, one line for each finished game. When they take more than
//! their share of the disk, the oldest is counted into `counts.json` and removed.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena::{Digest, FinishedGame, Journal, Syncer, line_bytes, read_journal};

use super::counts::Counts;
use crate::program::Failure;
use crate::program::class::home::{self, Home};

/// The files, the last of them open for writing.
#[derive(Debug)]
pub(crate) struct Book {
    folder: PathBuf,
    /// The id that every line has in place of a plan's.
    class: Digest,
    /// The number of the file that is written to, and its games.
    number: u64,
    games: u64,
    journal: Journal,
    syncer: Syncer,
    /// Games in a file.
    most: u64,
    /// Bytes of all files together.
    disk: u64,
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::failed(error)
}

impl Book {
    /// Opens the book and counts it; `visit` sees the games of all files in their order, each with the number of its file.
    /// What was found wrong is told, the rest goes on.
    pub(crate) fn open(
        home: &Home,
        class: Digest,
        most: u64,
        disk: u64,
        visit: &mut dyn FnMut(u64, &FinishedGame),
    ) -> Result<(Book, Counts), Failure> {
        let folder = home.at("ladder");
        let mut counts = Book::base(&folder)?;
        let mut numbers = files(&folder)?;
        // A kill between the note and the removal leaves a file that is counted already.
        for number in numbers.extract_if(.., |number| *number <= counts.through) {
            fs::remove_file(place(&folder, number)).map_err(failed)?;
        }
        let last = numbers.last().copied().unwrap_or(counts.through + 1);
        let mut seen = HashSet::new();
        let mut in_last = 0;
        for number in numbers {
            let path = place(&folder, number);
            let scan = read_journal(&path, Some(class), |at, game| {
                if seen.insert(game.index) {
                    in_last += u64::from(number == last);
                    visit(number, &game);
                    counts.add(&game);
                } else {
                    errln!("{}: line {}: game {} stands here twice", path.display(), at.line, game.index);
                }
            })
            .map_err(failed)?;
            for problem in scan.problems.iter().filter(|_| !(scan.torn && number == last)) {
                errln!("{}: {problem}", path.display());
            }
            if scan.torn && number == last {
                Journal::open(&path).and_then(|mut journal| journal.truncate(scan.whole)).map_err(failed)?;
            }
        }
        let journal = Journal::open(place(&folder, last)).map_err(failed)?;
        let syncer = journal.syncer().map_err(failed)?;
        home::sync_folder(&folder)?;
        Ok((Book { folder, class, number: last, games: in_last, journal, syncer, most, disk }, counts))
    }

    /// What files that are gone came to.
    fn base(folder: &Path) -> Result<Counts, Failure> {
        let path = folder.join("counts.json");
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Counts::default()),
            Err(error) => Err(Failure::failed(format!("cannot read {}: {error}", path.display()))),
        }
    }

    /// Writes a finished game; the number of its file.
    pub(crate) fn write(&mut self, game: &FinishedGame) -> Result<u64, Failure> {
        if self.games >= self.most {
            self.syncer.sync().map_err(failed)?;
            self.number += 1;
            self.games = 0;
            self.journal = Journal::open(place(&self.folder, self.number)).map_err(failed)?;
            self.syncer = self.journal.syncer().map_err(failed)?;
            home::sync_folder(&self.folder)?;
        }
        self.journal.write(&line_bytes(game)).map_err(failed)?;
        self.games += 1;
        Ok(self.number)
    }

    /// A handle that hands what was written to the disk without holding up the writers.
    pub(crate) fn syncer(&self) -> Result<Syncer, Failure> {
        self.journal.syncer().map_err(failed)
    }

    /// Counts the oldest files and removes them while all take too much; their numbers. Of players that are gone nothing
    /// is kept.
    pub(crate) fn condense(&self, playing: &BTreeSet<String>) -> Result<Vec<u64>, Failure> {
        let mut gone = Vec::new();
        let mut numbers = files(&self.folder)?;
        numbers.retain(|&number| number < self.number);
        let size = |number: u64| fs::metadata(place(&self.folder, number)).map_or(0, |found| found.len());
        let mut all: u64 = numbers.iter().map(|&number| size(number)).sum();
        all += self.journal.length().map_err(failed)?;
        for number in numbers {
            if all <= self.disk {
                break;
            }
            all -= size(number);
            let path = place(&self.folder, number);
            let mut base = Book::base(&self.folder)?;
            let mut seen = HashSet::new();
            read_journal(&path, Some(self.class), |_, game| {
                if seen.insert(game.index) {
                    base.add(&game);
                }
            })
            .map_err(failed)?;
            base.keep(playing);
            base.through = number;
            let text = serde_json::to_string(&base).map_err(failed)?;
            home::write(&self.folder.join("counts.json"), &format!("{text}\n"))?;
            fs::remove_file(&path).map_err(failed)?;
            gone.push(number);
        }
        Ok(gone)
    }

    /// The games of a file.
    pub(crate) fn games_of(&self, number: u64) -> Result<Vec<FinishedGame>, Failure> {
        let mut games = Vec::new();
        read_journal(place(&self.folder, number), Some(self.class), |_, game| games.push(game))
            .map_err(failed)?;
        Ok(games)
    }

    /// The numbers of the files, and that of the last.
    pub(crate) fn files(&self) -> Result<(Vec<u64>, u64), Failure> {
        Ok((files(&self.folder)?, self.number))
    }
}

fn place(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("games-{number:06}.jsonl"))
}

/// The numbers of the files that are there, in order.
fn files(folder: &Path) -> Result<Vec<u64>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::cannot("read", &folder))?;
    let number = |name: String| name.strip_prefix("games-")?.strip_suffix(".jsonl")?.parse().ok();
    let mut numbers: Vec<u64> = entries
        .flatten()
        .filter_map(|entry| number(entry.file_name().to_string_lossy().into_owned()))
        .collect();
    numbers.sort_unstable();
    Ok(numbers)
}
