//! How a game starts: board size, edition, and the two generators.

use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};
use search_core::{Player, stream};
use thiserror::Error;

use crate::{Bits, Cell, Grid, MAX_SIZE, MIN_SIZE, Position, Side, Wide, position::max_steps};

/// The editions of the contest, which differ in how the start is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Edition {
    /// 2K walls; a start that separates the players is drawn again from the beginning.
    #[default]
    Winter2022,
    /// 2 (M div 2 - 1) walls; only the cells of the players are drawn again.
    Fall2023,
}

impl Edition {
    /// The editions, the default first.
    pub const ALL: [Edition; 2] = [Edition::Winter2022, Edition::Fall2023];

    /// The number of inner walls that the generator puts on a board.
    pub fn walls(self, size: u8) -> u32 {
        2 * self.pairs(size)
    }

    fn pairs(self, size: u8) -> u32 {
        match self {
            Edition::Winter2022 => max_steps(size).into(),
            Edition::Fall2023 => (size / 2).saturating_sub(1).into(),
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Edition::Winter2022 => "winter2022",
            Edition::Fall2023 => "fall2023",
        })
    }
}

/// What has to be chosen before a game: the board size and the edition. Its text is `size=8,edition=winter2022`; parts
/// may be left out, and a bare number is a size.
///
/// The default size is 8: the contests drew 6 to 11, and 8 is about the middle with games of moderate length.
///
/// ```
/// use colosseum::{Edition, Setup};
/// let setup: Setup = "size=10".parse()?;
/// assert_eq!((setup.size(), setup.edition()), (10, Edition::Winter2022));
/// assert_eq!("10".parse(), Ok(setup));
/// assert_eq!(Setup::default().to_string(), "size=8,edition=winter2022");
/// # Ok::<(), colosseum::SetupError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup {
    size: u8,
    edition: Edition,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { size: 8, edition: Edition::default() }
    }
}

impl Setup {
    /// A set-up with a size of 3 to 12.
    pub fn new(size: u8, edition: Edition) -> Result<Setup, SetupError> {
        if (MIN_SIZE..=MAX_SIZE).contains(&size) {
            Ok(Setup { size, edition })
        } else {
            Err(SetupError::Size(size.to_string()))
        }
    }

    /// The number of rows and columns.
    pub fn size(self) -> u8 {
        self.size
    }

    /// How the start is drawn.
    pub fn edition(self) -> Edition {
        self.edition
    }

    /// Draws a start. The same seed gives the same start on every machine.
    pub(crate) fn draw(self, seed: u64) -> Position {
        let mut rng = stream(seed, "colosseum start");
        loop {
            let grid = self.draw_walls(&mut rng);
            loop {
                let cells = self.draw_cells(&mut rng);
                let position = Position::from_parts(self.size, grid, cells, Player::One, 0);
                if !position.is_over() {
                    return position;
                }
                if self.edition == Edition::Winter2022 {
                    break;
                }
            }
        }
    }

    fn draw_walls<R: Rng>(self, rng: &mut R) -> Grid<Wide> {
        let mut grid = empty_grid(self.size);
        for _ in 0..self.edition.pairs(self.size) {
            let (cell, side) = loop {
                let cell = self.draw_cell(rng);
                let side = Side::ALL[rng.random_range(0..4)];
                if grid.is_open(cell, side) {
                    break (cell, side);
                }
            };
            grid.close(cell, side);
            grid.close(self.image(cell), side.opposite());
        }
        grid
    }

    /// A cell for A, and its image for B.
    fn draw_cells<R: Rng>(self, rng: &mut R) -> [Cell; 2] {
        loop {
            let cell = self.draw_cell(rng);
            if cell != self.image(cell) {
                return [cell, self.image(cell)];
            }
        }
    }

    fn draw_cell<R: Rng>(self, rng: &mut R) -> Cell {
        Cell::from_packed(rng.random_range(0..self.size) << 4 | rng.random_range(0..self.size))
    }

    /// The half turn of a cell of this board.
    fn image(self, cell: Cell) -> Cell {
        Cell::from_packed((self.size - 1 - cell.row()) << 4 | (self.size - 1 - cell.column()))
    }
}

/// A board without inner walls.
pub(crate) fn empty_grid(size: u8) -> Grid<Wide> {
    let mut grid = Grid { right: Wide::EMPTY, down: Wide::EMPTY };
    for row in 0..size {
        for column in 0..size {
            let cell = Wide::of(Cell::from_packed(row << 4 | column));
            if column + 1 < size {
                grid.right = grid.right | cell;
            }
            if row + 1 < size {
                grid.down = grid.down | cell;
            }
        }
    }
    grid
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("size={},edition={}", self.size, self.edition))
    }
}

/// A text that is not a set-up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The size is not a number from 3 to 12.
    #[error("expected a board size from {MIN_SIZE} to {MAX_SIZE}, found `{0}`")]
    Size(String),
    /// There is no such edition.
    #[error("expected the edition `winter2022` or `fall2023`, found `{0}`")]
    Edition(String),
    /// A part is neither a size nor an edition.
    #[error("expected `size=M` or `edition=NAME`, found `{0}`")]
    Part(String),
    /// A part came twice.
    #[error("`{0}` is given twice")]
    Twice(String),
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut size, mut edition) = (None, None);
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            // A bare number is a size.
            let named = if part.bytes().all(|byte| byte.is_ascii_digit()) {
                Some(("size", part))
            } else {
                part.split_once('=')
            };
            let twice = match named {
                Some(("size", value)) => {
                    let number = parse_size(value).ok_or_else(|| SetupError::Size(value.to_owned()))?;
                    size.replace(number).is_some()
                }
                Some(("edition", value)) => {
                    let found = Edition::ALL.into_iter().find(|edition| edition.to_string() == value);
                    edition.replace(found.ok_or_else(|| SetupError::Edition(value.to_owned()))?).is_some()
                }
                _ => return Err(SetupError::Part(part.to_owned())),
            };
            if twice {
                return Err(SetupError::Twice(part.to_owned()));
            }
        }
        let standard = Setup::default();
        Ok(Setup { size: size.unwrap_or(standard.size), edition: edition.unwrap_or(standard.edition) })
    }
}

/// A size from 3 to 12, in plain digits.
pub(crate) fn parse_size(text: &str) -> Option<u8> {
    (MIN_SIZE..=MAX_SIZE).find(|size| size.to_string() == text)
}
