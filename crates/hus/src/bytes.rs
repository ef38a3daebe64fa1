//! Rows of small counts as 64-bit words, eight pits at a time. All counts are below 128, so the words never carry from
//! one byte into the next.

/// The counts of one player's ring.
pub(crate) type Ring = [u8; 32];

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The same byte eight times.
pub(crate) const fn repeat(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// The ring as four words, pit 0 in the lowest byte of the first.
#[inline]
pub(crate) fn words(ring: &Ring) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(ring.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// The ring of four words.
#[inline]
pub(crate) fn ring(words: [u64; 4]) -> Ring {
    let mut ring = [0; 32];
    for (bytes, word) in ring.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    ring
}

/// Bit `i` is set if byte `i` is at least `least` (which is 1 to 128).
#[inline]
pub(crate) fn at_least(words: [u64; 4], least: u8) -> u32 {
    let mut mask = 0;
    for (index, word) in words.into_iter().enumerate() {
        let high = (word + repeat(128 - least)) & HIGH_BITS;
        // Gathers the eight high bits in the top byte, the lowest byte's bit lowest.
        let bits = (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= (bits as u32) << (8 * index);
    }
    mask
}

/// The sum of all bytes (at most 255 for each column of four bytes).
#[inline]
pub(crate) fn sum(words: [u64; 4]) -> u32 {
    let total = words[0] + words[1] + words[2] + words[3];
    let pairs = (total & 0x00ff_00ff_00ff_00ff) + ((total >> 8) & 0x00ff_00ff_00ff_00ff);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

/// The counts without those of the pits in a set.
#[inline]
pub(crate) fn cleared(mut words: [u64; 4], pits: u32) -> [u64; 4] {
    for (index, word) in words.iter_mut().enumerate() {
        *word &= !EXPANDED[(pits >> (8 * index)) as usize & 0xff];
    }
    words
}

/// For each value of eight bits: a byte of ones for every set bit.
static EXPANDED: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut index = 0;
        while index < 8 {
            if bits >> index & 1 == 1 {
                table[bits] |= 0xff << (8 * index);
            }
            index += 1;
        }
        bits += 1;
    }
    table
};

/// The low sixteen bits in the opposite order.
#[inline]
pub(crate) fn reverse(bits: u32) -> u32 {
    let [low, high] = [bits & 0xff, bits >> 8 & 0xff].map(|byte| u32::from(REVERSED[byte as usize]));
    low << 8 | high
}

static REVERSED: [u8; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        table[bits] = (bits as u8).reverse_bits();
        bits += 1;
    }
    table
};

/// `SEEDS[n][31 - start ..][.. 32]` is the ring of the seeds laid by sowing `n` seeds (at most 31) from pit `start`: one
/// in each of the `n` pits after it.
pub(crate) static SEEDS: [[u8; 64]; 32] = {
    let mut table = [[0; 64]; 32];
    let mut count = 0;
    while count < 32 {
        let mut index = 0;
        while index < 64 {
            table[count][index] = (index % 32 < count) as u8;
            index += 1;
        }
        count += 1;
    }
    table
};

/// A set of bits prepared to pick one by its rank, without branches and without instructions that not every processor
/// has.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    mask: u32,
    /// For each byte the set bits in it and in all below.
    running: u32,
}

impl Ranked {
    #[inline]
    pub(crate) fn new(mask: u32) -> Ranked {
        let pairs = mask - (mask >> 1 & 0x5555_5555);
        let nibbles = (pairs & 0x3333_3333) + (pairs >> 2 & 0x3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f;
        Ranked { mask, running: bytes.wrapping_mul(0x0101_0101) }
    }

    /// How many bits are set.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.running >> 24
    }

    /// The number of the set bit with `rank` set bits below it; `rank` is less than the count.
    #[inline]
    pub(crate) fn select(self, rank: u32) -> u32 {
        // A high bit for each byte whose running total exceeds the rank: the lowest of them holds the bit.
        let beyond = ((self.running | 0x8080_8080) - (rank + 1) * 0x0101_0101) & 0x8080_8080;
        let shift = beyond.trailing_zeros() & 0b1_1000;
        let before = (self.running << 8) >> shift & 0xff;
        let byte = self.mask >> shift & 0xff;
        shift + u32::from(SELECTED[byte as usize][(rank - before) as usize & 7])
    }
}

/// For each value of eight bits: the numbers of its set bits in order.
static SELECTED: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut index = 0;
        let mut rank = 0;
        while index < 8 {
            if bits >> index & 1 == 1 {
                table[bits][rank] = index as u8;
                rank += 1;
            }
            index += 1;
        }
        bits += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_rings() -> impl Iterator<Item = Ring> {
        (0..500_u64).map(|seed| {
            let mut state = seed;
            std::array::from_fn(|_| {
                state = search_core::split_mix(state);
                // Small counts mostly, as on a board, now and then a big one.
                if state.is_multiple_of(16) { (state >> 32) as u8 % 96 } else { (state >> 32) as u8 % 4 }
            })
        })
    }

    #[test]
    fn words_and_rings_are_the_same() {
        for counts in sample_rings() {
            assert_eq!(ring(words(&counts)), counts);
        }
    }

    #[test]
    fn thresholds_and_sums_agree_with_loops() {
        for counts in sample_rings() {
            for least in [1, 2, 3, 96] {
                let expected =
                    (0..32).filter(|&pit| counts[pit] >= least).fold(0_u32, |mask, pit| mask | 1 << pit);
                assert_eq!(at_least(words(&counts), least), expected);
            }
            let small = counts.map(|count| count % 64);
            assert_eq!(sum(words(&small)), small.iter().map(|&count| u32::from(count)).sum::<u32>());
        }
    }

    #[test]
    fn the_seeds_of_a_sowing_follow_its_start() {
        for start in 0..32 {
            for (count, pattern) in SEEDS.iter().enumerate() {
                let mut expected = [0; 32];
                for step in 1..=count {
                    expected[(start + step) % 32] += 1;
                }
                assert_eq!(pattern[31 - start..][..32], expected);
            }
        }
    }

    #[test]
    fn a_set_bit_is_found_by_its_rank() {
        let mut state = 1;
        for round in 0..2000 {
            state = search_core::split_mix(state);
            let mask = if round % 2 == 0 { state as u32 } else { (state & state >> 32) as u32 };
            let bits: Vec<u32> = (0..32).filter(|&bit| mask >> bit & 1 == 1).collect();
            assert_eq!(Ranked::new(mask).count() as usize, bits.len());
            for (rank, &bit) in bits.iter().enumerate() {
                assert_eq!(Ranked::new(mask).select(rank as u32), bit, "{mask:#x} {rank}");
            }
        }
        assert_eq!(Ranked::new(u32::MAX).select(31), 31);
    }
}
