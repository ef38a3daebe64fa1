//! `gamesearch collect`: joins the results of pieces.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;

use super::{App, CommandResult, Failure};
use crate::program::pieces::{
    Collection, Machines, Next, WorkFolder, WorkPlan, counted, read_header, read_result, result_path,
    write_new,
};
use crate::program::processors;

/// Join the results of pieces into a run, and say what is missing
///
/// Takes the results that are there, at any time and as often as you like: what was collected before is not read again. The run folder is an ordinary
/// one: `{program} render`, `replay`, `moves` and `export` work on it. Every game is checked against the plan and the rules. Results with a
/// broken seal, of another plan, or of a machine whose searches find something else are refused by name and count as missing.
///
/// Where the next pieces depend on results (Swiss rounds, sequential tests, tuning), they are written once these results are there.
///
/// Exit codes: 0 all is done, 1 failed, 2 wrong usage, 3 more to do.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} collect work --out runs/whole
  {program} collect work --out runs/whole --json
  {program} collect work --out runs/whole --list | xargs {program} work

`{program} plan --help` shows all the steps.")]
pub(crate) struct Collect {
    /// The folder of pieces
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The run folder; made if it does not exist
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Print one JSON object: what is collected, missing and refused
    #[arg(long, conflicts_with = "list")]
    json: bool,
    /// Print the pieces to work on now and nothing else, a path on each line
    #[arg(long)]
    list: bool,
    /// Leave games that a failure decided (an illegal move, a crash, time) out of the ratings; points count them either way
    #[arg(long)]
    no_faults: bool,
}

/// What was found.
pub(crate) struct Found {
    pub(crate) plan: WorkPlan,
    /// The numbers of pieces without a result.
    pub(crate) missing: Vec<u64>,
    /// Results that were not taken, with what is wrong.
    pub(crate) refused: Vec<(PathBuf, String)>,
    /// Results taken now.
    pub(crate) fresh: u64,
    /// Pieces that were written now.
    pub(crate) new: Range<u64>,
    pub(crate) done: bool,
    /// What came out so far, for people.
    pub(crate) told: Vec<String>,
}

/// How many names are shown; --list and --json have them all.
const NAMED: usize = 10;

