//! Two bots against each other: the score and the Elo difference with their interval.

use serde::Serialize;

use crate::plan::Plan;
use crate::rated::{Basis, round};
use crate::statistics::{
    Interval, Pentanomial, Sample, Trinomial, elo_interval, elo_of_score, los, nelo_estimate, score_interval,
};
use crate::tally::{Cells, PairingTally};

/// Two bots against each other, seen from the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairingRow {
    /// The first-named bot.
    pub first: String,
    /// The other.
    pub second: String,
    /// Won, drawn, lost.
    #[serde(flatten)]
    pub results: Trinomial,
    /// Whole pairs.
    pub pairs: Pentanomial,
    /// The mean score of the whole pairs, of the single games before there is one.
    pub score: Option<f64>,
    /// The lower end of its 95 % interval.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
    /// The Elo difference of this pairing alone: the score on the Elo scale.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval, which is that of the score on the Elo scale; none if the data set no bound.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// Normalized Elo.
    pub nelo: Option<f64>,
    /// Its error.
    pub nelo_error: Option<f64>,
    /// The likelihood that the first is the stronger one.
    pub los: Option<f64>,
    /// The games that no failure decided, if a failure decided any and the figures above are of all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_failures: Option<Beside>,
    /// All games, if a failure decided any and the figures above leave such games out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_all_games: Option<Beside>,
}

/// A pairing by other games than those its row is made from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Beside {
    /// Won, drawn, lost.
    #[serde(flatten)]
    pub results: Trinomial,
    /// The Elo difference.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
}

/// The difference of some games.
struct Difference {
    sample: Sample,
    score: Interval,
    elo: Interval,
}

impl Difference {
    /// Where the games are few and alike (`suspicious`), an interval would be a lie.
    fn of(cells: &Cells, suspicious: bool) -> Difference {
        // Pairs tell more than games; before the first whole pair single games are all there is.
        let pairs = cells.pentanomial();
        let sample = if pairs.pairs() > 0 { pairs.sample() } else { cells.games().sample() };
        let (score, elo) =
            if suspicious { Default::default() } else { (score_interval(&sample), elo_interval(&sample)) };
        Difference { sample, score, elo }
    }

    fn value(&self) -> Option<f64> {
        round(self.sample.mean().and_then(elo_of_score))
    }
}

impl Beside {
    fn new(cells: &Cells, suspicious: bool) -> Beside {
        let difference = Difference::of(cells, suspicious);
        Beside {
            results: cells.games(),
            elo: difference.value(),
            elo_low: round(difference.elo.low),
            elo_high: round(difference.elo.high),
        }
    }
}

impl PairingRow {
    pub(crate) fn new(
        plan: &Plan,
        [a, b]: [usize; 2],
        pairing: &PairingTally,
        basis: Basis,
        suspicious: bool,
    ) -> PairingRow {
        let cells = basis.cells(pairing);
        let difference = Difference::of(cells, suspicious);
        let sample = &difference.sample;
        let nelo = nelo_estimate(sample);
        let beside =
            (pairing.by_failure != [0, 0]).then(|| Beside::new(basis.other().cells(pairing), suspicious));
        let leaves_out = basis == Basis::PlayedOut;
        PairingRow {
            first: plan.bots[a].name.clone(),
            second: plan.bots[b].name.clone(),
            results: cells.games(),
            pairs: cells.pentanomial(),
            score: round(sample.mean()),
            score_low: round(difference.score.low),
            score_high: round(difference.score.high),
            elo: difference.value(),
            elo_low: round(difference.elo.low),
            elo_high: round(difference.elo.high),
            nelo: round(nelo.map(|nelo| nelo.value)),
            nelo_error: round(nelo.map(|nelo| nelo.error).filter(|_| !suspicious)),
            los: round(los(sample).filter(|_| !suspicious)),
            without_failures: beside.filter(|_| !leaves_out),
            of_all_games: beside.filter(|_| leaves_out),
        }
    }

    /// The same by the games that are not counted above, or by all of them.
    pub(crate) fn beside(&self) -> Option<Beside> {
        self.without_failures.or(self.of_all_games)
    }

    /// Won, drawn and lost of all games, whatever the figures are made from.
    pub(crate) fn all_results(&self) -> Trinomial {
        self.of_all_games.map_or(self.results, |all| all.results)
    }
}
