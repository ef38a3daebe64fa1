//! The positions between the start of the game and the node being searched, to see repetitions.

use crate::{End, Game};

const SLOTS: usize = 4096;

/// The repetition keys of the game so far and of the line being searched, with a counting filter in front: nearly
/// every look-up is one load.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    keys: Vec<u64>,
    filter: Vec<u16>,
}

/// How a search finds a position that a line has just reached.
pub(crate) enum Arrival {
    /// The game is over.
    Ended(End),
    /// The position has come before, which a search counts as a draw; with the end by a cap on the turns, if it has one too.
    Repeated(Option<End>),
    /// The game goes on; with the key that repetitions are seen by.
    Open(Option<u64>),
}

impl Path {
    /// The path of a game whose keys so far are `history`, the current position last. Without a repetition rule, or
    /// with `active` off, it stays empty and finds nothing.
    pub(crate) fn new<G: Game>(history: &[u64], active: bool) -> Path {
        let mut path = Path { keys: Vec::new(), filter: Vec::new() };
        if active && G::REPETITION.is_some() {
            path.filter = vec![0; SLOTS];
            for &key in history {
                path.push(key);
            }
        }
        path
    }

    /// The key of a position, if repetitions are looked for.
    #[inline]
    pub(crate) fn key_of<G: Game>(&self, position: &G) -> Option<u64> {
        if G::REPETITION.is_none() || self.filter.is_empty() { None } else { position.repetition_key() }
    }

    /// How a position is found: ends by the rules of the board come first, then repetition, then a cap on the turns. All
    /// searches come this way; the record, which counts repetitions as the rules do, and the reference searches have their
    /// own.
    #[inline(always)]
    pub(crate) fn arrive<G: Game>(&self, position: &G) -> Arrival {
        let end = position.end();
        if let Some(end) = end.filter(|end| !end.yields_to_repetition) {
            return Arrival::Ended(end);
        }
        let key = self.key_of(position);
        if key.is_some_and(|key| self.contains(key)) {
            return Arrival::Repeated(end);
        }
        end.map_or(Arrival::Open(key), Arrival::Ended)
    }

    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.filter[key as usize % SLOTS] != 0 && self.keys.contains(&key)
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        // More than 65,535 positions on one path cannot be: the games end by their turn caps long before.
        self.filter[key as usize % SLOTS] = self.filter[key as usize % SLOTS].saturating_add(1);
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.filter[key as usize % SLOTS] = self.filter[key as usize % SLOTS].saturating_sub(1);
        }
    }

    /// The number of keys, for [`Path::truncate`].
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Takes keys back until `len` are left.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.keys.len() > len {
            self.pop();
        }
    }
}
