//! Squares and directions.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::SquareSet;

/// A square of the board, `a1` to `h8`.
///
/// Squares count up the files: `a1`, `a2`, .., `a8`, `b1`, .., `h8`. This is the order in which moves are generated.
///
/// ```
/// use expendibots::Square;
/// let e4: Square = "e4".parse()?;
/// assert_eq!((e4.file(), e4.rank()), (4, 3));
/// assert_eq!(Square::new(4, 3), Some(e4));
/// assert_eq!(Square::new(8, 0), None);
/// # Ok::<(), expendibots::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!(Square::all().len(), Square::COUNT);
    /// ```
    pub const COUNT: usize = 64;

    /// The square on `file` (0 = a) and `rank` (0 = rank 1), if it is on the board.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!(Square::new(4, 3).map(|square| square.to_string()).as_deref(), Some("e4"));
    /// assert_eq!(Square::new(4, 8), None);
    /// ```
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(file * 8 + rank)) } else { None }
    }

    /// The square number `index`, if there is one: `8 * file + rank`.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!(Square::from_index(35), Square::new(4, 3));
    /// assert_eq!(Square::from_index(64), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// The square whose number is given by the low six bits.
    #[inline]
    pub(crate) const fn masked(index: u32) -> Square {
        Square(index as u8 & 63)
    }

    /// `8 * file + rank`, an index into tables of 64.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!("e4".parse::<Square>()?.index(), 35);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the type already promises, and saves the bounds checks.
        (self.0 & 63) as usize
    }

    /// 0 for the file a, 7 for the file h.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!("e4".parse::<Square>()?.file(), 4);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 >> 3
    }

    /// 0 for rank 1, 7 for rank 8.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!("e4".parse::<Square>()?.rank(), 3);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 & 7
    }

    /// The set of this square alone.
    ///
    /// ```
    /// use expendibots::Square;
    /// let set = "e4".parse::<Square>()?.set() | "a1".parse::<Square>()?.set();
    /// assert_eq!(set.to_string(), "a1 e4");
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.index())
    }

    /// The square `distance` steps away, if it is on the board.
    ///
    /// ```
    /// use expendibots::{Direction, Square};
    /// let a1: Square = "a1".parse()?;
    /// assert_eq!(a1.step(Direction::Right, 7).map(|square| square.to_string()).as_deref(), Some("h1"));
    /// assert_eq!(a1.step(Direction::Down, 1), None);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn step(self, direction: Direction, distance: u8) -> Option<Square> {
        let (file, rank) = (self.file(), self.rank());
        match direction {
            Direction::Up => Square::new(file, rank.saturating_add(distance)),
            Direction::Down if rank >= distance => Square::new(file, rank - distance),
            Direction::Right => Square::new(file.saturating_add(distance), rank),
            Direction::Left if file >= distance => Square::new(file - distance, rank),
            _ => None,
        }
    }

    /// The number of single orthogonal steps between two squares.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!("e4".parse::<Square>()?.manhattan("d6".parse()?), 3);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn manhattan(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()) + self.rank().abs_diff(other.rank())
    }

    /// All squares, `a1`, `a2`, .., `h8`.
    ///
    /// ```
    /// use expendibots::Square;
    /// let first: Vec<String> = Square::all().take(3).map(|square| square.to_string()).collect();
    /// assert_eq!(first, ["a1", "a2", "a3"]);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = Square> + DoubleEndedIterator {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), char::from(b'1' + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a square.
///
/// ```
/// use expendibots::{ParseSquareError, Square};
/// assert_eq!("i1".parse::<Square>(), Err(ParseSquareError { found: "i1".to_owned() }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a square from `a1` to `h8`, found `{found}`")]
pub struct ParseSquareError {
    /// What came instead.
    pub found: String,
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square((file - b'a') * 8 + (rank - b'1'))),
            _ => Err(ParseSquareError { found: clip(text) }),
        }
    }
}

/// The beginning of a text from outside, short enough for a message.
pub(crate) fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut clipped: String = text.chars().take(SHOWN).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

/// One of the four directions in which tokens move.
///
/// ```
/// use expendibots::{Direction, Square};
/// let e4: Square = "e4".parse()?;
/// assert_eq!(e4.step(Direction::Up, 1), Some("e5".parse()?));
/// assert_eq!(e4.step(Direction::Left, 4), Some("a4".parse()?));
/// # Ok::<(), expendibots::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards rank 8.
    Up,
    /// Towards rank 1.
    Down,
    /// Towards the file h.
    Right,
    /// Towards the file a.
    Left,
}

impl Direction {
    /// The directions in the order in which moves are generated.
    ///
    /// ```
    /// use expendibots::{Direction, Square};
    /// let corner: Square = "h8".parse()?;
    /// let steps = Direction::ALL.into_iter().filter_map(|direction| corner.step(direction, 1));
    /// assert_eq!(steps.map(|square| square.to_string()).collect::<Vec<_>>(), ["h7", "g8"]);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Right, Direction::Left];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_round_trip_and_nothing_else_parses() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "a", "a0", "a9", "i1", "A1", "a1 ", "é1", "a10"] {
            let error = bad.parse::<Square>().unwrap_err();
            assert_eq!(error.to_string(), format!("expected a square from `a1` to `h8`, found `{bad}`"));
        }
    }
}
