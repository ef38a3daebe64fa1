//! `gamesearch sandbox`: what the sandbox of bots from outside holds on this machine.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use arena::sandbox::{Held, Strength, try_sandbox};
use arena::shown;
use clap::Subcommand;

use super::{CommandResult, Failure};

/// Check what the sandbox for bots from outside enforces on this machine
#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum SandboxCommand {
    /// Try from inside what a bot might try, and say what was held and what not
    ///
    /// Ends with exit code 1 if anything was possible that should not be.
    Check,
}

pub(crate) fn run(command: SandboxCommand) -> CommandResult {
    let SandboxCommand::Check = command;
    for strength in [Strength::Room, Strength::Rules] {
        match try_sandbox(strength) {
            Ok(found) => {
                anstream::println!("the sandbox ({strength})");
                found.iter().for_each(print);
                let whole = strength == Strength::Room && found.iter().all(|one| one.held);
                return Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(1) });
            }
            Err(why) => anstream::println!("not possible here: {strength}: {}", shown(&why)),
        }
    }
    Err(Failure::failed("there is no sandbox on this machine: bots from outside run with your rights"))
}

fn print(one: &Held) {
    let (word, colour) = if one.held { ("holds", AnsiColor::Green) } else { ("OPEN", AnsiColor::Red) };
    let style = Style::new().bold().fg_color(Some(colour.into()));
    anstream::println!("  {style}{word:<6}{style:#}  {}: {}", shown(&one.what), shown(&one.found));
}
