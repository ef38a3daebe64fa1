//! `cargo xtask compliance`: is this bot fit to play?

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use arena::ugi::{Examination, Finding, HostSettings, OutsideBot, OutsideSpec, Verdict, examine, games_of};
use clap::Args;

use super::{CommandResult, Failure};
use crate::games::{self, Listed, Visitor, with_game};

/// Check a bot against the protocol (docs/ugi.md) and the rules, and say in plain words what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask compliance \"python3 my_bot.py\" --game hus
  cargo xtask compliance \"comp30024:my_team\" --game expendibots")]
pub(crate) struct Compliance {
    /// The bot's command line, or its spec (`ugi:COMMAND`, `comp30024:DIR`, `comp424:FILE`, `huslines:COMMAND`)
    command: String,
    /// The game; without it, every game that the bot says it plays
    #[arg(long, value_parser = games::names())]
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

struct Games<'a>(&'a Arc<OutsideBot>);

impl Visitor for Games<'_> {
    type Output = Result<Vec<String>, Failure>;

    fn visit<G: Listed>(self) -> Self::Output {
        games_of::<G>(self.0).map_err(Failure::failed)
    }
}

struct Examine<'a>(&'a Arc<OutsideBot>, Examination);

impl Visitor for Examine<'_> {
    type Output = Vec<Finding>;

    fn visit<G: Listed>(self) -> Vec<Finding> {
        let title = Style::new().bold().underline();
        anstream::println!("{title}{}{title:#}", G::NAME);
        examine::<G>(self.0, self.1, &mut print)
    }
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

pub(crate) fn run(arguments: &Compliance) -> CommandResult {
    let spec = OutsideSpec::parse(&arguments.command)
        .and_then(|spec| match spec {
            Some(spec) => Ok(Some(spec)),
            None => OutsideSpec::parse(&format!("ugi:{}", arguments.command)),
        })
        .map_err(Failure::usage)?
        .ok_or_else(|| Failure::usage("expected a command line"))?;
    let bot = Arc::new(spec.bot(HostSettings::default()));
    let games = if let Some(game) = &arguments.game {
        vec![game.clone()]
    } else {
        let any = games::NAMES.first().copied().unwrap_or_default();
        let mut said = with_game(any, Games(&bot))??;
        said.retain(|game| games::NAMES.contains(&game.as_str()));
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
        let findings = with_game(&game, Examine(&bot, examination))?;
        worst = findings.iter().map(|finding| finding.verdict).fold(worst, Verdict::max);
    }
    if worst == Verdict::Wrong {
        return Err(Failure::failed("this bot is not fit to play yet"));
    }
    anstream::println!("The bot is fit to play.");
    Ok(ExitCode::SUCCESS)
}
