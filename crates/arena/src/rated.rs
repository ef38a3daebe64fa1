//! The joint ratings of an event, with the errors that can be shown.

use crate::statistics::{Cluster, ErrorModel, Ratings, RatingsOptions, Trinomial, rate_near};
use crate::tally::{Cells, PairingTally, Tally};

/// Which games the ratings are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// All that count.
    AllGames,
    /// Those that no failure decided.
    PlayedOut,
}

impl Basis {
    pub(crate) fn cells(self, pairing: &PairingTally) -> &Cells {
        match self {
            Basis::AllGames => &pairing.all,
            Basis::PlayedOut => &pairing.played_out,
        }
    }

    pub(crate) fn other(self) -> Basis {
        match self {
            Basis::AllGames => Basis::PlayedOut,
            Basis::PlayedOut => Basis::AllGames,
        }
    }
}

/// Rounds to four digits: what differs beyond that is the machine's arithmetic, not the result.
pub(crate) fn rounded(number: f64) -> f64 {
    let rounded = (number * 1e4).round() / 1e4;
    // No negative zero in files.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// The same for a number that may be missing; what is infinite counts as missing.
pub(crate) fn round(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite()).map(rounded)
}

/// From this many pairs on, their scatter tells the error of a rating.
const FEW_PAIRS: u64 = 10;

/// The joint ratings of some games of an event, with what decides which of their errors are honest.
pub(crate) struct Rated {
    pub(crate) ratings: Option<Ratings>,
    /// The bots that are rated, by number in the plan.
    players: Vec<usize>,
    /// The place of each bot of the plan among them.
    places: Vec<Option<usize>>,
    /// The results of each bot of the plan against the rated ones.
    pub(crate) results: Vec<Trinomial>,
}

impl Rated {
    /// The ratings by these games; `near` are those by nearly the same ones, if they are known.
    pub(crate) fn new(
        simultaneous: bool,
        players: &[usize],
        bots: usize,
        tally: &Tally,
        basis: Basis,
        near: Option<&Rated>,
    ) -> Rated {
        let mut places = vec![None; bots];
        for (place, &player) in players.iter().enumerate() {
            places[player] = Some(place);
        }
        let mut results = vec![Trinomial::default(); bots];
        let mut clusters: Vec<Cluster> = Vec::new();
        for ([a, b], pairing) in tally.pairings() {
            if let (Some(first), Some(second)) = (places[a], places[b]) {
                let pairing = basis.cells(pairing);
                let games = pairing.games();
                results[a] = results[a].plus(games);
                results[b] = results[b].plus(games.reversed());
                clusters.extend(pairing.clusters([first, second]));
            }
        }
        let options = RatingsOptions { advantage: !simultaneous, ..RatingsOptions::default() };
        let near = near.and_then(|near| near.ratings.as_ref());
        let ratings = rate_near(players.len(), &clusters, options, near).ok();
        let ratings = ratings.filter(|_| !clusters.is_empty());
        Rated { ratings, players: players.to_vec(), places, results }
    }

    pub(crate) fn rating(&self, bot: usize) -> Option<f64> {
        Some(self.ratings.as_ref()?.ratings()[self.places[bot]?])
    }

    /// Whether a bot's games are so few or so lopsided that their scatter is nearly nothing, which says little: the
    /// model's own error is the honest one there.
    fn says_little(&self, bot: usize) -> bool {
        let results = self.results[bot];
        results.games() < 2 * FEW_PAIRS || results.score().is_none_or(|score| !(0.05..=0.95).contains(&score))
    }

    pub(crate) fn error(&self, bot: usize) -> Option<f64> {
        let (ratings, place) = (self.ratings.as_ref()?, self.places[bot]?);
        let robust = ratings.error(place, ErrorModel::Robust);
        let honest = self.says_little(bot);
        Some(if honest { robust.max(ratings.error(place, ErrorModel::Fisher)) } else { robust })
    }

    pub(crate) fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let (ratings, first, second) = (self.ratings.as_ref()?, self.places[a]?, self.places[b]?);
        let (value, robust) = ratings.difference(first, second, ErrorModel::Robust);
        let fisher = ratings.difference(first, second, ErrorModel::Fisher).1;
        Some((value, if self.says_little(a) || self.says_little(b) { robust.max(fisher) } else { robust }))
    }

    pub(crate) fn advantage_error(&self) -> Option<f64> {
        let ratings = self.ratings.as_ref()?;
        let robust = ratings.advantage_error(ErrorModel::Robust)?;
        let fisher = ratings.advantage_error(ErrorModel::Fisher)?;
        let says_little = self.players.iter().any(|&bot| self.says_little(bot));
        Some(if says_little { robust.max(fisher) } else { robust })
    }

    /// The bots, best first. Points say less than ratings where the bots did not all meet.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order = self.players.clone();
        let rating = |bot: usize| self.rating(bot).unwrap_or(0.0);
        order.sort_by(|&a, &b| {
            rating(b)
                .total_cmp(&rating(a))
                .then(self.results[b].half_points().cmp(&self.results[a].half_points()))
                .then(a.cmp(&b))
        });
        order
    }
}
