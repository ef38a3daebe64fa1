//! The examples of the rules, and every way a text can be wrong.

use hus::{ParsePositionError, Pit, Position, SOWING_LIMIT, Step};
use search_core::{End, Game, Outcome, Player, Record, Standard, TurnBased};

const START: &str = "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0 0 0";
const CAPTURE: &str = "0,0,0,0,0,0,0,0,1,0,1,1,0,1,1,0,0,3,0,3,4,1,1,1,5,0,0,0,0,1,0,0/5,4,1,0,0,1,0,0,0,0,1,3,1,0,3,0,2,5,6,3,8,7,2,1,3,10,0,2,1,2,1,0 1 39";
const CAPTURED: &str = "0,0,0,0,0,0,0,0,1,0,1,0,0,1,1,0,0,3,0,3,0,1,1,1,5,0,0,0,0,1,0,0/0,5,2,1,1,2,1,0,0,0,1,3,1,0,3,0,2,5,6,3,8,7,2,1,0,11,1,3,2,3,2,1 0 40";
const BEFORE_INFINITE: &str = "1,0,9,0,5,1,0,2,1,4,3,0,1,0,3,2,3,0,1,0,3,5,8,1,6,1,4,3,4,2,5,2/0,0,1,0,3,1,1,1,1,4,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0 0 36";
const AFTER_INFINITE: &str = "2,3,0,3,0,1,0,3,6,1,0,1,0,4,2,4,7,10,5,0,1,2,1,4,1,0,13,0,1,0,4,0/0,0,1,0,3,1,0,1,1,4,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0 36";

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn pit(index: u8) -> Pit {
    Pit::new(index).expect("a pit")
}

#[test]
fn the_start_is_the_start() {
    assert_eq!(Position::start().to_string(), START);
    assert_eq!(Position::initial(&Standard, 9), position(START));
    assert_eq!(Position::start().move_list(Player::One).len(), 24);
    assert_eq!(Position::start().move_count(Player::Two), 0);
}

#[test]
fn first_moves_of_the_rules() {
    let rings = [
        (23, "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,1,1,0,0,0,0,0,0", 1),
        (16, "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,3,0,3,3,0,3,3,1,0,0,0,0,0,0,0", 3),
        (0, "0,3,0,3,3,0,3,3,0,3,3,0,3,3,0,3,3,0,3,3,0,3,3,0,1,1,1,0,0,0,0,0", 9),
    ];
    for (start, ring, sowings) in rings {
        let after = Position::start().after(pit(start));
        assert!(after.to_string().starts_with(ring) && after.to_string().ends_with(" 1 1"));
        let steps = Position::start().trace(pit(start));
        assert_eq!(steps.iter().filter(|step| matches!(step, Step::Sow { .. })).count(), sowings);
    }
}

#[test]
fn the_capture_of_the_rules_step_by_step() {
    let mut traced = position(CAPTURE);
    let mut steps = Vec::new();
    traced.play_traced(pit(24), |step| steps.push(step));
    let expected = [
        Step::Sow { from: pit(24), seeds: 3, to: pit(27) },
        Step::Capture { pit: pit(27), inner: 4, outer: 1 },
        Step::Sow { from: pit(27), seeds: 5, to: pit(0) },
        Step::Relay { pit: pit(0), seeds: 6 },
        Step::Sow { from: pit(0), seeds: 6, to: pit(6) },
        Step::Stop { pit: pit(6) },
    ];
    assert_eq!(steps, expected);
    assert_eq!(traced.to_string(), CAPTURED);
    assert_eq!(position(CAPTURE).after(pit(24)), traced);
    assert_eq!(position(CAPTURE).prize(pit(27)), 5);
}

#[test]
fn the_infinite_move_of_the_rules() {
    let before = position(BEFORE_INFINITE);
    let after = before.after(pit(28));
    assert_eq!(after.to_string(), AFTER_INFINITE);
    assert_eq!(after.end(), Some(End::by_rule(Outcome::Win(Player::Two), "infinite-move")));
    assert_eq!(after.infinite_by(), Some(Player::One));
    assert_eq!(after.to_move(), Player::One);
    assert_eq!(after.turns_left(), before.turns_left().map(|left| left - 1), "it was a turn");
    assert_eq!(after.move_count(Player::One), 0);
    assert_eq!(position(AFTER_INFINITE), after, "the text carries the mark");

    let steps = before.trace(pit(28));
    assert_eq!(steps.last(), Some(&Step::Infinite { seeds: 3 }));
    let sowings = steps.iter().filter(|step| matches!(step, Step::Sow { .. })).count();
    assert_eq!(sowings as u32, SOWING_LIMIT);
}

/// A move that stops on its 200th sowing is a normal one; the next longer one is not. Cut out of real games.
#[test]
fn the_limit_is_exact() {
    let texts = include_str!("../data/long-moves.txt");
    let mut seen = [0; 2];
    for line in texts.lines().filter(|line| !line.starts_with('#')) {
        let (text, rest) = line.split_once(';').expect("position;pit;sowings");
        let (played, sowings) = rest.split_once(';').expect("position;pit;sowings");
        let sowings: u32 = sowings.parse().expect("a number");
        let before = position(text);
        let after = before.after(played.parse().expect("a pit"));
        let infinite = sowings > SOWING_LIMIT;
        assert_eq!(after.infinite_by().is_some(), infinite, "{line}");
        assert_eq!(after.seeds(Player::One) + after.seeds(Player::Two) < Position::SEEDS, infinite, "{line}");
        let steps = before.trace(played.parse().expect("a pit"));
        let sown = steps.iter().filter(|step| matches!(step, Step::Sow { .. })).count();
        assert_eq!(sown as u32, sowings.min(SOWING_LIMIT), "{line}");
        seen[usize::from(infinite)] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "both sides of the limit are there");
}

