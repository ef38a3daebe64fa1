//! A piece: a file that says all there is to know for working on some units anywhere.

use std::ops::Range;
use std::path::Path;

use arena::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{sealed_line, unsealed_line, write_new};
use crate::program::Failure;

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Piece {
    /// Its number, from 1.
    #[serde(rename = "piece")]
    pub(crate) number: u64,
    /// The id of the work it belongs to.
    pub(crate) work: Digest,
    /// The kind of work.
    pub(crate) kind: String,
    /// Its units.
    pub(crate) units: Range<u64>,
    /// The work, so that this file is enough.
    pub(crate) description: String,
    /// What the searches of the bench found on the machine that planned the work.
    pub(crate) fingerprint: Digest,
    /// The speed of that machine.
    pub(crate) nodes_per_second: f64,
    /// By how much another machine's speed may differ, if that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) same_machines: Option<f64>,
    /// What the kind of work says of these units.
    pub(crate) content: Value,
}

impl Piece {
    /// Writes the file, so that it is there whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        write_new(path, sealed_line(self)?.as_bytes(), false)
    }

    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Piece, Failure> {
        let wrong =
            |problem: String| Failure::usage(format!("{} is no piece of work: {problem}", path.display()));
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        let object = unsealed_line(text.trim_end()).map_err(wrong)?;
        serde_json::from_str(&object).map_err(|error| wrong(error.to_string()))
    }
}
