//! Strategies for property tests.

use proptest::collection::vec;
use proptest::prelude::*;
use search_core::{Game, Player, TurnBased};

use crate::{Move, Position, Square};

/// Any square.
///
/// ```
/// use expendibots::{Square, strategies};
/// use proptest::prelude::*;
/// proptest!(|(square in strategies::squares())| {
///     prop_assert_eq!(Square::from_index(square.index()), Some(square));
/// });
/// ```
pub fn squares() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_filter_map("a square", Square::from_index)
}

/// Any move, legal or not.
///
/// ```
/// use expendibots::strategies;
/// use proptest::prelude::*;
/// proptest!(|(mv in strategies::moves())| prop_assert!(mv.distance() < 8));
/// ```
pub fn moves() -> impl Strategy<Value = Move> {
    let shifts = (1..=12_u8, squares(), squares())
        .prop_filter_map("a straight line", |(count, from, to)| Move::shift(count, from, to));
    prop_oneof![1 => squares().prop_map(Move::boom), 7 => shifts]
}

/// Any valid position that is not finished, reachable or not: up to 12 tokens a side anywhere, at any ply.
///
/// ```
/// use expendibots::strategies;
/// use proptest::prelude::*;
/// use search_core::Game;
/// proptest!(|(position in strategies::anything())| prop_assert!(position.end().is_none()));
/// ```
pub fn anything() -> impl Strategy<Value = Position> {
    let drops = || vec(0..Square::COUNT, 1..=usize::from(Position::TOKENS));
    (drops(), drops(), 0..Position::TURN_LIMIT).prop_map(|(white, black, plies)| {
        let mut board = [(Player::One, 0_u8); Square::COUNT];
        for (player, drops) in [(Player::One, white), (Player::Two, black)] {
            for (index, drop) in drops.into_iter().enumerate() {
                // The first token of each side has half of the board for itself, so that no side is without tokens.
                let half = (drop & 31) + 32 * player.index();
                let place = if index == 0 { half } else { drop };
                let (owner, height) = &mut board[place];
                if *height == 0 || *owner == player {
                    (*owner, *height) = (player, *height + 1);
                } else if index == 0 {
                    (*owner, *height) = (player, 1);
                }
            }
        }
        let stacks = Square::all().zip(board).filter(|(_, (_, height))| *height > 0);
        let stacks: Vec<_> = stacks.map(|(square, (owner, height))| (square, owner, height)).collect();
        // At most 12 drops a side and at most 500 plies: always a position.
        Position::from_stacks(stacks, plies).unwrap_or_default()
    })
}

/// A position reached by up to `plies` moves from the start, finished ones included. Booms that hit no enemy are avoided where
/// possible, else most walks would end by suicide after a few plies.
///
/// ```
/// use expendibots::strategies;
/// use proptest::prelude::*;
/// proptest!(|(position in strategies::reachable(20))| prop_assert!(position.plies() <= 20));
/// ```
pub fn reachable(plies: usize) -> impl Strategy<Value = Position> {
    vec(any::<u32>(), 0..=plies).prop_map(|draws| {
        let mut position = Position::start();
        for draw in draws {
            let mover = position.to_move();
            let list = position.move_list(mover);
            let sensible = |mv: &&Move| !mv.is_boom() || position.touching(mover).contains(mv.from());
            let choices: Vec<Move> = list.as_slice().iter().filter(sensible).copied().collect();
            let choices = if choices.is_empty() { list.as_slice() } else { &choices };
            let Some(&mv) = choices.get(draw as usize % choices.len().max(1)) else { break };
            position = position.after(mv);
            if position.end().is_some() {
                break;
            }
        }
        position
    })
}
