//! The solver's table: both bounds of a position in eight or sixteen bytes, in memory that never grows.

use std::sync::atomic::{AtomicU64, Ordering};

use super::insight::Known;
use crate::Score;
use crate::search::table::zeros;

/// What the table knows of a position, as the node sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: Score,
    pub(super) upper: Score,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds { lower: Score::MIN, upper: Score::MAX };

    /// Both bounds, as the player to move one ply before sees them.
    #[inline]
    pub(super) fn seen_from_before(self, same: bool) -> Bounds {
        if same {
            Bounds { lower: self.lower.one_ply_later(), upper: self.upper.one_ply_later() }
        } else {
            Bounds { lower: (-self.upper).one_ply_later(), upper: (-self.lower).one_ply_later() }
        }
    }

    /// Both bounds of a payoff, so much more of it.
    #[inline]
    pub(super) fn raised(self, by: i32) -> Bounds {
        let raise = |score: Score| {
            if by == 0 || score.plies_to_end().is_some() { score } else { Score::new(score.value() + by) }
        };
        Bounds { lower: raise(self.lower), upper: raise(self.upper) }
    }

    /// Both bounds, with what else is known.
    #[inline]
    pub(super) fn narrowed(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Both bounds, with another lower one.
    #[inline]
    pub(super) fn at_least(self, lower: Score) -> Bounds {
        Bounds { lower: self.lower.max(lower), ..self }
    }

    /// Whether the score is known to be at least `test`, or known not to be.
    #[inline]
    pub(super) fn decide(self, test: Score) -> bool {
        self.lower >= test || self.upper < test
    }
}

impl From<Known> for Bounds {
    #[inline]
    fn from(Known { lower, upper }: Known) -> Bounds {
        Bounds { lower, upper }
    }
}

/// Scores as small numbers in the same order: lost in 0, 1, ..., payoffs, ..., won in 1, 0.
#[derive(Debug, Clone, Copy)]
struct Code {
    longest: i32,
    payoff: i32,
    bits: u32,
}

impl Code {
    fn new(longest: u32, payoff: u32) -> Code {
        let (longest, payoff) = (longest.min(1 << 16) as i32, payoff.min(1 << 20) as i32);
        let values = (2 * (longest + 1) + 2 * payoff + 1) as u32;
        Code { longest, payoff, bits: u32::BITS - (values - 1).leading_zeros() }
    }

    fn largest(self) -> i32 {
        2 * (self.longest + 1) + 2 * self.payoff
    }

    /// The number of a score; what lies beyond the range goes to its ends, downwards for a lower bound.
    #[inline]
    fn pack(self, score: Score, lower: bool) -> u64 {
        let first_payoff = self.longest + 1;
        let first_win = first_payoff + 2 * self.payoff + 1;
        let code = match score.plies_to_end() {
            Some(plies) => {
                let plies = plies.min(Score::MAX_PLIES) as i32;
                if score.is_win() {
                    if plies <= self.longest {
                        first_win + self.longest - plies
                    } else {
                        first_win - i32::from(lower)
                    }
                } else if plies <= self.longest {
                    plies
                } else {
                    first_payoff - i32::from(lower)
                }
            }
            None if score.value() < -self.payoff => first_payoff - i32::from(lower),
            None if score.value() > self.payoff => first_win - i32::from(lower),
            None => first_payoff + self.payoff + score.value(),
        };
        if score <= Score::loss_in(0) {
            0
        } else if score >= Score::win_in(0) {
            self.largest() as u64
        } else {
            code as u64
        }
    }

    #[inline]
    fn unpack(self, code: u64) -> Score {
        let code = code as i32;
        let first_payoff = self.longest + 1;
        let first_win = first_payoff + 2 * self.payoff + 1;
        if code < first_payoff {
            Score::loss_in(code as u32)
        } else if code < first_win {
            Score::new(code - first_payoff - self.payoff)
        } else {
            Score::win_in((first_win + self.longest - code) as u32)
        }
    }
}

/// Words of a bucket: half a cache line.
const WORDS: usize = 4;
/// Bits of the work that an entry remembers, as a logarithm.
const WORK_BITS: u32 = 6;
/// Bits of the generation.
const AGE_BITS: u32 = 3;
/// Most bits of the epoch.
const MOST_EPOCH_BITS: u32 = 16;

/// The epoch to begin with: not that of an empty place, where there is another, so that none is taken for a position whose bits are
/// all zero. (Where there is none, such a position is sometimes not found.)
const fn first_epoch(bits: u32) -> u64 {
    if bits > 0 { 1 } else { 0 }
}

