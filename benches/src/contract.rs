//! What the contract costs: perft of Connect Four through the trait against one written by hand.

use std::hint::black_box;

use search_core::perft;

use crate::Comparison;
use crate::connect_four::ConnectFour;

/// The depth that is counted: 823,536 leaves.
const DEPTH: u32 = 7;

/// The rows of this part.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![Comparison::ratio(
        "contract-perft",
        "perft 7 of Connect Four through the trait",
        "leaves",
        || perft(black_box(&ConnectFour::EMPTY), DEPTH),
        "perft by hand",
        || by_hand::perft(black_box(by_hand::Board::default()), DEPTH),
        0.9,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_count_the_same() {
        for depth in 0..=8 {
            assert_eq!(perft(&ConnectFour::EMPTY, depth), by_hand::perft(by_hand::Board::default(), depth));
        }
    }
}

/// Connect Four without any trait: the same bitboards, a loop over the open cells and a recursion.
pub mod by_hand {
    const BOTTOM: u64 = 0x0000_0408_1020_4081;
    const FULL: u64 = BOTTOM * 0x3f;

    /// The stones of the mover, and all stones.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct Board {
        mover: u64,
        all: u64,
    }

    fn four(stones: u64) -> bool {
        [1, 6, 7, 8].iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    /// The number of games of exactly `depth` moves, the last one counted and not played.
    pub fn perft(board: Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if four(board.all ^ board.mover) {
            return 0;
        }
        let mut open = (board.all + BOTTOM) & FULL;
        if depth == 1 {
            return u64::from(open.count_ones());
        }
        let mut leaves = 0;
        while open != 0 {
            let cell = open & open.wrapping_neg();
            open ^= cell;
            leaves += perft(Board { mover: board.all ^ board.mover, all: board.all | cell }, depth - 1);
        }
        leaves
    }
}
