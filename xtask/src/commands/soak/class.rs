//! A whole course under fire: many submissions, kill after kill, and at the end everything is counted again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gamesearch::Failure;
use serde_json::Value;

use super::course::{self, ATTACKS, BROKEN, Good, NAMED};

/// How the course is run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) minutes: f64,
    pub(super) teams: usize,
    pub(super) kills: u32,
    pub(super) hostile: bool,
    pub(super) seed: u64,
}

/// Memory of the ladder's process in KiB, with the moment.
type Sample = (f64, u64);

/// Runs the course; whether everything held.
pub(super) fn run(course: Course) -> Result<bool, Failure> {
    let root = std::env::temp_dir().join(format!("soak-class-{}", std::process::id()));
    let fail = |error: std::io::Error| Failure::failed(format!("{}: {error}", root.display()));
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let made = Command::new(&program)
        .args(["class", "init", "--game", "hus"])
        .arg(&root)
        .stdout(Stdio::null())
        .status()
        .map_err(Failure::failed)?;
    if !made.success() {
        return Err(Failure::failed("the class could not be made"));
    }
    let toml = root.join("class.toml");
    let text = fs::read_to_string(&toml).map_err(fail)?;
    // Much time for a move, so that a loss on time is no affair of a busy machine; small files, so that many are turned over.
    let changes = [
        ("# limits = \"official\" ", "limits = \"movetime=8s\" "),
        ("# jobs = 1 ", "jobs = 2 "),
        ("settle = \"5s\"", "settle = \"1s\""),
        ("time = \"2m\"", "time = \"40s\""),
        ("pairs = 400 ", "pairs = 100000 "),
        ("disk = 512 ", "file_games = 50\ndisk = 512 "),
    ];
    let text = changes.iter().try_fold(text, |text, (from, to)| {
        let missing = || Failure::failed(format!("class.toml: there is no `{from}` to change"));
        text.contains(from).then(|| text.replacen(from, to, 1)).ok_or_else(missing)
    })?;
    fs::write(&toml, &text).map_err(fail)?;
    let submissions = root.join("submissions");
    let good_count = course.teams.saturating_sub(BROKEN.len()).max(3);
    let good = course::good(&submissions, good_count).map_err(fail)?;
    course::broken(&submissions).map_err(fail)?;
    if course.hostile {
        course::hostile(&submissions, &root).map_err(fail)?;
    }
    let before = fingerprint(&submissions);
    anstream::println!(
        "{good_count} good submissions, {} broken{}; {} minutes, {} kills; the class is in {}",
        BROKEN.len(),
        if course.hostile { format!(", {} hostile", ATTACKS.len()) } else { String::new() },
        course.minutes,
        course.kills,
        root.display()
    );
    let mut problems = Vec::new();
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    let mut memory: Vec<Sample> = Vec::new();
    let total = Duration::from_secs_f64(course.minutes * 60.0);
    let begun = Instant::now();
    for kill in 0..course.kills {
        // Somewhere in its part of the time: the same for the same seed.
        let share = search_core::split_mix(course.seed ^ u64::from(kill)) as f64 / u64::MAX as f64;
        let end = total.mul_f64((f64::from(kill) + 0.3 + 0.6 * share) / f64::from(course.kills + 1));
        let mut ladder = start(&program, &root, None)?;
        watch(&mut ladder, begun, end, &mut memory, &mut problems)?;
        // As if the power were gone.
        let _ = ladder.kill();
        let _ = ladder.wait();
        note(&root, &mut seen, &mut problems).map_err(fail)?;
    }
    let left = total.saturating_sub(begun.elapsed()).max(Duration::from_secs(10));
    let mut ladder = start(&program, &root, Some(left))?;
    watch(&mut ladder, begun, Duration::MAX, &mut memory, &mut problems)?;
    let ended = ladder.wait().map_err(Failure::failed)?;
    if !ended.success() {
        problems.push(format!("the last run ended with {ended}"));
    }
    note(&root, &mut seen, &mut problems).map_err(fail)?;
    judge(&root, &good, &seen, course, &mut problems)?;
    if fingerprint(&submissions) != before {
        problems.push("somebody changed submissions".to_owned());
    }
    if fs::read_to_string(&toml).map_err(fail)? != text {
        problems.push("somebody changed class.toml".to_owned());
    }
    flat(&memory, &mut problems);
    let strays = strays(&root);
    if !strays.is_empty() {
        problems.push(format!("processes are left: {}", strays.join(", ")));
    }
    for problem in &problems {
        anstream::println!("PROBLEM: {problem}");
    }
    if problems.is_empty() {
        // What went well needs no looking at.
        let _ = fs::remove_dir_all(&root);
    }
    Ok(problems.is_empty())
}

