//! `cargo xtask mutants`: whether the tests would notice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use arena::Shard;
use clap::Args;
use serde::Deserialize;

use crate::games::workspace;
use gamesearch::{CommandResult, Failure};

/// Change the code in small ways, one at a time, and see whether the tests notice
///
/// Runs `cargo mutants` (`cargo install cargo-mutants`) over the rules, the searches, our own bots and the arena, with the settings in
/// .cargo/mutants.toml. Prints for each crate how many of the changes were caught, and every one that was not: a test is missing there, or
/// the change makes no difference, which .cargo/mutants.toml then says. A whole run takes a day; --shard and --file make it shorter.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo xtask mutants --file crates/search-core/src/contract/record.rs\n  \
    cargo xtask mutants --shard 3/200\n  cargo xtask mutants --package hus --jobs 2"
)]
pub(crate) struct Mutants {
    /// The part of the changes to try
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Only changes of this file; may be given several times
    #[arg(long, value_name = "FILE")]
    file: Vec<String>,
    /// Only changes of this crate [default: search-core, the four games, agents, arena, gamesearch]
    #[arg(long, value_name = "CRATE")]
    package: Vec<String>,
    /// How many changes are tried at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Count the changes, and try none
    #[arg(long)]
    list: bool,
}

/// The crates whose changes are tried, each with the least share that its tests should catch, in percent.
const CRATES: [(&str, u64); 8] = [
    ("search-core", 85),
    ("colosseum", 85),
    ("expendibots", 85),
    ("hus", 85),
    ("ropasci360", 85),
    ("agents", 75),
    ("arena", 75),
    ("gamesearch", 75),
];

pub(crate) fn run(arguments: &Mutants) -> CommandResult {
    let there = Command::new("cargo").args(["mutants", "--version"]).stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return Err(Failure::failed("cargo-mutants is not installed: cargo install cargo-mutants"));
    }
    let folder = workspace().join("target/mutants");
    fs::create_dir_all(&folder).map_err(Failure::failed)?;
    let mut command = Command::new("cargo");
    command
        .current_dir(workspace())
        .args(["mutants", "--no-times", "--colors", "never", "--output"])
        .arg(&folder);
    if arguments.list {
        command.args(["--list"]);
    }
    let packages: Vec<&str> = if arguments.package.is_empty() {
        CRATES.iter().map(|(name, _)| *name).collect()
    } else {
        arguments.package.iter().map(String::as_str).collect()
    };
    for package in packages {
        command.args(["--package", package]);
    }
    for file in &arguments.file {
        command.args(["--file", file]);
    }
    if let Some(Shard { index, count }) = arguments.shard {
        command.args(["--shard", &format!("{index}/{count}")]);
    }
    command.args(["--jobs", &arguments.jobs.to_string()]);
    if arguments.list {
        let listed = command.stderr(Stdio::inherit()).output().map_err(Failure::failed)?;
        return listing(&String::from_utf8_lossy(&listed.stdout));
    }
    // It ends badly where a change was not noticed; what counts is what it wrote down.
    command.status().map_err(Failure::failed)?;
    let outcomes = folder.join("mutants.out/outcomes.json");
    report(&read(&outcomes)?)
}

/// How many changes there are in each crate.
fn listing(text: &str) -> CommandResult {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines() {
        let package = line.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or("other");
        *counts.entry(package).or_default() += 1;
    }
    for (package, count) in counts {
        anstream::println!("{count:>6} changes of {package}");
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug, Deserialize)]
struct Outcomes {
    outcomes: Vec<OneOutcome>,
}

#[derive(Debug, Deserialize)]
struct OneOutcome {
    scenario: serde_json::Value,
    summary: String,
}

fn read(path: &Path) -> Result<Outcomes, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::cannot("read", &path))?;
    serde_json::from_str(&text).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

/// What became of the changes of a crate.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    caught: u64,
    missed: Vec<String>,
    /// Changes that do not compile prove nothing.
    unviable: u64,
}

fn tallies(outcomes: &Outcomes) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for OneOutcome { scenario, summary } in &outcomes.outcomes {
        let Some(mutant) = scenario.get("Mutant") else { continue };
        let text =
            |name: &str| mutant.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        let tally = tallies.entry(text("package")).or_default();
        match summary.as_str() {
            // Tests that do not come to an end have noticed something too.
            "CaughtMutant" | "Timeout" => tally.caught += 1,
            "MissedMutant" => tally.missed.push(text("name")),
            _ => tally.unviable += 1,
        }
    }
    tallies
}

fn report(outcomes: &Outcomes) -> CommandResult {
    let tallies = tallies(outcomes);
    let (mut enough, mut lines) = (true, Vec::new());
    for (name, Tally { caught, missed, .. }) in &tallies {
        let all = caught + missed.len() as u64;
        let wanted = CRATES.iter().find(|(known, _)| known == name).map_or(0, |(_, wanted)| *wanted);
        enough &= 100 * caught >= wanted * all;
        let share =
            if all == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * *caught as f64 / all as f64) };
        lines.push(format!("{name}: {caught} of {all} caught, {share} (wanted {wanted} %)"));
    }
    for missed in tallies.values().flat_map(|tally| &tally.missed) {
        anstream::println!("not noticed: {missed}");
    }
    for line in lines {
        anstream::println!("{line}");
    }
    if enough { Ok(ExitCode::SUCCESS) } else { Err(Failure::failed("too few of the changes were noticed")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_counted_by_crate() {
        let text = r#"{"outcomes": [
            {"scenario": "Baseline", "summary": "Success"},
            {"scenario": {"Mutant": {"name": "a.rs:1: replace f", "package": "hus"}}, "summary": "CaughtMutant"},
            {"scenario": {"Mutant": {"name": "a.rs:2: replace g", "package": "hus"}}, "summary": "MissedMutant"},
            {"scenario": {"Mutant": {"name": "a.rs:3: replace h", "package": "hus"}}, "summary": "Timeout"},
            {"scenario": {"Mutant": {"name": "b.rs:3: replace h", "package": "arena"}}, "summary": "Unviable"}
        ], "total_mutants": 4}"#;
        let outcomes: Outcomes = serde_json::from_str(text).unwrap();
        let tallies = tallies(&outcomes);
        let hus = Tally { caught: 2, missed: vec!["a.rs:2: replace g".to_owned()], unviable: 0 };
        assert_eq!(tallies["hus"], hus);
        assert_eq!(tallies["arena"], Tally { unviable: 1, ..Tally::default() });
        // Two of three is less than is wanted.
        assert!(report(&outcomes).is_err());
    }
}
