//! A game for the page: set-ups, rules, and the bots with their options.

use agents::{OptionInfo, Values};
use search_core::Turn;
use serde_json::{Value, json};

use crate::{Listed, picks, usual_limits};

fn option(info: &OptionInfo) -> Value {
    let mut value = json!({ "key": info.key, "default": info.default, "about": info.about });
    let more = match &info.values {
        Values::Choice(words) => json!({ "kind": "choice", "values": words }),
        // A number of a script is exact up to 2^53.
        Values::Integer(min, max) => json!({ "kind": "integer", "min": min, "max": (*max).min(1 << 53) }),
        Values::Number(min, max) => json!({ "kind": "number", "min": min, "max": max }),
        Values::Flag => json!({ "kind": "flag" }),
        Values::Text(what) => json!({ "kind": "text", "what": what }),
    };
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

/// All that the page has to know of a game before one is played.
pub(super) fn game<G: Listed>() -> Value {
    let catalogue = G::catalogue();
    let bots = catalogue.bots().iter().map(|bot| {
        let options: Vec<Value> = bot.options.iter().map(option).collect();
        json!({ "name": bot.name, "about": bot.about, "options": options })
    });
    let setups = G::SETUPS.iter().map(|(setup, name)| json!({ "setup": setup, "name": name }));
    let brushes = G::BRUSHES
        .iter()
        .map(|brush| json!({ "brush": brush.name, "name": brush.title, "at": brush.needs_target }));
    json!({
        "name": G::NAME,
        "title": G::TITLE,
        "sides": G::SIDES,
        "simultaneous": <G::Turn as Turn<G::Move>>::SIMULTANEOUS,
        "setups": setups.collect::<Value>(),
        "notation": G::NOTATION,
        "rules": G::RULES,
        "usual": usual_limits::<G>(""),
        "strongest": picks::strongest::<G>(),
        "analyst": picks::analyst::<G>(),
        "treeBots": picks::with_trees::<G>(),
        "bots": bots.collect::<Value>(),
        "brushes": brushes.collect::<Value>(),
    })
}
