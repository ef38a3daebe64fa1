//! The sequential probability ratio test (generalised, on the counts of pairs or games), in both models.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::{deviations_of_nelo, score_of_elo};
use super::sample::Sample;

/// What the two hypotheses of the test are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalized Elo: the score's distance from 1/2 in deviations of a game.
    #[default]
    Normalized,
    /// Logistic Elo: the score itself.
    Logistic,
}

/// A test of `elo0` against `elo1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// The probability of accepting `elo1` though `elo0` holds.
    pub alpha: f64,
    /// The probability of accepting `elo0` though `elo1` holds.
    pub beta: f64,
    /// What the differences are measured in.
    pub model: SprtModel,
}

/// What the test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The alternative `elo1` is accepted.
    Accepted,
    /// The null hypothesis `elo0` is accepted.
    Rejected,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::Accepted => "accepted",
            Decision::Rejected => "rejected",
        })
    }
}

impl Sprt {
    /// A test at 5 % and 5 % in normalized Elo.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized }
    }

    /// The bounds of the log-likelihood ratio: at or below the first `elo0` is accepted, at or above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the two hypotheses; 0 without an observation.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.size() <= 0.0 {
            return 0.0;
        }
        // A count of zero would make its probability zero under one hypothesis for good.
        let counts: Vec<f64> =
            sample.counts().iter().map(|&count| if count == 0.0 { 0.001 } else { count }).collect();
        let size: f64 = counts.iter().sum();
        let shares: Vec<f64> = counts.iter().map(|count| count / size).collect();
        let fit = |elo: f64| match self.model {
            SprtModel::Logistic => fit_mean(&shares, sample.scores(), score_of_elo(elo)),
            SprtModel::Normalized => {
                fit_deviations(&shares, sample.scores(), deviations_of_nelo(elo, sample.unit()))
            }
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let mean: f64 =
            shares.iter().zip(alternative.iter().zip(&null)).map(|(p, (q1, q0))| p * (q1 / q0).ln()).sum();
        size * mean
    }

    /// What the test says about these results; `None` while it is open.
    pub fn decide(&self, sample: &Sample) -> Option<Decision> {
        let (llr, (lower, upper)) = (self.llr(sample), self.bounds());
        if llr >= upper {
            Some(Decision::Accepted)
        } else if llr <= lower {
            Some(Decision::Rejected)
        } else {
            None
        }
    }
}

/// The likeliest distribution with the given mean.
fn fit_mean(shares: &[f64], scores: &[f64], mean: f64) -> Vec<f64> {
    let slopes: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    tilt(shares, &slopes)
}

/// The likeliest distribution whose mean lies this many of its own deviations above 1/2.
fn fit_deviations(shares: &[f64], scores: &[f64], deviations: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..10 {
        let mean: f64 = fitted.iter().zip(scores).map(|(q, a)| q * a).sum();
        let deviation = fitted.iter().zip(scores).map(|(q, a)| q * (a - mean).powi(2)).sum::<f64>().sqrt();
        let slopes: Vec<f64> = scores
            .iter()
            .map(|a| a - 0.5 - deviations * deviation / 2.0 * (1.0 + ((a - mean) / deviation).powi(2)))
            .collect();
        let next = tilt(shares, &slopes);
        let change = next.iter().zip(&fitted).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-9 {
            break;
        }
    }
    fitted
}

/// `p / (1 + t x)` with the `t` that makes the mean of `x` vanish. All shares are above 0 and `x` takes both signs
/// (the hypotheses of a test lie strictly between the lowest and the highest score).
fn tilt(shares: &[f64], slopes: &[f64]) -> Vec<f64> {
    let highest = slopes.iter().copied().fold(f64::MIN, f64::max);
    let lowest = slopes.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let slope_at = |t: f64| -> f64 { shares.iter().zip(slopes).map(|(p, x)| p * x / (1.0 + t * x)).sum() };
    // Strictly falling between its poles: halving the interval until the numbers run out is exact and never fails.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if slope_at(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = f64::midpoint(low, high);
    shares.iter().zip(slopes).map(|(p, x)| p / (1.0 + t * x)).collect()
}

/// A text that is not a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSprtError {
    text: String,
    problem: &'static str,
}

impl fmt::Display for ParseSprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseSprtError { text, problem } = self;
        write!(f, "expected a test as `elo0,elo1`, such as `0,10`, found `{text}`: {problem}")
    }
}

impl std::error::Error for ParseSprtError {}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |problem| ParseSprtError { text: text.to_owned(), problem };
        let (first, second) = text.split_once(',').ok_or_else(|| fail("the comma is missing"))?;
        let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.abs() <= 1000.0);
        let elo0 = number(first).ok_or_else(|| fail("elo0 is not a number between -1000 and 1000"))?;
        let elo1 = number(second).ok_or_else(|| fail("elo1 is not a number between -1000 and 1000"))?;
        if elo0 >= elo1 {
            return Err(fail("elo0 must be below elo1"));
        }
        Ok(Sprt::new(elo0, elo1))
    }
}
