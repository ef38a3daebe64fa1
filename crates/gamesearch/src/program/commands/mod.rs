//! One file per command.

pub(super) mod analyse;
pub(super) mod bots;
pub(super) mod class;
pub(super) mod collect;
pub(super) mod compliance;
pub(super) mod drive;
pub(super) mod engine;
pub(super) mod exploitability;
pub(super) mod export;
#[cfg(feature = "laws")]
pub(super) mod laws;
pub(super) mod merge;
pub(super) mod moves;
pub(super) mod openings;
pub(super) mod perft;
pub(super) mod plan;
pub(super) mod play;
pub(super) mod render;
pub(super) mod replay;
pub(super) mod sandbox;
pub(super) mod shell;
pub(super) mod show;
pub(super) mod tournament;
pub(super) mod work;

use clap::{ArgMatches, Subcommand};

use super::{App, CommandResult, Failure, web};

/// What the program can do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    // In the order of the overview: first what a newcomer wants.
    Tournament(Box<tournament::Settings>),
    Play(play::Play),
    Analyse(analyse::Analyse),
    Bots(bots::Bots),
    Show(show::Show),
    Replay(replay::Replay),
    Render(render::Render),
    Merge(merge::Merge),
    Plan(plan::Plan),
    Work(work::WorkOn),
    Collect(collect::Collect),
    Drive(drive::Drive),
    Moves(moves::Moves),
    Engine(engine::EngineCommand),
    Compliance(compliance::Compliance),
    Class(class::Class),
    Perft(perft::Perft),
    #[cfg(feature = "laws")]
    Laws(laws::LawsCommand),
    #[command(subcommand)]
    Sandbox(sandbox::SandboxCommand),
    Completions(shell::Completions),
    Man(shell::Man),
    Openings(openings::MakeOpenings),
    Export(export::Export),
    Exploitability(exploitability::ExploitabilityCommand),
}

/// Runs one command; `matches` are what its arguments were read from.
pub(super) fn run(app: &App, command: &Command, matches: &ArgMatches) -> CommandResult {
    match command {
        Command::Tournament(settings) => tournament::run(app, settings, matches),
        Command::Play(arguments) if arguments.web => web::serve(app, arguments),
        Command::Play(arguments) => app.game(&arguments.game)?.play(arguments),
        Command::Analyse(arguments) => app.game(&arguments.game)?.analyse(arguments),
        Command::Bots(arguments) => bots::run(app, arguments),
        Command::Show(arguments) => show::run(app, arguments),
        Command::Replay(arguments) => replay::run(app, arguments),
        Command::Render(arguments) => render::run(app, arguments),
        Command::Merge(arguments) => merge::run(app, arguments),
        Command::Plan(arguments) => plan::run(app, arguments),
        Command::Work(arguments) => work::run(app, arguments),
        Command::Collect(arguments) => collect::run(app, arguments),
        Command::Drive(arguments) => drive::run(app, arguments),
        Command::Moves(arguments) => moves::run(app, arguments),
        Command::Engine(arguments) => app.game(&arguments.game)?.serve(arguments),
        Command::Compliance(arguments) => compliance::run(app, arguments),
        Command::Class(arguments) => class::run(app, arguments),
        Command::Perft(arguments) => perft::run(app, arguments),
        #[cfg(feature = "laws")]
        Command::Laws(arguments) => app.game(&arguments.game)?.laws(arguments),
        Command::Sandbox(command) => sandbox::run(*command),
        Command::Completions(arguments) => shell::completions(app, arguments),
        Command::Man(arguments) => shell::man(app, arguments),
        Command::Openings(arguments) => app.game(&arguments.game)?.make_openings(app, arguments),
        Command::Export(arguments) => export::run(app, arguments),
        Command::Exploitability(arguments) => app.game(&arguments.game)?.exploitability(arguments),
    }
}
