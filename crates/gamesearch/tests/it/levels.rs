//! The champion in grades.

use std::fs;

use crate::common::{refuse, succeed};

#[test]
fn levels_are_graded_and_say_how_strong_they_are() {
    for game in ["expendibots", "ropasci360", "hus", "colosseum"] {
        let shown = succeed(&["bots", game], "");
        let line = shown.lines().find(|line| line.trim_start().starts_with("level ")).unwrap();
        assert!(line.contains("Elo over random"), "{line}");
        // Each level's figure, from the weakest up.
        let figures: Vec<i32> = line
            .split(&[' ', ',', ':'][..])
            .filter_map(|word| word.strip_prefix('+')?.parse().ok())
            .collect();
        assert_eq!(figures.len(), 8, "{line}");
        assert!(figures.is_sorted(), "{line}");
    }
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let base =
        ["tournament", "--games", "hus", "--bots", "level:8", "level:1", "--rounds", "5", "--no-report"];
    succeed(&[&base[..], &["--limits", "nodes=300", "--out", &out.display().to_string()]].concat(), "");
    let standings = fs::read_to_string(out.join("standings.csv")).unwrap();
    let best = standings.lines().nth(1).unwrap();
    assert!(best.contains("level:8") && best.contains(",10,"), "{standings}");
    assert!(refuse(&["analyse", "hus", "start", "--bot", "level:9"]).contains("takes 1..8, found `9`"));
    assert!(refuse(&["analyse", "hus", "start", "--bot", "level:3,level=4"]).contains("set the same option"));
    assert!(refuse(&["analyse", "hus", "start", "--bot", "random:3"]).contains("random has no option `3`"));
}
