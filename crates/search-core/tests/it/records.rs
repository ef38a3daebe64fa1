//! Records: turns that are taken back, and random games to their ends.

use proptest::prelude::*;
use search_core::strategies::walks;
use search_core::{Game, Record, SearchRng, Standard, play_out, sample_turn};
use toys::chase::Chase;
use toys::tic_tac_toe::TicTacToe;

/// What a record says of the game.
fn state<G: Game>(record: &Record<G>) -> (String, Vec<String>, Vec<u64>, u32, Option<String>) {
    let end = record.end().map(|end| end.to_string());
    let history = record.history().to_vec();
    (record.position().to_string(), record.turn_texts(), history, record.occurrences(), end)
}

/// Plays as far as the record lets, then takes everything back.
fn back_and_forth<G: Game>(start: &G, turns: &[G::Turn]) {
    let mut record = Record::new(start.clone());
    let mut states = vec![state(&record)];
    for &turn in turns {
        if record.end().is_some() {
            break;
        }
        record.play(turn).expect("a legal turn");
        states.push(state(&record));
    }
    let played = record.turns().to_vec();
    for index in (0..played.len()).rev() {
        assert_eq!(record.take_back(), Some(played[index]));
        assert_eq!(state(&record), states[index]);
        // What was taken back can be played again.
        record.play(played[index]).expect("a legal turn");
        assert_eq!(state(&record), states[index + 1]);
        record.take_back();
    }
    assert_eq!(record.take_back(), None);
    assert_eq!(state(&record), states[0]);
}

proptest! {
    #[test]
    fn what_is_taken_back_was_never_played(walk in walks::<Chase>(40)) {
        back_and_forth(walk.start(), walk.turns());
    }

    #[test]
    fn what_is_taken_back_was_never_played_in_turns(walk in walks::<TicTacToe>(9)) {
        back_and_forth(walk.start(), walk.turns());
    }
}

#[test]
fn a_playout_is_the_sampled_turns_to_the_end() {
    let start = TicTacToe::initial(&Standard, 0);
    let mut lengths = Vec::new();
    for seed in 0..50 {
        let (mut position, mut twin) = (start, start);
        let turns = play_out(&mut position, &mut SearchRng::new(seed, "a playout"));
        let mut rng = SearchRng::new(seed, "a playout");
        for _ in 0..turns {
            assert_eq!(twin.end(), None);
            twin.play_turn(sample_turn(&twin, &mut rng).expect("a turn"));
        }
        assert_eq!(position.to_string(), twin.to_string());
        assert!(position.end().is_some() && sample_turn(&position, &mut rng).is_none());
        lengths.push(turns);
    }
    assert!(lengths.contains(&9) && lengths.iter().any(|&turns| turns < 9), "{lengths:?}");
}
