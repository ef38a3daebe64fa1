//! Gathering the games of a tournament from wherever they were played into one journal.

use std::collections::HashMap;

use thiserror::Error;

use super::PairToPlay;
use crate::count::{CountedJournal, GameCheck, count_journal};
use crate::disk::DiskPath;
use crate::event::Contest;
use crate::finished::FinishedGame;
use crate::journal::{Journal, LineProblem, parse_game};
use crate::plan::Plan;
use crate::results::{Results, SwissRounds};
use crate::run::RunError;
use crate::schedule::{Format, Job, Schedule};

/// A line that is not a game of the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct GatheringError {
    /// Which of the lines handed in, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// A tournament that is gathered: its journal, and the results so far.
#[derive(Debug)]
pub struct Gathering<'a> {
    plan: &'a Plan,
    path: DiskPath,
    journal: Journal,
    /// The games that are in, by number, with how each went.
    games: HashMap<u64, u64>,
    results: Results,
    problems: Vec<LineProblem>,
    /// Who meets in the Swiss round that is open.
    open_round: HashMap<u64, [String; 2]>,
}

impl<'a> Gathering<'a> {
    /// Begins the journal, or goes on with it: a torn last line is cut off. `settings` are kept in the first line of a new one.
    pub fn open(
        plan: &'a Plan,
        path: impl Into<DiskPath>,
        settings: Option<&str>,
    ) -> Result<Gathering<'a>, RunError> {
        plan.check()?;
        let path = path.into();
        let mut journal = Journal::open(&path)?;
        let mut gathering = if journal.is_empty()? {
            journal.begin(plan, settings)?;
            Gathering {
                plan,
                path,
                journal,
                games: HashMap::new(),
                results: Results::new(plan),
                problems: Vec::new(),
                open_round: HashMap::new(),
            }
        } else {
            // The lines were held against the rules when they came in, and their checksums tell what happened since.
            let counted = count_journal(
                plan,
                &path,
                &[],
                || Results::new(plan),
                |results, job, game, _| results.add(job, game),
            )?;
            let CountedJournal { count: mut results, scan, problems, games, .. } = counted;
            results.note(&scan);
            if scan.torn {
                journal.truncate(scan.whole)?;
            }
            if scan.whole == 0 {
                journal.begin(plan, settings)?;
            }
            let games = games.into_iter().map(|(game, known)| (game, known.fingerprint)).collect();
            Gathering { plan, path, journal, games, results, problems, open_round: HashMap::new() }
        };
        gathering.open_round = gathering
            .next_round()?
            .unwrap_or_default()
            .into_iter()
            .map(|PairToPlay { pair, bots }| (pair, bots))
            .collect();
        Ok(gathering)
    }

    /// Lines of the journal that were left out when it was opened.
    pub fn problems(&self) -> &[LineProblem] {
        &self.problems
    }

    /// Whether both games of a pair are in.
    pub fn has(&self, pair: u64) -> bool {
        self.games.contains_key(&(2 * pair)) && self.games.contains_key(&(2 * pair + 1))
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Reads lines of finished games and holds each against plan and rules. Nothing is kept, so that several threads can do this at
    /// the same time.
    pub fn read(
        plan: &Plan,
        contests: &[Box<dyn Contest>],
        lines: &[&[u8]],
    ) -> Result<Vec<(Job, FinishedGame)>, GatheringError> {
        let mut check = GameCheck::new(plan, contests);
        let id = plan.id();
        let read = |(number, line): (usize, &&[u8])| {
            let fail = |problem: String| GatheringError { line: number + 1, problem };
            let game = parse_game(line)
                .ok_or_else(|| fail("expected a finished game with its checksum".to_owned()))?;
            if game.plan != id {
                return Err(fail(format!("its plan is {}, expected {id}", game.plan)));
            }
            let job = Results::job_of(plan, &game).map_err(fail)?;
            check.check(&job, &game).map_err(fail)?;
            Ok((job, game))
        };
        lines.iter().enumerate().map(read).collect()
    }

    /// What speaks against taking these games in, in words: a pair that the open Swiss round does not have, or a game that went
    /// another way before.
    pub fn objection(&self, games: &[(Job, FinishedGame)]) -> Option<String> {
        games.iter().find_map(|(job, game)| {
            let index = job.index;
            match self.games.get(&index) {
                Some(&known) if known != game.fingerprint() => {
                    return Some(format!("game {index} is known, and went another way"));
                }
                Some(_) => return None,
                None => {}
            }
            if self.plan.format != Format::Swiss {
                return None;
            }
            let expected = self.open_round.get(&job.pair());
            let names = job.pairing.map(|bot| self.plan.bots[bot].name.clone());
            (expected != Some(&names))
                .then(|| format!("game {index} is not one of the round that is being played"))
        })
    }

    /// Takes games in, each with its line of a journal. Those that are in already are passed over.
    pub fn add(&mut self, games: Vec<(Job, FinishedGame)>, lines: &[&[u8]]) -> Result<(), RunError> {
        let mut bytes = Vec::new();
        for ((job, game), line) in games.into_iter().zip(lines) {
            if self.games.contains_key(&job.index) {
                continue;
            }
            bytes.clear();
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
            self.journal.write(&bytes)?;
            self.games.insert(job.index, game.fingerprint());
            self.results.add(job, game);
        }
        Ok(())
    }

    /// Hands everything to the disk.
    pub fn sync(&self) -> Result<(), RunError> {
        Ok(self.journal.syncer()?.sync()?)
    }

    /// The pairs of the next Swiss round. Nothing if the tournament is no Swiss one or at its end, or while games of the round
    /// before are missing.
    pub fn next_round(&self) -> Result<Option<Vec<PairToPlay>>, RunError> {
        let schedule = Schedule::new(self.plan);
        let per_round = self.plan.events.len() as u64 * schedule.boards();
        if self.plan.format != Format::Swiss || per_round == 0 {
            return Ok(None);
        }
        let round = (0..u64::from(self.plan.rounds))
            .find(|round| (round * per_round..(round + 1) * per_round).any(|pair| !self.has(pair)));
        let Some(round) = round else { return Ok(None) };
        // Pairings are drawn from the results of the rounds before, so these are counted in the order of the plan.
        let begin = || (Results::new(self.plan), SwissRounds::new(self.plan));
        let counted = count_journal(self.plan, &self.path, &[], begin, |(results, swiss), job, game, _| {
            let slot = schedule.slot(job.index);
            if u64::from(slot.round) < round {
                let boards = schedule.boards();
                swiss.pairing(&results.tallies, boards, slot.event, slot.round, slot.board);
                swiss.close(slot.event);
                results.add(job, game);
            }
        })?;
        let (results, mut swiss) = counted.count;
        Ok(Some(drawn(self.plan, round, &results, &mut swiss)))
    }
}

/// The pairs of the first round of a Swiss tournament; none in another.
pub fn first_round(plan: &Plan) -> Vec<PairToPlay> {
    match plan.format {
        Format::Swiss => drawn(plan, 0, &Results::new(plan), &mut SwissRounds::new(plan)),
        _ => Vec::new(),
    }
}

/// The pairs of a Swiss round, drawn from the rounds before it.
fn drawn(plan: &Plan, round: u64, results: &Results, swiss: &mut SwissRounds) -> Vec<PairToPlay> {
    let schedule = Schedule::new(plan);
    let (boards, per_round) = (schedule.boards(), plan.events.len() as u64 * schedule.boards());
    let pairs = (round * per_round..(round + 1) * per_round).filter_map(|pair| {
        let slot = schedule.slot(2 * pair);
        let pairing = swiss.pairing(&results.tallies, boards, slot.event, slot.round, slot.board)?;
        Some(PairToPlay { pair, bots: pairing.map(|bot| plan.bots[bot].name.clone()) })
    });
    pairs.collect()
}
