//! The laws of every game, from starts and from crowded boards of all sizes.

mod naive;

use std::cmp::Ordering;

use colosseum::strategies::anything;
use colosseum::{Move, Position, Setup};
use naive::{NaivePosition, move_text};
use proptest::prelude::*;
use search_core::laws::{Laws, Oracle};
use search_core::{Game, Player};

search_core::game_laws!(Position, Laws::new().cases(40).turns(60).starts(anything()));

impl Oracle for NaivePosition {
    fn read(text: &str) -> Self {
        NaivePosition::parse(text)
    }

    fn text(&self) -> String {
        NaivePosition::text(self)
    }

    fn end(&self) -> Option<String> {
        let [one, two] = self.scores()?;
        let outcome = match one.cmp(&two) {
            Ordering::Greater => "p1",
            Ordering::Less => "p2",
            Ordering::Equal => "draw",
        };
        Some(format!("{outcome} (separated)"))
    }

    fn moves(&self, player: Player) -> Vec<String> {
        if player.index() == self.to_move {
            self.moves().into_iter().map(move_text).collect()
        } else {
            Vec::new()
        }
    }

    fn play(&mut self, turn: &str) {
        let mv = self.moves().into_iter().find(|&mv| move_text(mv) == turn).expect("a legal move");
        NaivePosition::play(self, mv);
    }
}

#[test]
fn a_second_implementation_agrees() {
    Laws::<Position>::new().cases(30).turns(100).starts(anything()).agrees_with::<NaivePosition>();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}|[0-9a-f/ ]{0,60}|3 [0-9a-f]{3}/[0-9a-f]{3}/[0-9a-f]{3} [a-d][1-4] [a-d][1-4] [ab] [0-9]") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text.clone());
        }
        if let Ok(setup) = text.parse::<Setup>() {
            prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup));
        }
    }

    #[test]
    fn a_changed_text_is_refused_or_read_as_it_stands(
        position in anything(), at in any::<prop::sample::Index>(), with in "[0-9a-f/ ]",
    ) {
        let mut text = position.to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &with);
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
            for player in Player::BOTH {
                prop_assert_eq!(position.move_list(player).len(), position.move_count(player));
            }
        }
    }
}
