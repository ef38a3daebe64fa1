//! Connect Four on two bitboards: the worked example of adding a game (see `docs/adding-a-game.md`), on boards of any size that
//! fits a machine word.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased, split_mix};
use smallvec::SmallVec;

/// The usual board.
pub type ConnectFour = Board<7, 6>;

/// Most columns of a board.
pub const MOST_COLUMNS: usize = 7;

/// For every set of columns how many they are, and which, from left to right.
static OPEN: [(u32, [Column; MOST_COLUMNS]); 1 << MOST_COLUMNS] = in_order([0, 1, 2, 3, 4, 5, 6]);

/// All columns from the middle outwards, for each width.
const MIDDLE_FIRST: [[u8; MOST_COLUMNS]; MOST_COLUMNS + 1] = [
    [0, 1, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4, 5, 6],
    [0, 1, 2, 3, 4, 5, 6],
    [1, 0, 2, 3, 4, 5, 6],
    [1, 2, 0, 3, 4, 5, 6],
    [2, 1, 3, 0, 4, 5, 6],
    [2, 3, 1, 4, 0, 5, 6],
    [3, 2, 4, 1, 5, 0, 6],
];

const fn in_order(order: [u8; MOST_COLUMNS]) -> [(u32, [Column; MOST_COLUMNS]); 1 << MOST_COLUMNS] {
    let mut open = [(0, [Column(0); MOST_COLUMNS]); 1 << MOST_COLUMNS];
    let mut set = 0;
    while set < 1 << MOST_COLUMNS {
        let mut place = 0;
        while place < MOST_COLUMNS {
            if set >> order[place] & 1 != 0 {
                open[set].1[open[set].0 as usize] = Column(order[place]);
                open[set].0 += 1;
            }
            place += 1;
        }
        set += 1;
    }
    open
}

/// A position on a board of some columns and rows: the stones of the player to move, all stones, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board<const WIDTH: usize, const HEIGHT: usize> {
    mover: u64,
    all: u64,
    stones: u32,
}

/// A move: the column to drop a stone into, `a` to `g`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Column {
    /// The columns of the usual board from left to right.
    pub const ALL: [Column; 7] =
        [Column(0), Column(1), Column(2), Column(3), Column(4), Column(5), Column(6)];

    /// The column with this number, 0 for the leftmost; `None` beyond the largest board.
    pub fn new(index: usize) -> Option<Column> {
        (index < MOST_COLUMNS).then_some(Column(index as u8))
    }

    /// 0 for the leftmost column.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

/// A text that is not a move or a position of Connect Four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    expected: String,
    found: String,
}

