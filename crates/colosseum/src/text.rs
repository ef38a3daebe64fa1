//! The one-line text of a position, `M rows cellA cellB side plies`.

use std::fmt;
use std::str::FromStr;

use search_core::{Game, Paint, Player, TurnBased};
use thiserror::Error;

use crate::setup::{empty_grid, parse_size};
use crate::{Cell, Grid, MAX_SIZE, MIN_SIZE, ParseCellError, Position, Side, Wide};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&self.picture(Paint::Plain));
        }
        write!(f, "{} ", self.size())?;
        for row in 0..self.size() {
            if row > 0 {
                f.write_str("/")?;
            }
            for column in 0..self.size() {
                let cell = Cell::from_packed(row << 4 | column);
                let digit: u8 =
                    Side::ALL.into_iter().filter(|&side| self.has_wall(cell, side)).map(Side::bit).sum();
                write!(f, "{digit:x}")?;
            }
        }
        let side = match self.to_move() {
            Player::One => 'a',
            Player::Two => 'b',
        };
        write!(f, " {} {} {side} {}", self.cell(Player::One), self.cell(Player::Two), self.plies())
    }
}

/// A text that is not a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// There are not six fields between single spaces.
    #[error("expected six fields `M rows cellA cellB side plies` between single spaces, found {found}")]
    Fields {
        /// The number of fields found.
        found: usize,
    },
    /// The size is not a number from 3 to 12.
    #[error("expected a board size from {MIN_SIZE} to {MAX_SIZE}, found `{found}`")]
    Size {
        /// What stands there.
        found: String,
    },
    /// There are too many or too few rows.
    #[error("expected {expected} rows between slashes, found {found}")]
    Rows {
        /// The size of the board.
        expected: u8,
        /// The number of rows found.
        found: usize,
    },
    /// A row is too long or too short.
    #[error("expected {expected} cells in row {row}, found {found}")]
    RowLength {
        /// The row as in the notation, from 1.
        row: u8,
        /// The size of the board.
        expected: u8,
        /// The number of characters found.
        found: usize,
    },
    /// The walls of a cell are not a hex digit.
    #[error("expected the walls of {cell} as a digit 0..9 or a..f, found `{found}`")]
    Digit {
        /// The cell.
        cell: Cell,
        /// What stands there.
        found: char,
    },
    /// A cell at the border does not have the wall of the border.
    #[error("the border wall on the side {side} of {cell} is missing")]
    Border {
        /// The cell.
        cell: Cell,
        /// The side.
        side: Side,
    },
    /// A wall is seen from one side only.
    #[error("{cell} has a wall on its side {side}, but {neighbour} does not show it")]
    OneSided {
        /// The cell that has the wall.
        cell: Cell,
        /// The side that has it.
        side: Side,
        /// The cell behind the wall.
        neighbour: Cell,
    },
    /// The cell of a player cannot be read.
    #[error("the cell of player {player}: {source}")]
    PlayerCell {
        /// `A` or `B`.
        player: char,
        /// What is wrong.
        source: ParseCellError,
    },
    /// The cell of a player is not on the board.
    #[error("player {player} stands on {cell}, which is not on a board of {size} x {size} cells")]
    OffBoard {
        /// `A` or `B`.
        player: char,
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Both players stand on the same cell.
    #[error("both players stand on {cell}")]
    SameCell {
        /// The cell.
        cell: Cell,
    },
    /// The side to move is not `a` or `b`.
    #[error("expected the side to move `a` or `b`, found `{found}`")]
    ToMove {
        /// What stands there.
        found: String,
    },
    /// The number of moves made is not a plain number.
    #[error("expected the number of moves made, 0 to {}, found `{found}`", u16::MAX)]
    Plies {
        /// What stands there.
        found: String,
    },
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fields: Vec<&str> = text.split(' ').collect();
        let &[size, rows, cell_a, cell_b, to_move, plies] = fields.as_slice() else {
            return Err(ParsePositionError::Fields { found: fields.len() });
        };
        let size = parse_size(size).ok_or_else(|| ParsePositionError::Size { found: size.to_owned() })?;
        let grid = parse_walls(size, rows)?;
        let cells = [parse_player('A', cell_a, size)?, parse_player('B', cell_b, size)?];
        if cells[0] == cells[1] {
            return Err(ParsePositionError::SameCell { cell: cells[0] });
        }
        let to_move = match to_move {
            "a" => Player::One,
            "b" => Player::Two,
            other => return Err(ParsePositionError::ToMove { found: other.to_owned() }),
        };
        // Only the plain form of a number, so that every position has one text.
        let plies = plies
            .parse()
            .ok()
            .filter(|number: &u16| number.to_string() == plies)
            .ok_or_else(|| ParsePositionError::Plies { found: plies.to_owned() })?;
        Ok(Position::from_parts(size, grid, cells, to_move, plies))
    }
}

fn parse_walls(size: u8, text: &str) -> Result<Grid<Wide>, ParsePositionError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(size) {
        return Err(ParsePositionError::Rows { expected: size, found: rows.len() });
    }
    let mut digits = [0_u8; 192];
    for (row, text) in (0..size).zip(rows) {
        let found = text.chars().count();
        if found != usize::from(size) {
            return Err(ParsePositionError::RowLength { row: row + 1, expected: size, found });
        }
        for (column, found) in (0..size).zip(text.chars()) {
            let cell = Cell::from_packed(row << 4 | column);
            digits[cell.index()] = match found {
                '0'..='9' => found as u8 - b'0',
                'a'..='f' => found as u8 - b'a' + 10,
                _ => return Err(ParsePositionError::Digit { cell, found }),
            };
        }
    }
    let mut grid = empty_grid(size);
    let board = grid;
    for row in 0..size {
        for column in 0..size {
            let cell = Cell::from_packed(row << 4 | column);
            for side in Side::ALL {
                let walled = digits[cell.index()] & side.bit() != 0;
                match cell.neighbour(side).filter(|_| board.is_open(cell, side)) {
                    None if !walled => return Err(ParsePositionError::Border { cell, side }),
                    Some(neighbour) if walled => {
                        if digits[neighbour.index()] & side.opposite().bit() == 0 {
                            return Err(ParsePositionError::OneSided { cell, side, neighbour });
                        }
                        grid.close(cell, side);
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(grid)
}

fn parse_player(player: char, text: &str, size: u8) -> Result<Cell, ParsePositionError> {
    let cell: Cell = text.parse().map_err(|source| ParsePositionError::PlayerCell { player, source })?;
    if cell.row() < size && cell.column() < size {
        Ok(cell)
    } else {
        Err(ParsePositionError::OffBoard { player, cell, size })
    }
}
