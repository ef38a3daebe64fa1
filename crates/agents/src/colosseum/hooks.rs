//! What the report knows, as hooks for any search: its evaluation, its order of moves, its list of moves.

use colosseum::{Move, Position};
use search_core::{Evaluate, Game, Order, Player, Prune, Score};

use super::evaluation::{Cells, value_for};
use super::generator::{MoveChoice, generated_moves, squared_distance};

/// The report's evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Room {
    /// Which cells it sums over.
    pub cells: Cells,
}

impl Evaluate<Position> for Room {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        Score::new(value_for(position, player, self.cells))
    }
}

/// The report's order of moves: those that end near the opponent first. Or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approach {
    /// Whether moves are sorted at all.
    pub active: bool,
}

impl Default for Approach {
    fn default() -> Self {
        Approach { active: true }
    }
}

impl Order<Position> for Approach {
    #[inline]
    fn rank(&self, position: &Position, player: Player, mv: Move) -> i32 {
        -(squared_distance(mv.cell, position.cell(player.opponent())) as i32)
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.active
    }
}

/// The report's list of moves: the edges of one breadth-first tree, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed(pub MoveChoice);

impl Prune<Position> for Listed {
    fn keeps(&self, position: &Position, _: Player, mv: Move) -> bool {
        self.0 == MoveChoice::All || generated_moves(position, self.0).contains(&mv)
    }

    fn candidates(&self, position: &Position, _: Player, moves: &mut <Position as Game>::Moves) {
        *moves = generated_moves(position, self.0);
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.0 == MoveChoice::Tree
    }
}
