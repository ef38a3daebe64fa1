//! Which moves other threads are searching right now: a thread comes back to them later, and then finds the result in the
//! table. (The idea is that of simplified ABDADA.)

use std::sync::atomic::{AtomicU64, Ordering};

/// Nodes with less depth left are searched by whoever comes, without a word.
pub(super) const BUSY_FROM: u32 = 5;

const SLOTS: usize = 4096;

/// The positions that are being searched below moves that are not the first of their node. One that is overwritten by
/// another is searched twice, nothing worse.
#[derive(Debug)]
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub(super) fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word of a position that is searched to a depth.
    #[inline]
    pub(super) fn mark(key: u64, depth: u32) -> u64 {
        (key ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    /// Whether some thread is at it.
    #[inline]
    pub(super) fn contains(&self, mark: u64) -> bool {
        self.slot(mark).load(Ordering::Relaxed) == mark
    }

    #[inline]
    pub(super) fn enter(&self, mark: u64) {
        self.slot(mark).store(mark, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn leave(&self, mark: u64) {
        if self.contains(mark) {
            self.slot(mark).store(0, Ordering::Relaxed);
        }
    }

    #[inline]
    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[(mark >> 52) as usize % SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_until_its_thread_leaves() {
        let busy = Busy::new();
        let [one, two] = [Busy::mark(7, 5), Busy::mark(7, 6)];
        assert!(one != two && !busy.contains(one));
        busy.enter(one);
        assert!(busy.contains(one) && !busy.contains(two));
        busy.leave(two);
        assert!(busy.contains(one));
        busy.leave(one);
        assert!(!busy.contains(one));
    }

    #[test]
    fn a_mark_that_was_overwritten_is_gone() {
        let busy = Busy::new();
        let [one, two] = [1 << 52 | 1, 1 << 52 | 3];
        busy.enter(one);
        busy.enter(two);
        assert!(!busy.contains(one) && busy.contains(two));
        busy.leave(one);
        assert!(busy.contains(two));
    }
}
