//! Bots by spec string, for every command that plays: ours from the catalogue, others as programs.

use std::sync::Arc;
use std::time::Duration;

use agents::Catalogue;
use arena::ClockKind;
use arena::ugi::{HostSettings, OutsideSpec};
use search_core::Bot;

use super::App;
use crate::Listed;

/// What bots from outside are run under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    /// How far they may overrun their time.
    pub(crate) margin: Duration,
    /// Memory in MiB, if it is limited.
    pub(crate) memory_mib: Option<u64>,
    /// What time counts.
    pub(crate) counted: ClockKind,
}

impl Outside {
    /// For everything but matches.
    pub(crate) const PATIENT: Outside =
        Outside { margin: Duration::from_mins(1), memory_mib: None, counted: ClockKind::Wall };

    fn settings(self) -> HostSettings {
        let memory = self.memory_mib.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        HostSettings { margin: self.margin, memory, counted: self.counted, ..HostSettings::default() }
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
    outside: Outside,
) -> Result<Box<dyn Bot<G>>, String> {
    match OutsideSpec::parse(spec, G::ADAPTERS).map_err(|error| error.to_string())? {
        Some(program) => Ok(Box::new(Arc::new(program.bot(outside.settings())).player::<G>())),
        None => own(catalogue, spec),
    }
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
