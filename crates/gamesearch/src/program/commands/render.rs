//! `gamesearch render`: writes the report of a run again.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{App, CommandResult};
use crate::program::pieces::Machines;
use crate::program::report::{contests_of, not_reproducible, write_report};
use crate::program::run_folder::RunFolder;

/// Write report.html, summary.json and standings.csv of a run again from its journal
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Leave games that a failure decided (an illegal move, a crash, time) out of the ratings; points count them either way
    #[arg(long)]
    no_faults: bool,
}

pub(crate) fn run(app: &App, arguments: &Render) -> CommandResult {
    let folder = RunFolder::at(arguments.run.clone());
    let plan = folder.plan_of_journal()?;
    let contests = contests_of(app, &plan)?;
    let collected = folder.collect(&plan, &contests)?;
    let mut choice = folder.rating_choice(&collected.plan)?;
    choice.no_faults |= arguments.no_faults;
    let mut summary = arena::Summary::new(&collected.plan, &collected.results, choice);
    summary.not_reproducible = not_reproducible(app, &collected.plan);
    summary.time_scales = Machines::of_run(folder.path()).unwrap_or_default().time_scales();
    folder.write_summary(&summary)?;
    write_report(&folder, &contests, &collected, &summary)?;
    outln!("{}", folder.path().join("report.html").display());
    Ok(ExitCode::SUCCESS)
}
