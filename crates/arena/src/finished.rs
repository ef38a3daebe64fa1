//! A finished game: one type from the referee through journal, tables and ratings to the report.

use search_core::{Outcome, Player, split_mix};
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::game_result::GameResult;
use crate::saved::{Course, SavedGame};
use crate::thoughts::{Thoughts, packed};
use crate::words;

/// A finished game of a tournament. As JSON it is one flat object, a line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// The id of the plan.
    pub plan: Digest,
    /// The id of the game: a digest of all that decides how it goes.
    pub id: Digest,
    /// Its number in the plan.
    pub index: u64,
    /// The event.
    pub event: String,
    /// The round, from 0.
    pub round: u32,
    /// The seed of its pair.
    #[serde(with = "words::hexadecimal")]
    pub seed: u64,
    /// Which game, between whom, from where, and what was played.
    #[serde(flatten)]
    pub course: Course,
    /// How it came out.
    #[serde(flatten)]
    pub result: GameResult,
    /// What the bots thought.
    #[serde(default, skip_serializing_if = "Thoughts::is_empty", with = "packed")]
    pub thoughts: Thoughts,
}

impl FinishedGame {
    /// The game by itself.
    pub fn saved(&self) -> SavedGame {
        SavedGame {
            course: self.course.clone(),
            outcome: Some(self.result.outcome),
            reason: Some(self.result.reason.clone()),
        }
    }

    /// A hash of how the game went, for counting distinct games.
    pub fn moves_hash(&self) -> u64 {
        Digest::of(&[&self.course.start, &self.course.turns]).number()
    }

    /// A hash of how the game went and ended, to tell a repeat from a contradiction.
    pub(crate) fn fingerprint(&self) -> u64 {
        split_mix(self.moves_hash() ^ split_mix(self.result.outcome.sign(Player::One) as u64))
    }

    /// The name of the winner.
    pub fn winner(&self) -> Option<&str> {
        match self.result.outcome {
            Outcome::Win(player) => Some(&self.course.players[player.index()]),
            Outcome::Draw => None,
        }
    }
}
