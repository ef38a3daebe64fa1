//! Kalah on boards of any size: the game of Irving, Donkers and Uiterwijk ("Solving Kalah", ICGA Journal 23(3), 2000), in which
//! empty captures count.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, TurnBased, split_mix};
use smallvec::SmallVec;

/// How many seeds lie in each house at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seeds(pub u8);

/// The most seeds in each house at the start.
pub const MOST_SEEDS: u8 = 6;

impl Default for Seeds {
    fn default() -> Self {
        Seeds(4)
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that is not a number of seeds, a house or a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    expected: String,
    found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}

/// A whole number within a range.
fn number(text: &str, least: u8, most: u8, what: &str) -> Result<u8, ParseError> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(ParseError { expected: format!("{what} from {least} to {most}"), found: text.to_owned() }),
    }
}

impl FromStr for Seeds {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        number(text, 1, MOST_SEEDS, "a number of seeds").map(Seeds)
    }
}

/// A move: the house whose seeds are sown, 0 for the mover's leftmost. Its text counts from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct House(pub u8);

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

impl FromStr for House {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        number(text, 1, 6, "a house").map(|house| House(house - 1))
    }
}

/// A position: the seeds in both players' houses, each from the owner's left, in their stores, and who is to move.
///
/// A player takes all seeds of one own house and sows them one by one to the right, into the own store, on through the
/// opponent's houses, past the opponent's store and round again. A last seed in the own store gives another move. A last seed in an
/// own empty house goes to the store with all seeds of the house opposite, *even if there are none* (an empty capture). When all
/// houses of either player are empty the game is over, and the other seeds go to their owner's store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kalah<const HOUSES: usize> {
    houses: [[u8; HOUSES]; 2],
    stores: [u8; 2],
    mover: Player,
}

impl<const HOUSES: usize> Kalah<HOUSES> {
    /// The seeds in a player's houses.
    pub fn houses(&self, player: Player) -> &[u8; HOUSES] {
        &self.houses[player.index()]
    }

    /// By how many seeds `player` leads in the stores.
    #[inline]
    pub fn lead(&self, player: Player) -> i32 {
        i32::from(self.stores[player.index()]) - i32::from(self.stores[player.opponent().index()])
    }

    /// The seeds that are in no store yet.
    #[inline]
    pub fn seeds_left(&self) -> u32 {
        self.houses.iter().flatten().map(|&seeds| u32::from(seeds)).sum()
    }

    /// How many seeds a move captures, the last one sown included, and whether it gives another move.
    pub fn gains(&self, House(house): House) -> (u32, bool) {
        let (own, other) = (self.houses[self.mover.index()], self.houses[self.mover.opponent().index()]);
        let (start, round) = (usize::from(house), 2 * HOUSES + 1);
        let seeds = usize::from(own[start]);
        let last = (start + seeds) % round;
        // Of a round or less the house it ends in holds what it held, or is the one that was emptied.
        let empty = last < HOUSES && (seeds == round || seeds < round && own[last] == 0);
        let captured = if empty {
            // A whole round, or a way through the opponent's houses, leaves a seed there.
            let facing = HOUSES - 1 - last;
            1 + u32::from(other[facing]) + u32::from(start + seeds > HOUSES + facing)
        } else {
            0
        };
        (captured, last == HOUSES)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.houses.iter().any(|houses| houses.iter().all(|&seeds| seeds == 0))
    }
}

impl<const HOUSES: usize> fmt::Display for Kalah<HOUSES> {
    /// The houses of both players, the stores and the player to move: `4,4,4 4,4,4 0 0 p1`. The alternate form is a picture, the
    /// second player's houses above, from right to left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = &self.houses;
        let [first, second] = self.stores;
        if f.alternate() {
            write!(f, "{second:>2} |")?;
            two.iter().rev().try_for_each(|seeds| write!(f, " {seeds:>2}"))?;
            write!(f, " |\n   |")?;
            one.iter().try_for_each(|seeds| write!(f, " {seeds:>2}"))?;
            return write!(f, " | {first:>2}");
        }
        let text = |houses: &[u8]| houses.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        write!(f, "{} {} {first} {second} {}", text(one), text(two), self.mover)
    }
}

