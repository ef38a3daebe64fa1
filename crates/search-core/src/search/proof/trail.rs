//! The positions that have come before, to see repetitions.

use crate::Game;

/// The positions of the game and of the line, by key, with a counting filter in front.
#[derive(Debug)]
pub(super) struct Trail {
    keys: Vec<u64>,
    filter: Vec<u16>,
}

impl Trail {
    const SLOTS: usize = 1024;

    pub(super) fn new() -> Trail {
        Trail { keys: Vec::new(), filter: vec![0; Trail::SLOTS] }
    }

    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let slot = &mut self.filter[key as usize % Trail::SLOTS];
        *slot = slot.saturating_add(1);
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let slot = &mut self.filter[key as usize % Trail::SLOTS];
            *slot = slot.saturating_sub(1);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Where a position stands, if it does.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        if self.filter[key as usize % Trail::SLOTS] == 0 {
            return None;
        }
        self.keys.iter().rposition(|&other| other == key)
    }
}

/// By which a position is recognised on the line: what the rule of repetition counts, or its key where there is none.
#[inline]
pub(super) fn identity<G: Game>(position: &G, key: u64) -> u64 {
    if G::REPETITION.is_some() { position.repetition_key().unwrap_or(key) } else { key }
}
