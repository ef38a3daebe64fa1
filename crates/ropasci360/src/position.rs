//! A position: what stands where, and how a turn changes it.

use search_core::{End, Outcome, Player};
use thiserror::Error;

use crate::hex::{COUNT, NEIGHBOURS};
use crate::stacks::Stacks;
use crate::{Hex, HexSet, Move, Symbol};

/// The number of hexes a player can throw to, by the number of throws used (none after the ninth).
const ZONE_SIZE: [u8; Position::THROWS as usize + 1] = [5, 11, 18, 26, 35, 43, 50, 56, 61, 0];

/// A position of RoPaSci 360. Upper is [`Player::One`], Lower is [`Player::Two`].
///
/// For each side and symbol the set of hexes, and for each side the sizes of its stacks; throws used and turns played.
/// All tokens on one hex have the same symbol.
///
/// ```
/// use ropasci360::Position;
/// use search_core::{Game, Player, Simultaneous};
///
/// let mut position = Position::start();
/// assert_eq!(position.move_count(Player::One), 15);
/// position.play(["p@i3".parse().unwrap(), "p@a7".parse().unwrap()]);
/// assert_eq!(position.to_string(), "2P2/6/7/8/9/8/7/6/2p2 1 1 1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) boards: [[u64; 3]; 2],
    pub(crate) stacks: [Stacks; 2],
    pub(crate) throws: [u8; 2],
    pub(crate) turns: u16,
}

const _: () = assert!(size_of::<Position>() <= 128);

/// Tokens, throws and turns that do not make a position.
///
/// ```
/// use ropasci360::{Position, PositionError};
/// assert_eq!(Position::from_tokens([], [0, 0], 361), Err(PositionError::Turns { found: 361 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Two symbols on one hex.
    #[error("all tokens on one hex have the same symbol, but {hex} has {} and {}", symbols[0], symbols[1])]
    MixedSymbols {
        /// The hex.
        hex: Hex,
        /// Two symbols found there.
        symbols: [Symbol; 2],
    },
    /// More throws than a player has.
    #[error("expected at most {} throws of {player}, found {found}", Position::THROWS)]
    Throws {
        /// Whose throws.
        player: Player,
        /// The number found.
        found: u32,
    },
    /// More turns than a game has.
    #[error("expected at most {} turns played, found {found}", Position::TURN_LIMIT)]
    Turns {
        /// The number found.
        found: u32,
    },
    /// More tokens than were thrown.
    #[error("{player} has used {throws} throws but has {tokens} tokens on the board")]
    TooManyTokens {
        /// Whose tokens.
        player: Player,
        /// Tokens on the board.
        tokens: usize,
        /// Throws used.
        throws: u8,
    },
}

impl Position {
    /// The throws of each player in a game.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// assert_eq!(Position::start().throws_left(Player::One), Position::THROWS);
    /// ```
    pub const THROWS: u8 = 9;

    /// The turn after which the game is over at the latest.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Game;
    /// let last: Position = "5/6/7/8/3R5/8/7/6/s4 1 1 360".parse().unwrap();
    /// assert_eq!(last.turns(), Position::TURN_LIMIT);
    /// assert_eq!(last.end().unwrap().reason, "turn-limit");
    /// ```
    pub const TURN_LIMIT: u32 = 360;

    /// The empty board before the first turn.
    ///
    /// ```
    /// use ropasci360::Position;
    /// assert_eq!(Position::start().to_string(), "5/6/7/8/9/8/7/6/5 0 0 0");
    /// ```
    pub const fn start() -> Position {
        Position { boards: [[0; 3]; 2], stacks: [Stacks([0; 4]); 2], throws: [0; 2], turns: 0 }
    }

    /// A position with these tokens, throws used (Upper's, Lower's) and turns played.
    ///
    /// ```
    /// use ropasci360::{Hex, Position, Symbol};
    /// use search_core::Player;
    /// let e5: Hex = "e5".parse().unwrap();
    /// let tokens = [(e5, Player::One, Symbol::Rock), (e5, Player::Two, Symbol::Rock)];
    /// let position = Position::from_tokens(tokens, [1, 1], 10).unwrap();
    /// assert_eq!(position.to_string(), "5/6/7/8/4(Rr)4/8/7/6/5 1 1 10");
    /// ```
    pub fn from_tokens(
        tokens: impl IntoIterator<Item = (Hex, Player, Symbol)>,
        throws: [u8; 2],
        turns: u32,
    ) -> Result<Position, PositionError> {
        if turns > Position::TURN_LIMIT {
            return Err(PositionError::Turns { found: turns });
        }
        let mut position = Position { throws, turns: turns as u16, ..Position::start() };
        let mut counts = [0_usize; 2];
        for player in Player::BOTH {
            if throws[player.index()] > Position::THROWS {
                return Err(PositionError::Throws { player, found: throws[player.index()].into() });
            }
        }
        for (hex, player, symbol) in tokens {
            if let Some(other) = position.symbol_at(hex).filter(|&other| other != symbol) {
                return Err(PositionError::MixedSymbols { hex, symbols: [other, symbol] });
            }
            counts[player.index()] += 1;
            if counts[player.index()] <= Position::THROWS as usize {
                position.add(player, symbol, hex.bit());
            }
        }
        for player in Player::BOTH {
            let (tokens, throws) = (counts[player.index()], throws[player.index()]);
            if tokens > throws as usize {
                return Err(PositionError::TooManyTokens { player, tokens, throws });
            }
        }
        Ok(position)
    }

