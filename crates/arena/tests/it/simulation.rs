//! Worlds in one process, some of many: `cargo xtask soak simulate` lives through more.

use arena::simulation::{Happened, simulate};
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

#[test]
fn a_seed_is_one_world() {
    for seed in [3, 5, 8] {
        assert_eq!(world(seed), world(seed));
    }
}
