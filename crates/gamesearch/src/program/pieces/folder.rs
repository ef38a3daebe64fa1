//! The folder of pieces: `work.json`, and the pieces with their results.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arena::Digest;
use serde::{Deserialize, Serialize};

use super::{Description, Piece, Signature, Wave, Work, write_new};
use crate::program::{App, Failure};

/// The version of the files in the folder.
const FORMAT: u32 = 1;

/// What `work.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WorkPlan {
    /// The version of this format.
    pub(crate) format: u32,
    /// The kind of work.
    pub(crate) kind: String,
    /// Its id.
    pub(crate) work: Digest,
    /// What it is, for people.
    pub(crate) about: String,
    /// How many pieces are made at a time.
    pub(crate) pieces: u64,
    /// By how much the speeds of machines may differ, if that is limited.
    pub(crate) same_machines: Option<f64>,
    /// The machine that planned it.
    pub(crate) planner: Signature,
    /// What was handed out.
    pub(crate) waves: Vec<WaveRecord>,
    /// The work, with every default written out.
    pub(crate) description: String,
}

/// Pieces that can be worked on at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaveRecord {
    /// The numbers of the pieces.
    pub(crate) pieces: Range<u64>,
    /// The units in them, about the same number in each.
    pub(crate) units: Range<u64>,
}

impl WaveRecord {
    /// The units of a piece.
    pub(crate) fn units_of(&self, piece: u64) -> Range<u64> {
        let (count, units) = (self.pieces.end - self.pieces.start, self.units.end - self.units.start);
        let begin = |number: u64| {
            let share = u128::from(number - self.pieces.start) * u128::from(units) / u128::from(count.max(1));
            self.units.start + share as u64
        };
        begin(piece)..begin(piece + 1)
    }
}

/// A folder of pieces.
#[derive(Debug, Clone)]
pub(crate) struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    pub(crate) fn at(path: PathBuf) -> WorkFolder {
        WorkFolder { path }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn plan_path(&self) -> PathBuf {
        self.path.join("work.json")
    }

    /// The file of a piece.
    pub(crate) fn piece(&self, number: u64) -> PathBuf {
        self.path.join(format!("piece-{number:04}.json"))
    }

    /// Makes the folder with the first pieces.
    pub(crate) fn create(&self, plan: &mut WorkPlan, wave: &Wave<'_>) -> Result<(), Failure> {
        if self.plan_path().exists() {
            return Err(Failure::usage(format!(
                "{} already holds a plan of work; choose another folder",
                self.path.display()
            )));
        }
        fs::create_dir_all(&self.path).map_err(Failure::cannot("make the folder", &self.path))?;
        self.hand_out(plan, wave).map(drop)
    }

    /// Writes the pieces of a wave, and then that they are there; gives back their numbers.
    pub(crate) fn hand_out(&self, plan: &mut WorkPlan, wave: &Wave<'_>) -> Result<Range<u64>, Failure> {
        let units = wave.units.end - wave.units.start;
        let first = plan.waves.last().map_or(1, |wave| wave.pieces.end);
        let record =
            WaveRecord { pieces: first..first + plan.pieces.min(units).max(1), units: wave.units.clone() };
        for number in record.pieces.clone() {
            let units = record.units_of(number);
            let piece = Piece {
                number,
                work: plan.work,
                kind: plan.kind.clone(),
                content: (wave.content)(units.clone()),
                units,
                description: plan.description.clone(),
                fingerprint: plan.planner.fingerprint,
                nodes_per_second: plan.planner.nodes_per_second,
                same_machines: plan.same_machines,
            };
            piece.write(&self.piece(number))?;
        }
        let pieces = record.pieces.clone();
        plan.waves.push(record);
        let text = serde_json::to_string_pretty(plan).map_err(Failure::failed)?;
        write_new(&self.plan_path(), format!("{text}\n").as_bytes(), true)?;
        Ok(pieces)
    }

    /// The plan of the folder.
    pub(crate) fn plan(&self) -> Result<WorkPlan, Failure> {
        let path = self.plan_path();
        let text = fs::read_to_string(&path).map_err(|error| {
            let folder = self.path.display();
            Failure::usage(format!("{folder} is no folder of pieces: cannot read work.json there: {error}"))
        })?;
        let plan: WorkPlan = serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        if plan.format != FORMAT {
            let problem = format!("expected a plan of work of format {FORMAT}, found {}", plan.format);
            return Err(Failure::usage(format!("{}: {problem}", path.display())));
        }
        Ok(plan)
    }
}

impl WorkPlan {
    /// A plan without pieces yet.
    pub(crate) fn new(
        kind: &str,
        work: &dyn Work,
        pieces: u64,
        same_machines: Option<f64>,
        planner: Signature,
    ) -> Result<WorkPlan, Failure> {
        Ok(WorkPlan {
            format: FORMAT,
            kind: kind.to_owned(),
            work: work.id(),
            about: work.about(),
            pieces,
            same_machines,
            planner,
            waves: Vec::new(),
            description: work.description()?,
        })
    }

    /// The work, as this program would do it; refused if that is not what was planned.
    pub(crate) fn open(&self, app: &App, place: &Path) -> Result<Box<dyn Work>, Failure> {
        open_work(app, &self.kind, &self.description, self.work, place, 1.0)
    }

    /// The number of pieces.
    pub(crate) fn piece_count(&self) -> u64 {
        self.waves.last().map_or(0, |wave| wave.pieces.end - 1)
    }
}

/// Opens work from what a plan or a piece says of it.
pub(crate) fn open_work(
    app: &App,
    kind: &str,
    description: &str,
    id: Digest,
    place: &Path,
    time_scale: f64,
) -> Result<Box<dyn Work>, Failure> {
    let name = place.display().to_string();
    let work = app.kind(kind)?.open(app, &Description { name, text: description.to_owned(), time_scale })?;
    if work.id() != id {
        return Err(Failure::failed(format!(
            "{} was planned as work {id}, and here it would be {}: the bots, their files or the version of the program differ",
            place.display(),
            work.id()
        )));
    }
    Ok(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_wave_have_all_units_once() {
        for (pieces, units) in [(1, 1), (3, 10), (7, 7), (1000, 123_457)] {
            let wave = WaveRecord { pieces: 5..5 + pieces, units: 2..2 + units };
            let mut next = 2;
            for piece in wave.pieces.clone() {
                let part = wave.units_of(piece);
                assert_eq!(part.start, next);
                assert!((part.end - part.start).abs_diff(units / pieces) <= 1);
                next = part.end;
            }
            assert_eq!(next, 2 + units);
        }
    }
}
