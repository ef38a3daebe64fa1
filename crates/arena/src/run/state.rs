//! What changes while a run is under way: which games are done, under way and still to come.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use search_core::Player;

use super::{Ending, Progress, RunError, RunOptions, RunReport, Shard};
use crate::journal::{Journal, LineProblem, read_journal};
use crate::plan::Plan;
use crate::results::{Results, SwissRounds, in_order};
use crate::schedule::{Format, Job, Schedule};
use crate::tally::Counted;

/// What a worker is to do next.
pub(super) enum Next {
    Play(Job),
    /// The next game depends on games under way.
    Wait,
    Nothing,
}

/// So many failures to start, with no game in between, withdraw a bot.
const START_FAILURES: u32 = 3;

/// What changes while a run is under way.
pub(super) struct State {
    schedule: Schedule,
    shard: Shard,
    /// The next game to look at.
    cursor: u64,
    /// Games that the journal held at the start.
    finished: Finished,
    pub(super) swiss: Option<SwissRounds>,
    pub(super) results: Results,
    pub(super) journal: Option<Journal>,
    problems: Vec<LineProblem>,
    /// For each bot how often it failed to start since its last game, and its first problem.
    pub(super) failing: Vec<Option<(u32, String)>>,
    withdrawn: Vec<Option<String>>,
    /// Bots that the journal calls withdrawn.
    pub(super) out_before: Vec<String>,
    total: u64,
    done: u64,
    fresh: u64,
    reused: u64,
    /// Games that will not be played because a bot was withdrawn.
    skipped: u64,
    pub(super) working: usize,
    pub(super) error: Option<RunError>,
}

impl State {
    fn new(plan: &Plan, shard: Shard) -> State {
        let schedule = Schedule::new(plan);
        State {
            schedule,
            shard,
            cursor: 0,
            finished: Finished::default(),
            swiss: (plan.format == Format::Swiss).then(|| SwissRounds::new(plan)),
            results: Results::new(plan),
            journal: None,
            problems: Vec::new(),
            failing: vec![None; plan.bots.len()],
            withdrawn: vec![None; plan.bots.len()],
            out_before: Vec::new(),
            total: 2 * shard.pairs(schedule.pairs()),
            done: 0,
            fresh: 0,
            reused: 0,
            skipped: 0,
            working: 0,
            error: None,
        }
    }

    pub(super) fn next_job(&mut self) -> Next {
        while self.cursor < self.schedule.games() {
            let index = self.cursor;
            if !self.shard.holds(index / 2) || self.finished.contains(index) {
                self.cursor += 1;
                continue;
            }
            let slot = self.schedule.slot(index);
            let boards = self.schedule.boards();
            let pairing = match (self.schedule.fixed_pairing(slot.board), &mut self.swiss) {
                (Some(pairing), _) => pairing,
                (None, Some(swiss)) => {
                    match swiss.pairing(&self.results.tallies, boards, slot.event, slot.round, slot.board) {
                        Some(pairing) => pairing,
                        None => return Next::Wait,
                    }
                }
                (None, None) => return Next::Nothing,
            };
            self.cursor += 1;
            if pairing.iter().any(|&bot| self.withdrawn[bot].is_some()) {
                self.skip(slot.event);
                continue;
            }
            return Next::Play(Job {
                index,
                event: slot.event,
                round: slot.round,
                pairing,
                swapped: slot.swapped,
            });
        }
        Next::Nothing
    }

    pub(super) fn skip(&mut self, event: usize) {
        self.skipped += 1;
        if let Some(swiss) = &mut self.swiss {
            swiss.close(event);
        }
    }

    /// Makes sure that the pairings of a resumed game's round were drawn from the rounds before it alone.
    fn settle_swiss(&mut self, game: &Counted) {
        let slot = self.schedule.slot(game.index());
        if let Some(swiss) = &mut self.swiss {
            swiss.pairing(&self.results.tallies, self.schedule.boards(), slot.event, slot.round, slot.board);
        }
    }

    fn count(&mut self, game: Counted) {
        if let Some(swiss) = &mut self.swiss {
            swiss.close(game.event());
        }
        self.done += 1;
        self.results.add(game);
    }

    fn count_resumed(&mut self, game: Counted) {
        // Games of other shards in this journal count as results but not as this shard's work.
        if self.shard.holds(game.index() / 2) { self.count(game) } else { self.results.add(game) }
    }

    pub(super) fn count_fresh(&mut self, game: Counted, reused: bool) {
        self.fresh += 1;
        self.reused += u64::from(reused);
        self.count(game);
    }

