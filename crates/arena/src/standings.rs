//! The standings of an event: ratings, points, and everything a reader should be warned about.

use std::time::Duration;

use serde::Serialize;

use crate::plan::Plan;
use crate::statistics::{
    Cluster, ErrorModel, Interval, Pentanomial, Ratings, RatingsOptions, Sample, Trinomial, Z95,
    elo_estimate, elo_interval, elo_of_score, los, nelo_estimate, normal_cdf, rate, score_interval,
};
use crate::tally::{BotTally, Cells, PairingTally, Tally};
use crate::warnings::warnings;

/// One bot in the standings. Ratings in Elo; errors are half of a 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// From 1.
    pub rank: usize,
    /// The bot's name.
    pub bot: String,
    /// Its number in the plan.
    #[serde(skip)]
    pub number: usize,
    /// Points: one for a win, a half for a draw.
    pub points: f64,
    /// Games that count.
    pub games: u64,
    /// Won, drawn, lost.
    #[serde(flatten)]
    pub results: Trinomial,
    /// Joint rating; all of an event sum to zero. In a match of two it is half of their difference.
    pub elo: Option<f64>,
    /// Its error.
    pub elo_error: Option<f64>,
    /// How far above the anchor.
    pub over_anchor: Option<f64>,
    /// The error of that difference.
    pub over_anchor_error: Option<f64>,
    /// How sure it is that this bot is stronger than the next one.
    pub los_next: Option<f64>,
    /// Games won because the other failed: by an illegal move, a crash, on time.
    #[serde(skip_serializing_if = "is_zero")]
    pub won_by_failure: u64,
    /// Games lost by its own failures.
    #[serde(skip_serializing_if = "is_zero")]
    pub lost_by_failure: u64,
    /// The rating by the games that no failure decided, if a failure decided any game of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_without_failures: Option<f64>,
    /// Its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_without_failures_error: Option<f64>,
    /// The mean time of a move. Not part of the results: another run of the same plan takes another time.
    #[serde(skip)]
    pub time_per_move: Option<Duration>,
    /// Whether its games were voided because it would not start.
    pub withdrawn: bool,
}

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
    /// The share of the points.
    pub score: Option<f64>,
    /// The lower end of its 95 % interval.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
    /// The Elo difference of this pairing alone.
    pub elo: Option<f64>,
    /// Its error by pairs, where the normal approximation holds.
    pub elo_error: Option<f64>,
    /// The lower end of its 95 % interval; none if the data set no bound.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// Normalized Elo.
    pub nelo: Option<f64>,
    /// Its error.
    pub nelo_error: Option<f64>,
    /// The likelihood that the first is the stronger one.
    pub los: Option<f64>,
    /// The games that no failure decided, if a failure decided any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_failures: Option<PlayedOut>,
}

/// A pairing without the games that a failure decided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlayedOut {
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

/// The standings of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// The event's name.
    pub event: String,
    /// The game.
    pub game: String,
    /// Its set-up.
    pub setup: String,
    /// Finished games.
    pub games: u64,
    /// The bots, best first.
    pub rows: Vec<Row>,
    /// The bot that `over_anchor` is measured from.
    pub anchor: Option<String>,
    /// What moving first is worth in Elo; nothing in a simultaneous game.
    pub advantage: Option<f64>,
    /// Its error.
    pub advantage_error: Option<f64>,
    /// The pairings that have met.
    pub pairings: Vec<PairingRow>,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// The bots of the pairings by number, in their order.
    #[serde(skip)]
    met: Vec<[usize; 2]>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Rounds to four digits: what differs beyond that is the machine's arithmetic, not the result.
pub(crate) fn rounded(number: f64) -> f64 {
    let rounded = (number * 1e4).round() / 1e4;
    // No negative zero in files.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// From this many pairs on, their scatter tells the error of a rating.
const FEW_PAIRS: u64 = 10;

fn round(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite()).map(rounded)
}

/// The joint ratings of some games of an event, with what decides which of their errors are honest.
struct Rated {
    ratings: Option<Ratings>,
    /// The bots that are rated, by number in the plan.
    players: Vec<usize>,
    /// The place of each bot of the plan among them.
    places: Vec<Option<usize>>,
    /// The results of each bot of the plan against the rated ones.
    results: Vec<Trinomial>,
}

