//! `gamesearch drive`: hands missing pieces to an engine until all is done.
//!
//! The driver keeps nothing in its head: what is done stands in the results, what is under way the engine knows. So it can be killed and
//! started again at any moment.

mod slurm;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use super::collect::{Found, collect};
use super::{App, CommandResult, Failure};
use crate::program::pieces::WorkFolder;

/// Hand pieces to an engine, collect what comes back, and hand in again what was lost, until all is done
///
/// A thin driver over an engine that exists: it submits, lists and cancels. With Slurm the missing pieces are an array job that is requeued when a
/// node fails; a piece that is neither in the queue nor has a result was lost and is submitted again. Killed and started again
/// with the same arguments, the driver goes on: it asks the engine what is running, and reads from the results what is done.
///
/// Exit codes: 0 all is done, 1 failed, 2 wrong usage, 3 interrupted (the jobs go on; --cancel ends them).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} plan tournament.toml --pieces 64 --out work
  {program} drive work --out runs/whole --engine slurm
  {program} drive work --out runs/whole --engine slurm --options \"--partition=short --cpus-per-task=2 --time=30\"
  {program} drive work --out runs/whole --engine slurm --cancel

The folder must be where all nodes see it under the same path, and so must the program. `{program} plan --help` shows all the steps.")]
pub(crate) struct Drive {
    /// The folder of pieces
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The run folder; made if it does not exist
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// The engine
    #[arg(long, value_enum)]
    engine: EngineName,
    /// Options for the engine's own command, as one text
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    options: String,
    /// The most pieces to have in the engine's queue at once
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    queue: u64,
    /// Give up a piece that was lost this many times
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Seconds between two looks at the queue
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    every: f64,
    /// Cancel what is in the queue, and end
    #[arg(long)]
    cancel: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Array jobs of a Slurm cluster
    Slurm,
}

/// How many times in a row the engine may give no answer.
const SILENCES: u32 = 30;

/// What runs pieces somewhere.
trait Engine {
    /// Hands pieces in.
    fn submit(&self, pieces: &[u64]) -> Result<(), Failure>;
    /// The pieces of this work that wait or run.
    fn list(&self) -> Result<BTreeSet<u64>, Failure>;
    /// Takes everything of this work back.
    fn cancel(&self) -> Result<(), Failure>;
}

pub(crate) fn run(app: &App, arguments: &Drive) -> CommandResult {
    if !(arguments.every.is_finite() && arguments.every > 0.0 && arguments.every <= 86_400.0) {
        return Err(Failure::usage("--every takes a number of seconds above 0"));
    }
    let folder = WorkFolder::at(arguments.folder.clone());
    let plan = folder.plan()?;
    let engine = match arguments.engine {
        EngineName::Slurm => slurm::Slurm::new(&folder, &plan, &arguments.options)?,
    };
    if arguments.cancel {
        let under_way = engine.list()?.len();
        engine.cancel()?;
        outln!("{under_way} pieces taken back");
        return Ok(ExitCode::SUCCESS);
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let told = interrupted.clone();
    ctrlc::set_handler(move || told.store(true, Ordering::SeqCst))
        .map_err(|error| Failure::failed(format!("cannot catch Ctrl-C: {error}")))?;
    let mut lost: BTreeMap<u64, u32> = BTreeMap::new();
    let mut submitted = BTreeSet::new();
    let mut silent = 0;
    loop {
        // Asked before looking for results: what ends in between has one, and is not taken for lost.
        let under_way = match engine.list() {
            Ok(pieces) => pieces,
            // The controller may be away for a moment; nothing is submitted meanwhile.
            Err(error) if silent < SILENCES => {
                silent += 1;
                errln!("{error}; asked again in a moment ({silent} of {SILENCES})");
                if waited(arguments.every, &interrupted) {
                    return Ok(ExitCode::from(3));
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        silent = 0;
        let found = collect(app, &folder, &arguments.out)?;
        if found.done {
            engine.cancel()?;
            for text in &found.told {
                outln!("\n{text}");
            }
            outln!("all is done; everything is in {}", arguments.out.display());
            return Ok(ExitCode::SUCCESS);
        }
        let waiting = due(&found, &under_way, &submitted, &mut lost, arguments.tries, &folder)?;
        let room = arguments.queue.saturating_sub(under_way.len() as u64);
        let now: Vec<u64> =
            waiting.iter().copied().take(usize::try_from(room).unwrap_or(usize::MAX)).collect();
        if !now.is_empty() {
            match engine.submit(&now) {
                Ok(()) => submitted.extend(now.iter().copied()),
                Err(error) => errln!("{error}; submitted again in a moment"),
            }
        }
        errln!(
            "{} of {} pieces collected, {} in the queue, {} submitted now, {} wait",
            found.plan.piece_count() - found.missing.len() as u64,
            found.plan.piece_count(),
            under_way.len(),
            now.len(),
            waiting.len() - now.len()
        );
        if waited(arguments.every, &interrupted) {
            return Ok(ExitCode::from(3));
        }
    }
}

/// Waits; whether an end was asked for.
fn waited(seconds: f64, interrupted: &AtomicBool) -> bool {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < until {
        if interrupted.load(Ordering::SeqCst) {
            errln!("interrupted; the pieces in the queue go on, and the same command goes on with them");
            return true;
        }
        std::thread::sleep(Duration::from_millis(50).min(Duration::from_secs_f64(seconds)));
    }
    false
}

/// The missing pieces that the engine does not have. One that it had was lost; a piece that is lost too often is an error.
fn due(
    found: &Found,
    under_way: &BTreeSet<u64>,
    submitted: &BTreeSet<u64>,
    lost: &mut BTreeMap<u64, u32>,
    tries: u32,
    folder: &WorkFolder,
) -> Result<Vec<u64>, Failure> {
    for (path, problem) in &found.refused {
        errln!("{} is refused: {problem}", path.display());
    }
    let due: Vec<u64> = found.missing.iter().copied().filter(|piece| !under_way.contains(piece)).collect();
    for &piece in due.iter().filter(|piece| submitted.contains(piece)) {
        let times = lost.entry(piece).or_default();
        *times += 1;
        errln!("{} was lost ({times} of {tries} times)", folder.piece(piece).display());
        if *times >= tries {
            return Err(Failure::failed(format!(
                "{} was lost {times} times; what its worker said is in {}",
                folder.piece(piece).display(),
                folder.path().join("logs").display()
            )));
        }
    }
    Ok(due)
}
