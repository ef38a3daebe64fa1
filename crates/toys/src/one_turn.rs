//! A game of one turn by its table of outcomes: what selectors and solvers of matrix games are tried on.

use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, split_mix};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

/// The most rows and columns.
pub const MOST: usize = 4;

/// The row or column that a player chooses, `a` for the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line(pub u8);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

impl FromStr for Line {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [letter @ b'a'..=b'd'] => Ok(Line(letter - b'a')),
            _ => Err(ParseError { expected: "a line from a to d", found: text.to_owned() }),
        }
    }
}

/// A position: the table of outcomes, rows for the first player and columns for the second, and what was chosen. As a text
/// `0-+/+0-/-+0 --`: `+` where the first player wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OneTurn {
    outcomes: [[i8; MOST]; MOST],
    lines: [u8; 2],
    chosen: Option<[Line; 2]>,
}

impl Default for OneTurn {
    /// Rock, paper, scissors.
    fn default() -> Self {
        let mut outcomes = [[0; MOST]; MOST];
        (outcomes[0][1], outcomes[0][2], outcomes[1][2]) = (-1, 1, -1);
        (outcomes[1][0], outcomes[2][0], outcomes[2][1]) = (1, -1, 1);
        OneTurn { outcomes, lines: [3, 3], chosen: None }
    }
}

impl OneTurn {
    fn outcome(&self) -> Option<i8> {
        self.chosen.map(|[Line(row), Line(column)]| self.outcomes[usize::from(row)][usize::from(column)])
    }
}

impl fmt::Display for OneTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rows, columns] = self.lines.map(usize::from);
        for (place, row) in self.outcomes[..rows].iter().enumerate() {
            if place > 0 {
                f.write_str("/")?;
            }
            for outcome in &row[..columns] {
                f.write_str(match outcome {
                    1 => "+",
                    0 => "0",
                    _ => "-",
                })?;
            }
        }
        match self.chosen {
            None => f.write_str(" --"),
            Some([one, two]) => write!(f, " {one}{two}"),
        }
    }
}

impl FromStr for OneTurn {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = |expected| ParseError { expected, found: text.to_owned() };
        let (table, chosen) = text.split_once(' ').ok_or_else(|| bad("a table and what was chosen"))?;
        let rows: Vec<&str> = table.split('/').collect();
        let columns = rows.first().map_or(0, |row| row.chars().count());
        if !(1..=MOST).contains(&rows.len()) || !(1..=MOST).contains(&columns) {
            return Err(bad("a table of one to four rows and columns"));
        }
        let mut outcomes = [[0; MOST]; MOST];
        for (cells, row) in outcomes.iter_mut().zip(&rows) {
            if row.chars().count() != columns {
                return Err(bad("rows of one length"));
            }
            for (cell, outcome) in cells.iter_mut().zip(row.chars()) {
                *cell = match outcome {
                    '+' => 1,
                    '0' => 0,
                    '-' => -1,
                    _ => return Err(bad("`+`, `0` or `-` for each pair")),
                };
            }
        }
        let lines = [rows.len() as u8, columns as u8];
        let chosen = match chosen.char_indices().nth(1) {
            None => return Err(bad("`--` or the lines chosen")),
            Some(_) if chosen == "--" => None,
            Some((second, _)) => {
                let pair: [Line; 2] = [chosen[..second].parse()?, chosen[second..].parse()?];
                if pair.iter().zip(lines).any(|(line, count)| line.0 >= count) {
                    return Err(bad("lines of the table"));
                }
                Some(pair)
            }
        };
        Ok(OneTurn { outcomes, lines, chosen })
    }
}

impl Game for OneTurn {
    const NAME: &'static str = "one-turn";

    type Move = Line;
    type Turn = [Line; 2];
    type Moves = SmallVec<[Line; MOST]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        OneTurn::default()
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Line>>(&self, player: Player, sink: &mut S) {
        if self.chosen.is_none() {
            (0..self.lines[player.index()]).for_each(|line| sink.push(Line(line)));
        }
    }

    fn play_turn(&mut self, turn: [Line; 2]) {
        debug_assert!(self.chosen.is_none(), "the game is over");
        self.chosen = Some(turn);
    }

    fn end(&self) -> Option<End> {
        self.outcome().map(|outcome| {
            let outcome = match outcome {
                1 => Outcome::Win(Player::One),
                0 => Outcome::Draw,
                _ => Outcome::Win(Player::Two),
            };
            End::by_rule(outcome, "chosen")
        })
    }

    fn key(&self) -> u64 {
        let chosen =
            self.chosen.map_or(0, |[Line(row), Line(column)]| 1 + u64::from(row) * 4 + u64::from(column));
        let cells = self.outcomes.iter().flatten().map(|&cell| (cell + 1) as u64);
        split_mix(cells.chain(self.lines.map(u64::from)).fold(chosen, |key, cell| split_mix(key) ^ cell))
    }

    fn turns_left(&self) -> Option<u32> {
        Some(u32::from(self.chosen.is_none()))
    }
}

impl Simultaneous for OneTurn {}
