//! Goofspiel with the prizes in falling order: both players bid a card at once, the higher card takes the prize.

use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, split_mix};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

/// The largest number of cards.
pub const MOST_CARDS: u8 = 13;

/// A card, 1 to the number of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub u8);

/// How many cards each player starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cards(pub u8);

impl Default for Cards {
    fn default() -> Self {
        Cards(4)
    }
}

/// A position: the cards both players still hold (bit n for the card n), and by how much the first player leads. The
/// prizes fall from the highest card to 1; equal bids discard the prize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goofspiel {
    hands: [u16; 2],
    lead: i8,
}

impl Goofspiel {
    /// The prize of this turn, 0 when all are gone.
    pub fn prize(self) -> u8 {
        self.hands[0].count_ones() as u8
    }

    /// By how many points `player` leads.
    pub fn lead(self, player: Player) -> i32 {
        if player == Player::One { i32::from(self.lead) } else { -i32::from(self.lead) }
    }
}

fn card(text: &str, expected: &'static str) -> Result<u8, ParseError> {
    match text.parse() {
        Ok(card) if (1..=MOST_CARDS).contains(&card) => Ok(card),
        _ => Err(ParseError { expected, found: text.to_owned() }),
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Card {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        card(text, "a card from 1 to 13").map(Card)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Cards {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        card(text, "a number of cards from 1 to 13").map(Cards)
    }
}

fn hand_text(hand: u16) -> String {
    let cards: Vec<String> =
        (1..=MOST_CARDS).filter(|card| hand >> card & 1 != 0).map(|card| card.to_string()).collect();
    cards.join(",")
}

impl fmt::Display for Goofspiel {
    /// Both hands and the lead of the first player: `1,2,3 1,2,4 -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = self.hands.map(hand_text);
        write!(f, "{one} {two} {}", self.lead)
    }
}

impl FromStr for Goofspiel {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = |expected| ParseError { expected, found: text.to_owned() };
        let parts: Vec<&str> = text.split(' ').collect();
        let [one, two, lead] = parts[..] else { return Err(bad("two hands and a lead")) };
        let mut hands = [0_u16; 2];
        for (hand, cards) in hands.iter_mut().zip([one, two]) {
            for text in cards.split(',').filter(|text| !text.is_empty()) {
                let bit = 1 << card(text, "cards from 1 to 13 joined by commas")?;
                if *hand & bit != 0 {
                    return Err(bad("every card at most once in a hand"));
                }
                *hand |= bit;
            }
        }
        if hands[0].count_ones() != hands[1].count_ones() {
            return Err(bad("two hands of the same size"));
        }
        // All prizes of the largest game together are 91 points.
        match lead.parse() {
            Ok(lead) if (-91..=91).contains(&lead) => Ok(Goofspiel { hands, lead }),
            _ => Err(bad("a lead from -91 to 91")),
        }
    }
}

impl Game for Goofspiel {
    const NAME: &'static str = "goofspiel";

    type Move = Card;
    type Turn = [Card; 2];
    type Moves = SmallVec<[Card; MOST_CARDS as usize]>;
    type Setup = Cards;

    fn initial(&Cards(cards): &Cards, _: u64) -> Self {
        let hand = (1 << (cards.min(MOST_CARDS) + 1)) - 2;
        Goofspiel { hands: [hand; 2], lead: 0 }
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Card>>(&self, player: Player, sink: &mut S) {
        let hand = self.hands[player.index()];
        (1..=MOST_CARDS).filter(|card| hand >> card & 1 != 0).for_each(|card| sink.push(Card(card)));
    }

    fn play_turn(&mut self, [one, two]: [Card; 2]) {
        debug_assert!(self.is_legal(Player::One, one) && self.is_legal(Player::Two, two));
        let prize = self.prize() as i8;
        self.lead += prize * ((one > two) as i8 - (one < two) as i8);
        self.hands[0] &= !(1 << one.0);
        self.hands[1] &= !(1 << two.0);
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.lead {
            1.. => Outcome::Win(Player::One),
            0 => Outcome::Draw,
            _ => Outcome::Win(Player::Two),
        };
        (self.hands[0] == 0).then(|| End::by_rule(outcome, "points"))
    }

    /// The points by which a player is ahead at the end.
    fn utility(&self, player: Player) -> i32 {
        if self.hands[0] == 0 { self.lead(player) } else { 0 }
    }

    fn key(&self) -> u64 {
        split_mix(
            u64::from(self.hands[0]) | u64::from(self.hands[1]) << 16 | u64::from(self.lead as u8) << 32,
        )
    }

    fn turns_left(&self) -> Option<u32> {
        None
    }
}

impl Simultaneous for Goofspiel {}
