//! Positions of all sizes for property tests.

use proptest::prelude::*;
use search_core::strategies::walks_from;
use search_core::{Game, TurnBased, stream};

use crate::{Cell, Edition, MAX_SIZE, MIN_SIZE, Move, Position, Setup, Side};

/// Every set-up.
pub fn setups() -> impl Strategy<Value = Setup> {
    (MIN_SIZE..=MAX_SIZE, proptest::sample::select(Edition::ALL.to_vec()))
        .prop_filter_map("a size in range", |(size, edition)| Setup::new(size, edition).ok())
}

/// Positions that random games of up to `plies` plies reach, from starts of all sizes.
pub fn reachable(plies: usize) -> impl Strategy<Value = Position> {
    let starts = (setups(), any::<u64>()).prop_map(|(setup, seed)| Position::initial(&setup, seed));
    walks_from(starts, plies).prop_map(|walk| *walk.last())
}

/// Any move, legal or not.
pub fn moves() -> impl Strategy<Value = Move> {
    let cell = (0..MAX_SIZE, 0..MAX_SIZE).prop_filter_map("a cell", |(row, column)| Cell::new(row, column));
    (cell, proptest::sample::select(&Side::ALL[..])).prop_map(|(cell, side)| Move::new(cell, side))
}

/// Positions of all sizes with few or many walls. Reached by play that ends the game only when it must (up to a drawn
/// share of the longest game), so that crowded boards come up that random play hardly ever sees.
pub fn anything() -> impl Strategy<Value = Position> {
    (setups(), any::<u64>(), 0.0..1.0_f64).prop_map(|(setup, seed, share)| {
        let size = f64::from(setup.size());
        crowded(&setup, seed, (share * 2.0 * size * size) as usize)
    })
}

/// The position after at most `plies` random moves that avoid the end of the game while they can.
pub fn crowded(setup: &Setup, seed: u64, plies: usize) -> Position {
    const TRIES: usize = 8;
    let mut rng = stream(seed, "crowded");
    let mut position = Position::initial(setup, seed);
    for _ in 0..plies {
        let mut next = None;
        for _ in 0..TRIES {
            next = position.sample(position.to_move(), &mut rng).map(|mv| position.after(mv));
            if next.is_none_or(|next| !next.is_over()) {
                break;
            }
        }
        match next {
            Some(next) => position = next,
            None => break,
        }
    }
    position
}
