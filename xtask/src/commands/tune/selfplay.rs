//! Games of a champion against itself, kept in a file so that a run can be continued.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use agents::tuning::Tuning;
use search_core::{
    Answer, Bot, Game, Limits, Outcome, Player, Record, SearchRng, StopFlag, SystemClock, Task, Turn,
    derive_seed,
};
use serde::{Deserialize, Serialize};

use crate::games::Developed;
use gamesearch::Failure;

#[derive(Debug, Clone, Copy)]
pub(super) struct SelfPlay {
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) opening: u32,
    pub(super) seed: u64,
    pub(super) jobs: usize,
}

/// One game: the features of its positions, and who won, both from the first player's side.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sample {
    /// Its number.
    pub(super) game: u64,
    /// +1, 0 or -1.
    result: i32,
    pub(super) rows: Vec<Vec<i32>>,
}

impl Sample {
    /// The result as a chance: 1, 0.5 or 0.
    pub(super) fn chance(&self) -> f64 {
        f64::from(self.result + 1) / 2.0
    }
}

/// What a file of samples was made with; another run's file is refused.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Head {
    game: String,
    nodes: u64,
    opening: u32,
    seed: u64,
    features: Vec<String>,
    weights: Vec<i32>,
}

/// Games longer than this are broken off and left out.
const LONGEST: usize = 20_000;

/// The games that are in a folder, and the file for more.
pub(super) fn open<G: Developed>(
    settings: &SelfPlay,
    tuning: &Tuning<G>,
    folder: &Path,
) -> Result<(BTreeMap<u64, Sample>, File), Failure> {
    let head = Head {
        game: G::NAME.to_owned(),
        nodes: settings.nodes,
        opening: settings.opening,
        seed: settings.seed,
        features: tuning.features.names(),
        weights: tuning.weights.clone(),
    };
    let path = folder.join("samples.jsonl");
    let fail = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(format!("cannot {what} {}: {error}", path.display()))
    };
    let samples = read(&path, &head)?;
    let mut file =
        OpenOptions::new().create(true).append(true).open(&path).map_err(|error| fail("open", &error))?;
    let length = file.metadata().map_err(|error| fail("read", &error))?.len();
    if length == 0 {
        writeln!(file, "{}", serde_json::json!(head)).map_err(|error| fail("write", &error))?;
    } else {
        close_last_line(&mut file, &path).map_err(|error| fail("mend", &error))?;
    }
    Ok((samples, file))
}

