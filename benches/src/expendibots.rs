//! Expendibots: perft against the naive version of the tests, with and without counting the last ply.

use std::hint::black_box;

use expendibots::Position;
use search_core::{Game, Standard, perft, perft_played};

use crate::Comparison;

#[path = "../../crates/expendibots/tests/it/naive.rs"]
mod naive;

use naive::Naive;

/// 119,400 leaves from the start.
const DEPTH: u32 = 3;

/// The rows of this game. The comparison with a chess library stands with the other peers.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![
        Comparison::ratio(
            "expendibots-perft",
            "perft 3 from the start, the last ply counted",
            "leaves",
            || perft(black_box(&Position::start()), DEPTH),
            "arrays and loops",
            || perft(black_box(&Naive::initial(&Standard, 0)), DEPTH),
            5.0,
        ),
        Comparison::ratio(
            "expendibots-perft-played",
            "perft 3 from the start, every ply played",
            "leaves",
            || perft_played(black_box(&Position::start()), DEPTH),
            "arrays and loops",
            || perft_played(black_box(&Naive::initial(&Standard, 0)), DEPTH),
            3.0,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_count_the_same() {
        assert_eq!(perft(&Position::start(), DEPTH), 119_400);
        assert_eq!(perft(&Naive::initial(&Standard, 0), DEPTH), 119_400);
    }
}
