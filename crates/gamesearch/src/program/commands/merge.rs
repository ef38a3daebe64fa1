//! `gamesearch merge`: joins the journals of shards into one run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{App, CommandResult, Failure};
use crate::program::report::{contests_of, not_reproducible};
use crate::program::run_folder::RunFolder;

/// Join the journals of several shards into one run folder
///
/// All must belong to one plan. A game that is in several of them must have gone the same way in all.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  {program} merge runs/part0 runs/part1 runs/part2 runs/part3 --out runs/whole"
)]
pub(crate) struct Merge {
    /// Run folders or journals
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The run folder to make
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Leave games that a failure decided (an illegal move, a crash, time) out of the ratings; points count them either way
    #[arg(long)]
    no_faults: bool,
}

pub(crate) fn run(app: &App, arguments: &Merge) -> CommandResult {
    let sources: Vec<RunFolder> = arguments.runs.iter().cloned().map(RunFolder::at).collect();
    let journals: Vec<PathBuf> = sources.iter().map(|source| source.journal_of().path().to_owned()).collect();
    let plan = journals
        .iter()
        .find_map(|journal| arena::plan_of(journal).ok())
        .or_else(|| sources.iter().find_map(RunFolder::plan))
        .map_or_else(|| sources[0].plan_of_journal(), Ok)?;
    let contests = contests_of(app, &plan)?;
    // The settings are the same in all shards; without them the merged run can be read but not gone on with.
    let kept = sources.iter().map(RunFolder::readable_settings);
    let settings = kept.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().next();
    let out = RunFolder::at(arguments.out.clone());
    out.make()?;
    let problems =
        arena::merge(&journals, out.journal(), &plan, &contests, settings.as_deref()).map_err(|error| {
            out.remove_if_empty();
            Failure::failed(error)
        })?;
    for (journal, problem) in problems {
        errln!("{}: {problem}", journal.display());
    }
    out.write_plan(&plan)?;
    if let Some(settings) = settings {
        out.write("tournament.toml", &settings)?;
    }
    // Checked a moment ago.
    let collected = out.collect(&plan, &[])?;
    let mut choice = out.rating_choice(&plan)?;
    choice.no_faults |= arguments.no_faults;
    let mut summary = arena::Summary::new(&collected.plan, &collected.results, choice);
    summary.not_reproducible = not_reproducible(app, &collected.plan);
    out.write_summary(&summary)?;
    for event in &summary.events {
        outln!("\n{}", arena::event_text(&event.standings));
    }
    let (finished, planned) = (summary.games_finished, summary.games_planned);
    outln!("{finished} of {planned} games; everything is in {}", out.path().display());
    Ok(ExitCode::SUCCESS)
}
