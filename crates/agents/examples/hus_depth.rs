//! How far the searches of Hus see: the depth from the start, and the share of positions whose winner is proven.
//!
//! ```text
//! hus_depth OPENINGS [BOT] [START_SECONDS] [SECONDS] [COUNT]
//! ```
//!
//! Each line of OPENINGS is a position, or `start` and moves; those that begin with `#` are left out. BOT is `champion`, the seconds
//! are 2 from the start and 10 for each position, and all positions of the file are looked at, unless said otherwise.

use std::error::Error;
use std::time::Duration;

use agents::hus::catalogue;
use hus::Position;
use search_core::{Analysis, Game, Limits, Record, Standard, StopFlag, SystemClock, Task, TurnBased};

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (Some(path), true) = (words.first(), words.len() <= 5) else {
        return Err("usage: hus_depth OPENINGS [BOT] [START_SECONDS] [SECONDS] [COUNT]".into());
    };
    let bot = words.get(1).map_or("champion", String::as_str);
    let [at_start, each] = [(2, 2.0), (3, 10.0)].map(|(place, usual)| seconds(words.get(place), usual));
    let (at_start, each) = (at_start?, each?);
    let count = match words.get(4) {
        Some(word) => word.parse().map_err(|_| format!("expected a number of positions, found `{word}`"))?,
        None => usize::MAX,
    };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let positions = lines.take(count).map(opening).collect::<Result<Vec<_>, _>>()?;

    let start = Record::new(Position::initial(&Standard, 0));
    let found = search(bot, &start, at_start)?;
    println!(
        "start, {bot}, {at_start:?}: depth {}, {} nodes, value {}",
        found.depth, found.stats.nodes, found.score
    );
    let (mut won, mut lost, mut depths) = (0, 0, 0);
    for record in &positions {
        let found = search(bot, record, each)?;
        won += u32::from(found.score.is_win());
        lost += u32::from(found.score.is_loss());
        depths += u64::from(found.depth);
    }
    let all = positions.len().max(1);
    println!(
        "{} positions, {each:?} each: the winner of {} is proven ({:.1} %; {won} wins of the player to move, {lost} losses), mean \
         depth {:.1}",
        positions.len(),
        won + lost,
        100.0 * f64::from(won + lost) / all as f64,
        depths as f64 / all as f64
    );
    Ok(())
}

fn seconds(word: Option<&String>, usual: f64) -> Result<Duration, Failure> {
    let Some(word) = word else { return Ok(Duration::from_secs_f64(usual)) };
    let number = word.parse().ok().filter(|seconds: &f64| (0.001..=1e6).contains(seconds));
    let number = number.ok_or_else(|| format!("expected seconds from 0.001 to 1000000, found `{word}`"))?;
    Ok(Duration::from_secs_f64(number))
}

/// A position, or `start` and the moves from there.
fn opening(line: &str) -> Result<Record<Position>, Failure> {
    let Some(moves) = line.strip_prefix("start") else {
        let position = line.parse::<Position>().map_err(|error| format!("`{line}`: {error}"))?;
        return Ok(Record::new(position));
    };
    let mut record = Record::new(Position::initial(&Standard, 0));
    for word in moves.split_whitespace() {
        let mv = word.parse().map_err(|error| format!("`{line}`: {error}"))?;
        record.play(mv).map_err(|error| format!("`{line}`: {error}"))?;
    }
    Ok(record)
}

/// What a new bot finds in the time.
fn search(
    bot: &str,
    record: &Record<Position>,
    time: Duration,
) -> Result<Analysis<<Position as Game>::Move>, Failure> {
    let mut searcher = catalogue().build(bot)?;
    let clock = SystemClock::new();
    let player = record.position().to_move();
    searcher.new_game(player, 1).map_err(|failure| format!("{bot}: {failure:?}"))?;
    let limits = Limits::movetime(time);
    let task = Task { record, player, limits, stop: &StopFlag::new(), clock: &clock, watch: None };
    let answer = searcher.choose(&task).map_err(|failure| format!("{bot}: {failure:?}"))?;
    Ok(answer.analysis.ok_or_else(|| format!("{bot} tells nothing of its search"))?)
}
