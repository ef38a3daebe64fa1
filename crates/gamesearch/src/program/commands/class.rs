//! `gamesearch class`: a class of teams, from their submissions to their grades.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use arena::{Control, parse_duration};
use clap::{Args, Subcommand};

use super::{App, CommandResult, Failure};
use crate::program::class::{Home, Ladder, Settings, Until, finals, grades, serve, settings, template};
use crate::program::interrupt::on_interrupt;

/// Run a class: take in submissions, build and check them, let them play a ladder, write its pages
///
/// The folder holds `class.toml`; `class init` writes one with everything explained. The ladder continues where it left off, however it
/// ended, so a timer can start it. Ctrl-C once: finish the games under way; twice: stop at once.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  {program} class init my_class --game {game}
  {program} class my_class --serve
  {program} class my_class --once            until no rating is provisional
  {program} class my_class --for 10m         from a timer
  {program} class final my_class cup
  {program} class grade my_class"
)]
pub(crate) struct Class {
    #[command(subcommand)]
    what: Option<What>,
    /// The folder of the class
    #[arg(required = true)]
    folder: Option<PathBuf>,
    /// End when everything is taken in and no rating is provisional
    #[arg(long)]
    once: bool,
    /// End after this time: 90s, 10m, 2h
    #[arg(long = "for", value_name = "TIME")]
    time: Option<String>,
    /// Serve the pages on the loopback address as well
    #[arg(long)]
    serve: bool,
    /// At this port [default: any]
    #[arg(long, requires = "serve", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write a `class.toml` with everything explained, and the folders it names
    Init {
        /// The folder of the class
        folder: PathBuf,
        /// The game
        #[arg(long)]
        game: Option<String>,
    },
    /// Play a final of `class.toml`, seeded from the ladder, or go on with it
    Final {
        /// The folder of the class
        folder: PathBuf,
        /// The final's name [default: all, one after the other]
        name: Option<String>,
    },
    /// Write the grades as CSV: rank, score, interval, failures, references that were beaten
    Grade {
        /// The folder of the class
        folder: PathBuf,
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

pub(crate) fn run(app: &App, arguments: &Class) -> CommandResult {
    match &arguments.what {
        Some(What::Init { folder, game }) => init(app, folder, game.as_deref()),
        Some(What::Final { folder, name }) => play_finals(app, folder, name.as_deref()),
        Some(What::Grade { folder, out }) => grade(app, folder, out.as_deref()),
        None => ladder(app, arguments),
    }
}

fn init(app: &App, folder: &Path, game: Option<&str>) -> CommandResult {
    let game = game.or_else(|| app.names().first().copied()).unwrap_or_default();
    let entry = app.game(game)?;
    let path = folder.join(settings::FILE);
    if path.exists() {
        return Err(Failure::usage(format!("{} is there already", path.display())));
    }
    let fail = Failure::cannot("write", &path);
    fs::create_dir_all(folder.join("submissions")).map_err(fail)?;
    let adapters: Vec<&str> = entry.adapters().iter().map(|adapter| adapter.name).collect();
    let bots = entry.bot_names();
    let references: Vec<&str> = ["random", "greedy"].into_iter().filter(|name| bots.contains(name)).collect();
    fs::write(&path, template::text(&app.program, game, &adapters, &references)).map_err(fail)?;
    // What was written must be what is read.
    Settings::read(app, folder)?;
    outln!("{}: say there what your class is", path.display());
    outln!("{}: a folder for each team goes here", folder.join("submissions").display());
    outln!("then: {} class {} --serve", app.program, folder.display());
    Ok(ExitCode::SUCCESS)
}

fn ladder(app: &App, arguments: &Class) -> CommandResult {
    let folder = arguments.folder.as_deref().unwrap_or(Path::new("."));
    let time = match &arguments.time {
        None => None,
        Some(text) => Some(parse_duration(text).ok_or_else(|| {
            Failure::usage(format!("--for: expected a time such as `90s`, `10m` or `2h`, found `{text}`"))
        })?),
    };
    let settings = Settings::read(app, folder)?;
    let home = Home::open(folder)?;
    let ladder = Ladder::new(app, &home, &settings)?;
    if arguments.serve {
        let address = serve::serve(home.at(&settings.site.folder), arguments.port)?;
        outln!("{address}");
    }
    let control = handle_interrupts()?;
    let until = Until { settled: arguments.once, time };
    let whole = ladder.run(until, &control)?;
    tell_left_over();
    let over = whole || (time.is_some() && !control.is_interrupted());
    Ok(if over { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn play_finals(app: &App, folder: &Path, name: Option<&str>) -> CommandResult {
    let settings = Settings::read(app, folder)?;
    let chosen: Vec<_> =
        settings.finals.iter().filter(|one| name.is_none_or(|name| name == one.name.text())).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = settings.finals.iter().map(|one| one.name.text()).collect();
        return Err(Failure::usage(match name {
            Some(name) => format!("class.toml has no final `{name}`; they are: {}", names.join(", ")),
            None => "class.toml has no [[final]]".to_owned(),
        }));
    }
    let home = Home::open(folder)?;
    let ladder = Ladder::new(app, &home, &settings)?;
    let control = handle_interrupts()?;
    for one in chosen {
        if !finals::play(&ladder, one, &control)? {
            tell_left_over();
            errln!("interrupted; the same command goes on");
            return Ok(ExitCode::from(3));
        }
    }
    tell_left_over();
    Ok(ExitCode::SUCCESS)
}

fn grade(app: &App, folder: &Path, out: Option<&Path>) -> CommandResult {
    let settings = Settings::read(app, folder)?;
    let home = Home::open(folder)?;
    let ladder = Ladder::new(app, &home, &settings)?;
    let text = grades::csv(&ladder)?;
    match out {
        None => out!("{text}"),
        Some(path) => fs::write(path, text).map_err(Failure::cannot("write", &path))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The first signal asks for an orderly end, the second ends the program: what is finished is on the disk.
fn handle_interrupts() -> Result<Control, Failure> {
    let control = Control::default();
    let handle = control.clone();
    on_interrupt(move || {
        if handle.is_interrupted() {
            std::process::exit(3);
        }
        handle.interrupt();
        errln!("\nfinishing the games under way; once more to stop at once");
    })?;
    Ok(control)
}

/// Looks whether submissions left processes behind.
fn tell_left_over() {
    // What ends takes a moment.
    std::thread::sleep(Duration::from_millis(20));
    let left = arena::ugi::left_over();
    for stray in &left.killed {
        errln!("left behind and killed: {} ({})", stray.pid, arena::shown(&stray.name));
    }
    for stray in &left.alive {
        errln!("still there: {} ({})", stray.pid, arena::shown(&stray.name));
    }
}
