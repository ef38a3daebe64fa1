//! Solved positions, in a fixed number of bytes.

use crate::contract::share;
use crate::split_mix;

/// What a stored value is the value of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The game itself.
    Game,
    /// The game in which the first player shows each move.
    FirstLeads,
    /// The game in which the second player shows each move.
    SecondLeads,
}

/// The value of a position to a depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value {
    pub(super) value: f64,
    /// Whether something below was judged or left out: more depth may change the value.
    pub(super) open: bool,
}

/// A table of exact values by position, depth and kind; a new value replaces what was in its place.
#[derive(Debug)]
pub(super) struct Memo {
    /// The key without its lowest bit, which says whether the value is open, and the value.
    slots: Vec<(u64, f64)>,
}

const OPEN: u64 = 1;

impl Memo {
    /// A table of at most `bytes` bytes, possibly none.
    pub(super) fn new(bytes: usize) -> Memo {
        Memo { slots: vec![(0, f64::NAN); bytes / size_of::<(u64, f64)>()] }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill((0, f64::NAN));
    }

    /// The full key and its slot.
    fn place(&self, key: u64, depth: u32, kind: Kind) -> Option<(u64, usize)> {
        let word = split_mix(key ^ split_mix(u64::from(depth) << 2 | kind as u64)) & !OPEN;
        let slot = share(word, self.slots.len() as u64) as usize;
        (!self.slots.is_empty()).then_some((word, slot))
    }

    pub(super) fn get(&self, key: u64, depth: u32, kind: Kind) -> Option<Value> {
        let (word, slot) = self.place(key, depth, kind)?;
        let (found, value) = self.slots[slot];
        (found & !OPEN == word && !value.is_nan()).then_some(Value { value, open: found & OPEN != 0 })
    }

    pub(super) fn put(&mut self, key: u64, depth: u32, kind: Kind, Value { value, open }: Value) {
        if let Some((word, slot)) = self.place(key, depth, kind) {
            self.slots[slot] = (word | u64::from(open), value);
        }
    }
}
