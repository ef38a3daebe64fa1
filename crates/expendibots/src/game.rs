//! The legal moves as sets, and the contract of a game.

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Paint, Player, Standard, TurnBased};

use crate::square_set::reach;
use crate::{Direction, Move, MoveList, Position, Square, SquareSet, picture};

impl Game for Position {
    const NAME: &'static str = "expendibots";
    const REPETITION: Option<u32> = Some(4);

    type Move = Move;
    type Turn = Move;
    type Moves = MoveList;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Position {
        Position::start()
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.side())
    }

    /// Stacks in the order `a1`, `a2`, .., `h8`; of each the boom first, then by distance, for each distance up, down,
    /// right, left, for each of these 1, 2, .. tokens.
    #[inline]
    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        if self.silent(player) {
            return;
        }
        let free = !self.stacks(player.opponent());
        let tall = self.tall();
        for from in self.stacks(player) {
            sink.push(Move::boom(from));
            if tall.contains(from) {
                let height = self.level(from) as u8 + 1;
                for distance in 1..=height.min(7) {
                    for direction in Direction::ALL {
                        if let Some(to) = from.step(direction, distance).filter(|&to| free.contains(to)) {
                            let moves = (1..=height).map(|count| Move::trusted(count, from, to));
                            sink.push_set(usize::from(height), moves);
                        }
                    }
                }
            } else {
                for direction in Direction::ALL {
                    if let Some(to) = from.step(direction, 1).filter(|&to| free.contains(to)) {
                        sink.push(Move::trusted(1, from, to));
                    }
                }
            }
        }
    }

    #[inline]
    fn play_turn(&mut self, mv: Move) {
        debug_assert!(self.is_legal(self.side(), mv), "{mv} is not legal in {self}");
        self.advance(mv);
    }

    #[inline]
    fn end(&self) -> Option<End> {
        match self.own {
            [0, 0] => Some(End::by_rule(Outcome::Draw, "mutual-elimination")),
            [0, _] => Some(End::by_rule(Outcome::Win(Player::Two), "elimination")),
            [_, 0] => Some(End::by_rule(Outcome::Win(Player::One), "elimination")),
            _ if self.plies() >= Position::TURN_LIMIT => Some(End::by_cap(Outcome::Draw, "turn-limit")),
            _ => None,
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board_key()
    }

    fn key_text(&self) -> String {
        // The text without its last field, the ply counter.
        let text = self.to_string();
        text.rsplit_once(' ').map_or_else(String::new, |(board_and_side, _)| board_and_side.to_owned())
    }

    #[inline]
    fn repetition_key(&self) -> Option<u64> {
        Some(self.board_key())
    }

    #[inline]
    fn turns_left(&self) -> Option<u32> {
        Some(Position::TURN_LIMIT.saturating_sub(self.plies()))
    }

    fn picture(&self, paint: Paint) -> String {
        picture::draw(self, paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        if self.silent(player) { 0 } else { self.count_moves(player) }
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Move> {
        if self.silent(player) { None } else { self.find_move(player, index) }
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Move> {
        if self.silent(player) {
            return None;
        }
        self.find_move(player, rng.random_range(0..self.count_moves(player)))
    }

    #[inline]
    fn is_legal(&self, player: Player, mv: Move) -> bool {
        !self.silent(player) && self.allows(player, mv)
    }
}

impl TurnBased for Position {
    #[inline]
    fn to_move(&self) -> Player {
        self.side()
    }

    /// Booms alone take tokens, and what goes off together goes off whichever stack begins: so it is enough to look at the
    /// component of one enemy stack.
    #[inline]
    fn winning_move(&self) -> Option<Move> {
        let player = self.side();
        let (own, enemies) = (self.stacks(player), self.stacks(player.opponent()));
        let together = self.occupied().connected(enemies.into_iter().next()?.set());
        let first = (own & together).into_iter().next()?;
        let wins = (enemies - together).is_empty() && !(own - together).is_empty();
        (wins && self.plies() < Position::TURN_LIMIT).then(|| Move::boom(first))
    }
}

impl Position {
    /// Whether `player` has no moves: the other player's turn, or the game is over.
    #[inline]
    fn silent(&self, player: Player) -> bool {
        player != self.side() || self.end().is_some()
    }

    /// Whether the stacks allow a move of `player`, no matter which side is to move and whether or not the game is over.
    #[inline]
    pub(crate) fn allows(&self, player: Player, mv: Move) -> bool {
        let from = mv.from();
        if !self.stacks(player).contains(from) {
            return false;
        }
        let height = self.level(from) as u8 + 1;
        mv.is_boom()
            || mv.count() <= height
                && mv.distance() <= height
                && !self.stacks(player.opponent()).contains(mv.to())
    }

    /// One boom a stack, and height times targets: single tokens all at once, higher stacks one by one.
    #[inline]
    pub(crate) fn count_moves(&self, player: Player) -> usize {
        let own = self.stacks(player);
        let free = !self.stacks(player.opponent());
        let tall = own & self.tall();
        let single = own - tall;
        // A token can go up if the square above it is free: the free squares move down, and so on.
        let [up, down, right, left] = [Direction::Down, Direction::Up, Direction::Left, Direction::Right]
            .map(|direction| (single & free.shifted(direction)).0);
        let mut count = own.len() + ones(up, down, right, left);
        for from in tall {
            let height = self.level(from) + 1;
            count += height * (reach(from, height) & free).len();
        }
        count as usize
    }

    /// Move number `index` in the order of the generator: whole stacks are skipped by their counts.
    #[inline]
    fn find_move(&self, player: Player, index: usize) -> Option<Move> {
        let free = !self.stacks(player.opponent());
        let mut left = index;
        for from in self.stacks(player) {
            let height = self.level(from) + 1;
            let moves = 1 + (height * (reach(from, height) & free).len()) as usize;
            if left < moves {
                return if left == 0 {
                    Some(Move::boom(from))
                } else {
                    nth_shift(free, from, height as u8, left - 1)
                };
            }
            left -= moves;
        }
        None
    }
}

/// Shift number `index` of one stack.
#[inline]
fn nth_shift(free: SquareSet, from: Square, height: u8, index: usize) -> Option<Move> {
    let (mut target, count) = (index / usize::from(height), index % usize::from(height));
    for distance in 1..=height.min(7) {
        for direction in Direction::ALL {
            if let Some(to) = from.step(direction, distance).filter(|&to| free.contains(to)) {
                if target == 0 {
                    return Some(Move::trusted(count as u8 + 1, from, to));
                }
                target -= 1;
            }
        }
    }
    None
}

/// The number of bits set in four words. A full adder turns three of them into sums and carries, so that two counts do
/// for three words where the processor has no instruction for it.
#[inline]
fn ones(a: u64, b: u64, c: u64, d: u64) -> u32 {
    let half = a ^ b;
    let sum = half ^ c;
    let carry = a & b | half & c;
    let last = sum ^ d;
    let second = sum & d;
    last.count_ones() + 2 * (carry.count_ones() + second.count_ones())
}
