//! The runner: takes a plan, plays what is missing with several workers, and keeps the journal.

mod reuse;
mod shard;
mod state;
mod timings;
mod workers;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use search_core::StopFlag;
use thiserror::Error;

pub use self::shard::{ParseShardError, Shard};

use self::reuse::Reuse;
use self::workers::{Leave, Shared};
use crate::digest::Digest;
use crate::disk::DiskPath;
use crate::event::Contest;
use crate::journal::{Journal, JournalError, LineProblem, read_journal};
use crate::plan::{Plan, PlanError};
use crate::results::Results;
use crate::schedule::Format;

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

    /// What bots are told when games are given up.
    pub(crate) fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// Whether an end was asked for.
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
    /// Journals of earlier runs, on the same disk; games with the same id are taken from there.
    pub reuse: Vec<PathBuf>,
    /// Whether the journal keeps what the bots thought.
    pub thoughts: bool,
    /// Settings in the words of the caller, kept in the first line of a new journal.
    pub settings: Option<String>,
}

impl Default for RunOptions {
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        RunOptions {
            jobs,
            resume: false,
            shard: Shard::WHOLE,
            reuse: Vec::new(),
            thoughts: true,
            settings: None,
        }
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
    /// Swiss pairings depend on results that a shard does not have; a test on all pairs before.
    #[error("{0} cannot be played in shards: it depends on the results of the other shards")]
    Shards(&'static str),
    /// There is nothing to join.
    #[error("there is no journal to merge")]
    NoJournal,
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
    /// Lines of the journal that were left out.
    pub problems: Vec<LineProblem>,
    /// What became of the journal while the run was under way that the run did not do: games that are missing or told
    /// differently. The results are those of the games as they were played.
    pub tampered: Vec<String>,
    /// What ended the run early, if something did: the results are those so far.
    pub error: Option<RunError>,
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
}

/// Plays a tournament. `contests` are the events of the plan, in its order; `watch` is called about five times a second
/// from the calling thread. What goes wrong before the first game is an error; what goes wrong later is told in the report,
/// which has the results so far.
pub fn run(
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    journal_path: impl Into<DiskPath>,
    options: &RunOptions,
    control: &Control,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<RunReport, RunError> {
    let journal_path = &journal_path.into();
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
    let (mut journal, mut state) = state::open(plan, contests, journal_path, options)?;
    // All start again: a bot that was withdrawn gets another chance.
    for bot in std::mem::take(&mut state.out_before) {
        journal.withdraw(plan.id(), &bot, None)?;
    }
    let reuse = Reuse::open(journal_path, &options.reuse)?;
    let mut syncer = journal.syncer()?;
    let before = journal.length()?;
    state.journal = Some(journal);
    let shared = Shared {
        plan,
        plan_id: plan.id(),
        contests,
        thoughts: options.thoughts,
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
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if state.error.is_some()
        && let Some(journal) = &mut state.journal
    {
        journal.give_up(plan.id());
    }
    if let Err(error) = syncer.sync() {
        state.fail(error.into());
    }
    let notes = state.journal.as_ref().map(Journal::notes).unwrap_or_default();
    let tampered = match held_against(&state.games, notes, plan.id(), journal_path, before) {
        Ok(tampered) => tampered,
        Err(error) => {
            state.fail(error.into());
            Vec::new()
        }
    };
    Ok(state.report(started.elapsed(), tampered))
}

/// Holds a journal against what the run knows of its games, and of the notes in it: `before` bytes of it were there at the start. A bot that is a
/// program can write to any file that its user can.
fn held_against(
    games: &HashMap<u64, u64>,
    mut notes: HashMap<Digest, u32>,
    plan: Digest,
    path: &DiskPath,
    before: u64,
) -> Result<Vec<String>, JournalError> {
    // Of each game whether a line tells it as it went, and the last line that does not.
    let mut told: HashMap<u64, (bool, u64)> = HashMap::new();
    let mut foreign = Vec::new();
    let scan = read_journal(path, Some(plan), |place, game| match games.get(&game.index) {
        Some(&fingerprint) => {
            let entry = told.entry(game.index).or_insert((false, place.line));
            if game.fingerprint() == fingerprint {
                entry.0 = true;
            } else {
                entry.1 = place.line;
            }
        }
        // What stood there before and was left out has been reported.
        None if place.offset < before => {}
        None => foreign.push(format!("line {}: game {} was not played by this run", place.line, game.index)),
    })?;
    let mut wrong: Vec<(u64, Option<u64>)> = games
        .keys()
        .filter_map(|&index| match told.get(&index) {
            None => Some((index, None)),
            Some(&(false, line)) => Some((index, Some(line))),
            Some((true, _)) => None,
        })
        .collect();
    wrong.sort_unstable();
    let mut tampered: Vec<String> = wrong
        .into_iter()
        .map(|(index, line)| match line {
            None => format!("game {index} is missing"),
            Some(line) => format!("line {line}: game {index} did not go so"),
        })
        .collect();
    tampered.extend(foreign);
    // A note can void games and put out bots.
    for &(line, note) in &scan.notes {
        match notes.get_mut(&note) {
            Some(count @ 1..) => *count -= 1,
            _ => tampered.push(format!("line {line}: a note that this run did not write")),
        }
    }
    match notes.values().sum::<u32>() {
        0 => {}
        1 => tampered.push("a note is missing".to_owned()),
        count => tampered.push(format!("{count} notes are missing")),
    }
    if scan.torn {
        tampered.push("its last line is torn".to_owned());
    }
    Ok(tampered)
}
