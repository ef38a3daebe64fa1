//! Two very small games for tests: one turn-based, one simultaneous with a repetition rule.

#![allow(dead_code, unreachable_pub, reason = "the fixture program uses a part")]

use std::fmt;
use std::str::FromStr;

use search_core::{
    Active, Answer, Bot, BotFailure, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, Task,
    TurnBased,
};

/// A text that is not of the game.
#[derive(Debug)]
pub struct Bad(String);

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`", self.0)
    }
}

impl std::error::Error for Bad {}

/// Players take 1 to 3 from a heap in turn; who takes the last one wins. Text: `LEFT PLIES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    pub left: u32,
    pub plies: u32,
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.left, self.plies)
    }
}

impl FromStr for Heap {
    type Err = Bad;

    fn from_str(text: &str) -> Result<Self, Bad> {
        let bad = || Bad(text.to_owned());
        let (left, plies) = text.split_once(' ').ok_or_else(bad)?;
        Ok(Heap { left: left.parse().map_err(|_| bad())?, plies: plies.parse().map_err(|_| bad())? })
    }
}

impl Game for Heap {
    const NAME: &'static str = "heap";
    type Move = u32;
    type Turn = u32;
    type Moves = Vec<u32>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Heap { left: 21, plies: 0 }
    }

    fn active(&self) -> Active {
        Active::One(Player::after(self.plies))
    }

    fn moves_of<S: MoveSink<u32>>(&self, player: Player, sink: &mut S) {
        if self.active().includes(player) {
            (1..=self.left.min(3)).for_each(|take| sink.push(take));
        }
    }

    fn play_turn(&mut self, take: u32) {
        self.left -= take;
        self.plies += 1;
    }

    fn end(&self) -> Option<End> {
        (self.left == 0)
            .then(|| End::by_rule(Outcome::Win(Player::after(self.plies).opponent()), "last-taken"))
    }

    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | u64::from(self.plies % 2)
    }
}

impl TurnBased for Heap {
    fn to_move(&self) -> Player {
        Player::after(self.plies)
    }
}

/// Both players show a coin, `h` or `t`. Equal coins score for the first player, others for the second; three points
/// win. Text: `POINTS POINTS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pennies {
    pub points: [u32; 2],
}

/// A side of a coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coin(pub bool);

impl fmt::Display for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { "h" } else { "t" })
    }
}

impl FromStr for Coin {
    type Err = Bad;

    fn from_str(text: &str) -> Result<Self, Bad> {
        match text {
            "h" => Ok(Coin(true)),
            "t" => Ok(Coin(false)),
            other => Err(Bad(other.to_owned())),
        }
    }
}

impl fmt::Display for Pennies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.points[0], self.points[1])
    }
}

impl FromStr for Pennies {
    type Err = Bad;

    fn from_str(text: &str) -> Result<Self, Bad> {
        let Heap { left, plies } = text.parse()?;
        Ok(Pennies { points: [left, plies] })
    }
}

impl Game for Pennies {
    const NAME: &'static str = "pennies";
    const REPETITION: Option<u32> = Some(3);
    type Move = Coin;
    type Turn = [Coin; 2];
    type Moves = Vec<Coin>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Pennies { points: [0, 0] }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Coin>>(&self, _: Player, sink: &mut S) {
        if self.end().is_none() {
            sink.push(Coin(true));
            sink.push(Coin(false));
        }
    }

    fn play_turn(&mut self, [one, two]: [Coin; 2]) {
        self.points[usize::from(one != two)] += 1;
    }

    fn end(&self) -> Option<End> {
        let winner = Player::BOTH.into_iter().find(|player| self.points[player.index()] >= 3)?;
        Some(End::by_rule(Outcome::Win(winner), "points"))
    }

    fn key(&self) -> u64 {
        u64::from(self.points[0]) << 32 | u64::from(self.points[1])
    }

    fn repetition_key(&self) -> Option<u64> {
        Some(self.key())
    }
}

impl Simultaneous for Pennies {}

/// Plays the first legal move.
#[derive(Debug, Clone, Copy)]
pub struct First;

impl<G: Game> Bot<G> for First {
    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        Ok(Answer::plain(task.record.legal_moves(task.player)[0]))
    }
}

/// The heap game with a text that is larger than any pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide(pub Heap);

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, ".".repeat(2_000_000))
    }
}

impl FromStr for Wide {
    type Err = Bad;

    fn from_str(text: &str) -> Result<Self, Bad> {
        text.trim_end_matches('.').parse().map(Wide)
    }
}

impl Game for Wide {
    const NAME: &'static str = "wide";
    type Move = u32;
    type Turn = u32;
    type Moves = Vec<u32>;
    type Setup = Standard;

    fn initial(setup: &Standard, seed: u64) -> Self {
        Wide(Heap::initial(setup, seed))
    }

    fn active(&self) -> Active {
        self.0.active()
    }

    fn moves_of<S: MoveSink<u32>>(&self, player: Player, sink: &mut S) {
        self.0.moves_of(player, sink);
    }

    fn play_turn(&mut self, take: u32) {
        self.0.play_turn(take);
    }

    fn end(&self) -> Option<End> {
        self.0.end()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}
