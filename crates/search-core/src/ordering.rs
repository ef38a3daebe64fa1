//! The order in which a node tries its moves, learned while searching: killers, counter-moves and history.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use crate::Player;

/// Largest absolute value of a history counter.
const HISTORY_LIMIT: i32 = 8191;
/// Counters of both players. Powers of two, here and below: an index is cut to size instead of checked.
const HISTORY_SLOTS: usize = 2 * 4096;
const PAIR_SLOTS: usize = 2 * 16384;

/// What one thread has learned about good moves.
#[derive(Debug, Clone)]
pub(crate) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    counters: Vec<Option<M>>,
    history: Box<[i16; HISTORY_SLOTS]>,
    /// The same for a move and the one before it; nothing until it is used.
    pairs: Option<Box<[i16; PAIR_SLOTS]>>,
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(crate) fn new() -> Self {
        Memory {
            killers: Vec::new(),
            counters: vec![None; HISTORY_SLOTS],
            history: Box::new([0; HISTORY_SLOTS]),
            pairs: None,
        }
    }

    /// Makes it fit for the next search: killers belong to one tree, what is known of moves fades.
    pub(crate) fn fade(&mut self) {
        self.killers.clear();
        for value in self.history.iter_mut().chain(self.pairs.iter_mut().flat_map(|pairs| pairs.iter_mut())) {
            *value /= 2;
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Memory::new();
    }

    /// What is remembered for one node.
    #[inline]
    pub(crate) fn hints(
        &self,
        learning: Learning,
        ply: u32,
        player: Player,
        previous: Option<M>,
    ) -> Hints<'_, M> {
        let killers = match self.killers.get(ply as usize) {
            Some(&killers) if learning.killers => killers,
            _ => [None; 2],
        };
        let counter = match previous {
            Some(previous) if learning.counter_moves => self.counters[slot(player, Mixer::of(previous))],
            _ => None,
        };
        Hints { killers, counter, counts: self.counts(learning, player, previous) }
    }

    /// The counts alone, for nodes that have neither killers nor counter-moves.
    #[inline]
    pub(crate) fn counts(&self, learning: Learning, player: Player, previous: Option<M>) -> Counts<'_> {
        let (pairs, answers, halves) = match (&self.pairs, previous) {
            (Some(pairs), Some(previous)) if learning.pairs => (&**pairs, Answers::to(player, previous), 1),
            _ => (&NO_PAIRS, Answers(0), u32::from(learning.pairs && previous.is_some())),
        };
        let history = if learning.history { &*self.history } else { &NO_HISTORY };
        Counts { player, history, pairs, answers, halves }
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
            self.counters[slot(player, Mixer::of(previous))] = Some(mv);
        }
        if !learning.counts() {
            return;
        }
        let bonus = (depth * depth).min(1024) as i32;
        let mut pairs = None;
        if learning.pairs
            && let Some(previous) = previous
        {
            let counters = self.pairs.get_or_insert_with(no_pairs);
            pairs = Some((counters, Answers::to(player, previous)));
        }
        let mut credit_move = |mv: M, bonus: i32| {
            let mixed = Mixer::of(mv);
            if learning.history {
                credit(&mut self.history[slot(player, mixed)], bonus);
            }
            if let Some((counters, answers)) = &mut pairs {
                credit(&mut counters[answers.slot(mixed)], bonus);
            }
        };
        credit_move(mv, bonus);
        for other in tried {
            credit_move(other, -bonus);
        }
    }
}

#[allow(
    clippy::large_stack_arrays,
    reason = "64 KiB, once for a search, and on the heap at once in an optimised build"
)]
fn no_pairs() -> Box<[i16; PAIR_SLOTS]> {
    Box::new([0; PAIR_SLOTS])
}

/// Moves a counter towards its limit, the slower the nearer it is.
#[inline]
fn credit(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - ((old * bonus.abs()) >> HISTORY_SHIFT)) as i16;
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

    /// Whether some moves are tried before all others.
    #[inline]
    pub(crate) fn classes(self) -> bool {
        self.killers | self.counter_moves
    }

    /// Whether all moves are counted.
    #[inline]
    pub(crate) fn counts(self) -> bool {
        self.history | self.pairs
    }
}

