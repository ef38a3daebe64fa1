//! What a solver learns about good moves while it searches.

use std::hash::Hash;
use std::marker::PhantomData;

use crate::Player;
use crate::search::move_hash::MoveHasher;

/// Counters of both players; a power of two.
const SLOTS: usize = 2 * 4096;
/// Largest absolute value of a counter.
const MOST: i32 = 1 << 14;
/// By which share of what is missing a counter moves: what happened long ago fades slowly.
const SHARE: i32 = 128;

/// How good a move has been as an answer to another one, for all positions together.
pub(super) struct MoveMemory<M> {
    counters: Vec<i32>,
    moves: PhantomData<fn(M)>,
}

impl<M: Copy + Hash> MoveMemory<M> {
    /// A memory; one without room where nothing is ever asked of it.
    pub(super) fn new(learns: bool) -> Self {
        MoveMemory { counters: vec![0; if learns { SLOTS } else { 0 }], moves: PhantomData }
    }

    /// The rank of a move among others.
    #[inline]
    pub(super) fn worth(&self, mover: Player, mv: M, previous: Option<M>) -> i64 {
        i64::from(self.counters[slot(mover, mv, previous)])
    }

    /// A move was good enough, and those tried before it were not.
    pub(super) fn reward(
        &mut self,
        mover: Player,
        good: M,
        tried: impl Iterator<Item = M>,
        previous: Option<M>,
    ) {
        let counter = &mut self.counters[slot(mover, good, previous)];
        *counter += (MOST - *counter) / SHARE;
        for mv in tried {
            let counter = &mut self.counters[slot(mover, mv, previous)];
            *counter -= (MOST + *counter) / SHARE;
        }
    }
}

/// Where an answer of a player is counted.
#[inline]
fn slot<M: Hash>(player: Player, mv: M, previous: Option<M>) -> usize {
    let hash = MoveHasher::of((mv, previous)).0 >> 32;
    hash as usize % (SLOTS / 2) + player.index() * (SLOTS / 2)
}
