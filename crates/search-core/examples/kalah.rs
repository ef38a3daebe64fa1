//! Solves Kalah for its margin: `cargo run --release --example kalah -- [HOUSES] [SEEDS] [--table MB] [--threads N]`.
//!
//! The rules are those of Irving, Donkers and Uiterwijk (2000): empty captures count. Kalah(6,4) is worth +10 to the first player.

use std::process::ExitCode;

use search_core::{
    Analysis, Clock, Game, Goal, Limits, Record, RootMove, Solver, SolverSettings, StopFlag, SystemClock,
    Task, TurnBased,
};
use toys::kalah::{House, Kalah, Seeds};
use toys::kalah_insight::Harvest;

const USAGE: &str = "usage: kalah [HOUSES] [SEEDS] [--table MB] [--threads N]
HOUSES and SEEDS from 1 to 6, 6 and 4 without them. The margin is by how many seeds the first player wins; empty captures count.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let mut settings =
        SolverSettings { goal: Goal::Payoff, table_bytes: 256 << 20, ..SolverSettings::default() };
    let mut sizes = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let text = arguments.next().ok_or_else(|| format!("expected a number after `{argument}`"))?;
            text.parse::<usize>()
                .ok()
                .filter(|&number| number > 0)
                .ok_or_else(|| format!("{argument}: expected a whole number from 1, found `{text}`"))
        };
        match argument.as_str() {
            "--table" => settings.table_bytes = number()?.saturating_mul(1 << 20),
            "--threads" => settings.threads = number()?,
            size => sizes.push(size),
        }
    }
    let (houses, seeds) = match sizes[..] {
        [] => ("6", "4"),
        [houses] => (houses, "4"),
        [houses, seeds] => (houses, seeds),
        [_, _, more, ..] => return Err(format!("expected at most two numbers, found `{more}` too")),
    };
    let seeds: Seeds = seeds.parse().map_err(|error| format!("{error}"))?;
    match houses {
        "1" => solve::<1>(seeds, settings),
        "2" => solve::<2>(seeds, settings),
        "3" => solve::<3>(seeds, settings),
        "4" => solve::<4>(seeds, settings),
        "5" => solve::<5>(seeds, settings),
        "6" => solve::<6>(seeds, settings),
        other => return Err(format!("expected a number of houses from 1 to 6, found `{other}`")),
    }
    Ok(())
}

fn solve<const HOUSES: usize>(seeds: Seeds, settings: SolverSettings) {
    let record = Record::new(Kalah::<HOUSES>::initial(&seeds, 0));
    println!("Kalah({HOUSES},{seeds}), empty captures count:\n{:#}\n", record.position());
    let clock = SystemClock::new();
    let progress = |analysis: &Analysis<House>| {
        eprintln!(
            "{:>8.1} s {:>14} nodes: {}",
            clock.now().as_secs_f64(),
            analysis.stats.nodes,
            analysis.root.first().map_or_else(|| analysis.score.to_string(), RootMove::score_text)
        );
    };
    let task = Task {
        record: &record,
        player: record.position().to_move(),
        limits: Limits::default(),
        stop: &StopFlag::new(),
        clock: &clock,
        watch: Some(&progress),
    };
    let mut solver = Solver::new(Harvest, settings);
    let solution = solver.solve_task(&task);
    match solution.score() {
        Some(score) => println!("margin {score}, line {}", in_turns(&record, &solution.line)),
        None => println!("between {} and {}", solution.lower, solution.upper),
    }
    println!(
        "{} nodes in {:.3} s, table of {} MB{}",
        solution.stats.nodes,
        solution.stats.time.as_secs_f64(),
        solver.table_bytes() >> 20,
        if solver.is_exact() { ", keys whole" } else { "" }
    );
}

/// The line with the moves of a player in one turn together: `36 21 4 ...`.
fn in_turns<const HOUSES: usize>(record: &Record<Kalah<HOUSES>>, line: &[House]) -> String {
    let mut position = *record.position();
    let mut text = String::new();
    for &house in line {
        let mover = position.to_move();
        text.push_str(&house.to_string());
        position.play(house);
        if position.to_move() != mover {
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}