fn start(program: &Path, root: &Path, time: Option<Duration>) -> Result<Child, Failure> {
    let log = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(root.join("log.txt"))
        .map_err(Failure::failed)?;
    let mut command = Command::new(program);
    command.arg("class").arg(root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    if let Some(time) = time {
        command.args(["--for", &format!("{}s", time.as_secs().max(1))]);
    }
    command.spawn().map_err(|error| Failure::failed(format!("the ladder cannot be started: {error}")))
}

/// Looks at the memory of the ladder until `end`, or until it ends by itself.
fn watch(
    ladder: &mut Child,
    begun: Instant,
    end: Duration,
    memory: &mut Vec<Sample>,
    problems: &mut Vec<String>,
) -> Result<(), Failure> {
    while begun.elapsed() < end {
        if let Some(ended) = ladder.try_wait().map_err(Failure::failed)? {
            if end != Duration::MAX {
                problems.push(format!("the ladder ended by itself: {ended}"));
            }
            return Ok(());
        }
        let status = fs::read_to_string(format!("/proc/{}/status", ladder.id())).unwrap_or_default();
        let size = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let size = size.and_then(|size| size.split_whitespace().next()?.parse().ok());
        memory.extend(size.map(|size| (begun.elapsed().as_secs_f64(), size)));
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok(())
}

/// The whole lines of the journal, each game with its own.
fn lines(root: &Path) -> std::io::Result<Vec<(u64, String)>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("ladder"))?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path)?;
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let value: Value = serde_json::from_str(line).map_err(std::io::Error::other)?;
            found.push((value["index"].as_u64().unwrap_or(u64::MAX), line.to_owned()));
        }
    }
    Ok(found)
}

/// Holds the journal against what was seen in it before: nothing may be lost, changed or there twice.
fn note(root: &Path, seen: &mut BTreeMap<u64, String>, problems: &mut Vec<String>) -> std::io::Result<()> {
    let mut now = BTreeMap::new();
    for (index, line) in lines(root)? {
        if now.insert(index, line).is_some() {
            problems.push(format!("game {index} is there twice"));
        }
    }
    for (index, line) in &*seen {
        match now.get(index) {
            None => problems.push(format!("game {index} is lost")),
            Some(other) if other != line => problems.push(format!("game {index} was changed")),
            Some(_) => {}
        }
    }
    anstream::println!("  {} games", now.len());
    *seen = now;
    Ok(())
}

/// What has come out, held against what is known of the submissions.
fn judge(
    root: &Path,
    good: &[Good],
    games: &BTreeMap<u64, String>,
    course: Course,
    problems: &mut Vec<String>,
) -> Result<(), Failure> {
    let read = |path: &str| -> Result<Value, Failure> {
        let text = fs::read_to_string(root.join(path))
            .map_err(|error| Failure::failed(format!("{path}: {error}")))?;
        serde_json::from_str(&text).map_err(|error| Failure::failed(format!("{path}: {error}")))
    };
    let (roster, live) = (read("store/teams.json")?, read("site/live.json")?);
    let teams = &roster["teams"];
    let accepted = |team: &str| teams[team]["judged"]["accepted"].as_bool();
    for one in good {
        if accepted(&one.team) != Some(true) {
            problems
                .push(format!("{} was not accepted: {}", one.team, teams[&one.team]["judged"]["findings"]));
        }
    }
    for kind in BROKEN {
        let team = format!("broken-{kind}");
        let findings = teams[&team]["judged"]["findings"].as_array().cloned().unwrap_or_default();
        let told = findings.iter().any(|finding| {
            finding["verdict"] == "WRONG" && finding["text"].as_str().is_some_and(|text| !text.is_empty())
        });
        if accepted(&team) != Some(false) || !told {
            problems.push(format!("{team} was not answered with what is wrong: {}", teams[&team]["judged"]));
        }
    }
    // Wherever a good submission failed, it was wronged. Half pairs may be under way at the end; all else is whole.
    let good_names: BTreeSet<&str> = good.iter().map(|one| one.team.as_str()).collect();
    let (mut failures, mut on_time) = (0, 0);
    let mut pairs: BTreeMap<u64, u32> = BTreeMap::new();
    for (index, line) in games {
        *pairs.entry(index / 2).or_default() += 1;
        let game: Value = serde_json::from_str(line).map_err(Failure::failed)?;
        for fault in game["faults"].as_array().into_iter().flatten() {
            let seat = usize::from(fault["player"] == "p2");
            let player = game["players"][seat].as_str().unwrap_or_default();
            if good_names.contains(player.split('@').next().unwrap_or_default()) {
                failures += 1;
                on_time += u32::from(fault["kind"] == "time");
                problems.push(format!("game {index}: {player} failed: {}", fault["message"]));
            }
        }
    }
    let halves = pairs.values().filter(|&&games| games < 2).count();
    if halves > 2 {
        problems.push(format!("{halves} pairs of games are half played"));
    }
    let facts = live["facts"].as_str().unwrap_or_default();
    if !facts.starts_with(&format!("{} games", games.len())) {
        problems.push(format!("the journal has {} games, the page says: {facts}", games.len()));
    }
    let rows = live["rows"].as_array().cloned().unwrap_or_default();
    let rating = |team: &str| {
        let page = format!("teams/{team}.html");
        rows.iter().find(|row| row["page"] == page.as_str()).and_then(|row| row["elo"].as_f64())
    };
    let measured: Vec<(f64, f64)> =
        good.iter().filter_map(|one| Some((one.strength, rating(&one.team)?))).collect();
    let correlation = rank_correlation(&measured);
    anstream::println!(
        "{} games, {failures} failures of good submissions ({on_time} on time), {halves} half pairs; {} of {} rated, rank correlation \
         with the known strengths {correlation:.4}",
        games.len(),
        measured.len(),
        good.len()
    );
    if measured.len() != good.len() || correlation.is_nan() || correlation < 0.95 {
        problems.push(format!(
            "rank correlation {correlation:.4} of {} ratings, expected at least 0.95",
            measured.len()
        ));
    }
    if course.hostile {
        let judged = teams
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| name.starts_with("hostile-") || name.starts_with("hyperlink"));
        let judged: Vec<String> = judged
            .map(|(name, team)| {
                let word = if team["judged"]["accepted"] == true { "plays" } else { "refused" };
                format!("{name} {word}")
            })
            .collect();
        anstream::println!("hostile: {}", judged.join(", "));
        for (attack, words) in NAMED {
            let judged = &teams[format!("hostile-{attack}")]["judged"];
            let findings = judged["findings"].to_string();
            // Where the system itself refuses more processes the bot hears of it, and plays on.
            let may_play = attack == "forks" && judged["accepted"] == true;
            if !may_play && (judged["accepted"] != false || !findings.contains(words)) {
                problems.push(format!("hostile-{attack} is not named for what it does: {findings}"));
            }
        }
        for (index, line) in games {
            if line.contains("READ ") {
                problems.push(format!("game {index}: a bot has read another's program"));
            }
        }
        if judged.len() != ATTACKS.len() {
            problems.push(format!("{} of {} hostile submissions were judged", judged.len(), ATTACKS.len()));
        }
        let mut pages = Vec::new();
        files_below(&root.join("site"), &mut pages);
        for page in pages.iter().filter(|page| page.extension().is_some_and(|end| end == "html")) {
            let text = fs::read_to_string(page).unwrap_or_default();
            if text.contains("<script>") || text.contains("<b>hostile") {
                problems.push(format!("{} holds what a team wrote as code", page.display()));
            }
        }
    }
    Ok(())
}

