//! A position and its rules: moves, walls, the end.

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Paint, Player, TurnBased};
use smallvec::SmallVec;
use thiserror::Error;

use crate::{Bits, Cell, Grid, Move, Setup, Side, Visitor, Wide};

/// The smallest board.
pub const MIN_SIZE: u8 = 3;
/// The largest board.
pub const MAX_SIZE: u8 = 12;
/// The largest board that fits in one machine word.
const NARROW: u8 = 8;

/// An upper bound of the number of moves: four sides of every cell within six steps.
pub(crate) const MAX_MOVES: usize = 4 * 85;

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
    right: [u64; 3],
    /// The open lower sides, as [`Grid::down`].
    down: [u64; 3],
    cells: [Cell; 2],
    size: u8,
    to_move: Player,
    plies: u16,
    /// The areas of the two players once the game is over; zeros before.
    scores: [u8; 2],
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

    /// Where `player` could walk to now, its own cell included, were it its turn.
    #[inline(always)]
    fn destinations<B: Bits>(&self, grid: &Grid<B>, player: Player) -> B {
        let start = B::of(self.cell(player));
        grid.reach(start, B::of(self.cell(player.opponent())), self.max_steps().into())
    }

    /// For every side the cells on which `player` may end a move that closes it.
    #[inline(always)]
    fn move_sets<B: Bits>(&self, grid: &Grid<B>, player: Player) -> [B; 4] {
        let destinations = self.destinations(grid, player);
        Side::ALL.map(|side| destinations & grid.open(side))
    }

    #[inline(always)]
    fn may_move(&self, player: Player) -> bool {
        self.to_move == player && !self.is_over()
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
    fn place<B: Bits>(&mut self, mv: Move) {
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

impl Game for Position {
    const NAME: &'static str = "colosseum";

    type Move = Move;
    type Turn = Move;
    type Moves = SmallVec<[Move; MAX_MOVES]>;
    type Setup = Setup;

    fn initial(setup: &Setup, seed: u64) -> Self {
        setup.draw(seed)
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.to_move)
    }

    /// Side by side (up, right, down, left), in each the destinations by rows, then columns.
    #[inline]
    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        if !self.may_move(player) {
            return;
        }
        with_grid!(self, grid => {
            push_moves(&self.move_sets(&grid, player), sink);
        });
    }

    #[inline]
    fn play_turn(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()), "{mv} in {self}");
        if self.size <= NARROW {
            self.place::<u64>(mv);
        } else {
            self.place::<Wide>(mv);
        }
    }

    #[inline]
    fn end(&self) -> Option<End> {
        let [one, two] = self.scores()?;
        let outcome = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::One),
            std::cmp::Ordering::Less => Outcome::Win(Player::Two),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        Some(End::by_rule(outcome, "separated"))
    }

    /// Computed on demand from the words of the position: playouts and perft never ask, and it costs a search less than
    /// carrying a running key through every copy.
    #[inline]
    fn key(&self) -> u64 {
        let facts = (self.cells[0].index() as u64)
            | (self.cells[1].index() as u64) << 8
            | (self.size as u64) << 16
            | (self.to_move as u64) << 24;
        let mut key = mix(self.right[0] ^ 0x9e37_79b9_7f4a_7c15, self.down[0] ^ 0xd1b5_4a32_d192_ed03);
        if self.size > NARROW {
            key ^= mix(self.right[1] ^ 0xaef1_7502_108e_f2d9, self.down[1] ^ 0x8cb9_2ba7_2f3d_8dd7);
            key = key.rotate_left(23);
            key ^= mix(self.right[2] ^ 0xf135_7aea_2e62_a9c5, self.down[2] ^ 0xe703_7ed1_a0b4_28db);
        }
        mix(key ^ 0x8ebc_6af0_9c88_c6e3, facts ^ 0x5896_36e8_1e3b_5d31)
    }

    fn key_text(&self) -> String {
        Position { plies: 0, ..*self }.to_string()
    }

    fn picture(&self, paint: Paint) -> String {
        crate::picture::draw(self, paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        if !self.may_move(player) {
            return 0;
        }
        with_grid!(self, grid => self.move_sets(&grid, player).iter().map(|set| set.count() as usize).sum())
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Move> {
        if !self.may_move(player) {
            return None;
        }
        with_grid!(self, grid => pick(&self.move_sets(&grid, player), |_| u32::try_from(index).ok()))
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Move> {
        if !self.may_move(player) {
            return None;
        }
        with_grid!(self, grid => {
            pick(&self.move_sets(&grid, player), |count| (count > 0).then(|| rng.random_range(0..count)))
        })
    }

    #[inline]
    fn is_legal(&self, player: Player, mv: Move) -> bool {
        self.to_move == player && self.check(mv).is_ok()
    }
}

impl TurnBased for Position {
    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }
}

/// Hands the moves of every side to a sink, a machine word at a time.
#[inline(always)]
fn push_moves<B: Bits>(sets: &[B; 4], sink: &mut impl MoveSink<Move>) {
    for (side, set) in Side::ALL.into_iter().zip(sets) {
        for index in 0..B::WORDS {
            let cells = set.word(index);
            sink.push_set(cells.len(), cells.map(|cell| Move { cell, side }));
        }
    }
}

/// The move whose number `choose` says when told how many there are; `None` beyond the last one.
#[inline(always)]
fn pick<B: Bits>(sets: &[B; 4], choose: impl FnOnce(u32) -> Option<u32>) -> Option<Move> {
    let counts = sets.map(Bits::count);
    let mut index = choose(counts.iter().sum())?;
    for ((side, set), count) in Side::ALL.into_iter().zip(sets).zip(counts) {
        if index < count {
            return Some(Move { cell: set.nth(index), side });
        }
        index -= count;
    }
    None
}

/// Folds a full product of two words into one: every bit of both reaches every bit of the result.
#[inline(always)]
const fn mix(a: u64, b: u64) -> u64 {
    let product = (a as u128) * (b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
