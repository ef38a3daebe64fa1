//! The symmetries of the rules, and one form for all positions that are equal under them.

use search_core::Player;

use crate::hex::COUNT;
use crate::stacks::Stacks;
use crate::{Hex, HexSet, Move, Position, Symbol};

/// A change of board, players and symbols that keeps the rules.
///
/// While throws are left there are 12: the mirror that keeps rows, the half turn together with an exchange of the
/// players, and the rotation of the symbols. Once both are out of throws the home rows mean nothing and there are 72:
/// all 12 symmetries of the hexagon, with and without exchange, with each rotation.
///
/// ```
/// use ropasci360::{Position, Symmetry};
/// let position: Position = "2P2/6/7/8/9/8/7/6/2p2 1 1 1".parse().unwrap();
/// assert_eq!(Symmetry::of(&position).count(), 12);
/// let (canonical, symmetry) = position.canonical();
/// assert_eq!(symmetry.apply(&position), canonical);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Which of the 12 board symmetries.
    board: u8,
    exchange: bool,
    rotation: u8,
}

/// Board symmetry `2 * p + n` is the permutation `p` of the three cube coordinates, with all signs changed if `n` is 1.
const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
const HALF_TURN: u8 = 1;

/// Where each board symmetry sends each hex.
const IMAGES: [[u8; COUNT]; 12] = {
    let mut table = [[0; COUNT]; 12];
    let mut board = 0;
    while board < 12 {
        let order = PERMUTATIONS[board / 2];
        let mut index = 0;
        while index < COUNT {
            let hex = Hex::trusted(index as u8);
            // r, q and their negated sum: the three cube coordinates.
            let cube = [hex.r(), hex.q(), -hex.r() - hex.q()];
            let sign = if board % 2 == 1 { -1 } else { 1 };
            table[board][index] = match Hex::new(sign * cube[order[0]], sign * cube[order[1]]) {
                Some(image) => image.index() as u8,
                None => panic!("a symmetry of the hexagon leaves the board"),
            };
            index += 1;
        }
        board += 1;
    }
    table
};

const INVERSES: [u8; 12] = {
    let mut table = [0; 12];
    let mut board = 0;
    while board < 12 {
        let mut other = 0;
        while other < 12 {
            // A symmetry of the hexagon is known by where it sends two neighbouring corners.
            let (a, b) = (IMAGES[other][IMAGES[board][0] as usize], IMAGES[other][IMAGES[board][4] as usize]);
            if a == 0 && b == 4 {
                table[board] = other as u8;
            }
            other += 1;
        }
        board += 1;
    }
    table
};

impl Symmetry {
    /// Nothing changes.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// let position: Position = "2P2/6/7/8/9/8/7/6/2p2 1 1 1".parse().unwrap();
    /// assert_eq!(Symmetry::IDENTITY.apply(&position), position);
    /// ```
    pub const IDENTITY: Symmetry = Symmetry { board: 0, exchange: false, rotation: 0 };

