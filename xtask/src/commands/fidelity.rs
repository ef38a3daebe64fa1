//! `cargo xtask fidelity`: our versions of the report's bots against what the authors' programs answered.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use agents::fidelity::{Compare, FidelityError};
use clap::Args;

use crate::games::{Developed, Visitor, asked, with_game, workspace};
use gamesearch::{CommandResult, Failure};

/// Compare our report bots with the answers of the authors' own programs
///
/// Reads files of JSON lines, prints the agreement per field, the first ten lines that differ, and the totals. The exit code
/// is 1 if any line differs or cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask fidelity                   the files of all four games
  cargo xtask fidelity hus               that of one
  cargo xtask fidelity hus FILE...       other files")]
pub(crate) struct Fidelity {
    /// The game; all four without one
    game: Option<String>,
    /// Fidelity files [default: the game's file in the tests of the bots]
    files: Vec<PathBuf>,
}

/// How many differing lines are shown in full.
const SHOWN: usize = 10;

pub(crate) fn run(arguments: &Fidelity) -> CommandResult {
    let mut agree = true;
    for game in asked(arguments.game.as_deref()) {
        let own = workspace().join(format!("crates/agents/tests/data/{game}-fidelity.jsonl"));
        let files = if arguments.files.is_empty() { &[own][..] } else { &arguments.files };
        agree &= compare_files(game, files)?;
    }
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the lines of files; whether all agree.
fn compare_files(game: &str, files: &[PathBuf]) -> Result<bool, Failure> {
    struct Find;
    impl Visitor for Find {
        type Output = Option<Compare>;
        fn visit<G: Developed>(self) -> Option<Compare> {
            G::fidelity()
        }
    }
    let compare = with_game(game, Find)?
        .ok_or_else(|| Failure::usage(format!("{game} has no report bot to compare")))?;
    let mut totals = Totals::default();
    for file in files {
        let text = fs::read_to_string(file).map_err(Failure::cannot("read", &file))?;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            totals.add(&format!("{}:{}", file.display(), index + 1), line, compare);
        }
    }
    for (field, (agree, compared)) in &totals.fields {
        println!("{field:<28} {agree:>6} of {compared:>6}");
    }
    let Totals { lines, differ, .. } = totals;
    println!("fidelity {game}: {lines} lines, {} agree, {differ} differ", lines - differ);
    Ok(differ == 0)
}

#[derive(Default)]
struct Totals {
    lines: usize,
    differ: usize,
    /// For each field how often it agreed, and how often it was compared.
    fields: BTreeMap<String, (usize, usize)>,
}

impl Totals {
    fn add(&mut self, place: &str, line: &str, compare: Compare) {
        self.lines += 1;
        let compared = serde_json::from_str(line)
            .map_err(|error| FidelityError::Json(error.to_string()))
            .and_then(|line| compare(&line));
        let mut problems = Vec::new();
        match compared {
            Err(error) => problems.push(error.to_string()),
            Ok(fields) => {
                for field in fields {
                    let count = self.fields.entry(field.name.clone()).or_default();
                    count.1 += 1;
                    if field.agrees() {
                        count.0 += 1;
                    } else {
                        problems.push(format!(
                            "{}: expected {}, found {}",
                            field.name, field.expected, field.found
                        ));
                    }
                }
            }
        }
        if !problems.is_empty() {
            self.differ += 1;
            if self.differ <= SHOWN {
                println!("{place}\n  {}", problems.join("\n  "));
            }
        }
    }
}
