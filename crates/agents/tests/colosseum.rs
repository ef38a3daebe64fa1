//! The bots of Colosseum Survival!.

use agents::colosseum::{catalogue, fidelity};

/// Every field of a sample of what the authors' program answered.
#[test]
fn the_report_bot_answers_as_the_authors_program() {
    let mut lines = 0;
    for line in include_str!("data/colosseum-fidelity.jsonl").lines() {
        let value = serde_json::from_str(line).expect(line);
        for field in fidelity(&value).expect(line) {
            assert!(field.agrees(), "{field:?} in {line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 84);
}

#[test]
fn lines_that_cannot_be_compared_are_refused() {
    for (line, message) in [
        ("{}", "expected the field `position` to be a text, found nothing"),
        (
            r#"{"position":"6 x","bot":"report"}"#,
            "the position cannot be read: expected six fields `M rows cellA cellB side plies` between single spaces, found 2",
        ),
        (
            r#"{"position":"3 913/802/c46 a1 c3 a 0","bot":"greedy"}"#,
            "expected the field `bot` to be `report`, found \"greedy\"",
        ),
        (
            r#"{"position":"3 913/802/c46 a1 c3 a 0","bot":"report","settings":{}}"#,
            "expected the field `settings` to be an object with a number `depth`, found {}",
        ),
    ] {
        let value = serde_json::from_str(line).expect(line);
        assert_eq!(fidelity(&value).expect_err(line).to_string(), message);
    }
}

#[test]
fn every_bot_is_built_and_unknown_options_are_refused() {
    for info in catalogue().bots() {
        catalogue().build(info.name).expect(info.name);
    }
    for spec in ["report:as=text,depth=3", "report:moves=all,cells=reachable", "greedy:moves=tree"] {
        catalogue().build(spec).expect(spec);
    }
    for spec in ["report:as=both", "report:depth=0", "greedy:order=x", "rapport"] {
        catalogue().build(spec).map(|_| ()).expect_err(spec);
    }
}
