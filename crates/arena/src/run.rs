//! The runner: takes a plan, plays what is missing with several workers, and keeps the journal.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use search_core::{Player, StopFlag};
use thiserror::Error;

use crate::digest::Digest;
use crate::event::{Contest, Worker};
use crate::journal::{GameLine, Journal, JournalError, LineProblem, line_bytes, read_journal};
use crate::plan::{Plan, PlanError};
use crate::referee::NoResult;
use crate::results::{Results, SwissRounds, in_order};
use crate::schedule::{Format, Job, Schedule};
use crate::tally::Counted;

/// A part of a tournament: the pairs whose number is `index` modulo `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 0.
    pub index: u64,
    /// How many parts.
    pub count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    fn holds(self, pair: u64) -> bool {
        pair % self.count == self.index
    }

    /// How many of the first `pairs` pairs are in this part.
    fn pairs(self, pairs: u64) -> u64 {
        pairs.saturating_sub(self.index).div_ceil(self.count)
    }
}

/// A text that is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a shard as `I/N` with I from 0 to N-1, such as `0/4`, found `{0}`")]
pub struct ParseShardError(String);

impl std::str::FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('/')
            .and_then(|(index, count)| Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? }))
            .filter(|shard| shard.index < shard.count)
            .ok_or_else(|| ParseShardError(text.to_owned()))
    }
}

/// Stops a run from outside. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Control {
    interrupted: Arc<AtomicBool>,
    stop: StopFlag,
}

impl Control {
    /// Starts no new game; those under way are finished.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// Gives up the games under way as well.
    pub fn stop(&self) {
        self.interrupt();
        self.stop.stop();
    }

    /// Whether somebody asked for an end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }
}

/// How a run is carried out; nothing here changes a result.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Workers.
    pub jobs: usize,
    /// Whether an existing journal is continued.
    pub resume: bool,
    /// The part of the tournament to play.
    pub shard: Shard,
    /// Journals of earlier runs; games with the same id are taken from there.
    pub reuse: Vec<PathBuf>,
}

impl Default for RunOptions {
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        RunOptions { jobs, resume: false, shard: Shard::WHOLE, reuse: Vec::new() }
    }
}

