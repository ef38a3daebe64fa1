//! What a position holds, and what playing a move does to it.

use search_core::{Game, Player, TurnBased};

use crate::{Bits, Cell, Grid, Move, MoveError, Side, Visitor, Wide};

/// The smallest board.
pub const MIN_SIZE: u8 = 3;
/// The largest board.
pub const MAX_SIZE: u8 = 12;
/// The largest board that fits in one machine word.
pub(crate) const NARROW: u8 = 8;

/// A position: the walls, the two players' cells, who is to move, and how many moves were made.
///
/// Player A of the contest is [`Player::One`], player B is [`Player::Two`]. The text of a position is
/// `M rows cellA cellB side plies`; `{:#}` draws the board.
///
/// ```
/// use colosseum::Position;
/// use search_core::{Game, Player, TurnBased};
///
/// let start: Position = "6 915113/a81002/804402/801102/80042a/c44546 e6 b1 a 0".parse()?;
/// assert_eq!(start.move_count(Player::One), 39);
/// let next = start.checked_play("b6l".parse()?)?;
/// assert_eq!(next.cell(Player::One).to_string(), "b6");
/// assert_eq!(next.to_move(), Player::Two);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The open right sides, as [`Grid::right`].
    pub(crate) right: [u64; 3],
    /// The open lower sides, as [`Grid::down`].
    pub(crate) down: [u64; 3],
    pub(crate) cells: [Cell; 2],
    pub(crate) size: u8,
    pub(crate) to_move: Player,
    pub(crate) plies: u16,
    /// The areas of the two players once the game is over; zeros before.
    pub(crate) scores: [u8; 2],
}

// Half of what a position may take; one cache line.
const _: () = assert!(size_of::<Position>() <= 64);

/// Runs generic code with the grid of a position in the width of its board.
macro_rules! with_grid {
    ($position:expr, $grid:ident => $body:expr) => {
        if $position.size <= NARROW {
            let $grid: Grid<u64> = $position.grid();
            $body
        } else {
            let $grid: Grid<Wide> = $position.grid();
            $body
        }
    };
}
pub(crate) use with_grid;

impl Position {
    /// A position from its parts; whether the game is over is found by flooding. The caller vouches for the cells being
    /// on the board and different, and for closed borders.
    pub(crate) fn from_parts(
        size: u8,
        grid: Grid<Wide>,
        cells: [Cell; 2],
        to_move: Player,
        plies: u16,
    ) -> Self {
        let mut position =
            Position { right: [0; 3], down: [0; 3], cells, size, to_move, plies, scores: [0; 2] };
        if size <= NARROW {
            position.set_grid(Grid { right: narrowed(grid.right), down: narrowed(grid.down) });
        } else {
            position.set_grid(grid);
        }
        let [zone, other] = cells.map(|cell| grid.flood(Wide::of(cell)));
        if !zone.meets(other) {
            position.scores = [zone.count() as u8, other.count() as u8];
        }
        position
    }

    #[inline(always)]
    pub(crate) fn grid<B: Bits>(&self) -> Grid<B> {
        Grid { right: B::load(&self.right), down: B::load(&self.down) }
    }

    #[inline(always)]
    fn set_grid<B: Bits>(&mut self, grid: Grid<B>) {
        grid.right.store(&mut self.right);
        grid.down.store(&mut self.down);
    }

