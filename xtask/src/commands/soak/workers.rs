//! `cargo xtask soak workers`: what it costs by the clock to play a tournament in pieces, each a process of its own, instead of in one
//! run with as many games at the same time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use gamesearch::Failure;

/// Seconds of a piece, how many of them, and the least share of the time that must go into games.
const LENGTHS: [(f64, usize, f64); 2] = [(1.0, 12, 0.9), (10.0, 4, 0.95)];
const WORKERS: [usize; 2] = [1, 2];
/// Pairs that are played to see how long one takes.
const TRIED: usize = 20;

pub(super) fn run() -> Result<bool, Failure> {
    let folder = std::env::temp_dir().join(format!("soak-workers-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Failure::cannot("make the folder", &folder))?;
    let yard = Yard { program: std::env::current_exe().map_err(Failure::failed)?, folder };
    let pair = yard.single("tried", TRIED, 1)? / TRIED as f64;
    anstream::println!("workers: a pair of games takes {pair:.3} s");
    let mut passed = true;
    for (seconds, pieces, least) in LENGTHS {
        let pairs = pieces * ((seconds / pair).round() as usize).max(1);
        for workers in WORKERS {
            let name = format!("{seconds}-seconds-{workers}-workers");
            let single = yard.single(&name, pairs, workers)?;
            let pieced = yard.pieces(&name, pieces, workers)?;
            let efficiency = single / pieced;
            let verdict = if efficiency >= least { "" } else { ", which is TOO LITTLE" };
            passed &= efficiency >= least;
            anstream::println!(
                "workers: {pieces} pieces of {seconds} s with {workers} at the same time: {pieced:.2} s by the clock, in one run {single:.2} s: \
                 efficiency {efficiency:.3}{verdict}"
            );
        }
    }
    // What is there is of no further use.
    let _ = fs::remove_dir_all(&yard.folder);
    Ok(passed)
}

/// Where the tournaments are played.
struct Yard {
    program: PathBuf,
    folder: PathBuf,
}

impl Yard {
    /// Runs our program there.
    fn ours(&self, words: &[&str]) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.folder);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if status.map_err(Failure::failed)?.success() {
            return Ok(());
        }
        Err(Failure::failed(format!("{} failed", words.join(" "))))
    }

    /// The seconds of a tournament in one run.
    fn single(&self, name: &str, pairs: usize, jobs: usize) -> Result<f64, Failure> {
        let settings = format!(
            "games = [\"hus\"]\nbots = [\"one=alphabeta\", \"two=alphabeta\"]\nrounds = {pairs}\nlimits = \"nodes=2000\"\nseed = 3\n"
        );
        let file = format!("{name}.toml");
        let path = self.folder.join(&file);
        fs::write(&path, settings).map_err(Failure::cannot("write", &path))?;
        let started = Instant::now();
        let (jobs, out) = (jobs.to_string(), format!("{name}-single"));
        self.ours(&["tournament", "--file", &file, "--jobs", &jobs, "--no-report", "--out", &out])?;
        Ok(started.elapsed().as_secs_f64())
    }

    /// The seconds of the same in pieces, until the last one is collected.
    fn pieces(&self, name: &str, pieces: usize, workers: usize) -> Result<f64, Failure> {
        let (file, work, out) = (format!("{name}.toml"), format!("{name}-work"), format!("{name}-run"));
        self.ours(&["plan", &file, "--pieces", &pieces.to_string(), "--out", &work])?;
        let started = Instant::now();
        let next = AtomicUsize::new(1);
        let play = || -> Result<(), Failure> {
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece > pieces {
                    return Ok(());
                }
                let path = Path::new(&work).join(format!("piece-{piece:04}.json"));
                self.ours(&["work", "--jobs", "1", &path.display().to_string()])?;
            }
        };
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..workers).map(|_| scope.spawn(play)).collect();
            running.into_iter().try_for_each(|worker| {
                worker.join().unwrap_or_else(|_| Err(Failure::failed("a worker panicked")))
            })
        })?;
        self.ours(&["collect", &work, "--out", &out])?;
        let seconds = started.elapsed().as_secs_f64();
        let standings = |run: &str| fs::read(self.folder.join(run).join("standings.csv"));
        match (standings(&out), standings(&format!("{name}-single"))) {
            (Ok(pieced), Ok(single)) if pieced == single => Ok(seconds),
            _ => Err(Failure::failed(format!("{name}: the pieces came to other standings than one run"))),
        }
    }
}
