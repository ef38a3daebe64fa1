//! Which moves the searches look at, and in which order; how playouts move.

use colosseum::{Move, Position};
use search_core::{Game, Order, Player, Prune, Rollout, SearchRng};

use super::report::random_walk;
use super::report::{MoveChoice, generated_moves, squared_distance};

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

/// How playouts move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Playout {
    /// Uniformly over the legal moves.
    Uniform,
    /// As the contest's random agent.
    Walk,
}

impl Rollout<Position> for Playout {
    #[inline]
    fn choose(&self, position: &Position, player: Player, rng: &mut SearchRng) -> Option<Move> {
        match self {
            Playout::Uniform => position.sample(player, rng),
            Playout::Walk => random_walk(position, rng),
        }
    }
}
