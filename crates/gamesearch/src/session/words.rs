//! What searches find and boards show, as JSON. Scores are always seen from the first player.

use std::time::Duration;

use arena::{Drawing, Seen};
use search_core::{Active, Analysis, Bound, End, Mixed, Outcome, Player, Score};
use serde_json::{Map, Value, json};

use crate::{Listed, Scale};

/// A number with this many digits after the point. Adding zero turns a negative zero into a plain one.
pub(super) fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit + 0.0
}

/// A score of `player`, seen from the first player, on the scale of the bot that found it (see [`crate::score_scale`]).
pub(super) fn score<G: Listed>(score: Score, player: Player, scale: Scale) -> Value {
    let chance = chance_of(score, player, scale);
    let score = if player == Player::One { score } else { -score };
    let Some(plies) = score.plies_to_end() else {
        return json!({ "value": score.value(), "text": score.to_string(), "chance": rounded(chance, 4) });
    };
    let winner = if score.is_win() { Player::One } else { Player::Two };
    let text = match plies {
        0 => format!("{} has won", G::SIDES[winner.index()]),
        plies => format!("{} wins in {plies}", G::SIDES[winner.index()]),
    };
    json!({ "winner": winner.to_string(), "plies": plies, "text": text, "chance": chance })
}

/// The chance of the first player to win that a score of `player` stands for.
pub(super) fn chance_of(score: Score, player: Player, scale: Scale) -> f64 {
    let own = if score.is_decided() {
        f64::from(u8::from(score.is_win()))
    } else {
        scale.chance(f64::from(score.value()))
    };
    if player == Player::One { own } else { 1.0 - own }
}

/// A bound on a score of `player`, seen from the first player.
pub(super) fn bound(bound: Bound, player: Player) -> &'static str {
    match (bound, player) {
        (Bound::Exact, _) => "exact",
        (Bound::Upper, Player::One) | (Bound::Lower, Player::Two) => "upper",
        (Bound::Lower, Player::One) | (Bound::Upper, Player::Two) => "lower",
    }
}

fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// A move with the targets one points at to play it.
pub(super) fn playable<G: Listed>(position: &G, player: Player, mv: G::Move) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("move".to_owned(), json!(mv.to_string()));
    object.insert("path".to_owned(), json!(G::path(position, player, mv)));
    object
}

/// The moves of a player with their paths.
pub(super) fn playables<G: Listed>(position: &G, player: Player, moves: &[G::Move]) -> Value {
    moves.iter().map(|&mv| Value::Object(playable(position, player, mv))).collect()
}

/// What a bot saw, in short.
pub(super) fn thought<G: Listed>(analysis: &Analysis<G::Move>, player: Player, scale: Scale) -> Value {
    let stats = &analysis.stats;
    json!({
        "score": score::<G>(analysis.score, player, scale),
        "depth": analysis.depth,
        "nodes": stats.nodes,
        "playouts": stats.playouts,
        "seconds": rounded(stats.time.as_secs_f64(), 6),
    })
}

/// The same from a journal.
pub(super) fn noted<G: Listed>(seen: &Seen, time: Duration, player: Player, scale: Scale) -> Value {
    json!({
        "score": score::<G>(seen.score, player, scale),
        "depth": seen.depth,
        "nodes": seen.nodes,
        "seconds": rounded(time.as_secs_f64(), 6),
    })
}

/// What a search found for `player`, with at most `lines` root moves.
pub(super) fn analysis<G: Listed>(
    position: &G,
    ply: usize,
    player: Player,
    analysis: &Analysis<G::Move>,
    lines: usize,
    scale: Scale,
) -> Value {
    let stats = &analysis.stats;
    let seconds = stats.time.as_secs_f64();
    let speed = if seconds > 0.0 { (stats.nodes.max(stats.playouts) as f64 / seconds).round() } else { 0.0 };
    let rows = analysis.root.iter().take(lines).enumerate().map(|(index, row)| {
        let mut line = playable(position, player, row.mv);
        let course = analysis.lines.get(index).filter(|course| course.first() == Some(&row.mv));
        let course = match course {
            Some(course) => texts(course),
            None if analysis.pv.first() == Some(&row.mv) => texts(&analysis.pv),
            None => vec![row.mv.to_string()],
        };
        line.insert("score".to_owned(), score::<G>(row.score, player, scale));
        line.insert("bound".to_owned(), json!(bound(row.bound, player)));
        line.insert("visits".to_owned(), json!(row.visits));
        line.insert("share".to_owned(), json!(rounded(row.weight, 6)));
        line.insert("pv".to_owned(), json!(course));
        Value::Object(line)
    });
    let mut rows: Vec<Value> = rows.collect();
    if let (true, Some(best)) = (rows.is_empty(), analysis.best) {
        let mut line = playable(position, player, best);
        line.insert("score".to_owned(), score::<G>(analysis.score, player, scale));
        line.insert("bound".to_owned(), json!("exact"));
        line.insert("visits".to_owned(), json!(stats.nodes));
        line.insert("share".to_owned(), json!(1));
        line.insert(
            "pv".to_owned(),
            json!(texts(if analysis.pv.is_empty() { std::slice::from_ref(&best) } else { &analysis.pv })),
        );
        rows.push(Value::Object(line));
    }
    let mixed = analysis.mixed.as_ref().filter(|_| position.active() == Active::Both);
    json!({
        "ply": ply,
        "player": player.to_string(),
        "score": score::<G>(analysis.score, player, scale),
        "depth": analysis.depth,
        "nodes": stats.nodes,
        "playouts": stats.playouts,
        "seconds": rounded(seconds, 6),
        "speed": speed,
        "why": analysis.stop.word(),
        "lines": rows,
        "mixed": mixed.map(|found| mixed_strategies(position, player, found, scale)),
    })
}

