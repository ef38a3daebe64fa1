//! Which bot of a catalogue does a job, where nobody chose one.

use crate::Listed;

fn first<G: Listed>(names: &[&'static str]) -> Option<&'static str> {
    let catalogue = G::catalogue();
    names.iter().copied().find(|name| catalogue.bots().iter().any(|bot| bot.name == *name))
}

/// The strongest bot that a game has.
pub(crate) fn strongest<G: Listed>() -> &'static str {
    first::<G>(&["champion", "alphabeta", "mcts", "report", "greedy"]).unwrap_or("random")
}

/// The bot of a game that tells what it sees, where others only move.
pub(crate) fn analyst<G: Listed>() -> Option<&'static str> {
    first::<G>(&["alphabeta", "nash", "minimax", "mcts", "greedy"])
}

/// The bots whose searches can be looked into.
pub(crate) fn with_trees<G: Listed>() -> Vec<&'static str> {
    let catalogue = G::catalogue();
    let named = |name: &&str| catalogue.bots().iter().any(|bot| bot.name == *name);
    ["mcts", "alphabeta"].into_iter().filter(named).collect()
}
