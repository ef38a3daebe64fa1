//! `laws`: the battery in random games, from the command line.

use crate::common::{refuse, succeed};

#[test]
fn the_four_games_keep_the_laws() {
    for game in ["hus", "expendibots", "ropasci360", "colosseum"] {
        let said = succeed(&["laws", game, "--cases", "4", "--turns", "20"], "");
        assert_eq!(said.lines().filter(|line| line.starts_with("kept ")).count(), 16, "{said}");
        assert!(
            said.contains(&format!("{game} keeps all 16 laws in 4 random games of up to 20 turns")),
            "{said}"
        );
    }
}

#[test]
fn one_game_of_one_turn_is_told_in_words() {
    let said = succeed(&["laws", "hus", "--cases", "1", "--turns", "1", "--seed", "9"], "");
    assert!(said.contains("in 1 random game of up to 1 turn"), "{said}");
}

#[test]
fn wrong_numbers_are_refused() {
    assert!(refuse(&["laws", "hus", "--cases", "0"]).contains("0 is not in 1.."));
    assert!(refuse(&["laws", "chess"]).contains("hus"));
}