    /// Hands the open edges to code that works in either width.
    #[inline(always)]
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        with_grid!(self, grid => visitor.visit(grid, self))
    }

    /// The number of rows and columns, M.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The longest walk of one move, K = (M + 1) div 2.
    #[inline]
    pub fn max_steps(&self) -> u8 {
        max_steps(self.size)
    }

    /// Where a player stands.
    #[inline]
    pub fn cell(&self, player: Player) -> Cell {
        self.cells[player.index()]
    }

    /// The number of moves made.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies.into()
    }

    /// Whether a cell lies on this board.
    #[inline]
    pub fn has_cell(&self, cell: Cell) -> bool {
        cell.row() < self.size && cell.column() < self.size
    }

    /// Whether there is a wall on a side of a cell; borders count, and so does everything off the board.
    pub fn has_wall(&self, cell: Cell, side: Side) -> bool {
        !self.has_cell(cell) || with_grid!(self, grid => !grid.is_open(cell, side))
    }

    /// The number of walls between cells.
    pub fn inner_walls(&self) -> u32 {
        let size = u32::from(self.size);
        2 * size * (size - 1) - with_grid!(self, grid => grid.right.count() + grid.down.count())
    }

    /// The areas of the two players once walls separate them; `None` before.
    ///
    /// ```
    /// use colosseum::Position;
    /// let end: Position = "6 f95113/d07ac2/d47eba/bbbd46/86ad57/c5457f a4 d5 a 22".parse()?;
    /// assert_eq!(end.scores(), Some([11, 3]));
    /// # Ok::<(), colosseum::ParsePositionError>(())
    /// ```
    #[inline]
    pub fn scores(&self) -> Option<[u8; 2]> {
        (self.scores[0] != 0).then_some(self.scores)
    }

    /// Whether the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.scores[0] != 0
    }

    /// Says why a move of the player to move is not legal.
    ///
    /// ```
    /// use colosseum::Position;
    /// let start: Position = "6 915113/a81002/804402/801102/80042a/c44546 e6 b1 a 0".parse()?;
    /// let error = start.check("e2u".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "e2 cannot be reached from e6 in at most 3 steps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, mv: Move) -> Result<(), MoveError> {
        let Move { cell, side } = mv;
        if let Some(end) = self.end() {
            return Err(MoveError::Over { outcome: end.outcome });
        }
        if !self.has_cell(cell) {
            return Err(MoveError::OffBoard { cell, size: self.size });
        }
        if self.has_wall(cell, side) {
            return Err(MoveError::Walled { cell, side });
        }
        if with_grid!(self, grid => self.destinations(&grid, self.to_move).meets(Bits::of(cell))) {
            return Ok(());
        }
        Err(MoveError::OutOfReach { cell, from: self.cell(self.to_move), steps: self.max_steps() })
    }

    /// The position after a move, or why the move is not legal.
    pub fn checked_play(&self, mv: Move) -> Result<Position, MoveError> {
        self.check(mv)?;
        Ok(self.after(mv))
    }

    /// Puts the mover and its wall on the board and tests for the end. The wall can only have ended the game if it cut
    /// off the mover's cell from the cell behind the wall: most walls are seen not to by looking at the cells around
    /// them, and the flood of the others stops as soon as it finds a way around, or the opponent.
    #[inline(always)]
    pub(crate) fn place<B: Bits>(&mut self, mv: Move) {
        let mover = self.to_move;
        let mut grid: Grid<B> = self.grid();
        grid.close(mv.cell, mv.side);
        self.set_grid(grid);
        self.cells[mover.index()] = mv.cell;
        self.to_move = mover.opponent();
        self.plies = self.plies.saturating_add(1);
        if grid.has_detour(mv.cell, mv.side) {
            return;
        }
        let own = B::of(mv.cell);
        let other = B::of(self.cell(self.to_move));
        let behind = match mv.side {
            Side::Up => own.up(),
            Side::Right => own.right(),
            Side::Down => own.down(),
            Side::Left => own.left(),
        };
        if let Some(zone) = grid.flood_unless(own, other | behind) {
            self.scores[mover.index()] = zone.count() as u8;
            self.scores[self.to_move.index()] = grid.flood(other).count() as u8;
        }
    }
}

/// The same cells in one word.
fn narrowed(set: Wide) -> u64 {
    set.cells().map(u64::of).sum()
}

/// The longest walk on a board of this size, K = (M + 1) div 2.
pub(crate) const fn max_steps(size: u8) -> u8 {
    size.div_ceil(2)
}
