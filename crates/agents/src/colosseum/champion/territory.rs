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
        let Steps { mine, theirs, zone, .. } = by_steps(&grid, own, other);
        let steps = mine.count() as i32 - theirs.count() as i32;
        let turns = if position.to_move() == self.0 {
            by_turns(&grid, own, other, longest, zone).lead()
        } else {
            -by_turns(&grid, other, own, longest, zone).lead()
        };
        [steps, turns]
    }
}

/// Who reaches what in fewer steps.
pub(super) struct Steps<B> {
    /// What the one player reaches first.
    pub(super) mine: B,
    /// What the other does.
    pub(super) theirs: B,
    /// All that one of them reaches.
    pub(super) zone: B,
    /// How many steps lie between the two; 0 if there is no way.
    pub(super) distance: u32,
}

/// The cells that `own` reaches in fewer steps than `other`, and the other way round.
#[inline(always)]
pub(super) fn by_steps<B: Bits>(grid: &Grid<B>, own: B, other: B) -> Steps<B> {
    let mut seen = own | other;
    let (mut mine, mut theirs) = (own, other);
    let (mut front, mut back) = (own, other);
    let (mut distance, mut steps) = (0, 0);
    loop {
        let (ahead, behind) = (grid.step(front), grid.step(back));
        if distance == 0 && ahead.meets(back) {
            distance = 2 * steps + 1;
        }
        steps += 1;
        front = ahead.without(seen);
        back = behind.without(seen);
        let next = seen | front | back;
        if next == seen {
            return Steps { mine: mine.without(theirs), theirs: theirs.without(mine), zone: seen, distance };
        }
        if distance == 0 && front.meets(back) {
            distance = 2 * steps;
        }
        mine = mine | front;
        theirs = theirs | back;
        seen = next;
    }
}

/// Who takes what in turns.
pub(super) struct Turns<B> {
    /// What the player who moves first takes.
    pub(super) mine: B,
    /// What the other takes.
    pub(super) theirs: B,
    /// What each takes with its first move.
    pub(super) first: [B; 2],
}

impl<B: Bits> Turns<B> {
    /// The cells of the player who moves first less those of the other.
    #[inline(always)]
    fn lead(&self) -> i32 {
        self.mine.count() as i32 - self.theirs.count() as i32
    }
}

/// The same where the players walk in turns of up to `longest` steps, `own` first, and neither enters what the other has
/// reached. Over when all of `zone`, what they can reach at all, is taken.
#[inline(always)]
pub(super) fn by_turns<B: Bits>(grid: &Grid<B>, own: B, other: B, longest: u32, zone: B) -> Turns<B> {
    let mut mine = grid.reach(own, other, longest);
    let mut theirs = grid.reach(other, mine, longest);
    let first = [mine, theirs];
    while (mine | theirs) != zone {
        mine = grid.reach(mine, theirs, longest);
        theirs = grid.reach(theirs, mine, longest);
    }
    Turns { mine, theirs, first }
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
