//! Tic-tac-toe: the smallest game worth solving.

use std::fmt;
use std::str::FromStr;

use search_core::{
    Active, Canvas, End, Game, Indexed, MoveSink, Outcome, Planes, Player, Shape, Standard, TurnBased,
    split_mix,
};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// A position: the cells of each player, nine bits from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TicTacToe {
    cells: [u16; 2],
}

/// A move: a cell from 1 (top left) to 9 (bottom right).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Ok(Cell(digit - b'1')),
            _ => Err(ParseError { expected: "a cell from 1 to 9", found: text.to_owned() }),
        }
    }
}

impl TicTacToe {
    fn has_line(self, player: Player) -> bool {
        LINES.iter().any(|line| self.cells[player.index()] & line == *line)
    }

    fn taken(self) -> u16 {
        self.cells[0] | self.cells[1]
    }
}

impl fmt::Display for TicTacToe {
    /// Nine characters row by row, `x`, `o` or `.`; the alternate form has three lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..9 {
            if f.alternate() && cell > 0 && cell % 3 == 0 {
                writeln!(f)?;
            }
            let [x, o] = self.cells.map(|cells| cells >> cell & 1 == 1);
            f.write_str(if x {
                "x"
            } else if o {
                "o"
            } else {
                "."
            })?;
        }
        Ok(())
    }
}

impl FromStr for TicTacToe {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |expected| ParseError { expected, found: text.to_owned() };
        let mut board = TicTacToe::default();
        if text.chars().count() != 9 {
            return Err(fail("nine cells"));
        }
        for (cell, symbol) in text.chars().enumerate() {
            match symbol {
                'x' => board.cells[0] |= 1 << cell,
                'o' => board.cells[1] |= 1 << cell,
                '.' => {}
                _ => return Err(fail("cells `x`, `o` or `.`")),
            }
        }
        let [x, o] = board.cells.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(fail("as many x as o, or one x more"));
        }
        if board.has_line(board.to_move()) {
            return Err(fail("a game that ended with its last move"));
        }
        Ok(board)
    }
}

impl Game for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";

    type Move = Cell;
    type Turn = Cell;
    type Moves = SmallVec<[Cell; 9]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        TicTacToe::default()
    }

    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    fn moves_of<S: MoveSink<Cell>>(&self, player: Player, sink: &mut S) {
        if player == self.to_move() && self.end().is_none() {
            for cell in 0..9 {
                if self.taken() >> cell & 1 == 0 {
                    sink.push(Cell(cell));
                }
            }
        }
    }

    fn play_turn(&mut self, Cell(cell): Cell) {
        debug_assert!(self.taken() >> cell & 1 == 0, "cell {cell} is taken");
        self.cells[self.to_move().index()] |= 1 << cell;
    }

    fn end(&self) -> Option<End> {
        let last = self.to_move().opponent();
        if self.has_line(last) {
            Some(End::by_rule(Outcome::Win(last), "three-in-a-row"))
        } else if self.taken() == FULL {
            Some(End::by_rule(Outcome::Draw, "board-full"))
        } else {
            None
        }
    }

    fn key(&self) -> u64 {
        split_mix(u64::from(self.cells[0]) << 9 | u64::from(self.cells[1]))
    }
}

impl TurnBased for TicTacToe {
    fn to_move(&self) -> Player {
        Player::after(self.taken().count_ones())
    }
}

impl Indexed for TicTacToe {
    const ACTIONS: usize = 9;

    fn index_of(Cell(cell): Cell) -> usize {
        cell.into()
    }

    fn action(index: usize) -> Option<Cell> {
        (index < Self::ACTIONS).then_some(Cell(index as u8))
    }
}

impl Planes for TicTacToe {
    const PLANES: &'static [&'static str] = &["the viewer's cells", "the other's cells"];

    fn shape(&self) -> Shape {
        Shape { planes: 2, rows: 3, columns: 3 }
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        for (plane, player) in [viewer, viewer.opponent()].into_iter().enumerate() {
            for cell in (0..9).filter(|cell| self.cells[player.index()] >> cell & 1 == 1) {
                canvas.set(plane, cell / 3, cell % 3, 1.0);
            }
        }
    }
}
