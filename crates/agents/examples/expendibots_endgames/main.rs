//! Numbers about the endgames of Expendibots, those of `docs/strength/expendibots.md`.
//!
//! ```text
//! expendibots_endgames solve TOKENS
//! expendibots_endgames convert TOKENS BOT OPPONENT,.. MILLISECONDS,.. SAMPLES SEED
//! expendibots_endgames journal TOKENS JOURNAL...
//! expendibots_endgames sample TOKENS OWN OTHER SAMPLES SEED
//! ```
//!
//! `convert` lets a bot play won positions against another bot, or against `table`, which resists as long as it can.

#[path = "../../tests/it/expendibots_endgames/endgames.rs"]
mod endgames;
#[path = "../../tests/it/expendibots_endgames/placements.rs"]
mod placements;

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use agents::expendibots::catalogue;
use endgames::{Endgames, Verdict};
use expendibots::{Move, Position};
use rand::RngExt;
use rand::seq::IndexedRandom;
use search_core::{
    Answer, Bot, BotFailure, Limits, Outcome, Player, Record, StopFlag, SystemClock, Task, TurnBased, stream,
};

type Failure = Box<dyn Error>;

/// A win in fewer plies is no test of anything.
const SHORTEST: u32 = 3;

/// The ply at which sampled positions start: well before the cap.
const START_PLY: u32 = 100;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["solve", tokens] => solve(tokens.parse()?),
        ["convert", tokens, bot, opponents, milliseconds, samples, seed] => {
            let endgames = Endgames::new(tokens.parse()?);
            let (samples, seed) = (samples.parse()?, seed.parse()?);
            let positions: Vec<_> =
                classes(tokens.parse()?).map(|class| sample(&endgames, class, samples, seed)).collect();
            for opponent in opponents.split(',') {
                for milliseconds in milliseconds.split(',') {
                    let limits = Limits::movetime(Duration::from_millis(milliseconds.parse()?));
                    println!("{bot} at {milliseconds} ms against {opponent}");
                    convert(&endgames, &positions, [bot, opponent], limits, seed)?;
                }
            }
        }
        ["journal", tokens, ref journals @ ..] => {
            let endgames = Endgames::new(tokens.parse()?);
            for journal in journals {
                read_journal(&endgames, journal)?;
            }
        }
        ["sample", tokens, own, other, samples, seed] => {
            let endgames = Endgames::new(tokens.parse()?);
            for (position, plies) in
                sample(&endgames, [own.parse()?, other.parse()?], samples.parse()?, seed.parse()?)
            {
                println!("{position} # win in {plies}");
            }
        }
        _ => return Err("expected solve, convert, journal or sample with their arguments".into()),
    }
    Ok(())
}

/// All pairs of token counts up to this many tokens.
fn classes(tokens: usize) -> impl Iterator<Item = [usize; 2]> {
    (2..=tokens).flat_map(|total| (1..total).map(move |other| [total - other, other]))
}

fn solve(tokens: usize) {
    let start = Instant::now();
    let endgames = Endgames::new(tokens);
    println!("{tokens} tokens: {:.0} ms, {} bytes", start.elapsed().as_secs_f64() * 1e3, endgames.bytes());
    println!("own other | won drawn lost | mean plies of a win, most, most of a loss");
    for [own, other] in classes(tokens) {
        let (mut counts, mut plies_of_wins, mut longest) = ([0_u64; 3], 0_u64, [0; 2]);
        for (_, verdict) in endgames.positions(own, other) {
            match verdict {
                Verdict::Win(plies) => {
                    counts[0] += 1;
                    plies_of_wins += u64::from(plies);
                    longest[0] = longest[0].max(plies);
                }
                Verdict::Draw => counts[1] += 1,
                Verdict::Loss(plies) => {
                    counts[2] += 1;
                    longest[1] = longest[1].max(plies);
                }
            }
        }
        let mean = plies_of_wins as f64 / counts[0].max(1) as f64;
        println!("{own} {other} | {counts:?} | {mean:.1} {longest:?}");
    }
}

