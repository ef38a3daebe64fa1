//! The open edges of a board: walking, flooding, and the cheap test that spares most floods.

use crate::{Bits, Cell, Position, Side};

/// Which edges between cells are open. An edge is kept once, at its upper or left cell; borders are never open, so a
/// step over an open edge cannot leave the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid<B> {
    /// The cells whose right side is open.
    pub right: B,
    /// The cells whose lower side is open.
    pub down: B,
}

impl<B: Bits> Grid<B> {
    /// The cells one step away from `set` (some of `set` itself among them).
    #[inline(always)]
    pub fn step(&self, set: B) -> B {
        (set & self.right).right()
            | (set.left() & self.right)
            | (set & self.down).down()
            | (set.up() & self.down)
    }

    /// The cells within `steps` steps of `start`, never entering `blocked`.
    #[inline(always)]
    pub fn reach(&self, start: B, blocked: B, steps: u32) -> B {
        let mut reached = start;
        for _ in 0..steps {
            reached = reached | self.step(reached).without(blocked);
        }
        reached
    }

    /// All cells connected with `start`.
    #[inline(always)]
    pub fn flood(&self, start: B) -> B {
        let mut filled = start;
        loop {
            let next = filled | self.step(filled);
            if next == filled {
                return filled;
            }
            filled = next;
        }
    }

    /// The cells connected with `start`, unless one of `targets` is among them: then `None`, at once.
    #[inline(always)]
    pub fn flood_unless(&self, start: B, targets: B) -> Option<B> {
        let mut filled = start;
        loop {
            let next = filled | self.step(filled);
            if next.meets(targets) {
                return None;
            }
            if next == filled {
                return Some(filled);
            }
            filled = next;
        }
    }

    /// The cells whose side `side` is open.
    #[inline(always)]
    pub fn open(&self, side: Side) -> B {
        match side {
            Side::Up => self.down.down(),
            Side::Right => self.right,
            Side::Down => self.down,
            Side::Left => self.right.right(),
        }
    }

    /// Whether a side of a cell is open.
    #[inline(always)]
    pub fn is_open(&self, cell: Cell, side: Side) -> bool {
        self.open(side).meets(B::of(cell))
    }

    /// Closes a side of a cell. Nothing happens if it is closed already.
    #[inline(always)]
    pub fn close(&mut self, cell: Cell, side: Side) {
        let set = B::of(cell);
        match side {
            Side::Up => self.down = self.down.without(set.up()),
            Side::Right => self.right = self.right.without(set),
            Side::Down => self.down = self.down.without(set),
            Side::Left => self.right = self.right.without(set.left()),
        }
    }

    /// Whether one can walk around one end of the wall on `side` of `cell` through the two cells beside it. Such a wall
    /// ends in the open, so it separates nothing.
    #[inline(always)]
    pub fn has_detour(&self, cell: Cell, side: Side) -> bool {
        let set = B::of(cell);
        match side {
            Side::Right => self.detour_beside(set),
            Side::Left => self.detour_beside(set.left()),
            Side::Down => self.detour_below(set),
            Side::Up => self.detour_below(set.up()),
        }
    }

    /// For the wall between `cell` and its right neighbour: around its upper or its lower end.
    #[inline(always)]
    fn detour_beside(&self, cell: B) -> bool {
        let above = cell.up();
        (self.down.contains(cell | cell.right()) && self.right.contains(cell.down()))
            || (!above.is_empty() && self.down.contains(above | above.right()) && self.right.contains(above))
    }

    /// For the wall between `cell` and its lower neighbour: around its right or its left end. In column a, `left` gives
    /// a cell in the last column of the row above, whose right side is never open, or none at all.
    #[inline(always)]
    fn detour_below(&self, cell: B) -> bool {
        let before = cell.left();
        (self.right.contains(cell | cell.down()) && self.down.contains(cell.right()))
            || (!before.is_empty()
                && self.right.contains(before | before.down())
                && self.down.contains(before))
    }
}

/// Code that works on the open edges of a board in whichever width the board has.
///
/// ```
/// use colosseum::{Bits, Grid, Position, Setup, Visitor};
/// use search_core::{Game, Player};
///
/// /// Counts the open edges.
/// struct OpenEdges;
///
/// impl Visitor for OpenEdges {
///     type Output = u32;
///     fn visit<B: Bits>(self, grid: Grid<B>, _: &Position) -> u32 {
///         grid.right.count() + grid.down.count()
///     }
/// }
///
/// // 8 x 8 has 112 inner edges, of which the set-up closes 8.
/// assert_eq!(Position::initial(&Setup::default(), 1).visit(OpenEdges), 104);
/// ```
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Called with the grid of a position.
    fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wide;

    /// A grid of `size` rows with all inner edges open.
    fn empty<B: Bits>(size: u8) -> Grid<B> {
        let mut grid = Grid { right: B::EMPTY, down: B::EMPTY };
        for row in 0..size {
            for column in 0..size {
                let cell = B::of(Cell::new(row, column).expect("on the board"));
                if column + 1 < size {
                    grid.right = grid.right | cell;
                }
                if row + 1 < size {
                    grid.down = grid.down | cell;
                }
            }
        }
        grid
    }

    /// A detour of three steps exists exactly when the neighbour is within three steps of the cell once the wall stands.
    fn check_detours<B: Bits>(size: u8) {
        for seed in 0..300_u64 {
            let mut grid = empty::<B>(size);
            let mut word = seed;
            let mut draw = |below: u64| {
                word = search_core::split_mix(word);
                (word >> 20) % below
            };
            for _ in 0..draw(u64::from(size) * 10) {
                let cell = Cell::new(draw(size.into()) as u8, draw(size.into()) as u8).expect("on the board");
                grid.close(cell, Side::ALL[draw(4) as usize]);
            }
            for row in 0..size {
                for column in 0..size {
                    let cell = Cell::new(row, column).expect("on the board");
                    for side in Side::ALL.into_iter().filter(|&side| grid.is_open(cell, side)) {
                        let mut walled = grid;
                        walled.close(cell, side);
                        let neighbour = cell.neighbour(side).expect("an open side leads to a cell");
                        assert!(!walled.is_open(neighbour, side.opposite()));
                        let near = walled.reach(B::of(cell), B::EMPTY, 3).meets(B::of(neighbour));
                        assert_eq!(walled.has_detour(cell, side), near, "{cell} {side}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_detour_is_a_way_of_three_steps() {
        for size in 3..=8 {
            check_detours::<u64>(size);
        }
        for size in 9..=12 {
            check_detours::<Wide>(size);
        }
    }
}
