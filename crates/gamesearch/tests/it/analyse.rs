//! `analyse` of one position and of many, and what `--json` prints.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::{refuse, run_with, succeed, text};

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_position_as_json() {
    let arguments = ["analyse", "hus", "start", "--bot", "alphabeta", "--limits", "nodes=500", "--json"];
    let found = objects(&succeed(&arguments, ""));
    let [object] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(object["player"], "p1");
    assert_eq!(object["line"][0], object["move"]);
    assert!(object["score"]["value"].is_i64() && object["nodes"].as_u64() <= Some(500), "{object}");
    assert_eq!(object["moves"].as_array().map(Vec::len), Some(8), "{object}");
    // The start is what is meant where nothing is said.
    let unsaid = ["analyse", "hus", "--bot", "alphabeta", "--limits", "nodes=500", "--json"];
    assert_eq!(objects(&succeed(&unsaid, ""))[0]["position"], object["position"]);
    // Both players of a simultaneous game, with their mixed strategies.
    let arguments = ["analyse", "ropasci360", "start", "--bot", "nash", "--limits", "depth=1", "--json"];
    let found = objects(&succeed(&arguments, ""));
    assert_eq!(found.iter().map(|object| &object["player"]).collect::<Vec<_>>(), ["p1", "p2"]);
    let shares = found[0]["mixed"]["p1"].as_object().unwrap();
    let sum: f64 = shares.values().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{shares:?}");
}

/// The last turn of a game in which both have to mix: with two moves of each side instead of all one of them seems to win.
#[test]
fn what_is_left_out_is_not_proven() {
    let position = "5/6/7/8/1Rs1Sp3/8/7/6/5 9 9 359";
    let analyse = |bot: &str| {
        let words = ["analyse", "ropasci360", position, "--bot", bot, "--limits", "depth=6", "--json"];
        objects(&succeed(&words, ""))
    };
    for (bot, stop) in [("nash", "proven"), ("nash:width=2", "depth"), ("nash:width=1", "depth")] {
        for object in analyse(bot) {
            assert_eq!(object["stop"], stop, "{bot}: {object}");
            assert!(object["depth"].as_u64() >= Some(1), "{bot}: {object}");
            let value = object["mixed"]["value"].as_f64().unwrap();
            assert!(bot != "nash" || (value.abs() - 0.499).abs() < 1e-3, "{object}");
        }
    }
    // Nor does the pessimistic view know more than that something can be won.
    for object in analyse("alphabeta") {
        assert_ne!(object["stop"], "proven", "{object}");
        assert!(object["score"]["value"].is_i64(), "{object}");
    }
}

const QUERIES: &str = r#"# a comment, and a blank line

start
{"id": "second", "turns": "0 0", "limits": "nodes=50"}
{"id": 7, "position": "nonsense"}
{"id": {"deep": 1}, "turns": "99"}
{"idd": 1}
"#;

#[test]
fn many_positions_come_back_with_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("queries").display().to_string();
    fs::write(&file, QUERIES).unwrap();
    let base = ["analyse", "hus", "--bot", "alphabeta", "--limits", "nodes=300", "--json"];
    let (from_file, from_input) = (
        run_with(&[&base[..], &["--file", &file, "--jobs", "2"]].concat(), ""),
        run_with(&[&base[..], &["--file", "-", "--jobs", "1"]].concat(), QUERIES),
    );
    let sorted = |out: &[u8]| {
        let mut found = objects(&text(out));
        for object in &mut found {
            object.as_object_mut().unwrap().remove("seconds");
        }
        found.into_iter().map(|object| object.to_string()).collect::<BTreeSet<_>>()
    };
    for output in [&from_file, &from_input] {
        assert_eq!(output.status.code(), Some(1), "some lines cannot be answered");
        assert!(text(&output.stderr).contains("3 positions could not be analysed"));
    }
    let found = sorted(&from_file.stdout);
    assert_eq!(found, sorted(&from_input.stdout), "any number at once gives the same answers");
    assert_eq!(found.len(), 5, "{found:?}");
    let with = |part: &str| found.iter().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}"));
    assert!(with(r#""id":3"#).contains(r#""player":"p1""#), "without an id the number of the line");
    let second: Value = serde_json::from_str(with(r#""id":"second""#)).unwrap();
    assert!(second["nodes"].as_u64() <= Some(50) && second["player"] == "p1", "{second}");
    assert!(with(r#""id":7"#).contains("expected a position, `start`"));
    assert!(with(r#""deep":1"#).contains("the turn `99`"));
    assert!(with(r#""id":7"#).contains("error") && with("idd").contains("expected a query"));
}

#[test]
fn many_positions_for_people() {
    let arguments =
        ["analyse", "hus", "--bot", "alphabeta", "--limits", "nodes=300", "--file", "-", "--jobs", "1"];
    let out = succeed(&arguments, "start\n");
    assert!(out.starts_with("1: p1 plays ") && out.contains(", score ") && out.contains(", depth "), "{out}");
}

#[test]
fn a_position_or_a_file_not_both() {
    assert!(refuse(&["analyse", "hus", "start", "--file", "x"]).contains("cannot be used with"));
    assert!(refuse(&["analyse", "hus", "--file", "no/such/file"]).contains("cannot read no/such/file"));
    assert!(
        refuse(&["analyse", "hus", "--file", "-", "--limits", "gametime=1s"]).contains("found a game time")
    );
}

#[test]
fn perft_and_bots_as_json() {
    let found = objects(&succeed(&["perft", "hus", "--depth", "1", "--divide", "--json"], ""));
    assert_eq!(
        (&found[0]["nodes"], found[0]["divide"].as_object().map(serde_json::Map::len)),
        (&24.into(), Some(24))
    );
    let found = objects(&succeed(&["perft", "--suite", "--most", "100", "--json"], ""));
    assert!(found.len() > 8 && found.iter().all(|entry| entry["nodes"] == entry["expected"]), "{found:?}");
    let found = objects(&succeed(&["bots", "--json"], ""));
    assert_eq!(
        found.iter().map(|game| &game["game"]).collect::<Vec<_>>(),
        ["expendibots", "ropasci360", "hus", "colosseum"]
    );
    let bots = found[2]["bots"].as_array().unwrap();
    let alphabeta = bots.iter().find(|bot| bot["name"] == "alphabeta").unwrap();
    let depth =
        alphabeta["options"].as_array().unwrap().iter().find(|option| option["key"] == "depth").unwrap();
    assert!(depth["values"].as_str().is_some_and(|values| values.contains("10000")), "{depth}");
    assert_eq!(objects(&succeed(&["bots", "hus", "--json"], "")).len(), 1);
}
