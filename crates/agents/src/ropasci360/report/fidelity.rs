//! The report's program against what the authors' own answered.

use ropasci360::{Move, Position};
use search_core::{Player, stream};
use serde_json::{Map, Value, json};

use super::evaluation::{Features, Phase, Settings, evaluate};
use super::repetition_guard::RepetitionGuard;
use super::rules::State;
use super::search::generate;
use super::token_lists::{Token, Tokens};
use super::{DecidedBy, Decision, ReportSettings, TIRED, decide, opening_move};
use crate::fidelity::{FidelityError, Field, position, text};

/// How the program is asked about one line.
struct Question {
    position: Position,
    player: Player,
    turn: u32,
}

impl Question {
    fn ask(
        &self,
        tokens: &Tokens,
        guard: &RepetitionGuard,
        nodes_before: u64,
        settings: &ReportSettings,
    ) -> Decision {
        match opening_move(self.player, self.turn) {
            Some(mv) => Decision {
                mv: Some(mv),
                decided_by: DecidedBy::Opening,
                rule: None,
                score: None,
                depth: None,
                nodes: 0,
                evaluations: 0,
            },
            // The program draws no random number.
            None => decide(tokens, self.player, guard, nodes_before, settings, &mut stream(0, "report")),
        }
    }

    /// The program on a fresh board with nothing in its guard.
    fn plain(&self, tokens: &Tokens, settings: &ReportSettings) -> Decision {
        self.ask(tokens, &RepetitionGuard::new(self.player), 0, settings)
    }
}

fn number(value: f64) -> Value {
    // A number such as 12.0 may stand as 12 in the file: both sides go through a double.
    json!(value)
}

fn optional_move(mv: Option<Move>) -> Value {
    mv.map_or(Value::Null, |mv| json!(mv.to_string()))
}

fn decided_by(decision: &Decision) -> Value {
    json!(match decision.decided_by {
        DecidedBy::Opening => "opening".to_owned(),
        DecidedBy::Rule(rule) => rule.to_string(),
        DecidedBy::Minimax => "minimax".to_owned(),
    })
}

fn names(tokens: &[Token]) -> Value {
    json!(tokens.iter().map(|token| Move::throw(token.symbol, token.hex).to_string()).collect::<Vec<_>>())
}

