//! The limits of a tournament that names none.

use std::fs;

use arena::MatchLimits;
use gamesearch::{Listed, Visitor, contests};
use serde_json::Value;

use crate::common::{succeed, text};

struct Usual;

impl Visitor for Usual {
    type Output = ();

    fn visit<G: Listed>(self) {
        let catalogue = G::catalogue();
        for (bot, limits) in G::USUAL {
            let limits: MatchLimits = limits.parse().unwrap();
            assert!(limits.is_deterministic(), "{}: the same games on every machine", G::NAME);
            let known = bot.is_empty() || catalogue.bots().iter().any(|known| known.name == *bot);
            assert!(known, "{} has no bot {bot}", G::NAME);
        }
        assert!(G::USUAL.iter().any(|(bot, _)| bot.is_empty()), "{}: nothing for the others", G::NAME);
    }
}

#[test]
fn usual_limits_are_counts_for_bots_that_there_are() {
    for name in contests::NAMES {
        contests::with_game(name, Usual).unwrap();
    }
}

#[test]
fn each_kind_of_bot_has_its_own_usual_limits() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let bots = [
        "--bots",
        "deep=minimax:depth=1",
        "random",
        "tree=mcts:playouts=1",
        "--bot-limits",
        "random@nodes=7",
    ];
    let base = ["tournament", "--games", "hus", "--rounds", "1", "--no-report", "--out", &folder];
    succeed(&[&base[..], &bots].concat(), "");
    let plan: Value = serde_json::from_str(&text(&fs::read(out.join("plan.json")).unwrap())).unwrap();
    let expected = ["nodes=16000", "nodes=7", "nodes=3500,playouts=200"];
    assert_eq!(plan["events"][0]["limits"], Value::from(expected.to_vec()), "{plan}");
}
