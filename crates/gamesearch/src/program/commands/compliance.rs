//! `gamesearch compliance`: is this bot fit to play?

use std::process::ExitCode;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use arena::ugi::{Examination, Finding, HostSettings, OutsideBot, OutsideSpec, Severity, examine};
use arena::{ClockKind, MatchLimits, parse_duration};
use clap::Args;

use super::tournament::{checked_clock, word};
use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::bots::SandboxOptions;

/// Check a bot against the protocol (docs/ugi.md) and the rules, and say in plain words what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} compliance \"python3 my_bot.py\" --game {game}
  {program} compliance ./my_bot --limits movetime=2s,first=10s
  {program} compliance ./my_bot --limits gametime=60s --clock cpu --positions 100")]
pub(crate) struct Compliance {
    /// The bot's command line, or its spec (`ugi:COMMAND`, or one of the game's adapters)
    command: String,
    /// The game; without it, every game that the bot says it plays
    #[arg(long)]
    game: Option<String>,
    /// How many moves it has to find, in games against random moves
    #[arg(long, default_value_t = 40)]
    positions: u32,
    /// What it may spend on them, as in a tournament: movetime=TIME[,first=TIME], gametime=TIME[,inc=TIME], nodes=N, or official
    /// (those of the game's own contest) [default: official, else movetime=1s]
    #[arg(long, value_name = "LIMITS")]
    limits: Option<String>,
    /// How far it may overrun its time
    #[arg(long, value_name = "TIME", default_value = "100ms")]
    margin: String,
    /// What limits in time count: wall (from question to answer) or cpu (what the processor works for the bot, its children
    /// included) [default: wall]
    #[arg(long, value_name = "CLOCK", value_parser = word::<ClockKind>)]
    clock: Option<ClockKind>,
    /// The seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Examines a bot in one game.
pub(crate) fn examine_game<G: Listed>(
    bot: &Arc<OutsideBot>,
    arguments: &Compliance,
) -> Result<Vec<Finding>, Failure> {
    let limits = match (arguments.limits.as_deref(), G::OFFICIAL) {
        (None | Some("official"), Some(official)) => official,
        (None, None) => "movetime=1s",
        (Some("official"), None) => {
            let problem = format!("{} has no official limits: give others, such as `movetime=1s`", G::NAME);
            return Err(Failure::usage(problem));
        }
        (Some(limits), _) => limits,
    };
    let limits: MatchLimits = limits.parse().map_err(|error| Failure::usage(format!("--limits: {error}")))?;
    let title = Style::new().bold().underline();
    outln!("{title}{}{title:#} ({limits})", G::NAME);
    let examination = Examination { positions: arguments.positions, limits, seed: arguments.seed };
    Ok(examine::<G>(bot, examination, &mut print))
}

fn print(finding: &Finding) {
    let colour = match finding.severity {
        Severity::Fine => AnsiColor::Green,
        Severity::Remark => AnsiColor::Yellow,
        Severity::Wrong => AnsiColor::Red,
    };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    let text = finding.text.replace('\n', "\n          ");
    let colon = if text.is_empty() { "" } else { ": " };
    outln!("  {style}{:<6}{style:#}  {}{colon}{text}", finding.severity, finding.check);
}

pub(crate) fn run(app: &App, arguments: &Compliance) -> CommandResult {
    let margin = parse_duration(&arguments.margin).ok_or_else(|| {
        Failure::usage(format!("--margin: expected a time such as `100ms`, found `{}`", arguments.margin))
    })?;
    let clock = checked_clock(arguments.clock.unwrap_or_default())?;
    let spec = OutsideSpec::parse(&arguments.command, &app.adapters())
        .and_then(|spec| match spec {
            Some(spec) => Ok(Some(spec)),
            None => OutsideSpec::parse(&format!("ugi:{}", arguments.command), &[]),
        })
        .map_err(Failure::usage)?
        .ok_or_else(|| Failure::usage("expected a command line"))?;
    let bot = Arc::new(spec.bot(HostSettings {
        margin,
        counted: clock,
        sandbox: arguments.sandbox.of_program()?,
        ..HostSettings::default()
    }));
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
    let mut worst = Severity::Fine;
    for game in games {
        let findings = app.game(&game)?.examine(&bot, arguments)?;
        worst = findings.iter().map(|finding| finding.severity).fold(worst, Severity::max);
    }
    if worst == Severity::Wrong {
        return Err(Failure::failed("this bot is not fit to play yet"));
    }
    outln!("The bot is fit to play.");
    Ok(ExitCode::SUCCESS)
}
