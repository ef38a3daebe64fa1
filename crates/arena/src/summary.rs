//! What a tournament came to, for machines: `summary.json` and `standings.csv`. Neither holds a time, so the same plan
//! gives the same bytes whatever the number of jobs, shards or interruptions.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::digest::Digest;
use crate::plan::{BotPlan, Plan};
use crate::rated::rounded;
use crate::results::Results;
use crate::schedule::{Format, Schedule};
use crate::shown::shown;
use crate::standings::{RatingChoice, Standings};
use crate::statistics::{Decision, Pentanomial, Sprt};
use crate::tally::Tally;

/// The lengths of the games of an event, in turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengths {
    /// The shortest.
    pub shortest: u32,
    /// The mean.
    pub mean: f64,
    /// Half of the games are at most so long.
    pub median: u32,
    /// Nine of ten are at most so long.
    pub ninety: u32,
    /// The longest.
    pub longest: u32,
}

/// Results by seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Seats {
    /// Won by the first player.
    pub first: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the second player.
    pub second: u64,
}

/// One event of a summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventSummary {
    /// The standings.
    #[serde(flatten)]
    pub standings: Standings,
    /// How the games began.
    pub openings: String,
    /// The limits of each bot.
    pub limits: BTreeMap<String, String>,
    /// Results by seat.
    pub seats: Seats,
    /// End reasons.
    pub reasons: BTreeMap<String, u64>,
    /// Lengths; nothing before the first game.
    pub lengths: Option<Lengths>,
    /// Games by length, for plots.
    #[serde(skip)]
    pub length_counts: BTreeMap<u32, u64>,
    /// Different games.
    pub distinct_games: u64,
    /// Failures by bot and kind.
    pub faults: BTreeMap<String, BTreeMap<String, u64>>,
    /// Games in which both failed at once.
    pub double_forfeits: u64,
    /// Games played again after an infinite move.
    pub replays: u64,
}

/// A sequential test in a summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The pairs that count.
    pub pairs: Pentanomial,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this `elo0` is accepted.
    pub lower: f64,
    /// At or above this `elo1` is accepted.
    pub upper: f64,
    /// The decision, if there is one.
    pub decision: Option<Decision>,
}

/// By how much the limits in time were stretched on a machine: the speed of the machine that planned the run over its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeScale {
    /// The machine.
    pub machine: String,
    /// Pieces that were played there.
    pub pieces: u64,
    /// The smallest factor, of several measurements.
    pub least: f64,
    /// The largest one.
    pub most: f64,
}

impl TimeScale {
    /// The factors in words.
    pub fn text(&self) -> String {
        let TimeScale { machine, pieces, least, most } = self;
        let factors =
            if most - least < 0.005 { format!("{least:.2}") } else { format!("{least:.2} to {most:.2}") };
        let pieces = if *pieces == 1 { "1 piece".to_owned() } else { format!("{pieces} pieces") };
        format!("{} {factors} ({pieces})", shown(machine))
    }
}

/// A whole tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The id of the plan.
    pub plan: Digest,
    /// The master seed.
    pub seed: u64,
    /// Who met whom.
    pub format: Format,
    /// Rounds planned.
    pub rounds: u32,
    /// Games planned.
    pub games_planned: u64,
    /// Games finished.
    pub games_finished: u64,
    /// Why the same plan gives other games the next time, where the caller knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_reproducible: Vec<String>,
    /// How limits in time were stretched on each machine, in a run over several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time_scales: Vec<TimeScale>,
    /// The bots.
    pub bots: Vec<BotPlan>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// The events.
    pub events: Vec<EventSummary>,
}

