//! How many games are different from one another, counted in bounded memory.

use std::collections::BTreeSet;

/// The most hashes that are kept: up to this number of different games the count is exact.
const KEPT: usize = 1 << 16;

/// Counts distinct hashes. Exact up to 65,536 of them; beyond that only hashes with enough zero bits at the end are
/// kept, which gives an estimate within about 1 % that depends on the set alone, not on the order of arrival.
#[derive(Debug, Clone, Default)]
pub struct Distinct {
    kept: BTreeSet<u64>,
    level: u32,
    total: u64,
}

impl Distinct {
    /// Adds a well-mixed hash.
    pub fn add(&mut self, hash: u64) {
        self.total += 1;
        if hash.trailing_zeros() < self.level {
            return;
        }
        self.kept.insert(hash);
        while self.kept.len() > KEPT {
            self.level += 1;
            let level = self.level;
            self.kept.retain(|hash| hash.trailing_zeros() >= level);
        }
    }

    /// How many were added.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many of them are different.
    pub fn distinct(&self) -> u64 {
        ((self.kept.len() as u64) << self.level).min(self.total)
    }

    /// Whether so few are different that an error bar would be a lie.
    pub fn is_suspicious(&self) -> bool {
        self.total > 0 && (self.distinct() as f64) < 0.9 * self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::split_mix;

    #[test]
    fn it_is_exact_while_small_and_near_when_large() {
        let mut counter = Distinct::default();
        for number in 0..50_000_u64 {
            counter.add(split_mix(number % 1000));
        }
        assert_eq!((counter.distinct(), counter.total()), (1000, 50_000));
        assert!(counter.is_suspicious());
        let mut counter = Distinct::default();
        for number in 0..300_000_u64 {
            counter.add(split_mix(number));
        }
        assert!(counter.kept.len() <= KEPT);
        assert!(counter.distinct().abs_diff(300_000) < 6_000, "{}", counter.distinct());
        assert!(!counter.is_suspicious());
    }

    #[test]
    fn the_order_plays_no_part() {
        let (mut up, mut down) = (Distinct::default(), Distinct::default());
        for number in 0..150_000_u64 {
            up.add(split_mix(number));
            down.add(split_mix(149_999 - number));
        }
        assert_eq!(up.distinct(), down.distinct());
    }
}
