//! Which positions other threads are searching right now: a thread puts them off, and finds the result in the table when it
//! comes back to them. (The idea is that of simplified ABDADA.)

use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 4096;

/// The positions that are being searched below moves that are not the first of their node. One that is overwritten by
/// another is searched twice, nothing worse.
#[derive(Debug)]
pub(crate) struct InProgress(Vec<AtomicU64>);

impl InProgress {
    pub(crate) fn new() -> InProgress {
        InProgress((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word of a position that is searched to a depth.
    #[inline]
    pub(crate) fn mark(key: u64, depth: u32) -> u64 {
        (key ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
    }

    /// Whether some thread is searching it.
    #[inline]
    pub(crate) fn contains(&self, mark: u64) -> bool {
        self.slot(mark).load(Ordering::Relaxed) == mark
    }

    #[inline]
    pub(crate) fn enter(&self, mark: u64) {
        self.slot(mark).store(mark, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn leave(&self, mark: u64) {
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
        let in_progress = InProgress::new();
        let [one, two] = [InProgress::mark(7, 5), InProgress::mark(7, 6)];
        assert!(one != two && !in_progress.contains(one));
        in_progress.enter(one);
        assert!(in_progress.contains(one) && !in_progress.contains(two));
        in_progress.leave(two);
        assert!(in_progress.contains(one));
        in_progress.leave(one);
        assert!(!in_progress.contains(one));
    }

    #[test]
    fn a_mark_that_was_overwritten_is_gone() {
        let in_progress = InProgress::new();
        let [one, two] = [1 << 52 | 1, 1 << 52 | 3];
        in_progress.enter(one);
        in_progress.enter(two);
        assert!(!in_progress.contains(one) && in_progress.contains(two));
        in_progress.leave(one);
        assert!(in_progress.contains(two));
    }
}
