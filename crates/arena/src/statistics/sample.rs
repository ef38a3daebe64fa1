//! Counted results of one pairing: by pairs (five scores) or by single games (three scores).

use serde::{Deserialize, Serialize};

/// Results of pairs, seen from the first-named player.
///
/// A won and lost pair and two draws score the same but are counted apart, so that wins, draws and losses come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Both games lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both games won.
    pub ww: u64,
}

impl Pentanomial {
    /// Adds a pair, given the half points (0, 1 or 2) that each of its two games scored for the first-named player.
    pub fn add(&mut self, first: u8, second: u8, times: u64) {
        let counter = match (first.min(second), first.max(second)) {
            (0, 0) => &mut self.ll,
            (0, 1) => &mut self.ld,
            (0, _) => &mut self.wl,
            (1, 1) => &mut self.dd,
            (1, _) => &mut self.wd,
            _ => &mut self.ww,
        };
        *counter += times;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// The single games of these pairs.
    pub fn games(&self) -> Trinomial {
        Trinomial {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: self.ld + self.wd + 2 * self.dd,
            losses: 2 * self.ll + self.ld + self.wl,
        }
    }

    /// The five counts in order of score: 0, 1/4, 1/2, 3/4, 1.
    pub fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// The same for the statistics.
    pub fn sample(&self) -> Sample {
        Sample::pairs(self.counts())
    }
}

/// Results of single games, seen from one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Trinomial {
    /// Adds a game, given its half points (0, 1 or 2).
    pub fn add(&mut self, half_points: u8, times: u64) {
        match half_points {
            0 => self.losses += times,
            1 => self.draws += times,
            _ => self.wins += times,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Half points: two for a win, one for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Points: one for a win, a half for a draw.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// The share of the points, `None` without a game.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The results of the other player.
    pub fn reversed(self) -> Trinomial {
        Trinomial { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Both together.
    pub fn plus(self, other: Trinomial) -> Trinomial {
        Trinomial {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same for the statistics.
    pub fn sample(&self) -> Sample {
        Sample::games([self.losses, self.draws, self.wins])
    }
}

/// What one observation of a [`Sample`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A single game: scores 0, 1/2, 1.
    Games,
    /// A pair of games: scores 0, 1/4, 1/2, 3/4, 1.
    Pairs,
}

/// Counts of scores: what all statistics of a pairing are computed from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    unit: Unit,
    counts: [f64; 5],
}

impl Sample {
    /// Pairs, by score 0, 1/4, 1/2, 3/4, 1.
    pub fn pairs(counts: [u64; 5]) -> Sample {
        Sample { unit: Unit::Pairs, counts: counts.map(|count| count as f64) }
    }

    /// Single games: lost, drawn, won.
    pub fn games([losses, draws, wins]: [u64; 3]) -> Sample {
        Sample { unit: Unit::Games, counts: [losses as f64, draws as f64, wins as f64, 0.0, 0.0] }
    }

    /// What one observation is.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The counts, lowest score first.
    pub fn counts(&self) -> &[f64] {
        match self.unit {
            Unit::Games => &self.counts[..3],
            Unit::Pairs => &self.counts,
        }
    }

    /// The score of each count.
    pub fn scores(&self) -> &'static [f64] {
        match self.unit {
            Unit::Games => &[0.0, 0.5, 1.0],
            Unit::Pairs => &[0.0, 0.25, 0.5, 0.75, 1.0],
        }
    }

    /// The number of observations.
    pub fn size(&self) -> f64 {
        self.counts().iter().sum()
    }

    /// The mean score; `None` without an observation.
    pub fn mean(&self) -> Option<f64> {
        let size = self.size();
        (size > 0.0).then(|| self.counts().iter().zip(self.scores()).map(|(n, a)| n * a).sum::<f64>() / size)
    }

    /// The population variance of the score; `None` without an observation.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.counts().iter().zip(self.scores()).map(|(n, a)| n * (a - mean).powi(2)).sum();
        Some(squares / self.size())
    }

    /// The standard error of the mean; `None` without an observation.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.size()).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_draws_and_losses_come_back_from_pairs() {
        let results = [(2, 2), (2, 1), (1, 2), (0, 2), (1, 1), (0, 1), (0, 0), (2, 0)];
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        for (first, second) in results {
            pairs.add(first, second, 1);
            games.add(first, 1);
            games.add(second, 1);
        }
        assert_eq!(pairs.games(), games);
        assert_eq!(pairs.pairs(), results.len() as u64);
        assert_eq!(pairs.counts(), [1, 1, 3, 2, 1]);
        assert_eq!(games.reversed().reversed(), games);
        assert_eq!(games.points(), 8.5);
    }

    #[test]
    fn an_empty_sample_has_no_statistics() {
        let empty = Sample::games([0, 0, 0]);
        assert_eq!((empty.mean(), empty.variance(), empty.standard_error()), (None, None, None));
    }
}
