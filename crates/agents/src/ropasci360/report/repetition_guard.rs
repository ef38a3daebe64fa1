//! The report's guard against draws by repetition.

use std::collections::HashMap;

use ahash::RandomState;
use ropasci360::{Move, Position};
use search_core::{Player, Record};

use super::token_lists::{TokenSet, Tokens};

/// How often the own token set stood on the board, at most with one and the same enemy set.
#[derive(Debug, Clone)]
pub struct RepetitionGuard {
    player: Player,
    counts: HashMap<TokenSet, Entry, RandomState>,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    greatest: u32,
    by_enemy: HashMap<TokenSet, u32>,
}

impl RepetitionGuard {
    /// A guard that has seen nothing.
    pub fn new(player: Player) -> RepetitionGuard {
        RepetitionGuard { player, counts: HashMap::with_hasher(RandomState::with_seeds(3, 6, 0, 9)) }
    }

    /// The guard after the turns of a game, and the token lists as they have come about. The start is not counted.
    pub fn of(record: &Record<Position>, player: Player) -> (RepetitionGuard, Tokens) {
        let mut guard = RepetitionGuard::new(player);
        let mut tokens = Tokens::new(record.start(), false);
        for &turn in record.turns() {
            tokens.play(turn);
            guard.arrive(&tokens, turn);
        }
        (guard, tokens)
    }

    /// Counts the position after a real turn; a throw empties the table first.
    fn arrive(&mut self, tokens: &Tokens, turn: [Move; 2]) {
        if turn.iter().any(|mv| mv.is_throw()) {
            self.counts.clear();
        }
        let own = tokens.set_after(self.player, None);
        let enemy = tokens.set_after(self.player.opponent(), None);
        let entry = self.counts.entry(own).or_default();
        let count = entry.by_enemy.entry(enemy).or_insert(0);
        *count += 1;
        entry.greatest = entry.greatest.max(*count);
    }

    /// Puts in an own token set with this greatest count.
    pub fn insert(&mut self, own: TokenSet, greatest: u32) {
        self.counts.entry(own).or_default().greatest = greatest;
    }

    /// Whether the guard lets the player move so: always, for a throw; else if the own tokens have not stood there twice
    /// with one enemy set.
    pub fn allows(&self, tokens: &Tokens, mv: Move) -> bool {
        mv.is_throw()
            || self.counts.is_empty()
            || self
                .counts
                .get(&tokens.set_after(self.player, Some(mv)))
                .is_none_or(|entry| entry.greatest < 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guard of Upper after these turns, and its tokens.
    fn after(turns: &[&str]) -> (RepetitionGuard, Tokens) {
        // Upper's rock on e5 with throws left, Lower's rock on e8.
        let start: Position = "5/6/7/8/4R2r1/8/7/6/5 5 5 20".parse().expect("a position");
        let mut record = Record::new(start);
        for text in turns {
            let (one, two) = text.split_once('|').expect("two moves");
            let turn = [one, two].map(|text| text.parse().expect("a move"));
            record.play(turn).expect("a legal turn");
        }
        RepetitionGuard::of(&record, Player::One)
    }

    fn allows(turns: &[&str], mv: &str) -> bool {
        let (guard, tokens) = after(turns);
        guard.allows(&tokens, mv.parse().expect("a move"))
    }

    /// Upper on e6 with Lower on e9, and both back at home: twice each.
    const TWICE: [&str; 4] = ["e5e6|e8e9", "e6e5|e9e8", "e5e6|e8e9", "e6e5|e9e8"];

    #[test]
    fn the_third_time_is_refused() {
        assert!(allows(&TWICE[..2], "e5e6"));
        assert!(!allows(&TWICE, "e5e6"));
        assert!(allows(&TWICE, "e5d6"));
        // A throw never is, even where the tokens stood before.
        assert!(allows(&TWICE, "r@e6"));
    }

    #[test]
    fn each_enemy_set_counts_by_itself_but_refuses_for_all() {
        // Upper stood on e6 twice, once with each of two enemy sets.
        assert!(allows(&["e5e6|e8e9", "e6e5|e9e8", "e5e6|e8d9", "e6e5|d9e8"], "e5e6"));
        // Twice with one set: refused, although the enemy stands elsewhere now.
        assert!(!allows(&["e5e6|e8e9", "e6e5|e9e8", "e5e6|e8e9", "e6e5|e9d9"], "e5e6"));
    }

    #[test]
    fn a_throw_of_either_side_empties_the_table() {
        for throw in ["e6e5|s@a5", "s@i1|e9e8"] {
            let turns = [TWICE[0], TWICE[1], TWICE[2], throw];
            let (guard, _) = after(&turns);
            assert_eq!(guard.counts.len(), 1, "the position after the throw is the first entry");
        }
        assert!(allows(&[TWICE[0], TWICE[1], TWICE[2], "e6e5|s@a5"], "e5e6"));
    }

    #[test]
    fn the_start_is_not_counted() {
        // Upper stands on e5 for the second time; the first was the start.
        assert!(allows(&["e5e6|e8e9", "e6e5|e9e8", "e5d5|e8e9"], "d5e5"));
    }
}
