//! The legal moves as sets, and the contract of a game.

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Paint, Player, Simultaneous, Standard};
use smallvec::SmallVec;

use crate::hex::reach_count;
use crate::position::reach;
use crate::{Hex, HexSet, Move, Position, Symbol};

/// Room for all moves of one player: 183 throws with 8 used, and 18 moves of each of 8 tokens, more than there can be.
const MOVES: usize = 183 + 8 * 18 + 1;

/// The symbols in the order of their letters, so that moves come out sorted as text.
const BY_LETTER: [Symbol; 3] = [Symbol::Paper, Symbol::Rock, Symbol::Scissors];

/// The steps of a side, counted by the hexes they start from.
struct Steps {
    own: u64,
    from: [u8; Position::THROWS as usize],
    /// How many steps there are up to and with each hex; entries that are not used are above every number.
    upto: [u8; Position::THROWS as usize],
    count: usize,
}

impl Steps {
    #[inline]
    fn of(position: &Position, side: usize) -> Steps {
        let own = position.own(side);
        let mut steps = Steps { own, from: [0; 9], upto: [u8::MAX; 9], count: 0 };
        let mut left = own;
        let mut len = 0;
        // A side has at most nine tokens; the bound spares the checks of the index.
        while left != 0 && len < Position::THROWS as usize {
            let from = left.trailing_zeros() as usize;
            left &= left - 1;
            steps.from[len] = from as u8;
            // At most nine times 18 in all.
            steps.count += reach_count(own, from);
            steps.upto[len] = steps.count as u8;
            len += 1;
        }
        steps
    }

    /// The step number `index`, which must be below the count.
    #[inline]
    fn nth(&self, index: usize) -> Move {
        // The first hex whose steps go beyond the index.
        let mut at = 0;
        while at < Position::THROWS as usize - 1 && self.upto[at] as usize <= index {
            at += 1;
        }
        let before = if at == 0 { 0 } else { self.upto[at - 1] as usize };
        let from = self.from[at];
        let mut targets = reach(self.own, from as usize);
        for _ in before..index {
            targets &= targets.wrapping_sub(1);
        }
        Move::trusted_step(Hex::trusted(from), Hex::trusted(targets.trailing_zeros() as u8))
    }
}

impl Position {
    /// The throw number `index` from the zone that starts at `first` and has `size` hexes; `None` beyond the last.
    #[inline]
    fn nth_throw(first: usize, size: usize, index: usize) -> Option<Move> {
        if index >= 3 * size {
            return None;
        }
        let symbol = usize::from(index >= size) + usize::from(index >= 2 * size);
        let hex = first + index - symbol * size;
        Some(Move::throw(BY_LETTER[symbol], Hex::trusted(hex as u8)))
    }
}

impl Game for Position {
    const NAME: &'static str = "ropasci360";
    const REPETITION: Option<u32> = Some(3);

    type Move = Move;
    type Turn = [Move; 2];
    type Moves = SmallVec<[Move; MOVES]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Position::start()
    }

    #[inline]
    fn active(&self) -> Active {
        Active::Both
    }

    /// Slides and swings by their hexes, then the throws: the order of the texts.
    #[inline]
    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        if self.is_over() {
            return;
        }
        let own = self.own(player.index());
        for from in HexSet::from_bits(own) {
            let reach = HexSet::from_bits(reach(own, from.index()));
            sink.push_set(reach.len(), reach.into_iter().map(|to| Move::trusted_step(from, to)));
        }
        let (first, size) = self.zone(player.index());
        for symbol in BY_LETTER {
            let hexes = first as u8..(first + size) as u8;
            sink.push_set(size, hexes.map(|hex| Move::throw(symbol, Hex::trusted(hex))));
        }
    }

    #[inline]
    fn play_turn(&mut self, turn: [Move; 2]) {
        debug_assert!(
            Player::BOTH.into_iter().all(|player| self.is_legal(player, turn[player.index()])),
            "illegal turn {turn:?} in {self}"
        );
        self.turn(turn);
    }

    #[inline]
    fn end(&self) -> Option<End> {
        self.ending()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.hash()
    }

    fn key_text(&self) -> String {
        Position { turns: 0, ..*self }.to_string()
    }

    #[inline]
    fn repetition_key(&self) -> Option<u64> {
        Some(self.hash())
    }

    #[inline]
    fn turns_left(&self) -> Option<u32> {
        Some(Position::TURN_LIMIT - self.turns())
    }

    fn picture(&self, paint: Paint) -> String {
        crate::picture::draw(self, paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        if self.is_over() {
            return 0;
        }
        let own = self.own(player.index());
        let mut count = 3 * self.zone(player.index()).1;
        let mut left = own;
        while left != 0 {
            count += reach_count(own, left.trailing_zeros() as usize);
            left &= left - 1;
        }
        count
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let steps = Steps::of(self, player.index());
        if index < steps.count {
            return Some(steps.nth(index));
        }
        let (first, size) = self.zone(player.index());
        Position::nth_throw(first, size, index - steps.count)
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let steps = Steps::of(self, player.index());
        let (first, size) = self.zone(player.index());
        let index = rng.random_range(0..(steps.count + 3 * size) as u32) as usize;
        if index < steps.count {
            Some(steps.nth(index))
        } else {
            Position::nth_throw(first, size, index - steps.count)
        }
    }

    #[inline]
    fn is_legal(&self, player: Player, mv: Move) -> bool {
        if self.is_over() {
            return false;
        }
        match mv.from() {
            Some(from) => self.occupied(player).contains(from) && self.reach(player, from).contains(mv.to()),
            None => self.throw_zone(player).contains(mv.to()),
        }
    }
}

impl Simultaneous for Position {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throw_zones_grow_row_by_row() {
        let sizes = [5, 11, 18, 26, 35, 43, 50, 56, 61, 0];
        for (used, size) in (0..).zip(sizes) {
            let position = Position { throws: [used; 2], ..Position::start() };
            for player in Player::BOTH {
                let zone = position.throw_zone(player);
                assert_eq!(zone.len(), size);
                for hex in Hex::all() {
                    let home = if player == Player::One { hex.r() } else { -hex.r() };
                    assert_eq!(zone.contains(hex), used < 9 && home >= 4 - used as i8);
                }
            }
        }
    }

    #[test]
    fn the_documented_moves_come_out_sorted() {
        let position: Position = "5/6/7/8/3RP4/8/7/6/p4 9 1 10".parse().unwrap();
        let texts: Vec<String> = position.move_list(Player::One).iter().map(ToString::to_string).collect();
        let documented =
            "e4d4 e4d5 e4d6 e4e3 e4e5 e4e6 e4f3 e4f4 e4f5 e5d4 e5d5 e5d6 e5e3 e5e4 e5e6 e5f3 e5f4 e5f5";
        assert_eq!(texts.join(" "), documented);
        assert!(position.move_list(Player::Two).is_sorted());
    }

    #[test]
    fn a_full_board_of_moves_fits_the_list() {
        // Eight tokens packed around the centre with the ninth throw left.
        let position: Position = "5/6/7/3RRR2/3RRR3/4RR2/7/6/5 8 0 8".parse().unwrap();
        let moves = position.move_list(Player::One);
        assert!(moves.len() > 270 && !moves.spilled());
    }
}
