//! What a run took: `timings.json`, which differs from run to run and so stands apart from the results.

use serde_json::json;

use super::{RunOptions, RunReport};
use crate::machine::Machine;
use crate::plan::Plan;

impl RunReport {
    /// The text of `timings.json`: the machine, and for each bot its moves with the time they took.
    pub fn timings(
        &self,
        plan: &Plan,
        options: &RunOptions,
        machine: &Machine,
    ) -> Result<String, serde_json::Error> {
        let events = plan.events.iter().zip(&self.results.tallies).map(|(event, tally)| {
            let bots = plan.bots.iter().zip(&tally.bots).map(|(bot, used)| {
                json!({
                    "bot": bot.name,
                    "moves": used.moves,
                    "seconds": used.micros as f64 / 1e6,
                    "slowest_seconds": used.slowest as f64 / 1e6,
                })
            });
            json!({ "event": event.name, "bots": bots.collect::<Vec<_>>() })
        });
        let timings = json!({
            "machine": machine,
            "jobs": options.jobs,
            "played": self.played,
            "resumed": self.resumed,
            "reused": self.reused,
            "seconds": self.elapsed.as_secs_f64(),
            "events": events.collect::<Vec<_>>(),
        });
        serde_json::to_string_pretty(&timings).map(|text| format!("{text}\n"))
    }
}
