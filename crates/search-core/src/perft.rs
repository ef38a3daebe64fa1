//! Perft: the number of move sequences of a given length, the yardstick of every move generator.

use crate::{Game, for_each_turn, turn_count, turn_text};

/// The number of sequences of exactly `depth` turns, counting the moves of the last turn without playing them.
///
/// A finished position has no children and counts only at its own depth. Repetition plays no part.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if position.end().is_some() => 0,
        1 => turn_count(position),
        _ => {
            let mut leaves = 0;
            for_each_turn(position, |turn| {
                let mut next = position.clone();
                next.play_turn(turn);
                leaves += perft(&next, depth - 1);
            });
            leaves
        }
    }
}

/// Like [`perft`], but every leaf is really played.
pub fn perft_played<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.end().is_some() {
        return 0;
    }
    let mut leaves = 0;
    for_each_turn(position, |turn| {
        let mut next = position.clone();
        next.play_turn(turn);
        leaves += perft_played(&next, depth - 1);
    });
    leaves
}

/// The leaves below each legal turn, in byte order of the turn's text.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(String, u64)> {
    let mut rows = Vec::new();
    if depth > 0 && position.end().is_none() {
        for_each_turn(position, |turn| {
            let mut next = position.clone();
            next.play_turn(turn);
            rows.push((turn_text::<G>(position.active(), turn), perft(&next, depth - 1)));
        });
    }
    rows.sort();
    rows
}
