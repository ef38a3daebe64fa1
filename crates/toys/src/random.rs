//! Games made up at random, to hold the searches against their oracles.

use std::fmt;
use std::str::FromStr;

use search_core::{
    Active, End, Evaluate, Game, MoveSink, Outcome, Player, Score, Simultaneous, Standard, TurnBased,
    split_mix,
};

/// A game drawn from a seed. With `CYCLIC`, positions come back (and the third time is a draw); without, the ply is
/// part of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random<const CYCLIC: bool> {
    /// What the game is drawn from.
    pub seed: u64,
    /// How many distinct positions there are (per ply, in a game that is not cyclic); 0 for no transpositions at all.
    pub states: u64,
    /// The most moves of a position; there is one at least.
    pub width: u8,
    /// One position in this many is the end of the game; 0 for none.
    pub ends: u64,
    /// Players do not always alternate.
    pub irregular: bool,
    /// The game is drawn after this many plies.
    pub cap: u32,
    /// Plies played.
    pub ply: u32,
    /// The number of the position.
    pub state: u64,
}

/// A random game in which no position comes back.
pub type Tree = Random<false>;
/// A random game in which positions come back.
pub type Cyclic = Random<true>;

impl<const CYCLIC: bool> Random<CYCLIC> {
    /// The start of the game; the arguments are the fields.
    pub fn new(seed: u64, states: u64, width: u8, ends: u64, irregular: bool, cap: u32) -> Self {
        Random { seed, states, width, ends, irregular, cap, ply: 0, state: 0 }
    }

    fn hash(&self, salt: u64) -> u64 {
        let ply = if CYCLIC { 0 } else { u64::from(self.ply) };
        split_mix(split_mix(self.seed ^ self.state.wrapping_mul(0x1234_5678_9abc_def1)) ^ salt ^ (ply << 40))
    }
}

/// The number of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice(pub u8);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Choice {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Choice)
    }
}

impl<const CYCLIC: bool> fmt::Display for Random<CYCLIC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ply, self.state)
    }
}

/// Only for the contract: these games are never read from text.
#[derive(Debug)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("random games are not read from text")
    }
}

impl std::error::Error for Unreadable {}

impl<const CYCLIC: bool> FromStr for Random<CYCLIC> {
    type Err = Unreadable;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(Unreadable)
    }
}

impl<const CYCLIC: bool> Game for Random<CYCLIC> {
    const NAME: &'static str = "random";
    const REPETITION: Option<u32> = if CYCLIC { Some(3) } else { None };

    type Move = Choice;
    type Turn = Choice;
    type Moves = Vec<Choice>;
    type Setup = Standard;

    fn initial(_: &Standard, seed: u64) -> Self {
        Random::new(seed, 0, 4, 9, false, 20)
    }

    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    fn moves_of<S: MoveSink<Choice>>(&self, player: Player, sink: &mut S) {
        if player == self.to_move() && self.end().is_none() {
            let count = 1 + self.hash(2) % u64::from(self.width);
            (0..count as u8).for_each(|number| sink.push(Choice(number)));
        }
    }

    fn play_turn(&mut self, Choice(number): Choice) {
        let next = self.hash(100 + u64::from(number));
        // A cyclic game keeps the mover in the position: the lowest bit of the state.
        self.state = if self.states == 0 { next } else { next % self.states };
        if CYCLIC && !self.irregular {
            self.state = self.state / 2 * 2 + u64::from(self.ply.is_multiple_of(2));
        }
        self.ply += 1;
    }

    fn end(&self) -> Option<End> {
        if self.ends > 0 && self.ply > 0 && self.hash(3).is_multiple_of(self.ends) {
            let outcome = match self.hash(4) % 5 {
                0 => Outcome::Draw,
                1 | 2 => Outcome::Win(Player::One),
                _ => Outcome::Win(Player::Two),
            };
            return Some(End::by_rule(outcome, "drawn-from-the-seed"));
        }
        (self.ply >= self.cap).then(|| End::by_cap(Outcome::Draw, "cap"))
    }

    fn key(&self) -> u64 {
        self.hash(5)
    }

    fn repetition_key(&self) -> Option<u64> {
        CYCLIC.then(|| self.hash(6))
    }

    fn turns_left(&self) -> Option<u32> {
        Some(self.cap - self.ply)
    }
}

