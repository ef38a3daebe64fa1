//! Strategies for property tests.

use proptest::collection::vec;
use proptest::prelude::*;
use search_core::strategies::walks_from;
use search_core::{Game, TurnBased};

use crate::{Cell, Edition, MAX_SIZE, MIN_SIZE, Move, Position, Setup, Side};

/// Every set-up.
///
/// ```
/// use colosseum::{MAX_SIZE, MIN_SIZE, strategies};
/// use proptest::prelude::*;
/// proptest!(|(setup in strategies::setups())| prop_assert!((MIN_SIZE..=MAX_SIZE).contains(&setup.size())));
/// ```
pub fn setups() -> impl Strategy<Value = Setup> {
    (MIN_SIZE..=MAX_SIZE, proptest::sample::select(Edition::ALL.to_vec()))
        .prop_filter_map("a size in range", |(size, edition)| Setup::new(size, edition).ok())
}

/// Positions that random games of up to `plies` plies reach, from starts of all sizes. Shrinks to smaller boards and fewer plies.
///
/// ```
/// use colosseum::strategies;
/// use proptest::prelude::*;
/// proptest!(|(position in strategies::reachable(20))| prop_assert!(position.plies() <= 20));
/// ```
pub fn reachable(plies: usize) -> impl Strategy<Value = Position> {
    let starts = (setups(), any::<u64>()).prop_map(|(setup, seed)| Position::initial(&setup, seed));
    walks_from(starts, plies).prop_map(|walk| *walk.last())
}

/// Any move, legal or not.
///
/// ```
/// use colosseum::strategies;
/// use proptest::prelude::*;
/// proptest!(|(mv in strategies::moves())| prop_assert_eq!(mv.to_string().parse(), Ok(mv)));
/// ```
pub fn moves() -> impl Strategy<Value = Move> {
    let cell = (0..MAX_SIZE, 0..MAX_SIZE).prop_filter_map("a cell", |(row, column)| Cell::new(row, column));
    (cell, proptest::sample::select(&Side::ALL[..])).prop_map(|(cell, side)| Move::new(cell, side))
}

/// Positions of all sizes with few or many walls. Reached by play that ends the game only when it must, so that crowded boards
/// come up that random play hardly ever sees.
///
/// ```
/// use colosseum::strategies;
/// use proptest::prelude::*;
/// proptest!(|(position in strategies::anything())| prop_assert_eq!(position.to_string().parse(), Ok(position)));
/// ```
pub fn anything() -> impl Strategy<Value = Position> {
    (setups(), any::<u64>()).prop_flat_map(|(setup, seed)| {
        // Longer than any game on the board.
        let most = 2 * usize::from(setup.size()).pow(2);
        vec(any::<u32>(), 0..=most).prop_map(move |choices| crowded(&setup, seed, &choices))
    })
}

/// The position after moves that avoid the end of the game while they can: each number chooses one.
pub fn crowded(setup: &Setup, seed: u64, choices: &[u32]) -> Position {
    const TRIES: usize = 8;
    let mut position = Position::initial(setup, seed);
    for &choice in choices {
        let moves = position.move_list(position.to_move());
        // The chosen move and those after it in the list, round its end.
        let tried = moves.iter().cycle().skip(choice as usize % moves.len().max(1)).take(TRIES);
        let mut next = None;
        for &mv in tried {
            next = Some(position.after(mv));
            if next.is_some_and(|next| !next.is_over()) {
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
