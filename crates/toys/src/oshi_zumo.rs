//! Oshi-Zumo: both players bid coins at once, and the higher bid pushes the wrestler one place towards the other's edge.

use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, split_mix};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

/// The most coins of a player, and the farthest edge.
pub const MOST: u8 = 50;

/// A bid, in coins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid(pub u8);

/// Coins of each player, places from the middle to each edge, and the least bid (0 or 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ring {
    /// Coins of each player at the start.
    pub coins: u8,
    /// Places on each side of the middle: a push beyond the last one wins.
    pub places: u8,
    /// The least bid while a player has as many coins: 0 or 1.
    pub least: u8,
}

impl Default for Ring {
    fn default() -> Self {
        Ring { coins: 10, places: 3, least: 1 }
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Bid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(coins) if coins <= MOST => Ok(Bid(coins)),
            _ => Err(ParseError { expected: "a bid from 0 to 50", found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Ring {
    /// Coins, places and the least bid: `10,3,1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ring { coins, places, least } = self;
        write!(f, "{coins},{places},{least}")
    }
}

impl FromStr for Ring {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<Option<u8>> = text.split(',').map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [Some(coins), Some(places), Some(least)]
                if coins <= MOST && (1..=MOST).contains(&places) && least <= 1 =>
            {
                Ok(Ring { coins, places, least })
            }
            _ => Err(ParseError {
                expected: "coins up to 50, places from 1 to 50 and the least bid, 0 or 1, such as `10,3,1`",
                found: text.to_owned(),
            }),
        }
    }
}

/// A position: the coins of both players, where the wrestler stands (positive towards the second player's edge), how far the edges
/// are, and the least bid.
///
/// The wrestler begins in the middle. Bids are paid whoever wins; equal bids push nobody. Pushed beyond an edge, or standing on its
/// side of the middle when no coins are left, he loses for that player; in the middle it is a draw. A player with fewer coins than the
/// least bid bids none. If the least bid is 0 and both bid none, nothing would change for ever: that ends the game too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OshiZumo {
    coins: [u8; 2],
    wrestler: i8,
    places: u8,
    least: u8,
    idle: bool,
}

impl fmt::Display for OshiZumo {
    /// Coins of both players, the wrestler, the edges, the least bid, and whether both have bid none: `10 10 0 3 1 -`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OshiZumo { coins: [one, two], wrestler, places, least, idle } = self;
        write!(f, "{one} {two} {wrestler} {places} {least} {}", if *idle { "idle" } else { "-" })
    }
}

impl FromStr for OshiZumo {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = |expected| ParseError { expected, found: text.to_owned() };
        let parts: Vec<&str> = text.split(' ').collect();
        let [one, two, wrestler, places, least, idle] = parts[..] else {
            return Err(bad(
                "two numbers of coins, the wrestler, the edges, the least bid, and `-` or `idle`",
            ));
        };
        let coins = |text: &str| text.parse().ok().filter(|&coins| coins <= MOST);
        let (Some(one), Some(two)) = (coins(one), coins(two)) else { return Err(bad("coins up to 50")) };
        let ring: Ring = format!("{one},{places},{least}").parse()?;
        let beyond = ring.places as i8 + 1;
        let wrestler = wrestler.parse().ok().filter(|place| (-beyond..=beyond).contains(place));
        let wrestler = wrestler.ok_or_else(|| bad("the wrestler at most one place beyond the edges"))?;
        let idle = match idle {
            "-" => false,
            "idle" => true,
            _ => return Err(bad("`-` or `idle` at the end")),
        };
        Ok(OshiZumo { coins: [one, two], wrestler, places: ring.places, least: ring.least, idle })
    }
}

impl OshiZumo {
    fn is_over(self) -> bool {
        self.idle || self.wrestler.unsigned_abs() > self.places || self.coins == [0, 0]
    }
}

impl Game for OshiZumo {
    const NAME: &'static str = "oshi-zumo";

    type Move = Bid;
    type Turn = [Bid; 2];
    type Moves = SmallVec<[Bid; 16]>;
    type Setup = Ring;

    fn initial(&Ring { coins, places, least }: &Ring, _: u64) -> Self {
        let places = places.clamp(1, MOST);
        OshiZumo { coins: [coins.min(MOST); 2], wrestler: 0, places, least: least.min(1), idle: false }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Bid>>(&self, player: Player, sink: &mut S) {
        if !self.is_over() {
            let coins = self.coins[player.index()];
            (self.least.min(coins)..=coins).for_each(|bid| sink.push(Bid(bid)));
        }
    }

    fn play_turn(&mut self, [one, two]: [Bid; 2]) {
        debug_assert!(self.is_legal(Player::One, one) && self.is_legal(Player::Two, two));
        self.coins[0] -= one.0;
        self.coins[1] -= two.0;
        self.wrestler += (one > two) as i8 - (one < two) as i8;
        self.idle = one.0 == 0 && two.0 == 0;
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.wrestler {
            1.. => Outcome::Win(Player::One),
            0 => Outcome::Draw,
            _ => Outcome::Win(Player::Two),
        };
        let reason = if self.wrestler.unsigned_abs() > self.places { "pushed-out" } else { "no-coins" };
        self.is_over().then(|| End::by_rule(outcome, reason))
    }

    fn key(&self) -> u64 {
        let fields =
            [self.coins[0], self.coins[1], self.wrestler as u8, self.places, self.least, self.idle as u8];
        split_mix(fields.into_iter().fold(0, |key, field| key << 8 | u64::from(field)))
    }
}

impl Simultaneous for OshiZumo {}
