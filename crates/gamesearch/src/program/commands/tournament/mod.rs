//! `gamesearch tournament`: bots against bots, with ratings, a journal and a report.

mod entrants;
mod given;
mod live;
mod prepared;
mod settings;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use arena::{
    Collected, Control, Ending, FaultLine, GameLine, JournalError, RunError, RunOptions, RunReport, Shard,
    Summary, read_journal, run as play, shown, shown_lines,
};
use clap::ArgMatches;

use super::{App, CommandResult, Failure};
use crate::program::report::write_report;
use crate::program::run_folder::RunFolder;

pub(crate) use prepared::{Prepared, Wanted, anchor_of};
pub(crate) use settings::Settings;

/// Plays a tournament. `matches` are what the settings were read from.
pub(crate) fn run(app: &App, settings: &Settings, matches: &ArgMatches) -> CommandResult {
    let prepared = Prepared::new(app, settings.clone().with_file(matches)?)?;
    let settings = &prepared.settings;
    let options = RunOptions {
        jobs: settings.jobs.unwrap_or_else(|| RunOptions::default().jobs).max(1),
        resume: settings.resume,
        shard: settings.shard.as_ref().map_or(Shard::WHOLE, |shard| shard.value),
        reuse: settings.reuse.iter().map(|run| RunFolder::at(run.clone()).journal_of()).collect(),
    };
    for (run, journal) in settings.reuse.iter().zip(&options.reuse) {
        if !journal.is_file() {
            return Err(Failure::usage(format!("--reuse: {} holds no run", run.display())));
        }
    }
    let (folder, new) = match &settings.out {
        Some(path) => (RunFolder::at(path.clone()), !path.exists()),
        None => (RunFolder::next(Path::new("runs"))?, true),
    };
    folder.create(&prepared)?;

    let control = Control::default();
    handle_interrupts(app, &control, &folder, &prepared)?;
    let mut live = live::Live::new(&prepared, &folder, options.jobs);
    let report =
        play(&prepared.plan, &prepared.contests, &folder.journal(), &options, &control, &mut |progress| {
            live.show(progress);
        });
    live.finish();
    tell_left_over();
    let report = report.map_err(|error| {
        let failure = failure(&error, &folder);
        // A bot that cannot start leaves no trace: the folder that was made for this run goes again if no game was begun.
        if new {
            folder.remove_unplayed();
        }
        failure
    })?;
    tell_problems(&report, &prepared);
    folder.write_results(&prepared, &report, &options)?;
    let summary = prepared.summary(&report.results, &report.withdrawn);
    print_events(&summary);
    if let Some(text) = arena::sprt_text(&summary) {
        anstream::println!("{text}\n");
    }
    tell_failures(app, &folder, &prepared, &report)?;
    if !settings.no_report {
        write_report(&folder, &prepared.contests, &summary)?;
    }
    let games = summary.games_finished;
    anstream::println!(
        "{games} games in {:.1?}; everything is in {}",
        report.elapsed,
        folder.path().display()
    );
    Ok(match report.ending {
        Ending::Complete | Ending::Decided => ExitCode::SUCCESS,
        Ending::Interrupted => {
            anstream::eprintln!("{}", how_to_go_on(app, &folder));
            ExitCode::from(3)
        }
    })
}

/// What the plan or the bots are to blame for is wrong usage; the rest is a failure.
fn failure(error: &RunError, folder: &RunFolder) -> Failure {
    match error {
        RunError::Plan(_) | RunError::Bot { .. } | RunError::Exists(_) | RunError::Shards(_) => {
            Failure::usage(error)
        }
        RunError::Journal(JournalError::Io { .. }) if folder.has_games() => Failure::failed(format!(
            "{error}; the games finished before are kept: go on with --resume --out {}",
            folder.path().display()
        )),
        _ => Failure::failed(error),
    }
}

