//! The 61 hexes of the board.

use std::fmt;
use std::str::FromStr;

use crate::HexSet;

/// The radius of the board: coordinates run from -4 to 4.
pub(crate) const RADIUS: i8 = 4;
/// The number of hexes.
pub(crate) const COUNT: usize = 61;

/// A hex of the board, in axial coordinates `(r, q)` with -4 <= r, q, r + q <= 4.
///
/// Hexes are ordered by row from the bottom (`a`), then by column: the order of their names as plain text.
///
/// ```
/// use ropasci360::Hex;
/// let hex = Hex::new(4, -2).unwrap();
/// assert_eq!(hex.to_string(), "i3");
/// assert_eq!("i3".parse(), Ok(hex));
/// assert_eq!(Hex::new(4, 1), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(u8);

const fn row_start(r: i8) -> i8 {
    if r < 0 { -RADIUS - r } else { -RADIUS }
}

const fn row_length(r: i8) -> i8 {
    2 * RADIUS + 1 - r.abs()
}

/// The coordinates of each hex.
const COORDINATES: [(i8, i8); COUNT] = {
    let mut table = [(0, 0); COUNT];
    let mut index = 0;
    let mut r = -RADIUS;
    while r <= RADIUS {
        let mut column = 0;
        while column < row_length(r) {
            table[index] = (r, row_start(r) + column);
            index += 1;
            column += 1;
        }
        r += 1;
    }
    table
};

/// The index of the first hex of each row, from `a` up.
const ROW_INDEX: [u8; 9] = {
    let mut table = [0; 9];
    let mut row = 1;
    while row < 9 {
        table[row] = table[row - 1] + row_length(row as i8 - 1 - RADIUS) as u8;
        row += 1;
    }
    table
};

