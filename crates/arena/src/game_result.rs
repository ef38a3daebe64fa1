//! How a game came out: what the referee says about it, and what journal, tables and report use.

use std::time::Duration;

use search_core::{FailureKind, Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::words;

/// The reason word when both players of a simultaneous game fail in the same turn: a draw, left out of ratings.
pub const DOUBLE_FORFEIT: &str = "double-forfeit";

/// The reason word when a bot was interfered with, for instance frozen: the game is void.
pub const TAMPERING: &str = "tampering";

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
    /// Why: the game's own word, the kind of a failure (`illegal`, `crash`, `time`, `protocol`, `memory`,
    /// [`TAMPERING`]), or [`DOUBLE_FORFEIT`].
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
    /// Whether the game counts for neither bot: a draw on paper, left out of points and ratings.
    pub fn is_void(&self) -> bool {
        self.reason == DOUBLE_FORFEIT || self.is_tampering()
    }

    /// Whether a bot was interfered with.
    pub fn is_tampering(&self) -> bool {
        self.reason == TAMPERING
    }
}

/// How a game comes out that failures decide: one player's, or those of both in one turn.
pub(crate) fn forfeit(faults: &[Fault]) -> (Outcome, &'static str) {
    match faults {
        // It is not known who did it, so neither side may profit from it.
        _ if faults.iter().any(|fault| fault.kind == FailureKind::Tampering) => (Outcome::Draw, TAMPERING),
        [fault] => (Outcome::Win(fault.player.opponent()), fault.kind.word()),
        _ => (Outcome::Draw, DOUBLE_FORFEIT),
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
