//! The champion's evaluation: who reaches which cell first.

use colosseum::{Bits, Grid, Position, Visitor};
use search_core::{Features, Player, TurnBased};

/// The two counts of cells that decide games, each seen from a player's side: `territory` by single steps, `turns` by
/// whole moves with the player to move first. Distances, exits and mobility added nothing to these two when fitted to
/// the results of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Territory;

/// The names of the features, in order.
const NAMES: [&str; 2] = ["territory", "turns"];

impl Features<Position> for Territory {
    fn names(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    #[inline]
    fn extract(&self, position: &Position, player: Player, values: &mut [i32]) {
        values.copy_from_slice(&position.visit(Extract(player)));
    }
}

struct Extract(Player);

impl Visitor for Extract {
    type Output = [i32; NAMES.len()];

    #[inline]
    fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> [i32; NAMES.len()] {
        let own = B::of(position.cell(self.0));
        let other = B::of(position.cell(self.0.opponent()));
        let longest = u32::from(position.max_steps());
        let turns = if position.to_move() == self.0 {
            by_turns(&grid, own, other, longest)
        } else {
            -by_turns(&grid, other, own, longest)
        };
        [by_steps(&grid, own, other), turns]
    }
}

/// Cells that `own` reaches in fewer steps than `other`, less those the other way round.
#[inline(always)]
fn by_steps<B: Bits>(grid: &Grid<B>, own: B, other: B) -> i32 {
    let mut seen = own | other;
    let (mut mine, mut theirs) = (own, other);
    let (mut front, mut back) = (own, other);
    loop {
        front = grid.step(front).without(seen);
        back = grid.step(back).without(seen);
        let next = seen | front | back;
        if next == seen {
            return mine.count() as i32 - theirs.count() as i32;
        }
        mine = mine | front;
        theirs = theirs | back;
        seen = next;
    }
}

/// The same where the players walk in turns of up to `longest` steps, `own` first, and neither enters what the other has
/// reached.
#[inline(always)]
fn by_turns<B: Bits>(grid: &Grid<B>, own: B, other: B, longest: u32) -> i32 {
    let (mut mine, mut theirs) = (own, other);
    loop {
        let more = grid.reach(mine, theirs, longest);
        let less = grid.reach(theirs, more, longest);
        if more == mine && less == theirs {
            return mine.count() as i32 - theirs.count() as i32;
        }
        (mine, theirs) = (more, less);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str, player: Player) -> [i32; 2] {
        let position: Position = text.parse().expect(text);
        let mut values = [0; 2];
        Territory.extract(&position, player, &mut values);
        values
    }

    #[test]
    fn an_open_board_is_shared_and_the_mover_reaches_more() {
        // 5 x 5 without walls, players in opposite corners: the diagonal is as far from both; A's first move of up to
        // three steps takes 10 cells, then B's takes 10, and A the five that are left.
        let text = "5 91113/80002/80002/80002/c4446 a1 e5 a 0";
        assert_eq!(features(text, Player::One), [0, 5]);
        assert_eq!(features(text, Player::Two), [0, -5]);
        let text = "5 91113/80002/80002/80002/c4446 a1 e5 b 1";
        assert_eq!(features(text, Player::One), [0, -5]);
    }

    #[test]
    fn a_cell_behind_the_opponent_is_the_opponents() {
        // B stands in the corner pocket a1 whose only way out leads to A on a2: B has its own cell only.
        let text = "3 b93/802/c46 a2 a1 b 3";
        assert_eq!(features(text, Player::One), [7, 7]);
    }
}
