//! In which order the searches look at moves.

use hus::{Pit, Position};
use search_core::{Evaluate, Game as _, Order, Player, Score, TurnBased};

/// The report's order: moves by the static value of the position they lead to.
#[derive(Debug, Clone)]
pub struct StaticOrder<E> {
    /// What judges the positions.
    pub evaluate: E,
    /// Whether anything is ordered at all.
    pub active: bool,
}

impl<E: Evaluate<Position>> Order<Position> for StaticOrder<E> {
    #[inline]
    fn rank(&self, position: &Position, player: Player, mv: Pit) -> i32 {
        let next = position.after(mv);
        match next.end() {
            Some(end) => Score::of_outcome(end.outcome, player, 0).value(),
            None => self.evaluate.evaluate(&next, player).value(),
        }
    }

    fn is_active(&self) -> bool {
        self.active
    }
}
