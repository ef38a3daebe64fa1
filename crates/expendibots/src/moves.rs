//! Moves, their notation, and a list of them without a heap.

use std::fmt;
use std::str::FromStr;

use search_core::{MoveList as MoveListContract, MoveSink};
use thiserror::Error;

use crate::square::clip;
use crate::{ParseSquareError, Square};

/// A move: some tokens of a stack go somewhere in a straight line, or a stack explodes.
///
/// Any value of this type is sensible by itself (1 to 12 tokens, along a file or rank, between different squares);
/// whether it is legal depends on the position.
///
/// ```
/// use expendibots::{Action, Move};
/// let mv: Move = "2e6e2".parse()?;
/// assert!(matches!(mv.action(), Action::Shift { count: 2, .. }));
/// assert_eq!(mv.distance(), 4);
/// assert!("e4!".parse::<Move>()?.is_boom());
/// # Ok::<(), expendibots::ParseMoveError>(())
/// ```
// Six bits for the origin, six for the target, four for the number of tokens; a boom has no tokens and its origin as target.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// A move taken apart, for `match`.
///
/// ```
/// use expendibots::{Action, Move};
/// let told = |mv: Move| match mv.action() {
///     Action::Shift { count, from, to } => format!("{count} from {from} to {to}"),
///     Action::Boom(square) => format!("{square} explodes"),
/// };
/// assert_eq!(told("2e6e2".parse()?), "2 from e6 to e2");
/// assert_eq!(told("e4!".parse()?), "e4 explodes");
/// # Ok::<(), expendibots::ParseMoveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `count` tokens go from one square to another.
    Shift {
        /// How many tokens go.
        count: u8,
        /// Where they come from.
        from: Square,
        /// Where they go.
        to: Square,
    },
    /// The stack on this square explodes, and with it everything connected to it.
    Boom(Square),
}

impl Move {
    /// The stack on `square` explodes.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert_eq!(Move::boom("e4".parse()?).to_string(), "e4!");
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn boom(square: Square) -> Move {
        Move(square.index() as u16 * 0x41)
    }

