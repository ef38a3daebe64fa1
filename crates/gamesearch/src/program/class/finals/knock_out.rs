//! A knock-out: who loses a match is out. Every match has a winner, by rules that are written down before it.

use std::path::PathBuf;

use arena::{Digest, Ending, run};

use super::{FinalResult, Match, Place, Stage};
use crate::program::Failure;

/// The order of the seeds in the first round: the best two can only meet in the last, the best four in the one before, and
/// so on.
pub(super) fn order(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = 2 * order.len();
        order = order.iter().flat_map(|&seed| [seed, next - 1 - seed]).collect();
    }
    order
}

/// Plays the matches that are missing, round by round.
pub(super) fn play(stage: &Stage<'_>) -> Result<FinalResult, Failure> {
    let count = stage.entrants.bots.len();
    let size = count.next_power_of_two();
    let mut rounds: Vec<Vec<Match>> = Vec::new();
    let mut playing: Vec<Option<usize>> =
        order(size).into_iter().map(|seed| (seed < count).then_some(seed)).collect();
    let name = |seed: Option<usize>| seed.map(|seed| stage.entrants.names[seed].clone());
    let mut over = true;
    while playing.len() > 1 && over {
        let round = rounds.len();
        let matches = playing.chunks(2).map(|two| Match {
            seeds: [two[0], two[1]],
            names: [name(two[0]), name(two[1])],
            ..Match::default()
        });
        rounds.push(matches.collect());
        playing.clear();
        for number in 0..rounds[round].len() {
            let mut one = rounds[round][number].clone();
            let winner = match one.seeds {
                [Some(first), Some(second)] => match decide(stage, round, number, [first, second])? {
                    Some(decided) => {
                        one.points = Some(decided.points);
                        one.rule = Some(decided.rule);
                        Some(decided.winner)
                    }
                    None => None,
                },
                [Some(_), None] => Some(0),
                [None, _] => Some(1),
            };
            one.winner = winner;
            let Some(winner) = winner else {
                over = false;
                break;
            };
            playing.push(one.seeds[winner]);
            rounds[round][number] = one;
            stage.tell(&result(stage, &rounds, false))?;
        }
    }
    Ok(result(stage, &rounds, over))
}

fn result(stage: &Stage<'_>, rounds: &[Vec<Match>], over: bool) -> FinalResult {
    let total = stage.entrants.bots.len().next_power_of_two().trailing_zeros() as usize;
    let mut places: Vec<Place> = stage
        .entrants
        .bots
        .iter()
        .enumerate()
        .map(|(seed, bot)| {
            // The first round in which it lost; rounds that it won before.
            let lost = rounds.iter().position(|matches| {
                matches.iter().any(|one| one.winner.is_some_and(|winner| one.seeds[1 - winner] == Some(seed)))
            });
            let (depth, result) = match lost {
                Some(round) if round + 1 == total => (round, "lost the final".to_owned()),
                Some(round) => (round, format!("out in round {}", round + 1)),
                None if over => (total, "winner".to_owned()),
                None => (total, "still in".to_owned()),
            };
            Place {
                rank: total - depth,
                player: bot.name.clone(),
                name: stage.entrants.names[seed].clone(),
                seed: seed + 1,
                result,
            }
        })
        .collect();
    places.sort_by(|a, b| a.rank.cmp(&b.rank).then(a.seed.cmp(&b.seed)));
    // Who went out in the same round shares a place.
    let mut last = (usize::MAX, 0);
    for (number, place) in places.iter_mut().enumerate() {
        if place.rank != last.0 {
            last = (place.rank, number + 1);
        }
        place.rank = last.1;
    }
    FinalResult {
        name: stage.settings.name.text().to_owned(),
        over,
        places,
        rounds: rounds.to_vec(),
        rules: format!(
            "A match has {} pairs of games. A draw is decided by up to {} more pairs, the first that is not drawn counting; then by \
             fewer losses by a failure; then by less time for a move on average, if the difference is more than a tenth; then by \
             the better seed.",
            stage.settings.pairs, stage.settings.more
        ),
    }
}

/// How a match was decided.
struct Decided {
    winner: usize,
    points: [f64; 2],
    rule: String,
}

/// Plays a match, pair by pair once it is drawn; nothing if it was interrupted.
fn decide(
    stage: &Stage<'_>,
    round: usize,
    number: usize,
    seeds: [usize; 2],
) -> Result<Option<Decided>, Failure> {
    let seed = Digest::of(&[
        "match",
        &stage.ladder.settings.seed.to_string(),
        &round.to_string(),
        &number.to_string(),
    ])
    .number();
    let mut journals: Vec<PathBuf> = Vec::new();
    for more in 0..=stage.settings.more {
        let plan = stage.plan(&seeds, arena::Format::RoundRobin, stage.settings.pairs + more, seed);
        let path = stage.folder.join(format!("round-{}-match-{:03}-{more}.jsonl", round + 1, number + 1));
        let contests = std::slice::from_ref(&stage.ladder.contest);
        // What was played already is taken over: only the pair that is new is played.
        let options = stage.options(journals.iter().rev().take(1).cloned().collect());
        let report =
            run(&plan, contests, &path, &options, stage.control, &mut |_| {}).map_err(Failure::failed)?;
        if let Some(error) = report.error {
            return Err(Failure::failed(error));
        }
        for problem in &report.tampered {
            errln!("{}: {problem}", path.display());
        }
        if report.ending != Ending::Complete {
            return Ok(None);
        }
        journals.push(path);
        let tally = &report.results.tallies[0];
        let results = tally.pairing(0, 1).map(|(games, _)| games).unwrap_or_default();
        let points = [results.points(), results.reversed().points()];
        let decided = |winner: usize, rule: String| Ok(Some(Decided { winner, points, rule }));
        match report.results.withdrawn.as_slice() {
            [Some(_), None] => return decided(1, "the other did not start".to_owned()),
            [None, Some(_)] => return decided(0, "the other did not start".to_owned()),
            [Some(_), Some(_)] => return decided(0, "neither started: the better seed".to_owned()),
            _ => {}
        }
        if points[0] != points[1] {
            let winner = usize::from(points[1] > points[0]);
            let rule =
                if more == 0 { "points".to_owned() } else { format!("points after {more} more pairs") };
            return decided(winner, rule);
        }
        if more < stage.settings.more {
            continue;
        }
        let faults = [0, 1].map(|bot| tally.bots[bot].faults.values().sum::<u64>());
        if faults[0] != faults[1] {
            return decided(usize::from(faults[1] < faults[0]), "fewer failures".to_owned());
        }
        let times = [0, 1].map(|bot| tally.bots[bot].time_per_move().map_or(0.0, |time| time.as_secs_f64()));
        let (less, other) = (times[0].min(times[1]), times[0].max(times[1]));
        if less < 0.9 * other {
            return decided(usize::from(times[1] < times[0]), "less time".to_owned());
        }
        return decided(usize::from(seeds[1] < seeds[0]), "the better seed".to_owned());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_late() {
        assert_eq!(order(1), [0]);
        assert_eq!(order(2), [0, 1]);
        assert_eq!(order(4), [0, 3, 1, 2]);
        assert_eq!(order(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        for size in [16, 128] {
            let mut left = order(size);
            while left.len() > 1 {
                // If the better seed always wins, those left are the best.
                left = left.chunks(2).map(|two| two[0].min(two[1])).collect();
                let mut seeds = left.clone();
                seeds.sort_unstable();
                assert_eq!(seeds, (0..left.len()).collect::<Vec<_>>());
            }
        }
    }
}
