//! Our formulas beside scipy's and those of a published rating package, on random data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena::statistics::{
    Cluster, ErrorModel, Interval, RatingsOptions, Sample, Sprt, SprtModel, clopper_pearson, elo_estimate,
    los, nelo_estimate, rate, wilson,
};
use gamesearch::Failure;
use serde_json::{Value, json};

use super::{Dice, pair};
use crate::games::workspace;

/// How many sets of data of each kind.
const SETS: u64 = 100;

/// Writes random data with what we make of it, and lets a Python program check it. Where Python's packages cannot be had, that is said
/// and the rest counts.
pub(super) fn run(seed: u64) -> Result<bool, Failure> {
    let folder = workspace().join("target/statistics");
    fs::create_dir_all(&folder).map_err(Failure::failed)?;
    let data = folder.join("ours.json");
    let text = serde_json::to_string_pretty(&ours(seed)).map_err(Failure::failed)?;
    fs::write(&data, text).map_err(Failure::failed)?;
    let sources = workspace().join("xtask/statistics");
    let python = match environment(&folder, &sources) {
        Ok(python) => python,
        Err(problem) => {
            anstream::println!("skipped, the comparison with scipy: {problem}");
            return Ok(true);
        }
    };
    let checked = Command::new(python).arg(sources.join("beside.py")).arg(&data).status();
    Ok(checked.map_err(Failure::failed)?.success())
}

/// A virtual environment with the packages; its Python.
fn environment(folder: &Path, sources: &Path) -> Result<PathBuf, String> {
    let environment = folder.join("python");
    let python = environment.join("bin/python");
    let ran = |command: &mut Command| match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed ({status})")),
        Err(error) => Err(format!("{command:?}: {error}")),
    };
    ran(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    ran(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(sources.join("requirements.txt")))?;
    Ok(python)
}

/// Random data, and what we make of it.
fn ours(seed: u64) -> Value {
    let sets = |kind: u64, make: fn(&mut Dice) -> Value| {
        (0..SETS).map(|number| make(&mut Dice::new(seed, 1000 * kind + number))).collect::<Vec<_>>()
    };
    json!({ "pairs": sets(1, pairs), "bounds": sets(2, bounds), "ratings": sets(3, ratings) })
}

fn pairs(dice: &mut Dice) -> Value {
    let most = 1 + dice.below(400);
    // Something of everything, so that no count is made up; the rest is in the test vectors.
    let counts = [0; 5].map(|_: u64| 1 + dice.below(most));
    let elo0 = (dice.below(20) as f64) - 10.0;
    let elo1 = elo0 + 1.0 + dice.below(20) as f64;
    let sample = Sample::pairs(counts);
    let llr = |model| Sprt { model, ..Sprt::new(elo0, elo1) }.llr(&sample);
    let estimate =
        |estimate: Option<arena::statistics::Estimate>| estimate.map(|found| [found.value, found.error]);
    json!({
        "counts": counts,
        "elo0": elo0,
        "elo1": elo1,
        "elo": estimate(elo_estimate(&sample)),
        "nelo": estimate(nelo_estimate(&sample)),
        "los": los(&sample),
        "llr_normalized": llr(SprtModel::Normalized),
        "llr_logistic": llr(SprtModel::Logistic),
    })
}

fn bounds(dice: &mut Dice) -> Value {
    let count = 1 + dice.below(300);
    let successes = dice.below(count + 1);
    let ends = |interval: Interval| [interval.low, interval.high];
    json!({
        "successes": successes,
        "count": count,
        "clopper_pearson": ends(clopper_pearson(successes, count)),
        "wilson": ends(wilson(successes as f64 / count as f64, count as f64)),
    })
}

fn ratings(dice: &mut Dice) -> Value {
    let players = 2 + dice.below(5) as usize;
    let strengths: Vec<f64> = (0..players).map(|_| dice.share() * 500.0).collect();
    let decisive = dice.share() < 0.3;
    let mut clusters = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            for _ in 0..4 + dice.below(12) {
                let mut scores = pair(strengths[a] - strengths[b], dice);
                if decisive {
                    // Games without draws are what every implementation of the model takes.
                    scores = scores.map(|score| if score == 0.5 { dice.share().round() } else { score });
                }
                clusters.push(Cluster { players: [a, b], scores: scores.map(Some), count: 1.0 });
            }
        }
    }
    let (advantage, prior) = if decisive { (false, 0.0) } else { (dice.share() < 0.5, dice.below(3) as f64) };
    let rated = rate(players, &clusters, RatingsOptions { advantage, prior }).ok();
    let errors = |model| {
        rated.as_ref().map(|rated| (0..players).map(|player| rated.error(player, model)).collect::<Vec<_>>())
    };
    json!({
        "players": players,
        "pairs": clusters.iter().map(|one| json!([one.players[0], one.players[1], one.scores])).collect::<Vec<_>>(),
        "advantage": advantage,
        "prior": prior,
        "decisive": decisive,
        "ratings": rated.as_ref().map(|rated| rated.ratings().to_vec()),
        "first_mover": rated.as_ref().and_then(arena::statistics::Ratings::advantage),
        "first_mover_error": rated.as_ref().and_then(|rated| rated.advantage_error(ErrorModel::Fisher)),
        "fisher": errors(ErrorModel::Fisher),
        "robust": errors(ErrorModel::Robust),
    })
}
