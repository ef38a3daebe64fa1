//! The examples of the rules, repetition, the turn limit, and moves off the rules.

use std::collections::HashMap;

use rand::RngExt;
use ropasci360::{Hex, Position};
use search_core::{Game, Player, Record, parse_turn, stream};

#[test]
fn worked_examples() {
    let goes_on = None;
    for (position, turn, next, end) in [
        ("5/6/7/8/9/8/7/6/5 0 0 0", "p@i3|p@a7", "2P2/6/7/8/9/8/7/6/2p2 1 1 1", goes_on),
        ("5/6/7/8/4Rp3/8/7/6/5 1 1 10", "e5e6|e6e5", "5/6/7/8/4pR3/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3R1p3/8/7/6/5 1 1 10", "e4e5|e6e5", "5/6/7/8/4p4/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3R1r3/8/7/6/5 1 1 10", "e4e5|e6e5", "5/6/7/8/4(Rr)4/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3RSp3/8/7/6/5 2 1 10", "e4e5|e6e5", "5/6/7/8/9/8/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3RSp3/8/7/6/5 2 1 10", "e4e5|e6e7", "5/6/7/8/4R1p2/8/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3Rs4/8/7/6/5 1 1 10", "e4e5|e5e6", "5/6/7/8/4Rs3/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3(RRr)5/8/7/6/5 2 1 10", "e4e5|e4d5", "5/6/7/8/3RR4/3r4/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3(RRr)5/8/7/6/5 4 4 10", "r@e4|p@e4", "5/6/7/8/3p5/8/7/6/5 5 5 11", goes_on),
        ("5/6/7/8/3RP4/8/7/6/p4 2 1 10", "e4e6|a5a6", "5/6/7/8/4PR3/8/7/6/1p3 2 1 11", goes_on),
        (
            "5/6/7/8/4R4/8/7/6/5 8 8 20",
            "p@e5|s@e5",
            "5/6/7/8/9/8/7/6/5 9 9 21",
            Some("draw (mutual-elimination)"),
        ),
        (
            "5/6/7/8/3S5/8/7/6/r4 8 9 20",
            "p@a6|a5a6",
            "5/6/7/8/3S5/8/7/6/1P3 9 9 21",
            Some("p1 (elimination)"),
        ),
        (
            "5/6/7/8/3S5/8/7/6/r4 8 9 20",
            "p@i1|a5a6",
            "P4/6/7/8/3S5/8/7/6/1r3 9 9 21",
            Some("p1 (invincible-vs-last-token)"),
        ),
        ("5/6/7/8/4R4/8/7/6/s4 9 8 20", "e5e6|s@b6", "5/6/7/8/5R3/8/7/2s3/s4 9 9 21", goes_on),
    ] {
        let start: Position = position.parse().unwrap();
        let mut record = Record::new(start);
        let turn = parse_turn::<Position>(start.active(), turn).unwrap();
        let found = record.play(turn).unwrap().map(|end| end.to_string());
        assert_eq!(record.position().to_string(), next);
        assert_eq!(found.as_deref(), end, "{position}");
    }
}

#[test]
fn a_third_occurrence_draws_and_goes_before_the_turn_limit() {
    let shuffle = |start: &str| {
        let mut record = Record::new(start.parse::<Position>().unwrap());
        for turn in ["e4e5|a5a6", "e5e4|a6a5"].into_iter().cycle().take(4) {
            let turn = parse_turn::<Position>(record.position().active(), turn).unwrap();
            record.play(turn).unwrap();
        }
        record.end().map(|end| end.reason)
    };
    assert_eq!(shuffle("5/6/7/8/3R5/8/7/6/s4 1 1 10"), Some("repetition"));
    assert_eq!(shuffle("5/6/7/8/3R5/8/7/6/s4 1 1 356"), Some("repetition"));
    let mut capped = "5/6/7/8/3R5/8/7/6/s4 1 1 359".parse::<Position>().unwrap();
    capped.play_turn(parse_turn::<Position>(capped.active(), "e4e5|a5a6").unwrap());
    assert_eq!(capped.end().map(|end| end.reason), Some("turn-limit"));
}

/// A token a side walks about in its corner, from every turn near the last one. How often a position has been there is
/// counted by its text: the verdict must be the referee's, also where the third time falls on turn 360.
#[test]
fn repetitions_near_the_last_turn_are_those_of_the_texts() {
    let mut rng = stream(3, "repetitions near the last turn");
    let mut ends: HashMap<(&str, bool), u32> = HashMap::new();
    for round in 0..2000 {
        let start = format!("R4/6/7/8/9/8/7/6/4s 1 1 {}", 300 + round % 60);
        let mut record = Record::new(start.parse::<Position>().unwrap());
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let position = *record.position();
            let text = position.to_string();
            let times = seen.entry(text.rsplit_once(' ').unwrap().0.to_owned()).or_default();
            *times += 1;
            let expected = if *times >= 3 {
                Some("repetition")
            } else if position.turns() >= 360 {
                Some("turn-limit")
            } else {
                None
            };
            assert_eq!(record.end().map(|end| end.reason), expected, "{text}");
            assert_eq!(record.occurrences(), *times, "{text}");
            if let Some(reason) = expected {
                *ends.entry((reason, position.turns() == 360)).or_default() += 1;
                break;
            }
            let turn = [("i1", Player::One), ("a9", Player::Two)].map(|(corner, player)| {
                let corner: Hex = corner.parse().unwrap();
                let mut moves = record.legal_moves(player);
                moves.retain(|mv| !mv.is_throw() && mv.to().distance(corner) <= 1);
                moves[rng.random_range(0..moves.len())]
            });
            record.play(turn).unwrap();
        }
    }
    assert!(ends[&("repetition", false)] > 100 && ends[&("turn-limit", true)] > 100, "{ends:?}");
    assert!(ends[&("repetition", true)] > 10, "{ends:?}");
}

#[test]
fn a_swing_needs_a_pivot() {
    let record = Record::new("5/6/7/8/3RP4/8/7/6/ps3 9 9 10".parse::<Position>().unwrap());
    assert!(record.check(Player::One, "e4e6".parse().unwrap()).is_ok());
    let refused = record.check(Player::One, "e4c4".parse().unwrap()).unwrap_err();
    assert!(refused.to_string().starts_with("`e4c4` is not a legal move of p1; legal: e4d4"));
    assert!(record.check(Player::Two, "e4e5".parse().unwrap()).is_err());
    assert!(record.check(Player::Two, "s@a5".parse().unwrap()).is_err());
}
