//! The command line of the workbench: `cargo xtask`.

mod bots;
mod commands;
mod draw;
mod games;
mod report;
mod run_folder;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

/// Play, measure and check adversarial game search on four contest games.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, propagate_version = true, after_help = FIRST_STEPS)]
struct Cli {
    #[command(subcommand)]
    command: Option<commands::Command>,
}

const FIRST_STEPS: &str = "First steps:
  cargo xtask tournament              four bots on four games, with ratings and a report, in about a minute
  cargo xtask play hus                a game against the strongest bot
  cargo xtask bots hus                the bots of a game and their options
  cargo xtask tournament --help       the options of a command, with examples";

fn main() -> ExitCode {
    // A bot from outside runs behind a guard, which is this program started again.
    if let Some(code) = arena::ugi::guard_if_asked() {
        return code;
    }
    let cli = Cli::parse();
    let Some(command) = cli.command else {
        // An overview is an answer, not a mistake.
        let mut overview = Cli::command();
        anstream::print!("{}", overview.render_help().ansi());
        return ExitCode::SUCCESS;
    };
    match commands::run(command) {
        Ok(code) => code,
        Err(error) => {
            let style = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
            anstream::eprintln!("{style}error{style:#}: {error}");
            ExitCode::from(error.code)
        }
    }
}
