//! `perft`: counts, tables of known counts, and mistakes.

use crate::common::{refuse, run, text};

#[test]
fn perft_counts_and_divides() {
    let output = run(&["perft", "hus", "--depth", "3"]);
    assert!(text(&output.stdout).starts_with("perft hus depth 3: 11040 nodes, "), "{}", text(&output.stdout));
    let divided = text(&run(&["perft", "expendibots", "--depth", "1", "--divide"]).stdout);
    assert_eq!(divided.lines().count(), 51, "fifty moves and the total: {divided}");
    let played = text(&run(&["perft", "ropasci360", "--depth", "1", "--played"]).stdout);
    assert!(played.contains(" 225 nodes"), "{played}");
}

#[test]
fn perft_checks_the_tables_of_all_games() {
    let output = run(&["perft", "--suite", "--most", "100000"]);
    assert!(output.status.success(), "{}", text(&output.stdout));
    let totals = text(&output.stdout).lines().filter(|line| line.contains(" 0 wrong")).count();
    assert_eq!(totals, 4, "{}", text(&output.stdout));
}

#[test]
fn perft_refuses_a_bad_position() {
    let said = refuse(&["perft", "hus", "--depth", "1", "--position", "nonsense"]);
    assert!(said.contains("`nonsense` is not a position of hus"), "{said}");
}
