//! `cargo xtask soak`: everything that is too long for the ordinary test run.

use std::process::{Command, ExitCode};

use clap::Args;

use super::{CommandResult, Failure, perft};
use crate::games::workspace;

/// Run the long tests: the whole perft tables, the laws on many more random games, kill and soak tests
///
/// Takes an hour or so. The seed makes each run look at other random games; give the same one to see a failure again.
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// How many times more random games than in the ordinary test run
    #[arg(long, default_value_t = 50)]
    factor: u32,
    /// The seed of the random games [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Leave out entries of the perft tables with more leaves than this
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
}

pub(crate) fn run(arguments: &Soak) -> CommandResult {
    let seed = arguments.seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |time| time.as_secs())
    });
    let mut failed = Vec::new();

    anstream::println!("soak: perft tables");
    if perft::run_suite(None, false, arguments.most)? > 0 {
        failed.push("perft tables");
    }
    anstream::println!("soak: laws and property tests, {} times the games, seed {seed}", arguments.factor);
    let environment = [
        ("LAWS_FACTOR", arguments.factor.to_string()),
        ("LAWS_SEED", seed.to_string()),
        ("PROPTEST_RNG_SEED", seed.to_string()),
    ];
    if !cargo_test(&[], &environment)? {
        failed.push("laws and property tests");
    }
    anstream::println!("soak: long tests");
    if !cargo_test(&["--ignored"], &[])? {
        failed.push("long tests");
    }

    if failed.is_empty() {
        anstream::println!("soak: all passed, seed {seed}");
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::failed(format!("soak: {} failed, seed {seed}", failed.join(", "))))
    }
}

/// Runs the tests of the workspace; whether all passed.
fn cargo_test(arguments: &[&str], environment: &[(&str, String)]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(workspace())
        .args(["test", "--workspace", "--tests", "--no-fail-fast", "--"])
        .args(arguments)
        .envs(environment.iter().map(|(key, value)| (key, value)))
        .status()
        .map_err(|error| Failure::failed(format!("cargo test could not be started: {error}")))?;
    Ok(status.success())
}
