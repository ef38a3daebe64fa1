//! Breakthrough: the first player to bring a piece to the far rank wins. Pieces step forward, straight or diagonally, and take
//! diagonally.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use gamesearch::search_core::{
    Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased, split_mix,
};
use smallvec::SmallVec;

/// The squares of both players, a1 the lowest bit, and who is to move. The first player moves up the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breakthrough {
    own: [u64; 2],
    mover: Player,
}

/// From a square to one of the next rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
}

const FAR_RANKS: [u64; 2] = [0xff << 56, 0xff];
const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Breakthrough {
    /// How many pieces a player has.
    pub fn pieces(&self, player: Player) -> i32 {
        self.own[player.index()].count_ones() as i32
    }

    /// For each direction (straight, towards file a, towards file h) the squares where a step of the mover can end.
    fn targets(&self) -> [u64; 3] {
        let side = self.mover.index();
        let own = self.own[side];
        let ahead = if side == 0 { own << 8 } else { own >> 8 };
        [
            ahead & !(self.own[0] | self.own[1]),
            (ahead & NOT_FILE_A) >> 1 & !own,
            (ahead & NOT_FILE_H) << 1 & !own,
        ]
    }

    /// Where a step came from: a rank back, and a file back for the directions towards a and h.
    fn origin(&self, direction: usize, to: u8) -> u8 {
        let ahead = to + [0, 1, 0][direction] - [0, 0, 1][direction];
        if self.mover == Player::One { ahead - 8 } else { ahead + 8 }
    }
}

/// The squares of a set, a1 first.
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

impl Game for Breakthrough {
    const NAME: &'static str = "breakthrough";

    type Move = Step;
    type Turn = Step;
    type Moves = SmallVec<[Step; 48]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Breakthrough { own: [0xffff, 0xffff << 48], mover: Player::One }
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    fn moves_of<S: MoveSink<Step>>(&self, player: Player, sink: &mut S) {
        if player != self.mover || self.end().is_some() {
            return;
        }
        for (direction, set) in self.targets().into_iter().enumerate() {
            let steps = squares(set).map(|to| Step { from: self.origin(direction, to), to });
            sink.push_set(set.count_ones() as usize, steps);
        }
    }

    fn play_turn(&mut self, step: Step) {
        let side = self.mover.index();
        self.own[side] ^= 1 << step.from | 1 << step.to;
        self.own[1 - side] &= !(1 << step.to);
        self.mover = self.mover.opponent();
    }

    fn end(&self) -> Option<End> {
        // Only the player who has just moved can have won.
        let last = self.mover.opponent();
        if self.own[last.index()] & FAR_RANKS[last.index()] != 0 {
            Some(End::by_rule(Outcome::Win(last), "far-rank"))
        } else if self.own[self.mover.index()] == 0 {
            Some(End::by_rule(Outcome::Win(last), "all-taken"))
        } else {
            None
        }
    }

    fn key(&self) -> u64 {
        split_mix(self.own[0] ^ split_mix(self.own[1] ^ split_mix(self.mover.index() as u64)))
    }
}

impl TurnBased for Breakthrough {
    fn to_move(&self) -> Player {
        self.mover
    }
}

/// A text that is not of this game.
#[derive(Debug)]
pub struct ParseError {
    expected: &'static str,
    found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [self.from, self.to] {
            write!(f, "{}{}", char::from(b'a' + square % 8), square / 8 + 1)?;
        }
        Ok(())
    }
}

impl FromStr for Step {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let square = |file: u8, rank: u8| {
            ((b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank))
                .then(|| (rank - b'1') * 8 + file - b'a')
        };
        let step = match *text.as_bytes() {
            [file, rank, next_file, next_rank] => square(file, rank).zip(square(next_file, next_rank)),
            _ => None,
        };
        let fail = || ParseError { expected: "two squares such as `a2a3`", found: text.to_owned() };
        step.map(|(from, to)| Step { from, to }).ok_or_else(fail)
    }
}

impl fmt::Display for Breakthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            if f.alternate() {
                write!(f, "{} ", rank + 1)?;
            }
            for file in 0..8 {
                let bit = 1_u64 << (rank * 8 + file);
                let piece = match [self.own[0] & bit != 0, self.own[1] & bit != 0] {
                    [true, _] => 'O',
                    [_, true] => 'X',
                    _ => '.',
                };
                write!(f, "{piece}")?;
            }
            f.write_str(if f.alternate() { "\n" } else if rank > 0 { "/" } else { " " })?;
        }
        if f.alternate() { write!(f, "  abcdefgh\n{} to move", self.mover) } else { write!(f, "{}", self.mover) }
    }
}

impl FromStr for Breakthrough {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (board, mover) = text.split_once(' ')?;
            let mover: Player = mover.parse().ok()?;
            let ranks: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
            let mut own = [0_u64; 2];
            for (rank, row) in ranks.iter().rev().enumerate() {
                for (file, &piece) in row.iter().enumerate() {
                    let bit = 1_u64.checked_shl((rank * 8 + file) as u32)?;
                    match piece {
                        b'O' => own[0] |= bit,
                        b'X' => own[1] |= bit,
                        b'.' => {}
                        _ => return None,
                    }
                }
            }
            let shaped = ranks.len() == 8 && ranks.iter().all(|row| row.len() == 8);
            // At most one player can have won, and that player moved last.
            let won = (0..2).any(|side| own[side] & FAR_RANKS[side] != 0 && side == mover.index());
            (shaped && !won && own[mover.opponent().index()] != 0).then_some(Breakthrough { own, mover })
        };
        let expected = "eight ranks of `O`, `X` and `.` between `/`, and `p1` or `p2`";
        read().ok_or_else(|| ParseError { expected, found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use gamesearch::search_core::perft;
    use search_core::laws::Laws;

    use super::*;

    search_core::game_laws!(Breakthrough, Laws::new());

    #[test]
    fn perft_counts_are_the_known_ones() {
        let start = Breakthrough::initial(&Standard, 0);
        let counts: Vec<u64> = (1..=5).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [22, 484, 11_132, 256_036, 6_182_818]);
    }
}
