//! `gamesearch perft`: counts move sequences, for one position or for the tables of all games.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use search_core::{Game, divide, perft, perft_played, perft_suite};
use serde_json::{Value, json};

use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::json as form;

/// Count move sequences: the yardstick of a move generator
///
/// Prints nodes (the leaves at that depth), seconds and nodes per second. With --suite, checks the tables of known counts
/// that games bring along.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  {program} perft {game} --depth 3\n  \
    {program} perft {game} --depth 2 --divide\n  {program} perft --suite --most 1000000000")]
pub(crate) struct Perft {
    /// The game; with --suite it may be left out: all games
    #[arg(required_unless_present = "suite")]
    game: Option<String>,
    /// How many turns
    #[arg(long, required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// The position, in the game's notation [default: the start]
    #[arg(long, conflicts_with = "suite")]
    position: Option<String>,
    /// Show the count below each move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Play the last turn too instead of counting it
    #[arg(long)]
    played: bool,
    /// Check the tables of known counts
    #[arg(long)]
    suite: bool,
    /// Leave out entries of the tables with more leaves than this
    #[arg(long, requires = "suite", default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
    /// Print JSON: one object per line, for each count
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(app: &App, arguments: &Perft) -> CommandResult {
    if !arguments.suite {
        let Some(game) = &arguments.game else { return Err(Failure::usage("which game?")) };
        app.game(game)?.perft(arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Perft { played, most, json, .. } = *arguments;
    let wrong = suite(app, arguments.game.as_deref(), Suite { played, most, json })?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How the tables of known counts are checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suite {
    /// The last turn is played too.
    pub(crate) played: bool,
    /// Entries with more leaves are left out.
    pub(crate) most: u64,
    pub(crate) json: bool,
}

/// Checks the tables of one game or of all; the number of wrong entries.
pub(crate) fn suite(app: &App, game: Option<&str>, suite: Suite) -> Result<u64, Failure> {
    let mut wrong = 0;
    for game in game.map_or_else(|| app.names(), |game| vec![game]) {
        wrong += app.game(game)?.perft_suite(suite)?;
    }
    Ok(wrong)
}

fn count<G: Game>(position: &G, depth: u32, played: bool) -> (u64, f64) {
    let start = Instant::now();
    let nodes = if played { perft_played(position, depth) } else { perft(position, depth) };
    (nodes, start.elapsed().as_secs_f64())
}

/// Millions per second, or a dash where the time was too short to tell.
fn speed(nodes: u64, seconds: f64) -> String {
    if seconds < 1e-4 { "-".to_owned() } else { format!("{:.1} million", nodes as f64 / seconds / 1e6) }
}

/// One position.
pub(crate) fn one<G: Listed>(arguments: &Perft) -> Result<(), Failure> {
    let Perft { depth, position, divide: divided, played, json, .. } = arguments;
    let depth = depth.unwrap_or(1);
    let position = match position {
        None => G::initial(&G::Setup::default(), 0),
        Some(text) => text
            .parse::<G>()
            .map_err(|error| Failure::usage(format!("`{text}` is not a position of {}: {error}", G::NAME)))?,
    };
    let mut rows = Vec::new();
    let (nodes, seconds) = if *divided {
        let start = Instant::now();
        rows = divide(&position, depth);
        (rows.iter().map(|(_, leaves)| leaves).sum(), start.elapsed().as_secs_f64())
    } else {
        count(&position, depth, *played)
    };
    if *json {
        let mut object = json!({
            "game": G::NAME,
            "position": position.to_string(),
            "depth": depth,
            "nodes": nodes,
            "seconds": seconds,
        });
        if *divided {
            let rows = rows.into_iter().map(|(turn, leaves)| (turn, Value::from(leaves)));
            object["divide"] = Value::Object(rows.collect());
        }
        form::print(&object);
        return Ok(());
    }
    for (turn, leaves) in &rows {
        outln!("{turn:<12} {leaves}");
    }
    outln!(
        "perft {} depth {depth}: {nodes} nodes, {seconds:.3} s, {} nodes/s",
        G::NAME,
        speed(nodes, seconds)
    );
    Ok(())
}

/// Checks the table of a game; the number of wrong entries.
pub(crate) fn table<G: Listed>(suite: Suite) -> Result<u64, Failure> {
    let Suite { played, most, json } = suite;
    let entries = perft_suite::<G>(G::PERFT)
        .map_err(|error| Failure::failed(format!("the table of {}: {error}", G::NAME)))?;
    let (mut right, mut wrong, mut left_out) = (0, 0, 0);
    for entry in entries {
        if entry.leaves > most {
            left_out += 1;
            continue;
        }
        let (nodes, seconds) = count(&entry.position, entry.depth, played);
        let fine = nodes == entry.leaves;
        right += u64::from(fine);
        wrong += u64::from(!fine);
        if json {
            form::print(&json!({
                "game": G::NAME,
                "line": entry.line,
                "position": entry.position.to_string(),
                "depth": entry.depth,
                "expected": entry.leaves,
                "nodes": nodes,
                "seconds": seconds,
            }));
            continue;
        }
        let verdict = if fine { "ok".to_owned() } else { format!("WRONG, the table says {}", entry.leaves) };
        outln!(
            "{} line {}: depth {}, {nodes} nodes, {seconds:.3} s, {} nodes/s: {verdict}",
            G::NAME,
            entry.line,
            entry.depth,
            speed(nodes, seconds)
        );
    }
    if json {
        return Ok(wrong);
    }
    outln!("perft {}: {right} right, {wrong} wrong, {left_out} left out", G::NAME);
    Ok(wrong)
}
