//! Games of a bot against itself, turn by turn with the scores of its searches, kept in a file.
//!
//! The file is JSON lines: the plan first, then a game in each line (`docs/data.md` tells what is in them).

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use search_core::{
    Game, Limits, Outcome, Player, Record, SearchRng, StopFlag, SystemClock, Task, Turn, derive_seed,
    parse_turn, turn_text,
};
use serde::{Deserialize, Serialize};

use crate::commands::tune::selfplay::close_last_line;
use crate::games::Developed;
use gamesearch::Failure;

/// How the games are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The game.
    pub(super) contest: String,
    /// The bot that plays both sides.
    pub(super) bot: String,
    /// Nodes per move.
    pub(super) nodes: u64,
    /// The most random turns at the start; at least two.
    pub(super) opening: u32,
    /// After the opening, one turn in this many has a random move.
    pub(super) stray: u32,
    pub(super) seed: u64,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) game: u64,
    /// For the first player: +1, 0 or -1.
    pub(super) result: i32,
    /// The turns from the start position.
    pub(super) turns: Vec<String>,
    /// The search's score before each turn, for the player to move (the first player, where both move); nothing before a random
    /// turn.
    pub(super) scores: Vec<Option<i32>>,
}

/// Who the scores before a turn are for.
pub(super) fn viewer<G: Game>(position: &G) -> Player {
    position.active().players().next().unwrap_or(Player::One)
}

impl Played {
    /// Hands on every position that was searched: with who looks at it, its score and the result, both for that player. Fails
    /// where a turn is no legal one.
    pub(super) fn each<G: Game>(
        &self,
        plan: &Plan,
        mut look: impl FnMut(&G, Player, i32, i32),
    ) -> Result<(), Failure> {
        let mut record = start::<G>(plan, self.game);
        for (text, &score) in self.turns.iter().zip(&self.scores) {
            let position = record.position();
            if let Some(score) = score {
                let viewer = viewer(position);
                let result = if viewer == Player::One { self.result } else { -self.result };
                look(position, viewer, score, result);
            }
            let fail = |error: &dyn std::fmt::Display| {
                Failure::failed(format!("game {}: the turn `{text}`: {error}", self.game))
            };
            let turn = parse_turn::<G>(position.active(), text).map_err(|error| fail(&error))?;
            record.play(turn).map_err(|error| fail(&error))?;
        }
        Ok(())
    }
}

/// Games longer than this are broken off and count as drawn.
const LONGEST: usize = 2_000;

/// The start of a game; where it is drawn by a seed, by one of the game's own.
fn start<G: Game>(plan: &Plan, game: u64) -> Record<G> {
    let seed = derive_seed(plan.seed, &format!("game {game}"));
    Record::new(G::initial(&G::Setup::default(), derive_seed(seed, "board")))
}

/// Plays what is missing of games 0 to `count - 1` and hands all of them back in order.
pub(super) fn run<G: Developed>(
    plan: &Plan,
    count: u64,
    jobs: usize,
    path: &Path,
) -> Result<Vec<Played>, Failure> {
    let fail = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(format!("cannot {what} {}: {error}", path.display()))
    };
    let mut games = read(path, plan)?;
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).map_err(|error| fail("open", &error))?;
    if file.metadata().map_err(|error| fail("read", &error))?.len() == 0 {
        writeln!(file, "{}", serde_json::json!(plan)).map_err(|error| fail("write", &error))?;
    } else {
        close_last_line(&mut file, path).map_err(|error| fail("mend", &error))?;
    }
    let missing: Vec<u64> = (0..count).filter(|game| !games.contains_key(game)).collect();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((file, Vec::new(), None));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, missing.len().max(1)) {
            scope.spawn(|| {
                while let Some(&game) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let played = play::<G>(plan, game);
                    let Ok(mut shared) = shared.lock() else { return };
                    let (file, games, failure) = &mut *shared;
                    let written = played.and_then(|played| {
                        let mut line = serde_json::json!(played).to_string();
                        line.push('\n');
                        file.write_all(line.as_bytes()).map_err(|error| fail("write", &error))?;
                        Ok(played)
                    });
                    match written {
                        Ok(played) => games.push(played),
                        Err(error) => *failure = Some(error),
                    }
                    if failure.is_some() {
                        return;
                    }
                    if games.len().is_multiple_of(500) {
                        eprintln!("self-play: {} of {} games", games.len(), missing.len());
                    }
                }
            });
        }
    });
    let (_, played, failure) =
        shared.into_inner().map_err(|_| Failure::failed("a game of self-play panicked"))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    games.extend(played.into_iter().map(|played| (played.game, played)));
    Ok(games.into_values().filter(|played| played.game < count).collect())
}

