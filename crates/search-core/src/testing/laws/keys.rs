//! Laws of the keys: from scratch or carried along, equal for equal positions and for no others.

use std::collections::HashMap;

use super::differences::{Broken, holds, same};
use super::texts::read;
use crate::strategies::Walk;
use crate::{Game, for_each_turn};

/// The keys that were carried along by playing are those of the position read from its text; and a repetition key is there
/// just in games with the rule.
pub fn keys_are_those_from_scratch<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let again: G = read(&position.to_string())?;
        let sides = ["carried along by playing", "of the position read from its text"];
        same(&format!("the key of `{position}`"), sides, &position.key(), &again.key())?;
        same(
            &format!("the repetition key of `{position}`"),
            sides,
            &position.repetition_key(),
            &again.repetition_key(),
        )?;
        holds(position.repetition_key().is_none() || G::REPETITION.is_some(), || {
            format!("`{position}` has a repetition key, but the game has no repetition rule")
        })?;
    }
    Ok(())
}

/// On a random game and one turn around it, positions have equal keys just if they are equal apart from the counter
/// ([`Game::key_text`]), and positions that are equal apart from the counter are one for the repetition rule.
pub fn equal_keys_mean_equal_positions<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    let mut known = Keys::default();
    walk.positions().iter().flat_map(around).try_for_each(|position| known.admit(&position))
}

/// The keys seen so far. Over many games, it is what tells a key that confuses positions of different games.
#[derive(Debug, Default)]
pub(super) struct Keys {
    texts: HashMap<u64, String>,
    keys: HashMap<String, (u64, Option<u64>)>,
}

impl Keys {
    /// Checks a position against all before it.
    pub(super) fn admit<G: Game>(&mut self, position: &G) -> Result<(), Broken> {
        let (key, repetition, text) = (position.key(), position.repetition_key(), position.key_text());
        let known = self.texts.entry(key).or_insert_with(|| text.clone());
        holds(*known == text, || {
            format!(
                "one key {key:016x} for two positions:\n  `{known}`\n  `{text}`\n(does the game's text hold a counter? then \
                 override `key_text`)"
            )
        })?;
        let known = *self.keys.entry(text).or_insert((key, repetition));
        holds(known.0 == key, || {
            format!(
                "two keys {:016x} and {key:016x} for positions that differ at most in a counter, such as `{position}`",
                known.0
            )
        })?;
        holds(known.1 == repetition, || {
            format!(
                "two repetition keys for positions that differ at most in a counter, such as `{position}`: the rule would \
                 never see them as one"
            )
        })
    }
}

/// A position and those one turn after it, at most 64.
pub(super) fn around<G: Game>(position: &G) -> Vec<G> {
    const BRANCHES: usize = 64;
    let mut around = vec![position.clone()];
    if position.end().is_none() {
        for_each_turn(position, |turn| {
            if around.len() <= BRANCHES {
                let mut next = position.clone();
                next.play_turn(turn);
                around.push(next);
            }
        });
    }
    around
}
