//! Sets of cells as machine words, in two widths.
//!
//! Boards up to 8 x 8 fit in one word with eight cells a row. Larger ones take three words with sixteen cells a row: a
//! step to the side then never crosses a word, and a cell's index is its packed number.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

use crate::Cell;

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for super::Wide {}
}

/// A set of cells. The shifts move every cell by one; what leaves the board is for the caller to mask, which the open
/// edges of a [`Grid`](crate::Grid) do on their own.
pub trait Bits:
    sealed::Sealed
    + Copy
    + Eq
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// No cell.
    const EMPTY: Self;

    /// One cell.
    fn of(cell: Cell) -> Self;

    /// One column to the right.
    fn right(self) -> Self;
    /// One column to the left.
    fn left(self) -> Self;
    /// One row down.
    fn down(self) -> Self;
    /// One row up.
    fn up(self) -> Self;

    /// The number of cells.
    fn count(self) -> u32;
    /// The cell number `index` in the order of rows, then columns. Asking beyond the last one gives some cell.
    fn nth(self, index: u32) -> Cell;
    /// Takes the first cell out.
    fn pop(&mut self) -> Option<Cell>;

    /// How many machine words a set has.
    const WORDS: usize;
    /// The cells of one of the words, the first word holding the first rows.
    fn word(self, index: usize) -> WordCells<Self>;
    /// The cell of a bit, counted from the lowest one of the first word.
    fn cell_of_bit(bit: u32) -> Cell;

    /// From the words a position stores.
    fn load(words: &[u64; 3]) -> Self;
    /// Into the words a position stores.
    fn store(self, words: &mut [u64; 3]);

    /// Whether there is no cell.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether the two sets share a cell.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether every cell of `other` is in this set.
    #[inline(always)]
    fn contains(self, other: Self) -> bool {
        (self & other) == other
    }

    /// The cells of this set that are not in `other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The cells in order.
    #[inline(always)]
    fn cells(self) -> CellIter<Self> {
        CellIter(self)
    }
}

/// The cells of a set in the order of rows, then columns.
#[derive(Debug, Clone)]
pub struct CellIter<B>(B);

impl<B: Bits> Iterator for CellIter<B> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        self.0.pop()
    }

    #[inline(always)]
    fn nth(&mut self, index: usize) -> Option<Cell> {
        let left = self.0.count() as usize;
        if index >= left {
            self.0 = B::EMPTY;
            return None;
        }
        if index > 0 {
            let cell = self.0.nth(index as u32);
            while self.0.pop() != Some(cell) {}
            return Some(cell);
        }
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

/// The cells of one machine word of a set in order. A loop over it asks one word only, where one over [`CellIter`] asks
/// every word of the set for every cell.
///
/// It does not say in advance how many cells come: a list would have them counted only to learn that it has room.
#[derive(Debug, Clone)]
pub struct WordCells<B> {
    word: u64,
    /// The bits of the words before.
    base: u32,
    width: PhantomData<B>,
}

impl<B: Bits> WordCells<B> {
    /// The number of cells.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.word.count_ones() as usize
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.word == 0
    }
}

impl<B: Bits> Iterator for WordCells<B> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(B::cell_of_bit(self.base + bit))
    }
}

impl Bits for u64 {
    const EMPTY: u64 = 0;

    #[inline(always)]
    fn of(cell: Cell) -> u64 {
        // A cell off a narrow board (row or column beyond 8) never gets here: positions check their cells.
        1 << (cell.row() << 3 | cell.column())
    }

    #[inline(always)]
    fn right(self) -> u64 {
        self << 1
    }

    #[inline(always)]
    fn left(self) -> u64 {
        self >> 1
    }

    #[inline(always)]
    fn down(self) -> u64 {
        self << 8
    }

