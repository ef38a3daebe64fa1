//! Perft of Expendibots against perft of chess by `cozy-chess`, each from its start position.

use std::hint::black_box;

use benches::Comparison;
use cozy_chess::Board;
use expendibots::Position;
use search_core::{perft, perft_played};

/// Sequences of `depth` moves; with `bulk` the last ones are counted, not played.
fn chess_perft(board: &Board, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += chess_perft(&next, depth - 1, bulk);
            }
        }
        false
    });
    leaves
}

/// The rows of this game.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![
        Comparison::ratio(
            "expendibots-perft-cozy",
            "perft 5 from the start, the last ply counted",
            "leaves",
            || perft(black_box(&Position::start()), 5),
            "cozy-chess perft 6, the last ply counted",
            || chess_perft(black_box(&Board::default()), 6, true),
            4.5,
        ),
        Comparison::ratio(
            "expendibots-perft-played-cozy",
            "perft 4 from the start, every ply played",
            "leaves",
            || perft_played(black_box(&Position::start()), 4),
            "cozy-chess perft 5, every ply played",
            || chess_perft(black_box(&Board::default()), 5, false),
            1.0,
        ),
    ]
}
