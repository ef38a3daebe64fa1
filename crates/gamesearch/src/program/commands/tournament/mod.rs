//! `gamesearch tournament`: bots against bots, with ratings, a journal and a report.

mod file;
mod live;
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arena::{
    Control, Ending, FaultLine, GameLine, JournalError, RunError, RunOptions, RunReport, Shard, read_journal,
    run as play, shown, shown_lines,
};
use clap::Args;

use super::{App, CommandResult, Failure};
use crate::program::report::write_report;
use crate::program::run_folder::RunFolder;

pub(crate) use file::{Located, read};
pub(crate) use settings::{Prepared, Wanted, anchor_of};

/// Play a tournament of bots: round robin, gauntlet, Swiss, or a sequential test between two
///
/// Without options: random, greedy, mcts and alphabeta meet in all games, with limits that give the same games
/// on every machine. Every opening is played twice with the seats swapped. Results go into a run folder: plan.json,
/// journal.jsonl, standings.csv, summary.json, timings.json and report.html.
///
/// Ctrl-C once finishes the games under way, twice stops at once; --resume goes on. Exit codes: 0 done, 1 failed,
/// 2 wrong usage, 3 interrupted and resumable.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Tournament {
    /// Games, each NAME or NAME:SETUP, such as {game} [default: all games]
    #[arg(long, num_args = 1.., value_name = "GAME")]
    pub(crate) games: Vec<String>,
    /// Bots, each SPEC or NAME=SPEC, such as mcts:playouts=500 or "mine=ugi:python3 bot.py"
    /// [default: random greedy mcts alphabeta]
    #[arg(long, num_args = 1.., value_name = "BOT")]
    pub(crate) bots: Vec<String>,
    /// Rounds; in each, every pairing plays two games from one opening [default: 30; with --sprt 10000]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,
    /// Who meets whom: everybody, the first bot each of the others, or like scores [default: round-robin]
    #[arg(long, value_name = "FORMAT", value_parser = ["round-robin", "gauntlet", "swiss"])]
    pub(crate) format: Option<String>,
    /// How games begin: auto, start, plies=N (random), file=PATH (a position on each line) [default: auto]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<String>,
    /// Limits of every bot: nodes=N, playouts=N, depth=N, movetime=TIME[,first=TIME], gametime=TIME[,inc=TIME],
    /// several joined by commas, or official (the contest's own) [default: nodes=2000,playouts=200]
    #[arg(long, value_name = "LIMITS")]
    pub(crate) limits: Option<String>,
    /// Limits of single bots, each NAME@LIMITS, such as mcts@playouts=50
    #[arg(long, num_args = 1.., value_name = "BOT@LIMITS")]
    pub(crate) bot_limits: Vec<String>,
    /// The seed of all randomness; the same seed plays the same games [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Games at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Test whether the first bot is stronger than the second: stop as soon as ELO0 or ELO1 is accepted
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<String>,
    /// What the Elo of the test is: normalized or logistic [default: normalized]
    #[arg(long, value_name = "MODEL", value_parser = ["normalized", "logistic"], requires = "sprt")]
    pub(crate) sprt_model: Option<String>,
    /// Error rates of the test [default: 0.05,0.05]
    #[arg(long, value_name = "ALPHA,BETA", requires = "sprt")]
    pub(crate) sprt_errors: Option<String>,
    /// The bot that ratings are also measured from [default: random, if it plays]
    #[arg(long, value_name = "BOT")]
    pub(crate) anchor: Option<String>,
    /// How far a bot may overrun its time before it loses [default: 100ms]
    #[arg(long, value_name = "TIME")]
    pub(crate) margin: Option<String>,
    /// Let both bots of a simultaneous game think at the same time, on two processors
    #[arg(long)]
    pub(crate) at_once: bool,
    /// Who plays an infinite move in Hus loses, or the game is played again and the third one loses [default: loses]
    #[arg(long, value_name = "RULE", value_parser = ["loses", "replay"])]
    pub(crate) infinite_move: Option<String>,
    /// Memory of each bot that is a program, in MiB [default: no limit]
    #[arg(long, value_name = "MIB")]
    pub(crate) bot_memory: Option<u64>,
    /// The run folder [default: the next free number in runs/]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the run in the folder of --out; its settings are taken from there
    #[arg(long)]
    pub(crate) resume: bool,
    /// Take games that are the same from earlier runs
    #[arg(long, num_args = 1.., value_name = "RUN")]
    pub(crate) reuse: Vec<PathBuf>,
    /// Play only a part: pairs number I modulo N, I from 0; join the parts with `{program} merge`
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// Read settings from a file; options given here come first
    #[arg(long, value_name = "TOURNAMENT.TOML")]
    pub(crate) file: Option<PathBuf>,
    /// Do not write report.html (`{program} render` writes it later)
    #[arg(long)]
    pub(crate) no_report: bool,
}

