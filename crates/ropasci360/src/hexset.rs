//! Sets of hexes, one bit each.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

use crate::Hex;
use crate::hex::{COUNT, NEIGHBOURS};

/// A set of hexes.
///
/// ```
/// use ropasci360::{Hex, HexSet};
/// let e5: Hex = "e5".parse().unwrap();
/// let ring = e5.within(2) - e5.within(1);
/// assert_eq!(ring.len(), 12);
/// assert!(HexSet::from(e5).is_disjoint(ring));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HexSet(u64);

impl HexSet {
    /// No hex.
    ///
    /// ```
    /// use ropasci360::HexSet;
    /// assert_eq!(HexSet::EMPTY.len(), 0);
    /// ```
    pub const EMPTY: HexSet = HexSet(0);
    /// The whole board.
    ///
    /// ```
    /// use ropasci360::HexSet;
    /// assert_eq!(HexSet::ALL.len(), 61);
    /// ```
    pub const ALL: HexSet = HexSet((1 << COUNT) - 1);

    /// The set with these bits, one for each [`Hex::index`]; bits beyond the board are dropped.
    ///
    /// ```
    /// use ropasci360::HexSet;
    /// assert_eq!(HexSet::from_bits(0b11).to_string(), "a5 a6");
    /// assert_eq!(HexSet::from_bits(u64::MAX), HexSet::ALL);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u64) -> HexSet {
        HexSet(bits & HexSet::ALL.0)
    }

    /// One bit for each [`Hex::index`].
    ///
    /// ```
    /// use ropasci360::{Hex, HexSet};
    /// let a6: Hex = "a6".parse().unwrap();
    /// assert_eq!(HexSet::from(a6).bits(), 0b10);
    /// ```
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of hexes.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!(Hex::CORNERS.len(), 6);
    /// ```
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    ///
    /// ```
    /// use ropasci360::{Hex, HexSet};
    /// assert!(HexSet::EMPTY.is_empty());
    /// assert!(!Hex::CORNERS.is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `hex` is in the set.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert!(Hex::CORNERS.contains("i1".parse().unwrap()));
    /// assert!(!Hex::CORNERS.contains("i2".parse().unwrap()));
    /// ```
    #[inline]
    pub const fn contains(self, hex: Hex) -> bool {
        self.0 & hex.bit() != 0
    }

    /// Whether the sets have no hex in common.
    ///
    /// ```
    /// use ropasci360::{Hex, HexSet};
    /// let centre: Hex = "e5".parse().unwrap();
    /// assert!(Hex::CORNERS.is_disjoint(centre.within(3)));
    /// assert!(!Hex::CORNERS.is_disjoint(HexSet::ALL));
    /// ```
    #[inline]
    pub const fn is_disjoint(self, other: HexSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Puts `hex` in.
    ///
    /// ```
    /// use ropasci360::HexSet;
    /// let mut set = HexSet::EMPTY;
    /// set.insert("e5".parse().unwrap());
    /// assert_eq!(set.to_string(), "e5");
    /// ```
    #[inline]
    pub fn insert(&mut self, hex: Hex) {
        self.0 |= hex.bit();
    }

    /// The first hex, by the order of hexes.
    ///
    /// ```
    /// use ropasci360::{Hex, HexSet};
    /// assert_eq!(Hex::CORNERS.first(), "a5".parse().ok());
    /// assert_eq!(HexSet::EMPTY.first(), None);
    /// ```
    #[inline]
    pub const fn first(self) -> Option<Hex> {
        if self.0 == 0 { None } else { Some(Hex::trusted(self.0.trailing_zeros() as u8)) }
    }

    /// All hexes that neighbour a hex of the set.
    ///
    /// ```
    /// use ropasci360::{Hex, HexSet};
    /// let pair: HexSet = ["a5", "a6"].iter().filter_map(|name| name.parse::<Hex>().ok()).collect();
    /// assert_eq!(pair.neighbours().to_string(), "a5 a6 a7 b4 b5 b6");
    /// ```
    #[inline]
    pub fn neighbours(self) -> HexSet {
        self.into_iter().fold(HexSet::EMPTY, |set, hex| HexSet(set.0 | NEIGHBOURS[hex.index()]))
    }
}

impl From<Hex> for HexSet {
    #[inline]
    fn from(hex: Hex) -> Self {
        HexSet(hex.bit())
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> Self {
        hexes.into_iter().fold(HexSet::EMPTY, |set, hex| set | hex.into())
    }
}

impl BitOr for HexSet {
    type Output = HexSet;

    #[inline]
    fn bitor(self, other: HexSet) -> HexSet {
        HexSet(self.0 | other.0)
    }
}

impl BitAnd for HexSet {
    type Output = HexSet;

    #[inline]
    fn bitand(self, other: HexSet) -> HexSet {
        HexSet(self.0 & other.0)
    }
}

impl BitXor for HexSet {
    type Output = HexSet;

    #[inline]
    fn bitxor(self, other: HexSet) -> HexSet {
        HexSet(self.0 ^ other.0)
    }
}

impl Sub for HexSet {
    type Output = HexSet;

    #[inline]
    fn sub(self, other: HexSet) -> HexSet {
        HexSet(self.0 & !other.0)
    }
}

impl Not for HexSet {
    type Output = HexSet;

    #[inline]
    fn not(self) -> HexSet {
        HexSet::ALL - self
    }
}

/// The hexes of a set, in order.
///
/// ```
/// use ropasci360::{Hex, Hexes};
/// let mut corners: Hexes = Hex::CORNERS.into_iter();
/// assert_eq!(corners.len(), 6);
/// assert_eq!(corners.next(), "a5".parse().ok());
/// ```
#[derive(Debug, Clone)]
pub struct Hexes(u64);

impl Iterator for Hexes {
    type Item = Hex;

    #[inline]
    fn next(&mut self) -> Option<Hex> {
        let hex = HexSet(self.0).first();
        self.0 &= self.0.wrapping_sub(1);
        hex
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Hexes {}

impl IntoIterator for HexSet {
    type Item = Hex;
    type IntoIter = Hexes;

    #[inline]
    fn into_iter(self) -> Hexes {
        Hexes(self.0)
    }
}

impl fmt::Display for HexSet {
    /// The names of the hexes in order, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.into_iter().map(|hex| hex.to_string()).collect();
        f.pad(&names.join(" "))
    }
}

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HexSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_what_its_hexes_are() {
        let odd: HexSet = Hex::all().filter(|hex| hex.index() % 2 == 1).collect();
        assert_eq!(odd.len(), 30);
        assert_eq!((!odd).len(), 31);
        assert_eq!(odd | !odd, HexSet::ALL);
        assert_eq!(odd ^ HexSet::ALL, !odd);
        assert!((odd & !odd).is_empty());
        assert_eq!(odd.into_iter().collect::<HexSet>(), odd);
        assert_eq!(odd.into_iter().len(), 30);
        assert_eq!(HexSet::from_bits(u64::MAX), HexSet::ALL);
        assert_eq!(HexSet::EMPTY.into_iter().next(), None);
        let corner: Hex = "a5".parse().unwrap();
        assert_eq!(HexSet::from(corner).neighbours().to_string(), "a6 b4 b5");
    }
}
