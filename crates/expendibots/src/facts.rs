//! Facts of a position that evaluations and orderings are made of; explosions are in `component.rs`.

use search_core::Player;

use crate::square_set::reach;
use crate::{Position, Square, SquareSet};

impl Position {
    /// The number of tokens that `player` has on the squares of `set`.
    ///
    /// ```
    /// use expendibots::{Position, SquareSet};
    /// use search_core::Player;
    /// let position: Position = "7i/a3b3/8/3B4/8/7A/1C6/1C1AA1A1 b 29".parse()?;
    /// assert_eq!(position.tokens_on(Player::Two, SquareSet::FULL), 12);
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn tokens_on(&self, player: Player, set: SquareSet) -> u8 {
        let stacks = self.own[player.index()] & set.0;
        let mut tokens = stacks.count_ones();
        if stacks & self.tall_word() != 0 {
            let mut plane = 0;
            while plane < 4 {
                tokens += (stacks & self.planes[plane]).count_ones() << plane;
                plane += 1;
            }
        }
        tokens as u8
    }

    /// The squares with two tokens or more.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.tall().to_string(), "d5");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn tall(&self) -> SquareSet {
        SquareSet(self.tall_word())
    }

    /// The squares to which the stack on `square` can send tokens; none if the square is empty.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/8/8/8/a7/8/B7 w 2".parse()?;
    /// assert_eq!(position.targets("a1".parse()?).to_string(), "a2 b1 c1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn targets(&self, square: Square) -> SquareSet {
        match self.stack(square) {
            None => SquareSet::EMPTY,
            Some((owner, height)) => reach(square, u32::from(height)) - self.stacks(owner.opponent()),
        }
    }

    /// How many moves `player` would have if it were their turn, the end of the game aside.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// assert_eq!(Position::start().mobility(Player::Two), 50);
    /// ```
    #[inline]
    pub fn mobility(&self, player: Player) -> usize {
        self.count_moves(player)
    }

    /// Whether two positions have the same stacks and the same side to move, whatever their ply counters.
    ///
    /// ```
    /// use expendibots::Position;
    /// let [one, two, three] = ["w 96", "w 98", "b 97"]
    ///     .map(|rest| format!("8/8/2a5/3A4/8/8/8/8 {rest}").parse::<Position>());
    /// let one = one?;
    /// assert!(one.same_board(&two?));
    /// assert!(!one.same_board(&three?));
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    pub fn same_board(&self, other: &Position) -> bool {
        self.own == other.own && self.planes == other.planes && self.side() == other.side()
    }
}
