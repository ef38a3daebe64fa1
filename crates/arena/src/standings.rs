//! The standings of an event: ratings, points, and everything a reader should be warned about.

use std::time::Duration;

use serde::Serialize;

use crate::pairings::PairingRow;
use crate::plan::Plan;
use crate::rated::{Basis, Rated, round, rounded};
use crate::statistics::{Ratings, Trinomial, Z95, normal_cdf};
use crate::tally::{BotTally, Tally};
use crate::warnings::warnings;

/// What standings are measured from. Nothing of it changes a game, so that a finished run can be shown with another choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RatingChoice {
    /// The bot that `over_anchor` is measured from, by its number in the plan.
    pub anchor: Option<usize>,
    /// Whether ratings and differences leave out the games that a failure decided. Points count them either way.
    pub no_faults: bool,
}

impl From<Option<usize>> for RatingChoice {
    fn from(anchor: Option<usize>) -> RatingChoice {
        RatingChoice { anchor, ..RatingChoice::default() }
    }
}

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
    /// Its error. None in a match of two, whose interval is not the same on both sides.
    pub elo_error: Option<f64>,
    /// The lower end of the rating's 95 % interval; none where the results set no bound.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
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
    /// The rating by the games that no failure decided, if a failure decided any game of the event and `elo` is by all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_without_failures: Option<f64>,
    /// Its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_without_failures_error: Option<f64>,
    /// The rating by all games, if a failure decided any game of the event and `elo` leaves such games out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_of_all_games: Option<f64>,
    /// Its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_of_all_games_error: Option<f64>,
    /// The mean time of a move. Not part of the results: another run of the same plan takes another time.
    #[serde(skip)]
    pub time_per_move: Option<Duration>,
    /// Whether its games were voided because it would not start.
    pub withdrawn: bool,
}

impl Row {
    /// A bot of which nothing is known but its place.
    fn unplayed(plan: &Plan, bot: usize, rank: usize) -> Row {
        Row {
            rank,
            bot: plan.bots[bot].name.clone(),
            number: bot,
            points: 0.0,
            games: 0,
            results: Trinomial::default(),
            elo: None,
            elo_error: None,
            elo_low: None,
            elo_high: None,
            over_anchor: None,
            over_anchor_error: None,
            los_next: None,
            won_by_failure: 0,
            lost_by_failure: 0,
            elo_without_failures: None,
            elo_without_failures_error: None,
            elo_of_all_games: None,
            elo_of_all_games_error: None,
            time_per_move: None,
            withdrawn: false,
        }
    }

