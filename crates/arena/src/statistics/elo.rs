//! Elo, normalized Elo and the likelihood of superiority of one pairing.

use std::f64::consts::LN_10;

use super::bounds::{Interval, score_interval};
use super::normal::{Z95, normal_cdf};
use super::sample::{Sample, Unit};

/// Elo points per unit of normalized score: 800 / ln 10.
const NELO_SCALE: f64 = 800.0 / LN_10;

/// A value with the half-width of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// The Elo difference at which a score is expected; `None` for 0 and 1, where it would be infinite.
///
/// ```
/// use arena::statistics::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), Some(0.0));
/// assert!((score_of_elo(elo_of_score(0.75).unwrap()) - 0.75).abs() < 1e-12);
/// assert_eq!(elo_of_score(1.0), None);
/// ```
pub fn elo_of_score(score: f64) -> Option<f64> {
    // Adding zero turns the -0 of an even score into 0.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo with its error by the delta method, as match programs print it; `None` where a bound of the score reaches 0 or 1.
/// Standings show [`elo_interval`], which holds for few and lopsided results as well.
pub fn elo_estimate(sample: &Sample) -> Option<Estimate> {
    let (mean, error) = (sample.mean()?, sample.standard_error()?);
    let (low, high) = (elo_of_score(mean - Z95 * error)?, elo_of_score(mean + Z95 * error)?);
    Some(Estimate { value: elo_of_score(mean)?, error: (high - low) / 2.0 })
}

/// The 95 % interval of the Elo difference, whatever the results: that of the score ([`score_interval`]), each end turned into
/// Elo. An end at a score of 0 or 1 sets no bound.
///
/// ```
/// use arena::statistics::{Sample, elo_interval, score_interval, score_of_elo};
/// let sample = Sample::pairs([0, 0, 4, 1, 15]);
/// let (elo, score) = (elo_interval(&sample), score_interval(&sample));
/// assert!((score_of_elo(elo.low.unwrap()) - score.low.unwrap()).abs() < 1e-12);
/// assert!((score_of_elo(elo.high.unwrap()) - score.high.unwrap()).abs() < 1e-12);
/// // All won: a bound on one side, and nothing on the other.
/// assert_eq!(elo_interval(&Sample::pairs([0, 0, 0, 0, 6])).high, None);
/// ```
pub fn elo_interval(sample: &Sample) -> Interval {
    let Interval { low, high } = score_interval(sample);
    Interval { low: low.and_then(elo_of_score), high: high.and_then(elo_of_score) }
}

/// Normalized Elo with its error: the score's distance from 1/2 in standard deviations of a game. `None` if all
/// results are the same.
pub fn nelo_estimate(sample: &Sample) -> Option<Estimate> {
    let (mean, variance, error) = (sample.mean()?, sample.variance()?, sample.standard_error()?);
    let deviation = match sample.unit() {
        Unit::Pairs => (2.0 * variance).sqrt(),
        Unit::Games => variance.sqrt(),
    };
    (deviation > 0.0).then(|| Estimate {
        value: NELO_SCALE * (mean - 0.5) / deviation,
        error: NELO_SCALE * Z95 * error / deviation,
    })
}

/// The likelihood of superiority: how sure it is that the first-named player is the stronger one. `None` if all
/// results are the same (then there is no error to compare with).
pub fn los(sample: &Sample) -> Option<f64> {
    let (mean, error) = (sample.mean()?, sample.standard_error()?);
    (error > 0.0).then(|| normal_cdf((mean - 0.5) / error))
}

/// The normalized distance from 1/2 that a normalized Elo difference stands for, in deviations of one observation.
pub(super) fn deviations_of_nelo(nelo: f64, unit: Unit) -> f64 {
    match unit {
        Unit::Pairs => std::f64::consts::SQRT_2 * nelo / NELO_SCALE,
        Unit::Games => nelo / NELO_SCALE,
    }
}
