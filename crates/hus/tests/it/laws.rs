//! The laws of every game, numbers and texts included.

use hus::{Pit, Position, strategies};
use proptest::prelude::*;
use search_core::laws::{Laws, action_indices_round_trip, planes_tell_positions_apart};
use search_core::{Game, Indexed, Planes, Player};

search_core::game_laws!(Position, Laws::new().turns(200).longest(10_000));

#[test]
fn strange_positions_keep_the_laws() {
    Laws::<Position>::new().starts(strategies::anything()).turns(20).cases(32).check_turn_based();
}

#[test]
fn actions_have_numbers() {
    Laws::<Position>::new().starts(strategies::anything()).turns(10).check_one(action_indices_round_trip);
    assert_eq!(Position::ACTIONS, 32);
}

#[test]
fn planes_tell_positions() {
    Laws::<Position>::new().turns(100).cases(16).check_one(planes_tell_positions_apart);
    Laws::<Position>::new().starts(strategies::anything()).turns(6).check_one(planes_tell_positions_apart);
    let zeros = ["0"; 31].join(",");
    let [early, late] =
        [42, 9_998].map(|plies| format!("{zeros},95/1,{zeros} 0 {plies}").parse::<Position>().unwrap());
    assert_eq!(early.planes(Player::One), late.planes(Player::One), "the counter does not show");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Pit>();
    }

    #[test]
    fn a_damaged_position_is_read_or_refused(
        position in strategies::anything(), at in any::<prop::sample::Index>(), with in "[0-9,/ x-]{0,3}"
    ) {
        let mut text = position.to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &with);
        if let Ok(read) = text.parse::<Position>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn any_pit_can_be_asked_about(position in strategies::anything(), pit in strategies::moves()) {
        for player in Player::BOTH {
            let listed = position.move_list(player).contains(&pit);
            prop_assert_eq!(position.is_legal(player, pit), listed);
        }
    }
}
