//! The position: who stands where and how high, and how many plies were played.

use std::hash::{Hash, Hasher};

use search_core::{Player, fold, split_mix};
use thiserror::Error;

use crate::{Move, Square, SquareSet};

/// A position of the game, valid by construction: at most 12 tokens a side, at most 500 plies.
///
/// `Display` and `FromStr` are the one-line notation, `{:#}` draws a board. Moves are played through
/// [`Record`](search_core::Record), which checks them, or through [`TurnBased::play`](search_core::TurnBased::play).
///
/// ```
/// use expendibots::{Position, Square};
/// use search_core::Player;
/// let position: Position = "8/1L6/8/8/8/8/8/4l3 b 43".parse()?;
/// assert_eq!(position.tokens(Player::One), 12);
/// assert_eq!(position.stack("e1".parse()?), Some((Player::Two, 12)));
/// assert_eq!(position.plies(), 43);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    /// The squares of each player.
    pub(crate) own: [u64; 2],
    /// Height less one of every stack, a bit plane per binary digit: a single token leaves no trace here.
    pub(crate) planes: [u64; 4],
    pub(crate) plies: u16,
    pub(crate) tokens: [u8; 2],
}

const _: () = assert!(size_of::<Position>() <= 64, "a position is copied at every node");

/// Stacks that do not make a position.
///
/// ```
/// use expendibots::{Position, PositionError};
/// assert_eq!(Position::from_stacks([], 0), Err(PositionError::Empty));
/// assert_eq!(PositionError::Plies { found: 501 }.to_string(), "expected 0 to 500 plies, found 501");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PositionError {
    /// A player has more than 12 tokens.
    #[error("expected at most 12 tokens of {player}, found {found}")]
    TooManyTokens {
        /// Whose tokens they are.
        player: Player,
        /// How many there are.
        found: u32,
    },
    /// A stack without tokens.
    #[error("expected a stack of 1 to 12 tokens on {square}, found height {found}")]
    Height {
        /// Where it stands.
        square: Square,
        /// Its height.
        found: u8,
    },
    /// Two stacks on one square.
    #[error("expected one stack on {square}, found two")]
    Twice {
        /// The square.
        square: Square,
    },
    /// More plies than a game has.
    #[error("expected 0 to 500 plies, found {found}")]
    Plies {
        /// The number given.
        found: u32,
    },
    /// No token at all although nothing was played.
    #[error("expected tokens on the board at ply 0, found none")]
    Empty,
}

impl Position {
    /// Tokens of each player at the start, and the height of the highest stack there can be.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// assert_eq!(Position::start().tokens(Player::One), Position::TOKENS);
    /// ```
    pub const TOKENS: u8 = 12;

    /// The ply that ends the game in a draw: each player had 250 turns.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Game;
    /// let last: Position = "8/8/2a5/3A4/8/8/8/8 w 500".parse()?;
    /// assert_eq!(last.plies(), Position::TURN_LIMIT);
    /// assert_eq!(last.end().map(|end| end.reason), Some("turn-limit"));
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    pub const TURN_LIMIT: u32 = 500;

    /// The position at the start of a game.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert_eq!(Position::start().to_string(), "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0");
    /// ```
    pub const fn start() -> Position {
        // Ranks 1 and 2 of the files a, b, d, e, g, h.
        const WHITE: u64 = 0x0303_0003_0300_0303;
        Position { own: [WHITE, WHITE << 6], planes: [0; 4], plies: 0, tokens: [Position::TOKENS; 2] }
    }

