//! Who played the pieces of a run: `machines.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use arena::TimeScale;
use serde::{Deserialize, Serialize};

use super::{Header, Signature};

/// All machines of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machines {
    /// Whether limits in time were stretched.
    pub timed: bool,
    /// The pieces that are counted below, in ranges of their numbers.
    #[serde(default)]
    pub counted: Vec<Range<u64>>,
    /// The machines, by name.
    pub machines: BTreeMap<String, MachineRecord>,
}

/// What one machine did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineRecord {
    /// Its processor.
    pub processor: String,
    /// Digests of the programs it ran.
    pub programs: Vec<String>,
    /// Pieces it played.
    pub pieces: u64,
    /// How long it took for them, in seconds, all pieces together.
    pub seconds: f64,
    /// Its speed, in nodes per second: the lowest and the highest that was measured.
    pub nodes_per_second: [f64; 2],
    /// By how much limits in time were stretched: least and most.
    pub time_scale: [f64; 2],
}

impl Machines {
    /// Those of a run folder, if its games were played in pieces.
    pub(crate) fn of_run(folder: &Path) -> Option<Machines> {
        serde_json::from_str(&fs::read_to_string(folder.join(Machines::FILE)).ok()?).ok()
    }

    /// Adds those pieces of a run that are not counted yet, because whoever collected them was killed before the file was written.
    pub(crate) fn add_missed(
        &mut self,
        pieces: impl Iterator<Item = u64>,
        header: impl Fn(u64) -> Option<Header>,
    ) {
        for piece in pieces {
            if !self.has(piece)
                && let Some(header) = header(piece)
            {
                self.add(&header);
            }
        }
    }

    /// Whether this piece is counted.
    fn has(&self, piece: u64) -> bool {
        let at = self.counted.partition_point(|range| range.end <= piece);
        self.counted.get(at).is_some_and(|range| range.contains(&piece))
    }

    /// Counts this piece; the ranges stay in order and apart.
    fn count(&mut self, piece: u64) {
        let at = self.counted.partition_point(|range| range.end < piece);
        match self.counted.get_mut(at) {
            Some(range) if range.end == piece => range.end += 1,
            Some(range) if range.start == piece + 1 => range.start = piece,
            _ => self.counted.insert(at, piece..piece + 1),
        }
        if self.counted.get(at + 1).is_some_and(|next| next.start == self.counted[at].end) {
            self.counted[at].end = self.counted[at + 1].end;
            self.counted.remove(at + 1);
        }
    }

    /// That not all pieces were played, or planned, by the same program, in words. Equal searches may still differ elsewhere.
    pub(crate) fn unlike_programs(&self, planner: &Signature) -> Option<String> {
        let played = self.machines.values().flat_map(|record| record.programs.iter().cloned());
        let programs: BTreeSet<String> = played.chain([planner.program.to_string()]).collect();
        (programs.len() > 1).then(|| {
            format!(
                "{} different programs planned and played these pieces ({}); the searches of the bench find the same in all of them, \
                 but what it does not search may differ: build once and copy it",
                programs.len(),
                programs.into_iter().collect::<Vec<_>>().join(", ")
            )
        })
    }

    /// The name of the file.
    pub(crate) const FILE: &str = "machines.json";

    /// Adds a result.
    pub(crate) fn add(&mut self, header: &Header) {
        self.count(header.result);
        let signature = &header.signature;
        let (speed, scale) = (signature.nodes_per_second, header.time_scale);
        let record = self.machines.entry(signature.machine.clone()).or_insert_with(|| MachineRecord {
            processor: signature.processor.clone(),
            programs: Vec::new(),
            pieces: 0,
            seconds: 0.0,
            nodes_per_second: [speed; 2],
            time_scale: [scale; 2],
        });
        let program = signature.program.to_string();
        if !record.programs.contains(&program) {
            record.programs.push(program);
        }
        record.pieces += 1;
        record.seconds += header.seconds;
        for ([least, most], now) in [(&mut record.nodes_per_second, speed), (&mut record.time_scale, scale)] {
            *least = least.min(now);
            *most = most.max(now);
        }
    }

    /// What a summary says of limits in time; nothing where there are none.
    pub(crate) fn time_scales(&self) -> Vec<TimeScale> {
        let scales = self.machines.iter().map(|(machine, record)| TimeScale {
            machine: machine.clone(),
            pieces: record.pieces,
            least: record.time_scale[0],
            most: record.time_scale[1],
        });
        if self.timed { scales.collect() } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted_in_ranges() {
        let mut machines = Machines::default();
        for piece in [5, 3, 9, 4, 1, 10, 2] {
            assert!(!machines.has(piece), "{piece}");
            machines.count(piece);
            assert!(machines.has(piece), "{piece}");
        }
        assert_eq!(machines.counted, [1..6, 9..11]);
        assert!([0, 6, 7, 8, 11].into_iter().all(|piece| !machines.has(piece)));
    }
}
