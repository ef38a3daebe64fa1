//! `gamesearch compliance`: is this bot fit to play?

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use arena::ugi::{Examination, Finding, HostSettings, OutsideBot, OutsideSpec, Verdict, examine};
use clap::Args;

use super::{App, CommandResult, Failure};
use crate::Listed;

/// Check a bot against the protocol (docs/ugi.md) and the rules, and say in plain words what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} compliance \"python3 my_bot.py\" --game {game}
  {program} compliance ./my_bot")]
pub(crate) struct Compliance {
    /// The bot's command line, or its spec (`ugi:COMMAND`, or one of the game's adapters)
    command: String,
    /// The game; without it, every game that the bot says it plays
    #[arg(long)]
    game: Option<String>,
    /// How many positions of random games it has to answer
    #[arg(long, default_value_t = 40)]
    positions: u32,
    /// Milliseconds for each of these moves
    #[arg(long, default_value_t = 200)]
    movetime: u64,
    /// The seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Examines a bot in one game.
pub(crate) fn examine_game<G: Listed>(bot: &Arc<OutsideBot>, examination: Examination) -> Vec<Finding> {
    let title = Style::new().bold().underline();
    anstream::println!("{title}{}{title:#}", G::NAME);
    examine::<G>(bot, examination, &mut print)
}

fn print(finding: &Finding) {
    let colour = match finding.verdict {
        Verdict::Fine => AnsiColor::Green,
        Verdict::Remark => AnsiColor::Yellow,
        Verdict::Wrong => AnsiColor::Red,
    };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    let text = finding.text.replace('\n', "\n          ");
    let colon = if text.is_empty() { "" } else { ": " };
    anstream::println!("  {style}{:<6}{style:#}  {}{colon}{text}", finding.verdict, finding.check);
}

pub(crate) fn run(app: &App, arguments: &Compliance) -> CommandResult {
    let spec = OutsideSpec::parse(&arguments.command, &app.adapters())
        .and_then(|spec| match spec {
            Some(spec) => Ok(Some(spec)),
            None => OutsideSpec::parse(&format!("ugi:{}", arguments.command), &[]),
        })
        .map_err(Failure::usage)?
        .ok_or_else(|| Failure::usage("expected a command line"))?;
    let bot = Arc::new(spec.bot(HostSettings::default()));
    let games = if let Some(game) = &arguments.game {
        vec![game.clone()]
    } else {
        // Any game will do to ask.
        let Some(any) = app.games.first() else { return Err(Failure::usage("there is no game")) };
        let mut said = any.games_of(&bot)?;
        said.retain(|game| app.names().contains(&game.as_str()));
        if said.is_empty() {
            return Err(Failure::usage("the bot does not say what it plays (option UGI_Game): give --game"));
        }
        said
    };
    let examination = Examination {
        positions: arguments.positions,
        movetime: Duration::from_millis(arguments.movetime.max(1)),
        seed: arguments.seed,
    };
    let mut worst = Verdict::Fine;
    for game in games {
        let findings = app.game(&game)?.examine(&bot, examination);
        worst = findings.iter().map(|finding| finding.verdict).fold(worst, Verdict::max);
    }
    if worst == Verdict::Wrong {
        return Err(Failure::failed("this bot is not fit to play yet"));
    }
    anstream::println!("The bot is fit to play.");
    Ok(ExitCode::SUCCESS)
}