/// Positions in which White is to move and wins, drawn from all of their kind, with the plies to the win.
fn sample(endgames: &Endgames, [own, other]: [usize; 2], samples: usize, seed: u64) -> Vec<(Position, u32)> {
    let mut rng = stream(seed, &format!("endgames {own} {other}"));
    let mut kept: Vec<(Position, u32)> = Vec::new();
    let won = endgames.positions(own, other).filter_map(|(position, verdict)| match verdict {
        Verdict::Win(plies) if plies >= SHORTEST => Some((position, plies)),
        _ => None,
    });
    for (seen, found) in won.enumerate() {
        if kept.len() < samples {
            kept.push(found);
        } else {
            let place = rng.random_range(0..=seen);
            if place < samples {
                kept[place] = found;
            }
        }
    }
    kept.into_iter().map(|(position, plies)| (later(&position), plies)).collect()
}

/// The same board at [`START_PLY`].
fn later(position: &Position) -> Position {
    let stacks = position.occupied().iter().filter_map(|square| {
        let (player, height) = position.stack(square)?;
        Some((square, player, height))
    });
    Position::from_stacks(stacks, START_PLY).unwrap_or(*position)
}

/// Plays the best move of the table: the quickest win, any draw, the longest resistance.
struct ByTable<'a> {
    endgames: &'a Endgames,
    rng: rand_chacha::ChaCha8Rng,
}

impl Bot<Position> for ByTable<'_> {
    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let moves = self.endgames.moves(task.record.position());
        let best = moves.iter().map(|(_, verdict)| verdict.rank()).max();
        let best: Vec<Move> =
            moves.iter().filter(|(_, verdict)| Some(verdict.rank()) == best).map(|&(mv, _)| mv).collect();
        let chosen = best.choose(&mut self.rng).copied();
        chosen.map(Answer::plain).ok_or_else(|| {
            BotFailure::new(search_core::FailureKind::Protocol, "the table does not hold the position")
        })
    }
}

fn convert(
    endgames: &Endgames,
    positions: &[Vec<(Position, u32)>],
    specs: [&str; 2],
    limits: Limits,
    seed: u64,
) -> Result<(), Failure> {
    println!(
        "own other | won drawn lost of games | spoiled a win, proved it at the first move | plies taken, plies needed"
    );
    for positions in positions {
        let Some((first, _)) = positions.first() else { continue };
        let [own, other] = Player::BOTH.map(|player| first.tokens(player));
        let (mut results, mut spoiled, mut proved, mut taken, mut needed) = ([0; 3], 0, 0, 0, 0);
        for (index, &(position, plies)) in positions.iter().enumerate() {
            let game = conversion(endgames, position, specs, limits, seed + index as u64)?;
            let place = match game.outcome {
                Outcome::Win(Player::One) => 0,
                Outcome::Draw => 1,
                Outcome::Win(Player::Two) => 2,
            };
            results[place] += 1;
            spoiled += usize::from(game.spoiled);
            proved += usize::from(game.proved);
            if place == 0 {
                taken += game.plies;
                needed += plies;
            } else {
                eprintln!("not won: {position}, win in {plies}: {} ({:?})", game.turns, game.outcome);
            }
        }
        println!(
            "{own} {other} | {results:?} of {} | {spoiled} {proved} | {taken} {needed}",
            positions.len()
        );
    }
    Ok(())
}

struct Conversion {
    outcome: Outcome,
    /// Whether the first bot ever left the table's win.
    spoiled: bool,
    /// Whether its search called the first position won.
    proved: bool,
    plies: u32,
    turns: String,
}

