//! The bots of RoPaSci 360.

use std::collections::BTreeMap;

use agents::ropasci360::fidelity;
use serde_json::json;

fn compare(text: &str) -> (usize, BTreeMap<String, (usize, String)>) {
    let mut differing: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        lines += 1;
        let value = serde_json::from_str(line).unwrap();
        for field in fidelity(&value).unwrap() {
            if !field.agrees() {
                let entry = differing.entry(field.name.clone()).or_default();
                entry.0 += 1;
                if entry.1.is_empty() {
                    entry.1 =
                        format!("line {}: expected {}, found {}", index + 1, field.expected, field.found);
                }
            }
        }
    }
    (lines, differing)
}

#[test]
fn a_sample_of_the_authors_program_is_matched() {
    let (lines, differing) = compare(include_str!("data/ropasci360-fidelity.jsonl"));
    assert_eq!(lines, 71);
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn lines_that_cannot_be_compared_are_told_apart() {
    let error = |line: serde_json::Value| fidelity(&line).unwrap_err().to_string();
    assert!(error(json!({})).contains("`position` to be a text"));
    assert!(error(json!({"position": "x", "bot": "report"})).contains("cannot be read"));
    let position = "5/6/7/8/9/8/7/6/5 0 0 0";
    assert!(error(json!({"position": position, "bot": "greedy"})).contains("`bot`"));
    assert!(error(json!({"position": position, "bot": "report", "side": "left"})).contains("`side`"));
    assert!(error(json!({"position": position, "bot": "report", "side": "upper"})).contains("`settings`"));
}