const EXAMPLES: &str = "Examples:
  {program} tournament
  {program} tournament --games {game} --bots random greedy alphabeta:depth=4 --rounds 20 \\
      --limits movetime=200ms,first=2s --seed 7 --jobs 2 --out runs/x
  {program} tournament --games {game} --bots new=alphabeta:depth=5 old=alphabeta:depth=4 --sprt 0,10
  {program} tournament --games {game} --bots alphabeta \"mine=ugi:python3 bot.py\" --limits movetime=1s
  {program} tournament --file tournament.toml --shard 0/4 --out runs/part0
  {program} tournament --resume --out runs/x

A tournament.toml holds the same names:
  games = [\"{game}\"]
  bots = [\"random\", \"mcts:playouts=500\"]
  rounds = 20
  limits = \"nodes=2000,playouts=200\"
or, with bots that have settings of their own:
  [bots.mine]
  command = \"python3 bot.py\"
  limits = \"movetime=1s\"
All keys: docs/tournament.md.";

/// The options with what the file says of how the run is carried out; what is given here comes first.
fn with_file(arguments: &Tournament) -> Result<Tournament, Failure> {
    let mut arguments = arguments.clone();
    if let Some(path) = &arguments.file {
        let file = read(path)?.execution;
        arguments.jobs = arguments.jobs.or(file.jobs);
        arguments.out = arguments.out.or(file.out);
        arguments.resume |= file.resume;
        arguments.shard = arguments.shard.or(file.shard);
        arguments.no_report |= file.no_report;
        if arguments.reuse.is_empty() {
            arguments.reuse = file.reuse;
        }
    }
    if arguments.resume && arguments.out.is_none() {
        return Err(Failure::usage("--resume needs the folder of the run to go on with: --out FOLDER"));
    }
    Ok(arguments)
}

pub(crate) fn run(app: &App, arguments: &Tournament) -> CommandResult {
    let arguments = &with_file(arguments)?;
    let folder = match &arguments.out {
        Some(path) => RunFolder::at(path.clone()),
        None => RunFolder::next(Path::new("runs"))?,
    };
    // A mistake leaves no trace: the folder that was made for this run goes again if no game was begun.
    let tidy = || {
        if arguments.out.is_none() {
            folder.remove_unplayed();
        }
    };
    let prepared = Prepared::new(app, arguments, &folder).inspect_err(|_| tidy())?;
    let options = RunOptions {
        jobs: arguments.jobs.unwrap_or_else(|| RunOptions::default().jobs).max(1),
        resume: arguments.resume,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        reuse: arguments.reuse.iter().map(|run| RunFolder::at(run.clone()).journal_of()).collect(),
    };
    for (run, journal) in arguments.reuse.iter().zip(&options.reuse) {
        if !journal.is_file() {
            tidy();
            return Err(Failure::usage(format!("--reuse: {} holds no run", run.display())));
        }
    }
    folder.create(&prepared, arguments.resume)?;

    let control = Control::default();
    handle_interrupts(&control)?;
    let mut live = live::Live::new(&prepared, &folder, options.jobs);
    let report =
        play(&prepared.plan, &prepared.contests, &folder.journal(), &options, &control, &mut |progress| {
            live.show(progress);
        });
    live.finish();
    let report = report.map_err(|error| {
        tidy();
        failure(&error, &folder)
    })?;
    tell_problems(&report, &prepared);
    folder.write_results(&prepared, &report, &options)?;
    let summary = prepared.summary(&report.results, &report.withdrawn);
    for event in &summary.events {
        anstream::println!("\n{}", arena::event_text(&event.standings));
    }
    if let Some(text) = arena::sprt_text(&summary) {
        anstream::println!("{text}\n");
    }
    tell_failures(app, &folder, &prepared, &report)?;
    if !arguments.no_report {
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
            anstream::eprintln!(
                "interrupted; go on with: {} tournament --resume --out {}",
                app.program,
                folder.path().display()
            );
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

/// The first signal asks for an orderly end, the second ends the program: finished games are in the journal already.
fn handle_interrupts(control: &Control) -> Result<(), Failure> {
    let control = control.clone();
    ctrlc::set_handler(move || {
        if control.is_interrupted() {
            anstream::eprintln!("\nstopped");
            std::process::exit(3);
        }
        control.interrupt();
        anstream::eprintln!("\nfinishing the games under way; once more to stop at once");
    })
    .map_err(|error| Failure::failed(format!("cannot catch Ctrl-C: {error}")))
}