/// The strategies of both players where they choose at once.
fn mixed_strategies<G: Listed>(position: &G, player: Player, mixed: &Mixed<G::Move>, scale: Scale) -> Value {
    // Results count from -1 to 1 here, and in thousandths as scores.
    let points = if mixed.value.abs() <= 1.0 { 1000.0 * mixed.value } else { mixed.value };
    let own = scale.chance(points);
    let (value, chance) = if player == Player::One { (mixed.value, own) } else { (-mixed.value, 1.0 - own) };
    let strategy = |player: Player| -> Value {
        let played = mixed.strategies[player.index()].iter().filter(|(_, share)| *share > 0.0);
        let row = |&(mv, share): &(G::Move, f64)| {
            let mut row = playable(position, player, mv);
            row.insert("share".to_owned(), json!(rounded(share, 6)));
            Value::Object(row)
        };
        played.map(row).collect()
    };
    json!({
        "value": rounded(value, 6),
        "gap": rounded(mixed.gap, 6),
        "chance": rounded(chance, 4),
        "p1": strategy(Player::One),
        "p2": strategy(Player::Two),
    })
}

/// The end of a game in words.
pub(super) fn ended<G: Listed>(outcome: Outcome, reason: &str) -> Value {
    let text = match outcome.winner() {
        Some(winner) => format!("{} wins, {reason}", G::SIDES[winner.index()]),
        None => format!("a draw, {reason}"),
    };
    json!({ "outcome": outcome.to_string(), "reason": reason, "text": text })
}

/// The end of a game by its rules.
pub(super) fn end<G: Listed>(end: Option<End>) -> Value {
    end.map_or(Value::Null, |end| ended::<G>(end.outcome, end.reason))
}

/// Who is to move, or how the game ended, for people.
pub(super) fn status<G: Listed>(position: &G, end: Option<End>) -> String {
    if let Some(end) = end {
        let text = ended::<G>(end.outcome, end.reason);
        return format!("The game is over: {}", text["text"].as_str().unwrap_or_default());
    }
    match position.active() {
        Active::One(player) => format!("{} to move", G::SIDES[player.index()]),
        Active::Both => format!("{} and {} choose at once", G::SIDES[0], G::SIDES[1]),
    }
}

/// A drawing with coordinates to a hundredth: finer ones cannot be seen and are long.
pub(super) fn drawing(drawing: &Drawing) -> Value {
    tidy(serde_json::to_value(drawing).unwrap_or_default())
}

/// The areas of a position.
pub(super) fn areas<G: Listed>(position: &G) -> Value {
    tidy(serde_json::to_value(G::areas(position)).unwrap_or_default())
}

fn tidy(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = rounded(number.as_f64().unwrap_or_default(), 2);
            if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
        }
        Value::Array(list) => list.into_iter().map(tidy).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, tidy(value))).collect(),
        other => other,
    }
}

/// A position as a board shows it.
pub(super) fn board<G: Listed>(
    position: &G,
    last: Option<(&G, G::Turn)>,
    end_of: Option<End>,
) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("position", json!(position.to_string()));
    put("drawing", drawing(&G::draw(position, last)));
    put("end", end::<G>(end_of));
    put("status", json!(status(position, end_of)));
    object
}

/// The score of a finished game.
pub(super) fn ended_score<G: Listed>(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Draw => json!({ "value": 0, "text": "a draw", "chance": 0.5 }),
        Outcome::Win(_) => score::<G>(Score::of_outcome(outcome, Player::One, 0), Player::One, Scale::POINTS),
    }
}
