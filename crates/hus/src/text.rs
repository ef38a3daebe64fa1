//! A position as one line of text: the counts of player 0, `/`, the counts of player 1, the side to move, the plies.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use search_core::{Game as _, Paint, Player, TurnBased};
use thiserror::Error;

use crate::bytes::Ring;
use crate::moves::decimal;
use crate::{Pit, Position};

/// The most seeds that one pit can hold.
const FULLEST: u32 = 95;

impl fmt::Display for Position {
    /// The one-line text; `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&self.picture(Paint::Plain));
        }
        for (player, ring) in self.rings.iter().enumerate() {
            if player > 0 {
                f.write_char('/')?;
            }
            for (pit, count) in ring.iter().enumerate() {
                if pit > 0 {
                    f.write_char(',')?;
                }
                write!(f, "{count}")?;
            }
        }
        write!(f, " {} {}", self.to_move().index(), self.plies)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// A text that is not a position of Hus: what was expected, where, and what came instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// Not three parts divided by single spaces.
    #[error("expected `COUNTS/COUNTS SIDE PLIES` divided by single spaces, found {0} parts in `{1}`")]
    Parts(usize, String),
    /// Not two rings divided by one slash.
    #[error("expected the counts of two players divided by `/`, found {0}")]
    Players(usize),
    /// A ring that has not 32 pits.
    #[error("expected 32 counts of {player}, found {found}")]
    Pits {
        /// Whose ring it is.
        player: Player,
        /// How many counts came.
        found: usize,
    },
    /// A count that is not a number from 0 to 95.
    #[error("expected a count from 0 to 95 in pit {pit} of {player}, found `{found}`")]
    Count {
        /// Whose pit it is.
        player: Player,
        /// Which pit.
        pit: usize,
        /// What came instead.
        found: String,
    },
    /// More seeds than a game has.
    #[error("expected 96 seeds in all (fewer only after an infinite move), found {0}")]
    Total(u32),
    /// A side to move that is neither 0 nor 1.
    #[error("expected the side to move, `0` or `1`, found `{0}`")]
    Side(String),
    /// A number of plies that no game reaches.
    #[error("expected the plies played, 0 to {most}, found `{found}`")]
    Plies {
        /// The most that is possible with this many seeds.
        most: u32,
        /// What came instead.
        found: String,
    },
    /// A side to move that contradicts the number of plies.
    #[error("expected side {} to move after {plies} plies, found {found}", plies % 2)]
    Parity {
        /// The plies played.
        plies: u32,
        /// The side given.
        found: String,
    },
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads a position. Fewer than 96 seeds mean that the last move was infinite and the game is over.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [board, side, plies] = parts[..] else {
            return Err(ParsePositionError::Parts(parts.len(), shortened(text)));
        };
        let rings: Vec<&str> = board.split('/').collect();
        let [one, two] = rings[..] else {
            return Err(ParsePositionError::Players(rings.len()));
        };
        let rings = [parse_ring(Player::One, one)?, parse_ring(Player::Two, two)?];
        let total: u32 = rings.as_flattened().iter().map(|&count| u32::from(count)).sum();
        if total > Position::SEEDS {
            return Err(ParsePositionError::Total(total));
        }
        let infinite = total < Position::SEEDS;

        if side != "0" && side != "1" {
            return Err(ParsePositionError::Side(shortened(side)));
        }
        let most = if infinite { Position::TURN_LIMIT - 1 } else { Position::TURN_LIMIT };
        let count = decimal(plies)
            .filter(|&count| count <= most)
            .ok_or_else(|| ParsePositionError::Plies { most, found: shortened(plies) })?;
        if Player::after(count).index().to_string() != side {
            return Err(ParsePositionError::Parity { plies: count, found: side.to_owned() });
        }
        Ok(Position::from_parts(rings, count as u16, infinite))
    }
}

fn parse_ring(player: Player, text: &str) -> Result<Ring, ParsePositionError> {
    let found = text.split(',').count();
    if found != Pit::COUNT {
        return Err(ParsePositionError::Pits { player, found });
    }
    let mut ring = [0; Pit::COUNT];
    for (pit, (slot, count)) in ring.iter_mut().zip(text.split(',')).enumerate() {
        *slot = decimal(count)
            .filter(|&count| count <= FULLEST)
            .and_then(|count| u8::try_from(count).ok())
            .ok_or_else(|| ParsePositionError::Count { player, pit, found: shortened(count) })?;
    }
    Ok(ring)
}

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
