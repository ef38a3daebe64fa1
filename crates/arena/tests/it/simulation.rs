//! Worlds in one process, some of many: `cargo xtask soak simulate` lives through more.

use arena::simulation::{Happened, Planted, simulate, simulate_with};
use toys::goofspiel::Goofspiel;
use toys::pile::Pile;

/// The world of a seed, turn by turn or at once.
fn world(seed: u64) -> Result<Happened, String> {
    if seed % 3 == 2 { simulate::<Goofspiel>(seed, "13") } else { simulate::<Pile>(seed, "200") }
}

#[test]
fn two_hundred_worlds_hold_together() {
    let mut all = Happened::default();
    for seed in 0..200 {
        let happened = world(seed).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        all = all.and(happened);
    }
    // Enough of everything happened for the test to mean something.
    assert!(all.games > 3000 && all.failures > 1000 && all.void > 50, "{all:?}");
    assert!(all.power_losses > 30 && all.interruptions > 50, "{all:?}");
}

/// A Swiss tournament that goes on with a void game in one round and all games of the next: it once waited for ever for the round
/// after those.
#[test]
fn a_round_after_a_void_game_is_drawn() {
    world(2199).unwrap();
}

#[test]
fn a_seed_is_one_world() {
    for seed in [3, 5, 8] {
        assert_eq!(world(seed), world(seed));
    }
}

/// A world that notices nothing would hold together as well: each of five faults of the runner is seen, and told for what it is.
#[test]
fn faults_planted_in_the_runner_are_noticed() {
    for (planted, words) in [
        (Planted::SyncDropped, "a run in peace ends before its journal is on the disk"),
        (Planted::LoserSwapped, "somebody else loses than who is at fault"),
        (Planted::WrittenTwice, "was finished twice"),
        (Planted::MarginIgnored, "is judged wrongly"),
        (Planted::VoidForgotten, "has not exactly one result"),
    ] {
        let mut seeds = 0..400;
        let told = seeds.find_map(|seed| simulate_with::<Pile>(seed, "200", Some(planted)).err());
        let told = told.unwrap_or_else(|| panic!("{planted:?} is not noticed"));
        assert!(told.contains(words), "{planted:?}: {told}");
        println!("{planted:?} is noticed in the world of seed {}", seeds.start - 1);
    }
}
