//! Tournaments in simulated worlds, by the hundred thousand games.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use arena::simulation::{Happened, simulate};
use search_core::quietly;
use toys::goofspiel::Goofspiel;
use toys::pile::Pile;

/// The number of worlds that have a hundred thousand games or more.
pub(super) const SEEDS: u64 = 4000;
/// The number of failures after which there is enough to look at.
const ENOUGH: usize = 5;

/// The world of a seed, turn by turn or at once; the tests of `arena` have the same.
fn world(seed: u64) -> Result<Happened, String> {
    let lived = quietly(|| match seed % 3 {
        2 => simulate::<Goofspiel>(seed, "13"),
        _ => simulate::<Pile>(seed, "200"),
    });
    lived.unwrap_or_else(|panic| Err(format!("panicked: {panic}")))
}

/// Lives through the worlds of these seeds, on all processors; whether nothing was wrong.
pub(super) fn run(first: u64, seeds: u64) -> bool {
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let found: Mutex<(Happened, Vec<u64>)> = Mutex::default();
    let threads = gamesearch::processors();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= seeds {
                        break;
                    }
                    let seed = first.wrapping_add(number);
                    let lived = world(seed);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    match lived {
                        Ok(happened) => found.0 = found.0.and(happened),
                        Err(wrong) => {
                            anstream::println!("seed {seed}: {wrong}");
                            anstream::println!("    again: cargo xtask soak simulate --seed {seed}");
                            found.1.push(seed);
                        }
                    }
                    if found.1.len() >= ENOUGH {
                        break;
                    }
                }
            });
        }
    });
    let (happened, wrong) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Happened { games, failures, void, starts, power_losses, interruptions } = happened;
    anstream::println!(
        "{seeds} worlds from seed {first} in {:.1?} on {threads} threads: {games} games, {starts} starts of the runner, {power_losses} \
         losses of power, {interruptions} interruptions; of the games that stand at the end {failures} were decided by failures and {void} \
         are void",
        started.elapsed()
    );
    wrong.is_empty()
}
