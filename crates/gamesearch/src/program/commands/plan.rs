//! `gamesearch plan`: cuts work into pieces.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{App, CommandResult, Failure};
use crate::program::jobs;
use crate::program::pieces::{Description, WorkFolder, WorkPlan, counted, measure};

/// Cut a tournament into pieces that can be played anywhere
///
/// Writes a folder of pieces, piece-0001.json and so on. Each is complete: `{program} work PIECE` plays it on any machine
/// with this program and writes its sealed result beside it; `{program} collect FOLDER --out RUN` joins the results that are there into an
/// ordinary run, and says what is missing. Any engine that runs commands can run the pieces: a shell loop, GNU parallel over ssh, a
/// Slurm array, Ray. With limits in nodes, playouts or depth the standings are those of one single run, byte for byte.
///
/// Where the next games depend on results, `collect` writes the next pieces: a Swiss tournament has a wave of pieces for each round,
/// a sequential test (sprt) gets more until it ends. Limits in time are multiplied on each machine by the speed of this one over its own, in
/// nodes per second of a short bench; or machines that differ are refused, with --same-machines.
#[derive(Debug, Args)]
#[command(after_help = "The steps of a tournament, on one machine or many:
  {program} plan tournament.toml --pieces 64 --out work
  {program} work work/piece-*.json             here, one after the other
  {program} collect work --out runs/whole      at any time; 0: all done, 3: more to do
  {program} render runs/whole

With a Slurm cluster, watched until all is done:
  {program} drive work --out runs/whole --engine slurm

With GNU parallel, on the machines in the file hosts, all with this folder:
  {program} collect work --out runs/whole --list |
    parallel --sshloginfile hosts --workdir . --retries 3 {program} work {}

FILE is a tournament.toml: `{program} tournament --help`. Other kinds of work begin with a line such as kind = \"tune\".
docs/scaling.md has all engines, and what was measured.")]
pub(crate) struct Plan {
    /// What to play: a tournament.toml
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many pieces to make at a time; a piece is what is lost if a machine fails, so let it take a minute or so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pieces: u64,
    /// The folder of pieces to make
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// With limits in time: do not stretch them, but refuse machines whose speed differs from this one's by more than this percentage
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "10")]
    same_machines: Option<f64>,
    /// How many games each machine plays at the same time: its speed is measured with as many [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

pub(crate) fn run(app: &App, arguments: &Plan) -> CommandResult {
    let name = arguments.file.display().to_string();
    let text = std::fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}")))?;
    let (kind, text) = kind_of(&name, &text)?;
    let work = app.kind(&kind)?.open(app, &Description { name, text, time_scale: 1.0 })?;
    let tolerance = arguments.same_machines.map(|percent| percent / 100.0);
    if let Some(tolerance) = tolerance {
        if !(tolerance.is_finite() && tolerance > 0.0) {
            return Err(Failure::usage("--same-machines takes a number of percent above 0, such as 10"));
        }
        if !work.is_timed() {
            return Err(Failure::usage(
                "--same-machines is of use with limits in time only: nothing here depends on a machine's speed",
            ));
        }
    }
    let planner = measure(app, &*work, jobs(arguments.jobs))?;
    let wave = work.first(arguments.pieces)?;
    let mut plan = WorkPlan::new(&kind, &*work, arguments.pieces, tolerance, planner)?;
    let folder = WorkFolder::at(arguments.out.clone());
    folder.create(&mut plan, &wave)?;
    let pieces = counted(plan.piece_count(), "pieces");
    let units = counted(wave.units.end - wave.units.start, work.units());
    let (path, program) = (folder.path().display(), &app.program);
    outln!("{}", plan.about);
    outln!("{pieces} with {units} in {path}");
    outln!("play them with:    {program} work {}", folder.piece(1).display());
    outln!("join them with:    {program} collect {path} --out RUN");
    Ok(ExitCode::SUCCESS)
}

/// The kind that a file names, and the rest of it; without the key it is a tournament. The line stays, as an empty one, so that
/// mistakes are told with the right line.
fn kind_of(name: &str, text: &str) -> Result<(String, String), Failure> {
    let Some(line) = text.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == "kind"))
    else {
        return Ok(("tournament".to_owned(), text.to_owned()));
    };
    let wrong = || {
        Failure::usage(format!(
            "{name}: expected a kind of work such as kind = \"tournament\", found `{line}`"
        ))
    };
    let table: toml::Table = toml::from_str(line).map_err(|_| wrong())?;
    let kind = table.get("kind").and_then(toml::Value::as_str).ok_or_else(wrong)?;
    Ok((kind.to_owned(), text.replacen(line, "", 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_name_its_kind() {
        let kind = |text: &str| kind_of("FILE", text);
        assert_eq!(kind("rounds = 2"), Ok(("tournament".to_owned(), "rounds = 2".to_owned())));
        let text = "# what\nkind = \"tune\" # this\ngame = \"hus\"";
        assert_eq!(kind(text), Ok(("tune".to_owned(), "# what\n\ngame = \"hus\"".to_owned())));
        assert!(kind("kind = 3").unwrap_err().to_string().contains("found `kind = 3`"));
    }
}
