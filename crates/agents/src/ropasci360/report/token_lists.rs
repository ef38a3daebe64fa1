//! The board as the report's program keeps it: lists of tokens in the order thrown, which decides many ties.

use ropasci360::{Hex, HexSet, Move, Position, Symbol};
use search_core::Player;

/// One token: its symbol, its place in the list of its symbol, and its hex. Two tokens on one hex are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The symbol.
    pub symbol: Symbol,
    /// The place in the list.
    pub place: u8,
    /// Where it stands.
    pub hex: Hex,
}

/// The tokens of one side and symbol, in the order thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct List {
    len: u8,
    hexes: [Hex; Position::THROWS as usize],
}

impl List {
    fn new() -> List {
        // Any hex will do where there is no token.
        List { len: 0, hexes: [CENTRE; Position::THROWS as usize] }
    }

    fn hexes(&self) -> &[Hex] {
        &self.hexes[..self.len as usize]
    }

    fn push(&mut self, hex: Hex) {
        // A side throws nine tokens in all.
        debug_assert!(self.len < Position::THROWS);
        self.hexes[self.len as usize] = hex;
        self.len += 1;
    }

    fn remove_all(&mut self, hex: Hex) {
        let mut kept = 0;
        for index in 0..self.len as usize {
            if self.hexes[index] != hex {
                self.hexes[kept] = self.hexes[index];
                kept += 1;
            }
        }
        self.len = kept as u8;
    }
}

/// The middle of the board.
pub(crate) const CENTRE: Hex = match Hex::new(0, 0) {
    Some(hex) => hex,
    None => unreachable!(),
};

/// All hexes in the order of the text of a position.
static TEXT_ORDER: [Hex; Hex::COUNT] = {
    let mut table = [CENTRE; Hex::COUNT];
    let mut filled = 0;
    let mut r = 4;
    while r >= -4 {
        let mut q = -4;
        while q <= 4 {
            if let Some(hex) = Hex::new(r, q) {
                table[filled] = hex;
                filled += 1;
            }
            q += 1;
        }
        r -= 1;
    }
    table
};

/// The steps to a neighbour, in the program's order.
const STEPS: [(i8, i8); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];

/// The neighbours of each hex in the program's order; where there are less than six, the hex itself fills up.
static NEIGHBOURS: [[Hex; 6]; Hex::COUNT] = {
    let mut table = [[CENTRE; 6]; Hex::COUNT];
    let mut index = 0;
    while index < Hex::COUNT {
        if let Some(hex) = Hex::from_index(index) {
            let mut filled = 0;
            let mut step = 0;
            table[index] = [hex; 6];
            while step < 6 {
                if let Some(neighbour) = Hex::new(hex.r() + STEPS[step].0, hex.q() + STEPS[step].1) {
                    table[index][filled] = neighbour;
                    filled += 1;
                }
                step += 1;
            }
        }
        index += 1;
    }
    table
};

/// The neighbours of a hex in the program's order.
fn neighbours(hex: Hex) -> impl Iterator<Item = Hex> {
    NEIGHBOURS[hex.index()].into_iter().take(hex.neighbours().len())
}

/// A board of token lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    lists: [[List; 3]; 2],
    thrown: [u8; 2],
}

impl Tokens {
    /// The tokens of a position, added in the order in which they stand in its text; or in the opposite order.
    pub fn new(position: &Position, reversed: bool) -> Tokens {
        let mut tokens = Tokens {
            lists: [[List::new(); 3]; 2],
            thrown: Player::BOTH.map(|player| position.throws_used(player)),
        };
        // The text goes from the top row down and from left to right; hexes are numbered from the bottom row up.
        let hexes = TEXT_ORDER.iter().copied();
        let mut add = |hex: Hex| {
            if let Some(symbol) = position.symbol_at(hex) {
                for player in Player::BOTH {
                    for _ in 0..position.count_at(player, hex) {
                        tokens.lists[player.index()][symbol.index()].push(hex);
                    }
                }
            }
        };
        if reversed {
            hexes.rev().for_each(&mut add);
        } else {
            hexes.for_each(&mut add);
        }
        tokens
    }

