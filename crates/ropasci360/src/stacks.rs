//! How many tokens beyond the first a side has on each hex, as four bit planes.

/// Tokens beyond the first on each hex, in binary: plane `i` holds the hexes whose number has bit `i`.
///
/// A side has at most 9 tokens, so at most 8 beyond the first. Stacks are rare: the common case is one test of
/// [`Stacks::any`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Stacks(pub(crate) [u64; 4]);

impl Stacks {
    /// The hexes with two tokens or more.
    #[inline]
    pub(crate) fn any(&self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// One more on the hex of `bit`.
    #[inline]
    pub(crate) fn push(&mut self, bit: u64) {
        let mut carry = bit;
        for plane in &mut self.0 {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
        debug_assert_eq!(carry, 0, "more than nine tokens on one hex");
    }

    /// One less on the hex of `bit`, which must have one at least.
    #[inline]
    pub(crate) fn pop(&mut self, bit: u64) {
        let mut borrow = bit;
        for plane in &mut self.0 {
            let next = !*plane & borrow;
            *plane ^= borrow;
            borrow = next;
        }
        debug_assert_eq!(borrow, 0, "no stack on this hex");
    }

    /// None any more on the hexes of `bits`.
    #[inline]
    pub(crate) fn clear(&mut self, bits: u64) {
        for plane in &mut self.0 {
            *plane &= !bits;
        }
    }

    /// The number of tokens beyond the first on the hex of `bit`.
    #[inline]
    pub(crate) fn extra(&self, bit: u64) -> u8 {
        self.0.iter().rev().fold(0, |count, plane| count * 2 + u8::from(plane & bit != 0))
    }

    /// The number of tokens beyond the first on all hexes of `bits` together.
    #[inline]
    pub(crate) fn extra_sum(&self, bits: u64) -> u8 {
        self.0.iter().rev().fold(0, |count, plane| count * 2 + (plane & bits).count_ones() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_up_and_down() {
        let mut stacks = Stacks::default();
        let (one, two) = (1 << 3, 1 << 60);
        for count in 1..=8 {
            stacks.push(one);
            assert_eq!(stacks.extra(one), count);
        }
        stacks.push(two);
        assert_eq!(stacks.any(), one | two);
        assert_eq!(stacks.extra_sum(one | two), 9);
        for count in (0..8).rev() {
            stacks.pop(one);
            assert_eq!(stacks.extra(one), count);
        }
        assert_eq!(stacks.extra(two), 1);
        stacks.clear(two);
        assert_eq!(stacks, Stacks::default());
    }
}
