//! Bots by spec string, for every command that plays: ours from the catalogue, others as programs.

use std::sync::Arc;
use std::time::Duration;

use agents::Catalogue;
use arena::ugi::{HostSettings, OutsideSpec};
use search_core::{Bot, Game};

/// What bots from outside are run under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    /// How far they may overrun their time.
    pub(crate) margin: Duration,
    /// Memory in MiB, if it is limited.
    pub(crate) memory_mib: Option<u64>,
}

impl Outside {
    fn settings(self) -> HostSettings {
        let memory = self.memory_mib.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        HostSettings { margin: self.margin, memory, ..HostSettings::default() }
    }
}

/// Whether a spec string names a program.
pub(crate) fn is_program(spec: &str) -> bool {
    !matches!(OutsideSpec::parse(spec), Ok(None))
}

/// Makes a bot.
pub(crate) fn build<G: Game>(
    catalogue: &Catalogue<G>,
    spec: &str,
    outside: Outside,
) -> Result<Box<dyn Bot<G>>, String> {
    match OutsideSpec::parse(spec).map_err(|error| error.to_string())? {
        Some(program) => Ok(Box::new(Arc::new(program.bot(outside.settings())).player::<G>())),
        None => catalogue.build(spec).map_err(|error| error.to_string()),
    }
}

/// What decides how a bot plays besides its spec: the version of our code, or the contents of a program's files.
pub(crate) fn fingerprint(spec: &str) -> String {
    match OutsideSpec::parse(spec) {
        Ok(Some(program)) => match program.fingerprint() {
            Ok(digest) => format!("files {digest}"),
            // It will not start either, and says so before the first game.
            Err(error) => format!("unreadable: {error}"),
        },
        _ => format!("agents {}", env!("CARGO_PKG_VERSION")),
    }
}

/// Whether a bot can only follow games from the standard start, move by move.
pub(crate) fn needs_the_start(spec: &str) -> bool {
    matches!(OutsideSpec::parse(spec), Ok(Some(OutsideSpec::Comp30024(_))))
}
