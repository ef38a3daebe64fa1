//! Bounds of a score that hold where the normal approximation does not: few games, or lopsided ones.

use statrs::function::beta::inv_beta_reg;

use super::normal::Z95;
use super::sample::Sample;

/// A 95 % interval. A missing end means that the data set no bound on that side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interval {
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The exact lower bound of the score after winning all of `count` observations, two-sided 95 %.
pub fn all_won_bound(count: f64) -> f64 {
    0.025f64.powf(1.0 / count)
}

/// The exact two-sided 95 % interval of a probability after `successes` of `count` (Clopper and Pearson).
///
/// ```
/// use arena::statistics::clopper_pearson;
/// let interval = clopper_pearson(10, 10);
/// assert!((interval.low.unwrap() - 0.691503).abs() < 1e-6);
/// assert_eq!(interval.high, Some(1.0));
/// ```
pub fn clopper_pearson(successes: u64, count: u64) -> Interval {
    if count == 0 || successes > count {
        return Interval::default();
    }
    let (wins, losses) = (successes as f64, (count - successes) as f64);
    let low = if successes == 0 { 0.0 } else { inv_beta_reg(wins, losses + 1.0, 0.025) };
    let high = if successes == count { 1.0 } else { inv_beta_reg(wins + 1.0, losses, 0.975) };
    Interval { low: Some(low), high: Some(high) }
}

/// Wilson's 95 % interval of a mean score of `count` observations.
pub fn wilson(score: f64, count: f64) -> Interval {
    if count <= 0.0 {
        return Interval::default();
    }
    let z2 = Z95 * Z95;
    let centre = score + z2 / (2.0 * count);
    let spread = Z95 * (score * (1.0 - score) / count + z2 / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z2 / count;
    Interval {
        low: Some(((centre - spread) / scale).max(0.0)),
        high: Some(((centre + spread) / scale).min(1.0)),
    }
}

/// The 95 % interval of the score of a sample, whatever the results: Wilson's, with as many observations as the scatter of
/// the results stands for; exact where all results are the same end (all won, all lost).
///
/// ```
/// use arena::statistics::{Sample, score_interval};
/// // Twenty pairs: 15 won twice, 1 won and drawn, 4 shared.
/// let interval = score_interval(&Sample::pairs([0, 0, 4, 1, 15]));
/// let (low, high) = (interval.low.unwrap(), interval.high.unwrap());
/// assert!(0.76 < low && low < 0.8875 && 0.8875 < high && high < 0.96);
/// ```
pub fn score_interval(sample: &Sample) -> Interval {
    let (Some(mean), Some(error), size) = (sample.mean(), sample.standard_error(), sample.size()) else {
        return Interval::default();
    };
    if mean >= 1.0 {
        return Interval { low: Some(all_won_bound(size)), high: Some(1.0) };
    }
    if mean <= 0.0 {
        return Interval { low: Some(0.0), high: Some(1.0 - all_won_bound(size)) };
    }
    // Pairs scatter less than single games do, and draws less than wins and losses.
    let count = if error > 0.0 { mean * (1.0 - mean) / (error * error) } else { size };
    wilson(mean, count)
}

#[cfg(test)]
mod tests {
    use super::super::elo::{elo_interval, elo_of_score};
    use super::*;

    #[test]
    fn all_won_matches_the_table() {
        for (count, elo) in [(10, 140.217), (20, 277.387), (50, 446.383), (100, 570.028)] {
            let bound = elo_of_score(all_won_bound(count as f64)).unwrap();
            assert!((bound - elo).abs() < 5e-4, "{count}: {bound}");
            let exact = clopper_pearson(count, count).low.unwrap();
            assert!((exact - all_won_bound(count as f64)).abs() < 1e-9);
            let shown = elo_interval(&Sample::pairs([0, 0, 0, 0, count]));
            assert_eq!(shown, Interval { low: Some(bound), high: None });
            let lost = elo_interval(&Sample::pairs([count, 0, 0, 0, 0]));
            assert_eq!(lost.low, None);
            assert!((lost.high.unwrap() + bound).abs() < 1e-9);
        }
    }

    #[test]
    fn wilson_matches_the_table() {
        let Interval { low: Some(low), high: Some(high) } = wilson(0.91, 50.0) else { panic!("two ends") };
        assert!((low - 0.798900).abs() < 5e-7 && (high - 0.962595).abs() < 5e-7);
        assert!((elo_of_score(low).unwrap() - 239.632).abs() < 5e-4);
        assert!((elo_of_score(high).unwrap() - 564.207).abs() < 5e-4);
    }

    #[test]
    fn clopper_pearson_holds_at_both_ends_and_in_the_middle() {
        assert_eq!(clopper_pearson(0, 0), Interval::default());
        assert_eq!(clopper_pearson(0, 5).low, Some(0.0));
        // 3 of 10: the textbook value.
        let middle = clopper_pearson(3, 10);
        assert!((middle.low.unwrap() - 0.0667395).abs() < 1e-6);
        assert!((middle.high.unwrap() - 0.6524529).abs() < 1e-6);
    }

    #[test]
    fn scores_have_an_interval_whatever_the_results() {
        let ends = |counts| {
            let interval = score_interval(&Sample::pairs(counts));
            (interval.low.unwrap(), interval.high.unwrap())
        };
        // Far from the edges it is the mean and 1.96 errors, nearly.
        let sample = Sample::pairs([10, 20, 50, 40, 15]);
        let (mean, error) = (sample.mean().unwrap(), sample.standard_error().unwrap());
        let (low, high) = ends([10, 20, 50, 40, 15]);
        assert!((low - (mean - Z95 * error)).abs() < 2e-3 && (high - (mean + Z95 * error)).abs() < 2e-3);
        assert_eq!(ends([0, 0, 0, 0, 10]), (all_won_bound(10.0), 1.0));
        assert_eq!(ends([10, 0, 0, 0, 0]), (0.0, 1.0 - all_won_bound(10.0)));
        // Nothing but shared pairs: as wide as ten observations allow.
        let (low, high) = ends([0, 0, 10, 0, 0]);
        assert!(low < 0.3 && high > 0.7);
        assert_eq!(score_interval(&Sample::pairs([0; 5])), Interval::default());
    }
}