/// Spearman's rank correlation.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        let rank = |value: &f64| {
            let below = values.iter().filter(|other| *other < value).count();
            let equal = values.iter().filter(|other| *other == value).count();
            below as f64 + (equal as f64 - 1.0) / 2.0
        };
        values.iter().map(rank).collect()
    };
    let one = ranks(pairs.iter().map(|pair| pair.0).collect());
    let other = ranks(pairs.iter().map(|pair| pair.1).collect());
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let product =
        |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

/// The memory of the last third against that of the middle one: what grows with the number of games grows here.
fn flat(memory: &[Sample], problems: &mut Vec<String>) {
    let end = memory.last().map_or(0.0, |sample| sample.0);
    let most = |from: f64, to: f64| {
        let within = memory.iter().filter(|sample| sample.0 >= from * end && sample.0 <= to * end);
        within.map(|sample| sample.1).max().unwrap_or(0)
    };
    let (middle, last) = (most(1.0 / 3.0, 2.0 / 3.0), most(2.0 / 3.0, 1.0));
    anstream::println!(
        "memory of the ladder: at most {} MiB in the middle third, {} MiB in the last",
        middle >> 10,
        last >> 10
    );
    if last > middle + middle / 5 + (8 << 10) {
        problems.push(format!("memory grows: {middle} KiB in the middle third, {last} KiB in the last"));
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&path, found),
            _ => found.push(path),
        }
    }
}

/// All files below a folder with what is in them.
fn fingerprint(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    files_below(folder, &mut files);
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
}

/// Processes that still have something of the class on their command line.
fn strays(root: &Path) -> Vec<String> {
    std::thread::sleep(Duration::from_millis(500));
    let name = root.display().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        if command.contains(&name) {
            found.push(format!("{} ({command})", entry.file_name().to_string_lossy()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_compared() {
        let up = [(0.0, 10.0), (0.5, 11.0), (1.0, 500.0)];
        assert!((rank_correlation(&up) - 1.0).abs() < 1e-12);
        let down = [(0.0, 3.0), (0.5, 2.0), (1.0, 1.0)];
        assert!((rank_correlation(&down) + 1.0).abs() < 1e-12);
        let one_swap = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (3.0, 3.0)];
        assert!((rank_correlation(&one_swap) - 0.8).abs() < 1e-12);
    }
}
