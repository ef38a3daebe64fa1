//! `gamesearch analyse`: what a search sees in a position.

mod many;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::Style;
use clap::Args;
use comfy_table::{Table, presets};
use search_core::{Active, Analysis, Answer, Bot, Game, Limits, Paint, Player, Record, Turn, ask_anew};

use super::play::{load, move_limits, view};
use super::{CommandResult, Failure};
use crate::program::bots::{self, Outside, SandboxOptions};
use crate::program::json;
use crate::{Listed, picks};

/// Show what a bot's search sees in a position: best moves, scores, expected line; in a simultaneous game the mixed strategy
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} analyse {game} --limits nodes=100000
  {program} analyse {game} \"POSITION\" --bot mcts --limits movetime=2s
  {program} analyse {game} game.json         the last position of a saved game
  {program} analyse {game} --file positions.txt --json --jobs 2 --limits nodes=100000
  my-program | {program} analyse {game} --file - --json

A line of the file is a position, `start`, or a query such as
  {\"id\": \"x7\", \"position\": \"start\", \"turns\": \"MOVE MOVE\", \"limits\": \"nodes=5000\"}
of which every part may be missing. Answers carry the id (the number of the line without one) and come as searches end.")]
pub(crate) struct Analyse {
    /// The game
    pub(crate) game: String,
    /// The position in its one-line text, or the file of a saved game; the start without it
    #[arg(conflicts_with = "file")]
    position: Vec<String>,
    /// Analyse every position of a file, or of standard input (`-`); a position or a query in JSON on each line
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How many positions of a file at the same time [default: the number of processors]
    #[arg(long, value_name = "N", requires = "file")]
    jobs: Option<usize>,
    /// Print JSON: one object per line, for each position and player to move
    #[arg(long)]
    json: bool,
    /// What the search may spend, such as `movetime=2s`, `nodes=100000`, `depth=6`, `playouts=10000`
    #[arg(long, default_value = "movetime=2s")]
    limits: String,
    /// The bot whose search is asked; the strongest by default
    #[arg(long)]
    bot: Option<String>,
    /// How many root moves to list
    #[arg(long, default_value_t = 8)]
    lines: usize,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// The bot that is asked.
struct Asked<G: Listed> {
    spec: String,
    bot: Box<dyn Bot<G>>,
    seed: u64,
}

impl<G: Listed> Asked<G> {
    fn new(arguments: &Analyse) -> Result<Asked<G>, Failure> {
        let spec = arguments.bot.clone().unwrap_or_else(|| picks::strongest::<G>().to_owned());
        let outside = Outside::patient(arguments.sandbox.of(G::ADAPTERS, &[&spec])?);
        let bot = bots::build(&G::catalogue(), &spec, &outside).map_err(Failure::usage)?;
        Ok(Asked { spec, bot, seed: arguments.seed })
    }

    /// What it answers for a player. Every question is a new game, so that no answer depends on those before.
    fn answer(
        &mut self,
        record: &Record<G>,
        player: Player,
        limits: Limits,
    ) -> Result<Answer<G::Move>, String> {
        let answer = ask_anew(&mut *self.bot, record, player, limits, self.seed);
        answer.map_err(|failure| format!("{} failed, {failure}", self.spec))
    }
}

/// Analyses one position, or all of a file.
pub(crate) fn analyse<G: Listed>(arguments: &Analyse) -> CommandResult {
    if let Some(file) = &arguments.file {
        return many::run::<G>(arguments, file);
    }
    let limits = move_limits(&arguments.limits)?;
    let record: Record<G> =
        position(&arguments.position.join(" "), arguments.seed).map_err(Failure::usage)?;
    if let Some(end) = record.end() {
        if arguments.json {
            json::print(
                &serde_json::json!({ "position": record.position().to_string(), "over": end.to_string() }),
            );
        } else {
            outln!("{}\n\nThe game is over: {end}.", record.position().picture(Paint::Ansi));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut asked = Asked::<G>::new(arguments)?;
    if !arguments.json {
        outln!("{}\n", record.position().picture(Paint::Ansi));
    }
    for player in record.position().active().players() {
        let answer = asked.answer(&record, player, limits).map_err(Failure::failed)?;
        if arguments.json {
            json::print(&json::answer(&record, player, &answer, arguments.lines).into());
            continue;
        }
        let bold = Style::new().bold();
        outln!("{bold}{player} plays {}{bold:#} ({})", answer.mv, asked.spec);
        match &answer.analysis {
            Some(analysis) => show::<G>(analysis, player, record.position().active(), arguments.lines),
            None => outln!("This bot gives no analysis, only its move."),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The record that a text means.
pub(crate) fn position<G: Game>(text: &str, seed: u64) -> Result<Record<G>, String> {
    if text.is_empty() || text == "start" {
        return Ok(Record::new(G::initial(&G::Setup::default(), seed)));
    }
    if Path::new(text).is_file() {
        return load(Path::new(text)).map_err(|error| error.to_string());
    }
    let position = text
        .parse()
        .map_err(|error| format!("expected a position, `start` or the file of a saved game: {error}"))?;
    Ok(Record::new(position))
}

fn show<G: Game>(analysis: &Analysis<G::Move>, player: Player, active: Active, lines: usize) {
    outln!("{}", view(analysis));
    if let Some(mixed) = analysis.mixed.as_ref().filter(|_| active == Active::Both && G::Turn::SIMULTANEOUS) {
        // Adding zero turns a negative zero into a plain one.
        let value = (mixed.value * 1000.0).round() / 1000.0 + 0.0;
        outln!("mixed strategies: value {value:.3}, gap {:.3}", mixed.gap);
        for (who, strategy) in Player::BOTH.iter().zip(&mixed.strategies) {
            let shown: Vec<String> = strategy
                .iter()
                .take(lines)
                .map(|(mv, weight)| format!("{mv} {:.1} %", weight * 100.0))
                .collect();
            outln!("  {who}: {}", shown.join(", "));
        }
    }
    if analysis.root.is_empty() {
        return;
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header([
        "move",
        &format!("score for {player}"),
        "visits",
        "share",
    ]);
    for root in analysis.root.iter().take(lines) {
        table.add_row([
            root.mv.to_string(),
            root.score_text(),
            root.visits.to_string(),
            format!("{:.1} %", root.weight * 100.0),
        ]);
    }
    outln!("{table}");
    let more = analysis.root.len().saturating_sub(lines);
    if more > 0 {
        outln!("and {more} more");
    }
}