impl ParseError {
    fn new(expected: impl Into<String>, found: impl Into<String>) -> ParseError {
        ParseError { expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}

impl FromStr for Column {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [letter @ b'a'..=b'g'] => Ok(Column(letter - b'a')),
            _ => Err(ParseError::new("a column from a to g", text)),
        }
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Board<WIDTH, HEIGHT> {
    /// The empty board.
    pub const EMPTY: Self = {
        assert!(WIDTH <= MOST_COLUMNS && WIDTH * (HEIGHT + 1) < 64, "the board fits a machine word");
        assert!(WIDTH >= 4 && HEIGHT >= 4, "a board with room for lines");
        Board { mover: 0, all: 0, stones: 0 }
    };

    /// One column of the bitboard is a bit for every row, from the bottom up, and one that stays empty, so that lines do not
    /// run over the edge.
    pub(crate) const COLUMN_BITS: usize = HEIGHT + 1;
    pub(crate) const BOTTOM: u64 = {
        let mut bits = 0;
        let mut column = 0;
        while column < WIDTH {
            bits |= 1 << (column * Self::COLUMN_BITS);
            column += 1;
        }
        bits
    };
    pub(crate) const COLUMN: u64 = (1 << HEIGHT) - 1;
    pub(crate) const FULL: u64 = Self::BOTTOM * Self::COLUMN;
    const TOP: u64 = Self::BOTTOM << (HEIGHT - 1);

    /// Multiplied by it, the bit at the bottom of column `c` comes to stand at `GATHERED` + c, and no other bit among those.
    const GATHER: u64 = {
        let mut bits = 0;
        let mut column = 0;
        while column < WIDTH {
            bits |= 1 << (HEIGHT * column);
            column += 1;
        }
        bits
    };
    const GATHERED: usize = HEIGHT * (WIDTH - 1);

    /// How many stones lie on the board.
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// The cells that one player's stones occupy, seven bits to a column, from the bottom left up.
    pub fn stones_of(&self, player: Player) -> u64 {
        if player == self.to_move() { self.mover } else { self.all ^ self.mover }
    }

    /// How many columns are not full, and which, from left to right.
    #[inline]
    fn open_columns(&self) -> &'static (u32, [Column; MOST_COLUMNS]) {
        // The free top cells, brought together into seven neighbouring bits by one multiplication.
        let open = (!self.all & Self::TOP) >> (HEIGHT - 1);
        // On a wider board the bits of `GATHER` would come into each other's way.
        if WIDTH > HEIGHT + 1 {
            let is_open = |column: usize| open >> (column * Self::COLUMN_BITS) & 1 != 0;
            let set = (0..WIDTH).fold(0, |set, column| set | usize::from(is_open(column)) << column);
            return &OPEN[set];
        }
        &OPEN[(open.wrapping_mul(Self::GATHER) >> Self::GATHERED & ((1 << WIDTH) - 1)) as usize]
    }

    /// Whether the player who has just moved has a line; the other cannot have one. (On a full board nobody has a move
    /// anyway, so the generator asks for no more than this.)
    fn is_won(&self) -> bool {
        Self::connects_four(self.all ^ self.mover)
    }

    /// The free cells with which `stones` become a line of four, whether or not a stone can drop there yet.
    #[inline]
    pub(crate) fn completions(stones: u64, all: u64) -> u64 {
        // Upwards there is only the cell on top.
        let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
        for step in [Self::COLUMN_BITS - 1, Self::COLUMN_BITS, Self::COLUMN_BITS + 1] {
            let (right, left) = (stones << step, stones >> step);
            let (pair_right, pair_left) = (right & stones << (2 * step), left & stones >> (2 * step));
            // The cell right of three, right of two and left of one, and so on.
            cells |= pair_right & (stones << (3 * step) | left);
            cells |= pair_left & (stones >> (3 * step) | right);
        }
        cells & Self::FULL & !all
    }

    /// The lowest free cell of each column that has one.
    #[inline]
    pub(crate) fn landing_cells(all: u64) -> u64 {
        (all + Self::BOTTOM) & Self::FULL
    }

    /// All columns from the middle outwards.
    #[inline]
    pub(crate) fn from_the_middle() -> impl Iterator<Item = Column> {
        MIDDLE_FIRST[WIDTH].into_iter().take(WIDTH).map(Column)
    }

    /// The cells of a column.
    #[inline]
    pub(crate) fn cells_of(Column(column): Column) -> u64 {
        Self::COLUMN << (usize::from(column) * Self::COLUMN_BITS)
    }

    /// The cells of the player to move.
    #[inline]
    pub(crate) fn mover(&self) -> u64 {
        self.mover
    }

    /// The cells of the player who is not to move.
    #[inline]
    pub(crate) fn waiting(&self) -> u64 {
        self.all ^ self.mover
    }

    /// A different word for every position: stones of the mover above a marker over each column.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        self.mover + self.all + Self::BOTTOM
    }

    /// The smaller of [`Board::word`] and the mirror image's.
    #[inline]
    pub(crate) fn mirrored_word(&self) -> u64 {
        let word = self.word();
        let mut mirrored = 0;
        for column in 0..WIDTH {
            let cells = word >> (column * Self::COLUMN_BITS) & ((1 << Self::COLUMN_BITS) - 1);
            mirrored |= cells << ((WIDTH - 1 - column) * Self::COLUMN_BITS);
        }
        word.min(mirrored)
    }

