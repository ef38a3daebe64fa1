//! Play past the end of a game, as the contest's own board class goes on when it is told to.

use search_core::TurnBased;

use crate::{Pit, Position};

impl Position {
    /// Plays a pit of two or more seeds of the player to move, also where the game is over by an infinite move or by the
    /// turn limit, and says whether the move was infinite. Anything but such a pit is left alone.
    ///
    /// The rules know no such move. It is for programs that do not notice the end inside their search, as the report's
    /// bot: the referee's own class goes on in the same way when it is told to.
    ///
    /// ```
    /// use hus::{Pit, Position};
    /// use search_core::{Game, Player};
    /// let over: Position = "2,3,0,3,0,1,0,3,6,1,0,1,0,4,2,4,7,10,5,0,1,2,1,4,1,0,13,0,1,0,4,0/\
    ///                  0,0,1,0,3,1,0,1,1,4,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0 36".parse()?;
    /// assert!(over.end().is_some());
    /// let mut on = over;
    /// on.play_on("0".parse::<Pit>()?);
    /// assert_eq!(on.plies(), 37);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn play_on(&mut self, pit: Pit) -> bool {
        if self.playable(self.to_move()) >> pit.index() & 1 == 0 {
            return false;
        }
        self.infinite = false;
        self.sow(pit);
        self.infinite
    }
}
