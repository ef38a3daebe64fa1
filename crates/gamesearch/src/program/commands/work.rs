//! `gamesearch work`: plays pieces.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{Control, Digest};
use clap::Args;

use super::{App, CommandResult, Failure};
use crate::program::interrupt::on_interrupt;
use crate::program::jobs;
use crate::program::pieces::{
    Header, Piece, Signature, Work, counted, measure, open_work, read_result, result_path,
};

/// Play pieces of a plan and write their results beside them
///
/// Each result is written whole or not at all, sealed, with the signature of this machine: a digest of the program, the fingerprint of what its
/// searches find in a short bench, and its speed. A piece that already has a good result is skipped. Pieces that
/// this program would play differently are refused: with other bots, or with searches that find something else.
///
/// A piece that cannot be worked on is told, and the others are worked on all the same.
///
/// Exit codes: 0 all pieces have a result, 1 at least one has none, 2 wrong usage, 3 interrupted. Whatever happens to a worker,
/// its piece can be played again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} work work/piece-0001.json
  {program} work work/piece-*.json --jobs 1
  ls work/piece-*.json | parallel -j 4 {program} work {} --jobs 1

`{program} plan --help` shows all the steps.")]
pub(crate) struct WorkOn {
    /// Files that `{program} plan` or `{program} collect` wrote
    #[arg(required = true, value_name = "PIECE")]
    pieces: Vec<PathBuf>,
    /// Games at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Play pieces that have a result too
    #[arg(long)]
    again: bool,
    /// Do not wait for the disk: quicker for thousands of tiny pieces, and a power cut may cost their results
    #[arg(long)]
    no_sync: bool,
}

/// Progress is told so often.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// From this factor on limits in time are stretched with a warning.
const FAR: f64 = 10.0;

/// What pieces of one plan share.
struct Opened {
    work: Box<dyn Work>,
    signature: Signature,
    time_scale: f64,
}

pub(crate) fn run(app: &App, arguments: &WorkOn) -> CommandResult {
    let control = Control::default();
    let told = control.clone();
    on_interrupt(move || {
        errln!("\nstopping; a piece that is not finished can be worked again");
        told.stop();
    })?;
    let jobs = jobs(arguments.jobs);
    let mut worker = Worker { app, arguments, jobs, control, opened: None };
    let mut failures = Vec::new();
    for path in &arguments.pieces {
        match worker.work(path) {
            Ok(true) => {}
            Ok(false) => return Ok(ExitCode::from(3)),
            // Another piece may still do: it may have other bots.
            Err(failure) => {
                if arguments.pieces.len() > 1 {
                    errln!("{failure}");
                }
                failures.push(failure);
            }
        }
    }
    let (failed, all) = (failures.len(), arguments.pieces.len());
    let Some(first) = failures.pop() else { return Ok(ExitCode::SUCCESS) };
    if all == 1 {
        return Err(first);
    }
    failures.push(first);
    let told = format!("{failed} of {} could not be worked on", counted(all as u64, "pieces"));
    let wrong_usage = failures.iter().all(|failure| failure.code() == Failure::usage("").code());
    Err(if wrong_usage { Failure::usage(told) } else { Failure::failed(told) })
}

/// Works on one piece after the other.
struct Worker<'a> {
    app: &'a App,
    arguments: &'a WorkOn,
    jobs: usize,
    control: Control,
    /// The work of the last piece, if it can be opened: pieces of one plan share it.
    opened: Option<(Digest, Result<Opened, ()>)>,
}

impl Worker<'_> {
    /// Sees to it that a piece has a result; whether it was not interrupted.
    fn work(&mut self, path: &Path) -> Result<bool, Failure> {
        let piece = Piece::read(path)?;
        if !self.arguments.again && is_done(path, &piece) {
            outln!("{}: is done", path.display());
            return Ok(true);
        }
        if self.opened.as_ref().is_none_or(|(id, _)| *id != piece.work) {
            let opened = open(self.app, path, &piece, self.jobs);
            let told = opened.as_ref().err().cloned();
            self.opened = Some((piece.work, opened.map_err(drop)));
            told.map_or(Ok(()), Err)?;
        }
        let Some((_, Ok(current))) = &self.opened else {
            return Err(Failure::failed(format!("{}: the same", path.display())));
        };
        let started = Instant::now();
        let told = Mutex::new((0_u64, started));
        let step = || {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.0 += 1;
            if told.1.elapsed() >= TOLD_EVERY {
                told.1 = Instant::now();
                errln!("{}: {} so far", path.display(), counted(told.0, "games"));
            }
        };
        let Some(lines) =
            current.work.play(&piece.content, self.jobs, &self.control, &step).map_err(|error| {
                let machine = &current.signature.machine;
                Failure::failed(format!("{} could not be played on {machine}: {error}", path.display()))
            })?
        else {
            return Ok(false);
        };
        let seconds = started.elapsed().as_secs_f64();
        let header = Header {
            result: piece.number,
            work: piece.work,
            kind: piece.kind,
            units: piece.units.clone(),
            signature: current.signature.clone(),
            time_scale: current.time_scale,
            seconds: (seconds * 1e6).round() / 1e6,
        };
        header.write(&lines, &result_path(path), !self.arguments.no_sync)?;
        let units = counted(piece.units.end - piece.units.start, current.work.units());
        outln!("{}: {units} in {seconds:.1} s", path.display());
        Ok(true)
    }
}

/// Whether the piece has a result that will be taken.
fn is_done(path: &Path, piece: &Piece) -> bool {
    read_result(&result_path(path)).is_ok_and(|result| {
        let Header { work, result, units, signature, .. } = &result.header;
        (*work, *result, units, signature.fingerprint)
            == (piece.work, piece.number, &piece.units, piece.fingerprint)
            && signature.is_unlike(piece).is_none()
    })
}

/// Opens the work of a piece, and measures this machine.
fn open(app: &App, path: &Path, piece: &Piece, jobs: usize) -> Result<Opened, Failure> {
    // Measured before it is known by how much limits in time are to be stretched; nothing else depends on that.
    let Piece { kind, description, work, .. } = piece;
    let planned = open_work(app, kind, description, *work, path, 1.0)?;
    let timed = planned.is_timed();
    let signature = measure(app, &*planned, jobs)?;
    if signature.fingerprint != piece.fingerprint {
        return Err(Failure::failed(format!(
            "{}: the searches of this program find other things than those where the work was planned (fingerprint {}, expected {}): \
             use the same version of the program everywhere",
            path.display(),
            signature.fingerprint,
            piece.fingerprint
        )));
    }
    if let Some(problem) = signature.is_unlike(piece) {
        return Err(Failure::failed(format!("{}: {problem}", path.display())));
    }
    let stretch = timed && piece.same_machines.is_none();
    let scale = piece.nodes_per_second / signature.nodes_per_second.max(1.0);
    let time_scale = if stretch { (scale * 1e3).round() / 1e3 } else { 1.0 };
    let work = if stretch {
        errln!("limits in time times {time_scale} on {}", signature.machine);
        if !(1.0 / FAR..=FAR).contains(&time_scale) {
            errln!(
                "warning: {} searches {:.0} nodes per second and the machine that planned the work {:.0}: so far apart, times that \
                 are multiplied say little of how bots play",
                signature.machine,
                signature.nodes_per_second,
                piece.nodes_per_second
            );
        }
        open_work(app, kind, description, piece.work, path, time_scale)?
    } else {
        planned
    };
    Ok(Opened { work, signature, time_scale })
}
