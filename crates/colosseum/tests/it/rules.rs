//! Worked examples, the end of the game, bad input, and the board picture.

use colosseum::{Move, MoveError, Position};
use search_core::{Game, Outcome, Paint, Player, Record, TurnBased};

const START: &str = "6 915113/a81002/804402/801102/80042a/c44546 e6 b1 a 0";

fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn mv(text: &str) -> Move {
    text.parse().expect(text)
}

#[test]
fn the_first_example() {
    let start = position(START);
    let moves: Vec<String> = start.move_list(Player::One).iter().map(ToString::to_string).collect();
    assert_eq!(moves.len(), 39);
    for text in ["e6l", "e6r", "e6u", "b6l", "e3u"] {
        assert!(moves.iter().any(|mv| mv == text), "{text}");
        assert!(start.is_legal(Player::One, mv(text)) && !start.is_legal(Player::Two, mv(text)));
    }
    for (text, message) in [
        ("e6d", "there is already a wall on the side down of e6"),
        ("e5r", "there is already a wall on the side right of e5"),
        ("d5d", "there is already a wall on the side down of d5"),
        ("d6u", "there is already a wall on the side up of d6"),
        ("e2u", "e2 cannot be reached from e6 in at most 3 steps"),
        ("b1r", "b1 cannot be reached from e6 in at most 3 steps"),
        ("g1u", "g1 is not on a board of 6 x 6 cells"),
        ("a7u", "a7 is not on a board of 6 x 6 cells"),
    ] {
        assert_eq!(start.checked_play(mv(text)).unwrap_err().to_string(), message);
        assert!(!start.is_legal(Player::One, mv(text)));
    }
}

#[test]
fn a_wall_that_separates_ends_the_game() {
    let before = position("6 f95113/d07ac2/d47eba/bbbd46/86a957/c5447f a4 e6 b 21");
    let after = before.checked_play(mv("d5d")).expect("legal");
    assert_eq!(after.to_string(), "6 f95113/d07ac2/d47eba/bbbd46/86ad57/c5457f a4 d5 a 22");
    assert_eq!(after.scores(), Some([11, 3]));
    assert_eq!(
        after.end().map(|end| (end.outcome, end.reason)),
        Some((Outcome::Win(Player::One), "separated"))
    );
    assert_eq!(after.move_count(Player::One) + after.move_count(Player::Two), 0);
    assert_eq!(after.check(mv("a4u")), Err(MoveError::Over { outcome: Outcome::Win(Player::One) }));
    assert!(Record::new(after).play(mv("a4u")).is_err());
}

#[test]
fn a_player_behind_the_opponent_must_bury_itself() {
    let before = position("6 d3d557/d2ffd7/babfff/eae913/94102e/c546c7 e2 f2 b 25");
    assert_eq!(before.move_list(Player::Two).as_slice(), [mv("f2l")]);
    let after = before.after(mv("f2l"));
    assert_eq!(after.scores(), Some([1, 1]));
    assert_eq!(after.end().map(|end| end.outcome), Some(Outcome::Draw));
}

#[test]
fn keys_leave_out_the_counter_only() {
    let start = position(START);
    assert_eq!(start.key(), position("6 915113/a81002/804402/801102/80042a/c44546 e6 b1 a 9").key());
    for other in [
        "6 915113/a81002/804402/801102/80042a/c44546 e6 b1 b 0",
        "6 915113/a81002/804402/801102/80042a/c44546 b1 e6 a 0",
        "6 915113/a81002/804402/801102/800402/c44446 e6 b1 a 0",
    ] {
        if let Ok(other) = other.parse::<Position>() {
            assert_ne!(start.key(), other.key(), "{other}");
        }
    }
}

#[test]
fn bad_positions_say_what_is_wrong() {
    for (text, message) in [
        ("", "expected six fields `M rows cellA cellB side plies` between single spaces, found 1"),
        (
            "3 913/802/c46  a1 c3 a 0",
            "expected six fields `M rows cellA cellB side plies` between single spaces, found 7",
        ),
        ("2 93/c6 a1 b2 a 0", "expected a board size from 3 to 12, found `2`"),
        ("13 x a1 b2 a 0", "expected a board size from 3 to 12, found `13`"),
        ("03 913/802/c46 a1 c3 a 0", "expected a board size from 3 to 12, found `03`"),
        ("3 913/802 a1 c3 a 0", "expected 3 rows between slashes, found 2"),
        ("3 913/8020/c46 a1 c3 a 0", "expected 3 cells in row 2, found 4"),
        ("3 913/8é2/c46 a1 c3 a 0", "expected the walls of b2 as a digit 0..9 or a..f, found `é`"),
        ("3 913/8A2/c46 a1 c3 a 0", "expected the walls of b2 as a digit 0..9 or a..f, found `A`"),
        ("3 903/802/c46 a1 c3 a 0", "the border wall on the side up of b1 is missing"),
        ("3 913/800/c46 a1 c3 a 0", "the border wall on the side right of c2 is missing"),
        ("3 913/802/c42 a1 c3 a 0", "the border wall on the side down of c3 is missing"),
        ("3 913/802/446 a1 c3 a 0", "the border wall on the side left of a3 is missing"),
        ("3 913/822/c46 a1 c3 a 0", "b2 has a wall on its side right, but c2 does not show it"),
        ("3 913/80a/c46 a1 c3 a 0", "c2 has a wall on its side left, but b2 does not show it"),
        (
            "3 913/802/c46 a0 c3 a 0",
            "the cell of player A: expected a cell, a column a..l and a row 1..12 such as `c4`, found `a0`",
        ),
        ("3 913/802/c46 a1 d3 a 0", "player B stands on d3, which is not on a board of 3 x 3 cells"),
        ("3 913/802/c46 b2 b2 a 0", "both players stand on b2"),
        ("3 913/802/c46 a1 c3 c 0", "expected the side to move `a` or `b`, found `c`"),
        ("3 913/802/c46 a1 c3 a -1", "expected the number of moves made, 0 to 65535, found `-1`"),
        ("3 913/802/c46 a1 c3 a 00", "expected the number of moves made, 0 to 65535, found `00`"),
        ("3 913/802/c46 a1 c3 a 70000", "expected the number of moves made, 0 to 65535, found `70000`"),
    ] {
        assert_eq!(text.parse::<Position>().expect_err(text).to_string(), message);
    }
}

#[test]
fn the_picture_shows_walls_and_players() {
    let expected = [
        "     a   b   c   d   e   f",
        "   ┌───────────────────────┐",
        " 1 │     B                 │",
        "   │   ╷   ╶───╴   ·   ·   │",
        " 2 │   │                   │",
        "   │   ╵   ·   ·   ·   ·   │",
        " 3 │                       │",
        "   │   ·   ╶───────╴   ·   │",
        " 4 │                       │",
        "   │   ·   ·   ·   ·   ╷   │",
        " 5 │                   │   │",
        "   │   ·   ·   ╶───╴   ╵   │",
        " 6 │                 A     │",
        "   └───────────────────────┘",
        "A to move, at most 3 steps",
    ];
    let start = position(START);
    let picture = format!("{start:#}");
    assert_eq!(picture, start.picture(Paint::Plain));
    assert!(start.picture(Paint::Ansi).contains("\u{1b}[1;31mA\u{1b}[0m"));
    assert_eq!(picture.lines().collect::<Vec<_>>(), expected);
    let over = position("6 f95113/d07ac2/d47eba/bbbd46/86ad57/c5457f a4 d5 a 22");
    assert!(format!("{over:#}").ends_with("A 11 : 3 B, p1 (separated)"));
}
