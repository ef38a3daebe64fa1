//! The crate against the naive implementation: moves, results, texts, scores, distances, zones.

mod naive;

use colosseum::strategies::{anything, crowded};
use colosseum::{Cell, Position, Setup};
use naive::{NaivePosition, move_text};
use proptest::prelude::*;
use search_core::{Game, Player, TurnBased, perft, stream};

fn agree(position: &Position) {
    let text = position.to_string();
    let naive = NaivePosition::parse(&text);
    assert_eq!(naive.text(), text);
    assert_eq!(position.scores().map(|scores| scores.map(usize::from)), naive.scores(), "{text}");
    let mut ours: Vec<String> =
        position.move_list(position.to_move()).iter().map(ToString::to_string).collect();
    let mut theirs: Vec<String> = naive.moves().into_iter().map(move_text).collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs, "{text}");
    assert_eq!(position.move_list(position.to_move().opponent()).len(), 0);
}

fn facts_agree(position: &Position) {
    let naive = NaivePosition::parse(&position.to_string());
    for player in Player::BOTH {
        let cells = [naive.cells[player.index()], naive.cells[1 - player.index()]];
        let steps = naive.distances(cells[0], Some(cells[1]));
        let zone = naive.distances(cells[0], None);
        let ours = position.step_distances(player);
        for row in 0..naive.size {
            for column in 0..naive.size {
                let cell = Cell::new(row as u8, column as u8).expect("on the board");
                assert_eq!(ours.get(cell).map(usize::from), steps[row][column], "{position} {cell}");
                assert_eq!(
                    position.zone(player).contains(cell),
                    zone[row][column].is_some(),
                    "{position} {cell}"
                );
                for within in [0, 1, 3, 200] {
                    let near = steps[row][column].is_some_and(|steps| steps <= within);
                    assert_eq!(
                        position.reachable(player, within as u32).contains(cell),
                        near,
                        "{position} {cell}"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_and_facts_agree(position in anything()) {
        agree(&position);
        facts_agree(&position);
    }

    #[test]
    fn every_move_leads_to_the_same_position(position in anything()) {
        let naive = NaivePosition::parse(&position.to_string());
        for mv in naive.moves() {
            let mut theirs = naive.clone();
            theirs.play(mv);
            let ours = position.checked_play(move_text(mv).parse().expect("a move")).expect("legal");
            prop_assert_eq!(ours.to_string(), theirs.text());
            prop_assert_eq!(ours.scores().map(|scores| scores.map(usize::from)), theirs.scores());
        }
    }
}

#[test]
fn whole_games_agree_on_every_size() {
    for size in 3..=12 {
        let setup = Setup::new(size, colosseum::Edition::default()).expect("in range");
        for seed in 0..6 {
            let mut rng = stream(seed, "games");
            let mut position = Position::initial(&setup, seed);
            while let Some(mv) = position.sample(position.to_move(), &mut rng) {
                agree(&position);
                position.play(mv);
            }
            agree(&position);
            assert!(position.is_over());
        }
    }
}

#[test]
fn perft_agrees_on_crowded_boards() {
    for size in 3..=9 {
        let setup = Setup::new(size, colosseum::Edition::default()).expect("in range");
        let position = crowded(&setup, 5, usize::from(size) * usize::from(size) / 2);
        assert_eq!(perft(&position, 2), NaivePosition::parse(&position.to_string()).perft(2), "{position}");
    }
}
