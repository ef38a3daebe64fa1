//! The order in which a node tries its moves, learned while searching: killers, counter-moves and history.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::Player;

/// Largest absolute value of a history counter.
const HISTORY_LIMIT: i32 = 8191;
const HISTORY_SLOTS: usize = 4096;
/// A power of two.
const PAIR_SLOTS: usize = 16384;

/// What one thread has learned about good moves.
#[derive(Debug, Clone)]
pub(crate) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    counters: Vec<Option<M>>,
    history: Vec<i16>,
    /// The same for a move and the one before it; empty until it is used.
    pairs: Vec<i16>,
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(crate) fn new() -> Self {
        Memory {
            killers: Vec::new(),
            counters: vec![None; 2 * HISTORY_SLOTS],
            history: vec![0; 2 * HISTORY_SLOTS],
            pairs: Vec::new(),
        }
    }

    /// Makes it fit for the next search: killers belong to one tree, what is known of moves fades.
    pub(crate) fn fade(&mut self) {
        self.killers.clear();
        for value in self.history.iter_mut().chain(&mut self.pairs) {
            *value /= 2;
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Memory::new();
    }

    /// How promising a move is besides the user's order: class (killer, counter-move, other) and history.
    #[inline]
    pub(crate) fn promise(&self, hints: &Hints<M>, player: Player, mv: M) -> u32 {
        let class = if !hints.classes {
            0
        } else if hints.killers[0] == Some(mv) {
            3
        } else if hints.killers[1] == Some(mv) {
            2
        } else {
            u32::from(hints.counter == Some(mv))
        };
        let mut history = if hints.history { i32::from(self.history[slot(player, mv)]) } else { 0 };
        if let Some(before) = hints.before {
            let answer = self.pairs.get(pair_slot(player, before, mv)).copied().unwrap_or_default();
            history = i32::midpoint(history, i32::from(answer));
        }
        let history = history + HISTORY_LIMIT + 1;
        class << 14 | history as u32
    }

    /// What is remembered for one node.
    #[inline]
    pub(crate) fn hints(
        &self,
        learning: Learning,
        ply: u32,
        player: Player,
        previous: Option<M>,
    ) -> Hints<M> {
        let killers = match self.killers.get(ply as usize) {
            Some(&killers) if learning.killers => killers,
            _ => [None; 2],
        };
        let counter = match previous {
            Some(previous) if learning.counter_moves => self.counters[slot(player, previous)],
            _ => None,
        };
        let before = previous.filter(|_| learning.pairs).map(Mixer::of);
        let classes = learning.killers || learning.counter_moves;
        Hints { killers, counter, classes, history: learning.history, before }
    }

    /// A move caused a cutoff, and the moves `tried` before it did not.
    #[inline]
    pub(crate) fn reward(
        &mut self,
        learning: Learning,
        (ply, depth): (u32, u32),
        player: Player,
        previous: Option<M>,
        mv: M,
        tried: impl Iterator<Item = M>,
    ) {
        if learning.killers {
            let ply = ply as usize;
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if learning.counter_moves
            && let Some(previous) = previous
        {
            self.counters[slot(player, previous)] = Some(mv);
        }
        if learning.history || learning.pairs {
            let bonus = (depth * depth).min(1024) as i32;
            let before = previous.filter(|_| learning.pairs).map(Mixer::of);
            if learning.pairs && self.pairs.is_empty() {
                self.pairs.resize(2 * PAIR_SLOTS, 0);
            }
            self.credit(learning, player, before, mv, bonus);
            for other in tried {
                self.credit(learning, player, before, other, -bonus);
            }
        }
    }

    /// Credits a move, by itself and as an answer to the one before.
    #[inline]
    fn credit(&mut self, learning: Learning, player: Player, before: Option<Mixer>, mv: M, bonus: i32) {
        if learning.history {
            credit(&mut self.history[slot(player, mv)], bonus);
        }
        if let Some(before) = before {
            credit(&mut self.pairs[pair_slot(player, before, mv)], bonus);
        }
    }
}

/// Moves a counter towards its limit, the slower the nearer it is.
#[inline]
fn credit(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / (HISTORY_LIMIT + 1)) as i16;
}

/// Which memories are used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Learning {
    pub(crate) killers: bool,
    pub(crate) history: bool,
    pub(crate) counter_moves: bool,
    pub(crate) pairs: bool,
}

impl Learning {
    pub(crate) const NOTHING: Learning =
        Learning { killers: false, history: false, counter_moves: false, pairs: false };

