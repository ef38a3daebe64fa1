//! The perft table, `position;depth;leaves` on each line.

use colosseum::Position;
use search_core::{perft, perft_played};

/// The one larger entry is counted by `cargo xtask perft colosseum`.
const MOST_LEAVES: u64 = 30_000_000;

#[test]
fn the_table_is_met() {
    let mut counted = 0;
    for line in include_str!("data/perft.txt").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [position, depth, leaves] = fields.as_slice() else { panic!("three fields in `{line}`") };
        let position: Position = position.parse().expect(line);
        let depth = depth.parse().expect(line);
        let leaves: u64 = leaves.parse().expect(line);
        assert_eq!(position.to_string(), fields[0]);
        if leaves <= MOST_LEAVES {
            assert_eq!(perft(&position, depth), leaves, "{line}");
            counted += 1;
        }
        if leaves <= 20_000 {
            assert_eq!(perft_played(&position, depth), leaves, "{line}");
        }
    }
    assert_eq!(counted, 57, "entries counted");
}
