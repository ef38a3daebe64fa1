//! How ratings went over time: a few hundred points for each, however long the ladder runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::table::Table;
use crate::program::Failure;
use crate::program::class::home;
use crate::program::class::roster::Roster;

/// The most points of a team.
const MOST: usize = 240;

/// A rating at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) at: u64,
    pub(crate) elo: f64,
    pub(crate) rank: usize,
}

/// The ratings of all teams and references over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// Seconds between two points: doubled whenever there would be too many.
    step: u64,
    last: u64,
    pub(crate) teams: BTreeMap<String, Vec<Point>>,
}

impl History {
    /// Reads what was kept. A damaged file is no reason to stop the ladder: it decides nothing.
    pub(crate) fn read(path: &Path) -> History {
        let kept = fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok());
        kept.unwrap_or_default()
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        home::write(path, &serde_json::to_string(self).map_err(Failure::failed)?)
    }

    /// Adds the table as it stands, if the last time was long enough ago; whether it did.
    pub(crate) fn add(&mut self, now: u64, table: &Table) -> bool {
        let step = self.step.max(10);
        if self.last > 0 && now < self.last.saturating_add(step) {
            return false;
        }
        self.last = now;
        for row in &table.standings.rows {
            let (Some(elo), true) = (row.elo, row.games > 0) else { continue };
            let team = Roster::team_of(&row.bot).unwrap_or(&row.bot).to_owned();
            self.teams.entry(team).or_default().push(Point { at: now, elo, rank: row.rank });
        }
        if self.teams.values().any(|points| points.len() > MOST) {
            self.step = 2 * step;
            for points in self.teams.values_mut() {
                let mut number = 0;
                // The last one always stays.
                let last = points.len().saturating_sub(1);
                points.retain(|_| {
                    number += 1;
                    number % 2 == 1 || number == last + 1
                });
            }
        }
        true
    }
}
