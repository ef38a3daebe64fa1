//! The command line: a program for a list of games.

#[macro_use]
#[doc(hidden)]
pub mod console;

mod bots;
mod class;
mod commands;
mod entry;
mod failure;
mod help;
mod interrupt;
mod jobs;
mod json;
pub mod pieces;
mod report;
mod run_folder;
mod web;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use arena::Adapter;
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, FromArgMatches, Subcommand};

use crate::Listed;
use entry::{Entry, Of};
pub use failure::{CommandResult, Failure};
pub use jobs::{jobs, processors};

/// A program that plays, analyses and runs tournaments of the games it is given.
///
/// ```no_run
/// # #[cfg(feature = "contests")]
/// # fn main() -> std::process::ExitCode {
/// gamesearch::App::new().with::<hus::Position>().main()
/// # }
/// # #[cfg(not(feature = "contests"))]
/// # fn main() {}
/// ```
pub struct App {
    program: String,
    about: String,
    version: &'static str,
    games: Vec<Box<dyn Entry>>,
    commands: Vec<OwnCommand>,
    kinds: Vec<Box<dyn pieces::Kind>>,
}

/// A command added to those of this crate.
struct OwnCommand {
    command: clap::Command,
    run: Run,
}

type Run = Box<dyn Fn(&App, &ArgMatches) -> CommandResult>;

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.names();
        f.debug_struct("App").field("program", &self.program).field("games", &games).finish_non_exhaustive()
    }
}

impl Default for App {
    fn default() -> App {
        App::new()
    }
}

impl App {
    /// A program without games. It calls itself by the name it was started with.
    pub fn new() -> App {
        let started = std::env::args_os().next();
        let name =
            started.as_deref().and_then(|path| Path::new(path).file_stem()).and_then(|name| name.to_str());
        App {
            program: name.unwrap_or("gamesearch").to_owned(),
            about: "Play, measure and check adversarial game search".to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            games: Vec::new(),
            commands: Vec::new(),
            kinds: vec![Box::new(pieces::Tournament)],
        }
    }

    /// The same program with one more game.
    #[must_use]
    pub fn with<G: Listed>(mut self) -> App {
        self.games.push(Box::new(Of::<G>::new()));
        self
    }

    /// The same program, called so in all messages.
    #[must_use]
    pub fn called(mut self, program: impl Into<String>) -> App {
        self.program = program.into();
        self
    }

