//! Perft: the number of move sequences of a given length, the yardstick of every move generator.

use std::error::Error;
use std::fmt;

use crate::{Game, for_each_turn, turn_count, turn_text};

/// The number of sequences of exactly `depth` turns, counting the moves of the last turn without playing them.
///
/// A finished position offers no moves, so it has no children and counts only at its own depth. Repetition plays no part.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => turn_count(position),
        // Most positions of the tree stand one turn above the leaves: count them without another call.
        2 => {
            let mut leaves = 0;
            for_each_turn(position, |turn| {
                let mut next = position.clone();
                next.play_turn(turn);
                leaves += turn_count(&next);
            });
            leaves
        }
        _ => {
            let mut leaves = 0;
            for_each_turn(position, |turn| {
                let mut next = position.clone();
                next.play_turn(turn);
                leaves += perft(&next, depth - 1);
            });
            leaves
        }
    }
}

/// Like [`perft`], but every leaf is really played.
pub fn perft_played<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for_each_turn(position, |turn| {
        let mut next = position.clone();
        next.play_turn(turn);
        leaves += perft_played(&next, depth - 1);
    });
    leaves
}

/// The leaves below each legal turn, in byte order of the turn's text.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(String, u64)> {
    let mut rows = Vec::new();
    if depth > 0 {
        for_each_turn(position, |turn| {
            let mut next = position.clone();
            next.play_turn(turn);
            rows.push((turn_text::<G>(position.active(), turn), perft(&next, depth - 1)));
        });
    }
    rows.sort();
    rows
}

/// One entry of a perft table.
#[derive(Debug, Clone)]
pub struct SuiteEntry<G> {
    /// The line in the file, from 1.
    pub line: usize,
    /// The position.
    pub position: G,
    /// How many turns.
    pub depth: u32,
    /// How many sequences there are.
    pub leaves: u64,
}

impl<G: Game> SuiteEntry<G> {
    /// Counts the entry, for tests: by the generator alone, and with every turn played if it has at most `most_played`
    /// leaves.
    ///
    /// # Panics
    ///
    /// If a count is another than the table's.
    pub fn assert_counted(&self, most_played: u64) {
        let at = format!("line {}: {} at depth {}", self.line, self.position, self.depth);
        assert_eq!(perft(&self.position, self.depth), self.leaves, "{at}");
        if self.leaves <= most_played {
            assert_eq!(perft_played(&self.position, self.depth), self.leaves, "{at}, played");
        }
    }
}

/// A line of a perft table that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSuiteError {
    line: usize,
    message: String,
}

impl fmt::Display for ParseSuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Error for ParseSuiteError {}

/// Reads a perft table: lines `position;depth;leaves`, `start` for the initial position of the default set-up, empty lines
/// and lines that begin with `#` left out.
pub fn perft_suite<G: Game>(text: &str) -> Result<Vec<SuiteEntry<G>>, ParseSuiteError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
        .map(|(line, text)| {
            let fail = |message: String| ParseSuiteError { line, message };
            let mut parts = text.rsplitn(3, ';').map(str::trim);
            let (Some(leaves), Some(depth), Some(position)) = (parts.next(), parts.next(), parts.next())
            else {
                return Err(fail(format!("expected `position;depth;leaves`, found `{text}`")));
            };
            let leaves =
                leaves.parse().map_err(|_| fail(format!("expected a number of leaves, found `{leaves}`")))?;
            let depth = depth.parse().map_err(|_| fail(format!("expected a depth, found `{depth}`")))?;
            let position = match position {
                "start" => G::initial(&G::Setup::default(), 0),
                text => {
                    text.parse().map_err(|error: G::Err| fail(format!("expected a position: {error}")))?
                }
            };
            Ok(SuiteEntry { line, position, depth, leaves })
        })
        .collect()
}
