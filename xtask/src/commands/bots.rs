//! `cargo xtask bots`: every bot, its options, and one line on what it is.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Args;

use super::CommandResult;
use crate::games::{self, Listed, Visitor, with_game};

/// List every bot of a game with its options
///
/// A bot is written `name[:key=value,...]`, the same everywhere: `alphabeta:depth=4,table=off`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask bots          all games, a line for each bot
  cargo xtask bots hus      one game, with every option")]
pub(crate) struct Bots {
    /// The game; all without one
    #[arg(value_parser = games::names())]
    game: Option<String>,
}

pub(crate) fn run(arguments: &Bots) -> CommandResult {
    if let Some(game) = &arguments.game {
        with_game(game, Listing { options: true })?;
    } else {
        for game in games::NAMES {
            with_game(game, Listing { options: false })?;
        }
        anstream::println!("\nThe options of a game's bots: cargo xtask bots GAME");
    }
    anstream::println!("Any program that speaks UGI plays too: \"ugi:COMMAND\" (docs/outside-bots.md)");
    Ok(ExitCode::SUCCESS)
}

struct Listing {
    options: bool,
}

impl Visitor for Listing {
    type Output = ();

    fn visit<G: Listed>(self) {
        let title = Style::new().bold().underline();
        let name = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
        let faint = Style::new().dimmed();
        anstream::println!("{title}{}{title:#}", G::NAME);
        for bot in G::catalogue().bots() {
            anstream::println!("  {name}{:<10}{name:#} {}", bot.name, bot.about);
            for option in bot.options.iter().filter(|_| self.options) {
                let default = if option.default.is_empty() { "off" } else { &option.default };
                anstream::println!(
                    "      {:<12} {:<28} {}{faint} (default {default}){faint:#}",
                    option.key,
                    option.values.to_string(),
                    option.about
                );
            }
        }
    }
}
