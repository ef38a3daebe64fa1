//! `gamesearch export`: the positions of finished games with result, score and policy, for people who learn from them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::{FinishedGame, read_journal, shown};
use clap::Args;
use search_core::{Active, Analysis, Answer, Bot, Limits, Player, Record, Turn, ask_anew};
use serde_json::{Map, Value, json};

use super::play::move_limits;
use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::bots;
use crate::program::jobs;
use crate::program::json;
use crate::program::run_folder::RunFolder;

/// Write the positions of a run as JSON, a line for each position and player to move: for training and statistics
///
/// Every line has game, event, number of the game, ply, position, player, the move that was played, and the result for that player
/// (1, 0.5, 0) with its reason and the plies that were left. With --bot a bot looks at every position again and adds its score and its policy:
/// the share of each move in its mixed strategy or its visits, or its move alone. Games that a failure decided are left out.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} export runs/001 --out positions.jsonl
  {program} export runs/001 runs/002 --every 4 --bot mcts --limits playouts=1000 --out positions.jsonl
  {program} export runs/001 --bot champion --limits nodes=10000 --jobs 2 > positions.jsonl

docs/data.md describes every field and reads the file in Python.")]
pub(crate) struct Export {
    /// Run folders or journals
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The bot that gives scores and policies
    #[arg(long)]
    bot: Option<String>,
    /// What it may spend on a position
    #[arg(long, default_value = "nodes=10000,playouts=1000")]
    limits: String,
    /// Take only every N-th position of a game; where it begins depends on the number of the game
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The file to write; standard output without it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the lines of one game after the other.
pub(crate) trait Exporter {
    /// The lines of a game.
    fn lines(&mut self, game: &FinishedGame) -> Result<String, String>;
}

/// How many games are read for each worker before they are written.
const BATCH: usize = 32;

pub(crate) fn run(app: &App, arguments: &Export) -> CommandResult {
    if arguments.every == 0 {
        return Err(Failure::usage("--every takes a number from 1, found 0"));
    }
    move_limits(&arguments.limits)?;
    let jobs = jobs(arguments.jobs);
    let mut out: Box<dyn Write> = match &arguments.out {
        None => Box::new(BufWriter::new(io::stdout())),
        Some(path) => {
            let file = File::create(path).map_err(Failure::cannot("write", &path))?;
            Box::new(BufWriter::new(file))
        }
    };
    // Each worker keeps its bots from batch to batch.
    let mut workers: Vec<Exporters> = Vec::new();
    workers.resize_with(jobs, BTreeMap::new);
    let (mut games, mut forfeits) = (0_u64, 0_u64);
    for run in &arguments.runs {
        let journal = RunFolder::at(run).journal_of();
        if !journal.is_file() {
            return Err(Failure::usage(format!("{} holds no run", run.display())));
        }
        let (mut batch, mut failure) = (Vec::new(), None);
        let scan = read_journal(&journal, None, |_, line| {
            if failure.is_some() {
                return;
            }
            if line.result.faults.is_empty() {
                games += 1;
                batch.push(line);
            } else {
                forfeits += 1;
            }
            if batch.len() == jobs * BATCH {
                failure = write(app, arguments, &mut workers, &std::mem::take(&mut batch), &mut out).err();
            }
        });
        let scan = scan.map_err(Failure::failed)?;
        failure.map_or_else(|| write(app, arguments, &mut workers, &batch, &mut out), Err)?;
        for problem in scan.problems {
            errln!("{}: {problem}", journal.display());
        }
    }
    out.flush().map_err(Failure::failed)?;
    let left_out =
        if forfeits > 0 { format!("; {forfeits} that a failure decided left out") } else { String::new() };
    errln!("{games} games{left_out}");
    Ok(ExitCode::SUCCESS)
}

/// The exporters of one worker, by the game.
type Exporters = BTreeMap<String, Box<dyn Exporter + Send>>;

/// Works out a batch of games on all workers and writes it in its order.
fn write(
    app: &App,
    arguments: &Export,
    workers: &mut [Exporters],
    batch: &[FinishedGame],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for game in batch {
        for exporters in &mut *workers {
            if !exporters.contains_key(&game.course.game) {
                exporters.insert(game.course.game.clone(), app.game(&game.course.game)?.exporter(arguments)?);
            }
        }
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, String>> = Mutex::default();
    let work = |exporters: &mut Exporters| -> Result<(), Failure> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = batch.get(number) else { return Ok(()) };
            let lines = exporters.get_mut(&game.course.game).map(|exporter| exporter.lines(game)).transpose();
            let fail = |problem| Failure::failed(format!("game {}: {problem}", game.index));
            let lines = lines.map_err(fail)?.unwrap_or_default();
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(number, lines);
        }
    };
    let work = &work;
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let running: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || work(worker))).collect();
        let ended = |running: std::thread::ScopedJoinHandle<'_, Result<(), Failure>>| {
            running.join().unwrap_or_else(|_| Err(Failure::failed("a bot panicked")))
        };
        running.into_iter().map(ended).collect()
    });
    results.into_iter().collect::<Result<(), Failure>>()?;
    for lines in done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_values() {
        match out.write_all(lines.as_bytes()) {
            // The reader of the lines has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            written => written.map_err(Failure::failed)?,
        }
    }
    Ok(())
}