/// The six steps to a neighbour.
const STEPS: [(i8, i8); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// The neighbours of each hex. Entry 64, which is what the lowest bit of an empty set comes to, has none: so a loop over
/// a set may run on past its end instead of testing for it.
pub(crate) static NEIGHBOURS: [u64; 65] = NEIGHBOUR_TABLE;

const NEIGHBOUR_TABLE: [u64; 65] = {
    let mut table = [0; 65];
    let mut index = 0;
    while index < COUNT {
        let (r, q) = COORDINATES[index];
        let mut step = 0;
        while step < 6 {
            if let Some(hex) = Hex::new(r + STEPS[step].0, q + STEPS[step].1) {
                table[index] |= hex.bit();
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The place, one higher than its index, of the first hex of the row below and of the row above that neighbours a hex;
/// as if rows went on beyond the board, so that it is also there at the edge.
const BESIDE: [[u8; 2]; COUNT] = {
    let mut table = [[0; 2]; COUNT];
    let mut index = 0;
    while index < COUNT {
        let (r, q) = COORDINATES[index];
        if r > -RADIUS {
            table[index][0] = (ROW_INDEX[(r - 1 + RADIUS) as usize] as i8 + q - row_start(r - 1) + 1) as u8;
        }
        if r < RADIUS {
            table[index][1] =
                (ROW_INDEX[(r + 1 + RADIUS) as usize] as i8 + q - 1 - row_start(r + 1) + 1) as u8;
        }
        index += 1;
    }
    table
};

/// The number of hexes that a token reaches by slide or swing, by its hex and by what stands around it: two bits for the
/// row below, three for its own, two for the row above. Bits beyond the edge of the board change nothing.
static REACH_COUNT: [[u8; 128]; COUNT] = {
    const AROUND: [(u8, i8, i8); 6] = [(0, -1, 0), (1, -1, 1), (2, 0, -1), (4, 0, 1), (5, 1, -1), (6, 1, 0)];
    let mut table = [[0; 128]; COUNT];
    let mut index = 0;
    while index < COUNT {
        let (r, q) = COORDINATES[index];
        let mut pattern = 0;
        while pattern < 128 {
            let mut set = NEIGHBOUR_TABLE[index];
            let mut neighbour = 0;
            while neighbour < 6 {
                let (bit, dr, dq) = AROUND[neighbour];
                if pattern >> bit & 1 == 1
                    && let Some(pivot) = Hex::new(r + dr, q + dq)
                {
                    set |= NEIGHBOUR_TABLE[pivot.index()];
                }
                neighbour += 1;
            }
            table[index][pattern] = (set & !(1 << index)).count_ones() as u8;
            pattern += 1;
        }
        index += 1;
    }
    table
};

/// The number of hexes that a token on a hex reaches among its own side's tokens: one look-up, where counting the bits of
/// the set takes a dozen instructions on processors without an instruction for it.
#[inline]
pub(crate) fn reach_count(own: u64, index: usize) -> usize {
    let shifted = own << 1;
    let [below, above] = BESIDE[index];
    let pattern = shifted >> below & 3 | (shifted >> index & 7) << 2 | (shifted >> above & 3) << 5;
    REACH_COUNT[index][pattern as usize] as usize
}

/// For each hex and each distance the hexes at most so far away.
const BALLS: [[u64; 9]; COUNT] = {
    let mut table = [[0; 9]; COUNT];
    let mut from = 0;
    while from < COUNT {
        let mut to = 0;
        while to < COUNT {
            let mut radius = Hex(from as u8).distance(Hex(to as u8)) as usize;
            while radius < 9 {
                table[from][radius] |= 1 << to;
                radius += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

impl Hex {
    /// The number of hexes on the board.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!(Hex::all().len(), Hex::COUNT);
    /// ```
    pub const COUNT: usize = COUNT;

    /// The six corners, in order.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!(Hex::CORNERS.to_string(), "a5 a9 e1 e9 i1 i5");
    /// ```
    pub const CORNERS: HexSet = HexSet::from_bits({
        let mut bits = 0;
        let mut index = 0;
        while index < COUNT {
            if NEIGHBOUR_TABLE[index].count_ones() == 3 {
                bits |= 1 << index;
            }
            index += 1;
        }
        bits
    });

    /// The hex in row `r` and column `q`, `None` off the board.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!(Hex::new(0, 0), "e5".parse().ok());
    /// assert_eq!(Hex::new(3, 2), None);
    /// ```
    #[inline]
    pub const fn new(r: i8, q: i8) -> Option<Hex> {
        // Bounds first: the sum of two arbitrary bytes may overflow.
        if r < -RADIUS || r > RADIUS || q < -RADIUS || q > RADIUS || (r + q).abs() > RADIUS {
            return None;
        }
        Some(Hex(ROW_INDEX[(r + RADIUS) as usize] + (q - row_start(r)) as u8))
    }

    /// The hex with this index, `None` from 61 on.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!(Hex::from_index(0), "a5".parse().ok());
    /// assert_eq!(Hex::from_index(61), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Hex> {
        if index < COUNT { Some(Hex(index as u8)) } else { None }
    }

    /// An index that the caller knows to be below 61: the lowest bit of a set, or a field of a move.
    #[inline]
    pub(crate) const fn trusted(index: u8) -> Hex {
        debug_assert!((index as usize) < COUNT);
        Hex(index)
    }

    /// All hexes, in order.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert!(Hex::all().all(|hex| Hex::new(hex.r(), hex.q()) == Some(hex)));
    /// assert_eq!(Hex::all().next_back().unwrap().to_string(), "i5");
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Hex> + ExactSizeIterator {
        (0..COUNT as u8).map(Hex)
    }

    /// Its place in the order of all hexes, 0 to 60.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!("e5".parse::<Hex>().unwrap().index(), 30);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this hex only.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The row, -4 (bottom) to 4 (top).
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!("i3".parse::<Hex>().unwrap().r(), 4);
    /// ```
    #[inline]
    pub const fn r(self) -> i8 {
        COORDINATES[self.0 as usize].0
    }

    /// The column, -4 to 4.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!("i3".parse::<Hex>().unwrap().q(), -2);
    /// ```
    #[inline]
    pub const fn q(self) -> i8 {
        COORDINATES[self.0 as usize].1
    }

    /// The number of slides from here to `other` on an empty board.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// let distance = |a: &str, b: &str| a.parse::<Hex>().unwrap().distance(b.parse().unwrap());
    /// assert_eq!(distance("i3", "a7"), 8);
    /// assert_eq!(distance("e4", "d6"), 2);
    /// ```
    #[inline]
    pub const fn distance(self, other: Hex) -> u8 {
        let (dr, dq) = (self.r() - other.r(), self.q() - other.q());
        let (a, b, c) = (dr.unsigned_abs(), dq.unsigned_abs(), (dr + dq).unsigned_abs());
        let larger = if a > b { a } else { b };
        if larger > c { larger } else { c }
    }

    /// The neighbours: 3 of a corner, 4 of another hex at the edge, 6 inside.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// assert_eq!("a5".parse::<Hex>().unwrap().neighbours().to_string(), "a6 b4 b5");
    /// ```
    #[inline]
    pub const fn neighbours(self) -> HexSet {
        HexSet::from_bits(NEIGHBOUR_TABLE[self.0 as usize])
    }

    /// All hexes at most `radius` away, this one included.
    ///
    /// ```
    /// use ropasci360::Hex;
    /// let e5: Hex = "e5".parse().unwrap();
    /// assert_eq!(e5.within(1).len(), 7);
    /// assert_eq!(e5.within(4).len(), Hex::COUNT);
    /// ```
    #[inline]
    pub const fn within(self, radius: u8) -> HexSet {
        let radius = if radius > 8 { 8 } else { radius };
        HexSet::from_bits(BALLS[self.0 as usize][radius as usize])
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + (self.r() + RADIUS) as u8, b'1' + (self.q() + RADIUS) as u8];
        f.pad(&name.map(char::from).iter().collect::<String>())
    }
}

/// A text that names no hex.
///
/// ```
/// use ropasci360::{Hex, ParseHexError};
/// let error: ParseHexError = "a4".parse::<Hex>().unwrap_err();
/// assert!(error.to_string().ends_with("found `a4`"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a hex such as `e5` (i1-i5, h1-h6, g1-g7, f1-f8, e1-e9, d2-d9, c3-c9, b4-b9, a5-a9), found `{0}`"
)]
pub struct ParseHexError(pub(crate) String);

impl FromStr for Hex {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [row @ b'a'..=b'i', column @ b'1'..=b'9'] => {
                Hex::new((row - b'a') as i8 - RADIUS, (column - b'1') as i8 - RADIUS)
            }
            _ => None,
        }
        .ok_or_else(|| ParseHexError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hex_has_one_name_and_the_names_are_sorted() {
        let names: Vec<String> = Hex::all().map(|hex| hex.to_string()).collect();
        assert!(names.is_sorted() && names.len() == 61);
        for (hex, name) in Hex::all().zip(&names) {
            assert_eq!(name.parse(), Ok(hex));
            assert_eq!(Hex::new(hex.r(), hex.q()), Some(hex));
        }
        assert_eq!(names[0], "a5");
        assert_eq!(names[60], "i5");
        for bad in ["", "e", "e0", "a4", "i6", "j1", "e55", "E5", "é1"] {
            assert!(bad.parse::<Hex>().is_err(), "{bad}");
        }
    }

    #[test]
    fn coordinates_far_away_are_off_the_board() {
        for r in i8::MIN..=i8::MAX {
            for q in i8::MIN..=i8::MAX {
                let inside = [r as i32, q as i32, r as i32 + q as i32].iter().all(|c| c.abs() <= 4);
                assert_eq!(Hex::new(r, q).is_some(), inside);
            }
        }
    }

    #[test]
    fn neighbours_are_the_hexes_at_distance_one() {
        let mut degrees = [0; 7];
        for hex in Hex::all() {
            for other in Hex::all() {
                assert_eq!(hex.neighbours().contains(other), hex.distance(other) == 1);
                for radius in 0..12 {
                    assert_eq!(hex.within(radius).contains(other), hex.distance(other) <= radius);
                }
            }
            degrees[hex.neighbours().len()] += 1;
        }
        assert_eq!(degrees, [0, 0, 0, 6, 18, 0, 37]);
        assert_eq!(Hex::CORNERS.to_string(), "a5 a9 e1 e9 i1 i5");
    }
}
