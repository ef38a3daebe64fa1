//! `cargo xtask scaling`: how well many workers would be used, simulated with the times of pieces that were played.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use gamesearch::{CommandResult, Failure};
use search_core::split_mix;

/// Simulate many workers with measured times of pieces: how much of their time goes into games
///
/// Reads the seconds of the results in a folder of pieces that were played, and simulates workers that take one piece after the other from an
/// engine: starting a piece costs time, the engine starts only a few a second, some pieces are lost half-way and noticed late, and some
/// machines are slow. The same seed gives the same table.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask scaling work
  cargo xtask scaling work --bundle 30 --rate 50")]
pub(crate) struct Scaling {
    /// A folder of pieces with results
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The numbers of workers
    #[arg(long, num_args = 1.., default_values_t = [1, 2, 16, 256, 4096])]
    workers: Vec<u64>,
    /// Pieces in all
    #[arg(long, default_value_t = 25_600, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pieces: u64,
    /// How many measured pieces, one after the other, make a simulated one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    bundle: u32,
    /// Seconds that starting a piece takes: the process, and the bench
    #[arg(long, default_value_t = 0.3)]
    startup: f64,
    /// Pieces that the engine starts each second
    #[arg(long, default_value_t = 50.0)]
    rate: f64,
    /// The share of pieces whose worker is lost somewhere on the way
    #[arg(long, default_value_t = 0.01)]
    failures: f64,
    /// Seconds until a loss is noticed and the piece and its worker are there again
    #[arg(long, default_value_t = 60.0)]
    noticed: f64,
    /// The share of pieces that land on a slow machine
    #[arg(long, default_value_t = 0.01)]
    stragglers: f64,
    /// How many times as long they take there
    #[arg(long, default_value_t = 3.0)]
    slowness: f64,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What came out of one simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Simulated {
    /// Seconds until everything is done.
    makespan: f64,
    /// The share of the workers' time that went into pieces that counted, at the speed of a machine that is not slow.
    efficiency: f64,
    /// The share that went into starting pieces and waiting for the engine to do so.
    started: f64,
    /// The share that went into pieces that were lost, until that was noticed.
    lost: f64,
    /// The share that slow machines took longer.
    slow: f64,
}

pub(crate) fn run(arguments: &Scaling) -> CommandResult {
    let positive = [arguments.startup, arguments.noticed].iter().all(|time| time.is_finite() && *time >= 0.0);
    let shares = [arguments.failures, arguments.stragglers].iter().all(|share| (0.0..0.9).contains(share));
    if !positive || !shares || arguments.rate <= 0.0 || arguments.slowness < 1.0 {
        return Err(Failure::usage(
            "expected times from 0, shares from 0 to 0.9, a rate above 0, a slowness from 1",
        ));
    }
    if arguments.workers.contains(&0) {
        return Err(Failure::usage("expected numbers of workers from 1"));
    }
    let measured = measured(&arguments.folder)?;
    let mean = measured.iter().sum::<f64>() / measured.len() as f64 * f64::from(arguments.bundle);
    let longest = measured.iter().copied().fold(0.0, f64::max) * f64::from(arguments.bundle);
    anstream::println!(
        "{} pieces measured; simulated are {} of {mean:.1} s each (at most {longest:.1} s)",
        measured.len(),
        arguments.pieces
    );
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "workers",
        "pieces each",
        "hours",
        "efficiency",
        "starting",
        "lost",
        "slow",
        "idle at the end",
    ]);
    for &workers in &arguments.workers {
        let found = simulate(arguments, &measured, workers);
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let idle = (1.0 - found.efficiency - found.started - found.lost - found.slow).max(0.0);
        table.add_row([
            workers.to_string(),
            format!("{:.1}", arguments.pieces as f64 / workers as f64),
            format!("{:.2}", found.makespan / 3600.0),
            format!("{:.3}", found.efficiency),
            percent(found.started),
            percent(found.lost),
            percent(found.slow),
            percent(idle),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    anstream::println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The seconds of all results in a folder.
fn measured(folder: &PathBuf) -> Result<Vec<f64>, Failure> {
    let fail = |error| Failure::usage(format!("cannot read {}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with("piece-") || !name.ends_with(".result.jsonl") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(fail)?;
        let header: Option<serde_json::Value> =
            text.lines().next().and_then(|line| serde_json::from_str(line).ok());
        found.extend(
            header
                .and_then(|header| header.get("seconds")?.as_f64())
                .map(|seconds| (name.to_owned(), seconds)),
        );
    }
    // In the order of their names: a folder has no order of its own.
    found.sort_by(|one, other| one.0.cmp(&other.0));
    if found.is_empty() {
        return Err(Failure::usage(format!("{} holds no results of pieces", folder.display())));
    }
    Ok(found.into_iter().map(|(_, seconds)| seconds).collect())
}

/// A time as a key of a heap: whole microseconds.
fn key(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

/// Workers that take pieces in turn, the earliest free one first.
fn simulate(arguments: &Scaling, measured: &[f64], workers: u64) -> Simulated {
    let mut drawn = split_mix(arguments.seed);
    let mut draw = || {
        drawn = split_mix(drawn);
        drawn
    };
    let chance = |number: u64| (number >> 11) as f64 / (1_u64 << 53) as f64;
    let mut free: BinaryHeap<Reverse<u64>> = (0..workers).map(|_| Reverse(0)).collect();
    // When each piece may be started; those that were lost come again.
    let mut waiting: BinaryHeap<Reverse<(u64, u64)>> =
        (0..arguments.pieces).map(|piece| Reverse((0, piece))).collect();
    let piece_times: Vec<f64> = (0..arguments.pieces)
        .map(|_| {
            let parts = (0..arguments.bundle).map(|_| measured[(draw() % measured.len() as u64) as usize]);
            parts.sum()
        })
        .collect();
    let (mut engine_free, mut end) = (0.0_f64, 0.0_f64);
    let (mut useful, mut started, mut lost, mut slow) = (0.0, 0.0, 0.0, 0.0);
    while let Some(Reverse((ready, piece))) = waiting.pop() {
        let Some(Reverse(worker)) = free.pop() else { break };
        let asked = (worker.max(ready)) as f64 / 1e6;
        let begin = asked.max(engine_free);
        engine_free = begin + 1.0 / arguments.rate;
        started += begin - asked + arguments.startup;
        let seconds = piece_times[piece as usize];
        let slowed =
            if chance(draw()) < arguments.stragglers { seconds * arguments.slowness } else { seconds };
        if chance(draw()) < arguments.failures {
            let spent = slowed * chance(draw()) + arguments.noticed;
            let back = key(begin + arguments.startup + spent);
            lost += spent;
            waiting.push(Reverse((back, piece)));
            free.push(Reverse(back));
            continue;
        }
        useful += seconds;
        slow += slowed - seconds;
        let done = begin + arguments.startup + slowed;
        end = end.max(done);
        free.push(Reverse(key(done)));
    }
    let all = end * workers as f64;
    Simulated {
        makespan: end,
        efficiency: useful / all,
        started: started / all,
        lost: lost / all,
        slow: slow / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(pieces: u64) -> Scaling {
        Scaling {
            folder: PathBuf::new(),
            workers: vec![1],
            pieces,
            bundle: 1,
            startup: 0.0,
            rate: 1e9,
            failures: 0.0,
            noticed: 60.0,
            stragglers: 0.0,
            slowness: 3.0,
            seed: 1,
        }
    }

    #[test]
    fn without_losses_equal_pieces_use_every_worker() {
        let found = simulate(&plain(40), &[2.0], 4);
        assert!((found.makespan - 20.0).abs() < 1e-3 && (found.efficiency - 1.0).abs() < 1e-3, "{found:?}");
        // One piece too many, and three workers idle for a piece.
        let found = simulate(&plain(41), &[2.0], 4);
        assert!((found.efficiency - 82.0 / 88.0).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn what_is_lost_is_told_apart() {
        let starting = simulate(&Scaling { startup: 2.0, ..plain(10) }, &[2.0], 1);
        assert!((starting.efficiency - 0.5).abs() < 1e-6 && (starting.started - 0.5).abs() < 1e-6);
        let rate = simulate(&Scaling { rate: 1.0, ..plain(100) }, &[2.0], 10);
        assert!(
            (rate.efficiency - 0.2).abs() < 0.01,
            "an engine that starts one a second feeds two: {rate:?}"
        );
        let failing = simulate(&Scaling { failures: 0.1, noticed: 0.0, ..plain(10_000) }, &[2.0], 1);
        // A ninth as many failures as successes, each half-way on average.
        assert!((failing.lost / failing.efficiency - 0.5 / 9.0).abs() < 0.01, "{failing:?}");
        let slow = simulate(&Scaling { stragglers: 0.1, ..plain(10_000) }, &[2.0], 1);
        assert!((slow.slow / slow.efficiency - 0.2).abs() < 0.02, "{slow:?}");
        assert_eq!(slow, simulate(&Scaling { stragglers: 0.1, ..plain(10_000) }, &[2.0], 1));
    }
}
