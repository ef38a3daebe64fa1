//! Work in independent pieces, which any engine can run on any machine.
//!
//! A [`Kind`] of work says what its units are (pairs of a tournament, games of self-play), how to play some of them, and how to
//! collect what came out. Everything else is the same for all kinds: the folder of pieces, the piece and its sealed result, the
//! signature of the machine that played it, and the commands `plan`, `work`, `collect` and `drive`.

mod bench;
mod folder;
mod kind;
mod machines;
mod piece;
mod result;
mod tournament;

pub(crate) use bench::{BenchLine, bench, measure};
pub(crate) use folder::{WorkFolder, WorkPlan, open_work};
pub use kind::{Collection, Description, Kind, Next, Wave, Work};
pub use machines::{MachineRecord, Machines};
pub(crate) use piece::Piece;
pub(crate) use result::{Header, read_header, read_result, result_path, write_new};
pub use result::{sealed_line, unsealed_line};
pub(crate) use tournament::Tournament;

use arena::Digest;
use serde::{Deserialize, Serialize};

/// The machine that planned work or played a piece, and the program it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Signature {
    /// The name of the machine.
    pub(crate) machine: String,
    /// Its processor, as the system names it.
    pub(crate) processor: String,
    /// A digest of the program's file.
    pub(crate) program: Digest,
    /// The version of the program.
    pub(crate) version: String,
    /// A digest of what the bench found: equal where the same search finds the same.
    pub(crate) fingerprint: Digest,
    /// The speed of each of the workers below, all at work at the same time.
    pub(crate) nodes_per_second: f64,
    /// How many workers.
    pub(crate) workers: usize,
}

/// A number of things, by the word for several.
pub(crate) fn counted(number: u64, several: &str) -> String {
    let word = if number == 1 { several.strip_suffix('s').unwrap_or(several) } else { several };
    format!("{number} {word}")
}
