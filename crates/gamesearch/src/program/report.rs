//! `report.html` of a run folder.

use std::fs;

use arena::{Contest, Event, Machine, Plan, ReportInput, Summary};
use serde_json::Value;

use super::{App, Failure};
use crate::Listed;
use crate::program::run_folder::RunFolder;

/// Writes `report.html` and its side files.
pub(crate) fn write_report(
    folder: &RunFolder,
    contests: &[Box<dyn Contest>],
    summary: &Summary,
) -> Result<(), Failure> {
    let collected = folder.collect()?;
    for problem in &collected.problems {
        anstream::eprintln!("journal: {problem}");
    }
    let timings: Option<Value> = fs::read_to_string(folder.path().join("timings.json"))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok());
    let machine: Option<Machine> =
        timings.as_ref().and_then(|timings| serde_json::from_value(timings.get("machine")?.clone()).ok());
    let duration = timings
        .as_ref()
        .and_then(|timings| Some((timings.get("seconds")?.as_f64()?, timings.get("jobs")?.as_u64()?)));
    let input = ReportInput {
        collected: &collected,
        summary,
        journal: &folder.journal_of(),
        machine: machine.as_ref(),
        duration,
    };
    arena::write_report(&input, contests, &mut |name, text| {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)
    })
    .map_err(Failure::failed)
}

/// The events of a plan, for drawing only: nobody plays in them.
pub(crate) fn contests_of(app: &App, plan: &Plan) -> Result<Vec<Box<dyn Contest>>, Failure> {
    plan.events.iter().map(|event| Ok(app.game(&event.game)?.drawing_contest())).collect()
}

/// An event of the game in which nobody plays.
pub(crate) fn drawing_contest<G: Listed>() -> Box<dyn Contest> {
    let nobody = |spec: &str| Err(format!("`{spec}` is not playing here"));
    Box::new(Event::<G>::new(nobody).with_drawer(G::draw))
}