    /// The hexes on which `player` has tokens of `symbol`.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol};
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.tokens(Player::One, Symbol::Rock).to_string(), "e4");
    /// ```
    #[inline]
    pub fn tokens(&self, player: Player, symbol: Symbol) -> HexSet {
        HexSet::from_bits(self.boards[player.index()][symbol.index()])
    }

    /// The hexes on which `player` has tokens.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.occupied(Player::One).to_string(), "a5 e4");
    /// ```
    #[inline]
    pub fn occupied(&self, player: Player) -> HexSet {
        HexSet::from_bits(self.own(player.index()))
    }

    /// The number of tokens of `player` on `hex`.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// let e4 = "e4".parse().unwrap();
    /// assert_eq!(Player::BOTH.map(|player| position.count_at(player, e4)), [2, 1]);
    /// ```
    #[inline]
    pub fn count_at(&self, player: Player, hex: Hex) -> u8 {
        let side = player.index();
        u8::from(self.own(side) & hex.bit() != 0) + self.stacks[side].extra(hex.bit())
    }

    /// The number of tokens of `player` on the board.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(Player::BOTH.map(|player| position.token_count(player)), [3, 1]);
    /// ```
    #[inline]
    pub fn token_count(&self, player: Player) -> u8 {
        let side = player.index();
        self.own(side).count_ones() as u8 + self.stacks[side].extra_sum(u64::MAX)
    }

    /// The number of tokens of `player` with this symbol.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol};
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(Symbol::ALL.map(|symbol| position.symbol_count(Player::One, symbol)), [2, 1, 0]);
    /// ```
    #[inline]
    pub fn symbol_count(&self, player: Player, symbol: Symbol) -> u8 {
        let board = self.boards[player.index()][symbol.index()];
        board.count_ones() as u8 + self.stacks[player.index()].extra_sum(board)
    }

    /// The symbol of the tokens on `hex`, `None` if it is empty.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol};
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.symbol_at("e4".parse().unwrap()), Some(Symbol::Rock));
    /// assert_eq!(position.symbol_at("e5".parse().unwrap()), None);
    /// ```
    #[inline]
    pub fn symbol_at(&self, hex: Hex) -> Option<Symbol> {
        let bit = hex.bit();
        Symbol::ALL.into_iter().find(|s| (self.boards[0][s.index()] | self.boards[1][s.index()]) & bit != 0)
    }

    /// The throws that `player` has used.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.throws_used(Player::One), 3);
    /// ```
    #[inline]
    pub fn throws_used(&self, player: Player) -> u8 {
        self.throws[player.index()]
    }

    /// The throws that `player` has left.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.throws_left(Player::One), 6);
    /// ```
    #[inline]
    pub fn throws_left(&self, player: Player) -> u8 {
        Position::THROWS - self.throws[player.index()]
    }

    /// The turns played so far.
    ///
    /// ```
    /// use ropasci360::Position;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// assert_eq!(position.turns(), 10);
    /// ```
    #[inline]
    pub fn turns(&self) -> u32 {
        self.turns.into()
    }

    /// The hexes to which `player` can throw now: none without a throw left.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// assert_eq!(Position::start().throw_zone(Player::Two).to_string(), "a5 a6 a7 a8 a9");
    /// ```
    #[inline]
    pub fn throw_zone(&self, player: Player) -> HexSet {
        let (first, size) = self.zone(player.index());
        HexSet::from_bits(((1 << size) - 1) << first)
    }

    /// The first hex of the throw zone and its size: rows are whole and hexes are numbered by rows, so a zone is a run.
    #[inline]
    pub(crate) fn zone(&self, side: usize) -> (usize, usize) {
        let size = ZONE_SIZE[self.throws[side] as usize] as usize;
        (if side == 0 { COUNT - size } else { 0 }, size)
    }

    /// The hexes that a token of `player` on `hex` reaches with one slide or swing. Asks nothing of `hex`: also answers
    /// for a token that is not there.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3RP4/8/7/6/p4 9 1 10".parse().unwrap();
    /// let reach = position.reach(Player::One, "e4".parse().unwrap());
    /// assert_eq!(reach.to_string(), "d4 d5 d6 e3 e5 e6 f3 f4 f5");
    /// ```
    #[inline]
    pub fn reach(&self, player: Player, hex: Hex) -> HexSet {
        HexSet::from_bits(reach(self.own(player.index()), hex.index()))
    }

    /// All hexes with tokens of a side.
    #[inline]
    pub(crate) fn own(&self, side: usize) -> u64 {
        let [rock, paper, scissors] = self.boards[side];
        rock | paper | scissors
    }

    /// Puts a token on a hex that is empty or holds tokens of its symbol only.
    #[inline]
    fn add(&mut self, player: Player, symbol: Symbol, bit: u64) {
        let board = &mut self.boards[player.index()][symbol.index()];
        if *board & bit == 0 {
            *board |= bit;
        } else {
            self.stacks[player.index()].push(bit);
        }
    }

    /// Takes the token of a move from hand or board: its symbol.
    #[inline]
    fn take(&mut self, side: usize, mv: Move) -> usize {
        if let Some(symbol) = mv.thrown() {
            self.throws[side] += 1;
            return symbol.index();
        }
        // A step has a from-hex; shifting by its number cannot fail.
        let bit = 1_u64 << mv.from().map_or(0, Hex::index);
        let [_, paper, scissors] = self.boards[side];
        let symbol = usize::from(paper & bit != 0) + 2 * usize::from(scissors & bit != 0);
        if self.stacks[side].any() & bit == 0 {
            self.boards[side][symbol] &= !bit;
        } else {
            self.stacks[side].pop(bit);
        }
        symbol
    }

    /// Removes everything from a hex.
    #[inline]
    fn clear(&mut self, bit: u64) {
        for side in 0..2 {
            for board in &mut self.boards[side] {
                *board &= !bit;
            }
            self.stacks[side].clear(bit);
        }
    }

    /// A token arrives alone on a hex: it dies, takes what stands there, or joins it.
    #[inline]
    fn arrive(&mut self, player: Player, symbol: usize, bit: u64) {
        let symbol = Symbol::ALL[symbol];
        let all = |symbol: Symbol| self.boards[0][symbol.index()] | self.boards[1][symbol.index()];
        if all(symbol.hunter()) & bit != 0 {
            return;
        }
        if all(symbol.prey()) & bit != 0 {
            self.clear(bit);
        }
        self.add(player, symbol, bit);
    }

    /// Both tokens arrive on the same hex: removals are decided over all symbols there before any is made.
    fn clash(&mut self, symbols: [usize; 2], bit: u64) {
        let mut present = [false; 3];
        for symbol in Symbol::ALL {
            let here = self.boards[0][symbol.index()] | self.boards[1][symbol.index()];
            present[symbol.index()] = here & bit != 0 || symbols.contains(&symbol.index());
        }
        let dies = |symbol: Symbol| present[symbol.hunter().index()];
        if Symbol::ALL
            .into_iter()
            .any(|s| (self.boards[0][s.index()] | self.boards[1][s.index()]) & bit != 0 && dies(s))
        {
            self.clear(bit);
        }
        for player in Player::BOTH {
            let symbol = Symbol::ALL[symbols[player.index()]];
            if !dies(symbol) {
                self.add(player, symbol, bit);
            }
        }
    }

    /// Carries out both moves, then the battles on the target hexes.
    #[inline]
    pub(crate) fn turn(&mut self, moves: [Move; 2]) {
        let symbols = [self.take(0, moves[0]), self.take(1, moves[1])];
        let bits = moves.map(|mv| mv.to().bit());
        if bits[0] == bits[1] {
            self.clash(symbols, bits[0]);
        } else {
            self.arrive(Player::One, symbols[0], bits[0]);
            self.arrive(Player::Two, symbols[1], bits[1]);
        }
        self.turns += 1;
    }

    /// The symbols that `side` has on the board, as bits.
    #[inline]
    pub(crate) fn symbol_bits(&self, side: usize) -> u8 {
        let [rock, paper, scissors] = self.boards[side];
        u8::from(rock != 0) | u8::from(paper != 0) << 1 | u8::from(scissors != 0) << 2
    }

    /// The symbols of invincible tokens of `side`, as bits.
    #[inline]
    pub(crate) fn invincible_bits(&self, side: usize) -> u8 {
        if self.throws[1 - side] < Position::THROWS {
            return 0;
        }
        self.symbol_bits(side) & !hunted(self.symbol_bits(1 - side))
    }

    /// Whether one of the rules 1 to 3 of the end applies; all need a side that is out of throws.
    #[inline]
    fn is_decided(&self) -> bool {
        let out = [self.throws[0] == Position::THROWS, self.throws[1] == Position::THROWS];
        if !(out[0] | out[1]) {
            return false;
        }
        let own = [self.symbol_bits(0), self.symbol_bits(1)];
        let gone = out[0] && own[0] == 0 || out[1] && own[1] == 0;
        let upper = out[1] & (own[0] & !hunted(own[1]) != 0);
        let lower = out[0] & (own[1] & !hunted(own[0]) != 0);
        gone || upper & lower || upper && self.is_last_token(1) || lower && self.is_last_token(0)
    }

    /// Whether a side has exactly one token.
    #[inline]
    fn is_last_token(&self, side: usize) -> bool {
        self.own(side).is_power_of_two() && self.stacks[side].any() == 0
    }

    /// Whether the game is over by facts of this position.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.turns() >= Position::TURN_LIMIT || self.is_decided()
    }

    /// The end of the game by facts of this position, in the referee's order.
    #[inline]
    pub(crate) fn ending(&self) -> Option<End> {
        if self.is_decided() {
            return self.decision();
        }
        (self.turns() >= Position::TURN_LIMIT).then_some(End::by_cap(Outcome::Draw, "turn-limit"))
    }

    /// The first of the rules 1 to 3 of the end that applies.
    #[cold]
    fn decision(&self) -> Option<End> {
        const UPPER: Outcome = Outcome::Win(Player::One);
        const LOWER: Outcome = Outcome::Win(Player::Two);
        let own = [self.own(0), self.own(1)];
        match [0, 1].map(|side| self.throws[side] == Position::THROWS && own[side] == 0) {
            [true, true] => return Some(End::by_rule(Outcome::Draw, "mutual-elimination")),
            [true, false] => return Some(End::by_rule(LOWER, "elimination")),
            [false, true] => return Some(End::by_rule(UPPER, "elimination")),
            [false, false] => {}
        }
        match [self.invincible_bits(0) != 0, self.invincible_bits(1) != 0] {
            [true, true] => Some(End::by_rule(Outcome::Draw, "both-invincible")),
            [true, false] if self.is_last_token(1) => Some(End::by_rule(UPPER, "invincible-vs-last-token")),
            [false, true] if self.is_last_token(0) => Some(End::by_rule(LOWER, "invincible-vs-last-token")),
            _ => None,
        }
    }

    /// A hash of the board and the throws used, without the turn.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        // Computed on demand from products that do not wait for each other: playouts and perft never ask, a search asks
        // once a node.
        const fn fold(a: u64, b: u64, salt: usize) -> u64 {
            search_core::fold(a ^ SALTS[salt], b ^ SALTS[salt + 1])
        }
        let [upper, lower] = self.boards;
        let throws = self.throws[0] as u64 | (self.throws[1] as u64) << 8;
        let mut hash = fold(upper[0], upper[1], 0)
            ^ fold(upper[2], lower[0], 2)
            ^ fold(lower[1], lower[2], 4)
            ^ fold(throws, 0, 6);
        if self.stacks[0].any() | self.stacks[1].any() != 0 {
            let [upper, lower] = [self.stacks[0].0, self.stacks[1].0];
            hash ^= fold(upper[0], upper[1], 8)
                ^ fold(upper[2], upper[3], 10)
                ^ fold(lower[0], lower[1], 12)
                ^ fold(lower[2], lower[3], 14);
        }
        search_core::split_mix(hash)
    }
}

/// The symbols, as bits, that some symbol of `hunters` beats: the hunter of a symbol is the next one in the circle.
#[inline]
const fn hunted(hunters: u8) -> u8 {
    (hunters >> 1 | hunters << 2) & 0b111
}

/// Hash constants, made by `SplitMix64`.
const SALTS: [u64; 16] = {
    let mut salts = [0; 16];
    let mut index = 0;
    while index < 16 {
        salts[index] = search_core::split_mix(0x360 + index as u64);
        index += 1;
    }
    salts
};

/// The hexes that a token on `hex` reaches by slide or swing among its own side's tokens.
#[inline]
pub(crate) fn reach(own: u64, hex: usize) -> u64 {
    let near = NEIGHBOURS[hex];
    let mut set = near;
    let mut pivots = near & own;
    // Two pivots without a branch, since most tokens have none to two and nobody can predict which.
    for _ in 0..2 {
        set |= NEIGHBOURS[pivots.trailing_zeros() as usize];
        pivots &= pivots.wrapping_sub(1);
    }
    while pivots != 0 {
        set |= NEIGHBOURS[pivots.trailing_zeros() as usize];
        pivots &= pivots - 1;
    }
    set & !(1 << hex)
}
