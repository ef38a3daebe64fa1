//! What a figure makes of a claim, and the intervals of figures.

use std::fmt;

use arena::statistics::{Interval, clopper_pearson};

/// What a figure makes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The claim comes out.
    Holds,
    /// It comes out otherwise.
    Fails,
    /// The interval of the figure has room for both.
    Open,
    /// Nothing is claimed, or the claim says no more than that there is such a figure.
    Figure,
    /// It cannot be tried here; the row says why.
    Untestable,
}

impl Verdict {
    /// A claim that is so or not, without chance.
    pub(crate) fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// A claim that a figure is larger than `bound`.
    pub(crate) fn above(interval: Interval, bound: f64) -> Verdict {
        match (interval.low, interval.high) {
            (Some(low), _) if low > bound => Verdict::Holds,
            (_, Some(high)) if high < bound => Verdict::Fails,
            _ => Verdict::Open,
        }
    }

    /// A claim that a figure is smaller than `bound`.
    pub(crate) fn below(interval: Interval, bound: f64) -> Verdict {
        match Verdict::above(interval, bound) {
            Verdict::Holds => Verdict::Fails,
            Verdict::Fails => Verdict::Holds,
            other => other,
        }
    }

    /// A printed number: it comes out if ours is within this share of it.
    pub(crate) fn near(found: f64, printed: f64, share: f64) -> Verdict {
        Verdict::of((found - printed).abs() <= share * printed.abs())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "does not hold",
            Verdict::Open => "stays open",
            Verdict::Figure => "",
            Verdict::Untestable => "cannot be tested",
        })
    }
}

/// A share with its interval: how many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    pub(crate) part: u64,
    pub(crate) whole: u64,
}

impl Share {
    /// How many of these are so.
    pub(crate) fn count(all: impl IntoIterator<Item = bool>) -> Share {
        let mut share = Share::default();
        all.into_iter().for_each(|is_so| share.add(is_so));
        share
    }

    pub(crate) fn add(&mut self, is_so: bool) {
        self.whole += 1;
        self.part += u64::from(is_so);
    }

    pub(crate) fn interval(self) -> Interval {
        clopper_pearson(self.part, self.whole)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = percent(self.part as f64, self.whole as f64);
        write!(f, "{} of {}, {share:.1} %{}", self.part, self.whole, within(self.interval(), 100.0, 1))
    }
}

/// An interval in brackets, its ends times `scale`; nothing if it has no ends.
pub(crate) fn within(interval: Interval, scale: f64, digits: usize) -> String {
    match (interval.low, interval.high) {
        (Some(low), Some(high)) => format!(" ({:.digits$} to {:.digits$})", scale * low, scale * high),
        _ => String::new(),
    }
}

/// The part as hundredths of the whole.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// The correlation of pairs of figures, and its 95 % interval by Fisher's transformation.
pub(crate) fn correlation(pairs: &[(f64, f64)]) -> (f64, Interval) {
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count.max(1.0);
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(a, b)| of(a - x, b - y)).sum::<f64>();
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if spread == 0.0 || pairs.len() < 4 {
        return (0.0, Interval::default());
    }
    let r = sum(&|a, b| a * b) / spread;
    let reach = 1.96 / (count - 3.0).sqrt();
    let end = |sign: f64| (r.clamp(-0.999_999, 0.999_999).atanh() + sign * reach).tanh();
    (r, Interval { low: Some(end(-1.0)), high: Some(end(1.0)) })
}

/// The sum of the first figures over the sum of the second, and its 95 % interval by the scatter of the pairs.
pub(crate) fn ratio(pairs: &[(f64, f64)]) -> (f64, Interval) {
    let count = pairs.len() as f64;
    let (first, second) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    if second == 0.0 {
        return (0.0, Interval::default());
    }
    let ratio = first / second;
    if pairs.len() < 4 {
        return (ratio, Interval::default());
    }
    let scatter: f64 = pairs.iter().map(|(one, other)| (one - ratio * other).powi(2)).sum();
    let reach = 1.96 * (scatter * count / (count - 1.0)).sqrt() / second;
    (ratio, Interval { low: Some(ratio - reach), high: Some(ratio + reach) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_interval() {
        let interval = |low, high| Interval { low: Some(low), high: Some(high) };
        assert_eq!(Verdict::above(interval(0.51, 0.6), 0.5), Verdict::Holds);
        assert_eq!(Verdict::above(interval(0.4, 0.49), 0.5), Verdict::Fails);
        assert_eq!(Verdict::above(interval(0.4, 0.6), 0.5), Verdict::Open);
        assert_eq!(Verdict::below(interval(0.4, 0.49), 0.5), Verdict::Holds);
        assert_eq!(Verdict::below(Interval::default(), 0.5), Verdict::Open);
        assert_eq!(Verdict::near(96.0, 100.0, 0.05), Verdict::Holds);
        assert_eq!(Verdict::near(94.0, 100.0, 0.05), Verdict::Fails);
    }

    #[test]
    fn shares_show_their_interval() {
        let share = Share::count([true, false, true, true]);
        assert_eq!(share.to_string(), "3 of 4, 75.0 % (19.4 to 99.4)");
        assert_eq!(Share::default().to_string(), "0 of 0, 0.0 %");
    }

    #[test]
    fn ratios_have_the_interval_of_their_scatter() {
        let (same, interval) = ratio(&[(6.0, 2.0); 10]);
        assert_eq!((same, interval.low, interval.high), (3.0, Some(3.0), Some(3.0)));
        let (mixed, interval) = ratio(&[(1.0, 1.0), (3.0, 1.0), (1.0, 1.0), (3.0, 1.0)]);
        // Four deviations of one: the square root of 4 * 4 / 3, over 4, times 1.96.
        assert_eq!(mixed, 2.0);
        assert!(interval.low.is_some_and(|low| (low - 0.8684).abs() < 1e-4), "{interval:?}");
        assert_eq!(ratio(&[(1.0, 2.0)]), (0.5, Interval::default()));
        assert_eq!(ratio(&[]), (0.0, Interval::default()));
    }

    #[test]
    fn a_line_correlates_fully_and_noise_does_not() {
        let line: Vec<(f64, f64)> = (0..50).map(|x| (f64::from(x), 3.0 - f64::from(x))).collect();
        assert!((correlation(&line).0 + 1.0).abs() < 1e-12);
        let noise: Vec<(f64, f64)> =
            (0..400).map(|x| (f64::from(x % 20), f64::from((x * 7919) % 101))).collect();
        let (r, interval) = correlation(&noise);
        assert!(r.abs() < 0.2 && interval.low < Some(r) && Some(r) < interval.high);
        assert_eq!(correlation(&[(1.0, 1.0); 9]).1, Interval::default());
    }
}
