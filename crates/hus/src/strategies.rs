//! Strategies for property tests.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bytes::Ring;
use crate::{Pit, Position};

/// Positions that random games of up to `plies` plies reach.
///
/// ```
/// use hus::strategies::reachable;
/// use proptest::prelude::*;
/// use search_core::Player;
/// proptest!(|(position in reachable(20))| {
///     prop_assert!(position.seeds(Player::One) <= 96);
/// });
/// ```
pub fn reachable(plies: usize) -> impl Strategy<Value = Position> {
    search_core::strategies::positions::<Position>(plies)
}

/// Any board of 96 seeds with any number of plies up to the last one, reachable or not: for parsers, generators and
/// long moves. Every seed finds its own pit, so the counts look like those of a game; a share of the boards leaves one
/// player poor.
///
/// ```
/// use hus::strategies::anything;
/// use proptest::prelude::*;
/// proptest!(|(position in anything())| prop_assert_eq!(position.to_string().parse(), Ok(position)));
/// ```
pub fn anything() -> impl Strategy<Value = Position> {
    let pits = vec(0..Pit::COUNT, Position::SEEDS as usize);
    (pits, 0..=Position::SEEDS as usize, 0..=Position::TURN_LIMIT).prop_filter_map(
        "a pit holds at most 95 seeds",
        |(pits, rich, plies)| {
            let mut rings: [Ring; 2] = [[0; Pit::COUNT]; 2];
            for (seed, pit) in pits.into_iter().enumerate() {
                rings[usize::from(seed >= rich)][pit] += 1;
            }
            let full = rings.as_flattened().iter().any(|&count| u32::from(count) == Position::SEEDS);
            (!full).then(|| Position::from_parts(rings, plies as u16, false))
        },
    )
}

/// Any move, legal or not.
///
/// ```
/// use hus::{Pit, strategies::moves};
/// use proptest::prelude::*;
/// proptest!(|(pit in moves())| prop_assert_eq!(Pit::new(pit.index() as u8), Some(pit)));
/// ```
pub fn moves() -> impl Strategy<Value = Pit> {
    (0..Pit::COUNT).prop_map(Pit::wrapping)
}
