//! How a game came out: what the referee says of it, and what journal, tables and report go by.

use std::time::Duration;

use search_core::{FailureKind, Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::words;

/// The reason word when both players of a simultaneous game fail in the same turn: a draw, left out of ratings.
pub const DOUBLE_FORFEIT: &str = "double-forfeit";

/// A player's failure that decided a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who failed.
    #[serde(with = "words")]
    pub player: Player,
    /// How.
    #[serde(with = "words")]
    pub kind: FailureKind,
    /// What happened, for people.
    pub message: String,
}

/// How a game came out, and what it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// Who won.
    #[serde(with = "words")]
    pub outcome: Outcome,
    /// Why: the game's own word, the kind of a failure (`illegal`, `crash`, `time`, `protocol`, `memory`), or
    /// [`DOUBLE_FORFEIT`].
    pub reason: String,
    /// How many turns were played.
    pub plies: u32,
    /// The failures behind a forfeit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// How often the game was played again by the rule for infinite moves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replays: u32,
    /// Moves that each player was asked for.
    pub moves: [u32; 2],
    /// Microseconds of each player's moves.
    pub micros: [u64; 2],
    /// Microseconds of each player's slowest move.
    pub slowest: [u64; 2],
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl GameResult {
    /// Whether both failed in one turn, so that it counts for nothing.
    pub fn is_double_forfeit(&self) -> bool {
        self.reason == DOUBLE_FORFEIT
    }
}

/// Time that players used, in nanoseconds while it adds up: a thousand moves of half a microsecond are half a millisecond.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) moves: u32,
    time: Duration,
    slowest: Duration,
}

impl Usage {
    pub(crate) fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.time += time;
        self.slowest = self.slowest.max(time);
    }

    pub(crate) fn micros(&self) -> u64 {
        self.time.as_micros() as u64
    }

    pub(crate) fn slowest_micros(&self) -> u64 {
        self.slowest.as_micros() as u64
    }
}
