//! `cargo xtask tables`: every number of the four reports that a program can produce, printed and ours side by side.

mod colosseum;
mod expendibots;
mod hus;
mod ropasci360;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{CommandResult, Failure};

/// How much work to put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Fewer games and shorter searches: to see that everything runs.
    Quick,
    /// What the document is made with.
    Full,
}

impl Effort {
    /// The quick or the full number of something.
    pub(crate) fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }
}

/// One table of the document: a title, what it is about, and the rows.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Section {
    /// The table of a report's claims: the claim, how it was tested, what came out.
    pub(crate) fn claims(title: &str, text: &str) -> Section {
        Section {
            title: title.to_owned(),
            text: text.to_owned(),
            columns: vec!["claim", "how it was tested", "what came out"],
            rows: Vec::new(),
        }
    }

    /// Adds a claim.
    pub(crate) fn claim(&mut self, claim: &str, tested: impl Into<String>, result: impl Into<String>) {
        self.rows.push(vec![claim.to_owned(), tested.into(), result.into()]);
    }

    fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let mut out = format!("### {}\n\n", self.title);
        if !self.text.is_empty() {
            let _ = writeln!(out, "{}\n", self.text);
        }
        let _ = writeln!(out, "| {} |", self.columns.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(self.columns.len()));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out
    }
}

/// Regenerate every number of the four contest reports that a program can produce
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask tables                     all four reports, into docs/reproduction.md
  cargo xtask tables hus --quick --print a quick look at one")]
pub(crate) struct Tables {
    /// The games whose reports to go through; all without any.
    games: Vec<String>,
    /// Fewer games and shorter searches: to see that everything runs.
    #[arg(long)]
    quick: bool,
    /// Print the tables instead of writing the document.
    #[arg(long)]
    print: bool,
    /// Where the document goes.
    #[arg(long, default_value = "docs/reproduction.md")]
    out: PathBuf,
}

/// The reports: the game's name, a heading, and what computes its sections.
type Report = (&'static str, &'static str, fn(Effort) -> Vec<Section>);

const REPORTS: &[Report] = &[
    ("expendibots", "Expendibots (Adversarial Attackers)", expendibots::sections),
    ("ropasci360", "RoPaSci 360 (FiveYang)", ropasci360::sections),
    ("hus", "Hus", hus::sections),
    ("colosseum", "Colosseum Survival! (Zhang and Trinh)", colosseum::sections),
];

impl Tables {
    pub(crate) fn run(&self) -> CommandResult {
        for game in &self.games {
            if !REPORTS.iter().any(|(name, ..)| name == game) {
                let known: Vec<&str> = REPORTS.iter().map(|(name, ..)| *name).collect();
                return Err(Failure::usage(format!(
                    "no report on `{game}`; the reports: {}",
                    known.join(", ")
                )));
            }
        }
        let effort = if self.quick { Effort::Quick } else { Effort::Full };
        let mut document = String::from(HEAD);
        for (name, heading, sections) in REPORTS {
            if !self.games.is_empty() && !self.games.iter().any(|game| game == name) {
                continue;
            }
            eprintln!("{name} ...");
            let _ = writeln!(document, "\n## {heading}\n");
            for section in sections(effort) {
                let _ = writeln!(document, "{}", section.markdown());
            }
        }
        let document = format!("{}\n", document.trim_end());
        if self.print {
            anstream::print!("{document}");
        } else {
            fs::write(&self.out, document)
                .map_err(|error| Failure::failed(format!("cannot write {}: {error}", self.out.display())))?;
            eprintln!("wrote {}", self.out.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

const HEAD: &str = "# What the reports say, and what comes out here

Made by `cargo xtask tables`; do not edit by hand. Every number of the four contest reports that a program can produce stands
here beside ours, and every claim is a row: the claim, how it was tested, what came out. Times are ratios to the slowest row
of the same run, because machines differ.
";
