//! The table of the proof search: proof and disproof numbers by position, in a fixed number of bytes.

use crate::contract::share;
use crate::search::table::zeroed;

/// The two numbers of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Leaves that must still be won at least: 0 for a proof, [`NEVER`] for a disproof.
    pub(super) proof: u32,
    /// Leaves that must still be held at least: 0 for a disproof, [`NEVER`] for a proof.
    pub(super) disproof: u32,
}

/// No number of leaves will do.
pub(super) const NEVER: u32 = u32::MAX;

impl Numbers {
    pub(super) const PROVEN: Numbers = Numbers { proof: 0, disproof: NEVER };
    pub(super) const DISPROVEN: Numbers = Numbers { proof: NEVER, disproof: 0 };
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// Of a proof: plies to the end at most; [`TALLEST`] for that or more.
    pub(super) height: u16,
}

/// The greatest height that is told apart.
pub(super) const TALLEST: u16 = u16::MAX;

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
    /// Nodes that it took.
    work: u32,
    height: u16,
    /// The search that wrote it; 0 for an empty slot.
    generation: u16,
}

/// Slots that a position can stand in.
const BUCKET: usize = 4;

impl Slot {
    /// As the table keeps it. An empty slot is zero, so that the system hands the memory out without a write before it is
    /// needed.
    #[inline]
    fn pack(self) -> Packed {
        let Numbers { proof, disproof } = self.numbers;
        let rest = u64::from(self.work) << 32 | u64::from(self.height) << 16 | u64::from(self.generation);
        [self.key, u64::from(proof) << 32 | u64::from(disproof), rest]
    }

    #[inline]
    fn unpack([key, numbers, rest]: Packed) -> Slot {
        Slot {
            key,
            numbers: Numbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 },
            work: (rest >> 32) as u32,
            height: (rest >> 16) as u16,
            generation: rest as u16,
        }
    }
}

type Packed = [u64; 3];

#[derive(Debug)]
pub(super) struct ProofTable {
    slots: Vec<Packed>,
    generation: u16,
}

impl ProofTable {
    /// A table of at most `bytes` bytes, one bucket at least.
    pub(super) fn new(bytes: usize) -> ProofTable {
        let buckets = (bytes / (BUCKET * size_of::<Packed>())).max(1);
        let mut slots = zeroed(buckets * BUCKET);
        // Where memory is short there are fewer, and a last part of a bucket is none.
        slots.truncate(slots.len() / BUCKET * BUCKET);
        ProofTable { slots, generation: 1 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Packed>()
    }

    pub(super) fn clear(&mut self) {
        if self.generation > 1 {
            self.slots.fill([0; 3]);
        }
        self.generation = 1;
    }

    /// Begins a new search: what older ones wrote gives way first.
    pub(super) fn age(&mut self) {
        // Two seasons are enough to tell old from new when the numbers run out; 0 stays the mark of an empty slot.
        self.generation = if self.generation == u16::MAX { 2 } else { self.generation + 1 };
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let buckets = self.slots.len() / BUCKET;
        share(spread, buckets as u64) as usize * BUCKET
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let first = self.bucket(key);
        self.slots[first..first + BUCKET]
            .iter()
            .map(|&packed| Slot::unpack(packed))
            .find(|slot| slot.key == key && slot.generation != 0)
            .map(|slot| Entry { numbers: slot.numbers, height: slot.height })
    }

    /// Keeps an entry that took `work` nodes; says whether another one had to go for it.
    pub(super) fn put(&mut self, key: u64, entry: Entry, work: u64) -> bool {
        let first = self.bucket(key);
        let generation = self.generation;
        let bucket: [Slot; BUCKET] = std::array::from_fn(|place| Slot::unpack(self.slots[first + place]));
        let place =
            bucket.iter().position(|slot| slot.key == key && slot.generation != 0).unwrap_or_else(|| {
                // Empty slots come first, then those of earlier searches, then those that took least.
                let worth = |slot: &Slot| (slot.generation != 0, slot.generation == generation, slot.work);
                (0..BUCKET).min_by_key(|&place| worth(&bucket[place])).unwrap_or(0)
            });
        let slot = bucket[place];
        let same = slot.key == key;
        let replaced = slot.generation != 0 && !same;
        let before = if same { slot.work } else { 0 };
        let work = before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        let slot = Slot { key, numbers: entry.numbers, work, height: entry.height, generation };
        self.slots[first + place] = slot.pack();
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(proof: u32) -> Entry {
        Entry { numbers: Numbers { proof, disproof: 1 }, height: 0 }
    }

    #[test]
    fn a_full_bucket_gives_up_what_is_old_or_took_least() {
        let mut table = ProofTable::new(1);
        assert_eq!(table.bytes(), 4 * 24);
        for (key, work) in [(1, 9), (2, 3), (3, 9), (4, 9)] {
            assert!(!table.put(key, entry(key as u32), work));
        }
        assert!(table.put(5, entry(5), 1));
        assert_eq!(table.get(2), None);
        assert_eq!(table.get(5), Some(entry(5)));
        table.age();
        for key in 6..10 {
            assert!(table.put(key, entry(0), 0));
        }
        assert!((1..6).all(|key| table.get(key).is_none()));
        assert!((6..10).all(|key| table.get(key).is_some()));
        table.clear();
        assert!((0..10).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn generations_run_out_without_harm() {
        let mut table = ProofTable::new(1000);
        table.put(1, entry(7), 5);
        for _ in 0..70_000 {
            table.age();
        }
        assert_eq!(table.get(1), Some(entry(7)));
    }
}