/// A table of a fixed number of bytes.
///
/// An entry holds both bounds, the logarithm of the work that went into them, the search it belongs to, and in the bits that are left
/// an epoch: to forget everything a new one begins, and the memory is written only when there is none left. Where the rest
/// of the key fits beside them, an entry is one word: the place of the bucket and the low bits of the (reversibly mixed) key
/// make the whole key, so no two positions are ever taken for each other. Otherwise it is two words, the key mixed with
/// the data, so that an entry torn by two threads is never recognised.
#[derive(Debug)]
pub(super) struct SolverTable {
    words: Vec<AtomicU64>,
    /// Where the first bucket starts, at a whole cache line.
    start: usize,
    buckets: u64,
    code: Code,
    key_bits: u32,
    /// Low bits of the mixed key that an entry keeps, if it is one word.
    rest: Option<u32>,
    generation: u64,
    /// Bits of the epoch: what an entry has to spare, and the epoch that is now. Entries of others are forgotten.
    epoch_bits: u32,
    epoch: u64,
    /// Bits of an entry's data, the epoch above them left out.
    data_bits: u32,
}

impl SolverTable {
    /// A table of at most `bytes` bytes (two lines at least).
    pub(super) fn new(bytes: usize, key_bits: u32, longest: u32, payoff: u32) -> SolverTable {
        let words = (bytes / size_of::<u64>()).max(2 * WORDS);
        let words = zeros(words);
        let buckets = (words.len() - (WORDS - 1)) / WORDS;
        let start = words.as_ptr().align_offset(WORDS * size_of::<u64>());
        let start = if start + buckets * WORDS <= words.len() { start } else { 0 };
        let code = Code::new(longest, payoff);
        // Keys of one bucket are neighbours: their low bits tell them apart.
        let in_bucket = (1_u128 << key_bits).div_ceil(buckets as u128);
        // One bit at least, even where every key has a bucket of its own: shifts by a whole word mean nothing.
        let rest = (u128::BITS - (in_bucket - 1).leading_zeros()).max(1);
        let data = 2 * code.bits + WORK_BITS + AGE_BITS;
        let narrow = rest + data <= u64::BITS;
        let spare = u64::BITS - data - if narrow { rest } else { 0 };
        let epoch_bits = spare.min(MOST_EPOCH_BITS);
        SolverTable {
            words,
            start,
            buckets: buckets as u64,
            code,
            key_bits,
            rest: narrow.then_some(rest),
            generation: 1,
            epoch_bits,
            epoch: first_epoch(epoch_bits),
            data_bits: data,
        }
    }

    /// The bytes it occupies.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Whether keys are kept whole, so that nothing is ever mistaken for something else.
    pub(super) fn is_exact(&self) -> bool {
        self.rest.is_some()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.epoch + 1 < 1 << self.epoch_bits {
            self.epoch += 1;
            return;
        }
        self.epoch = first_epoch(self.epoch_bits);
        for word in &mut self.words {
            *word.get_mut() = 0;
        }
    }

    /// Starts a new search: what is older gives way first. (0 marks an empty place.)
    pub(super) fn age(&mut self) {
        self.generation = self.generation % ((1 << AGE_BITS) - 1) + 1;
    }

    /// A reversible mix of the key's bits whose high bits depend on all of them.
    #[inline]
    fn mixed(&self, key: u64) -> u64 {
        // Shifted up first, so that the product is cut to as many bits as the key has.
        let unused = u64::BITS - self.key_bits;
        (key << unused).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> unused
    }

    #[inline]
    fn bucket(&self, mixed: u64) -> &[AtomicU64; WORDS] {
        let spread = mixed << (u64::BITS - self.key_bits);
        let number = (u128::from(spread) * u128::from(self.buckets)) >> u64::BITS;
        let first = self.start + number as usize * WORDS;
        self.words[first..first + WORDS].try_into().unwrap_or_else(|_| unreachable!("a bucket has its words"))
    }

    #[inline]
    fn unpack(&self, data: u64) -> Bounds {
        let mask = (1 << self.code.bits) - 1;
        Bounds {
            lower: self.code.unpack(data & mask),
            upper: self.code.unpack(data >> self.code.bits & mask),
        }
    }

    #[inline]
    fn pack(&self, bounds: Bounds, work: u64) -> u64 {
        let bits = self.code.bits;
        let work = u64::from(u64::BITS - work.leading_zeros()).min((1 << WORK_BITS) - 1);
        self.code.pack(bounds.lower, true)
            | self.code.pack(bounds.upper, false) << bits
            | work << (2 * bits)
            | self.generation << (2 * bits + WORK_BITS)
            | self.epoch << self.data_bits
    }

    /// How much it would cost to lose an entry: its generation, the present one highest, and the work in it. Nothing, if it is
    /// forgotten.
    #[inline]
    fn worth(&self, data: u64) -> u64 {
        const LATEST: u64 = (1 << AGE_BITS) - 1;
        let biased = (data >> (2 * self.code.bits)) + ((LATEST - self.generation) << WORK_BITS);
        let worth = biased & ((1 << (WORK_BITS + AGE_BITS)) - 1);
        if self.is_present(data) { worth } else { 0 }
    }