/// The games of another run, with how they were played.
pub(super) fn import<G: Game>(path: &Path) -> Result<(Plan, Vec<Played>), Failure> {
    let fail = |problem: &dyn std::fmt::Display| Failure::usage(format!("{}: {problem}", path.display()));
    let file = File::open(path).map_err(|error| fail(&error))?;
    let mut lines = BufReader::new(file).split(b'\n');
    let head = lines.next().transpose().map_err(|error| fail(&error))?.unwrap_or_default();
    let plan: Plan = serde_json::from_slice(&head)
        .map_err(|error| fail(&format_args!("the first line tells no plan of self-play: {error}")))?;
    if plan.contest != G::NAME {
        return Err(fail(&format_args!("expected games of {}, found {}", G::NAME, plan.contest)));
    }
    Ok((plan.clone(), read(path, &plan)?.into_values().collect()))
}

/// The games already played. A torn line is left out, and its game played again.
fn read(path: &Path, plan: &Plan) -> Result<BTreeMap<u64, Played>, Failure> {
    let mut games = BTreeMap::new();
    let Ok(file) = File::open(path) else { return Ok(games) };
    for (index, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line =
            line.map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.display())))?;
        if index == 0 {
            let found: Option<Plan> = serde_json::from_slice(&line).ok();
            if found.as_ref() != Some(plan) {
                return Err(Failure::failed(format!(
                    "{} was made with other settings: take another `--out`",
                    path.display()
                )));
            }
        } else if let Ok(played) = serde_json::from_slice::<Played>(&line) {
            games.insert(played.game, played);
        } else if !line.is_empty() {
            eprintln!("{}:{}: not a whole game, played again", path.display(), index + 1);
        }
    }
    Ok(games)
}

/// Plays one game of the bot against itself: random turns first, then its own moves with a random one now and then.
fn play<G: Developed>(plan: &Plan, game: u64) -> Result<Played, Failure> {
    let seed = derive_seed(plan.seed, &format!("game {game}"));
    let mut rng = SearchRng::new(seed, "random moves");
    let mut bot = G::catalogue().build(&plan.bot).map_err(Failure::failed)?;
    // One bot for both sides: what it learned of the position serves both.
    bot.new_game(Player::One, derive_seed(seed, "bot")).map_err(Failure::failed)?;
    let limits = Limits { nodes: Some(plan.nodes), playouts: Some(plan.nodes), ..Limits::default() };
    let mut record = start::<G>(plan, game);
    let (mut turns, mut scores) = (Vec::new(), Vec::new());
    let opening = 2 + rng.below(plan.opening.saturating_sub(1).max(1) as usize);
    while record.end().is_none() && turns.len() < LONGEST {
        let position = record.position();
        let active = position.active();
        let in_opening = turns.len() < opening;
        let random = in_opening || plan.stray > 0 && rng.below(plan.stray as usize) == 0;
        // Where both move, one of them strays.
        let strays = if active.players().count() > 1 && random && !in_opening {
            Some(Player::BOTH[rng.below(2)])
        } else {
            None
        };
        let (mut moves, mut score) = ([None, None], None);
        for player in active.players() {
            if random && strays.is_none_or(|strays| strays == player) {
                moves[player.index()] = position.sample(player, &mut rng);
                continue;
            }
            let task = Task {
                record: &record,
                player,
                limits,
                stop: &StopFlag::new(),
                clock: &SystemClock::new(),
                watch: None,
            };
            let answer =
                bot.choose(&task).map_err(|failure| Failure::failed(format!("game {game}: {failure}")))?;
            moves[player.index()] = Some(answer.mv);
            if !random && player == viewer(position) {
                score = answer.analysis.map(|analysis| analysis.score.value());
            }
        }
        let turn = G::Turn::from_moves(active, moves)
            .ok_or_else(|| Failure::failed(format!("game {game}: a move is missing")))?;
        turns.push(turn_text::<G>(active, turn));
        scores.push(score);
        record.play(turn).map_err(|error| Failure::failed(format!("game {game}: {error}")))?;
    }
    let result = record.end().map_or(0, |end| match end.outcome {
        Outcome::Win(Player::One) => 1,
        Outcome::Win(Player::Two) => -1,
        Outcome::Draw => 0,
    });
    Ok(Played { game, result, turns, scores })
}
