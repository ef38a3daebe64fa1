//! `gamesearch replay`: shows a game of a run in the terminal.

use std::path::PathBuf;
use std::process::ExitCode;

use arena::{FinishedGame, SavedGame, read_journal, shown, shown_lines};
use clap::Args;
use search_core::{Outcome, turn_text};

use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::commands::show::paint;
use crate::program::run_folder::RunFolder;

/// Show a game of a run, or a saved game, in the terminal
///
/// Every turn is played again by the rules. Without --ply all positions are shown one after the other.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  {program} replay runs/001 42\n  {program} replay runs/001 42 --ply 10\n  \
    {program} replay saved.json"
)]
pub(crate) struct Replay {
    /// The run folder or its journal; or a file with one saved game
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The number of the game in the run (the field `index` of the journal), or the beginning of its id
    #[arg(value_name = "GAME")]
    number: Option<String>,
    /// Show only the position after this many turns
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
}

pub(crate) fn run(app: &App, arguments: &Replay) -> CommandResult {
    let (saved, faults) = match &arguments.number {
        Some(game) => find(&RunFolder::at(arguments.run.clone()), game)?,
        None => (read_saved(&arguments.run)?, Vec::new()),
    };
    app.game(&saved.course.game)?.replay(&saved, arguments.ply)?;
    for fault in faults {
        outln!("{fault}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The game of a journal with this number, or whose id begins so.
fn find(folder: &RunFolder, game: &str) -> Result<(SavedGame, Vec<String>), Failure> {
    let journal = folder.journal_of();
    let mut found: Option<FinishedGame> = None;
    let index = game.parse::<u64>().ok();
    let mut games = 0;
    let scan = read_journal(&journal, None, |_, line| {
        games += 1;
        if found.is_none()
            && (index == Some(line.index) || (game.len() >= 6 && line.id.to_string().starts_with(game)))
        {
            found = Some(line);
        }
    })
    .map_err(Failure::failed)?;
    for problem in scan.problems {
        errln!("journal: {problem}");
    }
    let line = found.ok_or_else(|| {
        Failure::usage(format!(
            "{} has no game `{game}`; it holds {games} games: expected one of their numbers, or six digits of an id",
            journal.display()
        ))
    })?;
    let faults = line
        .result
        .faults
        .iter()
        .map(|fault| format!("{}: {}: {}", fault.player, fault.kind, shown_lines(&fault.message)))
        .collect();
    Ok((line.saved(), faults))
}

fn read_saved(path: &PathBuf) -> Result<SavedGame, Failure> {
    let fail = |problem: String| Failure::usage(format!("{}: {problem}", path.display()));
    if path.is_dir() {
        return Err(fail("which game? give its number after the run folder".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| fail(format!("expected a saved game: {error}")))
}

/// Shows a game.
pub(crate) fn show<G: Listed>(saved: &SavedGame, ply: Option<usize>) -> Result<(), Failure> {
    let record = saved.record::<G>().map_err(Failure::failed)?;
    let turns = record.turns().len();
    if let Some(ply) = ply.filter(|&ply| ply > turns) {
        return Err(Failure::usage(format!("the game has {turns} turns, found --ply {ply}")));
    }
    let players = [shown(&saved.course.players[0]), shown(&saved.course.players[1])];
    outln!("{}: {} against {}", saved.course.game, players[0], players[1]);
    let mut last = String::new();
    for (number, (position, turn)) in record.replay().enumerate() {
        if ply.is_none_or(|ply| ply == number) {
            outln!("\nafter {number} of {turns} turns{last}\n{}\n{position}", position.picture(paint()));
        }
        if let Some(turn) = turn {
            let active = position.active();
            let movers: Vec<String> = active.players().map(|player| player.to_string()).collect();
            last = format!(", {} played {}", movers.join(" and "), turn_text::<G>(active, turn));
        }
    }
    if let (Some(outcome), Some(reason)) = (&saved.outcome, &saved.reason)
        && ply.is_none_or(|ply| ply == turns)
    {
        let result = match outcome {
            Outcome::Win(winner) => format!("{} ({winner}) wins", players[winner.index()]),
            Outcome::Draw => "a draw".to_owned(),
        };
        outln!("\n{result}: {}", shown(reason));
    }
    Ok(())
}
