//! The perft table.

use hus::Position;
use search_core::{perft, perft_played, perft_suite};

/// Entries with more leaves are counted by `cargo xtask perft hus --suite` only.
const MOST_LEAVES: u64 = 100_000_000;
/// Entries with more leaves are not played to the last move.
const MOST_PLAYED: u64 = 1_000_000;

#[test]
fn every_entry_is_met() {
    let entries = perft_suite::<Position>(include_str!("../data/perft.txt")).expect("a table");
    let mut counted = 0;
    for entry in entries.iter().filter(|entry| entry.leaves <= MOST_LEAVES) {
        let at = format!("{} at depth {}", entry.position, entry.depth);
        assert_eq!(perft(&entry.position, entry.depth), entry.leaves, "{at}");
        if entry.leaves <= MOST_PLAYED {
            assert_eq!(perft_played(&entry.position, entry.depth), entry.leaves, "{at}, played");
        }
        counted += 1;
    }
    assert_eq!((entries.len(), counted), (39, 39));
}
