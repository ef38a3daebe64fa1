//! What a search learns about good moves while it searches: killers, counter-moves and history.

use std::hash::Hash;

use crate::Player;
use crate::search::move_hash::MoveHasher;

/// Largest absolute value of a history counter.
const HISTORY_LIMIT: i32 = 8191;
/// Counters of both players. Powers of two, here and below: an index is cut to size instead of checked.
const HISTORY_SLOTS: usize = 2 * 4096;
const PAIR_SLOTS: usize = 2 * 16384;

/// What one thread has learned about good moves.
#[derive(Debug, Clone)]
pub(super) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    counters: Vec<Option<M>>,
    history: Box<[i16; HISTORY_SLOTS]>,
    /// The same for a move and the one before it; nothing until it is used.
    pairs: Option<Box<[i16; PAIR_SLOTS]>>,
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(super) fn new() -> Self {
        Memory {
            killers: Vec::new(),
            counters: vec![None; HISTORY_SLOTS],
            history: Box::new([0; HISTORY_SLOTS]),
            pairs: None,
        }
    }

    /// Makes it fit for the next search: killers belong to one tree, what is known of moves fades.
    pub(super) fn fade(&mut self) {
        self.killers.clear();
        for value in self.history.iter_mut().chain(self.pairs.iter_mut().flat_map(|pairs| pairs.iter_mut())) {
            *value /= 2;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Memory::new();
    }

    /// What is remembered for one node.
    #[inline]
    pub(super) fn hints(
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
            Some(previous) if learning.counter_moves => self.counters[slot(player, MoveHasher::of(previous))],
            _ => None,
        };
        Hints { killers, counter, counts: self.counts(learning, player, previous) }
    }

    /// The counts alone, for nodes that have neither killers nor counter-moves.
    #[inline]
    pub(super) fn counts(&self, learning: Learning, player: Player, previous: Option<M>) -> Counts<'_> {
        let (pairs, answers, halves) = match (&self.pairs, previous) {
            (Some(pairs), Some(previous)) if learning.pairs => (&**pairs, Answers::to(player, previous), 1),
            _ => (&NO_PAIRS, Answers(0), u32::from(learning.pairs && previous.is_some())),
        };
        let history = if learning.history { &*self.history } else { &NO_HISTORY };
        Counts { player, history, pairs, answers, halves }
    }

    /// A move caused a cutoff, and the moves `tried` before it did not.
    #[inline]
    pub(super) fn reward(
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
            self.counters[slot(player, MoveHasher::of(previous))] = Some(mv);
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
            let mixed = MoveHasher::of(mv);
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
pub(super) struct Learning {
    pub(super) killers: bool,
    pub(super) history: bool,
    pub(super) counter_moves: bool,
    pub(super) pairs: bool,
}

impl Learning {
    pub(super) const NOTHING: Learning =
        Learning { killers: false, history: false, counter_moves: false, pairs: false };

    /// Whether some moves are tried before all others.
    #[inline]
    pub(super) fn classes(self) -> bool {
        self.killers | self.counter_moves
    }

    /// Whether all moves are counted.
    #[inline]
    pub(super) fn counts(self) -> bool {
        self.history | self.pairs
    }
}

/// What is remembered for one node, ready to be asked for each of its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints<'a, M> {
    killers: [Option<M>; 2],
    counter: Option<M>,
    counts: Counts<'a>,
}

impl<M: Copy + Eq + Hash> Hints<'_, M> {
    /// How promising a move is besides the user's order: class (killer, counter-move, other) and history.
    #[inline]
    pub(super) fn promise(&self, mv: M) -> u32 {
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
pub(super) struct Counts<'a> {
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
    pub(super) fn promise<M: Hash>(&self, mv: M) -> u32 {
        let mixed = MoveHasher::of(mv);
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
        let mixed = MoveHasher::of(previous).0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Answers(player.index() * (PAIR_SLOTS / 2) + (mixed >> (64 - PAIR_BITS)) as usize)
    }

    #[inline]
    fn slot(self, mixed: MoveHasher) -> usize {
        (self.0 ^ (mixed.0 >> (64 - PAIR_BITS)) as usize) % PAIR_SLOTS
    }
}

/// The bits of one player's slots.
const HISTORY_BITS: u32 = (HISTORY_SLOTS / 2).trailing_zeros();
const PAIR_BITS: u32 = (PAIR_SLOTS / 2).trailing_zeros();
/// Divides by the limit plus one.
const HISTORY_SHIFT: u32 = (HISTORY_LIMIT + 1).trailing_zeros();

#[inline]
fn slot(player: Player, mixed: MoveHasher) -> usize {
    (player.index() * (HISTORY_SLOTS / 2) + (mixed.0 >> (64 - HISTORY_BITS)) as usize) % HISTORY_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