impl Rated {
    fn new(
        simultaneous: bool,
        players: &[usize],
        bots: usize,
        tally: &Tally,
        cells: fn(&PairingTally) -> &Cells,
    ) -> Rated {
        let mut places = vec![None; bots];
        for (place, &player) in players.iter().enumerate() {
            places[player] = Some(place);
        }
        let mut results = vec![Trinomial::default(); bots];
        let mut clusters: Vec<Cluster> = Vec::new();
        for ([a, b], pairing) in tally.pairings() {
            if let (Some(first), Some(second)) = (places[a], places[b]) {
                let pairing = cells(pairing);
                let games = pairing.games();
                results[a] = results[a].plus(games);
                results[b] = results[b].plus(games.reversed());
                clusters.extend(pairing.clusters([first, second]));
            }
        }
        let options = RatingsOptions { advantage: !simultaneous, ..RatingsOptions::default() };
        let ratings = rate(players.len(), &clusters, options).ok().filter(|_| !clusters.is_empty());
        Rated { ratings, players: players.to_vec(), places, results }
    }

    fn rating(&self, bot: usize) -> Option<f64> {
        Some(self.ratings.as_ref()?.ratings()[self.places[bot]?])
    }

    /// Whether a bot's games are so few or so lopsided that their scatter is nearly nothing, which says little: the
    /// model's own error is the honest one there.
    fn says_little(&self, bot: usize) -> bool {
        let results = self.results[bot];
        results.games() < 2 * FEW_PAIRS || results.score().is_none_or(|score| !(0.05..=0.95).contains(&score))
    }

    fn error(&self, bot: usize) -> Option<f64> {
        let (ratings, place) = (self.ratings.as_ref()?, self.places[bot]?);
        let robust = ratings.error(place, ErrorModel::Robust);
        let honest = self.says_little(bot);
        Some(if honest { robust.max(ratings.error(place, ErrorModel::Fisher)) } else { robust })
    }

    fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let (ratings, first, second) = (self.ratings.as_ref()?, self.places[a]?, self.places[b]?);
        let (value, robust) = ratings.difference(first, second, ErrorModel::Robust);
        let fisher = ratings.difference(first, second, ErrorModel::Fisher).1;
        Some((value, if self.says_little(a) || self.says_little(b) { robust.max(fisher) } else { robust }))
    }

    fn advantage_error(&self) -> Option<f64> {
        let ratings = self.ratings.as_ref()?;
        let robust = ratings.advantage_error(ErrorModel::Robust)?;
        let fisher = ratings.advantage_error(ErrorModel::Fisher)?;
        let says_little = self.players.iter().any(|&bot| self.says_little(bot));
        Some(if says_little { robust.max(fisher) } else { robust })
    }

    /// The bots, best first. Points say less than ratings where not everybody met everybody.
    fn order(&self) -> Vec<usize> {
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

impl Standings {
    /// The standings of event number `event`. `withdrawn` says of each bot why its games are voided, if they are.
    pub fn new(
        plan: &Plan,
        event: usize,
        tally: &Tally,
        anchor: Option<usize>,
        withdrawn: &[Option<String>],
    ) -> Standings {
        let settings = &plan.events[event];
        let is_out = |bot: usize| withdrawn.get(bot).is_some_and(Option::is_some);
        let players: Vec<usize> = (0..plan.bots.len()).filter(|&bot| !is_out(bot)).collect();
        let rate = |cells| Rated::new(settings.simultaneous, &players, plan.bots.len(), tally, cells);
        let all = rate(|pairing| &pairing.all);
        let failures = by_failure(tally, plan.bots.len(), &is_out);
        // Beside the ratings of all games, once a failure has decided one.
        let played_out =
            failures.iter().any(|&[won, _]| won > 0).then(|| rate(|pairing| &pairing.played_out));
        let anchor = anchor.filter(|&bot| !is_out(bot));
        // Where the games are few and alike, an error bar would be a lie.
        let suspicious = tally.distinct.is_suspicious();
        let honest = |error: Option<f64>| round(error.filter(|_| !suspicious));
        let (met, pairings): (Vec<[usize; 2]>, Vec<PairingRow>) = tally
            .pairings()
            .filter(|&([a, b], _)| !is_out(a) && !is_out(b))
            .map(|(bots, pairing)| (bots, pairing_row(plan, bots, pairing, suspicious)))
            .unzip();
        let order = all.order();
        let mut rows: Vec<Row> = order
            .iter()
            .enumerate()
            .map(|(index, &bot)| {
                let results = all.results[bot];
                let over =
                    anchor.filter(|&anchor| anchor != bot).and_then(|anchor| all.difference(bot, anchor));
                let next = order.get(index + 1).and_then(|&next| all.difference(bot, next));
                let clean = played_out.as_ref().filter(|rated| rated.results[bot].games() > 0);
                let [won_by_failure, lost_by_failure] = failures[bot];
                Row {
                    rank: index + 1,
                    bot: plan.bots[bot].name.clone(),
                    number: bot,
                    points: results.points(),
                    games: results.games(),
                    results,
                    elo: round(all.rating(bot)),
                    elo_error: honest(all.error(bot)),
                    over_anchor: round(over.map(|(value, _)| value)),
                    over_anchor_error: honest(over.map(|(_, error)| error)),
                    los_next: honest(
                        next.filter(|&(_, error)| error > 0.0)
                            .map(|(value, error)| normal_cdf(value / (error / Z95))),
                    ),
                    won_by_failure,
                    lost_by_failure,
                    elo_without_failures: round(clean.and_then(|rated| rated.rating(bot))),
                    elo_without_failures_error: honest(clean.and_then(|rated| rated.error(bot))),
                    time_per_move: tally.bots.get(bot).and_then(BotTally::time_per_move),
                    withdrawn: false,
                }
            })
            .collect();
        if let ([first, second], [pairing]) = (&mut *rows, &*pairings) {
            match_of_two([first, second], pairing, anchor);
        }
        for bot in (0..plan.bots.len()).filter(|&bot| is_out(bot)) {
            rows.push(Row {
                rank: rows.len() + 1,
                bot: plan.bots[bot].name.clone(),
                number: bot,
                points: 0.0,
                games: 0,
                results: Trinomial::default(),
                elo: None,
                elo_error: None,
                over_anchor: None,
                over_anchor_error: None,
                los_next: None,
                won_by_failure: 0,
                lost_by_failure: 0,
                elo_without_failures: None,
                elo_without_failures_error: None,
                time_per_move: None,
                withdrawn: true,
            });
        }
        Standings {
            event: settings.name.clone(),
            game: settings.game.clone(),
            setup: settings.setup.clone(),
            games: tally.games(),
            anchor: anchor.map(|bot| plan.bots[bot].name.clone()),
            advantage: round(all.ratings.as_ref().and_then(Ratings::advantage)),
            advantage_error: round(all.advantage_error()),
            warnings: warnings(plan, tally, &players, withdrawn),
            rows,
            pairings,
            met,
        }
    }

    /// The results of one bot against another, if they have met.
    pub fn between(&self, first: &Row, second: &Row) -> Option<Trinomial> {
        let (a, b) = (first.number, second.number);
        let place = self.met.binary_search(&[a.min(b), a.max(b)]).ok()?;
        let results = self.pairings[place].results;
        Some(if a < b { results } else { results.reversed() })
    }

    /// The only pairing of an event that two bots are left in.
    pub fn match_of_two(&self) -> Option<&PairingRow> {
        let playing = self.rows.iter().filter(|row| !row.withdrawn).count();
        self.pairings.first().filter(|_| playing == 2)
    }

    /// Whether a failure decided a game.
    pub fn has_failures(&self) -> bool {
        self.rows.iter().any(|row| row.won_by_failure + row.lost_by_failure > 0)
    }
}

/// The share of the points of each bot that has played, best first: what a look at a run under way needs.
pub fn provisional(plan: &Plan, tally: &Tally) -> Vec<(String, f64)> {
    let games = tally.games_of_all();
    let mut scores: Vec<(usize, f64)> =
        games.iter().enumerate().filter_map(|(bot, games)| Some((bot, games.score()?))).collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.into_iter().map(|(bot, score)| (plan.bots[bot].name.clone(), score)).collect()
}

/// Games that each bot won and lost by a failure, those with withdrawn bots left out.
fn by_failure(tally: &Tally, bots: usize, is_out: &dyn Fn(usize) -> bool) -> Vec<[u64; 2]> {
    let mut games = vec![[0; 2]; bots];
    for ([a, b], pairing) in tally.pairings().filter(|&([a, b], _)| !is_out(a) && !is_out(b)) {
        let [won, lost] = pairing.by_failure;
        games[a][0] += won;
        games[a][1] += lost;
        games[b][0] += lost;
        games[b][1] += won;
    }
    games
}

/// Two bots have one difference, and it is that of their pairs: joint ratings, which hold virtual draws, would tell another.
fn match_of_two(rows: [&mut Row; 2], pairing: &PairingRow, anchor: Option<usize>) {
    let half = |value: Option<f64>| round(value.map(|value| value / 2.0));
    let width = |low: Option<f64>, high: Option<f64>| Some((high? - low?) / 2.0);
    let error = width(pairing.elo_low, pairing.elo_high);
    let clean = pairing.without_failures;
    let clean_error = clean.and_then(|clean| width(clean.elo_low, clean.elo_high));
    for row in rows {
        let sign = if row.bot == pairing.first { 1.0 } else { -1.0 };
        let signed = |value: Option<f64>| value.map(|value| rounded(sign * value));
        (row.elo, row.elo_error) = (half(signed(pairing.elo)), half(error));
        (row.elo_without_failures, row.elo_without_failures_error) =
            (half(signed(clean.and_then(|clean| clean.elo))), half(clean_error));
        if anchor.is_some_and(|anchor| anchor != row.number) {
            (row.over_anchor, row.over_anchor_error) = (signed(pairing.elo), round(error));
        }
        if row.los_next.is_some() {
            row.los_next = round(pairing.los.map(|los| if sign > 0.0 { los } else { 1.0 - los }));
        }
    }
}

/// Pairs tell more than games; before the first whole pair single games are all there is.
fn sample_of(cells: &Cells) -> Sample {
    let pairs = cells.pentanomial();
    if pairs.pairs() > 0 { pairs.sample() } else { cells.games().sample() }
}

fn pairing_row(plan: &Plan, [a, b]: [usize; 2], pairing: &PairingTally, suspicious: bool) -> PairingRow {
    let results = pairing.all.games();
    let sample = sample_of(&pairing.all);
    let (score, interval) = if suspicious {
        <(Interval, Interval)>::default()
    } else {
        (score_interval(&sample), elo_interval(&sample))
    };
    let elo = elo_estimate(&sample);
    let nelo = nelo_estimate(&sample);
    let without_failures = (pairing.by_failure != [0, 0]).then(|| {
        let sample = sample_of(&pairing.played_out);
        let interval = if suspicious { Interval::default() } else { elo_interval(&sample) };
        PlayedOut {
            results: pairing.played_out.games(),
            elo: round(sample.mean().and_then(elo_of_score)),
            elo_low: round(interval.low),
            elo_high: round(interval.high),
        }
    });
    PairingRow {
        first: plan.bots[a].name.clone(),
        second: plan.bots[b].name.clone(),
        results,
        pairs: pairing.all.pentanomial(),
        score: round(results.score()),
        score_low: round(score.low),
        score_high: round(score.high),
        elo: round(sample.mean().and_then(elo_of_score)),
        elo_error: round(elo.map(|elo| elo.error).filter(|_| !suspicious)),
        elo_low: round(interval.low),
        elo_high: round(interval.high),
        nelo: round(nelo.map(|nelo| nelo.value)),
        nelo_error: round(nelo.map(|nelo| nelo.error).filter(|_| !suspicious)),
        los: round(los(&sample).filter(|_| !suspicious)),
        without_failures,
    }
}
