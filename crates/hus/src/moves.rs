//! The move: a pit of the player's own ring.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of the 32 pits of a player's ring, numbered in sowing order: 0 to 15 the outer row from the owner's left to
/// right, 16 to 31 the inner row from right to left. As a move: play the seeds of this pit.
///
/// ```
/// use hus::Pit;
/// let pit: Pit = "27".parse()?;
/// assert_eq!(pit.index(), 27);
/// assert_eq!(pit.facing(), Pit::new(20));
/// assert_eq!(pit.behind_facing(), Pit::new(11));
/// # Ok::<(), hus::ParsePitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// Pits of one player.
    pub const COUNT: usize = 32;
    /// The first pit of the inner row.
    pub const FIRST_INNER: usize = 16;

    /// The pit with this number, `None` above 31.
    #[inline]
    pub const fn new(index: u8) -> Option<Pit> {
        if index < Self::COUNT as u8 { Some(Pit(index)) } else { None }
    }

    /// The pit with this number modulo 32: the ring goes round.
    #[inline]
    pub(crate) const fn wrapping(index: usize) -> Pit {
        Pit((index % Self::COUNT) as u8)
    }

    /// Its number, 0 to 31.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it lies in the inner row, where captures happen.
    #[inline]
    pub const fn is_inner(self) -> bool {
        self.index() >= Self::FIRST_INNER
    }

    /// The opponent's inner pit that faces this one, `None` for an outer pit.
    pub const fn facing(self) -> Option<Pit> {
        if self.is_inner() { Some(Pit(47 - self.0)) } else { None }
    }

    /// The opponent's outer pit behind the facing one, `None` for an outer pit.
    pub const fn behind_facing(self) -> Option<Pit> {
        if self.is_inner() { Some(Pit(self.0 - 16)) } else { None }
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that is not a pit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected a pit from 0 to 31, found `{found}`")]
pub struct ParsePitError {
    /// What came instead.
    pub found: String,
}

impl FromStr for Pit {
    type Err = ParsePitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        decimal(text)
            .and_then(|number| u8::try_from(number).ok())
            .and_then(Pit::new)
            .ok_or_else(|| ParsePitError { found: text.to_owned() })
    }
}

/// Reads a decimal number as it would be printed: digits only, no sign, no leading zero.
pub(crate) fn decimal(text: &str) -> Option<u32> {
    let canonical = text == "0" || !text.starts_with('0');
    if canonical && text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_round_trip() {
        for index in 0..32 {
            let pit = Pit::new(index).expect("a pit");
            assert_eq!(pit.to_string().parse(), Ok(pit));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "32", "-1", "+1", "01", " 1", "1.0", "99999999999999999999", "x"] {
            let error = text.parse::<Pit>().expect_err(text);
            assert_eq!(error.to_string(), format!("expected a pit from 0 to 31, found `{text}`"));
        }
    }

    #[test]
    fn facing_pits_face_each_other() {
        for index in 16..32 {
            let pit = Pit::new(index).expect("a pit");
            assert_eq!(pit.facing().and_then(Pit::facing), Some(pit));
        }
        assert_eq!(Pit::wrapping(15).facing(), None);
        assert_eq!(Pit::wrapping(16).behind_facing(), Some(Pit::wrapping(0)));
        assert_eq!(Pit::wrapping(35).index(), 3);
    }
}
