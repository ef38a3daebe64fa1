//! `cargo xtask compare`: our speed beside another's, measured in one run.

use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use arena::Machine;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::page;
use crate::games::workspace;
use gamesearch::{CommandResult, Failure};

/// Compare our speed with another's, both in one run
///
/// Builds the comparisons with full optimisation, runs ours and the other's work in turn, and prints for each row the
/// medians, their ratio, the target and whether it is met, and below what it was measured on. A row whose rounds lie on both
/// sides of its target is measured again. Run it on a quiet machine. Rows of the page run in Chromium.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cargo xtask compare\n  cargo xtask compare hus\n  \
    cargo xtask compare contract-perft --json")]
pub(crate) struct Compare {
    /// A row, or the beginning of its name [default: all rows]
    name: Option<String>,
    /// Print a JSON object instead of a table: the machine and the rows
    #[arg(long)]
    json: bool,
    /// Print only the names of the rows
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
    against: String,
    theirs: f64,
    ratio: f64,
    lowest: f64,
    highest: f64,
    rounds: usize,
    target: f64,
    clock: String,
    met: bool,
}

/// A run: what it was measured on, and the rows.
#[derive(Debug, Serialize)]
struct Run {
    machine: Conditions,
    rows: Vec<Row>,
}

/// The machine, and how busy it was before and after: load averages of the last minute.
#[derive(Debug, Clone, Serialize)]
struct Conditions {
    processor: String,
    cores: usize,
    compiler: String,
    load: [Option<f64>; 2],
}

impl Conditions {
    /// As they are before the rows; the load after them comes later.
    fn now() -> Conditions {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let told = Command::new(rustc).arg("--version").output().ok();
        let told = told.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
        let compiler = if told.trim().is_empty() { "unknown compiler" } else { told.trim() };
        let Machine { processor, cores, compiler, .. } = Machine::here(compiler, env!("CARGO_PKG_VERSION"));
        Conditions { processor, cores, compiler, load: [load(), None] }
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conditions { processor, cores, compiler, load } = self;
        let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        write!(f, "{processor}, {cores}, {compiler}")?;
        if let [Some(before), Some(after)] = load {
            write!(f, ", load {before:.2} before and {after:.2} after")?;
        }
        Ok(())
    }
}

/// How many processes wanted a processor in the last minute, where the system tells.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
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

    let mut machine = Conditions::now();
    let mut measured = Measured::default();
    for source in chosen {
        let wanted: Vec<&str> = arguments.name.as_deref().into_iter().collect();
        let told = source
            .measuring()
            .and_then(|mut command| lines(source, command.args(&wanted), |line| measured.take(source, line)));
        if let Err(failure) = told {
            measured.problem(failure.to_string());
        }
    }
    machine.load[1] = load();
    let Measured { rows, problems } = measured;
    if arguments.json {
        let text = serde_json::to_string_pretty(&Run { machine, rows }).map_err(Failure::failed)?;
        anstream::println!("{text}");
    } else {
        anstream::println!("{}", table(&rows));
        let met = rows.iter().filter(|row| row.met).count();
        anstream::println!("{met} of {} targets met", rows.len());
        anstream::println!("{machine}");
    }
    if problems.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::failed(problems.join("\n"))) }
}

/// The rows so far, and what went wrong: a source that breaks takes nothing from the others.
#[derive(Debug, Default)]
struct Measured {
    rows: Vec<Row>,
    problems: Vec<String>,
}

impl Measured {
    /// Reads a row, and tells on the error stream that it is done: a run takes minutes.
    fn take(&mut self, source: &Source, line: &str) {
        match serde_json::from_str::<Row>(line) {
            Ok(row) => {
                anstream::eprintln!("measured {}: {}", row.name, row.about);
                self.rows.push(row);
            }
            Err(error) => self.problem(format!("{source} printed `{line}`: {error}")),
        }
    }

    /// Told at once, and again when the command ends.
    fn problem(&mut self, problem: String) {
        anstream::eprintln!("{problem}");
        self.problems.push(problem);
    }
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
        let mut names = Vec::new();
        lines(self, self.program().arg("--list"), |name| names.push(name.to_owned()))?;
        Ok(names)
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

/// Runs a program of comparisons and hands out the lines it prints, each as it comes.
fn lines(source: &Source, command: &mut Command, mut take: impl FnMut(&str)) -> Result<(), Failure> {
    let failed = |what: &str| Failure::failed(format!("{source} {what}"));
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("could not be started: {error}")))?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            take(&line.map_err(|error| failed(&format!("could not be read: {error}")))?);
        }
    }
    let status = child.wait().map_err(|error| failed(&format!("were lost: {error}")))?;
    if status.success() { Ok(()) } else { Err(failed(&format!("could not be built or run ({status})"))) }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(["name", "ours", "theirs", "against", "ratio", "rounds", "target", "met"]);
    for row in rows {
        table.add_row([
            row.name.clone(),
            per_second(row.ours, &row.unit),
            per_second(row.theirs, &row.unit),
            row.against.clone(),
            format!("{:.2}", row.ratio),
            format!("{:.2} to {:.2} in {}", row.lowest, row.highest, row.rounds),
            format!("≥ {}", row.target),
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

    /// A line as the packages of comparisons print it, and one of the page; the tests of those hold them to these files.
    const LINES: [&str; 2] = [
        include_str!("../../../benches/src/row.json"),
        include_str!("../../../crates/playground/page/tests/data/row.json"),
    ];

    #[test]
    fn a_row_of_each_source_reads_as_it_was_written() {
        let rows = LINES.map(|line| serde_json::from_str::<Row>(line).unwrap());
        let shown = table(&rows).to_string();
        assert!(shown.contains("500.00 M leaves/s") && shown.contains("4.50 to 6.25 in 15"), "{shown}");
        assert!(shown.contains("≥ 6 ") && shown.contains("NO"), "{shown}");
        assert!(shown.contains("page-nodes-hus") && shown.contains("0.60 to 0.90 in 3"), "{shown}");
    }

    #[test]
    fn what_goes_wrong_takes_no_row_away() {
        let source = Source::Page(PathBuf::from("page"));
        let mut measured = Measured::default();
        let script = format!("cat <<'END'\n{}not a row\n{}END\nexit 3", LINES[0], LINES[1]);
        let told =
            lines(&source, Command::new("sh").args(["-c", &script]), |line| measured.take(&source, line));
        assert_eq!(
            measured.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
            ["hus-perft", "page-nodes-hus"]
        );
        assert!(measured.problems[0].contains("printed `not a row`: expected"), "{:?}", measured.problems);
        assert!(told.unwrap_err().to_string().contains("could not be built or run (exit status: 3)"));
    }

    #[test]
    fn a_run_says_what_it_was_measured_on() {
        let mut machine = Conditions::now();
        machine.load = [Some(0.5), Some(2.0)];
        let told = machine.to_string();
        assert!(told.contains("core") && told.contains("rustc"), "{told}");
        assert!(told.ends_with("load 0.50 before and 2.00 after"), "{told}");
    }
}
