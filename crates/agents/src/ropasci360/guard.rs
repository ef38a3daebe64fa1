//! The report's guard against draws by repetition.

use std::collections::HashMap;

use ahash::RandomState;
use ropasci360::{Move, Position};
use search_core::{Player, Record};

use super::tokens::{TokenSet, Tokens};

/// How often the own token set stood on the board, at most with one and the same enemy set.
#[derive(Debug, Clone)]
pub struct Guard {
    player: Player,
    counts: HashMap<TokenSet, Entry, RandomState>,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    greatest: u32,
    by_enemy: HashMap<TokenSet, u32>,
}

impl Guard {
    /// A guard that has seen nothing.
    pub fn new(player: Player) -> Guard {
        Guard { player, counts: HashMap::with_hasher(RandomState::with_seeds(3, 6, 0, 9)) }
    }

    /// The guard after the turns of a game, and the token lists as they have come about. The start is not counted.
    pub fn of(record: &Record<Position>, player: Player) -> (Guard, Tokens) {
        let mut guard = Guard::new(player);
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
