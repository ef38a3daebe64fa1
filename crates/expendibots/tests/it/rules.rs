//! The examples of the rules, repetition, the order of the ends, and moves off the rules.

use std::collections::HashMap;

use expendibots::{Move, Position, Square};
use rand::RngExt;
use search_core::{Game, Outcome, Player, Record, TurnBased, stream};

#[test]
fn shuffling_from_the_start_draws_at_ply_twelve() {
    let mut game = Record::new(Position::start());
    for text in ["1a2a3", "1a7a6", "1a3a2", "1a6a7"].iter().cycle().take(12) {
        assert_eq!(game.end(), None);
        game.play(text.parse().unwrap()).unwrap();
    }
    let end = game.end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Draw, "repetition"));
    assert_eq!(game.position().plies(), 12);
}

#[test]
fn the_other_side_to_move_is_another_state() {
    // Both go round a triangle of three moves (two squares out, one back, one back): the board is the same after six
    // plies with the same side to move, and after three plies never.
    let mut game = Record::new("b7/8/8/8/8/8/8/B7 w 0".parse::<Position>().unwrap());
    for text in ["2a1a3", "2a8a6", "2a3a2", "2a6a7", "2a2a1", "2a7a8"].iter().cycle().take(18) {
        assert_eq!(game.end(), None);
        game.play(text.parse().unwrap()).unwrap();
    }
    assert_eq!(game.end().map(|end| end.reason), Some("repetition"));
    // The same board, reached with White's three-move tour against Black's two-move shuffle, differs in the side.
    let white: Position = "b7/8/8/8/8/8/8/B7 w 10".parse().unwrap();
    let black: Position = "b7/8/8/8/8/8/8/B7 b 11".parse().unwrap();
    assert_ne!(white.repetition_key(), black.repetition_key());
}

/// A lone token a side walks about in its corner, from every ply near the last one. How often a state has been there is
/// counted by its text: the verdict must be the referee's, also where the fourth time falls on ply 500.
#[test]
fn repetitions_near_the_last_ply_are_those_of_the_texts() {
    let mut rng = stream(3, "repetitions near the last ply");
    let mut ends: HashMap<(&str, bool), u32> = HashMap::new();
    for round in 0..2000 {
        let plies = 440 + round % 60;
        let side = if plies % 2 == 0 { 'w' } else { 'b' };
        let start: Position = format!("7a/8/8/8/8/8/8/A7 {side} {plies}").parse().unwrap();
        let mut game = Record::new(start);
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let position = *game.position();
            let text = position.to_string();
            let state = text.rsplit_once(' ').unwrap().0.to_owned();
            let times = seen.entry(state).or_default();
            *times += 1;
            let expected = if *times >= 4 {
                Some("repetition")
            } else if position.plies() >= 500 {
                Some("turn-limit")
            } else {
                None
            };
            assert_eq!(game.end().map(|end| end.reason), expected, "{text}");
            assert_eq!(game.occurrences(), *times, "{text}");
            if let Some(reason) = expected {
                *ends.entry((reason, position.plies() == 500)).or_default() += 1;
                break;
            }
            let near_corner = |square: Square| {
                square.file().min(7 - square.file()) + square.rank().min(7 - square.rank()) <= 2
            };
            let list = position.move_list(position.to_move());
            let moves = list.as_slice().iter().copied();
            let choices: Vec<Move> = moves.filter(|mv| !mv.is_boom() && near_corner(mv.to())).collect();
            game.play(choices[rng.random_range(0..choices.len())]).unwrap();
        }
    }
    assert!(ends[&("repetition", false)] > 100 && ends[&("turn-limit", true)] > 100, "{ends:?}");
    assert!(ends[&("repetition", true)] > 10, "{ends:?}");
}

#[test]
fn ends_come_in_the_order_of_the_referee() {
    for (start, mv, outcome, reason) in [
        ("8/8/8/8/8/7a/8/6A1 b 499", "h3!", Outcome::Win(Player::One), "elimination"),
        ("8/8/8/8/8/8/7a/6A1 b 499", "h2!", Outcome::Draw, "mutual-elimination"),
        ("8/8/8/8/8/7a/8/6A1 b 499", "1h3h4", Outcome::Draw, "turn-limit"),
        ("8/2Ll4/8/8/8/8/8/8 w 80", "c7!", Outcome::Draw, "mutual-elimination"),
        ("aa1aa1aa/aa5a/6a1/8/8/8/a7/Aa6 w 64", "a1!", Outcome::Win(Player::Two), "elimination"),
    ] {
        let mut game = Record::new(start.parse::<Position>().unwrap());
        let end = game.play(mv.parse().unwrap()).unwrap().unwrap();
        assert_eq!((end.outcome, end.reason), (outcome, reason), "{start} {mv}");
    }
}

#[test]
fn moves_off_the_rules_are_refused_with_the_legal_ones() {
    let mut game = Record::new(Position::start());
    for illegal in ["2a2a3", "1a2a4", "1a7a6", "a7!", "c3!", "1c3c4"] {
        let error = game.play(illegal.parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{illegal}` is not a legal move of p1")), "{error}");
        assert_eq!(game.turns().len(), 0);
    }
    let mut blocked = Record::new("8/8/8/8/8/a7/8/B7 w 0".parse::<Position>().unwrap());
    assert!(blocked.play("1a1a3".parse().unwrap()).is_err(), "an enemy stack stops the landing");
    assert!(blocked.play("1a1c1".parse().unwrap()).is_ok(), "one of two tokens may fly two squares");
}

#[test]
fn worked_examples_of_the_rules() {
    for (before, mv, after) in [
        (
            "2a3ab/1a4a1/a1a1E2b/4a3/2a5/8/4A1A1/AA1A1A1A w 46",
            "2e6e2",
            "2a3ab/1a4a1/a1a1C2b/4a3/2a5/8/4C1A1/AA1A1A1A b 47",
        ),
        ("7i/a3b3/8/3B4/8/7A/1C6/1C1AA1A1 b 29", "6h8h1", "7c/a3b3/8/3B4/8/7A/1C6/1C1AA1Af w 30"),
        (
            "ab2a2a/aA2aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 w 28",
            "b7!",
            "4a2a/4aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 b 29",
        ),
    ] {
        let mut game = Record::new(before.parse::<Position>().unwrap());
        game.play(mv.parse().unwrap()).unwrap();
        assert_eq!(game.position().to_string(), after);
    }
}

#[test]
fn the_longest_move_list_fits() {
    // Three stacks of four on the centre squares: 3 * (1 + 4 * 14) = 171 moves, the upper bound.
    let position: Position = "8/8/8/3DD3/3D4/8/8/a7 w 2".parse().unwrap();
    assert_eq!(position.move_list(Player::One).len(), 171);
}