    #[inline]
    pub(crate) fn connects_four(stones: u64) -> bool {
        [1, Self::COLUMN_BITS - 1, Self::COLUMN_BITS, Self::COLUMN_BITS + 1].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> fmt::Display for Board<WIDTH, HEIGHT> {
    /// The text is the columns from left to right, each from the bottom up, `x` for the first player and `o` for the
    /// second, joined by `/`. The alternate form is a picture.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) = (self.stones_of(Player::One), self.stones_of(Player::Two));
        let stone = |column: usize, row: usize| {
            let bit = 1 << (column * Self::COLUMN_BITS + row);
            if x & bit != 0 {
                Some('x')
            } else if o & bit != 0 {
                Some('o')
            } else {
                None
            }
        };
        if f.alternate() {
            for row in (0..HEIGHT).rev() {
                for column in 0..WIDTH {
                    write!(f, "{} ", stone(column, row).unwrap_or('.'))?;
                }
                writeln!(f)?;
            }
            for column in 0..WIDTH {
                write!(f, "{}{}", if column == 0 { "" } else { " " }, Column(column as u8))?;
            }
            return Ok(());
        }
        for column in 0..WIDTH {
            if column > 0 {
                f.write_str("/")?;
            }
            for stone in (0..HEIGHT).map_while(|row| stone(column, row)) {
                write!(f, "{stone}")?;
            }
        }
        Ok(())
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> FromStr for Board<WIDTH, HEIGHT> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let columns: Vec<&str> = text.split('/').collect();
        if columns.len() != WIDTH {
            return Err(ParseError::new(format!("{WIDTH} columns joined by `/`"), text));
        }
        let mut stones = [0_u64; 2];
        for (column, cells) in columns.into_iter().enumerate() {
            if cells.chars().count() > HEIGHT {
                return Err(ParseError::new(
                    format!("at most {HEIGHT} stones in column {}", column + 1),
                    cells,
                ));
            }
            for (row, stone) in cells.chars().enumerate() {
                let player = match stone {
                    'x' => Player::One,
                    'o' => Player::Two,
                    _ => return Err(ParseError::new(format!("`x` or `o` in column {}", column + 1), cells)),
                };
                stones[player.index()] |= 1 << (column * Self::COLUMN_BITS + row);
            }
        }
        let [x, o] = stones.map(u64::count_ones);
        if x != o && x != o + 1 {
            return Err(ParseError::new("as many x as o, or one x more", format!("{x} x and {o} o")));
        }
        let mover = Player::after(x + o);
        let board = Board { mover: stones[mover.index()], all: stones[0] | stones[1], stones: x + o };
        if Self::connects_four(board.mover) {
            return Err(ParseError::new("a game that ended with the last stone", text));
        }
        Ok(board)
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Game for Board<WIDTH, HEIGHT> {
    const NAME: &'static str = "connect-four";

    type Move = Column;
    type Turn = Column;
    type Moves = SmallVec<[Column; MOST_COLUMNS]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Self::EMPTY
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    #[inline]
    fn moves_of<S: MoveSink<Column>>(&self, player: Player, sink: &mut S) {
        if player != self.to_move() || self.is_won() {
            return;
        }
        let (count, columns) = self.open_columns();
        sink.push_slice(&columns[..(*count as usize).min(WIDTH)]);
    }

    #[inline]
    fn play_turn(&mut self, Column(column): Column) {
        let bottom = 1 << (usize::from(column) * Self::COLUMN_BITS);
        debug_assert!((self.all + bottom) & Self::FULL & !self.all != 0, "column {column} is full");
        self.mover ^= self.all;
        self.all |= self.all + bottom;
        self.stones += 1;
    }

    #[inline]
    fn end(&self) -> Option<End> {
        if self.is_won() {
            Some(End::by_rule(Outcome::Win(self.to_move().opponent()), "four-in-a-row"))
        } else if self.all & Self::TOP == Self::TOP {
            Some(End::by_rule(Outcome::Draw, "board-full"))
        } else {
            None
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        split_mix(self.word())
    }

    /// Straight from the table: playouts draw a move at every ply.
    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Column> {
        if player != self.to_move() || self.is_won() {
            return None;
        }
        let (count, columns) = self.open_columns();
        if *count == 0 {
            return None;
        }
        Some(columns[rng.random_range(0..*count) as usize])
    }

    #[inline]
    fn is_legal(&self, player: Player, Column(column): Column) -> bool {
        usize::from(column) < WIDTH
            && player == self.to_move()
            && self.all & (1 << (usize::from(column) * Self::COLUMN_BITS + HEIGHT - 1)) == 0
            && !self.is_won()
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> TurnBased for Board<WIDTH, HEIGHT> {
    #[inline]
    fn to_move(&self) -> Player {
        Player::after(self.stones)
    }

    /// All columns at once.
    #[inline]
    fn winning_move(&self) -> Option<Column> {
        // The lowest free cell of each column that has one.
        let landing = self.all + Self::BOTTOM;
        let cells = Self::completions(self.mover, self.all) & landing;
        if cells == 0 || self.is_won() {
            return None;
        }
        Some(Column((cells.trailing_zeros() as usize / Self::COLUMN_BITS) as u8))
    }
}