fn tell_problems(report: &RunReport, prepared: &Prepared) {
    for problem in &report.problems {
        anstream::eprintln!("journal: {problem}");
    }
    for (bot, problem) in prepared.plan.bots.iter().zip(&report.withdrawn) {
        if let Some(problem) = problem {
            anstream::eprintln!(
                "{} was withdrawn after three failures to start: {}",
                shown(&bot.name),
                shown_lines(problem)
            );
        }
    }
}

/// Looks whether bots from outside left processes behind, and says so either way.
#[cfg(unix)]
fn tell_left_over() {
    let left = arena::ugi::left_over();
    let list = |strays: &[arena::ugi::Stray]| {
        let texts: Vec<String> =
            strays.iter().map(|stray| format!("{} ({})", stray.pid, shown(&stray.name))).collect();
        texts.join(", ")
    };
    if !left.killed.is_empty() {
        anstream::eprintln!(
            "bots from outside killed their guards and left {} processes behind, which were killed: {}",
            left.killed.len(),
            list(&left.killed)
        );
    }
    if !left.alive.is_empty() {
        anstream::eprintln!("these processes of bots from outside are still there: {}", list(&left.alive));
    } else if left.any_ran {
        anstream::eprintln!("no process of a bot from outside is left");
    }
}

#[cfg(not(unix))]
fn tell_left_over() {}

/// So many last lines of a failed bot's own words are shown; the report and `replay` have them all.
const LAST_WORDS: usize = 20;

/// The first failure of each bot that failed, with its own last words: its author wants to see the traceback.
fn tell_failures(
    app: &App,
    folder: &RunFolder,
    prepared: &Prepared,
    report: &RunReport,
) -> Result<(), Failure> {
    let mut bots = report.results.tallies.iter().flat_map(|tally| &tally.bots);
    if bots.all(|bot| bot.faults.is_empty()) {
        return Ok(());
    }
    let mut first: BTreeMap<String, (u64, FaultLine)> = BTreeMap::new();
    read_journal(&folder.journal(), Some(prepared.plan.id()), |_, line| {
        let GameLine { index, players, faults, .. } = line;
        for fault in faults {
            let bot = &players[usize::from(fault.player == "p2")];
            if first.get(bot).is_none_or(|&(earlier, _)| index < earlier) {
                first.insert(bot.clone(), (index, fault));
            }
        }
    })
    .map_err(Failure::failed)?;
    for (bot, (game, FaultLine { kind, message, .. })) in first {
        let lines: Vec<&str> = message.lines().collect();
        let words = lines[lines.len().saturating_sub(LAST_WORDS)..].join("\n");
        let folder = folder.path().display();
        anstream::eprintln!(
            "{} failed first in game {game} ({kind}; {} replay {folder} {game}):\n{}\n",
            shown(&bot),
            app.program,
            shown_lines(&words)
        );
    }
    Ok(())
}

/// The first signal asks for an orderly end. The second ends the program: finished games are in the journal already, and are
/// counted from there.
fn handle_interrupts(
    app: &App,
    control: &Control,
    folder: &RunFolder,
    prepared: &Prepared,
) -> Result<(), Failure> {
    let (control, folder, anchor) = (control.clone(), folder.clone(), prepared.anchor);
    let go_on = how_to_go_on(app, &folder);
    ctrlc::set_handler(move || {
        if control.is_interrupted() {
            anstream::eprintln!("\nstopped; the games under way are lost");
            if let Ok(collected) = folder.collect() {
                let Collected { plan, results, withdrawn, .. } = &collected;
                print_events(&Summary::new(plan, results, anchor, withdrawn));
            }
            anstream::eprintln!("{go_on}");
            std::process::exit(3);
        }
        control.interrupt();
        anstream::eprintln!("\nfinishing the games under way; once more to stop at once");
    })
    .map_err(|error| Failure::failed(format!("cannot catch Ctrl-C: {error}")))
}

fn how_to_go_on(app: &App, folder: &RunFolder) -> String {
    let (program, folder) = (&app.program, folder.path().display());
    format!("interrupted; go on with: {program} tournament --resume --out {folder}")
}

fn print_events(summary: &Summary) {
    for event in &summary.events {
        anstream::println!("\n{}", arena::event_text(&event.standings));
    }
}
