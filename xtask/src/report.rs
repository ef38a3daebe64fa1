//! `report.html` of a run folder.

use std::fs;

use arena::{Contest, Event, Machine, Plan, ReportInput, Summary};
use serde_json::Value;

use crate::commands::Failure;
use crate::games::{Listed, Visitor, with_game};
use crate::run_folder::RunFolder;

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
pub(crate) fn contests_of(plan: &Plan) -> Result<Vec<Box<dyn Contest>>, Failure> {
    plan.events.iter().map(|event| with_game(&event.game, ForDrawing)).collect()
}

struct ForDrawing;

impl Visitor for ForDrawing {
    type Output = Box<dyn Contest>;

    fn visit<G: Listed>(self) -> Self::Output {
        let nobody = |spec: &str| Err(format!("`{spec}` is not playing here"));
        Box::new(Event::<G>::new(nobody).with_drawer(G::draw))
    }
}
