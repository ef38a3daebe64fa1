//! What searches find, as JSON: the same fields wherever the program is asked for `--json`.

use search_core::{Active, Analysis, Answer, Bound, Game, Player, Record, Score};
use serde_json::{Map, Value, json};

/// Prints one line.
pub(super) fn print(value: &Value) {
    outln!("{value}");
}

/// `{"value": 12}`, `{"win_in": 5}` or `{"loss_in": 4}`, all for the player who asked.
pub(super) fn score(score: Score) -> Value {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => json!({ "win_in": plies }),
        Some(plies) => json!({ "loss_in": plies }),
        None => json!({ "value": score.value() }),
    }
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Upper => "upper",
        Bound::Lower => "lower",
    }
}

/// Moves with their probabilities; those never played are left out.
pub(super) fn shares<M: ToString>(moves: &[(M, f64)]) -> Value {
    let played = moves.iter().filter(|(_, share)| *share > 0.0);
    Value::Object(played.map(|(mv, share)| (mv.to_string(), json!(rounded(*share)))).collect())
}

/// Six digits are more than a probability of a search is worth. Adding zero turns a negative zero into a plain one.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

/// The answer of a bot for one player, with at most `lines` root moves.
pub(super) fn answer<G: Game>(
    record: &Record<G>,
    player: Player,
    answer: &Answer<G::Move>,
    lines: usize,
) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("position", json!(record.position().to_string()));
    put("player", json!(player.to_string()));
    put("move", json!(answer.mv.to_string()));
    let Some(analysis) = &answer.analysis else { return object };
    let Analysis { stats, .. } = analysis;
    put("score", score(analysis.score));
    put("depth", json!(analysis.depth));
    put("stop", json!(analysis.stop.word()));
    put("nodes", json!(stats.nodes));
    put("playouts", json!(stats.playouts));
    put("seconds", json!(stats.time.as_secs_f64()));
    put("line", json!(analysis.pv.iter().map(ToString::to_string).collect::<Vec<_>>()));
    let moves = analysis.root.iter().take(lines).map(|root| {
        json!({
            "move": root.mv.to_string(),
            "score": score(root.score),
            "bound": bound(root.bound),
            "visits": root.visits,
            "share": rounded(root.weight),
        })
    });
    put("moves", moves.collect());
    if let Some(mixed) = analysis.mixed.as_ref().filter(|_| record.position().active() == Active::Both) {
        put(
            "mixed",
            json!({
                "value": rounded(mixed.value),
                "gap": rounded(mixed.gap),
                "p1": shares(&mixed.strategies[0]),
                "p2": shares(&mixed.strategies[1]),
            }),
        );
    }
    object
}
