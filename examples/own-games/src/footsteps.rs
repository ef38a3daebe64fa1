//! Footsteps: a token stands in the middle of a track, and both players have fifteen coins. In every turn both bid at once; the
//! higher bid pulls the token a step, and both bids are paid. Three steps to a side win; so does, when the coins are gone,
//! the side on which the token stands.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use gamesearch::search_core::{
    Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, split_mix,
};
use smallvec::SmallVec;

const COINS: u8 = 15;
const GOAL: i8 = 3;

/// Where the token is, positive towards the first player, and what the players have left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footsteps {
    token: i8,
    coins: [u8; 2],
}

/// A bid. A player with coins bids at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bid(u8);

impl Game for Footsteps {
    const NAME: &'static str = "footsteps";

    type Move = Bid;
    type Turn = [Bid; 2];
    type Moves = SmallVec<[Bid; COINS as usize]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Footsteps { token: 0, coins: [COINS; 2] }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Bid>>(&self, player: Player, sink: &mut S) {
        if self.end().is_none() {
            let coins = self.coins[player.index()];
            for bid in coins.min(1)..=coins {
                sink.push(Bid(bid));
            }
        }
    }

    fn play_turn(&mut self, bids: [Bid; 2]) {
        let [Bid(one), Bid(two)] = bids;
        self.token += (one > two) as i8 - (two > one) as i8;
        self.coins = [self.coins[0] - one, self.coins[1] - two];
    }

    fn end(&self) -> Option<End> {
        let spent = self.coins == [0; 2];
        let ahead = match self.token {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::One),
            _ => Outcome::Win(Player::Two),
        };
        if self.token.abs() == GOAL {
            Some(End::by_rule(ahead, "goal"))
        } else {
            spent.then(|| End::by_rule(ahead, "coins-spent"))
        }
    }

    fn key(&self) -> u64 {
        let [one, two] = self.coins.map(u64::from);
        split_mix(one << 16 | two << 8 | u64::from(self.token.cast_unsigned()))
    }
}

impl Simultaneous for Footsteps {}

/// A text that is not of this game.
#[derive(Debug)]
pub struct ParseError {
    expected: &'static str,
    found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}

/// A number as `Display` writes it.
fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Bid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bid = number(text).filter(|&bid| bid <= COINS).map(Bid);
        bid.ok_or_else(|| ParseError { expected: "0 to 15 coins", found: text.to_owned() })
    }
}

impl fmt::Display for Footsteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = self.coins;
        if f.alternate() {
            let track: String = (-GOAL..=GOAL).map(|at| if at == self.token { 'o' } else { '-' }).collect();
            return write!(f, "p2 ({two} coins) {track} p1 ({one} coins)");
        }
        write!(f, "{} {one} {two}", self.token)
    }
}

impl FromStr for Footsteps {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let [token, one, two] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
            let (token, coins): (i8, [u8; 2]) = (number(token)?, [number(one)?, number(two)?]);
            ((-GOAL..=GOAL).contains(&token) && coins.iter().all(|&coins| coins <= COINS))
                .then_some(Footsteps { token, coins })
        };
        let expected = "the token's place from -3 to 3 and the coins of both, 0 to 15, such as `0 15 15`";
        read().ok_or_else(|| ParseError { expected, found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use search_core::laws::Laws;

    use super::*;

    search_core::game_laws!(Footsteps, Laws::new().longest(15));
}
