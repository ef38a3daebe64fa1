//! `gamesearch openings`: balanced openings, drawn at random and judged by several bots.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::Opening;
use clap::Args;
use rand::RngExt;
use search_core::{Bot, Game, Limits, Player, Record, ask_anew, stream};

use super::play::move_limits;
use super::{App, CommandResult, Failure};
use crate::Listed;
use crate::program::bots;
use crate::program::jobs;

/// Make balanced openings: positions drawn at random, of which the most even ones are kept
///
/// Every judge gives every position a score, from the seat of each player who is to move, and ranks the positions by how near
/// their scores are to an even game. Those are kept whose worst rank is best; what a judge sees won or lost is never kept.
/// With limits in nodes or playouts the same call makes the same openings on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  {program} openings {game} --out openings.txt
  {program} openings {game} --count 50 --turns 2 6 --judges alphabeta mcts --limits nodes=20000,playouts=2000
  {program} tournament --games {game} --openings file=openings.txt")]
pub(crate) struct MakeOpenings {
    /// The game
    pub(crate) game: String,
    /// The game's set-up
    #[arg(long, default_value = "")]
    setup: String,
    /// How many openings to keep
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// How many to draw
    #[arg(long, value_name = "N", default_value_t = 2000)]
    candidates: usize,
    /// Turns of an opening, from the least to the most
    #[arg(long, num_args = 2, value_names = ["LEAST", "MOST"], default_values_t = [2, 8])]
    turns: Vec<u32>,
    /// The bots that judge [default: champion, alphabeta and mcts, as far as the game has them]
    #[arg(long, num_args = 1.., value_name = "BOT")]
    judges: Vec<String>,
    /// What a judge may spend on a position
    #[arg(long, default_value = "nodes=5000,playouts=1000")]
    limits: String,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The file to write; standard output without it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Who judges if nobody is named.
const JUDGES: [&str; 3] = ["champion", "alphabeta", "mcts"];

/// A position to be judged.
struct Candidate<G: Game> {
    /// The seed of its start.
    seed: u64,
    opening: Opening<G>,
}

/// Makes a file of openings.
pub(crate) fn make<G: Listed>(app: &App, arguments: &MakeOpenings) -> CommandResult {
    let limits = move_limits(&arguments.limits)?;
    let setup: G::Setup = if arguments.setup.is_empty() {
        G::Setup::default()
    } else {
        let wrong = |error| Failure::usage(format!("the set-up of {}: {error}", G::NAME));
        arguments.setup.parse().map_err(wrong)?
    };
    let candidates = draw::<G>(arguments, &setup)?;
    let mut worst = vec![0; candidates.len()];
    let judges = judges::<G>(arguments)?;
    for judge in &judges {
        let distances = distances(arguments, judge, limits, &candidates)?;
        for (worst, rank) in worst.iter_mut().zip(ranks(&distances)) {
            *worst = rank.max(*worst);
        }
    }
    let mut order: Vec<usize> = (0..candidates.len()).filter(|&number| worst[number] < DECIDED).collect();
    order.sort_by_key(|&number| (worst[number], number));
    if order.len() < arguments.count {
        return Err(Failure::failed(format!(
            "only {} of {} candidates are open to all judges, {} are wanted: draw more (--candidates) or shorter ones (--turns)",
            order.len(),
            candidates.len(),
            arguments.count
        )));
    }
    order.truncate(arguments.count);
    let mut text = header::<G>(app, arguments, &judges);
    for number in order {
        let Candidate { seed, opening } = &candidates[number];
        // Writing into a `String` cannot fail.
        let _ = writeln!(text, "{}", opening.line(*seed));
    }
    match &arguments.out {
        None => out!("{text}"),
        Some(path) => std::fs::write(path, text).map_err(Failure::cannot("write", &path))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The judges that are asked for, or the usual ones among the game's bots.
fn judges<G: Listed>(arguments: &MakeOpenings) -> Result<Vec<String>, Failure> {
    if !arguments.judges.is_empty() {
        return Ok(arguments.judges.clone());
    }
    let catalogue = G::catalogue();
    let has = |name: &&str| catalogue.bots().iter().any(|bot| bot.name == *name);
    let usual: Vec<String> = JUDGES.into_iter().filter(has).map(str::to_owned).collect();
    if usual.is_empty() {
        let names: Vec<&str> = catalogue.bots().iter().map(|bot| bot.name).collect();
        let problem = format!("{} has none of the usual judges: name some with --judges", G::NAME);
        return Err(Failure::usage(format!("{problem} (its bots are {})", names.join(", "))));
    }
    Ok(usual)
}

/// What the file is, and the command that makes it again.
fn header<G: Game>(app: &App, arguments: &MakeOpenings, judges: &[String]) -> String {
    let MakeOpenings { setup, count, candidates, turns, limits, seed, .. } = arguments;
    let setup = if setup.is_empty() { String::new() } else { format!(" --setup {setup}") };
    let turns: Vec<String> = turns.iter().map(ToString::to_string).collect();
    format!(
        "# Balanced openings of {}, made by:\n# {} openings {}{setup} --count {count} --candidates {candidates} --turns {} \
         --judges {} --limits {limits} --seed {seed}\n",
        G::NAME,
        app.program,
        G::NAME,
        turns.join(" "),
        judges.join(" "),
    )
}

/// Positions at random, each once, none of them over.
fn draw<G: Listed>(arguments: &MakeOpenings, setup: &G::Setup) -> Result<Vec<Candidate<G>>, Failure> {
    let [least, most] = arguments.turns[..] else { return Err(Failure::usage("--turns takes two numbers")) };
    if least > most || most > 100 {
        return Err(Failure::usage(format!("expected --turns LEAST MOST up to 100, found {least} {most}")));
    }
    // A game that draws its start by a seed gets another one for each opening.
    let one_start = G::initial(setup, 1).to_string() == G::initial(setup, 2).to_string();
    let mut rng = stream(arguments.seed, "candidates for openings");
    let (mut seen, mut drawn) = (HashSet::new(), Vec::new());
    // A game with few positions has fewer candidates than wanted.
    for attempt in 1..=20 * arguments.candidates as u64 {
        if drawn.len() == arguments.candidates {
            break;
        }
        let seed = if one_start { 0 } else { attempt };
        let opening = Opening::walk(G::initial(setup, seed), rng.random_range(least..=most), &mut rng);
        if opening.position.end().is_none() && seen.insert(opening.position.to_string()) {
            drawn.push(Candidate { seed, opening });
        }
    }
    Ok(drawn)
}

/// A distance that no even game has.
const DECIDED: usize = usize::MAX;

/// How far each position is from an even game, by one judge.
fn distances<G: Listed>(
    arguments: &MakeOpenings,
    judge: &str,
    limits: Limits,
    candidates: &[Candidate<G>],
) -> Result<Vec<usize>, Failure> {
    let catalogue = G::catalogue();
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, usize)>, Failure> {
        let mut bot = bots::build_patiently(&catalogue, judge).map_err(Failure::usage)?;
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(number) else { return Ok(found) };
            let distance = distance(&mut *bot, &candidate.opening, limits);
            found.push((number, distance.map_err(|problem| Failure::failed(format!("{judge}: {problem}")))?));
        }
    };
    let jobs = jobs(arguments.jobs);
    let mut distances = vec![DECIDED; candidates.len()];
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let found =
                worker.join().unwrap_or_else(|_| Err(Failure::failed(format!("{judge} panicked"))))?;
            for (number, distance) in found {
                distances[number] = distance;
            }
        }
        Ok(distances)
    })
}