    #[inline(always)]
    fn up(self) -> u64 {
        self >> 8
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn nth(self, index: u32) -> Cell {
        u64::cell_of_bit(select(self, index))
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Cell> {
        if *self == 0 {
            return None;
        }
        let bit = self.trailing_zeros();
        *self &= *self - 1;
        Some(u64::cell_of_bit(bit))
    }

    const WORDS: usize = 1;

    #[inline(always)]
    fn word(self, _: usize) -> WordCells<u64> {
        WordCells { word: self, base: 0, width: PhantomData }
    }

    #[inline(always)]
    fn cell_of_bit(bit: u32) -> Cell {
        // Eight cells a row here, sixteen in the number of a cell.
        Cell::from_packed((bit + (bit & !7)) as u8)
    }

    #[inline(always)]
    fn load(words: &[u64; 3]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 3]) {
        words[0] = self;
    }
}

/// The set bit number `index` of a word, by byte counts; some bit below 64 if there are fewer.
#[inline(always)]
fn select(word: u64, index: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(ONES);
    // The high bit of every byte whose running sum is at most `index`: those bytes lie before the wanted one.
    let before = (((u64::from(index & 127) * ONES) | HIGH) - sums) & HIGH;
    let shift = ((before >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    if shift >= 64 {
        return 63;
    }
    let passed = ((sums << 8) >> shift) as u8;
    let mut byte = (word >> shift) as u8;
    for _ in u32::from(passed)..index {
        byte &= byte.wrapping_sub(1);
    }
    shift + byte.trailing_zeros().min(7)
}

/// A set of cells of a board larger than 8 x 8: three words, four rows of sixteen each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide([u64; 3]);

impl BitAnd for Wide {
    type Output = Wide;

    #[inline(always)]
    fn bitand(self, other: Wide) -> Wide {
        let (Wide(a), Wide(b)) = (self, other);
        Wide([a[0] & b[0], a[1] & b[1], a[2] & b[2]])
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline(always)]
    fn bitor(self, other: Wide) -> Wide {
        let (Wide(a), Wide(b)) = (self, other);
        Wide([a[0] | b[0], a[1] | b[1], a[2] | b[2]])
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline(always)]
    fn not(self) -> Wide {
        let Wide(a) = self;
        Wide([!a[0], !a[1], !a[2]])
    }
}

impl Bits for Wide {
    const EMPTY: Wide = Wide([0; 3]);

    #[inline(always)]
    fn of(cell: Cell) -> Wide {
        let mut words = [0; 3];
        // A cell's row is at most 11, so its word is at most 2.
        words[cell.index() >> 6] = 1 << (cell.index() & 63);
        Wide(words)
    }

    #[inline(always)]
    fn right(self) -> Wide {
        Wide(self.0.map(|word| word << 1))
    }

    #[inline(always)]
    fn left(self) -> Wide {
        Wide(self.0.map(|word| word >> 1))
    }

    #[inline(always)]
    fn down(self) -> Wide {
        let [a, b, c] = self.0;
        Wide([a << 16, b << 16 | a >> 48, c << 16 | b >> 48])
    }

    #[inline(always)]
    fn up(self) -> Wide {
        let [a, b, c] = self.0;
        Wide([a >> 16 | b << 48, b >> 16 | c << 48, c >> 16])
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let [a, b, c] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones()
    }

    #[inline(always)]
    fn nth(self, index: u32) -> Cell {
        let [a, b, c] = self.0;
        let (first, second) = (a.count_ones(), b.count_ones());
        let (base, word, index) = if index < first {
            (0, a, index)
        } else if index < first + second {
            (64, b, index - first)
        } else {
            (128, c, index - first - second)
        };
        Wide::cell_of_bit(base + select(word, index))
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Cell> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Wide::cell_of_bit(index as u32 * 64 + bit));
            }
        }
        None
    }

    const WORDS: usize = 3;

    #[inline(always)]
    fn word(self, index: usize) -> WordCells<Wide> {
        WordCells { word: self.0[index], base: index as u32 * 64, width: PhantomData }
    }

    #[inline(always)]
    fn cell_of_bit(bit: u32) -> Cell {
        Cell::from_packed(bit as u8)
    }

    #[inline(always)]
    fn load(words: &[u64; 3]) -> Wide {
        Wide(*words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 3]) {
        *words = self.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::split_mix;

    #[test]
    fn select_finds_every_bit() {
        for seed in 0..2000 {
            let word = split_mix(seed) & split_mix(seed + 9000) | if seed % 7 == 0 { u64::MAX } else { 0 };
            let bits: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            for (index, &bit) in bits.iter().enumerate() {
                assert_eq!(select(word, index as u32), bit, "bit {index} of {word:x}");
            }
            assert!(select(word, 64) < 64);
        }
    }

    fn check_width<B: Bits>(size: u8) {
        let board: Vec<Cell> =
            (0..size).flat_map(|row| (0..size).filter_map(move |column| Cell::new(row, column))).collect();
        for seed in 0..200_u64 {
            let cells: Vec<Cell> = board
                .iter()
                .copied()
                .filter(|cell| split_mix(seed * 1000 + cell.index() as u64).is_multiple_of(3))
                .collect();
            let set = cells.iter().fold(B::EMPTY, |set, &cell| set | B::of(cell));
            assert_eq!(set.cells().collect::<Vec<_>>(), cells);
            assert_eq!(set.count() as usize, cells.len());
            let words = (0..B::WORDS).map(|index| set.word(index));
            assert_eq!(words.clone().map(|word| word.len()).sum::<usize>(), cells.len());
            assert!(words.clone().all(|word| word.is_empty() == (word.count() == 0)));
            assert_eq!(words.flatten().collect::<Vec<_>>(), cells);
            for (index, &cell) in cells.iter().enumerate() {
                assert_eq!(set.nth(index as u32), cell);
                assert_eq!(set.cells().nth(index), Some(cell));
                assert_eq!(set.cells().skip(index).nth(1), cells.get(index + 1).copied());
            }
            assert_eq!(set.cells().nth(cells.len()), None);
            let mut words = [0; 3];
            set.store(&mut words);
            assert_eq!(B::load(&words), set);
        }
        for &cell in &board {
            let one = B::of(cell);
            let same = |set: B, side| {
                if let Some(next) =
                    cell.neighbour(side).filter(|cell| cell.row() < size && cell.column() < size)
                {
                    assert_eq!(set, B::of(next), "{cell} {side}");
                }
            };
            same(one.up(), crate::Side::Up);
            same(one.right(), crate::Side::Right);
            same(one.down(), crate::Side::Down);
            same(one.left(), crate::Side::Left);
        }
    }

    #[test]
    fn both_widths_agree_with_lists_of_cells() {
        check_width::<u64>(8);
        check_width::<Wide>(12);
    }
}
