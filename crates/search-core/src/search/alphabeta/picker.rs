//! The order in which a node tries its moves, found out only as far as it is needed.

use smallvec::SmallVec;

/// A list of moves that is handed out best first. Only as much is sorted as is asked for: most nodes that cut do so at
/// one of the first moves.
///
/// The words of all nodes of a line stand one behind the other in one list, which a picker knows its part of. Each holds
/// rank, promise and place of a move; the place is stored upside down, so that among equals the generator's order stays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picker {
    start: usize,
    next: usize,
    end: usize,
    /// The highest word, as long as no move has been handed out.
    first: Option<u64>,
    sorted: bool,
}

/// How many moves are picked one by one before the rest is sorted.
const PICKED: usize = 4;

/// A list this short is sorted as soon as its second move is asked for.
const SHORT: usize = 8;

impl Picker {
    /// Appends `count` moves in the generator's order.
    #[inline]
    pub(super) fn unordered(words: &mut Vec<u64>, count: usize) -> Picker {
        let start = words.len();
        words.extend((0..count).map(place_word));
        Picker { start, next: start, end: words.len(), first: None, sorted: true }
    }

    /// Appends all moves of a list by their words, those of [`Picker::word`] or, in a list without ranks,
    /// [`Picker::plain_word`]; the move at the place `front` comes first, whatever the others are.
    #[inline]
    pub(super) fn ordered(
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
    pub(super) fn single(words: &mut Vec<u64>, place: usize) -> Picker {
        let start = words.len();
        words.push(place_word(place));
        Picker { start, next: start, end: start + 1, first: None, sorted: true }
    }

    /// Gives the words back.
    #[inline]
    pub(super) fn close(self, words: &mut Vec<u64>) {
        words.truncate(self.start);
    }

    /// The word of a move: the user's rank above the promise, or below it.
    #[inline]
    pub(super) fn word(rank: i32, promise: u32, rank_first: bool, place: usize) -> u64 {
        // The largest rank is kept for the move at the front.
        let rank = u64::from(rank.min(i32::MAX - 1) as u32 ^ 0x8000_0000);
        let promise = u64::from(promise & 0xffff);
        let high = if rank_first { rank << 16 | promise } else { promise << 32 | rank };
        high << 16 | place_word(place)
    }

    /// The word of a move without a rank.
    #[inline]
    pub(super) fn plain_word(promise: u32, place: usize) -> u64 {
        u64::from(promise) << 16 | place_word(place)
    }

    /// The place of the next best move in the generator's list.
    #[inline]
    pub(super) fn next(&mut self, words: &mut [u64]) -> Option<usize> {
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
    pub(super) fn tried(self, words: &[u64]) -> impl ExactSizeIterator<Item = usize> {
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
pub(super) type Ranks = SmallVec<[i32; 64]>;

/// Moves the best root move to the front and the others behind it by how much work they took last time.
pub(super) fn sort_root<M: Copy>(moves: &mut [M], weights: &mut [u64], best: usize) {
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
    fn root_moves_follow_the_best_by_weight() {
        let mut moves = vec!['a', 'b', 'c', 'd'];
        let mut weights = [1, 5, 9, 5];
        sort_root(&mut moves, &mut weights, 3);
        assert_eq!(moves, ['d', 'c', 'b', 'a']);
        assert_eq!(weights, [5, 9, 5, 1]);
    }
}
