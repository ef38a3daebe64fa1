//! Hus: random playouts against the naive loop of the tests, and perft.

use std::hint::black_box;

use hus::Position;
use search_core::{Game, SearchRng, TurnBased, perft};

use crate::Comparison;

#[path = "../../crates/hus/tests/it/naive.rs"]
#[allow(dead_code, reason = "the tests use all of it, the playouts do not")]
mod naive;

/// Games per piece of work: 140,000 plies.
const GAMES: u32 = 1000;

/// Plays random games to the end and counts the plies.
fn playouts(rng: &mut SearchRng) -> u64 {
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut position = Position::start();
        while let Some(pit) = position.sample(position.to_move(), rng) {
            position.play(pit);
            plies += 1;
        }
        black_box(position.end());
    }
    plies
}

/// The same with the naive loop: the same generator, the same number of draws.
fn naive_playouts(rng: &mut SearchRng) -> u64 {
    use rand::RngExt;
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut position = naive::Naive::start();
        loop {
            let (moves, count) = position.legal();
            if count == 0 {
                break;
            }
            position.play(moves[rng.random_range(0..count as u32) as usize]);
            plies += 1;
        }
        black_box(position.infinite);
    }
    plies
}

/// Perft with the naive loop, the last ply counted too.
fn naive_perft(position: naive::Naive, depth: u32) -> u64 {
    let (moves, count) = position.legal();
    if depth <= 1 {
        return if depth == 0 { 1 } else { count as u64 };
    }
    let after = |&pit: &usize| {
        let mut next = position;
        next.play(pit);
        naive_perft(next, depth - 1)
    };
    moves[..count].iter().map(after).sum()
}

/// The rows of this game.
pub(crate) fn rows() -> Vec<Comparison> {
    let (mut ours, mut theirs) = (SearchRng::new(1, "hus playouts"), SearchRng::new(1, "hus playouts"));
    vec![
        Comparison::ratio(
            "hus-playouts",
            "1,000 uniform random games from the start",
            "plies",
            move || playouts(&mut ours),
            "a straightforward loop over bytes",
            move || naive_playouts(&mut theirs),
            1.25,
        ),
        Comparison::ratio(
            "hus-perft",
            "perft 6 from the start, 55,769,962 leaves, the last ply counted",
            "leaves",
            || perft(black_box(&Position::start()), 6),
            "a straightforward loop over bytes, perft 5",
            || naive_perft(black_box(naive::Naive::start()), 5),
            6.0,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_play_the_same_games() {
        let draw = || SearchRng::new(3, "test");
        assert_eq!(playouts(&mut draw()), naive_playouts(&mut draw()));
    }

    #[test]
    fn both_count_the_same() {
        for depth in 0..=4 {
            assert_eq!(perft(&Position::start(), depth), naive_perft(naive::Naive::start(), depth));
        }
    }
}
