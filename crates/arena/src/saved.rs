//! The course of a game as text: the format of the journal, of replays and of saved games.

use std::fmt::Write as _;

use search_core::{Active, Game, Outcome, Player, Record, Turn, parse_turn};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::words;

/// Which game it is, who plays, where it began and what was played.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Course {
    /// The name of the game.
    pub game: String,
    /// How it was set up.
    #[serde(default)]
    pub setup: String,
    /// Who plays first and second.
    #[serde(default)]
    pub players: [String; 2],
    /// The position at the start.
    pub start: String,
    /// The turns, separated by spaces; in a simultaneous game each is `first|second`.
    pub turns: String,
}

/// A game from its start to its end, or to where it stands.
///
/// It is one JSON object. A [`FinishedGame`](crate::FinishedGame) has more fields in the same object; unknown fields are
/// ignored, so a line of a journal can be read as a saved game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SavedGame {
    /// How it went.
    #[serde(flatten)]
    pub course: Course,
    /// Who won; nothing while the game goes on.
    #[serde(default, with = "words::option")]
    pub outcome: Option<Outcome>,
    /// Why it ended.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A saved game that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It is a game of another kind.
    #[error("expected a game of {expected}, found one of `{found}`")]
    Game {
        /// The game that was asked for.
        expected: &'static str,
        /// The game that was saved.
        found: String,
    },
    /// The start cannot be read.
    #[error("the start position cannot be read: {0}")]
    Start(String),
    /// A turn cannot be read or played.
    #[error("turn {number} cannot be played: {problem}")]
    Turn {
        /// The number of the turn, from 1.
        number: usize,
        /// What is wrong.
        problem: String,
    },
}

impl Course {
    /// The text of a record.
    pub fn of<G: Game>(record: &Record<G>, setup: &G::Setup, players: [String; 2]) -> Course {
        let start = record.start().to_string();
        Course { game: G::NAME.to_owned(), setup: setup.to_string(), players, start, turns: turns_of(record) }
    }

    /// Plays the game again, checking every turn by the rules.
    pub fn record<G: Game>(&self) -> Result<Record<G>, ReplayError> {
        if self.game != G::NAME {
            return Err(ReplayError::Game { expected: G::NAME, found: self.game.clone() });
        }
        let start: G = self.start.parse().map_err(|error| ReplayError::Start(format!("{error}")))?;
        let mut record = Record::new(start);
        for (index, text) in self.turns.split_whitespace().enumerate() {
            let fail = |problem: String| ReplayError::Turn { number: index + 1, problem };
            let turn =
                parse_turn::<G>(record.position().active(), text).map_err(|error| fail(error.to_string()))?;
            record.play(turn).map_err(|error| fail(error.to_string()))?;
        }
        Ok(record)
    }
}

impl SavedGame {
    /// The text of a record. The end is the record's own; a referee may overrule it (a forfeit).
    pub fn of<G: Game>(record: &Record<G>, setup: &G::Setup, players: [String; 2]) -> SavedGame {
        SavedGame {
            course: Course::of(record, setup, players),
            outcome: record.end().map(|end| end.outcome),
            reason: record.end().map(|end| end.reason.to_owned()),
        }
    }

    /// Plays the game again, checking every turn by the rules.
    pub fn record<G: Game>(&self) -> Result<Record<G>, ReplayError> {
        self.course.record()
    }
}

/// The turns of a record, separated by spaces.
pub(crate) fn turns_of<G: Game>(record: &Record<G>) -> String {
    // Who moved does not matter to the text of a turn, only whether both did.
    let (active, players): (Active, &[Player]) = if <G::Turn as Turn<G::Move>>::SIMULTANEOUS {
        (Active::Both, &Player::BOTH)
    } else {
        (Active::One(Player::One), &[Player::One])
    };
    let mut text = String::with_capacity(record.turns().len() * 4);
    for (index, turn) in record.turns().iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        for (number, &player) in players.iter().enumerate() {
            if number > 0 {
                text.push('|');
            }
            if let Some(mv) = turn.move_of(active, player) {
                // Writing to a string does not fail.
                let _ = write!(text, "{mv}");
            }
        }
    }
    text
}
