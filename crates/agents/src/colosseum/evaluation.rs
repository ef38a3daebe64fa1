//! The report's evaluation: room to move, near cells counting more.

use colosseum::{Bits, Grid, Position, Visitor};
use search_core::{Evaluate, Player, Score, TurnBased};

/// Which cells the evaluation sums over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cells {
    /// Those at a distance below K, as the program does: the terms are all positive.
    #[default]
    Near,
    /// All that can be reached, as the text says: terms beyond K are negative.
    Reachable,
}

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

/// The static value for the player to move: E(mover) - E(other), where E is the sum of K - d over the cells at walking
/// distance d, the other player's cell being an obstacle.
pub fn static_value(position: &Position, cells: Cells) -> i32 {
    value_for(position, position.to_move(), cells)
}

/// The same seen from the side of any player.
#[inline]
pub fn value_for(position: &Position, player: Player, cells: Cells) -> i32 {
    position.visit(Difference { mover: player, cells })
}

struct Difference {
    mover: Player,
    cells: Cells,
}

impl Visitor for Difference {
    type Output = i32;

    #[inline]
    fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> i32 {
        let own = B::of(position.cell(self.mover));
        let other = B::of(position.cell(self.mover.opponent()));
        let steps = position.max_steps();
        match self.cells {
            Cells::Near => near(&grid, own, other, steps) - near(&grid, other, own, steps),
            Cells::Reachable => reachable(&grid, own, other, steps) - reachable(&grid, other, own, steps),
        }
    }
}

/// A cell at distance d < K is counted once in each of the K - d sets of cells within d, d + 1, .. K - 1 steps.
#[inline]
fn near<B: Bits>(grid: &Grid<B>, own: B, other: B, longest: u8) -> i32 {
    let mut reached = own;
    let mut sum = 1;
    for _ in 1..longest {
        reached = reached | grid.step(reached).without(other);
        sum += reached.count() as i32;
    }
    sum
}

fn reachable<B: Bits>(grid: &Grid<B>, own: B, other: B, longest: u8) -> i32 {
    let mut reached = own;
    let mut frontier = own;
    let mut value = i32::from(longest);
    let mut sum = 0;
    while !frontier.is_empty() {
        sum += value * frontier.count() as i32;
        value -= 1;
        frontier = grid.step(frontier).without(reached | other);
        reached = reached | frontier;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use colosseum::Setup;
    use search_core::{Game, stream};

    #[test]
    fn the_value_is_the_sum_over_distances() {
        for (seed, size) in (0..20).zip((6..=12).cycle()) {
            let setup: Setup = format!("size={size}").parse().expect("a set-up");
            let mut rng = stream(seed, "games");
            let mut position = Position::initial(&setup, seed);
            loop {
                for cells in [Cells::Near, Cells::Reachable] {
                    let sum = |player: Player| -> i32 {
                        let distances = position.step_distances(player);
                        let longest = i32::from(position.max_steps());
                        position
                            .zone(player)
                            .iter()
                            .filter_map(|cell| distances.get(cell))
                            .map(|steps| longest - i32::from(steps))
                            .filter(|&term| cells == Cells::Reachable || term > 0)
                            .sum()
                    };
                    let mover = position.to_move();
                    assert_eq!(static_value(&position, cells), sum(mover) - sum(mover.opponent()));
                }
                match position.sample(position.to_move(), &mut rng) {
                    Some(mv) => position.play(mv),
                    None => break,
                }
            }
        }
    }
}
