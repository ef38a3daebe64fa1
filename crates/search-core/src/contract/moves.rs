//! Where a move generator puts its moves: a list, a counter, or a filter in front of either.

use smallvec::{Array, SmallVec};

/// Takes the moves of a generator, one by one or a whole set at once.
///
/// A generator is written once against this trait; the sink decides whether moves are listed, counted or filtered.
pub trait MoveSink<M> {
    /// Takes one move.
    fn push(&mut self, mv: M);

    /// Takes a set of moves whose size is known. A counter adds the size and never runs the iterator; `moves` must
    /// yield exactly `count` moves.
    #[inline]
    fn push_set(&mut self, count: usize, moves: impl Iterator<Item = M>) {
        let _ = count;
        for mv in moves {
            self.push(mv);
        }
    }

    /// Takes moves that stand in a row already.
    #[inline]
    fn push_slice(&mut self, moves: &[M])
    where
        M: Copy,
    {
        self.push_set(moves.len(), moves.iter().copied());
    }
}

/// An owned list of moves that a game names as its [`Game::Moves`](crate::Game::Moves): usually a
/// `SmallVec<[Move; N]>` with `N` above the largest number of moves ever seen, so that it never spills to the heap.
pub trait MoveList<M>: MoveSink<M> + Default + Clone + std::fmt::Debug + AsRef<[M]> + AsMut<[M]> {
    /// Forgets all moves, keeping the storage.
    fn clear(&mut self);
}

impl<M, A: Array<Item = M>> MoveSink<M> for SmallVec<A> {
    #[inline]
    fn push(&mut self, mv: M) {
        SmallVec::push(self, mv);
    }

    #[inline]
    fn push_set(&mut self, _: usize, moves: impl Iterator<Item = M>) {
        // As long as there is room, without a look at the capacity for every move.
        self.extend(moves);
    }

    #[inline]
    fn push_slice(&mut self, moves: &[M])
    where
        M: Copy,
    {
        self.extend_from_slice(moves);
    }
}

impl<M: Clone + std::fmt::Debug, A: Array<Item = M>> MoveList<M> for SmallVec<A> {
    #[inline]
    fn clear(&mut self) {
        SmallVec::clear(self);
    }
}

impl<M> MoveSink<M> for Vec<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        Vec::push(self, mv);
    }
}

impl<M: Clone + std::fmt::Debug> MoveList<M> for Vec<M> {
    #[inline]
    fn clear(&mut self) {
        Vec::clear(self);
    }
}

/// Counts moves without keeping them.
///
/// ```
/// use search_core::{Count, MoveSink};
/// let mut count = Count::default();
/// count.push('a');
/// count.push_set(3, ['b', 'c', 'd'].into_iter());
/// assert_eq!(count.0, 4);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count(pub usize);

impl<M> MoveSink<M> for Count {
    #[inline]
    fn push(&mut self, _: M) {
        self.0 += 1;
    }

    #[inline]
    fn push_set(&mut self, count: usize, _: impl Iterator<Item = M>) {
        self.0 += count;
    }
}

/// Hands on only the moves that a predicate accepts.
#[derive(Debug)]
pub struct Filter<'a, S, F> {
    sink: &'a mut S,
    accept: F,
}

impl<'a, S, F> Filter<'a, S, F> {
    /// A filter in front of `sink`.
    pub fn new(sink: &'a mut S, accept: F) -> Self {
        Filter { sink, accept }
    }
}

impl<M, S: MoveSink<M>, F: FnMut(&M) -> bool> MoveSink<M> for Filter<'_, S, F> {
    #[inline]
    fn push(&mut self, mv: M) {
        if (self.accept)(&mv) {
            self.sink.push(mv);
        }
    }
}

/// Hands every move to a closure as it is generated, without a list in between.
///
/// ```
/// use search_core::{Each, MoveSink};
/// let mut sum = 0;
/// Each(|mv: u32| sum += mv).push_set(3, 1..4);
/// assert_eq!(sum, 6);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Each<F>(pub F);

impl<M, F: FnMut(M)> MoveSink<M> for Each<F> {
    #[inline]
    fn push(&mut self, mv: M) {
        (self.0)(mv);
    }
}

/// Keeps the n-th move (from 0) and lets the others pass.
#[derive(Debug, Clone, Copy)]
pub struct Nth<M> {
    left: usize,
    found: Option<M>,
}

impl<M> Nth<M> {
    /// Waits for the move number `index`.
    pub fn new(index: usize) -> Self {
        Nth { left: index, found: None }
    }

    /// The move, if there were enough.
    pub fn found(self) -> Option<M> {
        self.found
    }
}

impl<M> MoveSink<M> for Nth<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        if self.left == 0 && self.found.is_none() {
            self.found = Some(mv);
        }
        self.left = self.left.saturating_sub(1);
    }

    #[inline]
    fn push_set(&mut self, count: usize, mut moves: impl Iterator<Item = M>) {
        if self.found.is_none() && self.left < count {
            self.found = moves.nth(self.left);
        }
        self.left = self.left.saturating_sub(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_move_is_found_across_sets() {
        for wanted in 0..8 {
            let mut nth = Nth::new(wanted);
            nth.push(0);
            nth.push_set(3, 1..4);
            nth.push(4);
            nth.push_set(2, 5..7);
            assert_eq!(nth.found(), (wanted < 7).then_some(wanted));
        }
    }

    #[test]
    fn a_filter_passes_sets_one_by_one() {
        let mut even: Vec<u32> = Vec::new();
        Filter::new(&mut even, |mv: &u32| mv.is_multiple_of(2)).push_set(6, 0..6);
        assert_eq!(even, [0, 2, 4]);
    }
}
