//! The network of a champion, trained on games of its own.
//!
//! A bot plays itself from random openings, now and then with a random move. Every position it searched becomes an example: the rows
//! that the game's views name, and a chance that is made of the search's score and of the game's result.

mod examples;
mod games;
mod training;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agents::tuning::Training;
use search_core::Score;

use self::examples::Examples;
use self::games::{Plan, Played};
use self::training::{Schedule, Shape};
use crate::games::Developed;
use gamesearch::{CommandResult, Failure};

/// What the command line says.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    /// The bot that plays both sides.
    pub(super) bot: Option<&'a str>,
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) opening: u32,
    pub(super) epochs: usize,
    pub(super) patience: usize,
    /// Games of earlier runs, to be learned from as well.
    pub(super) import: &'a [PathBuf],
    /// The share of the result in what is learned; the rest is the search's score.
    pub(super) result: f32,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) folder: &'a Path,
}

/// After the opening, one turn in this many has a random move.
const STRAY: u32 = 20;

/// Every twentieth game is kept back.
const KEPT_BACK: u64 = 20;

/// The first step of the training.
const STEP: f32 = 0.003;

pub(super) fn run<G: Developed>(settings: &Settings<'_>) -> CommandResult {
    let training =
        G::training().ok_or_else(|| Failure::usage(format!("the champion of {} has no network", G::NAME)))?;
    let folder = settings.folder;
    fs::create_dir_all(folder)
        .map_err(|error| Failure::failed(format!("cannot make the folder {}: {error}", folder.display())))?;
    let plan = Plan {
        contest: G::NAME.to_owned(),
        bot: settings.bot.unwrap_or(training.bot).to_owned(),
        nodes: settings.nodes,
        opening: settings.opening,
        stray: STRAY,
        seed: settings.seed,
    };
    let games = games::run::<G>(&plan, settings.games, settings.jobs, &folder.join("games.jsonl"))?;
    tell_results(&games);
    let mut both = [Examples::new(&training), Examples::new(&training)];
    add::<G>(&mut both, &plan, &training, &games, settings.result)?;
    for path in settings.import {
        let (plan, games) = games::import::<G>(path)?;
        eprintln!("{} games from {}", games.len(), path.display());
        add::<G>(&mut both, &plan, &training, &games, settings.result)?;
    }
    let [examples, kept_back] = both;
    eprintln!("{} positions, {} more kept back", examples.len(), kept_back.len());
    if examples.is_empty() || settings.epochs == 0 {
        return Err(Failure::failed("nothing to learn from: play more games, for one epoch at least"));
    }
    let schedule =
        Schedule { epochs: settings.epochs, step: STEP, patience: settings.patience, seed: settings.seed };
    let shape = Shape { rows: training.rows, squash: training.squash, bias: !training.both_sides };
    let (trained, epochs) = training::train(schedule, shape, &examples, &kept_back, |epoch| {
        eprintln!(
            "epoch {}: loss {:.5} in training, {:.5} kept back",
            epoch.number, epoch.training, epoch.validation
        );
    });
    let bytes = (training.pack)(&trained)
        .map_err(|error| Failure::failed(format!("the trained network cannot be used: {error}")))?;
    let path = folder.join("network.bin");
    fs::write(&path, bytes)
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
    super::write_epochs(folder, &epochs)?;
    println!("written: {0}/network.bin, {0}/log.csv, {0}/loss.svg", folder.display());
    println!("It plays once it is built in: copy it to {}. The match that decides:", training.home);
    println!(
        "  cargo xtask tournament --games {} --bots {} \"former=ugi:FORMER-PROGRAM engine {} {}\" --limits nodes=4000 \
         --openings plies=2 --sprt 0,10",
        G::NAME,
        training.match_bot,
        G::NAME,
        training.match_bot
    );
    Ok(ExitCode::SUCCESS)
}

