//! The perft table.

use ropasci360::Position;
use search_core::perft_suite;

/// Entries with more leaves are counted by `cargo xtask perft ropasci360 --suite` only.
const MOST_LEAVES: u64 = 100_000_000;
/// Entries with more leaves are not played to the last move.
const MOST_PLAYED: u64 = 1_000_000;

#[test]
fn every_entry_is_met() {
    let entries = perft_suite::<Position>(include_str!("../data/perft.txt")).expect("a table");
    let counted: Vec<_> = entries.iter().filter(|entry| entry.leaves <= MOST_LEAVES).collect();
    assert_eq!((entries.len(), counted.len()), (20, 16));
    for entry in counted {
        entry.assert_counted(MOST_PLAYED);
    }
}
