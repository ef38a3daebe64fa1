//! The laws of every game, numbers and texts included.

use proptest::prelude::*;
use ropasci360::{Hex, Move, Position, log, strategies};
use search_core::laws::{Laws, action_indices_round_trip, planes_tell_positions_apart};
use search_core::{Game, Indexed, Planes, Player};

search_core::game_laws!(Position, Laws::new().cases(32).turns(80).longest(360));

#[test]
fn strange_positions_keep_the_laws() {
    Laws::<Position>::new().starts(strategies::anything()).turns(6).cases(96).check();
}

#[test]
fn actions_have_numbers() {
    Laws::<Position>::new().starts(strategies::anything()).turns(4).check_one(action_indices_round_trip);
    assert_eq!(Position::ACTIONS, 1_017);
}

#[test]
fn planes_tell_positions() {
    Laws::<Position>::new().starts(strategies::anything()).turns(6).check_one(planes_tell_positions_apart);
    let [early, late] =
        [10, 359].map(|turns| format!("5/6/7/8/3R5/8/7/6/s4 1 1 {turns}").parse::<Position>().unwrap());
    assert_eq!(early.planes(Player::One), late.planes(Player::One), "the counter does not show");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_is_a_position_or_an_error(text in "([1-9rpsRPS()]{1,9}/){8}[1-9rpsRPS()]{1,9} [0-9]{1,2} [0-9]{1,2} [0-9]{1,3}|[1-9/RPSrps() 0é]{0,60}|\\PC*") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn text_is_a_move_or_an_error(text in "[rps]?@?[a-i]?[0-9]?-?[a-i]?[0-9]{0,2}|\\PC*") {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text.clone());
        }
        if let Ok(hex) = text.parse::<Hex>() {
            prop_assert_eq!(hex.to_string(), text);
        }
    }

    #[test]
    fn text_is_a_log_or_an_error_with_its_line(
        text in "((\\* )?turn [0-9]{1,25}: (upper|lower): (THROW symbol [rpsx] to|SLIDE from|SWING from) \\(-?[0-9]{1,12}, ?-?[0-9]{1,3}\\)( to \\(-?[0-9], -?[0-9]\\))?\n|winner: (upper|lower)\n|draw: \\PC{0,9}\n|\\PC*\n){0,4}"
    ) {
        if let Err(error) = log::parse(&text) {
            prop_assert!((1..=text.lines().count()).contains(&error.line), "{}", error);
        }
    }

    #[test]
    fn a_damaged_position_is_read_back_or_refused(position in strategies::anything(), at in any::<prop::sample::Index>(), with in "[0-9/RPSrps() é-]?") {
        let mut letters: Vec<String> = position.to_string().chars().map(String::from).collect();
        let at = at.index(letters.len());
        letters[at] = with;
        let text = letters.concat();
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn a_move_is_legal_just_if_it_is_listed(position in strategies::anything(), mv in strategies::moves()) {
        for player in Player::BOTH {
            prop_assert_eq!(position.is_legal(player, mv), position.move_list(player).contains(&mv));
        }
    }
}