/// How the games went: a bot that plays itself should not only draw.
fn tell_results(games: &[Played]) {
    let count = |result: i32| games.iter().filter(|played| played.result == result).count();
    let turns: usize = games.iter().map(|played| played.turns.len()).sum();
    eprintln!(
        "self-play: {} won by the first player, {} drawn, {} by the second, {:.0} turns a game",
        count(1),
        count(0),
        count(-1),
        turns as f64 / games.len().max(1) as f64
    );
}

/// Adds the positions of the games to the first list, and those of the games kept back to the second.
fn add<G: Developed>(
    both: &mut [Examples; 2],
    plan: &Plan,
    training: &Training<G>,
    games: &[Played],
    share: f32,
) -> Result<(), Failure> {
    for played in games {
        let list = &mut both[usize::from(played.game % KEPT_BACK == KEPT_BACK - 1)];
        played.each::<G>(plan, |position, viewer, score, result| {
            let target = target((training.chance)(Score::from_value(score)), result, share);
            list.add(training, position, viewer, target);
        })?;
    }
    Ok(())
}

/// A mix of the chance that the score stands for and of the result.
fn target(chance: f32, result: i32, share: f32) -> f32 {
    (1.0 - share) * chance + share * 0.5 * (result + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(folder: &Path, games: u64) -> Settings<'_> {
        Settings {
            bot: None,
            games,
            nodes: 50,
            opening: 6,
            epochs: 2,
            patience: 0,
            import: &[],
            result: 0.5,
            seed: 3,
            jobs: 2,
            folder,
        }
    }

    fn leaves_a_network_and_goes_on<G: Developed>() {
        let folder = tempfile::tempdir().unwrap();
        run::<G>(&settings(folder.path(), 22)).unwrap();
        let bytes = fs::read(folder.path().join("network.bin")).unwrap();
        assert!(fs::read_to_string(folder.path().join("log.csv")).unwrap().lines().count() == 3);
        assert!(fs::read_to_string(folder.path().join("loss.svg")).unwrap().starts_with("<svg"));

        // A torn line is played again, and the same network comes out.
        let path = folder.path().join("games.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        let torn: String = text.chars().take(text.len() - 40).collect();
        fs::write(&path, torn + "\n").unwrap();
        run::<G>(&settings(folder.path(), 22)).unwrap();
        assert_eq!(fs::read(folder.path().join("network.bin")).unwrap(), bytes);

        // So is one that lacks its end; the next game stands on a line of its own.
        let torn: String = text.chars().take(text.len() - 40).collect();
        fs::write(&path, torn).unwrap();
        run::<G>(&settings(folder.path(), 24)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let games = text.lines().filter(|line| serde_json::from_str::<Played>(line).is_ok()).count();
        assert_eq!((games, text.lines().count()), (24, 1 + 24 + 1), "the plan, the games, and half a one");

        let other = Settings { nodes: 60, ..settings(folder.path(), 22) };
        let error = run::<G>(&other).unwrap_err().to_string();
        assert!(error.contains("other settings"), "{error}");
    }

    #[test]
    fn a_run_leaves_a_network_and_goes_on_where_it_stopped() {
        leaves_a_network_and_goes_on::<hus::Position>();
        leaves_a_network_and_goes_on::<ropasci360::Position>();
    }

    #[test]
    fn nothing_to_learn_from_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = run::<hus::Position>(&settings(folder.path(), 0)).unwrap_err().to_string();
        assert!(error.contains("play more games"), "{error}");
        let error = run::<colosseum::Position>(&settings(folder.path(), 0)).unwrap_err().to_string();
        assert!(error.contains("no network"), "{error}");
    }

    #[test]
    fn targets_are_a_mix_of_score_and_result() {
        assert_eq!(target(1.0, 1, 0.5), 1.0);
        assert_eq!(target(0.0, -1, 0.3), 0.0);
        assert_eq!(target(0.5, 0, 0.5), 0.5);
        assert!((target(0.75, -1, 0.4) - 0.45).abs() < 1e-6);
    }
}
