//! The network of the champion of Hus, trained on its own games.
//!
//! The champion plays itself from random openings, now and then with a random move. Every position it searched becomes an
//! example: the rows it names in the network, and a chance that is made of the search's score and of the game's result.

mod games;
mod training;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use agents::hus::Network;
use search_core::Score;

use self::games::{Plan, Played};
use self::training::{Example, Training};
use gamesearch::{CommandResult, Failure};

/// What the command line says.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    /// The bot that plays both sides.
    pub(super) bot: &'a str,
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) opening: u32,
    pub(super) epochs: usize,
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) folder: &'a Path,
}

/// After the opening, one move in this many is random.
const STRAY: u32 = 20;

/// Every twentieth game is kept back.
const KEPT_BACK: u64 = 20;

/// The first step of the training.
const STEP: f32 = 0.003;

pub(super) fn run(settings: &Settings<'_>) -> CommandResult {
    let folder = settings.folder;
    fs::create_dir_all(folder)
        .map_err(|error| Failure::failed(format!("cannot make the folder {}: {error}", folder.display())))?;
    let plan = Plan {
        bot: settings.bot.to_owned(),
        nodes: settings.nodes,
        opening: settings.opening,
        stray: STRAY,
        seed: settings.seed,
    };
    let games = games::run(&plan, settings.games, settings.jobs, &folder.join("games.jsonl"))?;
    let (examples, kept_back) = examples(&games);
    eprintln!("{} games, {} positions, {} more kept back", games.len(), examples.len(), kept_back.len());
    if examples.is_empty() || settings.epochs == 0 {
        return Err(Failure::failed("nothing to learn from: play more games, for one epoch at least"));
    }
    let training = Training { epochs: settings.epochs, step: STEP, seed: settings.seed };
    let (trained, epochs) = training::train(training, &examples, &kept_back, |epoch| {
        eprintln!(
            "epoch {}: loss {:.5} in training, {:.5} kept back",
            epoch.number, epoch.training, epoch.validation
        );
    });
    let bytes = trained
        .to_bytes()
        .and_then(|bytes| Network::from_bytes(&bytes).map(|_| bytes))
        .map_err(|error| Failure::failed(format!("the trained network cannot be used: {error}")))?;
    let path = folder.join("network.bin");
    fs::write(&path, bytes)
        .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
    super::write_epochs(folder, &epochs)?;
    println!("written: {0}/network.bin, {0}/log.csv, {0}/loss.svg", folder.display());
    println!(
        "It plays once it is built in: copy it to crates/agents/src/hus/network.bin. The match that decides:"
    );
    println!(
        "  cargo xtask tournament --games hus --bots champion \"former=ugi:FORMER-PROGRAM engine hus\" --limits nodes=4000 \
         --openings plies=2 --sprt 0,10"
    );
    Ok(ExitCode::SUCCESS)
}

/// The positions of the games, and those of the games kept back.
fn examples(games: &[Played]) -> (Vec<Example>, Vec<Example>) {
    let (mut examples, mut kept_back) = (Vec::new(), Vec::new());
    for played in games {
        let list = if played.game % KEPT_BACK == KEPT_BACK - 1 { &mut kept_back } else { &mut examples };
        list.extend(played.positions().map(|(position, score, result)| Example {
            rows: Network::rows(&position),
            target: target(score, result),
        }));
    }
    (examples, kept_back)
}

/// Half the chance that the score stands for, half the result.
fn target(score: i32, result: i32) -> f32 {
    let score = Score::from_value(score);
    let chance = if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        1.0 / (1.0 + libm::expf(-score.value() as f32 / Network::POINTS as f32))
    };
    0.5 * chance + 0.25 * (result + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(folder: &Path, games: u64) -> Settings<'_> {
        Settings { bot: "champion:hash=1", games, nodes: 50, opening: 6, epochs: 2, seed: 3, jobs: 2, folder }
    }

    #[test]
    fn a_run_leaves_a_network_and_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        run(&settings(folder.path(), 22)).unwrap();
        let bytes = fs::read(folder.path().join("network.bin")).unwrap();
        assert!(Network::from_bytes(&bytes).is_ok());
        assert!(fs::read_to_string(folder.path().join("log.csv")).unwrap().lines().count() == 3);
        assert!(fs::read_to_string(folder.path().join("loss.svg")).unwrap().starts_with("<svg"));

        // A torn line is played again, and the same network comes out.
        let path = folder.path().join("games.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        let torn: String = text.chars().take(text.len() - 40).collect();
        fs::write(&path, torn + "\n").unwrap();
        run(&settings(folder.path(), 22)).unwrap();
        assert_eq!(fs::read(folder.path().join("network.bin")).unwrap(), bytes);

        let other = Settings { nodes: 60, ..settings(folder.path(), 22) };
        let error = run(&other).unwrap_err().to_string();
        assert!(error.contains("other settings"), "{error}");
    }

    #[test]
    fn nothing_to_learn_from_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = run(&settings(folder.path(), 0)).unwrap_err().to_string();
        assert!(error.contains("play more games"), "{error}");
    }

    #[test]
    fn targets_are_half_score_half_result() {
        assert_eq!(target(Score::win_in(3).value(), 1), 1.0);
        assert_eq!(target(Score::loss_in(3).value(), -1), 0.0);
        assert_eq!(target(0, 0), 0.5);
        assert!((target(Network::POINTS, -1) - 0.5 * 0.731_06).abs() < 1e-4);
    }
}