impl Summary {
    /// The summary of these results. `choice` says what ratings are measured from: the number of the anchor is enough.
    pub fn new(plan: &Plan, results: &Results, choice: impl Into<RatingChoice>) -> Summary {
        let choice = choice.into();
        let events = (0..plan.events.len()).map(|event| event_summary(plan, event, results, choice));
        Summary {
            plan: plan.id(),
            seed: plan.seed,
            format: plan.format,
            rounds: plan.rounds,
            games_planned: Schedule::new(plan).games(),
            games_finished: results.tallies.iter().map(Tally::games).sum(),
            not_reproducible: Vec::new(),
            time_scales: Vec::new(),
            bots: plan.bots.clone(),
            sprt: plan.sprt.zip(results.sprt).map(|(test, state)| {
                let (lower, upper) = test.bounds();
                SprtSummary {
                    test,
                    pairs: state.pairs,
                    llr: rounded(state.llr),
                    lower: rounded(lower),
                    upper: rounded(upper),
                    decision: state.decision,
                }
            }),
            events: events.collect(),
        }
    }

    /// The text of `summary.json`.
    pub fn json(&self) -> String {
        // Plain structs with texts as keys serialise without fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The text of `standings.csv`.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "event",
            "rank",
            "bot",
            "points",
            "games",
            "wins",
            "draws",
            "losses",
            "elo",
            "elo_error",
            "over_anchor",
            "over_anchor_error",
            "los_next",
            "elo_low",
            "elo_high",
            "won_by_failure",
            "lost_by_failure",
            "elo_without_failures",
            "elo_without_failures_error",
        ])?;
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value}"));
        for event in &self.events {
            for row in &event.standings.rows {
                let without = if event.standings.no_faults {
                    [row.elo, row.elo_error]
                } else {
                    [row.elo_without_failures, row.elo_without_failures_error]
                };
                writer.write_record([
                    csv_text(&event.standings.event),
                    row.rank.to_string(),
                    csv_text(&row.bot),
                    row.points.to_string(),
                    row.games.to_string(),
                    row.results.wins.to_string(),
                    row.results.draws.to_string(),
                    row.results.losses.to_string(),
                    number(row.elo),
                    number(row.elo_error),
                    number(row.over_anchor),
                    number(row.over_anchor_error),
                    number(row.los_next),
                    number(row.elo_low),
                    number(row.elo_high),
                    row.won_by_failure.to_string(),
                    row.lost_by_failure.to_string(),
                    number(without[0]),
                    number(without[1]),
                ])?;
            }
        }
        let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A text from outside as a cell: a spreadsheet takes what begins like a formula for one, so that gets an apostrophe in
/// front, and what cannot be seen is escaped.
pub fn csv_text(text: &str) -> String {
    let text = shown(text);
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.into_owned() }
}

fn event_summary(plan: &Plan, event: usize, results: &Results, choice: RatingChoice) -> EventSummary {
    let (settings, tally) = (&plan.events[event], &results.tallies[event]);
    let [first, draws, second] = tally.seats;
    let name = |bot: usize| plan.bots[bot].name.clone();
    let lengths = || {
        Some(Lengths {
            shortest: *tally.lengths.keys().next()?,
            mean: rounded(tally.mean_length()?),
            median: tally.length_quantile(0.5)?,
            ninety: tally.length_quantile(0.9)?,
            longest: *tally.lengths.keys().next_back()?,
        })
    };
    EventSummary {
        standings: Standings::new(plan, event, tally, choice, &results.withdrawn),
        openings: settings.openings.clone(),
        limits: settings.limits.iter().enumerate().map(|(bot, limits)| (name(bot), limits.clone())).collect(),
        seats: Seats { first, draws, second },
        reasons: tally.reasons.clone(),
        lengths: lengths(),
        length_counts: tally.lengths.clone(),
        distinct_games: tally.distinct.distinct(),
        faults: tally
            .bots
            .iter()
            .enumerate()
            .filter(|(_, used)| !used.faults.is_empty())
            .map(|(bot, used)| {
                (name(bot), used.faults.iter().map(|(kind, &count)| (kind.to_string(), count)).collect())
            })
            .collect(),
        double_forfeits: tally.double_forfeits,
        replays: tally.replays,
    }
}
