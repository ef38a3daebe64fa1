//! `cargo xtask soak`: everything that is too long for the ordinary test run.

#[cfg(unix)]
mod class;
mod cluster;
#[cfg(unix)]
mod course;
mod empty_board;
mod overruns;
mod pieces;
mod simulate;
mod statistics;
mod workers;

use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use crate::commands::fuzz;
use crate::games::workspace;
use gamesearch::{App, CommandResult, Failure};

/// Run the long tests: whole perft tables, laws on many more random games, kills, simulated faults, statistics, fuzz targets, an empty board, published results
///
/// All parts take two hours or so; name some to run only those. Each says how long it takes and how it ended, and the rest
/// goes on if one fails. The seed makes each run look at other random games; give the same one to see a failure again.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Soak {
    /// The parts to run [default: all]
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// How many times more random games than in the ordinary test run
    #[arg(long, default_value_t = 50)]
    factor: u32,
    /// The seed of the random games [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Leave out entries of the perft tables with more leaves than this
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
    /// How many worlds the part simulate lives through, from the seed on [default: 4000, or the one of --seed]
    #[arg(long)]
    seeds: Option<u64>,
    /// How many tournaments, and sequential tests, the part statistics plays
    #[arg(long, default_value_t = 10_000)]
    tournaments: u64,
    /// How many games the part fast-games plays
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// For how many minutes the part class runs [default: 60], and the part fuzz each target [default: 5]
    #[arg(long, value_parser = minutes)]
    minutes: Option<f64>,
    /// How many submissions it has, fifteen broken ones included
    #[arg(long, default_value_t = 100)]
    teams: usize,
    /// How often it is killed
    #[arg(long, default_value_t = 20)]
    kills: u32,
    /// Add ten hostile submissions
    #[arg(long)]
    hostile: bool,
    /// How many moves of each champion the part overruns looks at, for each limit
    #[arg(long, default_value_t = 1000)]
    moves: u32,
}

fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|minutes: &f64| (0.0..=1e6).contains(minutes));
    number.ok_or_else(|| "expected a number of minutes from 0 to 1000000".to_owned())
}

const AFTER_HELP: &str = "Examples:
  cargo xtask soak
  cargo xtask soak kill browser
  cargo xtask soak laws --factor 10 --seed 7
  cargo xtask soak class --minutes 10 --teams 30 --kills 4 --hostile
  cargo xtask soak simulate --seeds 20000
  cargo xtask soak simulate --seed 1732      one world again
  cargo xtask soak fast-games        on a quiet machine";

const KILL: &str = "tournament::killed_two_hundred_times_and_nothing_is_lost";
const BROWSER: &str = "tournament::the_page_works_in_a_browser";
/// The published results, all ignored tests of this module.
const ORACLES: &str = "oracles::";
const HUNG: &str = "host::a_hung_bot_is_scored_within_a_second_of_its_deadline";
const START: &str = "sandbox::a_sandboxed_bot_starts_within_twenty_milliseconds_more";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The perft tables of all games, the largest entries included: ten minutes
    Perft,
    /// Laws and property tests with a fresh seed and many more games: half an hour
    Laws,
    /// A tournament killed two hundred times and resumed loses nothing: two minutes
    Kill,
    /// A report of all games in headless Chromium, where that is installed: one minute
    Browser,
    /// A bot that hangs is scored within a second of its deadline: one minute
    Hung,
    /// A bot in the sandbox starts within 20 ms more than one without: a minute, on a quiet machine
    SandboxStart,
    /// Some 100,000 games in simulated worlds whose disks, clocks and bots fail: two minutes
    Simulate,
    /// Intervals and tests held against known strengths, and all formulas against scipy: three minutes
    Statistics,
    /// The fuzz targets, five minutes each, where nightly and cargo-fuzz are installed: two hours
    Fuzz,
    /// No champion works beyond its time per move while busy loops take the processors: eight minutes
    Overruns,
    /// 2,000 games at 200 ms + 2 ms a move know no false loss on time: ten minutes, on a quiet machine
    FastGames,
    /// A course of a hundred submissions, broken ones among them, killed twenty times: an hour
    Class,
    /// A tournament through Slurm, GNU parallel over ssh and Ray, with nodes, workers and drivers killed: three minutes, as root on Linux
    Cluster,
    /// 100,000 pieces are collected in at most 10 s by the clock: a few minutes, on a quiet machine
    Pieces,
    /// Pieces of 1 and 10 s with one and two workers, by the clock beside one run: four minutes, on a quiet machine
    Workers,
    /// The empty board of Connect Four, exactly, by our solver and two programs made for it: half an hour, on a quiet machine
    EmptyBoard,
    /// Published results of Connect Four and Goofspiel that take minutes to find again, the seven first moves among them: an hour
    Oracles,
}

impl Part {
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    fn about(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }
}

pub(crate) fn run(app: &App, arguments: &Soak) -> CommandResult {
    let seed = arguments.seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |time| time.as_secs())
    });
    let parts = if arguments.parts.is_empty() { Part::value_variants() } else { &arguments.parts };
    let mut failed = Vec::new();
    for (number, &part) in parts.iter().enumerate() {
        let name = part.name();
        anstream::println!("soak {} of {}, {name}: {}", number + 1, parts.len(), part.about());
        let started = Instant::now();
        let passed = run_part(app, part, arguments, seed)?;
        let verdict = if passed { "passed" } else { "FAILED" };
        anstream::println!("soak: {name} {verdict} after {:.0?}", started.elapsed());
        if !passed {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        anstream::println!("soak: all passed, seed {seed}");
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::failed(format!("soak: {} failed, seed {seed}", failed.join(", "))))
    }
}

