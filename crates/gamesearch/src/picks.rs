//! Which bot of a catalogue does a job where none was chosen.

use search_core::{Record, Turn};

use crate::Listed;

fn first<G: Listed>(names: &[&'static str]) -> Option<&'static str> {
    let catalogue = G::catalogue();
    names.iter().copied().find(|name| catalogue.bots().iter().any(|bot| bot.name == *name))
}

/// The strongest bot that a game has.
pub(crate) fn strongest<G: Listed>() -> &'static str {
    first::<G>(&["champion", "alphabeta", "mcts", "report", "greedy"]).unwrap_or("random")
}

/// The bot of a game that reports what it sees, where others only move.
pub(crate) fn analyst<G: Listed>() -> Option<&'static str> {
    // Where both choose at once, a search that mixes sees more than one that lets a player move first.
    if <G::Turn as Turn<G::Move>>::SIMULTANEOUS
        && let Some(mixing) = first::<G>(&["nash", "smmcts"])
    {
        return Some(mixing);
    }
    first::<G>(&["alphabeta", "minimax", "mcts", "greedy"])
}

/// The bots whose searches can be looked into.
pub(crate) fn with_trees<G: Listed>() -> Vec<&'static str> {
    let catalogue = G::catalogue();
    let start = Record::new(G::initial(&G::Setup::default(), 1));
    let keeps = |name: &&str| catalogue.build(name).is_ok_and(|bot| bot.children(&start).is_some());
    ["mcts", "alphabeta"].into_iter().filter(keeps).collect()
}
