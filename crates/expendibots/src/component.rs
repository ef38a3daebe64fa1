//! Connected components and what a boom does to them.

use search_core::Player;

use crate::{Position, Square, SquareSet};

/// A connected component: stacks of both colours that touch, and so explode together.
///
/// ```
/// use expendibots::Position;
/// let position: Position = "8/8/2a5/3B4/8/8/8/A7 w 96".parse()?;
/// let tokens: Vec<[u8; 2]> = position.components().map(|component| component.tokens).collect();
/// assert_eq!(tokens, [[1, 0], [2, 1]]);
/// # Ok::<(), expendibots::ParsePositionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    /// Its squares.
    pub squares: SquareSet,
    /// The tokens of each player in it.
    pub tokens: [u8; 2],
}

impl Component {
    /// The tokens of `player` in the component.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let position: Position = "8/8/2a5/3B4/8/8/8/8 w 96".parse()?;
    /// let component = position.components().next().expect("the two stacks touch");
    /// assert_eq!((component.tokens(Player::One), component.tokens(Player::Two)), (2, 1));
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn tokens(&self, player: Player) -> u8 {
        self.tokens[player.index()]
    }

    /// Whether both players have tokens in it.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/2a5/3A4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.components().filter(|component| component.is_mixed()).count(), 1);
    /// assert!(Position::start().components().all(|component| !component.is_mixed()));
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub const fn is_mixed(&self) -> bool {
        self.tokens[0] > 0 && self.tokens[1] > 0
    }
}

/// What a boom does: the component it takes, and the position after it.
///
/// ```
/// use expendibots::{BoomResult, Position};
/// let position: Position = "8/2Ll4/8/8/8/8/8/8 w 80".parse()?;
/// let Some(BoomResult { taken, after }) = position.boom_result("c7".parse()?) else { panic!("there is a stack on c7") };
/// assert_eq!(taken.tokens, [12, 12]);
/// assert!(after.occupied().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoomResult {
    /// What goes.
    pub taken: Component,
    /// The position with the component removed and one ply more.
    pub after: Position,
}

impl Position {
    /// The component that the stack on `square` belongs to; `None` if the square is empty.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "ab2a2a/aA2aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 w 28".parse()?;
    /// let corner = position.component("b7".parse()?).expect("there is a stack on b7");
    /// assert_eq!(corner.squares.to_string(), "a7 a8 b7 b8");
    /// assert_eq!(corner.tokens, [1, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn component(&self, square: Square) -> Option<Component> {
        self.occupied().contains(square).then(|| self.component_from(square.set()))
    }

    #[inline]
    fn component_from(&self, seed: SquareSet) -> Component {
        let squares = self.occupied().connected(seed);
        let tokens = Player::BOTH.map(|player| self.tokens_on(player, squares));
        Component { squares, tokens }
    }

    /// All components, in the order of their first squares.
    ///
    /// ```
    /// use expendibots::Position;
    /// assert_eq!(Position::start().components().count(), 6);
    /// assert!(Position::start().components().all(|component| component.squares.len() == 4));
    /// ```
    #[inline]
    pub fn components(&self) -> Components<'_> {
        self.components_meeting(SquareSet::FULL)
    }

    /// The components that have a square in `set`, in the order of those squares.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let start = Position::start();
    /// assert_eq!(start.components_meeting(start.stacks(Player::One)).count(), 3);
    /// ```
    #[inline]
    pub fn components_meeting(&self, set: SquareSet) -> Components<'_> {
        Components { position: self, left: self.occupied() & set }
    }

    /// The stacks of `player` that touch a stack of the opponent. Every mixed component has one.
    ///
    /// ```
    /// use expendibots::Position;
    /// use search_core::Player;
    /// let position: Position = "8/8/2a5/3A4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.touching(Player::One).to_string(), "d5");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub fn touching(&self, player: Player) -> SquareSet {
        self.stacks(player) & self.stacks(player.opponent()).grown()
    }

    /// All squares of components that hold tokens of both players: one flood fill, however many there are.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "aa6/A7/8/8/8/8/8/A6a w 96".parse()?;
    /// assert_eq!(position.in_contact().to_string(), "a7 a8 b8");
    /// assert!(Position::start().in_contact().is_empty());
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub fn in_contact(&self) -> SquareSet {
        self.occupied().connected(self.touching(Player::One))
    }

    /// What the boom of the stack on `square`, of either side, does; `None` if the square is empty.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "ab2a2a/aA2aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 w 28".parse()?;
    /// let result = position.boom_result("b7".parse()?).expect("there is a stack on b7");
    /// assert_eq!(result.taken.tokens, [1, 4]);
    /// assert_eq!(result.after.to_string(), "4a2a/4aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 b 29");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn boom_result(&self, square: Square) -> Option<BoomResult> {
        let taken = self.component(square)?;
        let mut after = self.without(taken.squares);
        after.plies = (after.plies + 1).min(Position::TURN_LIMIT as u16);
        Some(BoomResult { taken, after })
    }

    /// The same position without the stacks on `set`: the board after several booms, say. The ply counter stays.
    ///
    /// ```
    /// use expendibots::Position;
    /// let position: Position = "8/8/2a5/3A4/8/8/8/A7 w 96".parse()?;
    /// assert_eq!(position.without(position.in_contact()).to_string(), "8/8/8/8/8/8/8/A7 w 96");
    /// # Ok::<(), expendibots::ParsePositionError>(())
    /// ```
    #[inline]
    pub fn without(&self, set: SquareSet) -> Position {
        let mut after = *self;
        after.remove(set);
        after
    }
}

/// The components of a position; see [`Position::components`].
///
/// ```
/// use expendibots::{Components, Position};
/// let start = Position::start();
/// let mut components: Components<'_> = start.components();
/// assert_eq!(components.next().map(|first| first.squares.to_string()).as_deref(), Some("a1 a2 b1 b2"));
/// assert_eq!(components.count(), 5);
/// ```
#[derive(Debug, Clone)]
pub struct Components<'a> {
    position: &'a Position,
    left: SquareSet,
}

impl Iterator for Components<'_> {
    type Item = Component;

    #[inline]
    fn next(&mut self) -> Option<Component> {
        let component = self.position.component_from(self.left.first()?.set());
        self.left -= component.squares;
        Some(component)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_cover_the_board_once() {
        let position: Position = "ab2a2a/aA2aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 w 28".parse().unwrap();
        let mut seen = SquareSet::EMPTY;
        let mut tokens = [0; 2];
        for component in position.components() {
            assert!(!seen.meets(component.squares));
            seen |= component.squares;
            for player in Player::BOTH {
                tokens[player.index()] += component.tokens(player);
            }
        }
        assert_eq!(seen, position.occupied());
        assert_eq!(tokens, Player::BOTH.map(|player| position.tokens(player)));
        let mixed: Vec<Component> = position.components().filter(Component::is_mixed).collect();
        assert_eq!(position.components_meeting(position.touching(Player::One)).collect::<Vec<_>>(), mixed);
        assert_eq!(
            mixed.iter().fold(SquareSet::EMPTY, |set, component| set | component.squares),
            position.in_contact()
        );
    }

    #[test]
    fn an_empty_square_has_no_blast() {
        let c3 = Square::new(2, 2).unwrap();
        assert_eq!(Position::start().boom_result(c3), None);
        assert_eq!(Position::start().component(c3), None);
    }
}
