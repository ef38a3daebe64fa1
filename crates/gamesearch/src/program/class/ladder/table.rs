//! The table of the ladder: ratings of all who play now, by the games between them.

use std::collections::BTreeMap;

use arena::{
    BotPlan, Contest, FORMAT_VERSION, Format, MatchLimits, PairingTally, Plan, Row, Standings, Tally,
};

use super::counts::Counts;
use crate::program::Failure;
use crate::program::class::roster::Roster;
use crate::program::class::settings::Settings;

/// Everybody who plays now, as a plan: in the order of their names in the journal.
pub(crate) fn plan_of(
    settings: &Settings,
    contest: &dyn Contest,
    limits: MatchLimits,
    roster: &Roster,
) -> Result<Plan, Failure> {
    let mut bots: Vec<BotPlan> = roster
        .playing()
        .map(|(_, entry)| BotPlan {
            name: entry.id.clone(),
            spec: entry.spec.clone(),
            fingerprint: format!("submission {}", entry.token),
            start_only: entry.start_only,
        })
        .collect();
    for (name, spec) in &settings.references {
        let start_only = contest
            .check_bot(spec.text())
            .map_err(|error| settings.source.mistake(spec, format!("the reference `{name}`: {error}")))?;
        let fingerprint = format!("agents {}", env!("CARGO_PKG_VERSION"));
        bots.push(BotPlan { name: name.clone(), spec: spec.text().to_owned(), fingerprint, start_only });
    }
    bots.sort_by(|a, b| a.name.cmp(&b.name));
    let event = contest.plan(&vec![limits; bots.len()]);
    Ok(Plan {
        version: FORMAT_VERSION,
        events: vec![event],
        bots,
        format: Format::RoundRobin,
        rounds: 1,
        seed: settings.seed,
        margin_micros: settings.margin().as_micros() as u64,
        at_once: false,
        clock: arena::ClockKind::Wall,
        replay: None,
        sprt: None,
    })
}

/// The table as it stands.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) standings: Standings,
    /// Rating and error of every player that has one.
    pub(crate) ratings: BTreeMap<String, (f64, f64)>,
}

impl Table {
    /// Of the games that the players of a plan have played with each other. `anchor` is the player that the others are
    /// measured from.
    pub(crate) fn new(
        plan: &Plan,
        pairings: &BTreeMap<[String; 2], PairingTally>,
        anchor: Option<&str>,
    ) -> Table {
        let number: BTreeMap<&str, usize> =
            plan.bots.iter().enumerate().map(|(number, bot)| (bot.name.as_str(), number)).collect();
        let of_plan = pairings.iter().filter_map(|([a, b], pairing)| {
            Some(([*number.get(a.as_str())?, *number.get(b.as_str())?], *pairing))
        });
        let tally = Tally::of_pairings(plan.bots.len(), of_plan);
        let anchor = anchor.and_then(|name| number.get(name).copied());
        let standings = Standings::new(plan, 0, &tally, anchor, &vec![None; plan.bots.len()]);
        let rating = |row: &Row| {
            (row.games > 0).then_some((row.bot.clone(), (row.elo?, row.elo_error.unwrap_or(f64::INFINITY))))
        };
        let ratings = standings.rows.iter().filter_map(rating).collect();
        Table { standings, ratings }
    }

    /// The table of these counts.
    pub(crate) fn of(plan: &Plan, counts: &Counts) -> Table {
        Table::new(plan, &counts.pairings, None)
    }
}