#[test]
fn a_player_without_two_seeds_in_a_pit_has_lost() {
    let text = format!("{},95/1,{} 1 41", ["0"; 31].join(","), ["0"; 31].join(","));
    let lost = position(&text);
    assert_eq!(lost.end(), Some(End::by_rule(Outcome::Win(Player::One), "no-moves")));
    assert_eq!(lost.utility(Player::Two), -1);
    // The same board with the other to move goes on.
    let text = format!("{},95/1,{} 0 42", ["0"; 31].join(","), ["0"; 31].join(","));
    assert_eq!(position(&text).end(), None);
}

#[test]
fn the_turn_limit_comes_last() {
    let board = BEFORE_INFINITE.split(' ').next().expect("a board");
    let last = position(&format!("{board} 0 10002"));
    assert_eq!(last.end(), Some(End::by_cap(Outcome::Draw, "turn-limit")));
    assert_eq!((last.turns_left(), last.move_count(Player::One)), (Some(0), 0));
    let before = position(&format!("{board} 0 10000"));
    assert_eq!((before.end(), before.turns_left()), (None, Some(2)));
    let zeros = ["0"; 31].join(",");
    let lost = position(&format!("1,{zeros}/95,{zeros} 0 10002"));
    assert_eq!(lost.end(), Some(End::by_rule(Outcome::Win(Player::Two), "no-moves")));
}

#[test]
fn keys_leave_the_counter_out_and_the_class_in() {
    let board = START.split(' ').next().expect("a board");
    let key = |tail: &str| position(&format!("{board} {tail}")).key();
    assert_eq!(key("0 2"), key("0 4"));
    assert_ne!(key("0 0"), key("0 2"), "captures allowed or not");
    assert_ne!(key("1 3"), key("0 2"), "side to move");
    assert_eq!(Position::start().repetition_key(), None);

    // What the laws compare says the same: a board that comes back at another ply is the same position.
    let text = |tail: &str| position(&format!("{board} {tail}")).key_text();
    assert_eq!(text("0 2"), text("0 4"));
    assert_ne!(text("0 0"), text("0 2"), "captures allowed or not");
    assert_ne!(text("1 3"), text("0 2"), "side to move");
    assert_ne!(position(BEFORE_INFINITE).key_text(), position(AFTER_INFINITE).key_text());
}

#[test]
fn wrong_texts_say_what_is_wrong() {
    let zeros = ["0"; 31].join(",");
    let one_error = |text: &str| text.parse::<Position>().expect_err(text);
    assert!(matches!(one_error(""), ParsePositionError::Parts(1, _)));
    assert!(matches!(one_error(&START.replace(" 0 0", " 0")), ParsePositionError::Parts(2, _)));
    assert!(matches!(one_error(&format!("{START} ")), ParsePositionError::Parts(4, _)));
    assert_eq!(one_error("1,2 0 0"), ParsePositionError::Players(1));
    assert_eq!(
        one_error(&START.replacen("2,", "", 1)),
        ParsePositionError::Pits { player: Player::One, found: 31 }
    );
    assert_eq!(
        one_error(&START.replace("/2", "/2,0")),
        ParsePositionError::Pits { player: Player::Two, found: 33 }
    );
    for count in ["96", "-1", "x", "", "007", "256"] {
        let error = one_error(&START.replace("/2", &format!("/{count}")));
        assert_eq!(error, ParsePositionError::Count { player: Player::Two, pit: 0, found: count.to_owned() });
    }
    assert_eq!(one_error(&START.replace("/2", "/3")), ParsePositionError::Total(97));
    assert_eq!(one_error(&format!("95,{zeros}/2,{zeros} 0 0")), ParsePositionError::Total(97));
    assert_eq!(one_error(&START.replace(" 0 0", " 2 0")), ParsePositionError::Side("2".to_owned()));
    assert_eq!(
        one_error(&START.replace(" 0 0", " 1 10003")),
        ParsePositionError::Plies { most: 10_002, found: "10003".to_owned() }
    );
    assert_eq!(
        one_error(&AFTER_INFINITE.replace(" 0 36", " 0 10002")),
        ParsePositionError::Plies { most: 10_001, found: "10002".to_owned() }
    );
    let parity = one_error(&START.replace(" 0 0", " 1 0"));
    assert_eq!(parity.to_string(), "expected side 0 to move after 0 plies, found 1");
}

#[test]
fn illegal_moves_are_refused_by_the_record() {
    let mut record = Record::new(position(CAPTURE));
    for index in [3, 2, 31] {
        let refused = record.play(pit(index)).expect_err("0 or 1 seed");
        assert!(refused.to_string().contains("is not a legal move of p2"), "{refused}");
    }
    assert!(record.check(Player::One, pit(17)).is_err(), "not to move");
    assert_eq!(record.play(pit(24)).expect("legal"), None);
    let mut over = Record::new(position(AFTER_INFINITE));
    assert!(over.play(pit(0)).expect_err("over").to_string().contains("the game is over"));
}

#[test]
fn facts_are_counted_right() {
    let board = position(CAPTURE);
    for player in Player::BOTH {
        let counts = board.counts(player);
        assert_eq!(board.seeds(player), counts.iter().map(|&count| u32::from(count)).sum::<u32>());
        assert_eq!(board.mobility(player) as usize, counts.iter().filter(|&&count| count >= 2).count());
        let exposed: u32 = (16..32)
            .filter(|&inner| counts[inner] > 0)
            .map(|inner| u32::from(counts[inner]) + u32::from(counts[31 - inner]))
            .sum();
        assert_eq!(board.exposed(player), exposed);
        assert!(exposed > 0);
    }
}
