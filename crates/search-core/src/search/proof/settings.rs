//! What the proof search does, part by part.

use crate::TimeSettings;

/// The settings of [`ProofSearch`](crate::ProofSearch).
///
/// ```
/// use search_core::ProofSettings;
/// let small = ProofSettings { table_bytes: 1 << 20, ..ProofSettings::default() };
/// assert!(small.mobility);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProofSettings {
    /// Size of the table in bytes, never exceeded (one bucket of 96 bytes at least).
    pub table_bytes: usize,
    /// Lines longer than this many plies count as not won, and a disproof that rests on them as unknown; at most 512.
    pub max_depth: u32,
    /// A new position begins with its number of moves as the leaves that are missing, instead of with one: where the
    /// loser has few moves is looked first.
    pub mobility: bool,
    /// A line is left when its number has grown beyond the next best by this share of it (and by one at least): the
    /// search changes less often between lines, and repeats less.
    pub patience: f64,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for ProofSettings {
    fn default() -> Self {
        ProofSettings {
            table_bytes: 16 << 20,
            max_depth: 256,
            mobility: true,
            patience: 0.25,
            time: TimeSettings::default(),
        }
    }
}