/// The exporter of a game.
pub(crate) fn exporter<G: Listed>(arguments: &Export) -> Result<Box<dyn Exporter + Send>, Failure> {
    let bot = match &arguments.bot {
        None => None,
        Some(spec) => Some(bots::build_patiently(&G::catalogue(), spec).map_err(Failure::usage)?),
    };
    let limits = move_limits(&arguments.limits)?;
    Ok(Box::new(Of::<G> { bot, limits, every: arguments.every, seed: arguments.seed }))
}

struct Of<G: Listed> {
    bot: Option<Box<dyn Bot<G>>>,
    limits: Limits,
    every: usize,
    seed: u64,
}

impl<G: Listed> Exporter for Of<G> {
    fn lines(&mut self, game: &FinishedGame) -> Result<String, String> {
        let played = game.course.record::<G>().map_err(|error| error.to_string())?;
        let turns = played.turns();
        // The record as it was at each position: repetition is part of what a bot must know.
        let mut record = Record::new(played.start().clone());
        let mut text = String::new();
        for (ply, &turn) in turns.iter().enumerate() {
            let active = record.position().active();
            if ply % self.every == game.index as usize % self.every {
                for player in active.players() {
                    let mut object = facts(game, &record, player, turn, turns.len() - ply);
                    if let Some(bot) = &mut self.bot {
                        let answer = ask(&mut **bot, &record, player, self.limits, self.seed)?;
                        add_judgement(&mut object, &answer, player, active);
                    }
                    text.push_str(&Value::Object(object).to_string());
                    text.push('\n');
                }
            }
            record.play(turn).map_err(|error| error.to_string())?;
        }
        Ok(text)
    }
}

/// What the journal knows of a position.
fn facts<G: Listed>(
    game: &FinishedGame,
    record: &Record<G>,
    player: Player,
    turn: G::Turn,
    left: usize,
) -> Map<String, Value> {
    let result = f64::from(1 + game.result.outcome.sign(player)) / 2.0;
    let mv = turn.move_of(record.position().active(), player).map(|mv| mv.to_string());
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("game", json!(game.course.game));
    put("event", json!(game.event));
    put("number", json!(game.index));
    put("bot", json!(shown(&game.course.players[player.index()])));
    put("ply", json!(record.turns().len()));
    put("plies_left", json!(left));
    put("position", json!(record.position().to_string()));
    put("player", json!(player.to_string()));
    put("move", json!(mv));
    put("result", json!(result));
    put("reason", json!(game.result.reason));
    object
}

fn ask<G: Listed>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    seed: u64,
) -> Result<Answer<G::Move>, String> {
    ask_anew(bot, record, player, limits, seed).map_err(|failure| failure.to_string())
}

/// Score and policy of a bot.
fn add_judgement<M: ToString + Copy>(
    object: &mut Map<String, Value>,
    answer: &Answer<M>,
    player: Player,
    active: Active,
) {
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    let alone = [(answer.mv, 1.0)];
    let Some(analysis) = &answer.analysis else {
        put("policy", json::shares(&alone));
        return;
    };
    let Analysis { score, root, mixed, stats, .. } = analysis;
    put("score", json::score(*score));
    let mixed = mixed.as_ref().filter(|_| active == Active::Both);
    if let Some(mixed) = mixed {
        put("value", json!(json::rounded(mixed.value)));
    }
    let visits: Vec<(M, f64)> = root.iter().map(|root| (root.mv, root.weight)).collect();
    let policy = match mixed {
        Some(mixed) => mixed.strategies[player.index()].as_slice(),
        // The nodes below a move of alpha-beta say how hard it was to refute, not how good it is.
        None if stats.playouts > 0 => &visits,
        None => &alone,
    };
    put("policy", json::shares(policy));
}
