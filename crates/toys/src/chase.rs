//! A chase on a ring: simultaneous, positions come back, and the third time is a draw.

use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, split_mix};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

/// Cells of the ring.
pub const CELLS: u8 = 3;

/// Two pieces on a ring of three cells. The first player wins when both stand on one cell after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chase {
    cells: [u8; 2],
}

/// A step along the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Clockwise, written `+`.
    Forth,
    /// Anticlockwise, written `-`.
    Back,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Step::Forth { "+" } else { "-" })
    }
}

impl FromStr for Step {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "+" => Ok(Step::Forth),
            "-" => Ok(Step::Back),
            other => Err(ParseError { expected: "`+` or `-`", found: other.to_owned() }),
        }
    }
}

impl fmt::Display for Chase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.cells[0], self.cells[1])
    }
}

impl FromStr for Chase {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseError { expected: "two cells from 0 to 2", found: text.to_owned() };
        let (one, two) = text.split_once(' ').ok_or_else(fail)?;
        let cell = |text: &str| match text.as_bytes() {
            [digit @ b'0'..=b'2'] => Ok(digit - b'0'),
            _ => Err(fail()),
        };
        Ok(Chase { cells: [cell(one)?, cell(two)?] })
    }
}

impl Game for Chase {
    const NAME: &'static str = "chase";
    const REPETITION: Option<u32> = Some(3);

    type Move = Step;
    type Turn = [Step; 2];
    type Moves = SmallVec<[Step; 2]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Chase { cells: [0, 1] }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Step>>(&self, _: Player, sink: &mut S) {
        if self.end().is_none() {
            sink.push_set(2, [Step::Forth, Step::Back].into_iter());
        }
    }

    fn play_turn(&mut self, steps: [Step; 2]) {
        for (cell, step) in self.cells.iter_mut().zip(steps) {
            *cell = (*cell + if step == Step::Forth { 1 } else { CELLS - 1 }) % CELLS;
        }
    }

    fn end(&self) -> Option<End> {
        (self.cells[0] == self.cells[1]).then(|| End::by_rule(Outcome::Win(Player::One), "caught"))
    }

    fn key(&self) -> u64 {
        split_mix(u64::from(self.cells[0]) << 8 | u64::from(self.cells[1]))
    }

    fn repetition_key(&self) -> Option<u64> {
        Some(self.key())
    }
}

impl Simultaneous for Chase {}