pub(crate) fn run(app: &App, arguments: &Collect) -> CommandResult {
    let folder = WorkFolder::at(arguments.folder.clone());
    let found = collect(app, &folder, &arguments.out, arguments.no_faults)?;
    for (path, problem) in &found.refused {
        errln!("{} is refused: {problem}", path.display());
    }
    let missing: Vec<PathBuf> = found.missing.iter().map(|&piece| folder.piece(piece)).collect();
    let collected = found.plan.piece_count() - missing.len() as u64;
    if arguments.json {
        let refused = found.refused.iter().map(|(path, problem)| json!({"file": path, "problem": problem}));
        outln!(
            "{}",
            json!({
                "work": found.plan.work.to_string(),
                "kind": found.plan.kind,
                "waves": found.plan.waves.len(),
                "pieces": found.plan.piece_count(),
                "collected": collected,
                "collected_now": found.fresh,
                "missing": missing,
                "refused": refused.collect::<Vec<_>>(),
                "done": found.done,
            })
        );
    } else if arguments.list {
        for path in &missing {
            outln!("{}", path.display());
        }
    } else {
        for text in &found.told {
            outln!("\n{text}");
        }
        tell(&found, &missing, collected, &arguments.out);
    }
    Ok(if found.done { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// What is there and what is missing, in sentences.
fn tell(found: &Found, missing: &[PathBuf], collected: u64, out: &Path) {
    outln!(
        "{collected} of {} collected ({} now) into {}",
        counted(found.plan.piece_count(), "pieces"),
        found.fresh,
        out.display()
    );
    if !found.new.is_empty() {
        outln!(
            "pieces {} to {} are new: what comes next depended on the results",
            found.new.start,
            found.new.end - 1
        );
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().take(NAMED).map(|path| path.display().to_string()).collect();
        let more = if missing.len() > NAMED { ", …" } else { "" };
        outln!("{} missing: {}{more}", missing.len(), names.join(", "));
    }
    outln!("{}", if found.done { "all is done" } else { "there is more to do" });
}

/// Whoever collects too is done in a moment.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens what another program may be using now.
fn once_free<T>(mut open: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    let until = Instant::now() + PATIENCE;
    loop {
        match open() {
            Err(failure) if failure.is_in_use() && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(100));
            }
            ended => return ended,
        }
    }
}

/// Collects what is there, and writes the next pieces if they are known.
pub(crate) fn collect(app: &App, folder: &WorkFolder, out: &Path, no_faults: bool) -> Result<Found, Failure> {
    let mut plan = folder.plan()?;
    let work = plan.open(app, folder.path())?;
    let mut collection = once_free(|| work.collection(out))?;
    if no_faults {
        collection.leave_out_faults()?;
    }
    let waves = &plan.waves;
    let (had, open): (Vec<_>, Vec<_>) = waves
        .iter()
        .flat_map(|wave| wave.pieces.clone().map(|piece| (piece, wave.units_of(piece))))
        .partition(|(_, units)| collection.has(units.clone()));
    let mut machines = Machines::of_run(out).unwrap_or(Machines {
        timed: work.is_timed() && plan.same_machines.is_none(),
        ..Machines::default()
    });
    let header = |piece| read_header(&result_path(&folder.piece(piece)));
    machines.add_missed(had.iter().map(|(piece, _)| *piece), header);
    let taking = Taking {
        folder,
        plan: &plan,
        collection: &*collection,
        open: &open,
        next: AtomicUsize::new(0),
        taken: Mutex::new(Taken { machines, ..Taken::default() }),
    };
    let ended: Result<(), Failure> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..processors()).map(|_| scope.spawn(|| taking.run())).collect();
        running.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(Failure::failed("a reader of results panicked")))
        })
    });
    let Taken { machines, mut refused, fresh } =
        taking.taken.into_inner().unwrap_or_else(PoisonError::into_inner);
    refused.sort();
    // What was taken in is told even if something went wrong then.
    let told = collection.finish(&machines)?;
    let text = serde_json::to_string_pretty(&machines).map_err(Failure::failed)?;
    write_new(&out.join(Machines::FILE), format!("{text}\n").as_bytes(), true)?;
    if let Some(problem) = machines.unlike_programs(&plan.planner) {
        errln!("warning: {problem}");
    }
    ended?;

    let mut missing: Vec<u64> = open
        .into_iter()
        .filter(|(_, units)| !collection.has(units.clone()))
        .map(|(piece, _)| piece)
        .collect();
    let given = plan.waves.last().map_or(0, |wave| wave.units.end);
    let next = collection.next(given, plan.pieces, missing.len() as u64)?;
    let (mut new, mut done) = (0..0, false);
    match next {
        Next::Done => {
            done = true;
            // Nobody needs what is still missing.
            missing.clear();
        }
        Next::Wait => {}
        Next::Wave(wave) => {
            new = folder.hand_out(&mut plan, &wave)?;
            missing.extend(new.clone());
        }
    }
    Ok(Found { plan, missing, refused, fresh, new, done, told })
}

/// Results on their way from files into a collection, on all processors.
struct Taking<'a> {
    folder: &'a WorkFolder,
    plan: &'a WorkPlan,
    collection: &'a dyn Collection,
    open: &'a [(u64, Range<u64>)],
    next: AtomicUsize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    machines: Machines,
    refused: Vec<(PathBuf, String)>,
    fresh: u64,
}

impl Taking<'_> {
    fn run(&self) -> Result<(), Failure> {
        while let Some((piece, units)) = self.open.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let path = result_path(&self.folder.piece(*piece));
            if !path.exists() {
                continue;
            }
            let WorkPlan { work, planner, same_machines, .. } = self.plan;
            let checked = read_result(&path).and_then(|result| {
                match result.objection(*work, *piece, units, planner, *same_machines) {
                    Some(problem) => Err(problem),
                    None => Ok(result),
                }
            });
            let taken = match checked {
                Ok(result) => match self.collection.take(units.clone(), &result.lines())? {
                    None => Ok(result.header),
                    Some(problem) => Err(problem),
                },
                Err(problem) => Err(problem),
            };
            let mut all = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            match taken {
                Ok(header) => {
                    all.machines.add(&header);
                    all.fresh += 1;
                }
                Err(problem) => all.refused.push((path, problem)),
            }
        }
        Ok(())
    }
}