/// A run that could not be carried out.
#[derive(Debug, Error)]
pub enum RunError {
    /// The plan makes no tournament.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A journal is there already.
    #[error("{} already holds games; continue them with --resume, or choose another folder", .0.display())]
    Exists(PathBuf),
    /// A bot cannot be made or started.
    #[error("the bot `{bot}` cannot play {event}: {problem}")]
    Bot {
        /// The bot.
        bot: String,
        /// The event.
        event: String,
        /// What is wrong.
        problem: String,
    },
    /// Two lines tell different things about one game.
    #[error("{} and {} disagree about game {index}", first.display(), second.display())]
    Disagreement {
        /// A journal.
        first: PathBuf,
        /// Another, or the same.
        second: PathBuf,
        /// The game.
        index: u64,
    },
    /// Swiss pairings depend on results that a shard does not have; a test on all pairs before.
    #[error("{0} cannot be played in shards: it depends on the results of the other shards")]
    Shards(&'static str),
    /// A worker could not begin.
    #[error("{0}")]
    Worker(String),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All games of the plan (or of the shard) are finished.
    Complete,
    /// The sequential test came to a decision.
    Decided,
    /// Somebody interrupted it; it can be resumed.
    Interrupted,
}

/// What came out of a run.
#[derive(Debug)]
pub struct RunReport {
    /// How it ended.
    pub ending: Ending,
    /// The results.
    pub results: Results,
    /// Bots that were withdrawn, with their last problem.
    pub withdrawn: Vec<Option<String>>,
    /// Lines of the journal that were left out.
    pub problems: Vec<LineProblem>,
    /// Games played now.
    pub played: u64,
    /// Games found in the journal.
    pub resumed: u64,
    /// Games taken from earlier runs.
    pub reused: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// A look at a run under way.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The results so far.
    pub results: &'a Results,
    /// Games of this run (or shard) in all.
    pub total: u64,
    /// Games finished, earlier ones included.
    pub done: u64,
    /// Games finished since the start of this run.
    pub fresh: u64,
    /// Time since the start of this run.
    pub elapsed: Duration,
    /// Bots withdrawn so far.
    pub withdrawn: &'a [Option<String>],
}

/// Plays a tournament. `contests` are the events of the plan, in its order; `watch` is called about five times a second
/// from the calling thread.
pub fn run(
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    journal_path: &Path,
    options: &RunOptions,
    control: &Control,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<RunReport, RunError> {
    plan.check()?;
    if options.shard != Shard::WHOLE {
        if plan.format == Format::Swiss {
            return Err(RunError::Shards("a Swiss tournament"));
        }
        if plan.sprt.is_some() {
            return Err(RunError::Shards("a sequential test"));
        }
    }
    let started = Instant::now();
    for (event, contest) in contests.iter().enumerate() {
        for bot in &plan.bots {
            contest.check_bot(&bot.spec).map_err(|problem| RunError::Bot {
                bot: bot.name.clone(),
                event: plan.events[event].name.clone(),
                problem,
            })?;
        }
    }
    // Only now: a bot that cannot start leaves no journal behind.
    let (mut journal, mut state) = open(plan, journal_path, options)?;
    // All start again: whoever was withdrawn before gets another chance.
    for bot in std::mem::take(&mut state.out_before) {
        journal.withdraw(plan.id(), &bot, None)?;
    }
    let reuse = Reuse::open(&options.reuse)?;
    let mut syncer = journal.syncer()?;
    state.journal = Some(journal);
    let shared = Shared {
        plan,
        plan_id: plan.id(),
        contests,
        reuse: Mutex::new(reuse),
        state: Mutex::new(state),
        changed: Condvar::new(),
        control,
        stop: control.stop.clone(),
    };
    let jobs = options.jobs.max(1);
    shared.lock().working = jobs;
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                // Whatever happens to a worker, the others must learn that it is gone.
                let _leave = Leave(&shared);
                if let Err(error) = shared.work() {
                    shared.lock().fail(error);
                }
            });
        }
        let mut last_sync = Instant::now();
        let mut state = shared.lock();
        loop {
            watch(&state.progress(started.elapsed()));
            if state.working == 0 {
                break;
            }
            let waited = shared.changed.wait_timeout(state, Duration::from_millis(200));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.error.is_some() {
                shared.stop.stop();
            }
            if last_sync.elapsed() >= Duration::from_secs(1) {
                drop(state);
                let synced = syncer.sync();
                last_sync = Instant::now();
                state = shared.lock();
                if let Err(error) = synced {
                    state.fail(error.into());
                }
            }
        }
    });
    syncer.sync()?;
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error.take() {
        return Err(error);
    }
    let ending = if state.results.is_decided() {
        Ending::Decided
    } else if state.done + state.skipped >= state.total {
        Ending::Complete
    } else {
        Ending::Interrupted
    };
    Ok(RunReport {
        ending,
        results: state.results,
        withdrawn: state.withdrawn,
        problems: state.problems,
        played: state.fresh - state.reused,
        resumed: state.done - state.fresh,
        reused: state.reused,
        elapsed: started.elapsed(),
    })
}

/// Opens or begins the journal and counts what is in it.
fn open(plan: &Plan, path: &Path, options: &RunOptions) -> Result<(Journal, State), RunError> {
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

/// What the workers share.
struct Shared<'a> {
    plan: &'a Plan,
    plan_id: Digest,
    contests: &'a [Box<dyn Contest>],
    reuse: Mutex<Reuse>,
    state: Mutex<State>,
    changed: Condvar,
    control: &'a Control,
    stop: StopFlag,
}

struct Leave<'a, 'b>(&'a Shared<'b>);

