//! What the games of a league say of a bot, and whether it may take another's place.

use std::fmt;

use arena::statistics::{Pentanomial, Trinomial, Z95, score_interval};
use serde::Serialize;

/// The games with one partner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Against {
    pub(super) partner: String,
    pub(super) games: Trinomial,
    pub(super) pairs: Pentanomial,
}

impl Against {
    /// The share of the points; one half before the first game.
    pub(super) fn score(&self) -> f64 {
        self.games.score().unwrap_or(0.5)
    }

    /// The square of the standard error of the score: by pairs, with a pair more that is won and lost by halves, so that a few
    /// equal results do not count as certainty.
    fn variance(&self) -> f64 {
        let pairs = self.pairs.pairs() as f64;
        let spread = self.pairs.sample().variance().unwrap_or(0.0);
        // A pair of a score of 0 or 1 lies 1/4 off the middle, squared.
        (spread * pairs + 0.25) / ((pairs + 1.0) * pairs.max(1.0))
    }

    /// `45.0 to 61.2 %`.
    pub(super) fn interval_text(&self) -> String {
        let interval = score_interval(&self.pairs.sample());
        let percent = |bound: Option<f64>, missing: f64| 100.0 * bound.unwrap_or(missing);
        format!("{:.1} to {:.1} %", percent(interval.low, 0.0), percent(interval.high, 1.0))
    }
}

/// A bot in its league.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Standing {
    pairings: Vec<Against>,
    score: f64,
    error: f64,
}

impl Standing {
    pub(super) fn new(pairings: Vec<Against>) -> Standing {
        let count = pairings.len().max(1) as f64;
        let score = pairings.iter().map(Against::score).sum::<f64>() / count;
        let error = Z95 * pairings.iter().map(Against::variance).sum::<f64>().sqrt() / count;
        Standing { pairings, score, error }
    }

    pub(super) fn pairings(&self) -> &[Against] {
        &self.pairings
    }

    /// The mean of the scores against all partners, each counting the same.
    pub(super) fn score(&self) -> f64 {
        self.score
    }

    /// Half of its 95 % interval.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    pub(super) fn games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.games.games()).sum()
    }

    /// The partner it scores least against.
    pub(super) fn worst(&self) -> Option<&Against> {
        self.pairings.iter().min_by(|a, b| a.score().total_cmp(&b.score()))
    }

    pub(super) fn of(&self, partner: &str) -> Option<&Against> {
        self.pairings.iter().find(|pairing| pairing.partner == partner)
    }

    /// This bot beside another that met the same partners.
    pub(super) fn compare(&self, other: &Standing) -> Comparison {
        let difference =
            |a: f64, b: f64, variance: f64| Difference { value: a - b, error: Z95 * variance.sqrt() };
        let squares = (self.error.powi(2) + other.error.powi(2)) / Z95.powi(2);
        let league = difference(self.score, other.score, squares);
        let worst = self.worst().zip(other.worst()).map_or(Difference::default(), |(own, others)| {
            difference(own.score(), others.score(), own.variance() + others.variance())
        });
        let verdict = if league.is_below_nothing() || worst.is_below_nothing() {
            Verdict::Rejected
        } else if league.is_above_nothing() {
            Verdict::Accepted
        } else {
            Verdict::Undecided
        };
        Comparison { league, worst, verdict }
    }
}

/// A difference of scores with half of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Difference {
    value: f64,
    error: f64,
}

impl Difference {
    fn is_above_nothing(self) -> bool {
        self.value > self.error
    }

    fn is_below_nothing(self) -> bool {
        self.value < -self.error
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} ± {:.1} points of a hundred", 100.0 * self.value, 100.0 * self.error)
    }
}

/// Whether a candidate may take a champion's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// Better against the league, and no worse in its worst pairing beyond chance.
    Accepted,
    /// Worse against the league, or in its worst pairing, beyond chance.
    Rejected,
    /// Neither, with these games.
    Undecided,
}

/// Two bots in one league.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Comparison {
    league: Difference,
    worst: Difference,
    pub(super) verdict: Verdict,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Undecided => "undecided: play more rounds",
        };
        write!(f, "against the league {}, worst pairing {}: {word}", self.league, self.worst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pairing of pairs that were won twice, shared, and lost twice.
    fn against(partner: &str, won: u64, shared: u64, lost: u64) -> Against {
        let mut pairs = Pentanomial::default();
        pairs.add(2, 2, won);
        pairs.add(2, 0, shared);
        pairs.add(0, 0, lost);
        Against { partner: partner.to_owned(), games: pairs.games(), pairs }
    }

    fn standing(results: &[(u64, u64, u64)]) -> Standing {
        let pairings = results
            .iter()
            .enumerate()
            .map(|(number, &(won, shared, lost))| against(&format!("partner {number}"), won, shared, lost));
        Standing::new(pairings.collect())
    }

    #[test]
    fn every_partner_counts_the_same() {
        let standing = standing(&[(10, 0, 0), (0, 0, 40), (10, 10, 10)]);
        assert!((standing.score() - 0.5).abs() < 1e-12);
        assert_eq!(standing.games(), 160);
        assert_eq!(standing.worst().map(|worst| worst.partner.as_str()), Some("partner 1"));
        assert!(standing.of("partner 2").is_some() && standing.of("partner 3").is_none());
    }

    #[test]
    fn equal_results_are_no_certainty() {
        let few = standing(&[(3, 0, 0)]);
        let many = standing(&[(300, 0, 0)]);
        assert!(few.error() > 10.0 * many.error() && many.error() > 0.0, "{few:?} {many:?}");
    }

    #[test]
    fn the_verdict_follows_from_the_figures() {
        let base = standing(&[(50, 20, 30), (20, 60, 20)]);
        let verdict = |results: &[(u64, u64, u64)]| standing(results).compare(&base).verdict;
        assert_eq!(verdict(&[(80, 10, 10), (40, 50, 10)]), Verdict::Accepted);
        assert_eq!(verdict(&[(20, 20, 60), (20, 60, 20)]), Verdict::Rejected);
        assert_eq!(verdict(&[(52, 20, 28), (20, 60, 20)]), Verdict::Undecided);
        // Better on the whole, but one partner has found its weakness.
        assert_eq!(verdict(&[(100, 0, 0), (10, 20, 70)]), Verdict::Rejected);
    }
}
