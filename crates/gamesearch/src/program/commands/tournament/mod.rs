//! `gamesearch tournament`: bots against bots, with ratings, a journal and a report.

mod entrants;
mod given;
mod live;
mod prepared;
mod settings;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use arena::{
    Collected, Control, Ending, Fault, JournalError, Load, RunError, RunOptions, RunReport, Shard, Summary,
    run as play, shown, shown_lines,
};
use clap::ArgMatches;

use super::{App, CommandResult, Failure};
use crate::program::interrupt::on_interrupt;
use crate::program::report::write_report;
use crate::program::run_folder::RunFolder;

pub(crate) use given::{Given, Source, word};
pub(crate) use prepared::{Prepared, Wanted, anchor_of, balanced, checked_clock};
pub(crate) use settings::Settings;

/// Plays a tournament. `matches` are what the settings were read from.
pub(crate) fn run(app: &App, settings: &Settings, matches: &ArgMatches) -> CommandResult {
    let prepared = Prepared::new(app, settings.clone().with_file(matches)?)?;
    let settings = &prepared.settings;
    let options = RunOptions {
        jobs: settings.jobs.unwrap_or_else(|| RunOptions::default().jobs).max(1),
        resume: settings.resume,
        shard: settings.shard.as_ref().map_or(Shard::WHOLE, |shard| shard.value),
        reuse: settings.reuse.iter().map(|run| RunFolder::at(run).journal_of().path().to_owned()).collect(),
        thoughts: !settings.no_thoughts,
        settings: Some(settings.kept_text()?),
    };
    for (run, journal) in settings.reuse.iter().zip(&options.reuse) {
        if !journal.is_file() {
            return Err(Failure::usage(format!("--reuse: {} holds no run", run.display())));
        }
    }
    let (folder, new) = match &settings.out {
        Some(path) => (RunFolder::at(path.clone()), !path.exists()),
        None => (RunFolder::next(Path::new(RunFolder::ALL))?, true),
    };
    folder.create(&prepared)?;

    let mut loads = Vec::new();
    if prepared.is_timed() {
        loads.push(measured_load(options.jobs));
    }
    let control = Control::default();
    handle_interrupts(app, &control, &folder, &prepared)?;
    let mut live = live::Live::new(&prepared, &folder, options.jobs);
    let report =
        play(&prepared.plan, &prepared.contests, folder.journal(), &options, &control, &mut |progress| {
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
    // First of all what came out: whatever goes wrong from here on, it has been seen.
    let summary = prepared.summary(&report.results, false);
    print_events(&summary);
    if let Some(text) = arena::sprt_text(&summary) {
        outln!("{text}\n");
    }
    if let Some(error) = &report.error {
        return Err(failure(error, &folder));
    }
    if prepared.is_timed() {
        loads.push(measured_load(options.jobs));
    }
    folder.write_results(&prepared.plan, &report, &summary, &options, loads)?;
    tell_tampering(app, &folder, &report)?;
    let collected = folder.collect(&prepared.plan, &prepared.contests)?;
    tell_failures(app, &folder, &collected);
    if !settings.no_report {
        write_report(&folder, &prepared.contests, &collected, &summary)?;
    }
    let games = summary.games_finished;
    outln!("{games} games in {:.1?}; everything is in {}", report.elapsed, folder.path().display());
    Ok(match report.ending {
        Ending::Complete | Ending::Decided => ExitCode::SUCCESS,
        Ending::Interrupted => {
            errln!("{}", how_to_go_on(app, &folder));
            ExitCode::from(3)
        }
    })
}

/// How long the machine is measured before and after a run with limits in time.
const MEASURED: Duration = Duration::from_millis(200);

/// How busy the machine is; says so where that spoils limits in time.
fn measured_load(jobs: usize) -> Load {
    let load = Load::measure(jobs, MEASURED);
    if load.is_busy() {
        errln!(
            "warning: the machine is too busy for limits in time to mean much: {load}; use fewer --jobs, a quiet machine, or limits \
             in counts such as nodes=2000"
        );
    }
    load
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
        errln!("journal: {problem}");
    }
    for (bot, problem) in prepared.plan.bots.iter().zip(&report.results.withdrawn) {
        if let Some(problem) = problem {
            errln!(
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
        errln!(
            "bots from outside killed their guards and left {} processes behind, which were killed: {}",
            left.killed.len(),
            list(&left.killed)
        );
    }
    if !left.alive.is_empty() {
        errln!("these processes of bots from outside are still there: {}", list(&left.alive));
    } else if left.any_ran {
        errln!("no process of a bot from outside is left");
    }
}

#[cfg(not(unix))]
fn tell_left_over() {}

/// How many of a failed bot's last lines are shown; the report and `replay` have them all.
const LAST_WORDS: usize = 20;

/// How many differences between a journal and its run are shown.
const SHOWN: usize = 20;

/// A journal that does not tell what was played.
fn tell_tampering(app: &App, folder: &RunFolder, report: &RunReport) -> Result<(), Failure> {
    if report.tampered.is_empty() {
        return Ok(());
    }
    for problem in report.tampered.iter().take(SHOWN) {
        errln!("journal: {problem}");
    }
    let more = report.tampered.len().saturating_sub(SHOWN);
    if more > 0 {
        errln!("journal: and {more} more");
    }
    Err(Failure::failed(format!(
        "somebody else wrote to {} while the run was under way. The tables above, standings.csv and summary.json tell the games as they \
         were played; the journal does not, so there is no report. A bot that is a program can do this unless it is confined. To play \
         the lost games again: {} tournament --resume --out {}",
        folder.journal().display(),
        app.program,
        folder.path().display()
    )))
}

/// The first failure of each bot that failed, with its own last words: its author wants to see the traceback.
fn tell_failures(app: &App, folder: &RunFolder, collected: &Collected) {
    for (bot, first) in collected.plan.bots.iter().zip(&collected.first_faults) {
        let Some((game, Fault { kind, message, .. })) = first else { continue };
        let lines: Vec<&str> = message.lines().collect();
        let words = lines[lines.len().saturating_sub(LAST_WORDS)..].join("\n");
        let folder = folder.path().display();
        errln!(
            "{} failed first in game {game} ({kind}; {} replay {folder} {game}):\n{}\n",
            shown(&bot.name),
            app.program,
            shown_lines(&words)
        );
    }
}

/// The first signal asks for an orderly end. The second ends the program: finished games are in the journal already, and are
/// counted from there.
fn handle_interrupts(
    app: &App,
    control: &Control,
    folder: &RunFolder,
    prepared: &Prepared,
) -> Result<(), Failure> {
    let (control, folder, plan, choice) =
        (control.clone(), folder.clone(), prepared.plan.clone(), prepared.choice);
    let go_on = how_to_go_on(app, &folder);
    on_interrupt(move || {
        if control.is_interrupted() {
            errln!("\nstopped; the games under way are lost");
            // The games under way were given up by a person: the next run has no reason to suspect their bots.
            let noted = arena::note_interruption(folder.journal(), &plan);
            if let Ok(Collected { plan, results, .. }) = folder.collect(&plan, &[]) {
                print_events(&Summary::new(&plan, &results, choice));
            }
            if let Err(error) = noted {
                errln!("{error}");
            }
            errln!("{go_on}");
            std::process::exit(3);
        }
        control.interrupt();
        errln!("\nfinishing the games under way; once more to stop at once");
    })
}

fn how_to_go_on(app: &App, folder: &RunFolder) -> String {
    let (program, folder) = (&app.program, folder.path().display());
    format!("interrupted; go on with: {program} tournament --resume --out {folder}")
}

fn print_events(summary: &Summary) {
    for event in &summary.events {
        outln!("\n{}", arena::event_text(&event.standings));
    }
}
