//! The rules once more, written straight from the rules text with arrays and loops: the oracle of the property tests and
//! the baseline of the benches. Shares only the notation of moves with the crate.

use std::fmt;
use std::str::FromStr;

use expendibots::{Action, Move, Square};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased};

/// A board of signed heights: positive for White, negative for Black.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Naive {
    board: [[i32; 8]; 8],
    plies: u32,
}

impl Naive {
    fn sign(player: Player) -> i32 {
        if player == Player::One { 1 } else { -1 }
    }

    fn at(&self, x: i32, y: i32) -> Option<i32> {
        if (0..8).contains(&x) && (0..8).contains(&y) {
            Some(self.board[x as usize][y as usize])
        } else {
            None
        }
    }

    fn total(&self, player: Player) -> i32 {
        let sign = Naive::sign(player);
        self.board.iter().flatten().map(|&stack| (stack * sign).max(0)).sum()
    }

    fn explode(&mut self, x: i32, y: i32) {
        self.board[x as usize][y as usize] = 0;
        for dx in -1..=1 {
            for dy in -1..=1 {
                if self.at(x + dx, y + dy).is_some_and(|stack| stack != 0) {
                    self.explode(x + dx, y + dy);
                }
            }
        }
    }

    fn all_moves(&self, player: Player) -> Vec<Move> {
        let mut moves = Vec::new();
        if player != self.to_move() || self.end().is_some() {
            return moves;
        }
        let sign = Naive::sign(player);
        for x in 0..8 {
            for y in 0..8 {
                let height = self.board[x as usize][y as usize] * sign;
                if height <= 0 {
                    continue;
                }
                let from = Square::new(x as u8, y as u8).unwrap();
                moves.push(Move::boom(from));
                for distance in 1..=height {
                    for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                        let (tx, ty) = (x + dx * distance, y + dy * distance);
                        if self.at(tx, ty).is_none_or(|stack| stack * sign < 0) {
                            continue;
                        }
                        let to = Square::new(tx as u8, ty as u8).unwrap();
                        for count in 1..=height {
                            moves.push(Move::shift(count as u8, from, to).unwrap());
                        }
                    }
                }
            }
        }
        moves
    }
}

impl Game for Naive {
    const NAME: &'static str = "expendibots";
    const REPETITION: Option<u32> = Some(4);
    type Move = Move;
    type Turn = Move;
    type Moves = Vec<Move>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Naive {
        "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0".parse().unwrap()
    }

    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        for mv in self.all_moves(player) {
            sink.push(mv);
        }
    }

    fn play_turn(&mut self, mv: Move) {
        match mv.action() {
            Action::Boom(square) => self.explode(i32::from(square.file()), i32::from(square.rank())),
            Action::Shift { count, from, to } => {
                let tokens = i32::from(count) * Naive::sign(self.to_move());
                self.board[from.file() as usize][from.rank() as usize] -= tokens;
                self.board[to.file() as usize][to.rank() as usize] += tokens;
            }
        }
        self.plies += 1;
    }

    fn end(&self) -> Option<End> {
        match (self.total(Player::One), self.total(Player::Two)) {
            (0, 0) => Some(End::by_rule(Outcome::Draw, "mutual-elimination")),
            (0, _) => Some(End::by_rule(Outcome::Win(Player::Two), "elimination")),
            (_, 0) => Some(End::by_rule(Outcome::Win(Player::One), "elimination")),
            _ if self.plies >= 500 => Some(End::by_cap(Outcome::Draw, "turn-limit")),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        let mut key = u64::from(self.plies % 2);
        for &stack in self.board.iter().flatten() {
            key = search_core::split_mix(key ^ stack as u64);
        }
        key
    }

    fn repetition_key(&self) -> Option<u64> {
        Some(self.key())
    }

    fn turns_left(&self) -> Option<u32> {
        Some(500 - self.plies)
    }
}

impl TurnBased for Naive {
    fn to_move(&self) -> Player {
        Player::after(self.plies)
    }
}

impl fmt::Display for Naive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..8).rev() {
            let mut empty = 0;
            for x in 0..8 {
                let stack = self.board[x][y];
                if stack == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                let letters = if stack > 0 { b'A' } else { b'a' };
                write!(f, "{}", char::from(letters + stack.unsigned_abs() as u8 - 1))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            write!(f, "{}", if y > 0 { "/" } else { " " })?;
        }
        write!(f, "{} {}", if self.plies.is_multiple_of(2) { "w" } else { "b" }, self.plies)
    }
}

/// The oracle reads only what the crate wrote: it does not look for mistakes.
impl FromStr for Naive {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut fields = text.split(' ');
        let mut naive = Naive { board: [[0; 8]; 8], plies: 0 };
        for (row, rank) in fields.next().unwrap_or("").split('/').enumerate() {
            let mut x = 0;
            for symbol in rank.bytes() {
                if symbol.is_ascii_digit() {
                    x += usize::from(symbol - b'0');
                } else {
                    let height = i32::from(symbol.to_ascii_lowercase() - b'a' + 1);
                    naive.board[x][7 - row] = if symbol.is_ascii_uppercase() { height } else { -height };
                    x += 1;
                }
            }
        }
        naive.plies = fields.nth(1).unwrap_or("").parse()?;
        Ok(naive)
    }
}