/// Plays what is missing and hands back all games in order.
pub(super) fn run<G: Developed>(
    settings: &SelfPlay,
    tuning: &Tuning<G>,
    folder: &Path,
) -> Result<Vec<Sample>, Failure> {
    let (mut samples, file) = open(settings, tuning, folder)?;
    let fail = Failure::cannot("write the games in", &folder);
    let missing: Vec<u64> = (0..settings.games).filter(|game| !samples.contains_key(game)).collect();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((file, Vec::new(), None));
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.clamp(1, missing.len().max(1)) {
            scope.spawn(|| {
                while let Some(&game) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let played = play::<G>(settings, tuning, game);
                    let Ok(mut shared) = shared.lock() else { return };
                    let (file, samples, failure) = &mut *shared;
                    let written = played.and_then(|sample| {
                        let mut line = serde_json::json!(sample).to_string();
                        line.push('\n');
                        file.write_all(line.as_bytes()).map_err(fail)?;
                        Ok(sample)
                    });
                    match written {
                        Ok(sample) => samples.push(sample),
                        Err(error) => *failure = Some(error),
                    }
                    if failure.is_some() {
                        return;
                    }
                    if samples.len().is_multiple_of(20) {
                        eprintln!("self-play: {} of {} games", samples.len(), missing.len());
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
    samples.extend(played.into_iter().map(|sample| (sample.game, sample)));
    Ok(samples.into_values().filter(|sample| sample.game < settings.games).collect())
}

/// Ends a torn last line of the file at `path`, open for appending in `file`: its game is left out and played again, and what
/// follows must not be torn with it.
pub(super) fn close_last_line(file: &mut File, path: &Path) -> std::io::Result<()> {
    let mut last = [0];
    let mut reader = File::open(path)?;
    reader.seek(SeekFrom::End(-1))?;
    reader.read_exact(&mut last)?;
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(())
}

/// The games already played. A torn last line is left out, and played again.
fn read(path: &Path, head: &Head) -> Result<BTreeMap<u64, Sample>, Failure> {
    let mut samples = BTreeMap::new();
    let Ok(file) = File::open(path) else { return Ok(samples) };
    for (index, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line.map_err(Failure::cannot("read", &path))?;
        if index == 0 {
            let found: Option<Head> = serde_json::from_slice(&line).ok();
            if found.as_ref() != Some(head) {
                return Err(Failure::failed(format!(
                    "{} was made with other settings or weights: take another `--out`",
                    path.display()
                )));
            }
        } else if let Ok(sample) = serde_json::from_slice::<Sample>(&line) {
            samples.insert(sample.game, sample);
        } else if !line.is_empty() {
            eprintln!("{}:{}: not a whole game, played again", path.display(), index + 1);
        }
    }
    Ok(samples)
}

/// Plays one game of the champion against itself.
pub(super) fn play<G: Developed>(
    settings: &SelfPlay,
    tuning: &Tuning<G>,
    game: u64,
) -> Result<Sample, Failure> {
    let seed = derive_seed(settings.seed, &format!("game {game}"));
    let mut bots = bots::<G>(&tuning.spec(&tuning.weights), seed)?;
    let mut record = opening::<G>(settings.opening, seed);
    let limits = Limits { nodes: Some(settings.nodes), playouts: Some(settings.nodes), ..Limits::default() };
    let mut rows = Vec::new();
    while record.end().is_none() && record.turns().len() < LONGEST {
        let mut row = vec![0; tuning.weights.len()];
        tuning.features.extract(record.position(), Player::One, &mut row);
        rows.push(row);
        turn(&mut bots, &mut record, limits, |_, _| ())
            .map_err(|error| Failure::failed(format!("game {game}: {error}")))?;
    }
    let result = record.end().map_or(0, |end| match end.outcome {
        Outcome::Win(Player::One) => 1,
        Outcome::Win(Player::Two) => -1,
        Outcome::Draw => 0,
    });
    Ok(Sample { game, result, rows })
}

/// The bot of this spec on both sides, at the beginning of a game.
pub(in crate::commands) fn bots<G: Developed>(
    spec: &str,
    seed: u64,
) -> Result<Vec<Box<dyn Bot<G>>>, Failure> {
    let bot = |player: Player| {
        let mut bot = G::catalogue().build(spec).map_err(Failure::failed)?;
        bot.new_game(player, derive_seed(seed, &format!("bot {player}"))).map_err(Failure::failed)?;
        Ok(bot)
    };
    Player::BOTH.into_iter().map(bot).collect()
}

/// Plays a turn; every answer is shown to `watch` as it comes. Says what went wrong.
pub(in crate::commands) fn turn<G: Game>(
    bots: &mut [Box<dyn Bot<G>>],
    record: &mut Record<G>,
    limits: Limits,
    mut watch: impl FnMut(Player, &Answer<G::Move>),
) -> Result<(), String> {
    let active = record.position().active();
    let mut moves = [None, None];
    for player in active.players() {
        let (stop, clock) = (&StopFlag::new(), &SystemClock::new());
        let task = Task::plain(record, player, limits, stop, clock);
        let answer = bots[player.index()].choose(&task);
        let answer = answer.map_err(|failure| format!("{player} failed: {failure}"))?;
        watch(player, &answer);
        moves[player.index()] = Some(answer.mv);
    }
    let turn = G::Turn::from_moves(active, moves).ok_or("a move is missing")?;
    record.play(turn).map(drop).map_err(|error| error.to_string())
}

/// A start after some random turns; drawn again while the game would be over.
pub(in crate::commands) fn opening<G: Game>(turns: u32, seed: u64) -> Record<G> {
    let start = Record::new(G::initial(&G::Setup::default(), derive_seed(seed, "board")));
    let mut rng = SearchRng::new(seed, "opening");
    for _ in 0..100 {
        let mut record = start.clone();
        for _ in 0..turns {
            let position = record.position();
            let active = position.active();
            let mut moves = [None, None];
            for player in active.players() {
                moves[player.index()] = position.sample(player, &mut rng);
            }
            let Some(turn) = G::Turn::from_moves(active, moves) else { break };
            if record.play(turn).is_err() {
                break;
            }
        }
        if record.end().is_none() {
            return record;
        }
    }
    start
}
