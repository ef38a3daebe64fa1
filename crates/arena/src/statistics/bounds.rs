//! Bounds of a score that hold where the normal approximation does not: few games, or lopsided ones.

use statrs::function::beta::inv_beta_reg;

use super::normal::Z95;
use super::sample::{Sample, Unit};

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

/// Below this many pairs their scatter says too little to count as more observations than there were games.
const FEW_PAIRS: f64 = 10.0;

/// The 95 % interval of the score of a sample, whatever the results: Wilson's, with as many observations as the scatter of
/// the results stands for (of fewer than ten pairs at most as many as there were games); exact where all results are the same
/// end (all won, all lost). The interval of the Elo difference is this one on the other scale
/// ([`elo_interval`](super::elo_interval)).
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
    wilson(mean, observations(sample, mean, error, size))
}

/// How many independent wins and losses would scatter as much. Pairs scatter less than single games do, and draws less than
/// wins and losses.
fn observations(sample: &Sample, mean: f64, error: f64, size: f64) -> f64 {
    if error <= 0.0 {
        return size;
    }
    // The scatter around a mean that comes from the same results is too small by one of them.
    let count = mean * (1.0 - mean) / (error * error) * (size - 1.0) / size;
    let (pairs, games) = match sample.unit() {
        Unit::Pairs => (size, 2.0 * size),
        Unit::Games => (size / 2.0, size),
    };
    if pairs < FEW_PAIRS { count.min(games) } else { count }
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
    /// Of many made-up matches about 95 % have the true score within their interval, whatever the score, the draws and what
    /// the opening gives to the first mover.
    #[test]
    fn intervals_hold_what_they_promise() {
        const MATCHES: u64 = 1500;
        let mut state = 1_u64;
        for pairs in [5, 12, 40] {
            for (win, draw) in [(0.5, 0.0), (0.8, 0.1), (0.95, 0.02), (0.3, 0.4)] {
                for first_mover in [0.0, 0.3] {
                    let truth = win + draw / 2.0;
                    let shift = first_mover * f64::min(win, 1.0 - win - draw);
                    let mut within = 0;
                    for _ in 0..MATCHES {
                        let mut counts = [0; 5];
                        for _ in 0..pairs {
                            let half_points = [win + shift, win - shift].map(|win| {
                                state = search_core::split_mix(state);
                                let luck = (state >> 11) as f64 / (1_u64 << 53) as f64;
                                if luck < win { 2 } else { usize::from(luck < win + draw) }
                            });
                            counts[half_points[0] + half_points[1]] += 1;
                        }
                        let interval = score_interval(&Sample::pairs(counts));
                        within +=
                            u64::from((interval.low.unwrap()..=interval.high.unwrap()).contains(&truth));
                    }
                    let share = within as f64 / MATCHES as f64;
                    assert!(share > 0.925, "{pairs} pairs, {win} won, {draw} drawn: {share}");
                }
            }
        }
    }
}
