//! The crate against a second implementation of the rules, and its facts against plain walking.

use expendibots::{Move, Position, Square, SquareSet, strategies};
use proptest::prelude::*;
use search_core::laws::{Laws, Through};
use search_core::{Game, Player, TurnBased, perft, perft_suite};

use crate::naive::Naive;

#[test]
fn the_second_implementation_agrees_on_random_games() {
    Laws::<Position>::new().cases(48).turns(80).agrees_with::<Through<Naive>>();
    Laws::<Position>::new().cases(48).starts(strategies::reachable(120)).agrees_with::<Through<Naive>>();
    Laws::<Position>::new()
        .cases(48)
        .turns(12)
        .starts(strategies::anything())
        .agrees_with::<Through<Naive>>();
}

#[test]
fn the_second_implementation_agrees_on_perft() {
    for entry in perft_suite::<Naive>(include_str!("../data/perft.txt")).expect("a table") {
        if entry.leaves <= 30_000 {
            assert_eq!(perft(&entry.position, entry.depth), entry.leaves, "{}", entry.position);
        }
    }
}

/// What explodes with a square, by walking from neighbour to neighbour.
fn component_by_walking(position: &Position, from: Square) -> SquareSet {
    let mut seen = SquareSet::EMPTY;
    let mut open = vec![from];
    while let Some(square) = open.pop() {
        if position.stack(square).is_none() || seen.contains(square) {
            continue;
        }
        seen |= square.set();
        open.extend(Square::all().filter(|other| {
            other.file().abs_diff(square.file()) <= 1 && other.rank().abs_diff(square.rank()) <= 1
        }));
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_for_bots_agree_with_walking(position in strategies::anything()) {
        let mut all = SquareSet::EMPTY;
        for component in position.components() {
            let first = component.squares.first().unwrap();
            prop_assert_eq!(component.squares, component_by_walking(&position, first));
            for player in Player::BOTH {
                let by_hand: u8 = component.squares.iter()
                    .filter_map(|square| position.stack(square))
                    .filter(|(owner, _)| *owner == player)
                    .map(|(_, height)| height)
                    .sum();
                prop_assert_eq!(component.tokens(player), by_hand);
            }
            prop_assert_eq!(component.is_mixed(), position.in_contact().meets(component.squares));
            for square in component.squares {
                let result = position.boom_result(square).unwrap();
                prop_assert_eq!(result.taken, component);
                prop_assert_eq!(result.after.occupied(), position.occupied() - component.squares);
                for player in Player::BOTH {
                    let left = position.tokens(player) - component.tokens(player);
                    prop_assert_eq!(result.after.tokens(player), left);
                }
                if position.stacks(position.to_move()).contains(square) {
                    prop_assert_eq!(result.after, position.after(Move::boom(square)));
                }
            }
            all |= component.squares;
        }
        prop_assert_eq!(all, position.occupied());
        let list = position.move_list(position.to_move());
        for square in position.stacks(position.to_move()) {
            let to: SquareSet =
                list.as_slice().iter().filter(|mv| !mv.is_boom() && mv.from() == square).map(|mv| mv.to()).collect();
            prop_assert_eq!(position.targets(square), to);
        }
        prop_assert_eq!(position.mobility(position.to_move()), list.len());
    }
}