    /// The rating by the other games, with its error: without failures, or of all games where the rating leaves them out.
    pub(crate) fn beside(&self) -> (Option<f64>, Option<f64>) {
        (
            self.elo_without_failures.or(self.elo_of_all_games),
            self.elo_without_failures_error.or(self.elo_of_all_games_error),
        )
    }
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
    /// Whether the ratings leave out the games that a failure decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_faults: bool,
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

impl Standings {
    /// The standings of event number `event`. `withdrawn` says of each bot why its games are voided, if they are.
    pub fn new(
        plan: &Plan,
        event: usize,
        tally: &Tally,
        choice: impl Into<RatingChoice>,
        withdrawn: &[Option<String>],
    ) -> Standings {
        let RatingChoice { anchor, no_faults } = choice.into();
        let settings = &plan.events[event];
        let is_out = |bot: usize| withdrawn.get(bot).is_some_and(Option::is_some);
        let players: Vec<usize> = (0..plan.bots.len()).filter(|&bot| !is_out(bot)).collect();
        let rate =
            |basis, near| Rated::new(settings.simultaneous, &players, plan.bots.len(), tally, basis, near);
        let basis = if no_faults { Basis::PlayedOut } else { Basis::AllGames };
        let rated = rate(basis, None);
        let failures = by_failure(tally, plan.bots.len(), &is_out);
        // The other ratings beside, once a failure has decided a game.
        let beside = failures.iter().any(|&[won, _]| won > 0).then(|| rate(basis.other(), Some(&rated)));
        let played = all_games(tally, plan.bots.len(), &is_out);
        let anchor = anchor.filter(|&bot| !is_out(bot));
        // Where the games are few and alike, an error bar would be a lie.
        let suspicious = tally.distinct.is_suspicious();
        let honest = |error: Option<f64>| round(error.filter(|_| !suspicious));
        let (met, pairings): (Vec<[usize; 2]>, Vec<PairingRow>) = tally
            .pairings()
            .filter(|&([a, b], _)| !is_out(a) && !is_out(b))
            .map(|(bots, pairing)| (bots, PairingRow::new(plan, bots, pairing, basis, suspicious)))
            .unzip();
        let has_rating = |bot: usize| rated.results[bot].games() > 0 || !no_faults;
        let mut order = rated.order();
        // A bot that only won and lost by failures has no rating.
        order.sort_by_key(|&bot| !has_rating(bot));
        let mut rows: Vec<Row> = order
            .iter()
            .enumerate()
            .map(|(index, &bot)| {
                let difference = |other: usize| {
                    rated.difference(bot, other).filter(|_| has_rating(bot) && has_rating(other))
                };
                let elo = rated.rating(bot).filter(|_| has_rating(bot));
                let error = rated.error(bot).filter(|_| has_rating(bot) && !suspicious);
                let over = anchor.filter(|&anchor| anchor != bot).and_then(difference);
                let next = order.get(index + 1).and_then(|&next| difference(next));
                let other = beside.as_ref().filter(|rated| rated.results[bot].games() > 0);
                let other = [
                    round(other.and_then(|rated| rated.rating(bot))),
                    honest(other.and_then(|rated| rated.error(bot))),
                ];
                let [without, of_all] = if no_faults { [[None; 2], other] } else { [other, [None; 2]] };
                let [won_by_failure, lost_by_failure] = failures[bot];
                Row {
                    points: played[bot].points(),
                    games: played[bot].games(),
                    results: played[bot],
                    elo: round(elo),
                    elo_error: round(error),
                    elo_low: round(elo.zip(error).map(|(elo, error)| elo - error)),
                    elo_high: round(elo.zip(error).map(|(elo, error)| elo + error)),
                    over_anchor: round(over.map(|(value, _)| value)),
                    over_anchor_error: honest(over.map(|(_, error)| error)),
                    los_next: honest(
                        next.filter(|&(_, error)| error > 0.0)
                            .map(|(value, error)| normal_cdf(value / (error / Z95))),
                    ),
                    won_by_failure,
                    lost_by_failure,
                    elo_without_failures: without[0],
                    elo_without_failures_error: without[1],
                    elo_of_all_games: of_all[0],
                    elo_of_all_games_error: of_all[1],
                    time_per_move: tally.bots.get(bot).and_then(BotTally::time_per_move),
                    ..Row::unplayed(plan, bot, index + 1)
                }
            })
            .collect();
        if let ([first, second], [pairing]) = (&mut *rows, &*pairings) {
            match_of_two([first, second], pairing, anchor);
        }
        for bot in (0..plan.bots.len()).filter(|&bot| is_out(bot)) {
            rows.push(Row { withdrawn: true, ..Row::unplayed(plan, bot, rows.len() + 1) });
        }
        Standings {
            event: settings.name.clone(),
            game: settings.game.clone(),
            setup: settings.setup.clone(),
            games: tally.games(),
            anchor: anchor.map(|bot| plan.bots[bot].name.clone()),
            advantage: round(rated.ratings.as_ref().and_then(Ratings::advantage)),
            advantage_error: round(rated.advantage_error()),
            no_faults,
            warnings: warnings(plan, tally, &players, withdrawn, no_faults),
            rows,
            pairings,
            met,
        }
    }

    /// The results of one bot against another, if they have met.
    pub fn between(&self, first: &Row, second: &Row) -> Option<Trinomial> {
        let (a, b) = (first.number, second.number);
        let place = self.met.binary_search(&[a.min(b), a.max(b)]).ok()?;
        let results = self.pairings[place].all_results();
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

/// All games of each bot that count, those with withdrawn bots left out.
fn all_games(tally: &Tally, bots: usize, is_out: &dyn Fn(usize) -> bool) -> Vec<Trinomial> {
    let mut games = vec![Trinomial::default(); bots];
    for ([a, b], pairing) in tally.pairings().filter(|&([a, b], _)| !is_out(a) && !is_out(b)) {
        let results = pairing.all.games();
        games[a] = games[a].plus(results);
        games[b] = games[b].plus(results.reversed());
    }
    games
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

/// Two bots have one difference with one interval, and it is that of their pairs: joint ratings, which hold virtual draws,
/// would tell another. Half of it is the rating of each.
fn match_of_two(rows: [&mut Row; 2], pairing: &PairingRow, anchor: Option<usize>) {
    let beside = pairing.beside();
    for row in rows {
        let is_first = row.bot == pairing.first;
        let seen = |value: Option<f64>| value.map(|value| rounded(if is_first { value } else { -value }));
        let half = |value: Option<f64>| round(seen(value).map(|value| value / 2.0));
        let (low, high) = (half(pairing.elo_low), half(pairing.elo_high));
        row.elo = half(pairing.elo);
        (row.elo_low, row.elo_high) = if is_first { (low, high) } else { (high, low) };
        // One number would be wrong for both sides.
        (row.elo_error, row.over_anchor_error) = (None, None);
        let other = half(beside.and_then(|beside| beside.elo));
        (row.elo_without_failures, row.elo_of_all_games) =
            if pairing.of_all_games.is_some() { (None, other) } else { (other, None) };
        (row.elo_without_failures_error, row.elo_of_all_games_error) = (None, None);
        if anchor.is_some_and(|anchor| anchor != row.number) {
            row.over_anchor = seen(pairing.elo);
        }
        if row.los_next.is_some() {
            row.los_next = round(pairing.los.map(|los| if is_first { los } else { 1.0 - los }));
        }
    }
}
