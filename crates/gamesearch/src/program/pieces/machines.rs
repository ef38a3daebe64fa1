//! Who played the pieces of a run: `machines.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena::TimeScale;
use serde::{Deserialize, Serialize};

use super::Header;

/// All machines of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machines {
    /// Whether limits in time were stretched.
    pub timed: bool,
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

    /// The name of the file.
    pub(crate) const FILE: &str = "machines.json";

    /// Adds a result.
    pub(crate) fn add(&mut self, header: &Header) {
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