impl Drop for Leave<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        self.0.changed.notify_all();
    }
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games until there is nothing left to do.
    fn work(&self) -> Result<(), RunError> {
        let mut workers: Vec<Option<Box<dyn Worker + '_>>> = Vec::new();
        workers.resize_with(self.contests.len(), || None);
        while let Some(job) = self.next_job() {
            let worker = match &mut workers[job.event] {
                Some(worker) => worker,
                empty => {
                    let made = self.contests[job.event].worker(self.plan, job.event);
                    empty.insert(made.map_err(RunError::Worker)?)
                }
            };
            let Some((line, reused)) = self.play(&job, &mut **worker)? else { continue };
            let bytes = line_bytes(&line);
            let counted = Counted::new(job, &line);
            let mut state = self.lock();
            if let Some(journal) = &mut state.journal {
                journal.write(&bytes)?;
            }
            if !reused {
                for bot in job.pairing {
                    state.failing[bot] = None;
                }
            }
            if let Some(counted) = counted {
                state.count_fresh(counted, reused);
            }
            if state.results.is_decided() {
                // What else is under way would not count.
                self.stop.stop();
                self.control.interrupt();
            }
            if state.swiss.is_some() {
                drop(state);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    fn next_job(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if self.control.is_interrupted() || state.error.is_some() {
                return None;
            }
            match state.next_job() {
                Next::Play(job) => return Some(job),
                Next::Nothing => return None,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(state, Duration::from_millis(200));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Plays a game or finds it in an earlier run; `None` if it has no result.
    fn play(&self, job: &Job, worker: &mut dyn Worker) -> Result<Option<(GameLine, bool)>, RunError> {
        let id = worker.game_id(job);
        let found = self.reuse.lock().unwrap_or_else(PoisonError::into_inner).find(id)?;
        if let Some(line) = found {
            let names = job.seats().map(|bot| self.plan.bots[bot].name.clone());
            let event = self.plan.events[job.event].name.clone();
            let line = GameLine {
                plan: self.plan_id,
                index: job.index,
                round: job.round,
                players: names,
                event,
                ..line
            };
            return Ok(Some((line, true)));
        }
        loop {
            match worker.play(job, &self.stop) {
                Ok(game) => return Ok(Some((GameLine::new(self.plan, self.plan_id, id, job, game), false))),
                Err(NoResult::Stopped) => return Ok(None),
                Err(NoResult::Start(player, problem)) => {
                    let mut state = self.lock();
                    if state.start_failed(self.plan, job, player, problem)? {
                        state.skip(job.event);
                        drop(state);
                        self.changed.notify_all();
                        return Ok(None);
                    }
                }
            }
        }
    }
}

enum Next {
    Play(Job),
    /// The next game depends on games under way.
    Wait,
    Nothing,
}

/// So many failures to start, with no game in between, withdraw a bot.
const START_FAILURES: u32 = 3;

/// What changes while a run is under way.
struct State {
    schedule: Schedule,
    shard: Shard,
    /// The next game to look at.
    cursor: u64,
    /// Games that the journal held at the start.
    finished: Finished,
    swiss: Option<SwissRounds>,
    results: Results,
    journal: Option<Journal>,
    problems: Vec<LineProblem>,
    /// For each bot how often it failed to start since its last game, and its first problem.
    failing: Vec<Option<(u32, String)>>,
    withdrawn: Vec<Option<String>>,
    /// Bots that the journal calls withdrawn.
    out_before: Vec<String>,
    total: u64,
    done: u64,
    fresh: u64,
    reused: u64,
    /// Games that will not be played because a bot was withdrawn.
    skipped: u64,
    working: usize,
    error: Option<RunError>,
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

    fn next_job(&mut self) -> Next {
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

    fn skip(&mut self, event: usize) {
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

    fn count_fresh(&mut self, game: Counted, reused: bool) {
        self.fresh += 1;
        self.reused += u64::from(reused);
        self.count(game);
    }

    /// Notes a failure to start; whether one of the two bots is out now.
    fn start_failed(
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

    fn fail(&mut self, error: RunError) {
        self.error.get_or_insert(error);
    }

    fn progress(&self, elapsed: Duration) -> Progress<'_> {
        Progress {
            results: &self.results,
            total: self.total,
            done: self.done,
            fresh: self.fresh,
            elapsed,
            withdrawn: &self.withdrawn,
        }
    }
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

/// Finished games of earlier runs, by id: where their lines are.
#[derive(Debug, Default)]
struct Reuse {
    files: Vec<(PathBuf, File)>,
    places: HashMap<Digest, (usize, u64)>,
}

impl Reuse {
    fn open(paths: &[PathBuf]) -> Result<Reuse, RunError> {
        let mut reuse = Reuse::default();
        for (number, path) in paths.iter().enumerate() {
            let places = &mut reuse.places;
            crate::journal::read_journal_at(path, |offset, line| {
                // A bot's failure may have been the machine's fault: such games are played again.
                if line.faults.is_empty() {
                    places.insert(line.id, (number, offset));
                }
            })?;
            let open = |error| JournalError::Io { what: "open", path: path.clone(), error };
            reuse.files.push((path.clone(), File::open(path).map_err(open)?));
        }
        Ok(reuse)
    }

    fn find(&mut self, id: Digest) -> Result<Option<GameLine>, RunError> {
        let Some(&(file, offset)) = self.places.get(&id) else { return Ok(None) };
        let (path, file) = &mut self.files[file];
        let fail = |error| JournalError::Io { what: "read", path: path.clone(), error };
        file.seek(SeekFrom::Start(offset)).map_err(fail)?;
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        while !bytes.contains(&b'\n') {
            let length = file.read(&mut chunk).map_err(fail)?;
            if length == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..length]);
        }
        Ok(bytes.split(|&byte| byte == b'\n').next().and_then(crate::journal::parse_game))
    }
}
