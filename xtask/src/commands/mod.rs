//! One file per command.

pub(crate) mod analyse;
pub(crate) mod bots;
pub(crate) mod compare;
pub(crate) mod compliance;
pub(crate) mod conform;
pub(crate) mod engine;
pub(crate) mod fidelity;
pub(crate) mod merge;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod show;
pub(crate) mod soak;
pub(crate) mod tables;
pub(crate) mod tournament;
pub(crate) mod tune;

use std::fmt;
use std::process::ExitCode;

use clap::Subcommand;

/// What `cargo xtask` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    // In the order of the overview: first what a newcomer wants, last what keeps the workbench honest.
    Tournament(Box<tournament::Tournament>),
    Play(play::Play),
    Analyse(analyse::Analyse),
    Bots(bots::Bots),
    Show(show::Show),
    Replay(replay::Replay),
    Render(render::Render),
    Merge(merge::Merge),
    Engine(engine::EngineCommand),
    Compliance(compliance::Compliance),
    Perft(perft::Perft),
    Conform(conform::Conform),
    Fidelity(fidelity::Fidelity),
    Tables(tables::Tables),
    Tune(tune::Tune),
    Compare(compare::Compare),
    Soak(soak::Soak),
}

/// A command that could not do its work: what to tell, and the exit code (1 failed, 2 wrong usage, 3 interrupted).
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: u8,
    message: String,
}

impl Failure {
    /// The work failed: exit code 1.
    pub(crate) fn failed(message: impl fmt::Display) -> Failure {
        Failure { code: 1, message: message.to_string() }
    }

    /// The command was called wrongly: exit code 2.
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

pub(crate) type CommandResult = Result<ExitCode, Failure>;

/// Runs one command.
pub(crate) fn run(command: Command) -> CommandResult {
    match command {
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Bots(arguments) => bots::run(&arguments),
        Command::Fidelity(arguments) => fidelity::run(&arguments),
        Command::Tables(arguments) => arguments.run(),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Engine(arguments) => engine::run(&arguments),
        Command::Compliance(arguments) => compliance::run(&arguments),
    }
}