fn conversion(
    endgames: &Endgames,
    position: Position,
    [spec, opponent]: [&str; 2],
    limits: Limits,
    seed: u64,
) -> Result<Conversion, Failure> {
    let second: Box<dyn Bot<Position> + '_> = if opponent == "table" {
        Box::new(ByTable { endgames, rng: stream(seed, "defender") })
    } else {
        catalogue().build(opponent)?
    };
    let mut bots: [Box<dyn Bot<Position> + '_>; 2] = [catalogue().build(spec)?, second];
    for player in Player::BOTH {
        bots[player.index()].new_game(player, seed)?;
    }
    let mut record = Record::new(position);
    let (mut spoiled, mut proved) = (false, false);
    let end = loop {
        let player = record.position().to_move();
        let limits = if player == Player::One || opponent != "report" { limits } else { Limits::default() };
        let (clock, stop) = (SystemClock::new(), StopFlag::new());
        let task = Task::plain(&record, player, limits, &stop, &clock);
        let answer = bots[player.index()].choose(&task)?;
        if record.turns().is_empty() {
            proved = answer.analysis.is_some_and(|analysis| analysis.score.is_win());
        }
        let end = record.play(answer.mv)?;
        if let Some(end) = end {
            break end;
        }
        if player == Player::One {
            spoiled |= !matches!(endgames.probe(record.position()), Some(Verdict::Loss(_)));
        }
    };
    Ok(Conversion {
        outcome: end.outcome,
        spoiled,
        proved,
        plies: record.turns().len() as u32,
        turns: record.turn_texts().join(" "),
    })
}

/// What a game of a journal went through.
#[derive(Default)]
struct Counts {
    games: usize,
    reached: usize,
    /// Games in which the table called a position won, by the kind of the first such position.
    won: BTreeMap<String, usize>,
    /// The rest of the games that reached a table.
    level: usize,
    missed: Vec<String>,
    reasons: BTreeMap<String, usize>,
}

fn read_journal(endgames: &Endgames, path: &str) -> Result<(), Failure> {
    let mut counts = Counts::default();
    for line in std::fs::read_to_string(path)?.lines() {
        let line: serde_json::Value = serde_json::from_str(line)?;
        let (Some(start), Some(turns)) = (line["start"].as_str(), line["turns"].as_str()) else { continue };
        let mut position: Position = start.parse()?;
        counts.games += 1;
        let mut in_table = false;
        let mut wins: Vec<(Player, String, u32)> = Vec::new();
        for turn in turns.split_whitespace() {
            position.play(turn.parse()?);
            let Some(verdict) = endgames.probe(&position) else { continue };
            in_table = true;
            let mover = position.to_move();
            let (winner, plies) = match verdict {
                Verdict::Win(plies) => (mover, plies),
                Verdict::Loss(plies) => (mover.opponent(), plies),
                Verdict::Draw => continue,
            };
            let kind = format!("{}v{}", position.tokens(winner), position.tokens(winner.opponent()));
            if plies <= Position::TURN_LIMIT - position.plies() {
                wins.push((winner, format!("{kind} at ply {} in {plies}", position.plies()), plies));
            }
        }
        let outcome = line["outcome"].as_str().unwrap_or_default();
        let reason = line["reason"].as_str().unwrap_or_default();
        *counts.reasons.entry(format!("{outcome} {reason}")).or_default() += 1;
        counts.reached += usize::from(in_table);
        match wins.first() {
            Some((_, kind, _)) => *counts.won.entry(kind[..3].to_owned()).or_default() += 1,
            None => counts.level += usize::from(in_table),
        }
        for (winner, kind, _) in wins {
            if outcome != winner.to_string() {
                counts.missed.push(format!(
                    "{}: {kind} for {}, but {outcome} {reason}",
                    line["index"],
                    line["players"][winner.index()]
                ));
                break;
            }
        }
    }
    println!("{path}: {} games, {:?}", counts.games, counts.reasons);
    println!(
        "  reached a table: {}, level there: {}, won there: {:?}",
        counts.reached, counts.level, counts.won
    );
    for missed in &counts.missed {
        println!("  not won: {missed}");
    }
    Ok(())
}
