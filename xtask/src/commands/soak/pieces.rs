//! `cargo xtask soak pieces`: a hundred thousand pieces, played and collected.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use gamesearch::Failure;

const PIECES: u64 = 100_000;
/// Collecting them may take so long, by the clock.
const MOST_SECONDS: f64 = 10.0;

/// Two quick bots on the smallest board: a pair of games in each piece.
const SETTINGS: &str = "games = [\"colosseum:6\"]\nbots = [\"one=random\", \"two=random\"]\nrounds = 100000\nno-thoughts = true\n";

pub(super) fn run() -> Result<bool, Failure> {
    let folder = std::env::temp_dir().join(format!("soak-pieces-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Failure::failed)?;
    fs::write(folder.join("tournament.toml"), SETTINGS).map_err(Failure::failed)?;
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let ours = |words: &[String]| -> Result<f64, Failure> {
        let started = Instant::now();
        let mut command = Command::new(&program);
        command.args(words).current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::null());
        let status = command.status().map_err(Failure::failed)?;
        if status.success() {
            Ok(started.elapsed().as_secs_f64())
        } else {
            Err(Failure::failed(words.join(" ")))
        }
    };
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let planned = ours(&words(&format!("plan tournament.toml --pieces {PIECES} --out work")))?;
    anstream::println!("pieces: {PIECES} planned in {planned:.1} s");
    let names: Vec<String> = (1..=PIECES).map(|number| format!("work/piece-{number:04}.json")).collect();
    let mut worked = 0.0;
    for some in names.chunks(10_000) {
        let mut all = words("work --jobs 1 --no-sync");
        all.extend(some.iter().cloned());
        worked += ours(&all)?;
    }
    anstream::println!("pieces: worked in {worked:.1} s");
    let processor = children_seconds();
    let collected = ours(&words("collect work --out run"))?;
    let processor = children_seconds() - processor;
    anstream::println!("pieces: collected in {collected:.1} s, {processor:.1} s of a processor");
    let again = ours(&words("collect work --out run"))?;
    anstream::println!("pieces: collected once more in {again:.1} s");
    // What is there is of no further use.
    let _ = fs::remove_dir_all(&folder);
    if collected > MOST_SECONDS && processor <= MOST_SECONDS {
        anstream::println!("pieces: the clock says more than the processors: was the machine quiet?");
    }
    Ok(collected <= MOST_SECONDS)
}

/// What the processors worked for children that have ended, in seconds.
fn children_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses; cutime and cstime are the 16th and 17th field of all, in hundredths.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<u64> = rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    let ticks: u64 = fields.get(13..15).map_or(0, |times| times.iter().sum());
    ticks as f64 / 100.0
}
