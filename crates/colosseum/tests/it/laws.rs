//! The laws of every game, numbers and texts included.

use colosseum::{Edition, MIN_SIZE, Move, Position, Setup, strategies};
use proptest::prelude::*;
use search_core::laws::{Laws, action_indices_round_trip, planes_tell_positions_apart};
use search_core::{Game, Indexed, Planes, Player, TurnBased};

search_core::game_laws!(Position, Laws::new().cases(40).turns(60).starts(strategies::anything()));

#[test]
fn actions_have_numbers() {
    Laws::<Position>::new().starts(strategies::anything()).turns(10).check_one(action_indices_round_trip);
    assert_eq!(Position::ACTIONS, 576);
}

#[test]
fn the_actions_of_a_board_come_first() {
    for size in 3..=12 {
        let setup = Setup::new(size, Edition::default()).expect("in range");
        let actions = Position::actions_in(&setup);
        assert_eq!(actions, 4 * usize::from(size).pow(2));
        let start = Position::initial(&setup, 7);
        for index in 0..Position::ACTIONS {
            let mv = Position::action(index).expect("an action");
            assert_eq!(start.has_cell(mv.cell), index < actions, "{mv} on a board of {size}");
        }
    }
}

#[test]
fn planes_tell_positions() {
    Laws::<Position>::new().starts(strategies::anything()).turns(10).check_one(planes_tell_positions_apart);
    let start = Position::initial(&Setup::default(), 5);
    let text = start.to_string();
    let late: Position = format!("{} 9", text.strip_suffix(" 0").expect("no move was made")).parse().unwrap();
    assert_eq!(start.planes(start.to_move()), late.planes(start.to_move()), "the counter does not show");
}

#[test]
fn strange_moves_are_legal_just_if_they_are_listed() {
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }, |(position in strategies::anything(), mv in strategies::moves())| {
        for player in Player::BOTH {
            prop_assert_eq!(position.is_legal(player, mv), position.move_list(player).contains(&mv));
        }
    });
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
        position in strategies::anything(), at in any::<prop::sample::Index>(), with in "[0-9a-f/ ]",
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

/// The simplest value with a property that a strategy shrinks to.
fn simplest<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, wanted: impl Fn(&T) -> bool) -> T {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..1000 {
        let mut tree = strategy.new_tree(&mut runner).unwrap();
        if !wanted(&tree.current()) {
            continue;
        }
        while tree.simplify() {
            // Back to what still has the property, and on from there.
            while !wanted(&tree.current()) && tree.complicate() {}
        }
        return tree.current();
    }
    panic!("no value has the property");
}

#[test]
fn boards_shrink() {
    let moved = simplest(strategies::reachable(40), |position| position.plies() > 0);
    assert_eq!((moved.size(), moved.plies()), (MIN_SIZE, 1), "{moved}");
    let walled = simplest(strategies::anything(), |position| position.plies() >= 5);
    assert_eq!((walled.size(), walled.plies()), (MIN_SIZE, 5), "{walled}");
}
