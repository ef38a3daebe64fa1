//! `gamesearch drive`: hands missing pieces to an engine until all is done.
//!
//! The driver keeps nothing in its head: what is done stands in the results, what is under way the engine knows. So it can be killed and
//! started again at any moment.

mod slurm;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use super::collect::{Found, collect};
use super::{App, CommandResult, Failure};
use crate::program::interrupt::on_interrupt;
use crate::program::pieces::{WorkFolder, counted};

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
    let engine: Box<dyn Engine> = match arguments.engine {
        EngineName::Slurm => Box::new(slurm::Slurm::new(&folder, &plan, &arguments.options)?),
    };
    if arguments.cancel {
        let under_way = engine.list()?.len();
        engine.cancel()?;
        outln!("{} taken back", counted(under_way as u64, "pieces"));
        return Ok(ExitCode::SUCCESS);
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let told = interrupted.clone();
    on_interrupt(move || told.store(true, Ordering::SeqCst))?;
    let mut submitted = Submitted::default();
    let mut silent = 0;
    loop {
        let (under_way, found) = match look(app, &*engine, &folder, &arguments.out)? {
            Look::Now(under_way, found) => (under_way, found),
            Look::Later(error) if silent < SILENCES => {
                silent += 1;
                errln!("{error}; asked again in a moment ({silent} of {SILENCES})");
                if waited(arguments.every, &interrupted) {
                    return Ok(ExitCode::from(3));
                }
                continue;
            }
            Look::Later(error) => return Err(error),
        };
        silent = 0;
        if found.done {
            engine.cancel()?;
            for text in &found.told {
                outln!("\n{text}");
            }
            outln!("all is done; everything is in {}", arguments.out.display());
            return Ok(ExitCode::SUCCESS);
        }
        for (path, problem) in &found.refused {
            errln!("{} is refused: {problem}", path.display());
        }
        let waiting = submitted.due(&found.missing, &under_way);
        submitted.tell_lost(&waiting, arguments.tries, &folder)?;
        let room = arguments.queue.saturating_sub(under_way.len() as u64);
        let now: Vec<u64> =
            waiting.iter().copied().take(usize::try_from(room).unwrap_or(usize::MAX)).collect();
        if !now.is_empty() {
            match engine.submit(&now) {
                Ok(()) => submitted.pieces.extend(now.iter().copied()),
                Err(error) => errln!("{error}; submitted again in a moment"),
            }
        }
        errln!(
            "{} of {} collected, {} in the queue, {} submitted now, {} wait",
            found.plan.piece_count() - found.missing.len() as u64,
            counted(found.plan.piece_count(), "pieces"),
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

/// What a look found.
enum Look {
    /// The pieces that wait or run, and the results.
    Now(BTreeSet<u64>, Box<Found>),
    /// Nothing, and the next look may find more: the controller may be away for a moment, or somebody else collects.
    Later(Failure),
}

fn look(app: &App, engine: &dyn Engine, folder: &WorkFolder, out: &Path) -> Result<Look, Failure> {
    // Asked before looking for results: what ends in between has one, and is not taken for lost.
    let under_way = match engine.list() {
        Ok(pieces) => pieces,
        Err(error) => return Ok(Look::Later(error)),
    };
    match collect(app, folder, out, false) {
        Ok(found) => Ok(Look::Now(under_way, Box::new(found))),
        Err(error) if error.is_in_use() => Ok(Look::Later(error)),
        Err(error) => Err(error),
    }
}

/// What this driver handed in.
#[derive(Debug, Default)]
struct Submitted {
    pieces: BTreeSet<u64>,
    /// Those that were neither in the queue nor among the results at the last look.
    unseen: BTreeSet<u64>,
    /// Those that were lost, with how often.
    lost: BTreeMap<u64, u32>,
}

impl Submitted {
    /// The missing pieces that are to be handed in. One that was handed in before was lost if two looks in a row see nothing of it: on
    /// a shared disk a result may come into sight seconds after its job left the queue.
    fn due(&mut self, missing: &[u64], under_way: &BTreeSet<u64>) -> Vec<u64> {
        let before = std::mem::take(&mut self.unseen);
        let mut due = Vec::new();
        for &piece in missing.iter().filter(|piece| !under_way.contains(piece)) {
            if !self.pieces.contains(&piece) {
                due.push(piece);
            } else if before.contains(&piece) {
                self.pieces.remove(&piece);
                *self.lost.entry(piece).or_default() += 1;
                due.push(piece);
            } else {
                self.unseen.insert(piece);
            }
        }
        due
    }

    /// Tells which of these pieces were lost; an error if one was lost too often.
    fn tell_lost(&self, due: &[u64], tries: u32, folder: &WorkFolder) -> Result<(), Failure> {
        for piece in due {
            let Some(times) = self.lost.get(piece) else { continue };
            let path = folder.piece(*piece);
            errln!("{} was lost ({times} of {tries} times)", path.display());
            if *times >= tries {
                let logs = folder.path().join("logs");
                return Err(Failure::failed(format!(
                    "{} was lost {times} times; what its worker said is in {}",
                    path.display(),
                    logs.display()
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_lost_when_two_looks_in_a_row_see_nothing_of_it() {
        let mut submitted = Submitted::default();
        let queue = |pieces: &[u64]| pieces.iter().copied().collect::<BTreeSet<u64>>();
        assert_eq!(submitted.due(&[1, 2, 3], &queue(&[])), [1, 2, 3], "nobody had them");
        submitted.pieces.extend([1, 2, 3]);
        assert_eq!(submitted.due(&[1, 2, 3], &queue(&[1, 2, 3])), [0; 0]);
        // The second left the queue; its result comes into sight only now.
        assert_eq!(submitted.due(&[1, 2, 3], &queue(&[1, 3])), [0; 0]);
        assert_eq!(submitted.due(&[1, 3], &queue(&[1])), [0; 0]);
        assert!(submitted.lost.is_empty());
        // Nothing comes of the third.
        assert_eq!(submitted.due(&[1, 3], &queue(&[1])), [3]);
        assert_eq!(submitted.lost.get(&3), Some(&1));
        submitted.pieces.insert(3);
        assert_eq!(submitted.due(&[1, 3], &queue(&[1])), [0; 0], "it is counted anew");
        assert_eq!(submitted.due(&[3], &queue(&[])), [3]);
        assert_eq!(submitted.lost.get(&3), Some(&2));
        let folder = WorkFolder::at(PathBuf::from("work"));
        assert_eq!(submitted.tell_lost(&[3], 3, &folder), Ok(()));
        let failure = submitted.tell_lost(&[3], 2, &folder).unwrap_err();
        assert!(failure.to_string().contains("piece-0003.json was lost 2 times"), "{failure}");
    }
}
