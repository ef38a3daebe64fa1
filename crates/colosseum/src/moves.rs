//! The move: a walk and a wall.

use std::fmt;
use std::str::FromStr;

use search_core::Outcome;
use thiserror::Error;

use crate::cell::parse_cell;
use crate::{Cell, Side};

/// Walk to (or stay on) a cell, then put a wall on one of its sides.
///
/// ```
/// use colosseum::{Move, Side};
/// let mv: Move = "c4u".parse()?;
/// assert_eq!(mv.side, Side::Up);
/// assert_eq!(mv.to_string(), "c4u");
/// # Ok::<(), colosseum::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the player ends its walk.
    pub cell: Cell,
    /// The side of that cell that gets the wall.
    pub side: Side,
}

impl Move {
    /// A move.
    pub const fn new(cell: Cell, side: Side) -> Move {
        Move { cell, side }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.cell, self.side.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a move, a cell and a side u, r, d or l such as `c4u`, found `{0}`")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let side = Side::from_letter(text.chars().next_back()?)?;
            // The letter just read is one byte long.
            Some(Move { cell: parse_cell(&text[..text.len() - 1])?, side })
        };
        parse().ok_or_else(|| ParseMoveError(text.to_owned()))
    }
}

/// Why a move is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The game is over.
    #[error("the game is over, result {outcome}")]
    Over {
        /// How it ended.
        outcome: Outcome,
    },
    /// The destination is not on this board.
    #[error("{cell} is not on a board of {size} x {size} cells")]
    OffBoard {
        /// The destination.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// There is a wall already.
    #[error("there is already a wall on the side {side} of {cell}")]
    Walled {
        /// The destination.
        cell: Cell,
        /// The side that was to be closed.
        side: Side,
    },
    /// The destination cannot be reached.
    #[error("{cell} cannot be reached from {from} in at most {steps} steps")]
    OutOfReach {
        /// The destination.
        cell: Cell,
        /// Where the mover stands.
        from: Cell,
        /// The longest walk.
        steps: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_SIZE;

    #[test]
    fn every_move_round_trips() {
        for row in 0..MAX_SIZE {
            for column in 0..MAX_SIZE {
                for side in Side::ALL {
                    let mv = Move::new(Cell::new(row, column).expect("on the board"), side);
                    assert_eq!(mv.to_string().parse(), Ok(mv));
                    assert_eq!(mv.cell.to_string().parse(), Ok(mv.cell));
                }
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "", "u", "c", "c4", "4cu", "m1u", "a0u", "a13u", "a01u", "a+1u", "A1u", "a1x", "a1é", "éu",
            "a1uu",
        ] {
            let error = text.parse::<Move>().unwrap_err();
            assert!(error.to_string().ends_with(&format!("found `{text}`")), "{error}");
        }
    }
}
