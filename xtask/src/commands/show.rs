//! `cargo xtask show`: draws a position in the terminal.

use std::process::ExitCode;

use clap::Args;
use search_core::Paint;

use super::{CommandResult, Failure};
use crate::games::{self, Listed, Visitor, with_game};

/// Draw a position in the terminal, with its legal moves
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  cargo xtask show expendibots \"8/8/8/3Aa3/8/8/8/8 w 0\"")]
pub(crate) struct Show {
    /// The game
    #[arg(value_parser = games::names())]
    game: String,
    /// The position, in the game's notation [default: the start]
    position: Option<String>,
}

pub(crate) fn run(arguments: &Show) -> CommandResult {
    with_game(&arguments.game, Draw(arguments.position.as_deref()))??;
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

struct Draw<'a>(Option<&'a str>);

impl Visitor for Draw<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self) -> Self::Output {
        let position: G = match self.0 {
            None => G::initial(&G::Setup::default(), 0),
            Some(text) => text
                .parse()
                .map_err(|error| Failure::usage(format!("this is not a position of {}: {error}", G::NAME)))?,
        };
        anstream::println!("{}\n{position}", position.picture(paint()));
        if let Some(end) = position.end() {
            anstream::println!("the game is over: {end}");
        }
        for player in position.active().players() {
            let moves: Vec<String> =
                position.move_list(player).as_ref().iter().map(ToString::to_string).collect();
            if !moves.is_empty() {
                anstream::println!("{player} has {} moves: {}", moves.len(), moves.join(" "));
            }
        }
        Ok(())
    }
}
