//! Facts of a position that bots build on: distances, zones, reach.

use search_core::Player;

use crate::{Bits, Cell, Grid, Position, Visitor, Wide};

/// A set of cells of a board of any size.
///
/// ```
/// use colosseum::{Position, Setup};
/// use search_core::{Game, Player};
/// let start = Position::initial(&Setup::default(), 7);
/// let near = start.reachable(Player::One, 1);
/// assert!(near.contains(start.cell(Player::One)) && near.len() <= 5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellSet(Wide);

impl CellSet {
    /// The number of cells.
    pub fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Whether there is no cell.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether a cell is in the set.
    pub fn contains(self, cell: Cell) -> bool {
        self.0.meets(Wide::of(cell))
    }

    /// The cells, by rows, then columns.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        self.0.cells()
    }
}

impl<B: Bits> From<B> for CellSet {
    fn from(bits: B) -> CellSet {
        CellSet(bits.cells().fold(Wide::EMPTY, |set, cell| set | Wide::of(cell)))
    }
}

/// The walking distances of one player to all cells, the other player's cell being an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepDistances {
    steps: [u8; 192],
}

impl StepDistances {
    const UNREACHABLE: u8 = u8::MAX;

    /// The number of steps to a cell; `None` if the player cannot get there.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<u8> {
        Some(self.steps[cell.index()]).filter(|&steps| steps != Self::UNREACHABLE)
    }
}

impl Position {
    /// The walking distances of `player`. The opponent's cell is an obstacle; walks may be longer than one move.
    ///
    /// ```
    /// use colosseum::{Position, Setup};
    /// use search_core::{Game, Player};
    /// let start = Position::initial(&Setup::default(), 7);
    /// let distances = start.step_distances(Player::One);
    /// assert_eq!(distances.get(start.cell(Player::One)), Some(0));
    /// assert_eq!(distances.get(start.cell(Player::Two)), None);
    /// ```
    pub fn step_distances(&self, player: Player) -> StepDistances {
        struct Distances(Player);
        impl Visitor for Distances {
            type Output = StepDistances;

            fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> StepDistances {
                let blocked = B::of(position.cell(self.0.opponent()));
                let mut distances = StepDistances { steps: [StepDistances::UNREACHABLE; 192] };
                let mut reached = B::of(position.cell(self.0));
                let mut frontier = reached;
                let mut steps = 0;
                while !frontier.is_empty() {
                    for cell in frontier.cells() {
                        distances.steps[cell.index()] = steps;
                    }
                    frontier = grid.step(frontier).without(reached | blocked);
                    reached = reached | frontier;
                    steps += 1;
                }
                distances
            }
        }
        self.visit(Distances(player))
    }

    /// The cells connected with the cell of `player`; players are no obstacles. This is the area that counts at the end.
    pub fn zone(&self, player: Player) -> CellSet {
        struct Zone(Player);
        impl Visitor for Zone {
            type Output = CellSet;

            fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> CellSet {
                grid.flood(B::of(position.cell(self.0))).into()
            }
        }
        self.visit(Zone(player))
    }

    /// The cells that `player` reaches within `steps` steps, its own included and the opponent's cell being an obstacle.
    pub fn reachable(&self, player: Player, steps: u32) -> CellSet {
        struct Reachable(Player, u32);
        impl Visitor for Reachable {
            type Output = CellSet;

            fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> CellSet {
                let blocked = B::of(position.cell(self.0.opponent()));
                grid.reach(B::of(position.cell(self.0)), blocked, self.1).into()
            }
        }
        // No walk visits a cell twice.
        self.visit(Reachable(player, steps.min(u32::from(self.size()).pow(2))))
    }
}
