//! Data for people who learn and measure: exported positions, exploitability.

use std::fs;

use serde_json::Value;

use crate::common::{refuse, run, succeed, text};

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn positions_come_with_result_score_and_policy() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("run").display().to_string();
    let games = ["--games", "hus", "ropasci360", "--bots", "random", "greedy", "--rounds", "1"];
    succeed(&[&["tournament", "--no-report", "--out", &folder][..], &games].concat(), "");
    let export = |more: &[&str]| objects(&succeed(&[&["export", &folder][..], more].concat(), ""));

    // Without a bot what the journal knows: every position of every game once for each player who is to move.
    let plain = export(&[]);
    let journal = fs::read_to_string(temporary.path().join("run/journal.jsonl")).unwrap();
    let lines: Vec<Value> = objects(&journal).into_iter().filter(|line| line["turns"].is_string()).collect();
    let plies = |game: &str| -> u64 {
        lines.iter().filter(|line| line["game"] == game).filter_map(|line| line["plies"].as_u64()).sum()
    };
    assert_eq!(plain.len() as u64, plies("hus") + 2 * plies("ropasci360"));
    for object in &plain {
        let line = lines.iter().find(|line| line["index"] == object["number"]).unwrap();
        let result = match (&line["outcome"], &object["player"]) {
            (outcome, _) if outcome == "draw" => 0.5,
            (winner, player) if winner == player => 1.0,
            _ => 0.0,
        };
        assert_eq!(object["result"], result, "{object}");
        let left = line["plies"].as_u64().unwrap() - object["ply"].as_u64().unwrap();
        assert_eq!(object["plies_left"], left);
        let turn = line["turns"].as_str().unwrap().split(' ').nth(object["ply"].as_u64().unwrap() as usize);
        assert!(turn.unwrap().split('|').any(|mv| object["move"] == mv), "{object}");
        if object["ply"] == 0 {
            assert_eq!(object["position"], line["start"]);
        }
        let seat = usize::from(object["player"] == "p2");
        assert_eq!(object["bot"], line["players"][seat]);
    }

    // With one its score and its policy, the same however many work at it.
    let asked = ["--every", "7", "--bot", "mcts", "--limits", "playouts=40"];
    let one = export(&[&asked[..], &["--jobs", "1"]].concat());
    assert_eq!(one, export(&[&asked[..], &["--jobs", "3"]].concat()));
    assert!(!one.is_empty() && one.len() < plain.len() / 3);
    for object in &one {
        let shares = object["policy"].as_object().unwrap();
        let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
        assert!((sum - 1.0).abs() < 1e-3 && object["score"].is_object(), "{object}");
        assert_eq!(object["value"].is_number(), object["game"] == "ropasci360", "{object}");
    }
    let pure = export(&["--every", "50", "--bot", "alphabeta", "--limits", "nodes=50"]);
    assert!(pure.iter().all(|object| object["policy"].as_object().is_some_and(|policy| policy.len() == 1)));

    let file = temporary.path().join("positions.jsonl");
    succeed(&["export", &folder, "--every", "50", "--out", &file.display().to_string()], "");
    assert_eq!(objects(&fs::read_to_string(file).unwrap()).len(), export(&["--every", "50"]).len());
    assert!(refuse(&["export", "no/such/run"]).contains("no/such/run holds no run"));
    assert!(refuse(&["export", &folder, "--every", "0"]).contains("from 1, found 0"));
    assert!(refuse(&["export", &folder, "--bot", "alfabeta"]).contains("did you mean `alphabeta`?"));
}

/// Rock beside scissors, scissors beside paper, no throws left: Upper wins whatever it takes, and Lower can save one of two.
const FORK: &str = "5/6/7/8/1Rs1Sp3/8/7/6/5 9 9 30";

#[test]
fn exploitability_of_pure_and_mixed_strategies() {
    let measure = |bot: &str, player: &str| {
        let base = ["exploitability", "ropasci360", FORK, "--limits", "depth=1", "--json", "--samples", "40"];
        let found = objects(&succeed(&[&base[..], &["--bot", bot, "--player", player]].concat(), ""));
        assert_eq!(found.len(), 1);
        let part = |key: &str| found[0][key].as_f64().unwrap();
        assert!((part("value") - part("guaranteed") - part("exploitability")).abs() < 1e-5, "{found:?}");
        (part("value"), part("exploitability"))
    };
    // One of two captures each: the value is a half, and who knows the capture steps aside.
    let (value, loss) = measure("nash", "p1");
    assert!((value - 0.5).abs() < 1e-6 && loss < 1e-6, "{value} {loss}");
    assert_eq!(measure("nash", "p2").0, -0.5);
    assert_eq!(measure("alphabeta:depth=2", "p1"), (0.5, 0.5));
    let (_, random) = measure("random", "p1");
    assert!((0.4..0.5).contains(&random), "{random}: it seldom captures");

    let shown = succeed(&["exploitability", "ropasci360", FORK, "--bot", "nash", "--limits", "depth=1"], "");
    assert!(
        shown
            .starts_with("p1: the position is worth +0.5000, nash is sure of +0.5000: exploitable by 0.0000")
    );
    assert_eq!(shown.lines().count(), 2, "{shown}");
    assert!(refuse(&["exploitability", "hus", "start"]).contains("in hus they move in turns"));
    assert!(refuse(&["exploitability", "ropasci360", "nonsense"]).contains("expected a position"));
    let output =
        run(&["exploitability", "ropasci360", FORK, "--turns", "4", "--most", "50", "--bot", "random"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("more than 50 positions"), "{}", text(&output.stderr));
}
