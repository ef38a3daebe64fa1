//! The fast tables: every chapter is worked out, and what stands in it can be read.

use std::fs;

use assert_cmd::Command;

/// The chapter of a game from `cargo xtask tables --quick --print`.
fn quick(game: &str) -> String {
    let mut command = Command::cargo_bin("xtask").expect("the binary is built with its tests");
    let output = command.args(["tables", game, "--quick", "--print"]).env("NO_COLOR", "1").output();
    let output = output.expect("it can be started");
    assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The cells of the rows of all tables.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

fn check(game: &str, heading: &str) {
    let text = quick(game);
    assert!(text.contains(&format!("\n## {heading}\n")), "{text}");
    assert!(text.contains("From a quick run"), "{text}");
    // A bot that cannot be built or fails, an empty sample, a row without a figure.
    for trouble in ["broken off", "NaN", "inf ", " 0 positions"] {
        assert!(!text.contains(trouble), "{game}: {trouble:?} in\n{text}");
    }
    let verdicts = ["holds", "does not hold", "stays open", "", "cannot be tested"];
    let sources = ["report", "beside the program", "ours"];
    let claims: Vec<_> =
        rows(&text).into_iter().filter(|row| row.len() == 5 && sources.contains(&row[1])).collect();
    assert!(claims.len() > 10, "{game}: only {} claims", claims.len());
    for row in &claims {
        assert!(verdicts.contains(&row[4]), "{row:?}");
        assert!(!row[3].is_empty(), "{row:?}");
    }
}

#[test]
fn expendibots() {
    check("expendibots", "Expendibots (Adversarial Attackers)");
}

#[test]
fn ropasci360() {
    check("ropasci360", "RoPaSci 360 (FiveYang)");
}

#[test]
fn hus() {
    check("hus", "Hus");
}

#[test]
fn colosseum() {
    check("colosseum", "Colosseum Survival! (Zhang and Trinh)");
}

#[test]
fn the_document_is_from_full_runs() {
    let document = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reproduction.md"));
    let document = document.expect("the document");
    assert_eq!(document.matches("\nFrom the full run, `cargo xtask tables ").count(), 4);
    // A bot that failed, and what a time of nothing leaves.
    for trouble in ["broken off", "NaN", "inf ", "000000 times"] {
        assert!(!document.contains(trouble), "docs/reproduction.md has {trouble:?}");
    }
}

/// What the tables say is there for programs too.
#[test]
fn tables_are_also_json() {
    let run = |format: &str| {
        let mut command = Command::cargo_bin("xtask").expect("the binary is built with its tests");
        command.args(["tables", "hus", "--quick", "--part", "random games", format]);
        command.output().expect("it can be started")
    };
    let output = run("--json");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 1, "a line for each table: {text}");
    let table: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let names: Vec<&str> = table.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(names, ["columns", "game", "rows", "text", "title"]);
    assert_eq!(table["game"], "hus");
    assert!(table["title"].as_str().is_some_and(|title| !title.is_empty()), "{table}");
    let columns = table["columns"].as_array().expect("columns").len();
    let rows = table["rows"].as_array().expect("rows");
    assert!(columns > 1 && !rows.is_empty(), "{table}");
    for row in rows {
        let cells = row.as_array().expect("a row");
        assert_eq!(cells.len(), columns, "{row}");
        assert!(cells.iter().all(serde_json::Value::is_string), "{row}");
    }
    // It prints, so it does not write the document; and not both.
    assert_eq!(run("--print").status.code(), Some(2));
}
