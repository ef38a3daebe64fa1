//! `gamesearch play`: a game in the terminal.

mod entry;
mod rescue;
mod review;
mod session;
mod thinking;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use arena::{MatchLimits, SavedGame, TimeControl};
use clap::{Args, ValueEnum};
use search_core::{Game, Limits, Player, Record, Time};
use serde_json::{Value, json};

use super::{CommandResult, Failure};
use crate::program::bots::{self, Outside, SandboxOptions};
use crate::{Listed, picks};

use review::can_analyse;
pub(crate) use review::review;
pub(crate) use thinking::view;

/// Play against a bot, or watch two of them, in the terminal
///
/// Type a move, or `help` for all commands. Case and blanks do not matter, and the beginning of
/// a move is enough if only one move begins so. A game that Ctrl-C interrupts is saved.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} play {game}                            against the strongest bot, you begin
  {program} play {game} --against greedy --side p2
  {program} play {game} --limits playouts=5000
  {program} play {game} --against \"ugi:python3 my_bot.py\" --save game.json
  {program} play {game} --web --against \"ugi:python3 my_bot.py\"   the same on a page in the browser
  {program} play {game} --load game.json --analyse   what happened in a finished game")]
pub(crate) struct Play {
    /// The game
    pub(crate) game: String,
    /// Whom to play against: any bot's spec, also `ugi:COMMAND`; the strongest bot of the game by default
    #[arg(long, value_name = "BOT")]
    against: Option<String>,
    /// Which side you play; with `both` two people share the terminal, with `none` you watch
    #[arg(long, value_name = "SIDE", default_value = "p1")]
    side: Side,
    /// What the bot may spend on each move, such as `movetime=500ms`, `nodes=20000`, `depth=4`
    #[arg(long, default_value = "movetime=1s")]
    limits: String,
    /// The set-up of the game, as in tournaments after the colon of GAME:SETUP
    #[arg(long, default_value = "")]
    setup: String,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Start from this position
    #[arg(long)]
    position: Option<String>,
    /// Continue a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game here when it ends
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Analyse the finished game: the score after each move, mistakes marked
    #[arg(long)]
    analyse: bool,
    /// The bot that gives hints and analyses; the opponent's kind by default
    #[arg(long, value_name = "BOT")]
    hints: Option<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    /// Play on a page in the browser; the address is printed, and only this machine can reach it
    #[arg(long, conflicts_with_all = ["save", "analyse", "hints"])]
    pub(crate) web: bool,
}

impl Play {
    /// Who sits where, as the page says it: `you`, or a bot. Without `--against` the page has its own choice.
    pub(crate) fn seats(&self) -> Value {
        let Some(against) = &self.against else { return Value::Null };
        let seat = |player| if self.side.person(player) { "you" } else { against };
        json!(Player::BOTH.map(seat))
    }

    /// What a bot may spend on each move.
    pub(crate) fn limits(&self) -> &str {
        &self.limits
    }

    /// The request that begins the game of the command line.
    pub(crate) fn first_request(&self) -> Result<Value, String> {
        if let Some(file) = &self.load {
            let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            return Ok(json!({ "id": 1, "do": "open", "name": file.display().to_string(), "text": text }));
        }
        Ok(json!({
            "id": 1, "do": "new", "game": self.game, "setup": self.setup, "seed": self.seed, "position": self.position,
        }))
    }
}

/// Who of the players is a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    P1,
    P2,
    Both,
    None,
}

impl Side {
    fn person(self, player: Player) -> bool {
        match self {
            Side::P1 => player == Player::One,
            Side::P2 => player == Player::Two,
            Side::Both => true,
            Side::None => false,
        }
    }
}

/// The limits of each move: `play` and `analyse` know no clock for a whole game.
pub(crate) fn move_limits(text: &str) -> Result<Limits, Failure> {
    let limits: MatchLimits = text.parse().map_err(Failure::usage)?;
    let time = match limits.time {
        None => None,
        Some(TimeControl::PerMove { each, .. }) => Some(Time::Move(each)),
        Some(TimeControl::PerGame { .. }) => {
            return Err(Failure::usage(
                "expected limits for a move such as `movetime=1s`, found a game time",
            ));
        }
    };
    let MatchLimits { depth, nodes, playouts, .. } = limits;
    let limits = Limits { depth, nodes, playouts, time };
    if limits == Limits::default() {
        return Err(Failure::usage(
            "expected a limit such as `movetime=1s`, found none: the bot would think for ever",
        ));
    }
    Ok(limits)
}

