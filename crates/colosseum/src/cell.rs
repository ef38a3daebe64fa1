//! Cells and their sides, with their notation.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::MAX_SIZE;

/// One of the four sides of a cell, in the order that is used everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Towards row 1, written `u`.
    Up,
    /// Towards the last column, written `r`.
    Right,
    /// Towards the last row, written `d`.
    Down,
    /// Towards column a, written `l`.
    Left,
}

impl Side {
    /// All sides: up, right, down, left.
    pub const ALL: [Side; 4] = [Side::Up, Side::Right, Side::Down, Side::Left];

    /// The side of the neighbour that is the same wall.
    ///
    /// ```
    /// use colosseum::Side;
    /// assert_eq!(Side::Up.opposite(), Side::Down);
    /// ```
    #[inline]
    pub const fn opposite(self) -> Side {
        match self {
            Side::Up => Side::Down,
            Side::Right => Side::Left,
            Side::Down => Side::Up,
            Side::Left => Side::Right,
        }
    }

    /// The letter of the notation.
    pub const fn letter(self) -> char {
        match self {
            Side::Up => 'u',
            Side::Right => 'r',
            Side::Down => 'd',
            Side::Left => 'l',
        }
    }

    /// The wall bit of a cell's hex digit in the text of a position: 1, 2, 4, 8.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    pub(crate) fn from_letter(letter: char) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.letter() == letter)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Up => "up",
            Side::Right => "right",
            Side::Down => "down",
            Side::Left => "left",
        })
    }
}

/// A cell of the largest board, 12 x 12. Whether it lies on a smaller board is for the position to say.
///
/// ```
/// use colosseum::Cell;
/// let cell: Cell = "c4".parse()?;
/// assert_eq!((cell.row(), cell.column()), (3, 2));
/// assert_eq!(cell.to_string(), "c4");
/// # Ok::<(), colosseum::ParseCellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell in a row (0 is the top one) and a column (0 is column a); `None` outside of 12 x 12.
    #[inline]
    pub const fn new(row: u8, column: u8) -> Option<Cell> {
        if row < MAX_SIZE && column < MAX_SIZE { Some(Cell(row << 4 | column)) } else { None }
    }

    /// A cell from a number below 192 whose low four bits are the column.
    #[inline]
    pub(crate) const fn from_packed(packed: u8) -> Cell {
        Cell(packed)
    }

    /// The row, 0 at the top.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// The column, 0 at the left.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 15
    }

    /// `16 * row + column`: an index into arrays of 192.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next cell on a side; `None` outside of 12 x 12.
    #[inline]
    pub const fn neighbour(self, side: Side) -> Option<Cell> {
        let (row, column) = (self.row(), self.column());
        match side {
            Side::Up if row == 0 => None,
            Side::Left if column == 0 => None,
            Side::Up => Cell::new(row - 1, column),
            Side::Right => Cell::new(row, column + 1),
            Side::Down => Cell::new(row + 1, column),
            Side::Left => Cell::new(row, column - 1),
        }
    }

    /// The image under a half turn of a board of `size` rows; `None` if the cell is not on that board.
    pub const fn half_turn(self, size: u8) -> Option<Cell> {
        if self.row() < size && self.column() < size {
            Cell::new(size - 1 - self.row(), size - 1 - self.column())
        } else {
            None
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", char::from(b'a' + self.column()), self.row() + 1))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not a cell.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a cell, a column a..l and a row 1..12 such as `c4`, found `{0}`")]
pub struct ParseCellError(pub String);

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_cell(text).ok_or_else(|| ParseCellError(text.to_owned()))
    }
}

pub(crate) fn parse_cell(text: &str) -> Option<Cell> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let column = letter.checked_sub(b'a')?;
    let row = match *digits {
        [one @ b'1'..=b'9'] => one - b'0',
        [b'1', two @ b'0'..=b'9'] => 10 + two - b'0',
        _ => return None,
    };
    Cell::new(row - 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_and_half_turns_stay_on_the_board() {
        let corner = Cell::new(0, 0).expect("on the board");
        assert_eq!(corner.neighbour(Side::Up), None);
        assert_eq!(corner.neighbour(Side::Left), None);
        assert_eq!(corner.neighbour(Side::Right), Cell::new(0, 1));
        assert_eq!(corner.half_turn(6), Cell::new(5, 5));
        assert_eq!(Cell::new(6, 0).and_then(|cell| cell.half_turn(6)), None);
    }
}
