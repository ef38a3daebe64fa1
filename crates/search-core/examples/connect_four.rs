//! Connect Four through the contract of a game:
//!
//! - `cargo run --release --example connect_four perft [DEPTH]` counts move sequences,
//! - `cargo run --release --example connect_four positions [STONES]` prints test sets of random positions,
//! - `cargo run --release --example connect_four solve [MOVES]` solves the position after these columns (1 to 7), exactly.

use std::process::ExitCode;
use std::time::Instant;

use search_core::{
    Analysis, Clock, Limits, Record, RootMove, Score, SolverSettings, StopFlag, SystemClock, Task,
};
use search_core::{Foresight, Solution, Solver, TurnBased, perft};
use toys::connect_four::{Column, ConnectFour};
use toys::connect_four_insight::Threats;
use toys::connect_four_positions::{CLASSES, KEPT_APART, MEASURED, SEED, positions};

const USAGE: &str =
    "usage: connect_four perft [DEPTH]                      count move sequences (DEPTH from 1 to 42)
       connect_four positions [STONES] [--count N] [--seed N]
                                                      print a test set, or all (200 positions, and 50 kept apart)
       connect_four solve [MOVES] [--table MB] [--threads N] [--rules-only]
                                                      solve the position after the columns MOVES, such as 4433
The value is 22 less the stones the winner needs: negative if the side to move loses, 0 for a draw.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["perft"] => count(8),
        ["perft", depth] => {
            depth.parse().map_err(|_| format!("expected a depth, found `{depth}`")).and_then(count)
        }
        ["positions", rest @ ..] => print_positions(rest),
        ["solve", rest @ ..] => solve(rest),
        _ => Err("expected `perft`, `positions` or `solve`".to_owned()),
    };
    if let Err(problem) = done {
        eprintln!("{problem}\n{USAGE}");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

fn count(depth: u32) -> Result<(), String> {
    if !(1..=42).contains(&depth) {
        return Err(format!("expected a depth from 1 to 42, found {depth}"));
    }
    println!("{:#}\n", ConnectFour::EMPTY);
    for depth in 1..=depth {
        let start = Instant::now();
        let leaves = perft(&ConnectFour::EMPTY, depth);
        println!("perft {depth:2} {leaves:>14} in {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Prints test sets, a position a line: the number of stones and the moves.
fn print_positions(arguments: &[&str]) -> Result<(), String> {
    let mut classes = CLASSES.to_vec();
    let (mut count, mut seed) = (MEASURED + KEPT_APART, SEED);
    let mut arguments = arguments.iter();
    while let Some(&argument) = arguments.next() {
        match argument {
            "--count" => count = number(argument, arguments.next())?,
            "--seed" => seed = number(argument, arguments.next())? as u64,
            stones => classes = vec![number("stones", Some(&stones))? as u32],
        }
    }
    for stones in classes {
        let set = positions(stones, count, seed)
            .ok_or_else(|| format!("there are no {count} open positions with {stones} stones"))?;
        for (index, test) in set.iter().enumerate() {
            let apart = if index >= MEASURED { " kept apart" } else { "" };
            println!("{stones} {}{apart}", test.moves);
        }
    }
    Ok(())
}

/// A whole number from 1.
fn number(name: &str, text: Option<&&str>) -> Result<usize, String> {
    let text = text.ok_or_else(|| format!("expected a number after `{name}`"))?;
    text.parse::<usize>()
        .ok()
        .filter(|&number| number > 0)
        .ok_or_else(|| format!("{name}: expected a whole number from 1, found `{text}`"))
}

fn solve(arguments: &[&str]) -> Result<(), String> {
    let mut record = Record::new(ConnectFour::EMPTY);
    let mut settings = SolverSettings::default();
    let mut rules_only = false;
    let mut arguments = arguments.iter();
    while let Some(&argument) = arguments.next() {
        match argument {
            "--table" => settings.table_bytes = number(argument, arguments.next())?.saturating_mul(1 << 20),
            "--threads" => settings.threads = number(argument, arguments.next())?,
            "--rules-only" => rules_only = true,
            moves => play(&mut record, moves)?,
        }
    }
    println!("{:#}\n", record.position());
    if rules_only {
        print(&record, &mut Solver::new(Foresight, settings));
    } else {
        print(&record, &mut Solver::new(Threats, settings));
    }
    Ok(())
}

fn play(record: &mut Record<ConnectFour>, moves: &str) -> Result<(), String> {
    for (index, digit) in moves.char_indices() {
        let column = digit.to_digit(10).and_then(|digit| Column::new((digit as usize).checked_sub(1)?));
        let column = column
            .ok_or_else(|| format!("move {}: expected a column from 1 to 7, found `{digit}`", index + 1))?;
        record.play(column).map_err(|error| format!("move {} of `{moves}`: {error}", index + 1))?;
    }
    Ok(())
}

fn print<I: search_core::Insight<ConnectFour>>(
    record: &Record<ConnectFour>,
    solver: &mut Solver<ConnectFour, I>,
) {
    let clock = SystemClock::new();
    let progress = |analysis: &Analysis<Column>| {
        eprintln!(
            "{:>8.1} s {:>14} nodes: {}",
            clock.now().as_secs_f64(),
            analysis.stats.nodes,
            analysis.root.first().map_or_else(|| analysis.score.to_string(), RootMove::score_text)
        );
    };
    let task = Task {
        record,
        player: record.position().to_move(),
        limits: Limits::default(),
        stop: &StopFlag::new(),
        clock: &clock,
        watch: Some(&progress),
    };
    let solution = solver.solve_task(&task);
    let line: String = solution.line.iter().map(|column| (column.index() + 1).to_string()).collect();
    match value(record.position(), &solution) {
        Some(value) => println!("value {value:+}, line {line}"),
        None => println!("between {} and {}", solution.lower, solution.upper),
    }
    let seconds = solution.stats.time.as_secs_f64();
    println!(
        "{} nodes in {seconds:.3} s, table of {} MB{}",
        solution.stats.nodes,
        solver.table_bytes() >> 20,
        if solver.is_exact() { ", keys whole" } else { "" }
    );
}

/// 22 less the stones of the winner.
fn value(position: &ConnectFour, solution: &Solution<Column>) -> Option<i32> {
    let score = solution.score()?;
    let Some(plies) = score.plies_to_end() else { return Some(0) };
    let stones = (position.stones() + plies).div_ceil(2) as i32;
    Some(if score > Score::DRAW { 22 - stones } else { stones - 22 })
}
