//! `cargo xtask scales`: what the scores of the bots say of their chances.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use agents::BotInfo;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use gamesearch::{CommandResult, Failure, Scale, score_scale};
use search_core::{Limits, Player, derive_seed};

use super::tune::selfplay::{bots, opening, turn};
use crate::games::{Developed, Visitor, asked, with_game};

/// Fit the scores of bots to the results of games against themselves
///
/// Each bot plays itself from random openings. What it thought of its positions is fitted to the results: the
/// score of even chances, and how many points more stand for a chance of 73 % to win. `Listed::SCALES` holds them for the playground.
/// Beside them stand how far chances and results are apart: of the tenths of all scores, from the worst to the best, the mean distance in points of a
/// hundred, with the scale that the game holds and with the one that was fitted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask scales
  cargo xtask scales hus --bots champion,mcts --games 400")]
pub(crate) struct Scales {
    /// The game [default: all]
    game: Option<String>,
    /// The bots, with commas between [default: all that tell what they see]
    #[arg(long, value_delimiter = ',')]
    bots: Vec<String>,
    /// Games of each bot
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Nodes of a move, for bots that do not count playouts
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Playouts of a move, for bots that count them
    #[arg(long, default_value_t = 1000)]
    playouts: u64,
    /// Random turns before the bot takes over
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Turns after which a game is left out
    #[arg(long, default_value_t = 1000)]
    longest: usize,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: the number of processors]
    #[arg(long)]
    jobs: Option<usize>,
}

pub(crate) fn run(arguments: &Scales) -> CommandResult {
    for game in asked(arguments.game.as_deref()) {
        with_game(game, arguments)??;
    }
    Ok(ExitCode::SUCCESS)
}

/// A score of a bot, and what came of the game for it: 1, 0.5 or 0.
type Sample = (f64, f64);

impl Visitor for &Scales {
    type Output = Result<(), Failure>;

    fn visit<G: Developed>(self) -> Result<(), Failure> {
        let catalogue = G::catalogue();
        let all: Vec<String> = if self.bots.is_empty() {
            // Levels score as the champion does.
            catalogue.bots().iter().map(|bot| bot.name.to_owned()).filter(|name| name != "level").collect()
        } else {
            self.bots.clone()
        };
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        table.set_header(["game", "bot", "games", "scores", "scale", "apart", "fitted", "apart"]);
        for bot in &all {
            let (games, samples) = self.samples::<G>(bot)?;
            if samples.is_empty() {
                anstream::eprintln!("{} {bot}: tells no scores", G::NAME);
                continue;
            }
            let (held, fitted) = (score_scale::<G>(bot), fit(&samples));
            let distance = |scale: Scale| format!("{:.1}", apart(&samples, scale));
            table.add_row([
                G::NAME.to_owned(),
                bot.clone(),
                games.to_string(),
                samples.len().to_string(),
                shown(held),
                distance(held),
                shown(fitted),
                distance(fitted),
            ]);
            anstream::eprintln!("{} {bot}: {games} games, {}", G::NAME, shown(fitted));
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        anstream::println!("{table}");
        Ok(())
    }
}

impl Scales {
    /// The games that a bot finished against itself, and its scores in them.
    fn samples<G: Developed>(&self, bot: &str) -> Result<(u64, Vec<Sample>), Failure> {
        let counts_playouts = |info: &BotInfo<G>| info.options.iter().any(|option| option.key == "playouts");
        let name = bot.split(':').next();
        let counts =
            G::catalogue().bots().iter().any(|info| Some(info.name) == name && counts_playouts(info));
        let limits = if counts { Limits::playouts(self.playouts) } else { Limits::nodes(self.nodes) };
        let next = AtomicU64::new(0);
        let found = Mutex::new((0, Vec::new(), None));
        let jobs = gamesearch::jobs(self.jobs);
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= self.games {
                            return;
                        }
                        let played = self.play::<G>(bot, limits, game);
                        let Ok(mut found) = found.lock() else { return };
                        match played {
                            Ok(None) => {}
                            Ok(Some(samples)) => {
                                found.0 += 1;
                                found.1.extend(samples);
                            }
                            Err(failure) => {
                                found.2.get_or_insert(failure);
                                return;
                            }
                        }
                    }
                });
            }
        });
        let (games, samples, failure) = found.into_inner().map_err(|_| Failure::failed("a game panicked"))?;
        failure.map_or(Ok((games, samples)), Err)
    }

    /// What the bot thought in one game that came to an end.
    fn play<G: Developed>(
        &self,
        bot: &str,
        limits: Limits,
        game: u64,
    ) -> Result<Option<Vec<Sample>>, Failure> {
        let seed = derive_seed(self.seed, &format!("scales {game}"));
        let mut players = bots::<G>(bot, seed)?;
        let mut record = opening::<G>(self.opening, seed);
        let mut scores: Vec<(Player, f64)> = Vec::new();
        while record.end().is_none() {
            if record.turns().len() >= self.longest {
                return Ok(None);
            }
            let watch = |player: Player, answer: &search_core::Answer<G::Move>| {
                let score = answer.analysis.as_ref().map(|found| found.score);
                // What is decided needs no scale.
                if let Some(score) = score.filter(|score| !score.is_decided()) {
                    scores.push((player, f64::from(score.value())));
                }
            };
            turn(&mut players, &mut record, limits, watch)
                .map_err(|error| Failure::failed(format!("{} {bot}, game {game}: {error}", G::NAME)))?;
        }
        let sign = |player: Player| record.end().map_or(0, |end| end.outcome.sign(player));
        Ok(Some(
            scores
                .into_iter()
                .map(|(player, score)| (score, f64::midpoint(f64::from(sign(player)), 1.0)))
                .collect(),
        ))
    }
}

