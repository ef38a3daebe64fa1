//! The crate against a second implementation of the rules: moves, results, texts, scores, distances, zones.

use std::cmp::Ordering;

use colosseum::strategies::{anything, crowded};
use colosseum::{Cell, Position, Setup};
use proptest::prelude::*;
use search_core::laws::{Laws, Oracle};
use search_core::{Game, Player, TurnBased, perft, split_mix, stream};

use crate::naive::{NaivePosition, move_text};

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
        let choices: Vec<u32> =
            (0..usize::from(size).pow(2) / 2).map(|ply| split_mix(ply as u64) as u32).collect();
        let position = crowded(&setup, 5, &choices);
        assert_eq!(perft(&position, 2), NaivePosition::parse(&position.to_string()).perft(2), "{position}");
    }
}