    /// `count` tokens go from `from` to `to`; `None` unless 1 to 12 tokens go along a file or rank to another square.
    ///
    /// ```
    /// use expendibots::{Move, Square};
    /// let (a1, a5, b2): (Square, Square, Square) = ("a1".parse()?, "a5".parse()?, "b2".parse()?);
    /// assert_eq!(Move::shift(4, a1, a5).map(|mv| mv.to_string()).as_deref(), Some("4a1a5"));
    /// assert_eq!(Move::shift(1, a1, b2), None);
    /// assert_eq!(Move::shift(13, a1, a5), None);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn shift(count: u8, from: Square, to: Square) -> Option<Move> {
        let straight = from.file() == to.file() || from.rank() == to.rank();
        let moves = from.index() != to.index();
        if straight && moves && count >= 1 && count <= 12 {
            Some(Move::trusted(count, from, to))
        } else {
            None
        }
    }

    /// A shift that the generator knows to be sensible.
    #[inline]
    pub(crate) const fn trusted(count: u8, from: Square, to: Square) -> Move {
        Move((count as u16) << 12 | (to.index() as u16) << 6 | from.index() as u16)
    }

    /// The stack that acts.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert_eq!("2e6e2".parse::<Move>()?.from().to_string(), "e6");
    /// assert_eq!("e4!".parse::<Move>()?.from().to_string(), "e4");
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn from(self) -> Square {
        Square::masked(self.0 as u32)
    }

    /// Where the tokens go; the square itself for a boom.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert_eq!("2e6e2".parse::<Move>()?.to().to_string(), "e2");
    /// assert_eq!("e4!".parse::<Move>()?.to().to_string(), "e4");
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn to(self) -> Square {
        Square::masked(self.0 as u32 >> 6)
    }

    /// How many tokens go; 0 for a boom.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert_eq!("12a1a8".parse::<Move>()?.count(), 12);
    /// assert_eq!("e4!".parse::<Move>()?.count(), 0);
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn count(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// How many squares the tokens go; 0 for a boom.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert_eq!("2e6e2".parse::<Move>()?.distance(), 4);
    /// assert_eq!("e4!".parse::<Move>()?.distance(), 0);
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn distance(self) -> u8 {
        self.from().manhattan(self.to())
    }

    /// Whether a stack explodes.
    ///
    /// ```
    /// use expendibots::Move;
    /// assert!("e4!".parse::<Move>()?.is_boom());
    /// assert!(!"1e4e5".parse::<Move>()?.is_boom());
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn is_boom(self) -> bool {
        self.0 < 1 << 12
    }

    /// The move taken apart.
    ///
    /// ```
    /// use expendibots::{Action, Move};
    /// let mv: Move = "e4!".parse()?;
    /// assert_eq!(mv.action(), Action::Boom(mv.from()));
    /// assert_eq!(Option::<Move>::from(mv.action()), Some(mv));
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn action(self) -> Action {
        if self.is_boom() {
            Action::Boom(self.from())
        } else {
            Action::Shift { count: self.count(), from: self.from(), to: self.to() }
        }
    }

    /// All of the move in one number below 2^16, for tables indexed by moves.
    ///
    /// ```
    /// use expendibots::Move;
    /// let mut seen = vec![0; 1 << 16];
    /// seen["2e6e2".parse::<Move>()?.index()] += 1;
    /// assert_eq!(seen["1e6e2".parse::<Move>()?.index()], 0);
    /// # Ok::<(), expendibots::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Action> for Option<Move> {
    fn from(action: Action) -> Option<Move> {
        match action {
            Action::Shift { count, from, to } => Move::shift(count, from, to),
            Action::Boom(square) => Some(Move::boom(square)),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action() {
            Action::Shift { count, from, to } => f.pad(&format!("{count}{from}{to}")),
            Action::Boom(square) => f.pad(&format!("{square}!")),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a move.
///
/// ```
/// use expendibots::{Move, ParseMoveError};
/// assert!(matches!("1e4f5".parse::<Move>(), Err(ParseMoveError::Line { .. })));
/// assert!(matches!("1h8i8".parse::<Move>(), Err(ParseMoveError::Square { .. })));
/// assert!(matches!("13a1a2".parse::<Move>(), Err(ParseMoveError::Count { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseMoveError {
    /// Neither form of a move.
    #[error("expected a move like `1e4e6` (tokens, from, to) or a boom like `e4!`, found `{found}`")]
    Form {
        /// What came instead.
        found: String,
    },
    /// One of the squares is not on the board.
    #[error("in the move `{found}`: {cause}")]
    Square {
        /// The whole text.
        found: String,
        /// What is wrong with the square.
        #[source]
        cause: ParseSquareError,
    },
    /// The number of tokens is not 1 to 12.
    #[error("in the move `{found}`: expected 1 to 12 tokens without leading zeros, found `{count}`")]
    Count {
        /// The whole text.
        found: String,
        /// The number as written.
        count: String,
    },
    /// The two squares are the same or not in a straight line.
    #[error("in the move `{found}`: expected two different squares on one file or rank")]
    Line {
        /// The whole text.
        found: String,
    },
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = || clip(text);
        let square = |part: &str| {
            part.parse::<Square>().map_err(|cause| ParseMoveError::Square { found: found(), cause })
        };
        if let Some(place) = text.strip_suffix('!') {
            return square(place).map(Move::boom);
        }
        // The last four bytes are two squares; `split_at_checked` refuses to cut a character in two.
        let (count, squares) = text
            .len()
            .checked_sub(4)
            .and_then(|at| text.split_at_checked(at))
            .filter(|(count, squares)| !count.is_empty() && squares.is_ascii())
            .ok_or_else(|| ParseMoveError::Form { found: found() })?;
        let (from, to) = squares.split_at(2);
        let number = match count.as_bytes() {
            [digit @ b'1'..=b'9'] => digit - b'0',
            [b'1', digit @ b'0'..=b'2'] => 10 + digit - b'0',
            _ => return Err(ParseMoveError::Count { found: found(), count: clip(count) }),
        };
        let (from, to) = (square(from)?, square(to)?);
        Move::shift(number, from, to).ok_or_else(|| ParseMoveError::Line { found: found() })
    }
}

/// A list of moves that lives on the stack: no position has more than 171.
///
/// ```
/// use expendibots::{MoveList, Position};
/// use search_core::{Game, Player};
/// let mut list = MoveList::default();
/// Position::start().moves_of(Player::One, &mut list);
/// assert_eq!(list.len(), 50);
/// assert_eq!(list.as_slice()[0].to_string(), "a1!");
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// More than the 171 moves that any position can have.
    ///
    /// ```
    /// use expendibots::{MoveList, Position};
    /// use search_core::{Game, Player};
    /// let widest: Position = "8/8/8/3DD3/3D4/8/8/a7 w 2".parse()?;
    /// assert!(widest.move_list(Player::One).len() <= MoveList::CAPACITY);
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    pub const CAPACITY: usize = 176;

    /// The moves as a slice.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::{Game, Player};
    /// let list = Position::start().move_list(Player::One);
    /// assert_eq!(list.as_slice().iter().filter(|mv| mv.is_boom()).count(), 12);
    /// ```
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// How many moves are in the list.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::{Game, Player};
    /// assert_eq!(Position::start().move_list(Player::One).len(), 50);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the list is empty.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::{Game, Player};
    /// assert!(Position::start().move_list(Player::Two).is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Default for MoveList {
    #[inline]
    fn default() -> MoveList {
        MoveList { moves: [Move(0); MoveList::CAPACITY], len: 0 }
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl AsRef<[Move]> for MoveList {
    #[inline]
    fn as_ref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl AsMut<[Move]> for MoveList {
    #[inline]
    fn as_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl MoveSink<Move> for MoveList {
    /// Takes one move. Holds the legal moves of any position; more than [`MoveList::CAPACITY`] moves panic.
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl MoveListContract<Move> for MoveList {
    #[inline]
    fn clear(&mut self) {
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_round_trips() {
        for from in Square::all() {
            let boom = Move::boom(from);
            assert!(boom.is_boom());
            assert_eq!((boom.from(), boom.to(), boom.count()), (from, from, 0));
            assert_eq!(boom.to_string().parse(), Ok(boom));
            for to in Square::all() {
                for count in 0..=15 {
                    let Some(mv) = Move::shift(count, from, to) else { continue };
                    assert!(!mv.is_boom());
                    assert_eq!(mv.action(), Action::Shift { count, from, to });
                    assert_eq!(Option::from(mv.action()), Some(mv));
                    assert_eq!(mv.to_string().parse(), Ok(mv));
                }
            }
        }
    }

    #[test]
    fn bad_moves_are_named() {
        let message = |text: &str| text.parse::<Move>().unwrap_err().to_string();
        assert_eq!(
            message(""),
            "expected a move like `1e4e6` (tokens, from, to) or a boom like `e4!`, found ``"
        );
        assert_eq!(
            message("e4e5"),
            "expected a move like `1e4e6` (tokens, from, to) or a boom like `e4!`, found `e4e5`"
        );
        assert_eq!(message("1e4e9"), "in the move `1e4e9`: expected a square from `a1` to `h8`, found `e9`");
        assert_eq!(message("i1!"), "in the move `i1!`: expected a square from `a1` to `h8`, found `i1`");
        assert_eq!(
            message("13e4e5"),
            "in the move `13e4e5`: expected 1 to 12 tokens without leading zeros, found `13`"
        );
        assert_eq!(
            message("01e4e5"),
            "in the move `01e4e5`: expected 1 to 12 tokens without leading zeros, found `01`"
        );
        for crooked in ["1e4f5", "1e4e4"] {
            let expected =
                format!("in the move `{crooked}`: expected two different squares on one file or rank");
            assert_eq!(message(crooked), expected);
        }
        for other in ["1éé4", "1ée4", "!", "0a1a2", "a1!!", "1a1a2 ", "\u{1f4a3}!"] {
            assert!(other.parse::<Move>().is_err(), "{other}");
        }
    }
}