    #[inline]
    pub(crate) fn any(self) -> bool {
        self.killers || self.history || self.counter_moves || self.pairs
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints<M> {
    killers: [Option<M>; 2],
    counter: Option<M>,
    /// Whether there can be killers or counter-moves at all.
    classes: bool,
    history: bool,
    /// The move before, hashed, where pairs count.
    before: Option<Mixer>,
}

#[inline]
fn pair_slot<M: Hash>(player: Player, before: Mixer, mv: M) -> usize {
    let mut hasher = before;
    mv.hash(&mut hasher);
    let bits = PAIR_SLOTS.trailing_zeros();
    player.index() * PAIR_SLOTS + (hasher.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

#[inline]
fn slot<M: Hash>(player: Player, mv: M) -> usize {
    player.index() * HISTORY_SLOTS + (Mixer::of(mv).0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

/// A hasher for moves: a few small integers, the same result on every platform.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    #[inline]
    fn of<M: Hash>(mv: M) -> Mixer {
        let mut hasher = Mixer::default();
        mv.hash(&mut hasher);
        hasher
    }

    #[inline]
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(u64::from(byte));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i8(&mut self, value: i8) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i16(&mut self, value: i16) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i32(&mut self, value: i32) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_i64(&mut self, value: i64) {
        self.mix(value as u64);
    }

    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.mix(value as u64);
    }
}

/// A list of moves that is handed out best first. Only as much is sorted as is asked for: most nodes that cut do so at
/// one of the first moves.
///
/// The words of all nodes of a line stand one behind the other in one list, which a picker knows its part of. Each holds
/// rank, promise and place of a move; the place is stored upside down, so that among equals the generator's order stays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picker {
    start: usize,
    next: usize,
    end: usize,
    sorted: bool,
}

/// So many moves are picked one by one before the rest is sorted.
const PICKED: usize = 4;

impl Picker {
    /// Appends `count` moves in the generator's order.
    #[inline]
    pub(crate) fn unordered(words: &mut Vec<u64>, count: usize) -> Picker {
        Picker { sorted: true, ..Picker::ordered(words, (0..count).map(place_word)) }
    }

    /// Appends moves, ordered by their words: those of [`Picker::first_word`], [`Picker::word`] and, in a list without
    /// ranks, [`Picker::plain_word`].
    #[inline]
    pub(crate) fn ordered(words: &mut Vec<u64>, list: impl ExactSizeIterator<Item = u64>) -> Picker {
        let start = words.len();
        words.extend(list);
        Picker { start, next: start, end: words.len(), sorted: false }
    }

    /// Appends one move only, the best known.
    #[inline]
    pub(crate) fn single(words: &mut Vec<u64>, place: usize) -> Picker {
        Picker::ordered(words, std::iter::once(Picker::first_word(place)))
    }

    /// Gives the words back.
    #[inline]
    pub(crate) fn close(self, words: &mut Vec<u64>) {
        words.truncate(self.start);
    }

    /// The word of a move that comes first whatever the others are.
    #[inline]
    pub(crate) fn first_word(place: usize) -> u64 {
        u64::MAX << 16 | place_word(place)
    }

    /// The word of a move: the user's rank above the promise, or below it.
    #[inline]
    pub(crate) fn word(rank: i32, promise: u32, rank_first: bool, place: usize) -> u64 {
        // The largest rank is kept for the table's move.
        let rank = u64::from(rank.min(i32::MAX - 1) as u32 ^ 0x8000_0000);
        let promise = u64::from(promise & 0xffff);
        let high = if rank_first { rank << 16 | promise } else { promise << 32 | rank };
        high << 16 | place_word(place)
    }

    /// The word of a move without a rank.
    #[inline]
    pub(crate) fn plain_word(promise: u32, place: usize) -> u64 {
        u64::from(promise) << 16 | place_word(place)
    }

    /// The place of the next best move in the generator's list.
    #[inline]
    pub(crate) fn next(&mut self, words: &mut [u64]) -> Option<usize> {
        let rest = words.get_mut(self.next..self.end)?;
        if !self.sorted {
            if self.next < self.start + PICKED {
                let mut best = 0;
                let mut highest = 0;
                for (index, &word) in rest.iter().enumerate() {
                    if word > highest {
                        (best, highest) = (index, word);
                    }
                }
                if best > 0 {
                    rest.swap(0, best);
                }
            } else {
                rest.sort_unstable_by(|a, b| b.cmp(a));
                self.sorted = true;
            }
        }
        let &word = rest.first()?;
        self.next += 1;
        Some(place_of(word))
    }

    /// The places handed out before the last one.
    #[inline]
    pub(crate) fn tried(self, words: &[u64]) -> impl Iterator<Item = usize> {
        words[self.start..self.next.saturating_sub(1).max(self.start)].iter().map(|&word| place_of(word))
    }
}

/// Lists longer than 65,536 moves keep their first moves only in this order; no game comes near.
#[inline]
fn place_word(place: usize) -> u64 {
    0xffff - (place as u64 & 0xffff)
}

#[inline]
fn place_of(word: u64) -> usize {
    0xffff - (word & 0xffff) as usize
}

/// Ranks of a list, on the stack for ordinary lists.
pub(crate) type Ranks = SmallVec<[i32; 64]>;

/// Moves the best root move to the front and the others behind it by how much work they took last time.
pub(crate) fn sort_root<M: Copy>(moves: &mut [M], weights: &mut [u64], best: usize) {
    let mut pairs: Vec<(u64, usize)> = weights.iter().copied().zip(0..).collect();
    pairs.sort_by_key(|&(weight, place)| (place != best, std::cmp::Reverse(weight)));
    let old: Vec<M> = moves.to_vec();
    for (slot, &(weight, place)) in pairs.iter().enumerate() {
        moves[slot] = old[place];
        weights[slot] = weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(words: &[u64]) -> Vec<usize> {
        // Something else stands before them.
        let mut list = vec![7; 3];
        let mut picker = Picker::ordered(&mut list, words.iter().copied());
        let places: Vec<usize> = std::iter::from_fn(|| picker.next(&mut list)).collect();
        assert_eq!(picker.tried(&list).collect::<Vec<_>>(), places[..places.len().saturating_sub(1)]);
        picker.close(&mut list);
        assert_eq!(list, [7; 3]);
        places
    }

    #[test]
    fn ranks_come_first_then_promise_then_the_generators_order() {
        let words: Vec<u64> = [(0, 5), (7, 0), (7, 3), (-2, 9), (0, 5), (i32::MAX, 0), (i32::MIN, 0)]
            .into_iter()
            .enumerate()
            .map(|(place, (rank, promise))| Picker::word(rank, promise, true, place))
            .collect();
        assert_eq!(order(&words), [5, 2, 1, 0, 4, 3, 6]);
        let words: Vec<u64> = [(0, 5), (7, 0), (7, 3), (-2, 9)]
            .into_iter()
            .enumerate()
            .map(|(place, (rank, promise))| Picker::word(rank, promise, false, place))
            .collect();
        assert_eq!(order(&words), [3, 0, 2, 1]);
        assert_eq!(order(&[Picker::word(i32::MAX, 0xffff, true, 0), Picker::first_word(1)]), [1, 0]);
    }

    #[test]
    fn killers_and_history_are_learned() {
        let learning = Learning { killers: true, history: true, counter_moves: true, pairs: false };
        let mut memory: Memory<u8> = Memory::new();
        memory.reward(learning, (3, 5), Player::One, Some(9), 1, [2, 3].into_iter());
        let promise = |memory: &Memory<u8>, mv| {
            let hints = memory.hints(learning, 3, Player::One, Some(9));
            memory.promise(&hints, Player::One, mv)
        };
        assert!(promise(&memory, 1) > promise(&memory, 4));
        assert!(promise(&memory, 4) > promise(&memory, 2));
        memory.reward(learning, (3, 5), Player::One, None, 2, std::iter::empty());
        assert!(promise(&memory, 2) > promise(&memory, 1));
        for _ in 0..1000 {
            memory.reward(learning, (3, 200), Player::One, None, 5, [6].into_iter());
        }
        assert!(promise(&memory, 5) <= 0xffff && promise(&memory, 6) < promise(&memory, 4));
        memory.fade();
        assert!(promise(&memory, 2) < 1 << 14 | 0x3fff);
    }

    #[test]
    fn a_pair_is_learned_for_its_own_move_before_only() {
        let learning = Learning { pairs: true, ..Learning::NOTHING };
        let mut memory: Memory<u8> = Memory::new();
        memory.reward(learning, (3, 5), Player::One, Some(9), 1, [2].into_iter());
        let promise =
            |player, before, mv| memory.promise(&memory.hints(learning, 3, player, Some(before)), player, mv);
        assert!(promise(Player::One, 9, 1) > promise(Player::One, 9, 4));
        assert!(promise(Player::One, 9, 4) > promise(Player::One, 9, 2));
        assert_eq!(promise(Player::One, 8, 1), promise(Player::One, 8, 4));
        assert_eq!(promise(Player::Two, 9, 1), promise(Player::Two, 9, 4));
    }

    #[test]
    fn root_moves_follow_the_best_by_weight() {
        let mut moves = vec!['a', 'b', 'c', 'd'];
        let mut weights = [1, 5, 9, 5];
        sort_root(&mut moves, &mut weights, 3);
        assert_eq!(moves, ['d', 'c', 'b', 'a']);
        assert_eq!(weights, [5, 9, 5, 1]);
    }
}