/// The five fields that every variant of a question answers.
fn answer(decision: &Decision) -> Map<String, Value> {
    let fields = [
        ("move", optional_move(decision.mv)),
        ("score", decision.score.map_or(Value::Null, number)),
        ("decided_by", decided_by(decision)),
        ("depth", json!(decision.depth)),
        ("nodes", json!(decision.nodes)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Everything that a faithful program says about a line.
fn found(question: &Question) -> Map<String, Value> {
    let Question { position, player, .. } = *question;
    let program = ReportSettings::program();
    let rounded = ReportSettings { evaluation: Settings { rounded: true, ..Settings::default() }, ..program };
    let tokens = Tokens::new(&position, false);
    let decision = question.plain(&tokens, &program);

    let mut fields = answer(&decision);
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("rule", json!(decision.rule.map(|rule| rule.to_string())));

    let reversed = Tokens::new(&position, true);
    let reverse = question.plain(&reversed, &program);
    let mut reverse_order = answer(&reverse);
    reverse_order.remove("depth");
    put("order_sensitive", json!(reverse.mv != decision.mv));

    if decision.decided_by != DecidedBy::Opening {
        let guard = RepetitionGuard::new(player);
        let state = State::new(&tokens, player, &guard);
        let static_value =
            |tokens: &Tokens| number(evaluate(tokens, player, Phase::Normal, &program.evaluation));
        put("in_danger", names(&state.in_danger));
        put("eatable", names(&state.eatable));
        put("throwable", names(&state.throwable));
        let generated = generate(&tokens, player, program.movers);
        put("generated", json!(generated.iter().map(ToString::to_string).collect::<Vec<_>>()));
        put("enemy_generated", json!(generate(&tokens, player.opponent(), program.movers).len()));
        put("static", static_value(&tokens));
        reverse_order.insert("static".to_owned(), static_value(&reversed));
        put("features", features(&Features::of(&tokens, player, &program.evaluation)));
    }
    put("reverse_order", Value::Object(reverse_order));

    let mut sensitive = false;
    if decision.decided_by == DecidedBy::Minimax {
        let again = question.plain(&tokens, &rounded);
        sensitive = (again.mv, again.nodes) != (decision.mv, decision.nodes);
        let mut rounded_eval = answer(&again);
        rounded_eval.remove("depth");
        rounded_eval.remove("decided_by");
        put("rounded_eval", Value::Object(rounded_eval));
    }
    put("rounding_sensitive", json!(sensitive));

    if decision.decided_by != DecidedBy::Opening
        && let Some(mv) = decision.mv.filter(|mv| !mv.is_throw())
    {
        let mut guard = RepetitionGuard::new(player);
        guard.insert(tokens.set_after(player, Some(mv)), 2);
        put("if_refused", Value::Object(answer(&question.ask(&tokens, &guard, 0, &program))));
    }
    if decision.depth == Some(2) {
        let tired = question.ask(&tokens, &RepetitionGuard::new(player), TIRED, &program);
        put("tired", Value::Object(answer(&tired)));
    }
    fields
}

fn features(features: &Features) -> Value {
    json!({
        "own_lost": features.own_lost,
        "enemy_lost": features.enemy_lost,
        "own_throws_left": features.own_throws_left,
        "enemy_throws_left": features.enemy_throws_left,
        "own_zone": features.own_zone,
        "enemy_zone": features.enemy_zone,
        "distance": features.distance,
        "beats_none": features.beats_none,
        "own_invincible": features.own_invincible,
        "enemy_invincible": features.enemy_invincible,
    })
}

/// Numbers as doubles, so that 12 and 12.0 are the same.
fn normalised(value: &Value) -> Value {
    match value {
        Value::Number(n) => n.as_f64().map_or(Value::Null, number),
        Value::Array(items) => Value::Array(items.iter().map(normalised).collect()),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), normalised(value))).collect()
        }
        other => other.clone(),
    }
}

/// Compares one line: every field that it has but those that say how the program was asked, `kind` (why the position was
/// chosen), and, where rounding errors decided something, scores and node counts.
pub fn compare(line: &Value) -> Result<Vec<Field>, FidelityError> {
    let position: Position = position(line)?;
    if text(line, "bot")? != "report" {
        return Err(FidelityError::field(line, "bot", "`report`"));
    }
    let player = match text(line, "side")? {
        "upper" => Player::One,
        "lower" => Player::Two,
        _ => return Err(FidelityError::field(line, "side", "`upper` or `lower`")),
    };
    let turn = line
        .pointer("/settings/turn")
        .and_then(Value::as_u64)
        .and_then(|turn| u32::try_from(turn).ok())
        .ok_or_else(|| FidelityError::field(line, "settings", "an object with a number `turn`"))?;
    let Some(expected) = line.as_object() else {
        return Err(FidelityError::Json("not an object".to_owned()));
    };
    let found = found(&Question { position, player, turn });
    let sensitive = expected.get("rounding_sensitive") == Some(&Value::Bool(true));

    let mut fields = Vec::new();
    let mut compare = |name: String, last: &str, expected: &Value, found: Option<&Value>| {
        if !(sensitive && matches!(last, "nodes" | "score")) {
            let found = found.map_or(Value::Null, normalised);
            fields.push(Field::new(name, &normalised(expected), &found));
        }
    };
    for (name, expected) in expected {
        if matches!(name.as_str(), "position" | "bot" | "side" | "settings" | "kind" | "rounded_eval") {
            continue;
        }
        match (expected, found.get(name)) {
            (Value::Object(inner), Some(Value::Object(ours))) => {
                for (key, expected) in inner {
                    compare(format!("{name}.{key}"), key, expected, ours.get(key));
                }
            }
            (expected, ours) => compare(name.clone(), name, expected, ours),
        }
    }
    Ok(fields)
}
