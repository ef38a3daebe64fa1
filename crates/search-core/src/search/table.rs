//! The transposition table: a fixed number of bytes, shared by the threads of a search, in safe code.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

use crate::contract::share;
use crate::{Bound, Score};

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Seen from the node: a win in 3 is three plies below the node itself.
    pub(crate) score: Score,
    /// Place of the best move in the generator's order.
    pub(crate) best: Option<u16>,
    pub(crate) depth: u32,
    /// What the score says; nothing if the entry only carries a move.
    pub(crate) bound: Option<Bound>,
}

/// The entries of a bucket. Each has two words: the first is the key mixed with the second, so that an entry torn by two
/// threads writing at once is never recognised.
const SLOTS: usize = 4;

/// The words of a bucket: one cache line.
const WORDS: usize = 2 * SLOTS;

#[derive(Debug)]
pub(crate) struct Table {
    /// All words, with room to start at a whole cache line.
    words: Vec<AtomicU64>,
    /// Where the first bucket starts.
    start: usize,
    buckets: usize,
    /// How many buckets a new game begins with.
    first: usize,
    /// How many buckets are in use: what lies behind them has never been touched.
    used: AtomicUsize,
    /// Entries for positions that were not in the table, since the search began.
    entered: AtomicUsize,
    generation: AtomicU8,
    /// Whether a search has begun since it was empty.
    searched: AtomicBool,
}

const GENERATIONS: u8 = 64;

impl Table {
    /// A table of at most `bytes` bytes (one line at least), of which about `first` are used until [`Table::grow`].
    ///
    /// Most look-ups of a search find nothing, and each waits for a line of memory. A table that is no larger than what is
    /// in it stays in the processor's caches.
    pub(crate) fn new(bytes: usize, first: usize) -> Table {
        let words = zeros((bytes / size_of::<u64>()).max(WORDS));
        // Memory begins anywhere, a bucket only at a cache line. One bucket less is the price, always, so that a search
        // does not depend on where its table lies.
        let buckets = ((words.len() - (WORDS - 1)) / WORDS).max(1);
        let start = words.as_ptr().align_offset(WORDS * size_of::<u64>());
        let start = if start < WORDS && start + buckets * WORDS <= words.len() { start } else { 0 };
        // Halves, so that growing doubles.
        let mut small = buckets;
        while small > 1 && small * WORDS * size_of::<u64>() > first {
            small /= 2;
        }
        Table {
            words,
            start,
            buckets,
            first: small,
            used: AtomicUsize::new(small),
            entered: AtomicUsize::new(0),
            generation: AtomicU8::new(0),
            searched: AtomicBool::new(false),
        }
    }

    /// The bytes it occupies.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Forgets everything. Free where nothing has been learned: a host may well announce one game twice.
    pub(crate) fn clear(&mut self) {
        if !std::mem::take(self.searched.get_mut()) {
            return;
        }
        let end = self.start + *self.used.get_mut() * WORDS;
        for word in &mut self.words[self.start..end] {
            *word.get_mut() = 0;
        }
        *self.used.get_mut() = self.first;
    }

