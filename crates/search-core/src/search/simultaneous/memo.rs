//! Solved positions, in a fixed number of bytes.

use crate::contract::share;
use crate::search::table::zeroed;
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
    /// The key without its lowest bit, which says whether the value is open, and the bits of the value; an empty slot is
    /// zero, so that the system hands the memory out without a write before it is needed.
    slots: Vec<[u64; 2]>,
    /// Whether anything was put in since it was empty.
    used: bool,
}

const OPEN: u64 = 1;

impl Memo {
    /// A table of at most `bytes` bytes, possibly none.
    pub(super) fn new(bytes: usize) -> Memo {
        Memo { slots: zeroed(bytes / size_of::<[u64; 2]>()), used: false }
    }

    /// Forgets everything. Free where nothing was put in.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.slots.fill([0; 2]);
        }
    }

    /// The full key and its slot.
    fn place(&self, key: u64, depth: u32, kind: Kind) -> Option<(u64, usize)> {
        let word = split_mix(key ^ split_mix(u64::from(depth) << 2 | kind as u64)) & !OPEN;
        let slot = share(word, self.slots.len() as u64) as usize;
        (!self.slots.is_empty()).then_some((word, slot))
    }

    pub(super) fn get(&self, key: u64, depth: u32, kind: Kind) -> Option<Value> {
        let (word, slot) = self.place(key, depth, kind)?;
        let [found, value] = self.slots[slot];
        // A key that is zero is never found.
        (found & !OPEN == word && word != 0)
            .then_some(Value { value: f64::from_bits(value), open: found & OPEN != 0 })
    }

    pub(super) fn put(&mut self, key: u64, depth: u32, kind: Kind, Value { value, open }: Value) {
        if let Some((word, slot)) = self.place(key, depth, kind) {
            self.slots[slot] = [word | u64::from(open), value.to_bits()];
            self.used = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_are_forgotten() {
        let mut memo = Memo::new(1 << 12);
        let value = |number| Value { value: number, open: number > 0.0 };
        for (key, number) in [(0, 0.0), (1, 0.5), (u64::MAX, -1.0)] {
            assert_eq!(memo.get(key, 3, Kind::Game), None);
            memo.put(key, 3, Kind::Game, value(number));
            assert_eq!(memo.get(key, 3, Kind::Game), Some(value(number)));
            assert_eq!(memo.get(key, 2, Kind::Game), None);
            assert_eq!(memo.get(key, 3, Kind::FirstLeads), None);
        }
        memo.clear();
        assert!([0, 1, u64::MAX].iter().all(|&key| memo.get(key, 3, Kind::Game).is_none()));
        let mut none = Memo::new(0);
        none.put(1, 3, Kind::Game, value(0.5));
        assert_eq!(none.get(1, 3, Kind::Game), None);
    }
}
