//! The report's program against what the authors' own answered.

use hus::Position;
use search_core::TurnBased;
use serde_json::{Value, json};

use super::search::{Program, ReportSettings};
use crate::fidelity::{FidelityError, Field, position, text};

/// Compares one line: searches to exactly the depth of the line and compares move, score, static value and all
/// counters.
pub fn compare(line: &Value) -> Result<Vec<Field>, FidelityError> {
    let position: Position = position(line)?;
    if text(line, "bot")? != "report" {
        return Err(FidelityError::field(line, "bot", "`report`"));
    }
    let setting = |name: &str| line.pointer(&format!("/settings/{name}")).and_then(Value::as_i64);
    let depth = setting("depth")
        .and_then(|depth| u32::try_from(depth).ok())
        .ok_or_else(|| FidelityError::field(line, "settings", "an object with a number `depth`"))?;
    let constant = match line.pointer("/settings/k") {
        None => i64::from(ReportSettings::PROGRAM.constant),
        Some(k) => {
            k.as_i64().ok_or_else(|| FidelityError::field(line, "settings", "an object with a number `k`"))?
        }
    };
    let constant = i32::try_from(constant)
        .ok()
        .filter(|constant| constant.abs() <= 1_000_000)
        .ok_or_else(|| FidelityError::field(line, "settings", "an object with a small number `k`"))?;

    let mut never = |_| false;
    let settings = ReportSettings { constant, ..ReportSettings::PROGRAM };
    let mut program = Program::new(settings, position.to_move(), &mut never);
    let static_value = program.static_value(&position);
    // Nothing interrupts it; a line without an answer would show as differing.
    let (score, mv) = program.root(&position, depth).unwrap_or((0, None));
    let counts = program.counts;
    let found = [
        ("move", mv.map_or(Value::Null, |mv| json!(mv.to_string()))),
        ("score", json!(score)),
        ("nodes", json!(counts.nodes)),
        ("evals", json!(counts.evaluations)),
        ("static", json!(static_value)),
        ("infinite_own", json!(counts.infinite[0])),
        ("infinite_other", json!(counts.infinite[1])),
        ("nodes_after_infinite", json!(counts.after_infinite[0])),
        ("nodes_after_draw", json!(counts.after_draw[0])),
        ("leaves_after_infinite", json!(counts.after_infinite[1])),
        ("leaves_after_draw", json!(counts.after_draw[1])),
    ];
    found
        .into_iter()
        .map(|(name, found)| {
            let expected = line.get(name).ok_or_else(|| FidelityError::field(line, name, "there"))?;
            Ok(Field::new(name, expected, &found))
        })
        .collect()
}
