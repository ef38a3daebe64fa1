//! Play past the end of a game and its turn limit, for programs that do not look for the end inside their search.

use crate::{Move, Position};

impl Position {
    /// The same stacks and side to move at ply 0 or 1: what is ahead without the turn limit.
    ///
    /// ```
    /// use expendibots::Position;
    /// let late: Position = "8/8/2a5/3A4/8/8/8/8 b 499".parse()?;
    /// assert_eq!(late.rewound().to_string(), "8/8/2a5/3A4/8/8/8/8 b 1");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn rewound(&self) -> Position {
        Position { plies: self.plies & 1, ..*self }
    }

    /// The position after a move of the side to move, also if the game is over: for searches that do not look for its
    /// end. The stacks must allow the move, which is checked in debug builds only.
    ///
    /// ```
    /// use expendibots::Position;
    /// let over: Position = "8/8/8/8/8/8/8/B7 w 96".parse()?;
    /// assert_eq!(over.played_on("1a1a3".parse()?).to_string(), "8/8/8/8/8/A7/8/A7 b 97");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn played_on(&self, mv: Move) -> Position {
        debug_assert!(self.allows(self.side(), mv), "the stacks do not allow {mv} in {self}");
        let mut next = *self;
        next.advance(mv);
        next
    }
}
