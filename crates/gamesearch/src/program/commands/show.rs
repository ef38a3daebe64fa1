//! `gamesearch show`: draws a position in the terminal.

use std::process::ExitCode;

use clap::Args;
use search_core::Paint;

use super::{App, CommandResult, Failure};
use crate::Listed;

/// Draw a position in the terminal, with its legal moves
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  {program} show {game}\n  {program} show {game} \"POSITION\"")]
pub(crate) struct Show {
    /// The game
    game: String,
    /// The position, in the game's notation [default: the start]
    position: Option<String>,
}

pub(crate) fn run(app: &App, arguments: &Show) -> CommandResult {
    app.game(&arguments.game)?.show(arguments.position.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// Colours where they are seen; `NO_COLOR` and pipes turn them off in the stream below as well.
pub(crate) fn paint() -> Paint {
    if anstream::AutoStream::choice(&std::io::stdout()) == anstream::ColorChoice::Never {
        Paint::Plain
    } else {
        Paint::Ansi
    }
}

/// Draws a position, or the start.
pub(crate) fn draw<G: Listed>(position: Option<&str>) -> Result<(), Failure> {
    let position: G = match position {
        None => G::initial(&G::Setup::default(), 0),
        Some(text) => text
            .parse()
            .map_err(|error| Failure::usage(format!("this is not a position of {}: {error}", G::NAME)))?,
    };
    outln!("{}\n{position}", position.picture(paint()));
    if let Some(end) = position.end() {
        outln!("the game is over: {end}");
    }
    for player in position.active().players() {
        let moves: Vec<String> =
            position.move_list(player).as_ref().iter().map(ToString::to_string).collect();
        if !moves.is_empty() {
            outln!("{player} has {} moves: {}", moves.len(), moves.join(" "));
        }
    }
    Ok(())
}