    /// The hexes of one side and symbol, in the order thrown.
    pub fn of(&self, player: Player, symbol: Symbol) -> &[Hex] {
        self.lists[player.index()][symbol.index()].hexes()
    }

    /// All tokens of one side: rocks, then papers, then scissors, each in the order thrown.
    pub fn all(&self, player: Player) -> impl Iterator<Item = Token> + '_ {
        Symbol::ALL.into_iter().flat_map(move |symbol| {
            let hexes = self.of(player, symbol).iter().zip(0..);
            hexes.map(move |(&hex, place)| Token { symbol, place, hex })
        })
    }

    /// The number of tokens of one side.
    pub fn count(&self, player: Player) -> usize {
        self.lists[player.index()].iter().map(|list| list.len as usize).sum()
    }

    /// The throws used by one side.
    pub fn thrown(&self, player: Player) -> u8 {
        self.thrown[player.index()]
    }

    /// The hexes with tokens of one side.
    pub fn occupied(&self, player: Player) -> HexSet {
        let all = self.lists[player.index()].iter().flat_map(List::hexes);
        all.copied().collect()
    }

    /// The hexes with tokens of one side and symbol.
    pub fn set_of(&self, player: Player, symbol: Symbol) -> HexSet {
        self.of(player, symbol).iter().copied().collect()
    }

    /// Whether a token of `player` on `hex` shares it with an enemy token: taking it costs the enemy that one too.
    pub fn is_safe(&self, player: Player, hex: Hex) -> bool {
        self.lists[player.opponent().index()].iter().any(|list| list.hexes().contains(&hex))
    }

    /// The valid moves of a token: slides, then swings around each own token in list order, all in reverse.
    pub fn valid_moves(&self, player: Player, from: Hex) -> Vec<Hex> {
        let mut moves: Vec<Hex> = Vec::with_capacity(18);
        moves.extend(neighbours(from));
        let near = from.neighbours();
        let mut seen = near | from.into();
        for token in self.all(player) {
            if near.contains(token.hex) {
                for hex in neighbours(token.hex) {
                    if !seen.contains(hex) {
                        seen.insert(hex);
                        moves.push(hex);
                    }
                }
            }
        }
        moves.reverse();
        moves
    }

    /// The valid moves of a token as a set.
    pub fn reach(&self, player: Player, from: Hex) -> HexSet {
        let near = from.neighbours();
        let pivots = near & self.occupied(player);
        (near | pivots.neighbours()) - from.into()
    }

    /// The rows that a player can throw to with the next throw.
    pub fn in_throw_zone(&self, player: Player, hex: Hex) -> bool {
        let used = self.thrown[player.index()] as i8;
        let home = match player {
            Player::One => hex.r(),
            Player::Two => -hex.r(),
        };
        used < Position::THROWS as i8 && home >= 4 - used
    }

    /// The enemy tokens that `player` can take: not safe, and within reach of an own token that beats them. By attacker,
    /// then by enemy, in list order.
    pub fn eatable(&self, player: Player) -> Vec<Token> {
        let enemy = player.opponent();
        let mut found: Vec<Token> = Vec::new();
        for attacker in self.all(player) {
            let prey = attacker.symbol.prey();
            if self.of(enemy, prey).is_empty() {
                continue;
            }
            let reach = self.reach(player, attacker.hex);
            for token in self.all(enemy).filter(|token| token.symbol == prey) {
                if reach.contains(token.hex) && !self.is_safe(enemy, token.hex) && !found.contains(&token) {
                    found.push(token);
                }
            }
        }
        found
    }

    /// The own tokens that the enemy can take.
    pub fn in_danger(&self, player: Player) -> Vec<Token> {
        self.eatable(player.opponent())
    }

    /// The enemy tokens in the player's throw zone that are not safe, in list order.
    pub fn throwable(&self, player: Player) -> impl Iterator<Item = Token> + '_ {
        let enemy = player.opponent();
        self.all(enemy)
            .filter(move |token| self.in_throw_zone(player, token.hex) && !self.is_safe(enemy, token.hex))
    }

    /// Whether the player has an invincible token.
    pub fn has_invincible(&self, player: Player) -> bool {
        let enemy = player.opponent();
        self.thrown[enemy.index()] == Position::THROWS
            && Symbol::ALL.into_iter().any(|symbol| {
                !self.of(player, symbol).is_empty() && self.of(enemy, symbol.hunter()).is_empty()
            })
    }

    /// Carries out both moves and the battles. A thrown token goes to the end of its list; of several own tokens on the
    /// from-hex the first in the list moves and keeps its place.
    pub fn play(&mut self, turn: [Move; 2]) {
        for player in Player::BOTH {
            self.carry_out(player, turn[player.index()]);
        }
        self.battle(turn[0].to());
        if turn[1].to() != turn[0].to() {
            self.battle(turn[1].to());
        }
    }

    /// Carries out the move of one player and the battle, as if the other stood still.
    pub fn play_alone(&mut self, player: Player, mv: Move) {
        self.carry_out(player, mv);
        self.battle(mv.to());
    }

    fn carry_out(&mut self, player: Player, mv: Move) {
        let side = player.index();
        if let Some(symbol) = mv.thrown() {
            self.lists[side][symbol.index()].push(mv.to());
            self.thrown[side] += 1;
        } else if let Some(from) = mv.from() {
            for list in &mut self.lists[side] {
                let len = list.len as usize;
                if let Some(hex) = list.hexes[..len].iter_mut().find(|hex| **hex == from) {
                    *hex = mv.to();
                    return;
                }
            }
        }
    }

    fn battle(&mut self, hex: Hex) {
        let present = [0, 1, 2]
            .map(|symbol| [0, 1].iter().any(|&side| self.lists[side][symbol].hexes().contains(&hex)));
        for symbol in Symbol::ALL {
            if present[symbol.index()] && present[symbol.hunter().index()] {
                for side in 0..2 {
                    self.lists[side][symbol.index()].remove_all(hex);
                }
            }
        }
    }

    /// The own tokens after a slide or swing, captures not considered, sorted: what the repetition guard looks at.
    pub fn set_after(&self, player: Player, mv: Option<Move>) -> TokenSet {
        let mut tokens = *self;
        if let Some(mv) = mv {
            tokens.carry_out(player, mv);
        }
        let mut set: Vec<(Symbol, Hex)> = tokens.all(player).map(|token| (token.symbol, token.hex)).collect();
        set.sort_unstable();
        set
    }
}

/// The tokens of one side, sorted.
pub type TokenSet = Vec<(Symbol, Hex)>;

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;
    use search_core::Game;

    #[test]
    fn token_lists_follow_the_rules() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        for _ in 0..60 {
            let mut position = Position::start();
            let mut tokens = Tokens::new(&position, false);
            while position.end().is_none() {
                let turn = Player::BOTH.map(|player| position.sample(player, &mut rng).unwrap());
                position.play_turn(turn);
                tokens.play(turn);
                let fresh = Tokens::new(&position, true);
                for player in Player::BOTH {
                    assert_eq!(tokens.set_after(player, None), fresh.set_after(player, None));
                    assert_eq!(tokens.has_invincible(player), position.has_invincible(player));
                    for hex in position.occupied(player) {
                        assert_eq!(tokens.reach(player, hex), position.reach(player, hex));
                        let valid: HexSet = tokens.valid_moves(player, hex).into_iter().collect();
                        assert_eq!(valid, position.reach(player, hex));
                    }
                }
            }
        }
    }
}
