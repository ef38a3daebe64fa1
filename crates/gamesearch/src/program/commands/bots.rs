//! `gamesearch bots`: every bot, its options, and one line on what it is.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::{Value, json};

use super::{App, CommandResult};
use crate::Listed;
use crate::program::json;

/// List every bot of a game with its options
///
/// A bot is written `name[:key=value,...]`, the same everywhere: `alphabeta:depth=4,table=off`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} bots            all games, a line for each bot
  {program} bots {game}     one game, with every option")]
pub(crate) struct Bots {
    /// The game; all without one
    game: Option<String>,
    /// Print JSON: one object per line, for each game
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(app: &App, arguments: &Bots) -> CommandResult {
    if arguments.json {
        let games = arguments.game.as_deref().map_or_else(|| app.names(), |game| vec![game]);
        for game in games {
            json::print(&app.game(game)?.bots_as_json());
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(game) = &arguments.game {
        app.game(game)?.list_bots(true);
    } else {
        for game in &app.games {
            game.list_bots(false);
        }
        outln!("\nThe options of a game's bots: {} bots GAME", app.program);
    }
    outln!("Any program that speaks UGI plays too: \"ugi:COMMAND\" (docs/outside-bots.md)");
    Ok(ExitCode::SUCCESS)
}

/// The bots of one game.
pub(crate) fn list<G: Listed>(options: bool) {
    let title = Style::new().bold().underline();
    let name = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
    let faint = Style::new().dimmed();
    outln!("{title}{}{title:#}", G::NAME);
    for bot in G::catalogue().bots() {
        outln!("  {name}{:<10}{name:#} {}", bot.name, bot.about);
        for option in bot.options.iter().filter(|_| options) {
            let default = if option.default.is_empty() { "off" } else { &option.default };
            outln!(
                "      {:<12} {:<28} {}{faint} (default {default}){faint:#}",
                option.key,
                option.values.to_string(),
                option.about
            );
        }
    }
}

/// The bots of one game, with their options.
pub(crate) fn as_json<G: Listed>() -> Value {
    let catalogue = G::catalogue();
    let bots = catalogue.bots().iter().map(|bot| {
        let options = bot.options.iter().map(|option| {
            json!({
                "key": option.key,
                "values": option.values.to_string(),
                "default": option.default,
                "about": option.about,
            })
        });
        json!({ "name": bot.name, "about": bot.about, "options": options.collect::<Vec<_>>() })
    });
    json!({ "game": G::NAME, "bots": bots.collect::<Vec<_>>() })
}
