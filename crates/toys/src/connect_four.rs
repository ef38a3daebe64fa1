//! Connect Four on two bitboards: the worked example of adding a game (see `docs/adding-a-game.md`).

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased, split_mix};
use smallvec::SmallVec;

/// Columns of the board.
pub const WIDTH: usize = 7;
/// Rows of the board.
pub const HEIGHT: usize = 6;

/// One column of the bitboard is seven bits: six cells from the bottom up and one that stays empty, so that lines do not
/// run over the edge.
const COLUMN_BITS: usize = HEIGHT + 1;
const BOTTOM: u64 = {
    let mut bits = 0;
    let mut column = 0;
    while column < WIDTH {
        bits |= 1 << (column * COLUMN_BITS);
        column += 1;
    }
    bits
};
const COLUMN: u64 = (1 << HEIGHT) - 1;
const FULL: u64 = BOTTOM * COLUMN;
const TOP: u64 = BOTTOM << (HEIGHT - 1);

/// Multiplied by it, the bit at the bottom of column `c` comes to stand at 36 + c, and no other bit between 36 and 42.
const GATHER: u64 = 1 << 36 | 1 << 30 | 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6 | 1;

/// For every set of columns how many they are, and which.
static OPEN: [(u32, [Column; WIDTH]); 1 << WIDTH] = {
    let mut open = [(0, [Column(0); WIDTH]); 1 << WIDTH];
    let mut set = 0;
    while set < 1 << WIDTH {
        let mut column = 0;
        while column < WIDTH {
            if set >> column & 1 != 0 {
                open[set].1[open[set].0 as usize] = Column(column as u8);
                open[set].0 += 1;
            }
            column += 1;
        }
        set += 1;
    }
    open
};

/// A position: the stones of the player to move, all stones, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    mover: u64,
    all: u64,
    stones: u32,
}

/// A move: the column to drop a stone into, `a` to `g`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Column {
    /// The columns from left to right.
    pub const ALL: [Column; WIDTH] =
        [Column(0), Column(1), Column(2), Column(3), Column(4), Column(5), Column(6)];

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

impl ConnectFour {
    /// The empty board.
    pub const EMPTY: ConnectFour = ConnectFour { mover: 0, all: 0, stones: 0 };

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
    fn open_columns(&self) -> &'static (u32, [Column; WIDTH]) {
        // The free top cells, brought together into seven neighbouring bits by one multiplication.
        let open = (!self.all & TOP) >> (HEIGHT - 1);
        &OPEN[(open.wrapping_mul(GATHER) >> 36 & 127) as usize]
    }

    /// Whether the player who has just moved has a line; the other cannot have one. (On a full board nobody has a move
    /// anyway, so the generator asks for no more than this.)
    fn is_won(&self) -> bool {
        ConnectFour::connects_four(self.all ^ self.mover)
    }

    /// The free cells with which `stones` become a line of four, whether or not a stone can drop there yet.
    fn completions(stones: u64, all: u64) -> u64 {
        // Upwards there is only the cell on top.
        let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
        for step in [COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1] {
            let (right, left) = (stones << step, stones >> step);
            let (pair_right, pair_left) = (right & stones << (2 * step), left & stones >> (2 * step));
            // The cell right of three, right of two and left of one, and so on.
            cells |= pair_right & (stones << (3 * step) | left);
            cells |= pair_left & (stones >> (3 * step) | right);
        }
        cells & FULL & !all
    }

    fn connects_four(stones: u64) -> bool {
        [1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

impl fmt::Display for ConnectFour {
    /// The text is the columns from left to right, each from the bottom up, `x` for the first player and `o` for the
    /// second, joined by `/`. The alternate form is a picture.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) = (self.stones_of(Player::One), self.stones_of(Player::Two));
        let stone = |column: usize, row: usize| {
            let bit = 1 << (column * COLUMN_BITS + row);
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
            return f.write_str("a b c d e f g");
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

impl FromStr for ConnectFour {
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
                stones[player.index()] |= 1 << (column * COLUMN_BITS + row);
            }
        }
        let [x, o] = stones.map(u64::count_ones);
        if x != o && x != o + 1 {
            return Err(ParseError::new("as many x as o, or one x more", format!("{x} x and {o} o")));
        }
        let mover = Player::after(x + o);
        let board = ConnectFour { mover: stones[mover.index()], all: stones[0] | stones[1], stones: x + o };
        if ConnectFour::connects_four(board.mover) {
            return Err(ParseError::new("a game that ended with the last stone", text));
        }
        Ok(board)
    }
}

impl Game for ConnectFour {
    const NAME: &'static str = "connect-four";

    type Move = Column;
    type Turn = Column;
    type Moves = SmallVec<[Column; WIDTH]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        ConnectFour::EMPTY
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
        let bottom = 1 << (usize::from(column) * COLUMN_BITS);
        debug_assert!((self.all + bottom) & FULL & !self.all != 0, "column {column} is full");
        self.mover ^= self.all;
        self.all |= self.all + bottom;
        self.stones += 1;
    }

    #[inline]
    fn end(&self) -> Option<End> {
        if self.is_won() {
            Some(End::by_rule(Outcome::Win(self.to_move().opponent()), "four-in-a-row"))
        } else if self.all & TOP == TOP {
            Some(End::by_rule(Outcome::Draw, "board-full"))
        } else {
            None
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        // Stones of the mover above a marker over each column: a different word for every position.
        split_mix(self.mover + self.all + BOTTOM)
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
        player == self.to_move()
            && self.all & (1 << (usize::from(column) * COLUMN_BITS + HEIGHT - 1)) == 0
            && !self.is_won()
    }
}

impl TurnBased for ConnectFour {
    #[inline]
    fn to_move(&self) -> Player {
        Player::after(self.stones)
    }

    /// All columns at once.
    #[inline]
    fn winning_move(&self) -> Option<Column> {
        // The lowest free cell of each column that has one.
        let landing = self.all + BOTTOM;
        let cells = ConnectFour::completions(self.mover, self.all) & landing;
        if cells == 0 || self.is_won() {
            return None;
        }
        Some(Column((cells.trailing_zeros() as usize / COLUMN_BITS) as u8))
    }
}