/// What is remembered for one node, ready to be asked for each of its moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints<'a, M> {
    killers: [Option<M>; 2],
    counter: Option<M>,
    counts: Counts<'a>,
}

impl<M: Copy + Eq + Hash> Hints<'_, M> {
    /// How promising a move is besides the user's order: class (killer, counter-move, other) and history.
    #[inline]
    pub(crate) fn promise(&self, mv: M) -> u32 {
        let class = if self.killers[0] == Some(mv) {
            3
        } else if self.killers[1] == Some(mv) {
            2
        } else {
            u32::from(self.counter == Some(mv))
        };
        class << 14 | self.counts.promise(mv)
    }
}

/// The history of moves and of answers to the move before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts<'a> {
    player: Player,
    history: &'a [i16; HISTORY_SLOTS],
    pairs: &'a [i16; PAIR_SLOTS],
    answers: Answers,
    /// 1 where the counts of single moves and of pairs are averaged.
    halves: u32,
}

/// Where nothing is remembered: asking costs less than asking whether to ask.
static NO_HISTORY: [i16; HISTORY_SLOTS] = [0; HISTORY_SLOTS];
static NO_PAIRS: [i16; PAIR_SLOTS] = [0; PAIR_SLOTS];

impl Counts<'_> {
    /// How promising a move is among those of its class.
    #[inline]
    pub(crate) fn promise<M: Hash>(&self, mv: M) -> u32 {
        let mixed = Mixer::of(mv);
        let single = i32::from(self.history[slot(self.player, mixed)]);
        let pair = i32::from(self.pairs[self.answers.slot(mixed)]);
        (((single + pair) >> self.halves) + HISTORY_LIMIT + 1) as u32
    }
}

/// The counters of a player's answers to one move.
#[derive(Debug, Clone, Copy)]
struct Answers(usize);

impl Answers {
    #[inline]
    fn to<M: Hash>(player: Player, previous: M) -> Answers {
        // Mixed once more, so that a pair and its reverse differ.
        let mixed = Mixer::of(previous).0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Answers(player.index() * (PAIR_SLOTS / 2) + (mixed >> (64 - PAIR_BITS)) as usize)
    }

    #[inline]
    fn slot(self, mixed: Mixer) -> usize {
        (self.0 ^ (mixed.0 >> (64 - PAIR_BITS)) as usize) % PAIR_SLOTS
    }
}

/// The bits of one player's slots.
const HISTORY_BITS: u32 = (HISTORY_SLOTS / 2).trailing_zeros();
const PAIR_BITS: u32 = (PAIR_SLOTS / 2).trailing_zeros();
/// Divides by the limit plus one.
const HISTORY_SHIFT: u32 = (HISTORY_LIMIT + 1).trailing_zeros();

#[inline]
fn slot(player: Player, mixed: Mixer) -> usize {
    (player.index() * (HISTORY_SLOTS / 2) + (mixed.0 >> (64 - HISTORY_BITS)) as usize) % HISTORY_SLOTS
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
    /// The highest word, as long as no move has been handed out.
    first: Option<u64>,
    sorted: bool,
}

/// So many moves are picked one by one before the rest is sorted.
const PICKED: usize = 4;

/// A list this short is sorted as soon as its second move is asked for.
const SHORT: usize = 8;

impl Picker {
    /// Appends `count` moves in the generator's order.
    #[inline]
    pub(crate) fn unordered(words: &mut Vec<u64>, count: usize) -> Picker {
        let start = words.len();
        words.extend((0..count).map(place_word));
        Picker { start, next: start, end: words.len(), first: None, sorted: true }
    }

