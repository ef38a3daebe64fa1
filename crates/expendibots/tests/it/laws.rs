//! The laws of every game, numbers and texts included.

use expendibots::{Move, Position, strategies};
use proptest::prelude::*;
use search_core::laws::{Laws, action_indices_round_trip, planes_tell_positions_apart};
use search_core::{Game, Indexed, Planes, Player};

search_core::game_laws!(Position, Laws::new().starts(strategies::reachable(40)).longest(500));

#[test]
fn strange_positions_keep_the_laws() {
    Laws::<Position>::new().starts(strategies::anything()).turns(12).cases(32).check_turn_based();
}

#[test]
fn actions_have_numbers() {
    Laws::<Position>::new()
        .starts(strategies::anything())
        .turns(4)
        .cases(24)
        .check_one(action_indices_round_trip);
    assert_eq!(Position::ACTIONS, 10_816);
}

#[test]
fn planes_tell_positions() {
    Laws::<Position>::new().starts(strategies::anything()).turns(6).check_one(planes_tell_positions_apart);
    let [early, late] =
        [96, 498].map(|plies| format!("8/8/2a5/3A4/8/8/8/8 w {plies}").parse::<Position>().unwrap());
    assert_eq!(early.planes(Player::One), late.planes(Player::One), "the counter does not show");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legality_is_membership_in_the_list(position in strategies::anything(), mv in strategies::moves()) {
        for player in Player::BOTH {
            let listed = position.move_list(player).as_slice().contains(&mv);
            prop_assert_eq!(position.is_legal(player, mv), listed);
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[a-lA-L1-8/]{0,80} [wb] [0-9]{1,4}|\\PC*") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }
}