    /// The same program with its own line on what it is.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> App {
        self.about = about.into();
        self
    }

    /// The same program with one more command. Where an argument is called `game`, it takes the name of a game, and in help
    /// texts `{program}` and `{game}` stand for the program's name and that of its first game.
    #[must_use]
    pub fn with_command<A>(
        mut self,
        name: &'static str,
        run: impl Fn(&App, &A) -> CommandResult + 'static,
    ) -> App
    where
        A: clap::Args + FromArgMatches,
    {
        let command = A::augment_args(clap::Command::new(name));
        let run = move |app: &App, matches: &ArgMatches| match A::from_arg_matches(matches) {
            Ok(arguments) => run(app, &arguments),
            Err(error) => Err(Failure::usage(error)),
        };
        self.commands.push(OwnCommand { command, run: Box::new(run) });
        self
    }

    /// The names of the games.
    pub fn names(&self) -> Vec<&'static str> {
        self.games.iter().map(|game| game.name()).collect()
    }

    /// Checks the tables of known counts of one game or of all; the number of wrong entries. Entries with more leaves than
    /// `most` are left out.
    pub fn perft_suite(&self, game: Option<&str>, played: bool, most: u64) -> Result<u64, Failure> {
        commands::perft::suite(self, game, commands::perft::Suite { played, most, json: false })
    }

    /// Whether these arguments, without the program's name, can be read as a command; else what is wrong with them. Nothing is
    /// done: so that a test can read every command line of a document.
    ///
    /// ```
    /// # #[cfg(feature = "contests")] {
    /// let app = gamesearch::contests::app();
    /// assert!(app.check(["perft", "hus", "--depth", "3"]).is_ok());
    /// assert!(app.check(["perft", "hus", "--deep", "3"]).unwrap_err().to_string().contains("--deep"));
    /// # }
    /// ```
    pub fn check<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        let words = std::iter::once("").chain(arguments);
        let matches = match self.command().try_get_matches_from(words) {
            Ok(matches) => matches,
            // A call for help is understood too.
            Err(help) if help.exit_code() == 0 => return Ok(()),
            Err(error) => return Err(Failure::usage(error)),
        };
        let own = |name: &str| self.commands.iter().any(|own| own.command.get_name() == name);
        if matches.subcommand_name().is_none_or(own) {
            return Ok(());
        }
        commands::Command::from_arg_matches(&matches).map(|_| ()).map_err(Failure::usage)
    }

    /// Reads the command line, does the work, and says how it ended: exit code 0 done, 1 failed, 2 wrong usage, 3
    /// interrupted.
    pub fn main(&self) -> ExitCode {
        // A bot from outside runs behind a guard, which is this program started again.
        #[cfg(unix)]
        if let Some(code) = arena::ugi::guard_if_asked() {
            return code;
        }
        let mut command = self.command();
        let matches = command.clone().get_matches();
        if matches.subcommand().is_none() {
            // An overview is an answer, not a mistake.
            out!("{}", command.render_help().ansi());
            return ExitCode::SUCCESS;
        }
        let ended = self.run(&matches);
        // What was done is done, but the output was not read.
        let ended = match console::refused() {
            Some(error) if ended.is_ok() => {
                Err(Failure::failed(format!("cannot write to the standard output: {error}")))
            }
            _ => ended,
        };
        match ended {
            Ok(code) => code,
            Err(error) => {
                let style = anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Red.into()));
                errln!("{style}error{style:#}: {}", arena::shown_lines(&error.to_string()));
                ExitCode::from(error.code())
            }
        }
    }

    fn run(&self, matches: &ArgMatches) -> CommandResult {
        let Some((name, inner)) = matches.subcommand() else { return Ok(ExitCode::SUCCESS) };
        if let Some(own) = self.commands.iter().find(|own| own.command.get_name() == name) {
            return (own.run)(self, inner);
        }
        let command = commands::Command::from_arg_matches(matches).map_err(Failure::usage)?;
        commands::run(self, &command, inner)
    }

    /// The whole command line, as clap describes it.
    fn command(&self) -> clap::Command {
        let whole = clap::Command::new(self.program.clone())
            .bin_name(self.program.clone())
            .version(self.version)
            .about(self.about.clone())
            .propagate_version(true)
            .after_help(help::first_steps(self));
        let mut whole = commands::Command::augment_subcommands(whole);
        whole = whole.subcommands(self.commands.iter().map(|own| own.command.clone()));
        help::fill_in(whole, self)
    }

    /// The adapters of all games, each once.
    fn adapters(&self) -> Vec<Adapter> {
        let mut adapters: Vec<Adapter> =
            self.games.iter().flat_map(|game| game.adapters()).copied().collect();
        adapters.sort_by_key(|adapter| adapter.name);
        adapters.dedup();
        adapters
    }

    /// The parser for the name of a game; a wrong one is answered with the nearest and all valid ones.
    fn name_parser(&self) -> PossibleValuesParser {
        PossibleValuesParser::new(self.names())
    }

    /// The game of this name.
    fn game(&self, name: &str) -> Result<&dyn Entry, Failure> {
        if let Some(game) = self.games.iter().find(|game| game.name() == name) {
            return Ok(&**game);
        }
        let names = self.names();
        let nearest = agents::nearest(name, names.iter().copied());
        let hint = nearest.map_or(String::new(), |nearest| format!(", did you mean `{nearest}`?"));
        Err(Failure::usage(format!("there is no game `{name}`{hint} (the games are {})", names.join(", "))))
    }
}