    /// Appends all moves of a list by their words, those of [`Picker::word`] or, in a list without ranks,
    /// [`Picker::plain_word`]; the move at the place `front` comes first, whatever the others are.
    #[inline]
    pub(crate) fn ordered(
        words: &mut Vec<u64>,
        list: impl ExactSizeIterator<Item = u64>,
        front: Option<usize>,
    ) -> Picker {
        let start = words.len();
        let mut highest = 0;
        #[allow(clippy::manual_inspect, reason = "`inspect` takes two fifths more instructions here")]
        words.extend(list.map(|word| {
            highest = word.max(highest);
            word
        }));
        if let Some(place) = front
            && let Some(word) = words[start..].get_mut(place)
        {
            highest = u64::MAX << 16 | place_word(place);
            *word = highest;
        }
        Picker { start, next: start, end: words.len(), first: Some(highest), sorted: false }
    }

    /// Appends one move only, the best known.
    #[inline]
    pub(crate) fn single(words: &mut Vec<u64>, place: usize) -> Picker {
        let start = words.len();
        words.push(place_word(place));
        Picker { start, next: start, end: start + 1, first: None, sorted: true }
    }

    /// Gives the words back.
    #[inline]
    pub(crate) fn close(self, words: &mut Vec<u64>) {
        words.truncate(self.start);
    }

    /// The word of a move: the user's rank above the promise, or below it.
    #[inline]
    pub(crate) fn word(rank: i32, promise: u32, rank_first: bool, place: usize) -> u64 {
        // The largest rank is kept for the move at the front.
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
        if let Some(word) = self.first.take() {
            // Nothing has been moved yet: every word stands at its place.
            let place = place_of(word);
            if place < rest.len() {
                rest.swap(0, place);
            }
        } else if !self.sorted {
            self.sorted = bring_highest(rest, self.next - self.start);
        }
        let &word = rest.first()?;
        self.next += 1;
        Some(place_of(word))
    }

    /// The places handed out before the last one.
    #[inline]
    pub(crate) fn tried(self, words: &[u64]) -> impl ExactSizeIterator<Item = usize> {
        words[self.start..self.next.saturating_sub(1).max(self.start)].iter().map(|&word| place_of(word))
    }
}

/// Brings the highest of the words that are left to the front, after `picked` others; `true` if they are all in order now.
#[inline(never)]
fn bring_highest(rest: &mut [u64], picked: usize) -> bool {
    if rest.len() <= SHORT {
        for end in 1..rest.len() {
            let word = rest[end];
            let mut place = end;
            while place > 0 && rest[place - 1] < word {
                rest[place] = rest[place - 1];
                place -= 1;
            }
            rest[place] = word;
        }
        return true;
    }
    if picked >= PICKED {
        rest.sort_unstable_by(|a, b| b.cmp(a));
        return true;
    }
    let mut best = 0;
    let mut highest = 0;
    for (index, &word) in rest.iter().enumerate() {
        if word > highest {
            (best, highest) = (index, word);
        }
    }
    rest.swap(0, best);
    false
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

    fn order(words: &[u64], front: Option<usize>) -> Vec<usize> {
        // Something else stands before them.
        let mut list = vec![7; 3];
        let mut picker = Picker::ordered(&mut list, words.iter().copied(), front);
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
        assert_eq!(order(&words, None), [5, 2, 1, 0, 4, 3, 6]);
        let words: Vec<u64> = [(0, 5), (7, 0), (7, 3), (-2, 9)]
            .into_iter()
            .enumerate()
            .map(|(place, (rank, promise))| Picker::word(rank, promise, false, place))
            .collect();
        assert_eq!(order(&words, None), [3, 0, 2, 1]);
        assert_eq!(
            order(&[Picker::word(i32::MAX, 0xffff, true, 0), Picker::word(0, 0, true, 1)], Some(1)),
            [1, 0]
        );
    }

    #[test]
    fn killers_and_history_are_learned() {
        let learning = Learning { killers: true, history: true, counter_moves: true, pairs: false };
        let mut memory: Memory<u8> = Memory::new();
        memory.reward(learning, (3, 5), Player::One, Some(9), 1, [2, 3].into_iter());
        let promise = |memory: &Memory<u8>, mv| memory.hints(learning, 3, Player::One, Some(9)).promise(mv);
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
        let promise = |player, before, mv| memory.hints(learning, 3, player, Some(before)).promise(mv);
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
