//! Strategies for property tests.

use proptest::collection::vec;
use proptest::prelude::*;
use search_core::Player;

use crate::{Hex, Move, Position, Symbol};

/// Any hex.
///
/// ```
/// use proptest::prelude::*;
/// use ropasci360::{Hex, strategies};
/// proptest!(|(hex in strategies::hexes())| prop_assert!(hex.index() < Hex::COUNT));
/// ```
pub fn hexes() -> impl Strategy<Value = Hex> {
    (0..Hex::COUNT).prop_filter_map("a hex", Hex::from_index)
}

/// Any symbol.
///
/// ```
/// use proptest::prelude::*;
/// use ropasci360::strategies;
/// proptest!(|(symbol in strategies::symbols())| prop_assert!(symbol.beats(symbol.prey())));
/// ```
pub fn symbols() -> impl Strategy<Value = Symbol> {
    prop::sample::select(&Symbol::ALL[..])
}

/// Any move, legal somewhere or not.
///
/// ```
/// use proptest::prelude::*;
/// use ropasci360::strategies;
/// proptest!(|(mv in strategies::moves())| prop_assert_eq!(mv.is_throw(), mv.from().is_none()));
/// ```
pub fn moves() -> impl Strategy<Value = Move> {
    let throws = (symbols(), hexes()).prop_map(|(symbol, to)| Move::throw(symbol, to));
    let steps = (hexes(), hexes()).prop_filter_map("a slide or swing", |(from, to)| Move::step(from, to));
    prop_oneof![throws, steps]
}

/// Positions that random games of up to `turns` turns reach.
///
/// ```
/// use proptest::prelude::*;
/// use ropasci360::strategies;
/// proptest!(|(position in strategies::reachable(20))| prop_assert!(position.turns() <= 20));
/// ```
pub fn reachable(turns: usize) -> impl Strategy<Value = Position> {
    search_core::strategies::positions::<Position>(turns)
}

/// Valid positions of all kinds, also such that no game reaches soon: many stacks, many tokens, throws used up, the turn
/// limit near.
///
/// ```
/// use proptest::prelude::*;
/// use ropasci360::strategies;
/// use search_core::Player;
/// proptest!(|(position in strategies::anything())| {
///     prop_assert!(position.token_count(Player::One) <= position.throws_used(Player::One));
/// });
/// ```
pub fn anything() -> impl Strategy<Value = Position> {
    // Few hexes make stacks and shared hexes likely.
    let area = prop_oneof![Just(4_usize), Just(12), Just(Hex::COUNT)];
    let tokens = area
        .prop_flat_map(|area| vec((0..area, any::<bool>(), symbols()), 0..=2 * Position::THROWS as usize));
    let throws = prop_oneof![Just([Position::THROWS; 2]), [0..=Position::THROWS, 0..=Position::THROWS]];
    (tokens, throws, 0..=Position::TURN_LIMIT).prop_map(|(tokens, throws, turns)| {
        let mut counts = [0; 2];
        let mut placed: Vec<(Hex, Player, Symbol)> = Vec::new();
        for (index, upper, symbol) in tokens {
            // Spread the area over the board.
            let Some(hex) = Hex::from_index(index * 5 % Hex::COUNT) else { continue };
            let player = if upper { Player::One } else { Player::Two };
            let count: &mut u8 = &mut counts[player.index()];
            if *count < throws[player.index()] {
                *count += 1;
                // The first token on a hex decides its symbol.
                let symbol = placed.iter().find(|token| token.0 == hex).map_or(symbol, |token| token.2);
                placed.push((hex, player, symbol));
            }
        }
        Position::from_tokens(placed, throws, turns).unwrap_or_else(|error| {
            // Counts and symbols were taken care of above.
            unreachable!("{error}")
        })
    })
}