/// Runs one part; whether it passed.
fn run_part(app: &App, part: Part, arguments: &Soak, seed: u64) -> Result<bool, Failure> {
    let ignored = |package: &str, test: &str| {
        cargo_test(&["-p", package, "--test", "it"], &["--ignored", "--exact", "--nocapture", test], &[])
    };
    match part {
        Part::Perft => Ok(app.perft_suite(None, false, arguments.most)? == 0),
        Part::Laws => {
            let environment = [
                ("LAWS_FACTOR", arguments.factor.to_string()),
                ("LAWS_SEED", seed.to_string()),
                ("PROPTEST_RNG_SEED", seed.to_string()),
            ];
            cargo_test(&["--workspace", "--tests", "--no-fail-fast"], &[], &environment)
        }
        Part::Kill => ignored("gamesearch", KILL),
        Part::Browser => ignored("gamesearch", BROWSER),
        Part::Hung => ignored("arena", HUNG),
        Part::SandboxStart => ignored("arena", START),
        Part::Simulate => {
            let seeds = arguments.seeds.unwrap_or(if arguments.seed.is_some() { 1 } else { simulate::SEEDS });
            Ok(simulate::run(seed, seeds))
        }
        Part::Statistics => statistics::run(arguments.tournaments, seed),
        Part::Fuzz => fuzz::campaign(&[], Duration::from_secs_f64(60.0 * arguments.minutes.unwrap_or(5.0))),
        Part::Overruns => overruns::run(arguments.moves),
        Part::FastGames => fast_games(arguments.games),
        Part::Class => a_class(arguments, seed),
        Part::Cluster => cluster::run(),
        Part::Pieces => pieces::run(),
        Part::Workers => workers::run(),
        Part::EmptyBoard => empty_board::run(),
        Part::Oracles => oracles(),
    }
}

/// With full optimisation: they count thousands of millions of nodes.
fn oracles() -> Result<bool, Failure> {
    let which = ["-p", "search-core", "--release", "--test", "it"];
    cargo_test(&which, &["--ignored", "--nocapture", "--test-threads", "1", ORACLES], &[])
}

#[cfg(unix)]
fn a_class(arguments: &Soak, seed: u64) -> Result<bool, Failure> {
    let &Soak { teams, kills, hostile, .. } = arguments;
    let minutes = arguments.minutes.unwrap_or(60.0);
    class::run(class::Course { minutes, teams, kills, hostile, seed })
}

#[cfg(not(unix))]
fn a_class(_: &Soak, _: u64) -> Result<bool, Failure> {
    Err(Failure::failed("a class needs the sandbox of Linux"))
}

/// Runs tests of the workspace; whether all passed.
fn cargo_test(which: &[&str], arguments: &[&str], environment: &[(&str, String)]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(workspace())
        .arg("test")
        .args(which)
        .arg("--")
        .args(arguments)
        .envs(environment.iter().map(|(key, value)| (key, value)))
        .status()
        .map_err(|error| Failure::failed(format!("cargo test could not be started: {error}")))?;
    Ok(status.success())
}

/// Our engine with little time on both sides: a loss on time here is a fault of the runner.
fn fast_games(games: u32) -> Result<bool, Failure> {
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let folder = std::env::temp_dir().join(format!("soak-fast-games-{}", std::process::id()));
    let engine = program.display();
    let rounds = games.div_ceil(2).max(1);
    let status = Command::new(&program)
        .args(["tournament", "--games", "hus", "--bots"])
        .args(["one", "two"].map(|name| format!("{name}=ugi:'{engine}' engine hus alphabeta")))
        .args(["--limits", "gametime=200ms,inc=2ms", "--seed", "5", "--jobs", "2", "--no-report"])
        .args(["--rounds", &rounds.to_string()])
        .arg("--out")
        .arg(&folder)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| Failure::failed(format!("the tournament could not be started: {error}")))?;
    let path = folder.join("journal.jsonl");
    let journal = fs::read_to_string(&path).map_err(Failure::cannot("read", &path))?;
    let finished = journal.lines().filter(|line| line.contains("\"turns\":")).count();
    let lost = journal.lines().filter(|line| line.contains("\"reason\":\"time\"")).count();
    let failed = journal.lines().filter(|line| line.contains("\"faults\":")).count();
    anstream::println!("{finished} games, {lost} lost on time, {failed} lost by a failure of any kind");
    let passed = status.success() && finished == 2 * rounds as usize && failed == 0;
    if passed {
        // What went well needs no looking at.
        let _ = fs::remove_dir_all(&folder);
    } else {
        anstream::println!("the run is in {}", folder.display());
    }
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test that was renamed would be left out silently: to cargo, no test at all is a success.
    #[test]
    fn the_long_tests_are_there() {
        for (package, test) in
            [("gamesearch", KILL), ("gamesearch", BROWSER), ("arena", HUNG), ("arena", START)]
        {
            let (module, name) = test.split_once("::").unwrap();
            let path = workspace().join(format!("crates/{package}/tests/it/{module}.rs"));
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(&format!("fn {name}()")), "{}: {name}", path.display());
        }
        let path = workspace().join("crates/search-core/tests/it/oracles.rs");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("#[ignore"), "{}", path.display());
    }
}
