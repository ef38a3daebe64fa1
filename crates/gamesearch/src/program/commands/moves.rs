//! `gamesearch moves`: every move of a run with what its bot thought, for people who want to plot or count for themselves.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use arena::{FinishedGame, Seen, Thought, csv_text, read_journal};
use clap::{Args, ValueEnum};
use search_core::Player;
use serde::Serialize;

use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::run_folder::RunFolder;

/// Write every move of a run with what its bot thought, as CSV or JSON lines
///
/// A line for each move: the game, the turn, who played what, how long it took, and what the bot said of it: its score from
/// its own view (or in how many plies it sees a win, or with a minus a loss), depth, nodes, and of mixed strategies value and gap.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  {program} moves runs/001 > moves.csv\n  \
    {program} moves runs/001 --format jsonl --out moves.jsonl")]
pub(crate) struct Moves {
    /// The run folder or its journal
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The format of the lines
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// Comma-separated values with a line of names
    #[default]
    Csv,
    /// One JSON object on each line
    Jsonl,
}

/// One move. Its fields are the columns of the file.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    event: String,
    game: u64,
    turn: usize,
    player: String,
    bot: String,
    #[serde(rename = "move")]
    mv: String,
    seconds: Option<f64>,
    score: Option<i32>,
    decided_in: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    value: Option<f64>,
    gap: Option<f64>,
    /// Of the game, for this player: 1, 0.5 or 0.
    result: f64,
    reason: String,
}

pub(crate) fn run(app: &App, arguments: &Moves) -> CommandResult {
    let folder = RunFolder::at(arguments.run.clone());
    let plan = folder.plan_of_journal()?;
    let target: Box<dyn Write> = match &arguments.out {
        None => Box::new(io::stdout().lock()),
        Some(path) => {
            let file = File::create(path).map_err(Failure::cannot("write", &path))?;
            Box::new(file)
        }
    };
    let mut writer = Writer::new(arguments.format, BufWriter::new(target));
    let mut problem = None;
    let scan = read_journal(folder.journal_of(), Some(plan.id()), |place, game| {
        if problem.is_some() {
            return;
        }
        let rows = match app.game(&game.course.game).and_then(|entry| entry.moves_of(&game)) {
            Ok(rows) => rows,
            Err(error) => return errln!("journal: line {} is left out: {error}", place.line),
        };
        problem = rows.iter().try_for_each(|row| writer.write(row)).err();
    })
    .map_err(Failure::failed)?;
    for problem in scan.problems {
        errln!("journal: {problem}");
    }
    match problem.map_or_else(|| writer.finish(), Err) {
        // The reader has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::failed(format!("cannot write the moves: {error}"))),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

enum Writer<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Jsonl(W),
}

impl<W: Write> Writer<W> {
    fn new(format: Format, target: W) -> Writer<W> {
        match format {
            Format::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(target))),
            Format::Jsonl => Writer::Jsonl(target),
        }
    }

    fn write(&mut self, row: &Row) -> io::Result<()> {
        match self {
            Writer::Csv(writer) => {
                let cell = |text: &str| csv_text(text);
                let row = Row {
                    event: cell(&row.event),
                    player: row.player.clone(),
                    bot: cell(&row.bot),
                    mv: cell(&row.mv),
                    reason: cell(&row.reason),
                    ..*row
                };
                writer.serialize(row).map_err(io::Error::other)
            }
            Writer::Jsonl(writer) => {
                serde_json::to_writer(&mut *writer, row)?;
                writer.write_all(b"\n")
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Writer::Csv(mut writer) => writer.flush(),
            Writer::Jsonl(mut writer) => writer.flush(),
        }
    }
}

/// The moves of a game, played again by its rules.
pub(crate) fn of<G: Listed>(game: &FinishedGame) -> Result<Vec<Row>, Failure> {
    let record = game.course.record::<G>().map_err(Failure::failed)?;
    let mut thoughts = Player::BOTH.map(|player| game.thoughts.of(player).iter());
    let mut rows = Vec::new();
    for (turn, (position, played)) in record.replay().enumerate() {
        let Some(played) = played else { break };
        let active = position.active();
        for player in active.players() {
            let Some(mv) = search_core::Turn::move_of(&played, active, player) else { continue };
            let thought = thoughts[player.index()].next();
            rows.push(row(game, turn + 1, player, mv.to_string(), thought));
        }
    }
    Ok(rows)
}

fn row(game: &FinishedGame, turn: usize, player: Player, mv: String, thought: Option<&Thought>) -> Row {
    let seen: Option<Seen> = thought.and_then(|thought| thought.seen);
    let score = seen.map(|seen| seen.score);
    Row {
        event: game.event.clone(),
        game: game.index,
        turn,
        player: player.to_string(),
        bot: game.course.players[player.index()].clone(),
        mv,
        seconds: thought.map(|thought| thought.time.as_micros() as f64 / 1e6),
        score: score.filter(|score| !score.is_decided()).map(search_core::Score::value),
        decided_in: score.and_then(|score| {
            let plies = i64::from(score.plies_to_end()?);
            Some(if score.is_win() { plies } else { -plies })
        }),
        depth: seen.map(|seen| seen.depth),
        nodes: seen.map(|seen| seen.nodes),
        value: seen.and_then(|seen| seen.value),
        gap: seen.and_then(|seen| seen.gap),
        result: f64::from(game.result.outcome.sign(player) + 1) / 2.0,
        reason: game.result.reason.clone(),
    }
}
