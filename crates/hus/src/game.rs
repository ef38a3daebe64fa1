//! The legal moves as sets, and the contract of a game.

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Paint, Player, Standard, TurnBased, fold};
use smallvec::SmallVec;

use crate::bytes::{Ranked, words};
use crate::{Pit, Position, picture};

/// The pits of a set of bits, in order.
struct Pits(u32);

impl Iterator for Pits {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = Pit::wrapping(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(pit)
    }
}

impl Position {
    /// The legal moves of `player` as a set of bits, bit 0 for pit 0.
    #[inline]
    fn move_set(&self, player: Player) -> u32 {
        let plays = player == self.to_move() && !self.infinite && self.plies() < Position::TURN_LIMIT;
        if plays { self.playable[player.index()] } else { 0 }
    }
}

impl Game for Position {
    const NAME: &'static str = "hus";

    type Move = Pit;
    type Turn = Pit;
    type Moves = SmallVec<[Pit; 32]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Position::start()
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    #[inline]
    fn moves_of<S: MoveSink<Pit>>(&self, player: Player, sink: &mut S) {
        let set = self.move_set(player);
        sink.push_set(set.count_ones() as usize, Pits(set));
    }

    #[inline]
    fn play_turn(&mut self, pit: Pit) {
        debug_assert!(self.is_legal(self.to_move(), pit), "illegal move {pit} in {self}");
        self.sow(pit);
    }

    #[inline]
    fn end(&self) -> Option<End> {
        let mover = self.to_move();
        let lost = Outcome::Win(mover.opponent());
        if self.infinite {
            Some(End::by_rule(lost, "infinite-move"))
        } else if self.playable[mover.index()] == 0 {
            Some(End::by_rule(lost, "no-moves"))
        } else if self.plies() >= Position::TURN_LIMIT {
            Some(End::by_cap(Outcome::Draw, "turn-limit"))
        } else {
            None
        }
    }

    /// Computed when asked for: a move changes a third of the board on average, so keeping the key up to date costs
    /// more than mixing eight words.
    #[inline]
    fn key(&self) -> u64 {
        // Besides the seeds only these facts change what can happen.
        let class = u64::from(self.plies % 2)
            | u64::from(self.captures_allowed()) << 1
            | u64::from(self.infinite) << 2;
        let [one, two] = [words(&self.rings[0]), words(&self.rings[1])];
        let first = fold(one[0] ^ KEYS[0], one[1] ^ KEYS[1])
            ^ fold(one[2] ^ KEYS[2], one[3] ^ KEYS[3]).rotate_left(17);
        let second = fold(two[0] ^ KEYS[4], two[1] ^ KEYS[5])
            ^ fold(two[2] ^ KEYS[6], two[3] ^ KEYS[7]).rotate_left(29);
        fold(first.wrapping_add(class.wrapping_mul(KEYS[8])) ^ KEYS[9], second ^ KEYS[10])
    }

    fn key_text(&self) -> String {
        // The text with the class of the ply counter in its place. An infinite move shows in the seeds that are missing.
        let text = self.to_string();
        let board_and_side = text.rsplit_once(' ').map_or("", |(board_and_side, _)| board_and_side);
        let class = if self.captures_allowed() { "captures" } else { "no captures" };
        format!("{board_and_side} {class}")
    }

    #[inline]
    fn turns_left(&self) -> Option<u32> {
        // An infinite move is a turn too, although the referee does not count it as a ply.
        Some(Position::TURN_LIMIT.saturating_sub(self.plies() + u32::from(self.infinite)))
    }

    fn picture(&self, paint: Paint) -> String {
        picture::draw(self, paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        self.move_set(player).count_ones() as usize
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Pit> {
        let set = Ranked::new(self.move_set(player));
        (index < set.count() as usize).then(|| Pit::wrapping(set.select(index as u32) as usize))
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Pit> {
        let set = self.move_set(player);
        if set == 0 {
            return None;
        }
        let set = Ranked::new(set);
        Some(Pit::wrapping(set.select(rng.random_range(0..set.count())) as usize))
    }

    #[inline]
    fn is_legal(&self, player: Player, pit: Pit) -> bool {
        self.move_set(player) >> pit.index() & 1 == 1
    }
}

impl TurnBased for Position {
    #[inline]
    fn to_move(&self) -> Player {
        Player::after(u32::from(self.plies))
    }
}

/// Constants of the key: random words.
static KEYS: [u64; 11] = {
    let mut keys = [0; 11];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = search_core::split_mix(0x0048_5553 + index as u64);
        index += 1;
    }
    keys
};
