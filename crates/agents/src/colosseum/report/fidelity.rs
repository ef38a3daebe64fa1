//! The report's program against what the authors' own answered.

use colosseum::Position;
use serde_json::{Value, json};

use super::moves::{MoveChoice, sorted_moves};
use super::search::{INFINITE, Negamax, Rules};
use crate::colosseum::evaluation::{Cells, static_value};
use crate::fidelity::{FidelityError, Field, position, text};

/// Compares one line: runs the search to the depth of the line and compares move, value, counters, the number of
/// generated moves, the first three of them, and the static value.
pub fn compare(line: &Value) -> Result<Vec<Field>, FidelityError> {
    let position: Position = position(line)?;
    if text(line, "bot")? != "report" {
        return Err(FidelityError::field(line, "bot", "`report`"));
    }
    let depth = line
        .pointer("/settings/depth")
        .and_then(Value::as_u64)
        .and_then(|depth| u32::try_from(depth).ok())
        .ok_or_else(|| FidelityError::field(line, "settings", "an object with a number `depth`"))?;
    let mut never = |_| false;
    let mut search = Negamax::new(Rules::default(), &mut never);
    // The clock stands still, so the search is never interrupted; a line without an answer would show as differing.
    let (score, mv) = search.root(&position, depth).unwrap_or((0, None));
    let counts = search.counts;
    let moves = sorted_moves(&position, MoveChoice::Tree);
    let first: Vec<String> = moves.iter().take(3).map(ToString::to_string).collect();
    let found = [
        ("move", mv.map_or(Value::Null, |mv| json!(mv.to_string()))),
        ("score", score_value(score)),
        ("nodes", json!(counts.nodes)),
        ("leaves", json!(counts.leaves)),
        ("generated", json!(moves.len())),
        ("first", json!(first)),
        ("static", json!(static_value(&position, Cells::Near))),
    ];
    found
        .into_iter()
        .map(|(name, found)| {
            let expected = line.get(name).ok_or_else(|| FidelityError::field(line, name, "there"))?;
            Ok(Field::new(name, expected, &found))
        })
        .collect()
}

fn score_value(score: i32) -> Value {
    match score {
        INFINITE => json!("inf"),
        score if score == -INFINITE => json!("-inf"),
        score => json!(score),
    }
}
