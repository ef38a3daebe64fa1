//! `cargo xtask fuzz`: the fuzz targets, as a campaign.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use toml::{Table, Value};

use crate::games::workspace;
use gamesearch::{CommandResult, Failure};

/// Run the fuzz targets: texts, random games, protocol lines, dialogues, damaged journals
///
/// Each target runs on its own, with the small corpus in fuzz/corpus; what it finds on the way goes to target/fuzz. Needs nightly and
/// `cargo install cargo-fuzz`; where these are missing that is said, and nothing is run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  cargo xtask fuzz --seconds 5\n  cargo xtask fuzz texts-hus games-hus --seconds 600\n  \
    cargo xtask fuzz lines --executions 100000000"
)]
pub(crate) struct Fuzz {
    /// The targets to run, or the beginnings of their names [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Executions of each target, however long they take
    #[arg(long, conflicts_with = "seconds")]
    executions: Option<u64>,
    /// Print only the names of the targets
    #[arg(long)]
    list: bool,
}

/// How long a target runs.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Time(Duration),
    Executions(u64),
}

pub(crate) fn run(arguments: &Fuzz) -> CommandResult {
    let targets = chosen(&arguments.targets)?;
    if arguments.list {
        for target in &targets {
            anstream::println!("{target}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let bound = match arguments.executions {
        Some(executions) => Bound::Executions(executions),
        None => Bound::Time(Duration::from_secs(arguments.seconds)),
    };
    if fuzz(&targets, bound)? { Ok(ExitCode::SUCCESS) } else { Err(Failure::failed("a fuzz target failed")) }
}

/// Runs targets for so long each; whether none failed.
pub(crate) fn campaign(targets: &[String], each: Duration) -> Result<bool, Failure> {
    fuzz(&chosen(targets)?, Bound::Time(each))
}

/// The targets whose names begin so; all where none is named.
fn chosen(wanted: &[String]) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(workspace().join("fuzz/Cargo.toml")).map_err(Failure::failed)?;
    let manifest: Table = text.parse().map_err(Failure::failed)?;
    let bins = manifest.get("bin").and_then(Value::as_array).cloned().unwrap_or_default();
    let names = bins.iter().filter_map(|bin| bin.get("name")?.as_str().map(str::to_owned));
    let names: Vec<String> = names.collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !names.iter().any(|name| name.starts_with(*wanted))) {
        return Err(Failure::usage(format!(
            "no target begins with `{unknown}`; the targets are {}",
            names.join(", ")
        )));
    }
    let is_wanted = |name: &String| wanted.is_empty() || wanted.iter().any(|wanted| name.starts_with(wanted));
    Ok(names.into_iter().filter(is_wanted).collect())
}

/// `cargo fuzz` of the nightly compiler.
fn cargo_fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).args(arguments).current_dir(workspace());
    // Those of the compiler that runs this.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

fn fuzz(targets: &[String], bound: Bound) -> Result<bool, Failure> {
    let there = cargo_fuzz(&["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        anstream::println!(
            "skipped, the fuzz targets: nightly or cargo-fuzz is not installed (cargo install cargo-fuzz)"
        );
        return Ok(true);
    }
    let built = cargo_fuzz(&["build"]).status().map_err(Failure::failed)?;
    if !built.success() {
        return Err(Failure::failed("the fuzz targets could not be built"));
    }
    let mut passed = true;
    for target in targets {
        let started = Instant::now();
        let (executions, ended_well) = fuzz_one(target, bound)?;
        let verdict = if ended_well { "no failure" } else { "FAILED" };
        anstream::println!("{target}: {executions} executions in {:.0?}, {verdict}", started.elapsed());
        passed &= ended_well;
    }
    Ok(passed)
}

/// Runs one target; how many executions, and whether none failed. What a failure says is passed on.
fn fuzz_one(target: &str, bound: Bound) -> Result<(u64, bool), Failure> {
    let [found, kept] = ["target/fuzz", "fuzz/corpus"].map(|folder| workspace().join(folder).join(target));
    for folder in [&found, &kept] {
        fs::create_dir_all(folder).map_err(Failure::failed)?;
    }
    let bound = match bound {
        Bound::Time(time) => format!("-max_total_time={}", time.as_secs().max(1)),
        Bound::Executions(count) => format!("-runs={count}"),
    };
    let mut child = cargo_fuzz(&["run", target])
        .args([&found, &kept])
        .args(["--", &bound, "-print_final_stats=1", "-timeout=20", "-rss_limit_mb=2048"])
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Failure::failed)?;
    let mut executions = 0;
    let mut last = Vec::new();
    if let Some(errors) = child.stderr.take() {
        for line in BufReader::new(errors).lines().map_while(Result::ok) {
            if let Some(count) = line.strip_prefix("stat::number_of_executed_units:") {
                executions = count.trim().parse().unwrap_or(0);
            }
            last.push(line);
            if last.len() > 60 {
                last.remove(0);
            }
        }
    }
    let status = child.wait().map_err(Failure::failed)?;
    if !status.success() {
        for line in &last {
            anstream::eprintln!("{line}");
        }
    }
    Ok((executions, status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_the_beginnings_of_their_names() {
        assert_eq!(chosen(&["texts-hus".to_owned()]).unwrap(), ["texts-hus"]);
        assert_eq!(chosen(&["games".to_owned()]).unwrap().len(), 4);
        let all = chosen(&[]).unwrap();
        for target in &all {
            let source = workspace().join(format!("fuzz/targets/{}.rs", target.replace('-', "_")));
            assert!(source.is_file(), "{}", source.display());
            let corpus = workspace().join("fuzz/corpus").join(target);
            let bytes: u64 = fs::read_dir(&corpus)
                .map(|files| {
                    files.flatten().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
                })
                .unwrap_or_default();
            assert!(
                (1..100_000).contains(&bytes),
                "the corpus of {target} is small, and there: {bytes} bytes"
            );
        }
        assert!(chosen(&["nothing".to_owned()]).unwrap_err().to_string().contains("texts-hus"));
    }
}
