//! Comparison with what the authors' own programs answered.

use ::expendibots::{Move, Position};
use serde_json::{Value, json};

use super::greedy::{Classes, Variant};
use super::ordering_keys::MovementMaps;
use super::search::{
    Depths, Found, LeafValue, MapOrder, ProgramOrder, ProgramSearch, Pruning, Ranked, Settings,
};
use crate::fidelity::{FidelityError, Field, position, text};

/// Compares one line of a fidelity file: `submitted` is our `report`, `greedy` our `greedy`.
pub fn compare(line: &Value) -> Result<Vec<Field>, FidelityError> {
    let position: Position = position(line)?;
    match text(line, "bot")? {
        "submitted" => Ok(submitted(line, &position)),
        "greedy" => Ok(greedy_line(line, &position)),
        _ => Err(FidelityError::field(line, "bot", "`submitted` or `greedy`")),
    }
}

fn search(position: &Position, pruning: Pruning) -> Found {
    let settings = Settings {
        cutoff: Depths::Submitted.cutoff(position),
        order: ProgramOrder::Keys,
        pruning,
        leaf: LeafValue::Mixed,
        map: pruning == Pruning::Program,
    };
    let maps = MovementMaps::new();
    let order = MapOrder::by_square(position);
    ProgramSearch::new(settings, &maps, position.side(), order, &|| false).run(&position.rewound())
}

fn texts(moves: impl IntoIterator<Item = Move>) -> Value {
    let mut texts: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    texts.sort_unstable();
    json!(texts)
}

/// The value at a path of names; null if there is none.
fn at<'a>(line: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(line, |value, name| &value[name])
}

fn field(line: &Value, fields: &mut Vec<Field>, name: &str, found: &Value) {
    fields.push(Field::new(name, at(line, name), found));
}

/// Compares a score as a number, whether it is written `0` or `0.0`.
fn compare_score(line: &Value, fields: &mut Vec<Field>, name: &str, found: f64) {
    let expected = at(line, name);
    let expected = expected.as_f64().map_or_else(|| expected.clone(), |number| json!(number));
    // Adding zero turns a negative zero into a positive one.
    fields.push(Field::new(name, &expected, &json!(found + 0.0)));
}

fn submitted(line: &Value, position: &Position) -> Vec<Field> {
    let mut fields = Vec::new();
    field(line, &mut fields, "settings.cutoff", &json!(Depths::Submitted.cutoff(position)));
    field(line, &mut fields, "settings.plies", &json!(Depths::Submitted.cutoff(position) + 1));
    let program = search(position, Pruning::Program);
    field(line, &mut fields, "root_moves", &json!(program.root.len()));
    let chosen = program.ranking().first().map(|ranked| ranked.mv.to_string());
    let best = texts(program.best().iter().map(|ranked| ranked.mv));
    field(line, &mut fields, "rounded_keys.move", &json!(chosen));
    compare_score(line, &mut fields, "rounded_keys.score", program.score());
    field(line, &mut fields, "rounded_keys.nodes", &json!(program.nodes));
    field(line, &mut fields, "rounded_keys.leaf_calls", &json!(program.leaf_calls));
    field(line, &mut fields, "rounded_keys.best_same", &json!(best == line["best"]));
    // The program's own run sorts by keys that are not rounded. Where keys are equal by symmetry, their last bit decides
    // which move comes first; so the move itself is only asked to be one of those.
    compare_score(line, &mut fields, "score", program.score());
    field(line, &mut fields, "nodes", &json!(program.nodes));
    field(line, &mut fields, "leaf_calls", &json!(program.leaf_calls));
    field(line, &mut fields, "best", &best);
    let allowed = at(line, "near").as_array().is_some_and(|near| near.contains(&json!(chosen)));
    fields.push(Field::new("near holds the move", &json!(true), &json!(allowed)));
    let sound = search(position, Pruning::FailSoft);
    let best = sound.best();
    compare_score(line, &mut fields, "exact.score", sound.score());
    field(line, &mut fields, "exact.best", &texts(best.iter().map(|ranked| ranked.mv)));
    field(line, &mut fields, "exact.near", &texts(near(&best)));
    // The sound version has to choose one of `near`: shown as that list if it does.
    let chosen = sound.ranking().first().map(|ranked| ranked.mv.to_string());
    let allowed = at(line, "exact.near").as_array().is_some_and(|near| near.contains(&json!(chosen)));
    fields.push(Field::new("exact.near holds the move", &json!(true), &json!(allowed)));
    fields
}

/// Those of the best moves whose key is within 1e-9 of the largest, relative to it.
fn near(best: &[Ranked]) -> Vec<Move> {
    let largest = best.iter().map(|ranked| ranked.key).fold(f64::NEG_INFINITY, f64::max);
    let tolerance = 1e-9 * largest.max(1.0);
    best.iter().filter(|ranked| ranked.key >= largest - tolerance).map(|ranked| ranked.mv).collect()
}

fn greedy_line(line: &Value, position: &Position) -> Vec<Field> {
    let classes = Classes::new(position, Variant::PROGRAM);
    let mut fields = Vec::new();
    let decision = classes.decision(Variant::PROGRAM);
    field(line, &mut fields, "class", &json!(decision.class));
    field(line, &mut fields, "moves", &texts(decision.moves.iter().copied()));
    field(line, &mut fields, "playable", &texts(decision.playable.iter().copied()));
    field(line, &mut fields, "score", &json!(decision.score));
    field(line, &mut fields, "class_sizes", &json!(classes.sizes()));
    fields
}
