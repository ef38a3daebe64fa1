//! Bots by spec string, for every command that plays: ours from the catalogue, others as programs.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agents::Catalogue;
use arena::Digest;
use search_core::{Bot, Game};

/// What bots from outside are run under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    /// How far they may overrun their time.
    pub(crate) margin: Duration,
    /// Memory in MiB, if it is limited.
    pub(crate) memory_mib: Option<u64>,
}

/// The prefixes of spec strings that name a program.
const PROGRAMS: [&str; 3] = ["ugi:", "comp30024:", "comp424:"];

/// Whether a spec string names a program.
pub(crate) fn is_program(spec: &str) -> bool {
    PROGRAMS.iter().any(|prefix| spec.starts_with(prefix))
}

/// Makes a bot.
pub(crate) fn build<G: Game>(
    catalogue: &Catalogue<G>,
    spec: &str,
    outside: Outside,
) -> Result<Box<dyn Bot<G>>, String> {
    let _ = outside;
    if is_program(spec) {
        return Err("bots as programs are not built in yet".to_owned());
    }
    catalogue.build(spec).map_err(|error| error.to_string())
}

/// What decides how a bot plays besides its spec: the version of our code, or the contents of a program's files.
pub(crate) fn fingerprint(spec: &str) -> String {
    if !is_program(spec) {
        return format!("agents {}", env!("CARGO_PKG_VERSION"));
    }
    let command = spec.split_once(':').map_or(spec, |(_, command)| command);
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for word in command.split_whitespace().map(|word| word.trim_matches(['"', '\''])) {
        add_files(Path::new(word), &mut parts, 0);
    }
    format!("files {}", Digest::of(&parts))
}

/// The contents of a file, or of the files below a folder in the order of their names.
fn add_files(path: &Path, parts: &mut Vec<Vec<u8>>, depth: u32) {
    if path.is_file() {
        if let Ok(contents) = fs::read(path) {
            parts.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned().into_bytes());
            parts.push(contents);
        }
    } else if depth < 8
        && let Ok(entries) = fs::read_dir(path)
    {
        let mut below: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        below.sort();
        for entry in below.iter().filter(|entry| !is_cache(entry)) {
            add_files(entry, parts, depth + 1);
        }
    }
}

/// Files that programs write themselves say nothing about how they play.
fn is_cache(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "__pycache__"
}
