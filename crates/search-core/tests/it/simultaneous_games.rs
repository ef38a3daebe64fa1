//! The small simultaneous games: the laws of both kinds of games, and the bounds of the serialized view.

use proptest::prelude::*;
use search_core::{
    Ends, Game, Outcome, Player, Record, Serialized, Serially, Simultaneous, Standard, Zero, perft,
    reference, serialize_record,
};
use toys::matrix_games::{BiasedRps, Hand, TwoStage};

mod laws_of_biased_rps {
    search_core::game_laws!(super::BiasedRps);
}

mod laws_of_two_stage {
    search_core::game_laws!(super::TwoStage);
}

mod laws_of_oshi_zumo {
    search_core::game_laws!(toys::oshi_zumo::OshiZumo);
}

mod laws_of_one_turn {
    search_core::game_laws!(toys::one_turn::OneTurn);
}

#[test]
fn the_wrestler_is_pushed() {
    use toys::oshi_zumo::{Bid, OshiZumo, Ring};
    let mut game = OshiZumo::initial(&"5,1,1".parse::<Ring>().unwrap(), 0);
    game.play([Bid(3), Bid(2)]);
    assert_eq!((game.to_string().as_str(), game.end()), ("2 3 1 1 1 -", None));
    game.play([Bid(1), Bid(1)]);
    game.play([Bid(1), Bid(2)]);
    assert_eq!(game.to_string(), "0 0 0 1 1 -");
    assert_eq!(game.end().map(|end| end.outcome), Some(Outcome::Draw));
    // Without coins a player bids none, and is pushed out.
    let mut game: OshiZumo = "0 3 0 1 1 -".parse().unwrap();
    assert_eq!(game.move_list(Player::One).as_slice(), [Bid(0)]);
    game.play([Bid(0), Bid(1)]);
    game.play([Bid(0), Bid(1)]);
    assert_eq!(
        game.end().map(|end| (end.outcome, end.reason)),
        Some((Outcome::Win(Player::Two), "pushed-out"))
    );
    // Nothing would change for ever.
    let mut game = OshiZumo::initial(&"5,1,0".parse::<Ring>().unwrap(), 0);
    game.play([Bid(0), Bid(0)]);
    assert!(game.end().is_some());
    for text in ["1 2 3", "51 0 0 3 1 -", "5 5 5 3 1 -", "5 5 0 3 2 -", "5 5 0 3 1 x"] {
        assert!(text.parse::<OshiZumo>().is_err(), "{text}");
    }
}

mod laws_of_the_serialized_game {
    search_core::game_laws!(search_core::Serialized<super::TwoStage>);
}

/// The value for the first player if `leader` shows every move first.
fn value_if_first<G: Simultaneous<Setup = Standard>>(leader: Player) -> i32 {
    let record = Record::new(Serialized::new(G::initial(&Standard, 0), leader));
    let full = reference::minimax(&record, 9, &Serially(Zero), Ends::Utility);
    let pruned = reference::alpha_beta(&record, 9, &Serially(Zero), Ends::Utility);
    assert_eq!(full.score, pruned.score);
    if leader == Player::One { full.score.value() } else { -full.score.value() }
}

#[test]
fn the_two_directions_bound_the_true_value() {
    // Biased rock-paper-scissors is worth 0, the two-stage game 3/4.
    assert_eq!(Player::BOTH.map(value_if_first::<BiasedRps>), [-5, 5]);
    let [low, high] = Player::BOTH.map(value_if_first::<TwoStage>);
    assert_eq!([low, high], [-2, 3]);
    assert!(f64::from(low) <= 0.75 && 0.75 <= f64::from(high));
}

#[test]
fn the_equilibrium_of_biased_rps_leaves_the_opponent_no_gain() {
    let strategy = [1, 10, 5];
    for column in 0..3 {
        let value: i32 = (0..3).map(|row| strategy[row] * BiasedRps::PAYOFFS[row][column]).sum();
        assert_eq!(value, 0, "against {}", Hand::ALL[column]);
    }
}

/// The value of a 2x2 matrix game: its saddle point, or the mixed value.
fn value_of([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let (low, high) = (a.min(b).max(c.min(d)), a.max(c).min(b.max(d)));
    if low == high { low } else { (a * d - b * c) / (a + d - b - c) }
}

#[test]
fn the_two_stage_game_is_solved_backwards() {
    let stage = TwoStage::PAYOFFS.map(|row| row.map(|matrix| value_of(matrix.map(|row| row.map(f64::from)))));
    assert_eq!(stage, [[1.0, 0.0], [0.0, 3.0]]);
    assert_eq!(value_of(stage), 0.75);
}

#[test]
fn turns_are_pairs() {
    let start = TwoStage::initial(&Standard, 0);
    assert_eq!((perft(&start, 1), perft(&start, 2), perft(&start, 3)), (4, 16, 0));
    let mut record = Record::new(BiasedRps::default());
    let end = record.play([Hand::Rock, Hand::Scissors]).unwrap().unwrap();
    assert_eq!((end.outcome, record.position().utility(Player::Two)), (Outcome::Win(Player::One), -50));
    assert!(record.play([Hand::Rock, Hand::Rock]).is_err());
}

#[test]
fn a_serialized_record_goes_through_the_same_positions() {
    let mut record = Record::new(TwoStage::default());
    for turn in ["l|r", "r|r"] {
        record.play(search_core::parse_turn::<TwoStage>(record.position().active(), turn).unwrap()).unwrap();
    }
    for leader in Player::BOTH {
        let serial = serialize_record(&record, leader);
        assert_eq!(serial.position().game(), record.position());
        assert_eq!((serial.turns().len(), serial.end()), (4, record.end()));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "[-lrps12 ]{0,9}|\\PC*") {
        if let Ok(position) = text.parse::<TwoStage>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(position) = text.parse::<BiasedRps>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(position) = text.parse::<Serialized<TwoStage>>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        let _ = text.parse::<Hand>();
    }
}