/// Reads a saved game.
pub(crate) fn load<G: Game>(file: &Path) -> Result<Record<G>, Failure> {
    let fail = |problem: &dyn std::fmt::Display| Failure::failed(format!("{}: {problem}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| fail(&error))?;
    let saved: SavedGame = serde_json::from_str(&text).map_err(|error| fail(&error))?;
    saved.record().map_err(|error| fail(&error))
}

/// Goal, turns and how moves are written, as plain text; where a game does not say it so shortly, its rules as the page shows them.
fn rules_of<G: Listed>() -> String {
    if !G::GOAL.is_empty() {
        return [G::GOAL, G::NOTATION].join("\n").trim().to_owned();
    }
    let pictures = |line: &&str| !line.starts_with("![");
    let rules = G::RULES.lines().filter(pictures).collect::<Vec<_>>().join("\n");
    let rules = rules.replace("\n\n\n", "\n\n").replace('*', "");
    let parts = [rules.trim(), G::NOTATION].into_iter().filter(|part| !part.is_empty());
    match parts.collect::<Vec<_>>().join("\n\n") {
        none if none.is_empty() => {
            format!("The rules of {} are not written down here; `moves` lists what is legal.", G::NAME)
        }
        rules => rules,
    }
}

/// A game in the terminal.
pub(crate) fn play<G: Listed>(play: &Play) -> CommandResult {
    let limits = move_limits(&play.limits)?;
    let setup: G::Setup = play.setup.parse().map_err(|error| Failure::usage(format!("--setup: {error}")))?;
    let record = match (&play.load, &play.position) {
        (Some(_), Some(_)) => return Err(Failure::usage("--load and --position exclude each other")),
        (Some(file), None) => load::<G>(file)?,
        (None, Some(text)) => {
            Record::new(text.parse().map_err(|error| Failure::usage(format!("--position: {error}")))?)
        }
        (None, None) => Record::new(G::initial(&setup, play.seed)),
    };
    let against = play.against.clone().unwrap_or_else(|| picks::strongest::<G>().to_owned());
    let hints = play.hints.clone().unwrap_or_else(|| against.clone());
    let outside = Outside::patient(play.sandbox.of(G::ADAPTERS, &[&against, &hints])?);
    let catalogue = G::catalogue();
    let make = |spec: &str| bots::build(&catalogue, spec, &outside).map_err(Failure::usage);
    let mut bots = [None, None];
    for player in Player::BOTH {
        if !play.side.person(player) {
            bots[player.index()] = Some(make(&against)?);
        }
    }
    let helper = make(&hints)?;
    let analyst = picks::analyst::<G>();
    let rescue = play.save.clone().unwrap_or_else(|| format!("interrupted-{}.json", G::NAME).into());
    let mut session = session::Session {
        record,
        setup,
        bots,
        names: Player::BOTH
            .map(|player| if play.side.person(player) { "you".into() } else { against.clone() }),
        helper,
        analyst: analyst.map(make).transpose()?,
        rules: rules_of::<G>(),
        rescue: rescue::Rescue::new(rescue)?,
        resigned: None,
        limits,
        seed: play.seed,
        input: io::stdin().lock(),
    };
    session.play()?;
    if let Some(file) = &play.save {
        session.save(file)?;
        outln!("saved in {}", file.display());
    }
    if play.analyse {
        let session::Session { record, mut helper, .. } = session;
        // The opponent's kind looks at the game, unless it only moves and sees nothing.
        if let Some(analyst) = analyst
            && play.hints.is_none()
            && !can_analyse(&mut *helper, &record, play.seed)
        {
            outln!("{against} gives no analysis, so {analyst} looks at the game.");
            helper = make(analyst)?;
        }
        review(&record, &mut *helper, limits, play.seed)?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limits_are_those_of_a_move() {
        assert_eq!(move_limits("nodes=5").unwrap(), Limits::nodes(5));
        assert_eq!(move_limits("movetime=20ms").unwrap(), Limits::movetime(Duration::from_millis(20)));
        assert!(move_limits("gametime=60s").unwrap_err().to_string().contains("found a game time"));
        assert!(move_limits("none").unwrap_err().to_string().contains("for ever"));
    }
}