/// Even chances, and the unit.
fn shown(scale: Scale) -> String {
    format!("{:.0}, {:.0}", scale.even, scale.unit)
}

/// The scale under which the results are likeliest.
fn fit(samples: &[Sample]) -> Scale {
    let loss = |offset: f64, exponent: f64| -> f64 {
        let unit = libm::exp(exponent);
        let scale = Scale::new(offset * unit, unit);
        let of = |&(score, result): &Sample| {
            let chance = scale.chance(score).clamp(1e-6, 1.0 - 1e-6);
            -(result * libm::log(chance) + (1.0 - result) * libm::log(1.0 - chance))
        };
        samples.iter().map(of).sum()
    };
    let offset_at = |exponent: f64| lowest(-8.0, 8.0, |offset| loss(offset, exponent));
    let exponent = lowest(0.0, 15.0, |exponent| loss(offset_at(exponent), exponent));
    let unit = libm::exp(exponent);
    Scale::new(offset_at(exponent) * unit, unit)
}

/// Where a function with one valley is lowest, by golden sections.
fn lowest(mut low: f64, mut high: f64, height: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..24 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if height(left) < height(right) { high = right } else { low = left }
    }
    f64::midpoint(low, high)
}

/// How far chances and results are apart, in points of a hundred: the mean over the tenths of the scores in their order.
fn apart(samples: &[Sample], scale: Scale) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let tenths: Vec<&[Sample]> = sorted.chunks(sorted.len().div_ceil(10).max(1)).collect();
    let distance = |part: &&[Sample]| {
        let of = |value: &dyn Fn(&Sample) -> f64| part.iter().map(value).sum::<f64>() / part.len() as f64;
        (of(&|sample| scale.chance(sample.0)) - of(&|sample| sample.1)).abs()
    };
    100.0 * tenths.iter().map(distance).sum::<f64>() / tenths.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use search_core::SearchRng;

    use super::*;

    #[test]
    fn a_known_scale_is_found() {
        let mut rng = SearchRng::new(1, "scales");
        let known = Scale::new(50.0, 120.0);
        let samples: Vec<Sample> = (0..4000)
            .map(|_| {
                let score = 600.0 * (rng.unit() - 0.5);
                (score, f64::from(u8::from(rng.unit() < known.chance(score))))
            })
            .collect();
        let scale = fit(&samples);
        assert!((scale.unit - 120.0).abs() < 15.0 && (scale.even - 50.0).abs() < 15.0, "{scale:?}");
        assert!(apart(&samples, scale) < 3.0);
        assert!(apart(&samples, Scale::new(0.0, 10.0)) > 10.0, "chances that are too sure are seen");
    }
}