    /// Whether an entry's data is of this epoch.
    #[inline]
    fn is_present(&self, data: u64) -> bool {
        (data >> self.data_bits ^ self.epoch) & ((1 << self.epoch_bits) - 1) == 0
    }

    /// What a word of a position that takes one word has above its data: low bits of the key and the epoch; and how far up.
    #[inline]
    fn tag(&self, rest: u32, mixed: u64) -> (u64, u32) {
        (mixed << (u64::BITS - rest) | self.epoch << self.data_bits, self.data_bits)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let mixed = self.mixed(key);
        let bucket = self.bucket(mixed);
        let mut found = 0;
        if let Some(rest) = self.rest {
            // The epoch stands just below the key, or bits that are always zero: one comparison for both.
            let (low, shift) = self.tag(rest, mixed);
            for word in bucket {
                let word = word.load(Ordering::Relaxed);
                // No branch: where a position stands in its bucket cannot be foreseen.
                let here = (word ^ low) >> shift == 0;
                found = if here { word } else { found };
            }
        } else {
            for pair in bucket.chunks_exact(2) {
                let data = pair[1].load(Ordering::Relaxed);
                let here = pair[0].load(Ordering::Relaxed) ^ data == mixed && self.is_present(data);
                found = if here { data } else { found };
            }
        }
        let generation = found >> (2 * self.code.bits + WORK_BITS) & ((1 << AGE_BITS) - 1);
        (generation != 0).then(|| self.unpack(found))
    }

    /// Remembers bounds that took `work` nodes to find.
    #[inline]
    pub(super) fn put(&self, key: u64, bounds: Bounds, work: u64) {
        let mixed = self.mixed(key);
        let bucket = self.bucket(mixed);
        let data = self.pack(bounds, work);
        // The least worth, and in its low bits where it stands.
        let mut least = u64::MAX;
        if let Some(rest) = self.rest {
            let (low, shift) = self.tag(rest, mixed);
            for (index, word) in bucket.iter().enumerate() {
                let word = word.load(Ordering::Relaxed);
                let worth = (1 + self.worth(word)) << 2;
                let worth = if (word ^ low) >> shift == 0 { 0 } else { worth };
                least = least.min(worth | index as u64);
            }
            debug_assert!(self.data_bits + self.epoch_bits <= u64::BITS - rest);
            bucket[least as usize % WORDS].store(low | data, Ordering::Relaxed);
        } else {
            for (index, pair) in bucket.chunks_exact(2).enumerate() {
                let old = pair[1].load(Ordering::Relaxed);
                let here = pair[0].load(Ordering::Relaxed) ^ old == mixed;
                let worth = if here { 0 } else { (1 + self.worth(old)) << 2 };
                least = least.min(worth | index as u64);
            }
            let victim = least as usize % (WORDS / 2);
            bucket[2 * victim + 1].store(data, Ordering::Relaxed);
            bucket[2 * victim].store(mixed ^ data, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_never_comes_back() {
        // Entries of one word and of two; enough rounds for every epoch to come again.
        for (key_bits, exact) in [(20, true), (64, false)] {
            let mut table = SolverTable::new(1 << 10, key_bits, 40, 0);
            assert_eq!(table.is_exact(), exact);
            assert!(table.epoch_bits > 0);
            let known = |ply| Bounds { lower: Score::loss_in(ply), upper: Score::win_in(ply) };
            for round in 0..2_u64 << table.epoch_bits {
                let key = round % 7;
                assert_eq!(table.get(key), None, "round {round}");
                table.put(key, known(3), 1);
                table.put(key, known(4), 1);
                assert_eq!(table.get(key), Some(known(4)), "round {round}");
                table.clear();
            }
            table.put(1, known(3), 1);
            for key in 0..20 {
                assert_eq!(table.get(key).is_some(), key == 1);
            }
        }
    }

    #[test]
    fn what_is_forgotten_gives_way_first() {
        let mut table = SolverTable::new(2 * WORDS * size_of::<u64>(), 4, 40, 0);
        let bounds = Bounds { lower: Score::DRAW, upper: Score::DRAW };
        for key in 0..16 {
            table.put(key, bounds, u64::MAX);
        }
        table.clear();
        // As many as there are places find room, although what is forgotten took more work.
        let places = (table.buckets as usize * WORDS) as u64;
        let kept = |table: &SolverTable| (0..16).filter(|&key| table.get(key).is_some()).count() as u64;
        for key in 0..16 {
            table.put(key, bounds, 1);
        }
        assert_eq!(kept(&table), places);
    }
}
