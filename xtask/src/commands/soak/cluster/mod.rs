//! `cargo xtask soak cluster`: the same tournament once by itself and through each engine, on a real Slurm, a real sshd and a real Ray
//! on this machine, with a node, a worker and the driver killed in the middle. The results must be the same bytes.

mod daemons;
mod ray;
mod slurm;
mod ssh;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use gamesearch::Failure;

use self::daemons::{Daemon, processes_with};

/// Far longer than anything here takes.
const DEADLINE: Duration = Duration::from_mins(15);

/// Runs everything; whether all of it came out the same.
pub(super) fn run() -> Result<bool, Failure> {
    packages()?;
    let (yard, began) = (Yard::new()?, Instant::now());
    let mut passed = true;
    yard.single("whole", WHOLE)?;
    yard.single("rounds", ROUNDS)?;
    yard.single("test", TEST)?;
    let mut told = vec![format!("by itself {:.0?}", began.elapsed())];
    for (engine, run) in [("slurm", slurm::run as Part), ("ssh", ssh::run), ("ray", ray::run)] {
        let started = Instant::now();
        let verdict = match run(&yard) {
            Ok(Some(true)) => "passed",
            Ok(Some(false)) => "FAILED",
            Ok(None) => "skipped",
            Err(error) => {
                anstream::println!("cluster: {error}");
                "FAILED"
            }
        };
        passed &= verdict != "FAILED";
        anstream::println!("cluster: {engine} {verdict} after {:.0?}", started.elapsed());
        told.push(format!("{engine} {verdict} {:.0?}", started.elapsed()));
    }
    anstream::println!("cluster: {}", told.join(", "));
    if passed {
        // What went well needs no looking at.
        let _ = fs::remove_dir_all(&yard.path);
    } else {
        anstream::println!("everything is in {}", yard.path.display());
    }
    Ok(passed)
}

/// An engine: whether it gave the same results, or nothing if it cannot be had here.
type Part = fn(&Yard) -> Result<Option<bool>, Failure>;

/// The tournament that every engine plays.
const WHOLE: &str = r#"
games = ["hus", "ropasci360"]
bots = ["random", "greedy", "alphabeta", "mcts"]
rounds = 6
limits = "nodes=2000,playouts=400"
seed = 11
"#;

/// One whose next pieces depend on results.
const ROUNDS: &str = r#"
games = ["hus"]
bots = ["random", "greedy", "alphabeta", "mcts"]
format = "swiss"
rounds = 3
limits = "nodes=300,playouts=60"
seed = 12
"#;

/// A sequential test, which nobody can say beforehand when it ends.
const TEST: &str = r#"
games = ["hus"]
bots = ["strong=alphabeta:depth=2", "weak=random"]
sprt = "0,60"
limits = "nodes=50"
seed = 13
"#;

/// The programs that are needed, with the Debian packages that have them.
const PROGRAMS: [(&str, &str); 6] = [
    ("/usr/sbin/slurmctld", "slurm-wlm"),
    ("/usr/sbin/slurmd", "slurm-wlm"),
    ("/usr/sbin/munged", "munge"),
    ("/usr/bin/parallel", "parallel"),
    ("/usr/sbin/sshd", "openssh-server"),
    ("/usr/bin/rsync", "rsync"),
];

/// Installs what is missing, if this user may; else says what to install.
fn packages() -> Result<(), Failure> {
    let missing = || PROGRAMS.iter().filter(|(path, _)| !Path::new(path).exists()).map(|(_, name)| *name);
    if missing().next().is_none() && is_root() {
        return Ok(());
    }
    let mut names: Vec<&str> = missing().collect();
    names.dedup();
    if !is_root() {
        return Err(Failure::failed(
            "several nodes of a Slurm on one machine need root: run this in a container or a virtual machine",
        ));
    }
    let apt = |words: &[&str]| {
        Command::new("apt-get")
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status()
    };
    let installed = apt(&["update"])
        .and_then(|_| apt(&[&["install", "-y", "--no-install-recommends"], &names[..]].concat()));
    if !installed.is_ok_and(|status| status.success()) || missing().next().is_some() {
        return Err(Failure::failed(format!(
            "cannot install them here: apt-get install {}",
            names.join(" ")
        )));
    }
    Ok(())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Where all of this happens.
struct Yard {
    path: PathBuf,
    program: PathBuf,
}

impl Yard {
    fn new() -> Result<Yard, Failure> {
        let program = std::env::current_exe().map_err(Failure::failed)?;
        // Names of sockets must be short.
        let path = std::env::temp_dir().join(format!("cluster-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(Failure::failed)?;
        Ok(Yard { path, program })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    /// Our program with these words.
    fn ours(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.path).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    /// Runs our program; what it prints.
    fn output(&self, words: &[&str]) -> Result<(ExitStatus, String), Failure> {
        let output = self.ours(words).output().map_err(Failure::failed)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code().is_none_or(|code| code != 0 && code != 3) {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::failed(format!("{} failed: {said}", words.join(" "))));
        }
        Ok((output.status, text))
    }

    /// Plays a tournament by itself.
    fn single(&self, name: &str, settings: &str) -> Result<(), Failure> {
        let file = format!("{name}.toml");
        fs::write(self.at(&file), settings).map_err(Failure::failed)?;
        let started = Instant::now();
        self.output(&["tournament", "--file", &file, "--no-report", "--out", &format!("{name}-single")])?;
        anstream::println!("cluster: {name} by itself took {:.1?}", started.elapsed());
        Ok(())
    }

    fn plan(&self, name: &str, pieces: u32, folder: &str) -> Result<(), Failure> {
        self.output(&["plan", &format!("{name}.toml"), "--pieces", &pieces.to_string(), "--out", folder])
            .map(drop)
    }

    /// How many pieces have a result.
    fn results(&self, folder: &str) -> usize {
        fs::read_dir(self.at(folder)).map_or(0, |entries| {
            let is_result = |name: &str| name.ends_with(".result.jsonl") && !name.starts_with('.');
            entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_result)).count()
        })
    }

    /// Whether a run has the results of the tournament that was played by itself.
    fn is_same(&self, name: &str, run: &str) -> bool {
        let read = |folder: &str, file: &str| fs::read(self.at(folder).join(file)).ok();
        let single = format!("{name}-single");
        let same = ["summary.json", "standings.csv"]
            .iter()
            .all(|file| read(&single, file).is_some() && read(&single, file) == read(run, file));
        anstream::println!(
            "cluster: {run} {} {single}",
            if same { "is the same as" } else { "DIFFERS from" }
        );
        same
    }

    /// The workers on pieces of a folder that run now.
    fn workers(&self, folder: &str) -> Vec<u32> {
        let program = self.program.display().to_string();
        processes_with(&[&program, "work", &self.text(folder)])
    }

    /// Kills one worker on a piece of this folder, once there is one.
    fn kill_a_worker(&self, folder: &str) -> Result<(), Failure> {
        wait_until("a worker runs", || !self.workers(folder).is_empty())?;
        let worker = self.workers(folder).first().copied();
        daemons::kill(worker.unwrap_or_default(), "-KILL");
        anstream::println!("cluster: killed a worker");
        Ok(())
    }
}

/// Waits for something to be so.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) -> Result<(), Failure> {
    let started = Instant::now();
    while !done() {
        if started.elapsed() > DEADLINE {
            return Err(Failure::failed(format!("waited in vain: {what}")));
        }
        sleep(Duration::from_millis(50));
    }
    Ok(())
}