impl<const CYCLIC: bool> TurnBased for Random<CYCLIC> {
    fn to_move(&self) -> Player {
        let odd = if self.irregular {
            self.hash(1).is_multiple_of(3)
        } else if CYCLIC {
            self.state % 2 == 1
        } else {
            self.ply % 2 == 1
        };
        if odd { Player::Two } else { Player::One }
    }
}

/// A corridor: the first player goes a step towards the door or away from it, the second waits. Who reaches the door
/// wins; when the turns are used up the game is drawn. Positions come back, but there is no rule against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corridor {
    steps: u8,
    turns: u32,
    mover: Player,
}

impl Corridor {
    const LENGTH: u8 = 6;

    /// The first player's distance from the door in steps, and the turns that are left.
    pub fn new(steps: u8, turns: u32) -> Self {
        Corridor { steps, turns, mover: Player::One }
    }
}

impl fmt::Display for Corridor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.mover, self.steps, self.turns)
    }
}

impl FromStr for Corridor {
    type Err = Unreadable;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(Unreadable)
    }
}

impl Game for Corridor {
    const NAME: &'static str = "corridor";

    type Move = Choice;
    type Turn = Choice;
    type Moves = Vec<Choice>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Corridor::new(3, 20)
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    /// 0 is a step away from the door, 1 waits, 2 is a step towards it.
    fn moves_of<S: MoveSink<Choice>>(&self, player: Player, sink: &mut S) {
        if player == self.mover && self.end().is_none() {
            let choices: &[u8] = match player {
                Player::One if self.steps < Corridor::LENGTH => &[2, 0],
                Player::One => &[2],
                Player::Two => &[1],
            };
            for &number in choices {
                sink.push(Choice(number));
            }
        }
    }

    fn play_turn(&mut self, Choice(number): Choice) {
        self.steps = self.steps + 1 - number;
        self.turns -= 1;
        self.mover = self.mover.opponent();
    }

    fn end(&self) -> Option<End> {
        if self.steps == 0 {
            return Some(End::by_rule(Outcome::Win(Player::One), "door"));
        }
        (self.turns == 0).then(|| End::by_cap(Outcome::Draw, "cap"))
    }

    fn key(&self) -> u64 {
        split_mix(u64::from(self.steps) << 1 | self.mover as u64)
    }

    fn turns_left(&self) -> Option<u32> {
        Some(self.turns)
    }
}

impl TurnBased for Corridor {
    fn to_move(&self) -> Player {
        self.mover
    }
}

/// A value drawn from the seed, small so that equal values are frequent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Noise;

impl<const CYCLIC: bool> Evaluate<Random<CYCLIC>> for Noise {
    fn evaluate(&self, position: &Random<CYCLIC>, player: Player) -> Score {
        let value = (position.hash(7) % 41) as i32 - 20;
        Score::new(if player == Player::One { value } else { -value })
    }
}

/// A simultaneous game drawn from a seed; no position comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Both {
    inner: Tree,
}

impl Both {
    /// The start of a game; see [`Random`] for the arguments.
    pub fn new(seed: u64, width: u8, ends: u64, cap: u32) -> Self {
        Both { inner: Random::new(seed, 0, width, ends, false, cap) }
    }
}

impl fmt::Display for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl FromStr for Both {
    type Err = Unreadable;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(Unreadable)
    }
}

impl Game for Both {
    const NAME: &'static str = "random-simultaneous";

    type Move = Choice;
    type Turn = [Choice; 2];
    type Moves = Vec<Choice>;
    type Setup = Standard;

    fn initial(_: &Standard, seed: u64) -> Self {
        Both::new(seed, 3, 9, 6)
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Choice>>(&self, player: Player, sink: &mut S) {
        if self.end().is_none() {
            let count = 1 + self.inner.hash(20 + player.index() as u64) % u64::from(self.inner.width);
            (0..count as u8).for_each(|number| sink.push(Choice(number)));
        }
    }

    fn play_turn(&mut self, [one, two]: [Choice; 2]) {
        self.inner.play_turn(Choice(one.0 * 16 + two.0));
    }

    fn end(&self) -> Option<End> {
        self.inner.end()
    }

    fn key(&self) -> u64 {
        self.inner.key()
    }

    fn turns_left(&self) -> Option<u32> {
        self.inner.turns_left()
    }
}

impl Simultaneous for Both {}

impl Evaluate<Both> for Noise {
    fn evaluate(&self, position: &Both, player: Player) -> Score {
        self.evaluate(&position.inner, player)
    }
}
