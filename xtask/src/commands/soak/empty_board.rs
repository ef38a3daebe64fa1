//! The empty board of Connect Four, solved by ours and by two programs made for it: a part of `cargo xtask soak`.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::games::workspace;
use gamesearch::Failure;

/// Our table, and the largest that the others can be given (theirs are of a fixed size).
const TABLE_MB: &str = "1024";

/// 22 less the stones the winner needs: the first player wins with the last stone but one.
const VALUE: i32 = 1;

/// What one program found, as the package of peers prints it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Found {
    which: String,
    value: i32,
    nodes: u64,
    seconds: f64,
    table_mb: Option<u64>,
}

/// Runs all of them, one after the other, and prints nodes, times and ratios; whether all values are right. What is missing on this
/// machine is said and left out.
pub(crate) fn run() -> Result<bool, Failure> {
    let mut all = Vec::new();
    for which in ["ours", "ours-2", "connect-four-ai", "bitbully"] {
        match solve(which)? {
            Some(found) => {
                anstream::println!("{}", line(&found));
                all.push(found);
            }
            None => anstream::println!("{which} is left out"),
        }
    }
    for ratio in ratios(&all) {
        anstream::println!("{ratio}");
    }
    Ok(!all.is_empty() && all.iter().all(|found| found.value == VALUE))
}

fn solve(which: &str) -> Result<Option<Found>, Failure> {
    let manifest = Path::new(&workspace()).join("benches/peers/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(&manifest)
        .args(["--", "--empty-board", which, TABLE_MB])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::failed(format!("the peers could not be started: {error}")))?;
    if !output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let found = serde_json::from_str(text.trim())
        .map_err(|error| Failure::failed(format!("the peers printed `{}`: {error}", text.trim())))?;
    Ok(Some(found))
}

fn line(found: &Found) -> String {
    let Found { which, value, nodes, seconds, table_mb } = found;
    let table = table_mb.map_or("a table of its own size".to_owned(), |size| format!("a table of {size} MB"));
    format!("{which}: value {value:+}, {nodes} nodes in {seconds:.1} s, {table}")
}

/// Our time beside that of the faster of the others, and of one thread beside two.
fn ratios(all: &[Found]) -> Vec<String> {
    let seconds = |which: &str| all.iter().find(|found| found.which == which).map(|found| found.seconds);
    let peers = ["connect-four-ai", "bitbully"].into_iter().filter_map(seconds).fold(f64::INFINITY, f64::min);
    let verdict = |ratio: f64, target: f64| if ratio >= target { "met" } else { "missed" };
    let mut lines = Vec::new();
    if let Some(ours) = seconds("ours")
        && peers.is_finite()
    {
        let ratio = peers / ours;
        lines.push(format!(
            "{ratio:.2} times as fast as the faster of the others (target 1.0: {})",
            verdict(ratio, 1.0)
        ));
    }
    if let (Some(one), Some(two)) = (seconds("ours"), seconds("ours-2")) {
        let ratio = one / two;
        lines.push(format!(
            "two threads {ratio:.2} times as fast as one (target 1.6: {})",
            verdict(ratio, 1.6)
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_computed_from_what_was_found() {
        let found = |which: &str, seconds| Found {
            which: which.to_owned(),
            value: 1,
            nodes: 10,
            seconds,
            table_mb: (which != "bitbully").then_some(64),
        };
        let all = [
            found("ours", 200.0),
            found("ours-2", 100.0),
            found("connect-four-ai", 150.0),
            found("bitbully", 300.0),
        ];
        let lines = ratios(&all);
        assert!(lines[0].starts_with("0.75 times") && lines[0].ends_with("missed)"), "{lines:?}");
        assert!(lines[1].starts_with("two threads 2.00") && lines[1].ends_with("met)"), "{lines:?}");
        assert!(ratios(&all[..1]).is_empty());
        assert!(line(&all[3]).ends_with("a table of its own size"));
    }
}
