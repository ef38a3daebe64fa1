//! Everything is the same under the symmetries of the rules.

use proptest::prelude::*;
use ropasci360::{Position, Symbol, Symmetry, strategies};
use search_core::{Game, Outcome, Player};

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

fn image_of_outcome(symmetry: Symmetry, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win(player) => Outcome::Win(symmetry.apply_player(player)),
        Outcome::Draw => Outcome::Draw,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_and_facts_are_invariant(position in strategies::anything(), choices in any::<[u32; 2]>()) {
        for symmetry in Symmetry::of(&position) {
            let image = symmetry.apply(&position);
            prop_assert_eq!(symmetry.inverse().apply(&image), position);
            prop_assert_eq!(image.to_string().parse::<Position>().unwrap(), image);
            prop_assert_eq!(
                position.end().map(|end| (image_of_outcome(symmetry, end.outcome), end.reason)),
                image.end().map(|end| (end.outcome, end.reason))
            );
            for player in Player::BOTH {
                let other = symmetry.apply_player(player);
                let moves = sorted(position.move_list(player).iter().map(|&mv| symmetry.apply_move(mv)));
                prop_assert_eq!(moves, sorted(image.move_list(other).iter().copied()));
                prop_assert_eq!(symmetry.apply_set(position.prey(player)), image.prey(other));
                prop_assert_eq!(symmetry.apply_set(position.throw_zone(player)).len(), image.throw_zone(other).len());
                if position.throws_left(player) > 0 {
                    prop_assert_eq!(symmetry.apply_set(position.throw_zone(player)), image.throw_zone(other));
                }
                prop_assert_eq!(symmetry.apply_set(position.invincible(player)), image.invincible(other));
                prop_assert_eq!(position.token_count(player), image.token_count(other));
                prop_assert_eq!(position.threats(player).count(), image.threats(other).count());
                for symbol in Symbol::ALL {
                    prop_assert_eq!(
                        position.symbol_count(player, symbol),
                        image.symbol_count(other, symmetry.apply_symbol(symbol))
                    );
                }
            }
            if position.end().is_none() {
                let turn = Player::BOTH.map(|player| {
                    let count = position.move_count(player);
                    position.nth_move(player, choices[player.index()] as usize % count).unwrap()
                });
                let (mut here, mut there) = (position, image);
                here.play_turn(turn);
                there.play_turn(symmetry.apply_turn(turn));
                prop_assert_eq!(symmetry.apply(&here), there);
            }
        }
    }

    #[test]
    fn all_forms_have_one_canonical_form(position in strategies::anything()) {
        let (canonical, symmetry) = position.canonical();
        prop_assert_eq!(symmetry.apply(&position), canonical);
        for symmetry in Symmetry::of(&position) {
            prop_assert_eq!(symmetry.apply(&position).canonical().0, canonical);
        }
    }
}
