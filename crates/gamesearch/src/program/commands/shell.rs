//! `gamesearch completions` and `gamesearch man`: what a shell and `man` want to know of the program.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::Shell;

use super::{App, CommandResult, Failure};

/// Print the completions for a shell: commands, options, games
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} completions bash > ~/.local/share/bash-completion/completions/{program}
  {program} completions zsh > ~/.zfunc/_{program}
  {program} completions fish > ~/.config/fish/completions/{program}.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write those of all commands into a folder
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} man | man -l -
  {program} man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write one page for the program and one for each command into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn completions(app: &App, arguments: &Completions) -> CommandResult {
    // Into a string first: a closed pipe is no reason to panic.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut app.command(), &app.program, &mut script);
    print(&script)
}

pub(crate) fn man(app: &App, arguments: &Man) -> CommandResult {
    // Pages are named after the whole command: `gamesearch-play`.
    let mut command = app.command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.out else { return print(&page(&command)?) };
    let failed = |path: &Path, error: io::Error| Failure::failed(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let pages = std::iter::once(&command).chain(command.get_subcommands());
    for command in pages {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{}.1", name.replace(' ', "-")));
        fs::write(&path, page(command)?).map_err(|error| failed(&path, error))?;
        outln!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The manual page of a command.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut text)
        .map_err(|error| Failure::failed(format!("cannot write the manual page: {error}")))?;
    Ok(text)
}

fn print(text: &[u8]) -> CommandResult {
    match io::stdout().lock().write_all(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write to the terminal: {error}")))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
