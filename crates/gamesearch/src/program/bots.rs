//! Bots by spec string, for every command that plays: ours from the catalogue, others as programs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agents::Catalogue;
use arena::sandbox::{Sandbox, SandboxChoice, files_of_command};
use arena::ugi::{HostSettings, OutsideSpec};
use arena::{Adapter, ClockKind};
use clap::Args;
use search_core::Bot;

use super::{App, Failure};
use crate::Listed;

/// Whether bots that are programs run in a sandbox, for commands with a few bots.
#[derive(Debug, Clone, Args)]
pub(crate) struct SandboxOptions {
    /// Whether bots that are programs run in a sandbox: auto (as far as the system can), on (wholly, or it is an error), off
    #[arg(long, value_name = "WHEN", default_value_t = SandboxChoice::Auto)]
    sandbox: SandboxChoice,
    /// Folders and files that bots in the sandbox may read besides their own
    #[arg(long, num_args = 1.., value_name = "PATH")]
    readable: Vec<PathBuf>,
}

impl SandboxOptions {
    /// The sandbox of these bots.
    pub(crate) fn of(&self, adapters: &[Adapter], specs: &[&str]) -> Result<Option<Sandbox>, Failure> {
        sandbox(self.sandbox, &self.readable, adapters, specs)
    }

    /// The sandbox of a bot that is a program in any case.
    pub(crate) fn of_program(&self) -> Result<Option<Sandbox>, Failure> {
        choose(self.sandbox, &self.readable)
    }
}

/// The sandbox of these bots, and a word on what it is; none if no bot is a program. No bot sees the files of another.
pub(crate) fn sandbox(
    choice: SandboxChoice,
    readable: &[PathBuf],
    adapters: &[Adapter],
    specs: &[&str],
) -> Result<Option<Sandbox>, Failure> {
    let programs: Vec<OutsideSpec> =
        specs.iter().filter_map(|spec| OutsideSpec::parse(spec, adapters).ok().flatten()).collect();
    if programs.is_empty() {
        return Ok(None);
    }
    let mut sandbox = choose(choice, readable)?;
    if let Some(sandbox) = &mut sandbox {
        sandbox.hidden = programs.iter().flat_map(|program| files_of_command(&program.command())).collect();
    }
    Ok(sandbox)
}

fn choose(choice: SandboxChoice, readable: &[PathBuf]) -> Result<Option<Sandbox>, Failure> {
    let (sandbox, told) = Sandbox::choose(choice).map_err(Failure::usage)?;
    anstream::eprintln!("sandbox of bots from outside: {}", arena::shown(&told));
    Ok(sandbox.map(|sandbox| Sandbox { readable: readable.to_vec(), ..sandbox }))
}

/// What bots from outside are run under.
#[derive(Debug, Clone)]
pub(crate) struct Outside {
    /// How far they may overrun their time.
    pub(crate) margin: Duration,
    /// Memory in MiB, if it is limited.
    pub(crate) memory_mib: Option<u64>,
    /// What time counts.
    pub(crate) counted: ClockKind,
    /// Their sandbox.
    pub(crate) sandbox: Option<Sandbox>,
}

impl Outside {
    /// For everything but matches.
    pub(crate) fn patient(sandbox: Option<Sandbox>) -> Outside {
        Outside { margin: Duration::from_mins(1), memory_mib: None, counted: ClockKind::Wall, sandbox }
    }

    fn settings(&self) -> HostSettings {
        let memory = self.memory_mib.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        HostSettings {
            margin: self.margin,
            memory,
            counted: self.counted,
            sandbox: self.sandbox.clone(),
            ..HostSettings::default()
        }
    }
}

/// Whether a spec string names a program.
pub(crate) fn is_program<G: Listed>(spec: &str) -> bool {
    !matches!(OutsideSpec::parse(spec, G::ADAPTERS), Ok(None))
}

/// Makes a bot.
pub(crate) fn build<G: Listed>(
    catalogue: &Catalogue<G>,
    spec: &str,
    outside: &Outside,
) -> Result<Box<dyn Bot<G>>, String> {
    match OutsideSpec::parse(spec, G::ADAPTERS).map_err(|error| error.to_string())? {
        Some(program) => Ok(Box::new(Arc::new(program.bot(outside.settings())).player::<G>())),
        None => own(catalogue, spec),
    }
}

/// Makes a bot for a question outside of matches; a program runs in the best sandbox there is.
pub(crate) fn build_patiently<G: Listed>(
    catalogue: &Catalogue<G>,
    spec: &str,
) -> Result<Box<dyn Bot<G>>, String> {
    let sandbox =
        sandbox(SandboxChoice::Auto, &[], G::ADAPTERS, &[spec]).map_err(|error| error.to_string())?;
    build(catalogue, spec, &Outside::patient(sandbox))
}

/// Makes a bot of the catalogue.
pub(crate) fn own<G: Listed>(catalogue: &Catalogue<G>, spec: &str) -> Result<Box<dyn Bot<G>>, String> {
    // First the name alone: behind that of another game's adapter stands a command line or a path, not options.
    if let Some(Ok(name)) = spec.split(':').next().map(str::parse) {
        catalogue.check(&name).map_err(|error| error.to_string())?;
    }
    catalogue.build(spec).map_err(|error| error.to_string())
}

/// What decides how a bot plays besides its spec: the version of our code, or the contents of a program's files.
pub(crate) fn fingerprint(app: &App, spec: &str) -> String {
    match OutsideSpec::parse(spec, &app.adapters()) {
        Ok(Some(program)) => match program.fingerprint() {
            Ok(digest) => format!("files {digest}"),
            // It will not start either, and says so before the first game.
            Err(error) => format!("unreadable: {error}"),
        },
        _ => format!("agents {}", env!("CARGO_PKG_VERSION")),
    }
}

/// Whether a bot can only follow games from the standard start, move by move.
pub(crate) fn needs_the_start<G: Listed>(spec: &str) -> bool {
    matches!(OutsideSpec::parse(spec, G::ADAPTERS), Ok(Some(program)) if program.needs_the_start())
}
