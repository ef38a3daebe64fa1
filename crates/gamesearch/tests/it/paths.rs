//! The targets of the four games: what a hand can point at.

use gamesearch::{Listed, Visitor, check_paths, contests};
use search_core::{Player, Record, SearchRng, Turn as _};

/// Positions of random games from different set-ups, with those at the end.
fn positions<G: Listed>(count: u64) -> Vec<G> {
    let mut positions = Vec::new();
    for seed in 0..count {
        let (setup, _) = G::SETUPS[seed as usize % G::SETUPS.len()];
        let setup: G::Setup = setup.parse().expect("a set-up on offer");
        let mut record = Record::new(G::initial(&setup, seed));
        let mut rng = SearchRng::new(seed, "paths");
        let length = rng.below(120);
        while record.end().is_none() && record.turns().len() < length {
            let active = record.position().active();
            let moves = Player::BOTH.map(|player| {
                let moves = record.legal_moves(player);
                (!moves.is_empty()).then(|| moves[rng.below(moves.len())])
            });
            let turn = G::Turn::from_moves(active, moves).expect("everybody has a move");
            record.play(turn).expect("legal");
        }
        positions.push(record.position().clone());
    }
    positions
}

struct EveryPath;

impl Visitor for EveryPath {
    type Output = usize;

    fn visit<G: Listed>(self) -> usize {
        let mut steps = 0;
        for position in positions::<G>(200) {
            check_paths(&position).unwrap_or_else(|problem| panic!("{}: {problem}", G::NAME));
            let areas: Vec<String> = G::areas(&position).into_iter().map(|area| area.target).collect();
            for player in position.active().players() {
                for &mv in position.move_list(player).as_ref() {
                    let path = G::path(&position, player, mv);
                    // Every move begins and, but for a boom, ends on the board or in a hand.
                    assert!(areas.contains(&path[0]), "{}: `{mv}` in {position}", G::NAME);
                    let last = &path[path.len() - 1];
                    assert!(last == "boom" || areas.contains(last), "{}: `{mv}` in {position}", G::NAME);
                    steps += path.len();
                }
            }
        }
        steps
    }
}

#[test]
fn every_move_has_a_path_of_its_own() {
    for name in contests::NAMES {
        let steps = contests::with_game(name, EveryPath).expect("a known game");
        assert!(steps > 1000, "{name}: {steps}");
    }
}

struct Passing;

impl Visitor for Passing {
    type Output = usize;

    fn visit<G: Listed>(self) -> usize {
        let mut passed = 0;
        for position in positions::<G>(60).into_iter().filter(|position| position.end().is_none()) {
            if let Some(other) = G::passed(&position) {
                passed += 1;
                assert_ne!(other.active(), position.active(), "{position}");
                let names =
                    |position: &G| G::areas(position).into_iter().map(|area| area.name).collect::<Vec<_>>();
                assert_eq!(names(&other), names(&position), "the board stays as it is: {position}");
            }
        }
        passed
    }
}

#[test]
fn a_board_can_be_seen_from_the_other_side() {
    for name in contests::NAMES {
        let passed = contests::with_game(name, Passing).expect("a known game");
        // Where both move at once there is nobody to pass to.
        assert_eq!(passed == 0, *name == "ropasci360", "{name}: {passed}");
    }
}