    /// The symmetries that keep the rules for this position and all that follow from it; the identity first.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// assert_eq!(Symmetry::of(&Position::start()).count(), 12);
    /// let late: Position = "5/6/7/8/3S5/8/7/6/rp3 9 9 20".parse().unwrap();
    /// assert_eq!(Symmetry::of(&late).count(), 72);
    /// ```
    pub fn of(position: &Position) -> impl Iterator<Item = Symmetry> + use<> {
        let all = position.throws == [Position::THROWS; 2];
        let boards = if all { 0..12 } else { 0..4 };
        boards.flat_map(move |board| {
            // With throws left the half turn and only the half turn exchanges the players.
            let exchanges: &[bool] = if all {
                &[false, true]
            } else if board & HALF_TURN == 0 {
                &[false]
            } else {
                &[true]
            };
            exchanges
                .iter()
                .flat_map(move |&exchange| (0..3).map(move |rotation| Symmetry { board, exchange, rotation }))
        })
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// let position: Position = "2P2/6/7/8/9/8/7/6/s4 1 1 1".parse().unwrap();
    /// assert!(Symmetry::of(&position).all(|it| it.inverse().apply(&it.apply(&position)) == position));
    /// ```
    pub fn inverse(self) -> Symmetry {
        Symmetry {
            board: INVERSES[self.board as usize],
            exchange: self.exchange,
            rotation: (3 - self.rotation) % 3,
        }
    }

    /// Where a hex goes.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// // The last of the twelve exchanges the players, so it turns the board around: the top row becomes the bottom row.
    /// let last = Symmetry::of(&Position::start()).last().unwrap();
    /// assert_eq!(last.apply_hex("i1".parse().unwrap()).r(), -4);
    /// ```
    #[inline]
    pub fn apply_hex(self, hex: Hex) -> Hex {
        Hex::trusted(IMAGES[self.board as usize][hex.index()])
    }

    /// Where a set of hexes goes.
    ///
    /// ```
    /// use ropasci360::{Hex, Position, Symmetry};
    /// assert!(Symmetry::of(&Position::start()).all(|it| it.apply_set(Hex::CORNERS) == Hex::CORNERS));
    /// ```
    pub fn apply_set(self, set: HexSet) -> HexSet {
        set.into_iter().map(|hex| self.apply_hex(hex)).collect()
    }

    /// What a symbol becomes.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol, Symmetry};
    /// let last = Symmetry::of(&Position::start()).last().unwrap();
    /// assert_eq!(last.apply_symbol(Symbol::Rock), Symbol::Scissors);
    /// ```
    #[inline]
    pub fn apply_symbol(self, symbol: Symbol) -> Symbol {
        symbol.rotated(self.rotation)
    }

    /// Who a player becomes.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// use search_core::Player;
    /// let last = Symmetry::of(&Position::start()).last().unwrap();
    /// assert_eq!(last.apply_player(Player::One), Player::Two);
    /// assert_eq!(Symmetry::IDENTITY.apply_player(Player::One), Player::One);
    /// ```
    #[inline]
    pub fn apply_player(self, player: Player) -> Player {
        if self.exchange { player.opponent() } else { player }
    }

    /// What a move becomes.
    ///
    /// ```
    /// use ropasci360::{Move, Position, Symmetry};
    /// let last = Symmetry::of(&Position::start()).last().unwrap();
    /// let mv: Move = "r@i3".parse().unwrap();
    /// assert_eq!(last.inverse().apply_move(last.apply_move(mv)), mv);
    /// assert!(last.apply_move(mv).is_throw());
    /// ```
    pub fn apply_move(self, mv: Move) -> Move {
        let to = self.apply_hex(mv.to());
        match (mv.thrown(), mv.from()) {
            (Some(symbol), _) => Move::throw(self.apply_symbol(symbol), to),
            (None, from) => Move::trusted_step(from.map_or(to, |from| self.apply_hex(from)), to),
        }
    }

    /// What a turn becomes.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// use search_core::Simultaneous;
    /// let turn = ["r@i3", "p@a7"].map(|text| text.parse().unwrap());
    /// let after = |position: &Position, turn| {
    ///     let mut next = *position;
    ///     next.play(turn);
    ///     next
    /// };
    /// let start = Position::start();
    /// assert!(Symmetry::of(&start).all(|it| it.apply(&after(&start, turn)) == after(&start, it.apply_turn(turn))));
    /// ```
    pub fn apply_turn(self, turn: [Move; 2]) -> [Move; 2] {
        let [one, two] = turn.map(|mv| self.apply_move(mv));
        if self.exchange { [two, one] } else { [one, two] }
    }

    /// What a position becomes.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// let position: Position = "2P2/6/7/8/9/8/7/6/5 1 0 1".parse().unwrap();
    /// let images: Vec<String> = Symmetry::of(&position).map(|it| it.apply(&position).to_string()).collect();
    /// assert!(images.contains(&"5/6/7/8/9/8/7/6/2s2 0 1 1".to_owned()));
    /// ```
    pub fn apply(self, position: &Position) -> Position {
        let mut image = Position { turns: position.turns, ..Position::start() };
        let send = |bits: u64| self.apply_set(HexSet::from_bits(bits)).bits();
        for player in Player::BOTH {
            let (side, other) = (player.index(), self.apply_player(player).index());
            for symbol in Symbol::ALL {
                image.boards[other][self.apply_symbol(symbol).index()] =
                    send(position.boards[side][symbol.index()]);
            }
            image.stacks[other] = Stacks(position.stacks[side].0.map(send));
            image.throws[other] = position.throws[side];
        }
        image
    }
}

impl Position {
    /// One form for all positions that are equal under the symmetries, and the symmetry that leads there.
    ///
    /// ```
    /// use ropasci360::{Position, Symmetry};
    /// let [one, two]: [Position; 2] = ["P4/6/7/8/9/8/7/6/5 1 0 1", "5/6/7/8/9/8/7/6/s4 0 1 1"].map(|text| text.parse().unwrap());
    /// assert_eq!(one.canonical().0, two.canonical().0);
    /// ```
    pub fn canonical(&self) -> (Position, Symmetry) {
        let mut best = (*self, Symmetry::IDENTITY);
        for symmetry in Symmetry::of(self).skip(1) {
            let image = symmetry.apply(self);
            if image.order() < best.0.order() {
                best = (image, symmetry);
            }
        }
        best
    }

    /// Any fixed order of positions with the same turn.
    fn order(&self) -> ([u8; 2], [[u64; 3]; 2], [Stacks; 2]) {
        (self.throws, self.boards, self.stacks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIRROR: u8 = 2;

    #[test]
    fn board_symmetries_keep_distances_and_have_inverses() {
        for board in 0..12 {
            let symmetry = Symmetry { board, exchange: false, rotation: 0 };
            for hex in Hex::all() {
                let image = symmetry.apply_hex(hex);
                assert_eq!(symmetry.inverse().apply_hex(image), hex);
                for other in Hex::all() {
                    assert_eq!(hex.distance(other), image.distance(symmetry.apply_hex(other)));
                }
            }
        }
        let distinct: std::collections::HashSet<_> = IMAGES.iter().collect();
        assert_eq!(distinct.len(), 12);
    }

    #[test]
    fn the_named_symmetries_are_those_of_the_rules() {
        for hex in Hex::all() {
            let (r, q) = (hex.r(), hex.q());
            let image = |board| Symmetry { board, exchange: false, rotation: 0 }.apply_hex(hex);
            assert_eq!(Some(image(HALF_TURN)), Hex::new(-r, -q));
            assert_eq!(Some(image(MIRROR)), Hex::new(r, -r - q));
        }
    }

    #[test]
    fn there_are_twelve_forms_then_seventy_two() {
        let early: Position = "3R1/6/7/1P6/9/2p5/5s1/5r/5 2 3 74".parse().unwrap();
        let late: Position = "5/4(RRRR)1/5(Rrr)1/s7/4S4/S5R1/4(pp)2/6/(ppp)4 9 9 92".parse().unwrap();
        for (position, count) in [(early, 12), (late, 72)] {
            let images: std::collections::HashSet<Position> =
                Symmetry::of(&position).map(|symmetry| symmetry.apply(&position)).collect();
            assert_eq!(images.len(), count);
            for image in images {
                assert_eq!(image.canonical().0, position.canonical().0);
            }
        }
    }
}