    /// Uses more of the memory if this search has entered half as many positions as there is room for, and takes what is in
    /// the table along. Not while other threads use it.
    pub(crate) fn grow(&self) {
        loop {
            let used = self.used.load(Ordering::Relaxed);
            if used >= self.buckets || 2 * self.entered.load(Ordering::Relaxed) < used * SLOTS {
                return;
            }
            let mut larger = self.buckets;
            while larger / 2 > used {
                larger /= 2;
            }
            self.used.store(larger, Ordering::Relaxed);
            // From the end: a bucket's entries move to where those behind it have left.
            for number in (0..used).rev() {
                let entries: [[u64; 2]; SLOTS] = std::array::from_fn(|slot| {
                    let first = self.start + number * WORDS + 2 * slot;
                    [0, 1].map(|word| self.words[first + word].swap(0, Ordering::Relaxed))
                });
                for [check, data] in entries.into_iter().filter(|&[_, data]| data != 0) {
                    let slots = self.bucket(check ^ data).chunks_exact(2);
                    if let Some(slot) = slots.into_iter().find(|slot| slot[1].load(Ordering::Relaxed) == 0) {
                        slot[0].store(check, Ordering::Relaxed);
                        slot[1].store(data, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Starts a new search: what is older gives way first.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
        self.entered.store(0, Ordering::Relaxed);
        self.searched.store(true, Ordering::Relaxed);
    }

    /// The words of a bucket: check and data of each entry in turn.
    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        // Keys of small games may be poor in the high bits: one multiplication spreads them.
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let used = self.used.load(Ordering::Relaxed);
        let number = share(spread, used as u64) as usize;
        let first = self.start + number * WORDS;
        &self.words[first..first + WORDS]
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let mut found = 0;
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[1].load(Ordering::Relaxed);
            // No branch: whether and where a position stands in its bucket cannot be foreseen.
            #[allow(clippy::needless_bitwise_bool, reason = "`&&` would be a branch")]
            let here = (slot[0].load(Ordering::Relaxed) ^ data == key) & (data != 0);
            found = if here { data } else { found };
        }
        (found != 0).then(|| unpack(found))
    }

    #[inline]
    pub(crate) fn put(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        let mut new = 1;
        let bucket = self.bucket(key);
        for (index, slot) in bucket.chunks_exact(2).enumerate() {
            let data = slot[1].load(Ordering::Relaxed);
            if data == 0 {
                if lowest > i32::MIN {
                    (victim, lowest) = (index, i32::MIN);
                }
                continue;
            }
            if slot[0].load(Ordering::Relaxed) ^ data == key {
                if entry.best.is_none() {
                    entry.best = unpack(data).best;
                }
                victim = index;
                new = 0;
                break;
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = depth_of(data) as i32 - 8 * i32::from(age);
            if worth < lowest {
                (victim, lowest) = (index, worth);
            }
        }
        // A table that several threads share does not grow, and a count in it would go from processor to processor.
        if self.used.load(Ordering::Relaxed) < self.buckets {
            self.entered.store(self.entered.load(Ordering::Relaxed) + new, Ordering::Relaxed);
        }
        let data = pack(entry, generation);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
        bucket[2 * victim].store(key ^ data, Ordering::Relaxed);
    }
}

/// Words of memory that the system hands out zeroed: nothing is written before the search needs it. (To wrap zeros one by one
/// would write them all, which takes longer than many a move may.)
pub(crate) fn zeros(count: usize) -> Vec<AtomicU64> {
    zeroed(count)
}

/// So many zeros, or where the system has no memory for them half as many, and so on: a smaller table finds less, but a crash
/// finds nothing. The last few are had or nothing goes on anyway.
pub(crate) fn zeroed<T: bytemuck::Zeroable>(mut count: usize) -> Vec<T> {
    const FEW: usize = 64;
    while count > FEW {
        match bytemuck::try_zeroed_vec(count) {
            Ok(zeros) => return zeros,
            Err(()) => count /= 2,
        }
    }
    bytemuck::zeroed_vec(count)
}

/// Score 32 bits, place of the move plus one 16, depth 8, bound 2, generation 6. Never 0: an entry without a move has
/// a bound.
#[inline]
fn pack(entry: Entry, generation: u8) -> u64 {
    let score = u64::from(entry.score.value() as u32);
    let best = entry.best.map_or(0, |best| u64::from(best) + 1);
    let depth = u64::from(entry.depth.min(255));
    score
        | best << 32
        | depth << 48
        | entry.bound.map_or(0, |bound| bound as u64) << 56
        | u64::from(generation) << 58
}

#[inline]
fn unpack(data: u64) -> Entry {
    Entry {
        score: Score::from_value(data as u32 as i32),
        best: ((data >> 32) as u16).checked_sub(1),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
    }
}

#[inline]
fn depth_of(data: u64) -> u32 {
    u32::from((data >> 48) as u8)
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// A score as the table keeps it: seen from the node at `ply` instead of from the root.
#[inline]
pub(crate) fn to_table(score: Score, ply: u32) -> Score {
    shifted(score, ply as i32)
}

/// A score of the table as the search at `ply` sees it.
#[inline]
pub(crate) fn from_table(score: Score, ply: u32) -> Score {
    shifted(score, -(ply as i32))
}

#[inline]
fn shifted(score: Score, plies: i32) -> Score {
    if score.is_win() {
        Score::from_value(score.value() + plies)
    } else if score.is_loss() {
        Score::from_value(score.value() - plies)
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_table_takes_no_memory_before_it_is_used() {
        let resident = || {
            let text = std::fs::read_to_string("/proc/self/statm").expect("the memory of this process");
            let pages = text.split_whitespace().nth(1).expect("resident pages");
            pages.parse::<usize>().expect("a number of pages") * 4096
        };
        let before = resident();
        let table = Table::new(1 << 30, usize::MAX);
        let taken = resident().saturating_sub(before);
        // Other tests run beside.
        assert!(taken < 1 << 28, "{taken} of {} bytes", table.bytes());
    }

    /// More than any address space holds: half of it, and so on, until the system has as much.
    #[test]
    fn a_table_that_cannot_be_had_is_smaller() {
        let table = Table::new(usize::MAX, 1 << 16);
        assert!(table.buckets > 1 && table.bytes() < usize::MAX / 2);
        let entry = Entry { score: Score::DRAW, best: Some(1), depth: 1, bound: None };
        table.put(7, entry);
        assert_eq!(table.get(7), Some(entry));
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = Table::new(1 << 16, usize::MAX);
        assert_eq!(table.bytes(), 1 << 16);
        for (key, score, best, depth, bound) in [
            (0, Score::DRAW, Some(0), 0, None),
            (1, Score::win_in(3), None, 255, Some(Bound::Exact)),
            (u64::MAX, Score::loss_in(7), Some(65_534), 7, Some(Bound::Upper)),
            (1 << 63, Score::new(-1), Some(3), 1, Some(Bound::Lower)),
        ] {
            let entry = Entry { score, best, depth, bound };
            assert_eq!(table.get(key), None);
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
    }

    #[test]
    fn a_full_bucket_gives_up_what_is_old_and_shallow() {
        let table = Table::new(1, usize::MAX);
        let entry = |depth| Entry { score: Score::DRAW, best: None, depth, bound: Some(Bound::Exact) };
        for (key, depth) in [(1, 9), (2, 3), (3, 9), (4, 9)] {
            table.put(key, entry(depth));
        }
        table.put(5, entry(1));
        assert_eq!(table.get(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        table.age();
        table.age();
        table.put(6, entry(1));
        table.put(7, entry(1));
        assert!(table.get(5).is_none() && table.get(6).is_some() && table.get(7).is_some());
    }

    #[test]
    fn a_growing_table_takes_its_entries_along() {
        let mut table = Table::new(100_000, 2000);
        let entry = |key: u64| Entry {
            score: Score::new(key as i32),
            best: Some(key as u16),
            depth: 3,
            bound: Some(Bound::Exact),
        };
        table.age();
        let mut sizes = vec![table.used.load(Ordering::Relaxed)];
        for key in 1..=2000 {
            table.put(key, entry(key));
            let before: Vec<u64> = (1..=key).filter(|&key| table.get(key) == Some(entry(key))).collect();
            table.grow();
            assert!(before.iter().all(|&key| table.get(key) == Some(entry(key))));
            sizes.push(table.used.load(Ordering::Relaxed));
        }
        sizes.dedup();
        assert_eq!(sizes, [24, 48, 97, 195, 390, 780, 1561]);
        assert!((1..=2000).filter(|&key| table.get(key).is_some()).count() > 1900);
        table.clear();
        assert_eq!(table.used.load(Ordering::Relaxed), 24);
        assert!(table.words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn a_move_is_kept_when_the_new_entry_has_none() {
        let table = Table::new(64, usize::MAX);
        table.put(9, Entry { score: Score::DRAW, best: Some(4), depth: 2, bound: Some(Bound::Lower) });
        table.put(9, Entry { score: Score::DRAW, best: None, depth: 3, bound: Some(Bound::Upper) });
        assert_eq!(table.get(9).and_then(|entry| entry.best), Some(4));
    }

    #[test]
    fn proven_scores_are_seen_from_the_node() {
        assert_eq!(to_table(Score::win_in(7), 4), Score::win_in(3));
        assert_eq!(from_table(Score::loss_in(3), 4), Score::loss_in(7));
        assert_eq!(to_table(Score::new(7), 4), Score::new(7));
    }
}
