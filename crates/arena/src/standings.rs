//! The standings of an event: ratings, points, and everything a reader should be warned about.

use serde::Serialize;

use crate::plan::Plan;
use crate::statistics::{
    Cluster, Interval, Pentanomial, RatingsOptions, Trinomial, Verdict, Z95, elo_estimate, elo_interval,
    elo_of_score, find_cycle, los, nelo_estimate, normal_cdf, rate, score_interval,
};
use crate::tally::Tally;

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
    /// Joint rating; all of an event sum to zero.
    pub elo: Option<f64>,
    /// Its error.
    pub elo_error: Option<f64>,
    /// How far above the anchor.
    pub over_anchor: Option<f64>,
    /// The error of that difference.
    pub over_anchor_error: Option<f64>,
    /// How sure it is that this bot is stronger than the next one.
    pub los_next: Option<f64>,
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
}

/// Rounds to four digits: what differs beyond that is the machine's arithmetic, not the result.
pub(crate) fn rounded(number: f64) -> f64 {
    let rounded = (number * 1e4).round() / 1e4;
    // No negative zero in files.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// From so many pairs on their scatter tells the error of a rating.
const FEW_PAIRS: u64 = 10;

fn round(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite()).map(rounded)
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
        let place = |bot: usize| players.iter().position(|&player| player == bot);
        let clusters: Vec<Cluster> = tally
            .pairings()
            .filter_map(|([a, b], pairing)| Some((place(a)?, place(b)?, pairing)))
            .flat_map(|(a, b, pairing)| pairing.clusters([a, b]))
            .collect();
        let options = RatingsOptions { advantage: !settings.simultaneous, ..RatingsOptions::default() };
        let ratings = rate(players.len(), &clusters, options).ok().filter(|_| !clusters.is_empty());
        let results_of = |bot: usize| -> Trinomial {
            let opponents = players.iter().filter(|&&other| other != bot);
            opponents
                .filter_map(|&other| tally.pairing(bot, other))
                .fold(Trinomial::default(), |sum, (games, _)| sum.plus(games))
        };
        let anchor = anchor.filter(|&bot| place(bot).is_some());

        let mut order = players.clone();
        let rating = |bot: usize| {
            ratings
                .as_ref()
                .and_then(|ratings| place(bot).map(|place| ratings.ratings()[place]))
                .unwrap_or(0.0)
        };
        order.sort_by(|&a, &b| {
            // Points say less than ratings where not everybody met everybody.
            rating(b)
                .total_cmp(&rating(a))
                .then(results_of(b).half_points().cmp(&results_of(a).half_points()))
                .then(a.cmp(&b))
        });
        // At the edges, and of a few pairs that happen to be alike, the scatter is nearly nothing, which says little: the
        // model's own error is the honest one there.
        let says_little = |bot: usize| {
            let results = results_of(bot);
            results.games() < 2 * FEW_PAIRS
                || results.score().is_none_or(|score| !(0.05..=0.95).contains(&score))
        };
        let error_of = |bot: usize| {
            let (ratings, place) = (ratings.as_ref()?, place(bot)?);
            let robust = ratings.error(place, Verdict::Robust);
            Some(if says_little(bot) { robust.max(ratings.error(place, Verdict::Fisher)) } else { robust })
        };
        let difference = |a: usize, b: usize| {
            let (ratings, a_place, b_place) = (ratings.as_ref()?, place(a)?, place(b)?);
            let (value, robust) = ratings.difference(a_place, b_place, Verdict::Robust);
            let fisher = ratings.difference(a_place, b_place, Verdict::Fisher).1;
            Some((value, if says_little(a) || says_little(b) { robust.max(fisher) } else { robust }))
        };
        let suspicious = tally.distinct.is_suspicious();
        let mut rows: Vec<Row> = order
            .iter()
            .enumerate()
            .map(|(index, &bot)| {
                let results = results_of(bot);
                let over = anchor.filter(|&anchor| anchor != bot).and_then(|anchor| difference(bot, anchor));
                let next = order.get(index + 1).and_then(|&next| difference(bot, next));
                Row {
                    rank: index + 1,
                    bot: plan.bots[bot].name.clone(),
                    number: bot,
                    points: results.points(),
                    games: results.games(),
                    results,
                    elo: round(ratings.is_some().then(|| rating(bot))),
                    elo_error: round(error_of(bot).filter(|_| !suspicious)),
                    over_anchor: round(over.map(|(value, _)| value)),
                    over_anchor_error: round(over.map(|(_, error)| error).filter(|_| !suspicious)),
                    los_next: round(
                        next.filter(|&(_, error)| error > 0.0 && !suspicious)
                            .map(|(value, error)| normal_cdf(value / (error / Z95))),
                    ),
                    withdrawn: false,
                }
            })
            .collect();
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
                withdrawn: true,
            });
        }
        let pairings: Vec<PairingRow> = tally
            .pairings()
            .filter(|&([a, b], _)| !is_out(a) && !is_out(b))
            .map(|([a, b], pairing)| {
                pairing_row(plan, [a, b], pairing.games(), pairing.pentanomial(), suspicious)
            })
            .collect();
        Standings {
            event: settings.name.clone(),
            game: settings.game.clone(),
            setup: settings.setup.clone(),
            games: tally.games(),
            anchor: anchor.map(|bot| plan.bots[bot].name.clone()),
            advantage: round(ratings.as_ref().and_then(crate::statistics::Ratings::advantage)),
            advantage_error: round(ratings.as_ref().and_then(|ratings| {
                let robust = ratings.advantage_error(Verdict::Robust)?;
                let fisher = ratings.advantage_error(Verdict::Fisher)?;
                Some(if players.iter().any(|&bot| says_little(bot)) { robust.max(fisher) } else { robust })
            })),
            warnings: warnings(plan, tally, &players, withdrawn),
            rows,
            pairings,
        }
    }
}

