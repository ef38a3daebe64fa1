//! The fast random stream of the Monte Carlo searches.

use std::convert::Infallible;

use rand::TryRng;

use super::product::share;
use crate::{derive_seed, split_mix};

/// A small, fast, portable generator (xoroshiro128++), seeded by name from a master seed like every other stream.
///
/// Playouts draw a number for every move: a cryptographic stream would take a good part of their time. The sequence is
/// the same on every machine.
///
/// ```
/// use rand::RngExt;
/// use search_core::SearchRng;
/// let mut rng = SearchRng::new(7, "playouts");
/// let die: u32 = rng.random_range(1..=6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRng {
    state: [u64; 2],
}

impl SearchRng {
    /// The stream of a named part.
    pub fn new(master: u64, name: &str) -> SearchRng {
        let first = split_mix(derive_seed(master, name));
        // The state must not be all zeros; two successive outputs of a bijection never are both 0.
        SearchRng { state: [first, split_mix(first)] }
    }

    /// A number below `bound`, close to uniform (the bias is below `bound / 2^64`). `bound` must not be 0, for which
    /// the answer is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        share(self.next(), bound as u64) as usize
    }

    /// A number from 0 up to but not including 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    #[inline]
    fn next(&mut self) -> u64 {
        let [s0, mut s1] = self.state;
        let result = s0.wrapping_add(s1).rotate_left(17).wrapping_add(s0);
        s1 ^= s0;
        self.state = [s0.rotate_left(49) ^ s1 ^ (s1 << 21), s1.rotate_left(28)];
        result
    }
}

impl TryRng for SearchRng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn the_first_outputs_of_the_published_algorithm() {
        // State (1, 2): worked out by hand from the definition: rotl(1 + 2, 17) + 1.
        let mut rng = SearchRng { state: [1, 2] };
        assert_eq!(rng.random::<u64>(), (3 << 17) + 1);
        // s1 ^= s0 = 3; s0 = rotl(1, 49) ^ 3 ^ (3 << 21); s1 = rotl(3, 28).
        assert_eq!(rng.state, [(1 << 49) ^ 3 ^ (3 << 21), 3 << 28]);
    }

    #[test]
    fn numbers_below_a_bound_are_spread_evenly() {
        let mut rng = SearchRng::new(1, "test");
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
        let mut bytes = [0; 13];
        rng.fill(&mut bytes);
        assert_ne!(bytes, [0; 13]);
    }

    #[test]
    fn streams_differ_by_seed_and_name() {
        let draw = |seed, name| SearchRng::new(seed, name).random::<u64>();
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_eq!(draw(1, "a"), draw(1, "a"));
    }
}