/// How far from an even game a judge sees a position, from the seat of each player who is to move there.
fn distance<G: Game>(bot: &mut dyn Bot<G>, opening: &Opening<G>, limits: Limits) -> Result<usize, String> {
    let mut record = Record::new(opening.origin.clone());
    for &turn in &opening.turns {
        record.play(turn).map_err(|error| error.to_string())?;
    }
    let players: Vec<Player> = record.position().active().players().collect();
    let seen = players.into_iter().map(|player| {
        bot.opening(&opening.origin, &opening.turns);
        // Every position is a new game with one seed, so that no judgement depends on those before.
        let answer = ask_anew(bot, &record, player, limits, 1).map_err(|failure| failure.to_string())?;
        let analysis = answer.analysis.ok_or("it gives no scores, so it cannot judge")?;
        let score = analysis.score;
        Ok(if score.is_decided() { DECIDED } else { score.value().unsigned_abs() as usize })
    });
    seen.collect::<Result<Vec<usize>, String>>().map(|seen| seen.into_iter().max().unwrap_or(DECIDED))
}

/// For each number how many are less; what is decided stays so.
fn ranks(distances: &[usize]) -> impl Iterator<Item = usize> {
    let mut sorted = distances.to_vec();
    sorted.sort_unstable();
    distances.iter().map(move |&distance| {
        if distance == DECIDED { DECIDED } else { sorted.partition_point(|&other| other < distance) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_what_is_nearer() {
        let found: Vec<usize> = ranks(&[30, 0, DECIDED, 0, 12]).collect();
        assert_eq!(found, [3, 0, DECIDED, 0, 2]);
    }
}