impl Standings {
    /// The results of one bot against another, if they have met.
    pub fn between(&self, first: &str, second: &str) -> Option<Trinomial> {
        self.pairings.iter().find_map(|pairing| {
            if pairing.first == first && pairing.second == second {
                Some(pairing.results)
            } else if pairing.first == second && pairing.second == first {
                Some(pairing.results.reversed())
            } else {
                None
            }
        })
    }
}

fn pairing_row(
    plan: &Plan,
    [a, b]: [usize; 2],
    results: Trinomial,
    pairs: Pentanomial,
    suspicious: bool,
) -> PairingRow {
    // Before the first whole pair single games are all there is.
    let sample = if pairs.pairs() > 0 { pairs.sample() } else { results.sample() };
    let (score, interval) = if suspicious {
        <(Interval, Interval)>::default()
    } else {
        (score_interval(&sample), elo_interval(&sample))
    };
    let elo = elo_estimate(&sample);
    let nelo = nelo_estimate(&sample);
    PairingRow {
        first: plan.bots[a].name.clone(),
        second: plan.bots[b].name.clone(),
        results,
        pairs,
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
    }
}

fn warnings(plan: &Plan, tally: &Tally, players: &[usize], withdrawn: &[Option<String>]) -> Vec<String> {
    let mut warnings = Vec::new();
    let name = |bot: usize| plan.bots[bot].name.as_str();
    let distinct = &tally.distinct;
    if distinct.is_suspicious() {
        let twins = plan.bots.iter().enumerate().any(|(number, bot)| {
            plan.bots[..number]
                .iter()
                .any(|other| (&other.spec, &other.fingerprint) == (&bot.spec, &bot.fingerprint))
        });
        let advice =
            if twins { "bots with one spec play the same games" } else { "use more varied openings" };
        warnings.push(format!(
            "only {} of {} games are different: errors are left out, they would be too small; {advice}",
            distinct.distinct(),
            distinct.total()
        ));
    }
    let groups = groups(players, tally);
    if tally.games() > 0 && groups.len() > 1 {
        let texts: Vec<String> = groups
            .iter()
            .map(|group| group.iter().map(|&bot| name(bot)).collect::<Vec<_>>().join(", "))
            .collect();
        warnings.push(format!(
            "these groups have not met, so their ratings cannot be compared: {}",
            texts.join(" | ")
        ));
    }
    let score =
        |a: usize, b: usize| tally.pairing(players[a], players[b]).and_then(|(games, _)| games.score());
    if let Some(cycle) = find_cycle(players.len(), score) {
        let names: Vec<&str> = cycle.iter().chain(cycle.first()).map(|&place| name(players[place])).collect();
        warnings.push(format!(
            "the results go in a circle, so read the crosstable rather than one rating: {}",
            names.join(" beats ")
        ));
    }
    if tally.double_forfeits > 0 {
        warnings.push(format!(
            "{} games in which both bots failed at once count as draws and are left out of the ratings",
            tally.double_forfeits
        ));
    }
    for (bot, used) in tally.bots.iter().enumerate() {
        if !used.faults.is_empty() {
            let kinds: Vec<String> =
                used.faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            warnings.push(format!("{} lost games by failures: {}", name(bot), kinds.join(", ")));
        }
    }
    for (bot, problem) in withdrawn.iter().enumerate() {
        if let Some(problem) = problem {
            let played = tally.games_of(bot).games();
            let problem: String = problem.lines().next().unwrap_or_default().chars().take(200).collect();
            warnings.push(format!(
                "{} was withdrawn because it would not start ({problem}); its {played} finished games are voided, the \
                 others were not played",
                name(bot)
            ));
        }
    }
    if players.len() > 3 && tally.games() > 0 {
        warnings.push(format!(
            "95 % holds for each pairing by itself; of {} pairings one in twenty misses",
            players.len() * (players.len() - 1) / 2
        ));
    }
    if tally.replays > 0 {
        warnings.push(format!("{} games were played again after an infinite move", tally.replays));
    }
    warnings
}

/// The players in groups that are connected by games.
fn groups(players: &[usize], tally: &Tally) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = players.iter().map(|&bot| vec![bot]).collect();
    for ([a, b], pairing) in tally.pairings() {
        if pairing.games().games() == 0 {
            continue;
        }
        let find = |bot: usize, groups: &[Vec<usize>]| groups.iter().position(|group| group.contains(&bot));
        if let (Some(first), Some(second)) = (find(a, &groups), find(b, &groups))
            && first != second
        {
            let moved = groups.remove(first.max(second));
            groups[first.min(second)].extend(moved);
        }
    }
    groups
}
