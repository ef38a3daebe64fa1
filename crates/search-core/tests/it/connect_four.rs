//! Connect Four, the worked example: perft, the laws, and bad input.

use proptest::prelude::*;
use search_core::laws::Laws;
use search_core::{Game, Outcome, Player, Record, TurnBased, perft, perft_played};
use toys::connect_four::{Column, ConnectFour};

search_core::game_laws!(ConnectFour, Laws::new().longest(42));

#[test]
fn perft_is_the_known_one() {
    let known = [1, 7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234, 39_394_572];
    for (depth, leaves) in (0..).zip(known) {
        assert_eq!(perft(&ConnectFour::EMPTY, depth), leaves, "depth {depth}");
        if depth <= 7 {
            assert_eq!(perft_played(&ConnectFour::EMPTY, depth), leaves, "depth {depth}, played");
        }
    }
}

#[test]
fn a_line_of_four_ends_the_game_in_every_direction() {
    for (moves, winner) in [
        ("a b a b a b a", Player::One),
        ("a a b b c c d", Player::One),
        ("g a b b c c d c d d a d", Player::Two),
        ("d c c b b a b a a f a", Player::One),
    ] {
        let mut record = Record::new(ConnectFour::EMPTY);
        for text in moves.split(' ') {
            assert_eq!(record.end(), None, "{moves}");
            record.play(text.parse().unwrap()).unwrap();
        }
        let end = record.end().unwrap_or_else(|| panic!("{moves} did not end\n{:#}", record.position()));
        assert_eq!((end.outcome, end.reason), (Outcome::Win(winner), "four-in-a-row"), "{moves}");
    }
}

#[test]
fn bad_texts_say_what_was_expected() {
    for (text, expected) in [
        ("", "expected 7 columns joined by `/`, found ``"),
        ("x//////////", "expected 7 columns joined by `/`, found `x//////////`"),
        ("//////xoxoxox", "expected at most 6 stones in column 7, found `xoxoxox`"),
        ("/é/////", "expected `x` or `o` in column 2, found `é`"),
        ("o//////", "expected as many x as o, or one x more, found `0 x and 1 o`"),
        ("xxxx/ooo/o////", "expected a game that ended with the last stone, found `xxxx/ooo/o////`"),
    ] {
        assert_eq!(text.parse::<ConnectFour>().unwrap_err().to_string(), expected);
    }
    assert_eq!("h".parse::<Column>().unwrap_err().to_string(), "expected a column from a to g, found `h`");
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "[xo/]{0,60}|\\PC*") {
        if let Ok(board) = text.parse::<ConnectFour>() {
            prop_assert_eq!(board.to_string(), text.clone());
            prop_assert_eq!(board.to_move(), Player::after(board.stones()));
            let _ = (board.end(), board.key(), perft(&board, 2), format!("{board:#}"));
        }
        let _ = text.parse::<Column>();
    }
}
