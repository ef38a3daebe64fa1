//! The report's search, call by call: negamax with alpha-beta. Nothing is kept between calls, unless it is given a table.

use colosseum::{Move, Position};
use search_core::{Game, Player};

use super::lookup::{Lookup, Seen};
use super::moves::{MoveChoice, sorted_moves};
use crate::colosseum::evaluation::{Cells, static_value};

/// Above every value: what a node without generated moves is worth to the player who made it.
pub const INFINITE: i32 = i32::MAX;

/// What one cell more is worth at the end of the game.
const CELL: i32 = 10_000;

/// What the search looks at, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// Which moves.
    pub moves: MoveChoice,
    /// Which cells the evaluation counts.
    pub cells: Cells,
    /// Whether the clock is also read at nodes of depth 0, as the text of the report has it.
    pub clock_at_leaves: bool,
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls of the search, the root included.
    pub nodes: u64,
    /// Those of them with depth 0.
    pub leaves: u64,
}

/// The time is up, or the search was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// One search of fixed depth.
pub struct Negamax<'a> {
    rules: Rules,
    /// What was done so far.
    pub counts: Counts,
    /// Asked where the program reads its clock; given the number of calls so far.
    out_of_time: &'a mut dyn FnMut(u64) -> bool,
    /// The states seen before: an improvement that the report proposes.
    lookup: Option<&'a mut Lookup>,
}

impl std::fmt::Debug for Negamax<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Negamax")
            .field("rules", &self.rules)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<'a> Negamax<'a> {
    /// A search that asks `out_of_time` where the program reads its clock.
    pub fn new(rules: Rules, out_of_time: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Negamax { rules, counts: Counts::default(), out_of_time, lookup: None }
    }

    /// Looks states up in this table, and enters what it finds.
    #[must_use]
    pub fn with_lookup(self, lookup: Option<&'a mut Lookup>) -> Self {
        Negamax { lookup, ..self }
    }

    /// The value for the player to move, and the move that has it. No move if none was generated, or if none is better
    /// than `-INFINITE`.
    pub fn root(&mut self, position: &Position, depth: u32) -> Result<(i32, Option<Move>), Interrupted> {
        self.node(position, depth, -INFINITE, INFINITE)
    }

    /// Like [`Negamax::root`] with a first window of this half-width around an expected value; where the value lies outside,
    /// the search is made again with an open window.
    pub fn root_near(
        &mut self,
        position: &Position,
        depth: u32,
        expected: i32,
        half_width: u32,
    ) -> Result<(i32, Option<Move>), Interrupted> {
        let alpha = expected.saturating_sub_unsigned(half_width).max(-INFINITE);
        let beta = expected.saturating_add_unsigned(half_width);
        let found = self.node(position, depth, alpha, beta)?;
        if found.0 > alpha && found.0 < beta { Ok(found) } else { self.root(position, depth) }
    }

    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, Option<Move>), Interrupted> {
        self.counts.nodes += 1;
        self.counts.leaves += u64::from(depth == 0);
        if let Some(value) = final_value(position) {
            return Ok((value, None));
        }
        if (depth > 0 || self.rules.clock_at_leaves) && (self.out_of_time)(self.counts.nodes) {
            return Err(Interrupted);
        }
        if depth == 0 {
            return Ok((static_value(position, self.rules.cells), None));
        }
        let key = self.lookup.as_ref().map(|_| position.key());
        let known = key.and_then(|key| self.lookup.as_ref()?.get(key));
        if let Some(answer) = known.and_then(|seen| seen.answers(depth, alpha, beta)) {
            return Ok(answer);
        }
        let mut moves = sorted_moves(position, self.rules.moves);
        if let Some(place) = known.and_then(|seen| moves.iter().position(|&mv| Some(mv) == seen.mv)) {
            moves[..=place].rotate_right(1);
        }
        let before = alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        for mv in moves {
            let next = search_core::TurnBased::after(position, mv);
            let value = -self.node(&next, depth - 1, -beta, -alpha)?.0;
            if value > best {
                (best, best_move) = (value, Some(mv));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if let (Some(key), Some(lookup)) = (key, self.lookup.as_mut()) {
            lookup.enter(key, Seen::new(depth, best, best_move, before, beta));
        }
        Ok((best, best_move))
    }
}

/// The value of a finished game for the player to move: the difference of the areas, however soon.
pub fn final_value(position: &Position) -> Option<i32> {
    let [one, two] = position.scores()?.map(i32::from);
    Some(match search_core::TurnBased::to_move(position) {
        Player::One => CELL * (one - two),
        Player::Two => CELL * (two - one),
    })
}
