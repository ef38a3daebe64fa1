//! The laws of every game, from the start and from boards that no game reaches.

use hus::{Pit, Position, strategies};
use proptest::prelude::*;
use search_core::Game;
use search_core::laws::Laws;

search_core::game_laws!(Position, Laws::new().turns(200));

#[test]
fn arbitrary_boards_keep_the_laws() {
    Laws::<Position>::new().starts(strategies::anything()).turns(20).cases(32).check();
}

proptest! {
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
        for player in search_core::Player::BOTH {
            let listed = position.move_list(player).contains(&pit);
            prop_assert_eq!(position.is_legal(player, pit), listed);
        }
    }
}