    /// Notes a failure to start; whether one of the two bots is out now.
    pub(super) fn start_failed(
        &mut self,
        plan: &Plan,
        job: &Job,
        player: Player,
        problem: String,
    ) -> Result<bool, RunError> {
        let bot = job.seats()[player.index()];
        // The first problem tells what is wrong; later ones may only say that it is not tried again.
        let (failures, problem) = self.failing[bot].take().unwrap_or((0, problem));
        if failures + 1 >= START_FAILURES && self.withdrawn[bot].is_none() {
            if let Some(journal) = &mut self.journal {
                journal.withdraw(plan.id(), &plan.bots[bot].name, Some(&problem))?;
            }
            self.withdrawn[bot] = Some(problem.clone());
        }
        self.failing[bot] = Some((failures + 1, problem));
        Ok(job.pairing.iter().any(|&bot| self.withdrawn[bot].is_some()))
    }

    pub(super) fn fail(&mut self, error: RunError) {
        self.error.get_or_insert(error);
    }

    pub(super) fn progress(&self, elapsed: Duration) -> Progress<'_> {
        Progress {
            results: &self.results,
            total: self.total,
            done: self.done,
            fresh: self.fresh,
            elapsed,
            withdrawn: &self.withdrawn,
        }
    }

    /// What came out, once no worker is left.
    pub(super) fn report(self, elapsed: Duration) -> RunReport {
        let ending = if self.results.is_decided() {
            Ending::Decided
        } else if self.done + self.skipped >= self.total {
            Ending::Complete
        } else {
            Ending::Interrupted
        };
        RunReport {
            ending,
            results: self.results,
            withdrawn: self.withdrawn,
            problems: self.problems,
            played: self.fresh - self.reused,
            resumed: self.done - self.fresh,
            reused: self.reused,
            elapsed,
        }
    }
}

/// Opens or begins the journal and counts what is in it.
pub(super) fn open(plan: &Plan, path: &Path, options: &RunOptions) -> Result<(Journal, State), RunError> {
    let mut journal = Journal::open(path)?;
    let mut state = State::new(plan, options.shard);
    if journal.is_empty()? {
        journal.begin(plan)?;
        return Ok((journal, state));
    }
    if !options.resume {
        return Err(RunError::Exists(path.to_owned()));
    }
    let mut games: Vec<Counted> = Vec::new();
    let mut problems = Vec::new();
    let mut disagreement = None;
    let scan = read_journal(path, Some(plan.id()), |number, line| match Results::job_of(plan, &line) {
        Ok(job) => {
            let Some(counted) = Counted::new(job, &line) else { return };
            if state.finished.insert(line.index, counted.fingerprint()) {
                // Swiss rounds are counted in order below; everything else as it comes, so memory stays flat.
                if plan.format == Format::Swiss {
                    games.push(counted);
                } else {
                    state.count_resumed(counted);
                }
            } else if state.finished.fingerprint(line.index) != Some(counted.fingerprint()) {
                disagreement = Some(line.index);
            }
        }
        Err(problem) => problems.push(LineProblem { line: number, problem }),
    })?;
    if let Some(index) = disagreement {
        return Err(RunError::Disagreement { first: path.to_owned(), second: path.to_owned(), index });
    }
    in_order(plan, &mut games);
    for game in games {
        state.settle_swiss(&game);
        state.count_resumed(game);
    }
    state.finished.forget_fingerprints();
    state.out_before = scan.withdrawn.into_keys().collect();
    state.problems = scan.problems;
    state.problems.extend(problems);
    if scan.torn {
        journal.truncate(scan.whole)?;
    }
    if scan.whole == 0 {
        journal.begin(plan)?;
    }
    Ok((journal, state))
}

/// The games of a journal by number: one bit each, and while reading a fingerprint to tell repeats from contradictions.
#[derive(Debug, Default)]
struct Finished {
    bits: Vec<u64>,
    fingerprints: HashMap<u64, u64>,
}

impl Finished {
    fn contains(&self, index: u64) -> bool {
        self.bits.get((index / 64) as usize).is_some_and(|word| word & (1 << (index % 64)) != 0)
    }

    /// Whether the game is new.
    fn insert(&mut self, index: u64, fingerprint: u64) -> bool {
        let word = (index / 64) as usize;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let new = !self.contains(index);
        self.bits[word] |= 1 << (index % 64);
        if new {
            self.fingerprints.insert(index, fingerprint);
        }
        new
    }

    fn fingerprint(&self, index: u64) -> Option<u64> {
        self.fingerprints.get(&index).copied()
    }

    fn forget_fingerprints(&mut self) {
        self.fingerprints = HashMap::new();
    }
}
