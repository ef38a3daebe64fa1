//! `cargo xtask compare`: our speed beside another's, measured in one run.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::page;
use crate::games::workspace;
use gamesearch::{CommandResult, Failure};

/// Compare our speed with another's, both in one run
///
/// Builds the comparisons with full optimisation, runs ours and the other's work in turn, and prints for each row the
/// medians, their ratio, the target and whether it is met. Give it a quiet machine. Rows of the page run in Chromium.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cargo xtask compare\n  cargo xtask compare hus\n  \
    cargo xtask compare contract-perft --json")]
pub(crate) struct Compare {
    /// A row, or the beginning of its name [default: all rows]
    name: Option<String>,
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Print the names of the rows only
    #[arg(long, conflicts_with = "json")]
    list: bool,
}

/// A measured row, as the packages of comparisons print it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    name: String,
    about: String,
    unit: String,
    ours: f64,
    seconds: f64,
    against: Option<String>,
    theirs: Option<f64>,
    ratio: Option<f64>,
    target: Target,
    clock: String,
    met: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Target {
    Ratio(f64),
    Rate(f64),
    Seconds(f64),
}

pub(crate) fn run(arguments: &Compare) -> CommandResult {
    let root = workspace();
    let packages = ["benches/Cargo.toml", "benches/peers/Cargo.toml"].map(|manifest| root.join(manifest));
    let packages = packages.into_iter().filter(|manifest| manifest.exists()).map(Source::Package);
    let sources: Vec<Source> = packages.chain([Source::Page(root.join(PAGE))]).collect();

    let mut chosen = Vec::new();
    let mut all = Vec::new();
    for source in &sources {
        let names = source.names()?;
        if names.iter().any(|name| arguments.name.as_ref().is_none_or(|wanted| name.starts_with(wanted))) {
            chosen.push(source);
        }
        all.extend(names);
    }
    if arguments.list {
        for name in all {
            anstream::println!("{name}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let (true, Some(wanted)) = (chosen.is_empty(), &arguments.name) {
        let nearest = agents::nearest(wanted, all.iter().map(String::as_str));
        let hint = nearest.map_or(String::new(), |nearest| format!(", did you mean `{nearest}`?"));
        return Err(Failure::usage(format!(
            "no row is called `{wanted}`{hint} (the rows are {})",
            all.join(", ")
        )));
    }

    let mut rows = Vec::new();
    for source in chosen {
        let wanted: Vec<&str> = arguments.name.as_deref().into_iter().collect();
        for line in lines(source, source.measuring()?.args(&wanted), announce)? {
            let row: Row = serde_json::from_str(&line)
                .map_err(|error| Failure::failed(format!("{source} printed `{line}`: {error}")))?;
            rows.push(row);
        }
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&rows).map_err(Failure::failed)?;
        anstream::println!("{text}");
    } else {
        anstream::println!("{}", table(&rows));
        let met = rows.iter().filter(|row| row.met).count();
        anstream::println!("{met} of {} targets met", rows.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of the page, with its package of tests.
const PAGE: &str = "crates/playground/page";

/// What measures rows.
#[derive(Debug)]
enum Source {
    /// A package of comparisons, by its manifest.
    Package(PathBuf),
    /// The tests of the page, which measure it in a browser, by their folder.
    Page(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Source::Package(path) | Source::Page(path)) = self;
        write!(f, "the comparisons of {}", path.display())
    }
}

impl Source {
    /// The program without arguments, and without what it needs to measure.
    fn program(&self) -> Command {
        match self {
            Source::Package(manifest) => {
                let mut command = cargo();
                command.args(["run", "--quiet", "--release", "--manifest-path"]).arg(manifest).arg("--");
                command
            }
            Source::Page(folder) => {
                let mut command = Command::new("node");
                command.arg(folder.join("tests/speed.mjs"));
                command
            }
        }
    }

    /// The names of its rows. The page has none where nothing is there to measure it with.
    fn names(&self) -> Result<Vec<String>, Failure> {
        if let Source::Page(folder) = self
            && !folder.join("node_modules/playwright-core").exists()
        {
            anstream::eprintln!("the rows of the page are left out: they need node, and `npm ci` in {PAGE}");
            return Ok(Vec::new());
        }
        lines(self, self.program().arg("--list"), |_| ())
    }

    /// The program that measures, with all it needs.
    fn measuring(&self) -> Result<Command, Failure> {
        let mut command = self.program();
        if let Source::Page(_) = self {
            let page = page::write_for_tests()?;
            command.env("PAGE", page).env("ENGINE", engine()?);
        }
        Ok(command)
    }
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The engine of the page as a program of this machine, built as it is released; the file.
fn engine() -> Result<PathBuf, Failure> {
    let mut command = cargo();
    command.args([
        "build",
        "--quiet",
        "--locked",
        "--release",
        "--package",
        "playground",
        "--example",
        "engine",
    ]);
    page::built(&mut command, "engine", "the engine of the page cannot be built")
}

/// Runs a program of comparisons and collects the lines it prints, each shown to `watch` as it comes.
fn lines(source: &Source, command: &mut Command, watch: impl Fn(&str)) -> Result<Vec<String>, Failure> {
    let failed = |what: &str| Failure::failed(format!("{source} {what}"));
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("could not be started: {error}")))?;
    let mut lines = Vec::new();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.map_err(|error| failed(&format!("could not be read: {error}")))?;
            watch(&line);
            lines.push(line);
        }
    }
    let status = child.wait().map_err(|error| failed(&format!("were lost: {error}")))?;
    if status.success() { Ok(lines) } else { Err(failed(&format!("could not be built or run ({status})"))) }
}

/// Tells on the error stream that a row is done: a run takes minutes.
fn announce(line: &str) {
    if let Ok(row) = serde_json::from_str::<Row>(line) {
        anstream::eprintln!("measured {}: {}", row.name, row.about);
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(["name", "ours", "theirs", "against", "ratio", "target", "met"]);
    for row in rows {
        table.add_row([
            row.name.clone(),
            per_second(row.ours, &row.unit),
            row.theirs.map_or("-".to_owned(), |theirs| per_second(theirs, &row.unit)),
            row.against.clone().unwrap_or("-".to_owned()),
            row.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            match row.target {
                Target::Ratio(ratio) => format!("ratio ≥ {ratio}"),
                Target::Rate(rate) => format!("≥ {}", per_second(rate, &row.unit)),
                Target::Seconds(seconds) => format!("≤ {seconds} s (takes {:.3} s)", row.seconds),
            },
            if row.met { "yes" } else { "NO" }.to_owned(),
        ]);
    }
    for index in [1, 2, 4] {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// `12.3 M leaves/s`.
fn per_second(rate: f64, unit: &str) -> String {
    let (number, prefix) = match rate {
        rate if rate >= 1e9 => (rate / 1e9, " G "),
        rate if rate >= 1e6 => (rate / 1e6, " M "),
        rate if rate >= 1e3 => (rate / 1e3, " k "),
        rate => (rate, " "),
    };
    format!("{number:.2}{prefix}{unit}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_as_it_was_written() {
        let line = r#"{"name":"hus-perft","about":"perft 6","unit":"leaves","ours":5.0e8,"seconds":0.11,"against":null,
            "theirs":null,"ratio":null,"target":{"seconds":0.1},"clock":"cpu","met":false}"#;
        let row: Row = serde_json::from_str(line).unwrap();
        let shown = table(&[row]).to_string();
        assert!(shown.contains("500.00 M leaves/s") && shown.contains("≤ 0.1 s (takes 0.110 s)"), "{shown}");
        assert!(shown.contains("NO"), "{shown}");
    }
}
