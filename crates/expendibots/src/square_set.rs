//! Sets of squares as one word each, and the squares within reach of a stack.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::{Direction, Square};

const RANK_1: u64 = 0x0101_0101_0101_0101;
const RANK_8: u64 = RANK_1 << 7;

/// A set of squares: one bit each.
///
/// ```
/// use expendibots::{Square, SquareSet};
/// let corner: Square = "a1".parse()?;
/// let around = corner.set().grown() - corner.set();
/// assert_eq!(around.to_string(), "a2 b1 b2");
/// assert_eq!(around.len(), 3);
/// # Ok::<(), expendibots::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(pub u64);

impl SquareSet {
    /// No square.
    ///
    /// ```
    /// use expendibots::SquareSet;
    /// assert_eq!(SquareSet::EMPTY.len(), 0);
    /// ```
    pub const EMPTY: SquareSet = SquareSet(0);
    /// Every square.
    ///
    /// ```
    /// use expendibots::SquareSet;
    /// assert_eq!(SquareSet::FULL.len(), 64);
    /// assert_eq!(!SquareSet::FULL, SquareSet::EMPTY);
    /// ```
    pub const FULL: SquareSet = SquareSet(!0);

    /// Whether no square is in the set.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert!(Position::start().tall().is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert_eq!(Position::start().occupied().len(), 24);
    /// ```
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` is in the set.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert!(Position::start().occupied().contains("e2".parse()?));
    /// assert!(!Position::start().occupied().contains("c2".parse()?));
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the two sets share a square.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let start = Position::start();
    /// assert!(start.occupied().meets(start.stacks(Player::One)));
    /// assert!(!start.stacks(Player::One).meets(start.stacks(Player::Two)));
    /// ```
    #[inline]
    pub const fn meets(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The first square of the set in the order of [`Square`].
    ///
    /// ```
    /// use expendibots::{Position, SquareSet};
    /// assert_eq!(Position::start().occupied().first(), Some("a1".parse()?));
    /// assert_eq!(SquareSet::EMPTY.first(), None);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::masked(self.0.trailing_zeros())) }
    }

    /// The set moved by one step; what leaves the board is gone.
    ///
    /// ```
    /// use expendibots::{Direction, Square};
    /// let edge = "e8".parse::<Square>()?.set() | "a1".parse::<Square>()?.set();
    /// assert_eq!(edge.shifted(Direction::Up).to_string(), "a2");
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn shifted(self, direction: Direction) -> SquareSet {
        SquareSet(match direction {
            Direction::Up => (self.0 & !RANK_8) << 1,
            Direction::Down => (self.0 & !RANK_1) >> 1,
            Direction::Right => self.0 << 8,
            Direction::Left => self.0 >> 8,
        })
    }

    /// The set with all squares that touch it, orthogonally or diagonally.
    ///
    /// ```
    /// use expendibots::Square;
    /// assert_eq!("h8".parse::<Square>()?.set().grown().to_string(), "g7 g8 h7 h8");
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn grown(self) -> SquareSet {
        let file = self.0 | (self.0 & !RANK_8) << 1 | (self.0 & !RANK_1) >> 1;
        SquareSet(file | file << 8 | file >> 8)
    }

    /// All squares of `self` that hang together with `seed` inside `self` by touching squares (king's steps).
    ///
    /// ```
    /// use expendibots::{Position, Square};
    /// let e2: Square = "e2".parse()?;
    /// let block = Position::start().occupied().connected(e2.set());
    /// assert_eq!(block.to_string(), "d1 d2 e1 e2");
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn connected(self, seed: SquareSet) -> SquareSet {
        let mut found = seed.0 & self.0;
        loop {
            let next = SquareSet(found).grown().0 & self.0;
            if next == found {
                return SquareSet(found);
            }
            found = next;
        }
    }

    /// The squares of the set in order.
    ///
    /// ```
    /// use expendibots::Square;
    /// let corner = "a1".parse::<Square>()?.set().grown();
    /// assert_eq!(corner.iter().map(Square::index).collect::<Vec<_>>(), [0, 1, 8, 9]);
    /// # Ok::<(), expendibots::ParseSquareError>(())
    /// ```
    #[inline]
    pub const fn iter(self) -> SquareSetIter {
        SquareSetIter(self.0)
    }
}

macro_rules! set_operator {
    ($operator:ident, $method:ident, $assign:ident, $assign_method:ident, |$a:ident, $b:ident| $value:expr) => {
        impl $operator for SquareSet {
            type Output = SquareSet;
            #[inline]
            fn $method(self, other: SquareSet) -> SquareSet {
                let ($a, $b) = (self.0, other.0);
                SquareSet($value)
            }
        }
        impl $assign for SquareSet {
            #[inline]
            fn $assign_method(&mut self, other: SquareSet) {
                *self = $operator::$method(*self, other);
            }
        }
    };
}
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for SquareSet {
    type Output = SquareSet;
    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl fmt::Display for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, square) in self.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | square.set())
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    #[inline]
    fn into_iter(self) -> SquareSetIter {
        self.iter()
    }
}

/// The squares of a set, in order.
///
/// ```
/// use expendibots::{Position, SquareSetIter};
/// let mut squares: SquareSetIter = Position::start().occupied().iter();
/// assert_eq!(squares.len(), 24);
/// assert_eq!(squares.next(), Some("a1".parse()?));
/// # Ok::<(), expendibots::ParseSquareError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SquareSetIter(u64);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = SquareSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SquareSetIter {}
impl FusedIterator for SquareSetIter {}

/// For each distance 1..=7 and square: the squares up to that far away in the four directions.
pub(crate) const REACH: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut distance = 1;
    while distance <= 7 {
        let mut index = 0;
        while index < 64 {
            let mut set = if distance == 1 { 0 } else { table[distance - 2][index] };
            let mut side = 0;
            while side < 4 {
                if let Some(square) = Square::masked(index as u32).step(Direction::ALL[side], distance as u8)
                {
                    set |= square.set().0;
                }
                side += 1;
            }
            table[distance - 1][index] = set;
            index += 1;
        }
        distance += 1;
    }
    table
};

/// The squares that a stack of `height` on `square` reaches on an empty board.
#[inline]
pub(crate) fn reach(square: Square, height: u32) -> SquareSet {
    let furthest = if height > 7 { 6 } else { height as usize - 1 };
    SquareSet(REACH[furthest][square.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_and_growth_agree_with_coordinates() {
        for square in Square::all() {
            for direction in Direction::ALL {
                let expected = square.step(direction, 1).map_or(SquareSet::EMPTY, Square::set);
                assert_eq!(square.set().shifted(direction), expected);
            }
            let touching: SquareSet = Square::all()
                .filter(|other| {
                    other.file().abs_diff(square.file()) <= 1 && other.rank().abs_diff(square.rank()) <= 1
                })
                .collect();
            assert_eq!(square.set().grown(), touching);
        }
    }

    #[test]
    fn reach_is_a_cross() {
        let centre = Square::new(3, 3).unwrap();
        assert_eq!(reach(centre, 1).len(), 4);
        assert_eq!(reach(centre, 3).len(), 12);
        assert_eq!(reach(centre, 4).len(), 14);
        assert_eq!(reach(centre, 12).len(), 14);
        assert_eq!(reach(Square::new(0, 0).unwrap(), 2).to_string(), "a2 a3 b1 c1");
    }
}
