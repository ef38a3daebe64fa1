//! `report.html` of a run folder.

use arena::{
    Collected, Contest, Event, EventPlan, Machine, Openings, OpeningsChoice, Plan, ReportInput, Summary,
    shown,
};
use serde_json::Value;

use super::{App, Failure};
use crate::Listed;
use crate::program::commands::tournament::balanced;
use crate::program::run_folder::RunFolder;

/// Writes `report.html` and its side files.
pub(crate) fn write_report(
    folder: &RunFolder,
    contests: &[Box<dyn Contest>],
    collected: &Collected,
    summary: &Summary,
) -> Result<(), Failure> {
    let timings: Option<Value> =
        folder.file("timings.json").read_text().ok().and_then(|text| serde_json::from_str(&text).ok());
    let machine: Option<Machine> =
        timings.as_ref().and_then(|timings| serde_json::from_value(timings.get("machine")?.clone()).ok());
    let duration = timings
        .as_ref()
        .and_then(|timings| Some((timings.get("seconds")?.as_f64()?, timings.get("jobs")?.as_u64()?)));
    let input =
        ReportInput { collected, summary, journal: folder.journal_of(), machine: machine.as_ref(), duration };
    arena::write_report(&input, contests, &mut |name, text| {
        let file = folder.file(name);
        file.folder().make_folder()?;
        file.write_whole(text.as_bytes())
    })
    .map_err(Failure::failed)
}

/// The events of a plan, for checking and drawing its games, without bots.
pub(crate) fn contests_of(app: &App, plan: &Plan) -> Result<Vec<Box<dyn Contest>>, Failure> {
    let seed = plan.seed;
    plan.events.iter().map(|event| app.game(&event.game)?.unplayed_contest(event, seed)).collect()
}

/// Why the games of a plan are not the same the next time, though the seed is; empty if they are.
pub(crate) fn not_reproducible(app: &App, plan: &Plan) -> Vec<String> {
    let mut reasons = Vec::new();
    for event in &plan.events {
        let Ok(entry) = app.game(&event.game) else { continue };
        for (bot, limits) in plan.bots.iter().zip(&event.limits) {
            if limits.contains("time=") {
                reasons.push(format!("{} has limits in time", shown(&bot.name)));
            }
            reasons.extend(entry.unrepeatable(&bot.spec));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    reasons.retain(|reason| seen.insert(reason.clone()));
    reasons
}

/// An event of a plan, without bots.
pub(crate) fn unplayed_contest<G: Listed>(plan: &EventPlan, seed: u64) -> Result<Box<dyn Contest>, Failure> {
    let nobody = |spec: &str| Err(format!("`{spec}` is not playing here"));
    let setup: G::Setup = plan
        .setup
        .parse()
        .map_err(|error| Failure::failed(format!("the set-up of {}: {error}", plan.name)))?;
    let balanced = balanced::<G>(&setup, seed)?;
    let event = Event::<G>::new(nobody).with_setup(setup).named(plan.name.clone()).with_drawer(G::draw);
    // Positions that came from a file are not in the plan.
    Ok(Box::new(match plan.openings.parse() {
        Ok(OpeningsChoice::Start) => event.with_openings(Openings::Start),
        Ok(OpeningsChoice::Random(turns)) => event.with_openings(Openings::Random(turns)),
        _ => match balanced.filter(|balanced| balanced.to_string() == plan.openings) {
            Some(balanced) => event.with_openings(balanced),
            None => event,
        },
    }))
}