impl<const HOUSES: usize> FromStr for Kalah<HOUSES> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = |expected: String| ParseError { expected, found: text.to_owned() };
        let parts: Vec<&str> = text.split(' ').collect();
        let [one, two, first, second, mover] = parts[..] else {
            return Err(bad("the houses of both players, two stores and the player to move".to_owned()));
        };
        let most = 2 * HOUSES as u8 * MOST_SEEDS;
        let mut houses = [[0; HOUSES]; 2];
        for (houses, text) in houses.iter_mut().zip([one, two]) {
            let counts: Vec<&str> = text.split(',').collect();
            if counts.len() != HOUSES {
                return Err(ParseError {
                    expected: format!("{HOUSES} numbers of seeds joined by commas"),
                    found: text.to_owned(),
                });
            }
            for (house, count) in houses.iter_mut().zip(counts) {
                *house = number(count, 0, most, "a number of seeds")?;
            }
        }
        let stores = [
            number(first, 0, most, "the seeds in a store")?,
            number(second, 0, most, "the seeds in a store")?,
        ];
        let total: u32 = houses.iter().flatten().chain(&stores).map(|&seeds| u32::from(seeds)).sum();
        if total > u32::from(most) {
            return Err(bad(format!("at most {most} seeds")));
        }
        let mover = mover.parse().map_err(|_| bad("`p1` or `p2` as the player to move".to_owned()))?;
        Ok(Kalah { houses, stores, mover })
    }
}

impl<const HOUSES: usize> Game for Kalah<HOUSES> {
    const NAME: &'static str = "kalah";

    type Move = House;
    type Turn = House;
    type Moves = SmallVec<[House; 6]>;
    type Setup = Seeds;

    fn initial(&Seeds(seeds): &Seeds, _: u64) -> Self {
        const { assert!(HOUSES >= 1 && HOUSES <= 6, "one to six houses for each player") };
        Kalah { houses: [[seeds.min(MOST_SEEDS); HOUSES]; 2], stores: [0; 2], mover: Player::One }
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    #[inline]
    fn moves_of<S: MoveSink<House>>(&self, player: Player, sink: &mut S) {
        if player != self.mover || self.is_over() {
            return;
        }
        for (house, &seeds) in self.houses[player.index()].iter().enumerate() {
            if seeds > 0 {
                sink.push(House(house as u8));
            }
        }
    }

    #[inline]
    fn play_turn(&mut self, House(house): House) {
        let (own, other) = (self.mover.index(), self.mover.opponent().index());
        let mut seeds = std::mem::take(&mut self.houses[own][usize::from(house)]);
        debug_assert!(seeds > 0, "house {house} is empty");
        let mut at = usize::from(house);
        while seeds > 0 {
            at = if at == 2 * HOUSES { 0 } else { at + 1 };
            match at.checked_sub(HOUSES) {
                None => self.houses[own][at] += 1,
                Some(0) => self.stores[own] += 1,
                Some(past) => self.houses[other][past - 1] += 1,
            }
            seeds -= 1;
        }
        if at < HOUSES && self.houses[own][at] == 1 {
            self.stores[own] += 1 + std::mem::take(&mut self.houses[other][HOUSES - 1 - at]);
            self.houses[own][at] = 0;
        }
        if self.is_over() {
            for side in [own, other] {
                self.stores[side] += self.houses[side].iter().sum::<u8>();
                self.houses[side] = [0; HOUSES];
            }
        }
        if at != HOUSES {
            self.mover = self.mover.opponent();
        }
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.utility(Player::One) {
            1.. => Outcome::Win(Player::One),
            0 => Outcome::Draw,
            _ => Outcome::Win(Player::Two),
        };
        self.is_over().then(|| End::by_rule(outcome, "seeds"))
    }

    /// The seeds by which a player is ahead at the end.
    #[inline]
    fn utility(&self, player: Player) -> i32 {
        if !self.is_over() {
            return 0;
        }
        let left =
            |player: Player| -> i32 { self.houses(player).iter().map(|&seeds| i32::from(seeds)).sum() };
        self.lead(player) + left(player) - left(player.opponent())
    }

    fn key(&self) -> u64 {
        let mut key = self.mover.index() as u64;
        for seeds in self.houses.iter().flatten().chain(&self.stores) {
            key = split_mix(key << 8 ^ key >> 56 ^ u64::from(*seeds));
        }
        key
    }
}

impl<const HOUSES: usize> TurnBased for Kalah<HOUSES> {
    #[inline]
    fn to_move(&self) -> Player {
        self.mover
    }
}
