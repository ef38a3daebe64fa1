//! A game of our own: a pile of stones, each player takes one to three, and the one who takes the last wins.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, TurnBased};

/// How many stones there are at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stones(pub u8);

impl Default for Stones {
    fn default() -> Self {
        Stones(21)
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Stones {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Stones)
    }
}

/// A position: `21 p1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pile {
    /// The stones left.
    pub left: u8,
    /// Who takes next.
    pub mover: Player,
}

/// A text that is not a position of the game.
#[derive(Debug, PartialEq, Eq)]
pub struct ParsePileError(String);

impl fmt::Display for ParsePileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the stones left and the player to move, such as `21 p1`, found `{}`", self.0)
    }
}

impl std::error::Error for ParsePileError {}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.mover)
    }
}

impl FromStr for Pile {
    type Err = ParsePileError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once(' ')
            .and_then(|(left, mover)| Some(Pile { left: left.parse().ok()?, mover: mover.parse().ok()? }))
            .ok_or_else(|| ParsePileError(text.to_owned()))
    }
}

impl Game for Pile {
    const NAME: &'static str = "pile";
    type Move = u8;
    type Turn = u8;
    type Moves = Vec<u8>;
    type Setup = Stones;

    fn initial(&Stones(left): &Stones, _: u64) -> Self {
        Pile { left, mover: Player::One }
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    fn moves_of<S: MoveSink<u8>>(&self, player: Player, sink: &mut S) {
        if player == self.mover {
            (1..=self.left.min(3)).for_each(|stones| sink.push(stones));
        }
    }

    fn play_turn(&mut self, stones: u8) {
        self.left -= stones;
        self.mover = self.mover.opponent();
    }

    fn end(&self) -> Option<End> {
        (self.left == 0).then(|| End::by_rule(Outcome::Win(self.mover.opponent()), "last-stone"))
    }

    fn key(&self) -> u64 {
        u64::from(self.left) * 2 + self.mover.index() as u64
    }
}

impl TurnBased for Pile {
    fn to_move(&self) -> Player {
        self.mover
    }
}