    /// A position from its stacks. Even plies mean that White ([`Player::One`]) is to move.
    ///
    /// ```
    /// use expendibots::{Position, PositionError, Square};
    /// use search_core::Player;
    /// let (c6, d5): (Square, Square) = ("c6".parse()?, "d5".parse()?);
    /// let duel = Position::from_stacks([(c6, Player::Two, 1), (d5, Player::One, 1)], 96)?;
    /// assert_eq!(duel.to_string(), "8/8/2a5/3A4/8/8/8/8 w 96");
    /// let crowd = Position::from_stacks([(c6, Player::Two, 13)], 96);
    /// assert_eq!(crowd, Err(PositionError::TooManyTokens { player: Player::Two, found: 13 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_stacks(
        stacks: impl IntoIterator<Item = (Square, Player, u8)>,
        plies: u32,
    ) -> Result<Position, PositionError> {
        if plies > Position::TURN_LIMIT {
            return Err(PositionError::Plies { found: plies });
        }
        let mut position = Position { own: [0; 2], planes: [0; 4], plies: plies as u16, tokens: [0; 2] };
        let mut totals = [0; 2];
        for (square, player, height) in stacks {
            if position.occupied().contains(square) {
                return Err(PositionError::Twice { square });
            }
            if height == 0 {
                return Err(PositionError::Height { square, found: height });
            }
            totals[player.index()] += u32::from(height);
            position.own[player.index()] |= square.set().0;
            // A height beyond 12 is refused below, with the total.
            position.change_level(square, 0, u32::from(height.min(12)) - 1);
        }
        for player in Player::BOTH {
            let found = totals[player.index()];
            if found > u32::from(Position::TOKENS) {
                return Err(PositionError::TooManyTokens { player, found });
            }
            position.tokens[player.index()] = found as u8;
        }
        if totals == [0; 2] && plies == 0 { Err(PositionError::Empty) } else { Ok(position) }
    }

    /// Who is to move: White, [`Player::One`], at even plies.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// assert_eq!(Position::start().side(), Player::One);
    /// assert_eq!("8/8/2a5/3A4/8/8/8/8 b 97".parse::<Position>()?.side(), Player::Two);
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn side(&self) -> Player {
        if self.plies & 1 == 0 { Player::One } else { Player::Two }
    }

    /// The number of plies played.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert_eq!("8/8/2a5/3A4/8/8/8/8 w 96".parse::<Position>()?.plies(), 96);
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn plies(&self) -> u32 {
        self.plies as u32
    }

    /// The squares with a stack of `player`.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.stacks(Player::One).to_string(), "a1 d5");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn stacks(&self, player: Player) -> SquareSet {
        SquareSet(self.own[player.index()])
    }

    /// The squares with a stack of either side.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.occupied().to_string(), "a1 c6 d5");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn occupied(&self) -> SquareSet {
        SquareSet(self.own[0] | self.own[1])
    }

    /// The number of tokens that `player` has left.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!((position.tokens(Player::One), position.tokens(Player::Two)), (3, 1));
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn tokens(&self, player: Player) -> u8 {
        self.tokens[player.index()]
    }

    pub(crate) const fn tall_word(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2] | self.planes[3]
    }

    /// The height of the stack on `square`, 0 if it is empty.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.height("d5".parse()?), 2);
    /// assert_eq!(position.height("d4".parse()?), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn height(&self, square: Square) -> u8 {
        if self.occupied().contains(square) { self.level(square) as u8 + 1 } else { 0 }
    }

    /// Owner and height of the stack on `square`, if there is one.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.stack("c6".parse()?), Some((Player::Two, 1)));
    /// assert_eq!(position.stack("d4".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn stack(&self, square: Square) -> Option<(Player, u8)> {
        if self.stacks(Player::One).contains(square) {
            Some((Player::One, self.level(square) as u8 + 1))
        } else if self.stacks(Player::Two).contains(square) {
            Some((Player::Two, self.level(square) as u8 + 1))
        } else {
            None
        }
    }

    /// Height less one; 0 on an empty square.
    #[inline]
    pub(crate) const fn level(&self, square: Square) -> u32 {
        let [p0, p1, p2, p3] = self.planes;
        digit(p0, square) | digit(p1, square) << 1 | digit(p2, square) << 2 | digit(p3, square) << 3
    }

    #[inline]
    pub(crate) fn change_level(&mut self, square: Square, old: u32, new: u32) {
        let change = u64::from(old ^ new);
        for (plane, word) in self.planes.iter_mut().enumerate() {
            *word ^= (change >> plane & 1) << square.index();
        }
    }

    /// Plays a move that is legal.
    #[inline]
    pub(crate) fn advance(&mut self, mv: Move) {
        if mv.is_boom() {
            let gone = self.occupied().connected(mv.from().set());
            self.remove(gone);
        } else {
            let mover = self.side().index();
            let (from, to) = (mv.from().set().0, mv.to().set().0);
            if self.tall_word() & from == 0 {
                // The most common case by far, a single token: one more on the target, if there is a stack already.
                let own = self.own[mover];
                let mut carry = own & to;
                self.own[mover] = own ^ from | to;
                for plane in &mut self.planes {
                    (*plane, carry) = (*plane ^ carry, *plane & carry);
                }
            } else {
                self.shift(mover, mv);
            }
        }
        self.plies += 1;
    }

    fn shift(&mut self, mover: usize, mv: Move) {
        let (from, to, count) = (mv.from(), mv.to(), u32::from(mv.count()));
        let old = self.level(from);
        if old + 1 == count {
            self.own[mover] ^= from.set().0;
            self.change_level(from, old, 0);
        } else {
            self.change_level(from, old, old - count);
        }
        if self.own[mover] & to.set().0 == 0 {
            self.own[mover] ^= to.set().0;
            self.change_level(to, 0, count - 1);
        } else {
            let level = self.level(to);
            self.change_level(to, level, level + count);
        }
    }

    /// Takes every stack on the squares of `set` off the board. The ply counter stays.
    #[inline]
    pub(crate) fn remove(&mut self, set: SquareSet) {
        for player in Player::BOTH {
            if self.own[player.index()] & set.0 != 0 {
                self.tokens[player.index()] -= self.tokens_on(player, set);
                self.own[player.index()] &= !set.0;
            }
        }
        for plane in &mut self.planes {
            *plane &= !set.0;
        }
    }

    /// Stacks and side to move in one well-mixed word; the ply counter is left out.
    #[inline]
    pub(crate) fn board_key(&self) -> u64 {
        // Folded products of words that cannot be zero: a constant has far more bits set than a side has stacks.
        let board = fold(self.own[0] ^ KEYS[0], self.own[1] ^ KEYS[1]);
        let low = fold(self.planes[0] ^ KEYS[2], self.planes[1] ^ KEYS[3]);
        let high = fold(self.planes[2] ^ KEYS[4], self.planes[3] ^ KEYS[5]);
        let side = if self.plies & 1 == 0 { 0 } else { KEYS[6] };
        split_mix(board ^ low.rotate_left(21) ^ high.rotate_left(42) ^ side)
    }
}

