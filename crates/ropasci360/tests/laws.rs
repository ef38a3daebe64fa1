//! The laws that every game keeps.

mod from_the_start {
    search_core::game_laws!(ropasci360::Position, search_core::laws::Laws::new().cases(32).turns(80));
}

mod from_strange_positions {
    use ropasci360::strategies;
    use search_core::laws::Laws;

    search_core::game_laws!(
        ropasci360::Position,
        Laws::new().cases(96).turns(6).starts(strategies::anything())
    );
}

mod arbitrary_text {
    use proptest::prelude::*;
    use ropasci360::{Hex, Move, Position, log};

    proptest! {
        #[test]
        fn is_a_position_or_an_error(text in "([1-9rpsRPS()]{1,9}/){8}[1-9rpsRPS()]{1,9} [0-9]{1,2} [0-9]{1,2} [0-9]{1,3}|\\PC*") {
            if let Ok(position) = text.parse::<Position>() {
                prop_assert_eq!(position.to_string(), text);
            }
        }

        #[test]
        fn is_a_move_or_an_error(text in "[rps]?@?[a-i]?[0-9]?-?[a-i]?[0-9]{0,2}|\\PC*") {
            if let Ok(mv) = text.parse::<Move>() {
                prop_assert_eq!(mv.to_string(), text.clone());
            }
            if let Ok(hex) = text.parse::<Hex>() {
                prop_assert_eq!(hex.to_string(), text);
            }
        }

        #[test]
        fn is_a_log_or_an_error_with_its_line(
            text in "((\\* )?turn [0-9]{1,25}: (upper|lower): (THROW symbol [rpsx] to|SLIDE from|SWING from) \\(-?[0-9]{1,12}, ?-?[0-9]{1,3}\\)( to \\(-?[0-9], -?[0-9]\\))?\n|winner: (upper|lower)\n|draw: \\PC{0,9}\n|\\PC*\n){0,4}"
        ) {
            if let Err(error) = log::parse(&text) {
                prop_assert!((1..=text.lines().count()).contains(&error.line), "{}", error);
            }
        }
    }
}
