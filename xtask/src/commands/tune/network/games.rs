//! Games of the champion of Hus against itself, move by move with the scores of its searches, kept in a file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hus::{Pit, Position};
use search_core::{
    Game, Limits, Outcome, Player, Record, SearchRng, StopFlag, SystemClock, Task, TurnBased, derive_seed,
};
use serde::{Deserialize, Serialize};

use gamesearch::Failure;

/// How the games are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The bot that plays both sides.
    pub(super) bot: String,
    /// Nodes per move.
    pub(super) nodes: u64,
    /// The most random plies at the start; at least two.
    pub(super) opening: u32,
    /// After the opening, one move in this many is random.
    pub(super) stray: u32,
    pub(super) seed: u64,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) game: u64,
    /// For the first player: +1, 0 or -1.
    pub(super) result: i32,
    /// The moves from the start position.
    pub(super) moves: Vec<u8>,
    /// The search's score before each move, for the player to move; nothing before a random one.
    pub(super) scores: Vec<Option<i32>>,
}

impl Played {
    /// Every position that was searched: with its score, and the result, both for the player to move.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Position, i32, i32)> {
        let mut position = Position::start();
        self.moves
            .iter()
            .zip(&self.scores)
            .map_while(move |(&index, &score)| {
                let pit = Pit::new(index).filter(|&pit| position.is_legal(position.to_move(), pit))?;
                let before = position;
                position.play(pit);
                let result = if before.to_move() == Player::One { self.result } else { -self.result };
                Some(score.map(|score| (before, score, result)))
            })
            .flatten()
    }
}

/// Games longer than this are broken off and count as drawn.
const LONGEST: usize = 2_000;

/// Plays what is missing of games 0 to `count - 1` and hands all of them back in order.
pub(super) fn run(plan: &Plan, count: u64, jobs: usize, path: &Path) -> Result<Vec<Played>, Failure> {
    let fail = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(format!("cannot {what} {}: {error}", path.display()))
    };
    let mut games = read(path, plan)?;
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).map_err(|error| fail("open", &error))?;
    if file.metadata().map_err(|error| fail("read", &error))?.len() == 0 {
        writeln!(file, "{}", serde_json::json!(plan)).map_err(|error| fail("write", &error))?;
    }
    let missing: Vec<u64> = (0..count).filter(|game| !games.contains_key(game)).collect();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((file, Vec::new(), None));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, missing.len().max(1)) {
            scope.spawn(|| {
                while let Some(&game) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let played = play(plan, game);
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

/// The games already played. A torn line is left out, and its game played again.
pub(super) fn read(path: &Path, plan: &Plan) -> Result<BTreeMap<u64, Played>, Failure> {
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

/// Plays one game of the bot against itself: random plies first, then its own moves with a random one now and then.
fn play(plan: &Plan, game: u64) -> Result<Played, Failure> {
    let seed = derive_seed(plan.seed, &format!("game {game}"));
    let mut rng = SearchRng::new(seed, "random moves");
    let mut bot = agents::hus::catalogue().build(&plan.bot).map_err(Failure::failed)?;
    // One bot for both sides: what it learned of the position serves both.
    bot.new_game(Player::One, derive_seed(seed, "bot")).map_err(Failure::failed)?;
    let limits = Limits::nodes(plan.nodes);
    let mut record = Record::new(Position::start());
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    let opening = 2 + rng.below(plan.opening.saturating_sub(1).max(1) as usize);
    while record.end().is_none() && moves.len() < LONGEST {
        let position = record.position();
        let mover = position.to_move();
        let random = moves.len() < opening || plan.stray > 0 && rng.below(plan.stray as usize) == 0;
        let (pit, score) = if random {
            (position.sample(mover, &mut rng), None)
        } else {
            let task = Task {
                record: &record,
                player: mover,
                limits,
                stop: &StopFlag::new(),
                clock: &SystemClock::new(),
                watch: None,
            };
            let answer =
                bot.choose(&task).map_err(|failure| Failure::failed(format!("game {game}: {failure}")))?;
            (Some(answer.mv), answer.analysis.map(|analysis| analysis.score.value()))
        };
        let pit = pit.ok_or_else(|| Failure::failed(format!("game {game}: a move is missing")))?;
        record.play(pit).map_err(|error| Failure::failed(format!("game {game}: {error}")))?;
        moves.push(pit.index() as u8);
        scores.push(score);
    }
    let result = record.end().map_or(0, |end| match end.outcome {
        Outcome::Win(Player::One) => 1,
        Outcome::Win(Player::Two) => -1,
        Outcome::Draw => 0,
    });
    Ok(Played { game, result, moves, scores })
}