#[inline]
const fn digit(plane: u64, square: Square) -> u32 {
    (plane >> square.index()) as u32 & 1
}

const KEYS: [u64; 7] = {
    let mut keys = [0; 7];
    let mut index = 0;
    while index < 7 {
        keys[index] = split_mix(0x6578_7065_6e64_6962 + index as u64);
        index += 1;
    }
    keys
};

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.own == other.own && self.planes == other.planes && self.plies == other.plies
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board_key().hash(state);
        self.plies.hash(state);
    }
}

impl Default for Position {
    /// The start position.
    fn default() -> Position {
        Position::start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_that_make_no_position_are_refused() {
        let a1 = Square::new(0, 0).unwrap();
        let b1 = Square::new(1, 0).unwrap();
        let error = |stacks: &[(Square, Player, u8)], plies| {
            Position::from_stacks(stacks.iter().copied(), plies).unwrap_err().to_string()
        };
        let one = Player::One;
        assert_eq!(error(&[(a1, one, 7), (b1, one, 6)], 0), "expected at most 12 tokens of p1, found 13");
        assert_eq!(error(&[(a1, one, 255)], 0), "expected at most 12 tokens of p1, found 255");
        assert_eq!(error(&[(a1, one, 0)], 0), "expected a stack of 1 to 12 tokens on a1, found height 0");
        assert_eq!(error(&[(a1, one, 1), (a1, Player::Two, 1)], 0), "expected one stack on a1, found two");
        assert_eq!(error(&[(a1, one, 1)], 501), "expected 0 to 500 plies, found 501");
        assert_eq!(error(&[], 0), "expected tokens on the board at ply 0, found none");
        assert!(Position::from_stacks([], 81).is_ok());
    }
}
