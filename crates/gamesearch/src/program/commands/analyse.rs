//! `gamesearch analyse`: what a search sees in a position.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::Style;
use clap::Args;
use comfy_table::{Table, presets};
use search_core::{Active, Analysis, Game, Paint, Player, Record, StopFlag, SystemClock, Task, Turn};

use super::play::{load, move_limits, strongest, view};
use super::{CommandResult, Failure};
use crate::Listed;
use crate::program::bots::{self, Outside};

/// Show what a bot's search sees in a position: best moves, scores, expected line; in a simultaneous game the mixed strategy
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} analyse {game} start --limits nodes=100000
  {program} analyse {game} \"POSITION\" --bot mcts --limits movetime=2s
  {program} analyse {game} game.json         the last position of a saved game")]
pub(crate) struct Analyse {
    /// The game
    pub(crate) game: String,
    /// The position in its one-line text, `start`, or the file of a saved game
    #[arg(required = true)]
    position: Vec<String>,
    /// What the search may spend, such as `movetime=2s`, `nodes=100000`, `depth=6`, `playouts=10000`
    #[arg(long, default_value = "movetime=2s")]
    limits: String,
    /// The bot whose search is asked; the strongest by default
    #[arg(long)]
    bot: Option<String>,
    /// How many root moves to list
    #[arg(long, default_value_t = 8)]
    lines: usize,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Analyses one position.
pub(crate) fn analyse<G: Listed>(arguments: &Analyse) -> CommandResult {
    let limits = move_limits(&arguments.limits)?;
    let record = position::<G>(&arguments.position.join(" "), arguments.seed)?;
    anstream::println!("{}\n", record.position().picture(Paint::Ansi));
    if let Some(end) = record.end() {
        anstream::println!("The game is over: {end}.");
        return Ok(ExitCode::SUCCESS);
    }
    let spec = arguments.bot.clone().unwrap_or_else(|| strongest::<G>().to_owned());
    let outside = Outside { margin: Duration::from_mins(1), memory_mib: None };
    let mut bot = bots::build(&G::catalogue(), &spec, outside).map_err(Failure::usage)?;
    let fail = |failure| Failure::failed(format!("{spec} failed, {failure}"));
    let players: Vec<Player> = record.position().active().players().collect();
    for player in players {
        bot.new_game(player, arguments.seed).map_err(fail)?;
        let task = Task {
            record: &record,
            player,
            limits,
            stop: &StopFlag::new(),
            clock: &SystemClock::new(),
            watch: None,
        };
        let answer = bot.choose(&task).map_err(fail)?;
        let bold = Style::new().bold();
        anstream::println!("{bold}{player} plays {}{bold:#} ({spec})", answer.mv);
        match &answer.analysis {
            Some(analysis) => show::<G>(analysis, player, record.position().active(), arguments.lines),
            None => anstream::println!("This bot gives no analysis, only its move."),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The record that a text on the command line means.
fn position<G: Game>(text: &str, seed: u64) -> Result<Record<G>, Failure> {
    if text == "start" {
        return Ok(Record::new(G::initial(&G::Setup::default(), seed)));
    }
    if Path::new(text).is_file() {
        return load(Path::new(text));
    }
    let position = text.parse().map_err(|error| {
        Failure::usage(format!("expected a position, `start` or the file of a saved game: {error}"))
    })?;
    Ok(Record::new(position))
}

fn show<G: Game>(analysis: &Analysis<G::Move>, player: Player, active: Active, lines: usize) {
    anstream::println!("{}", view(analysis));
    if let Some(mixed) = analysis.mixed.as_ref().filter(|_| active == Active::Both && G::Turn::SIMULTANEOUS) {
        // Adding zero turns a negative zero into a plain one.
        let value = (mixed.value * 1000.0).round() / 1000.0 + 0.0;
        anstream::println!("mixed strategies: value {value:.3}, gap {:.3}", mixed.gap);
        for (who, strategy) in Player::BOTH.iter().zip(&mixed.strategies) {
            let shown: Vec<String> = strategy
                .iter()
                .take(lines)
                .map(|(mv, weight)| format!("{mv} {:.1} %", weight * 100.0))
                .collect();
            anstream::println!("  {who}: {}", shown.join(", "));
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
    anstream::println!("{table}");
    let more = analysis.root.len().saturating_sub(lines);
    if more > 0 {
        anstream::println!("and {more} more");
    }
}
