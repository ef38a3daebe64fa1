//! Positions as numbers in planes: what networks and other frameworks look at.

use crate::{Game, Player};

/// The shape of a game's planes.
///
/// ```
/// use search_core::Shape;
/// let shape = Shape { planes: 5, rows: 8, columns: 8 };
/// assert_eq!(shape.len(), 320);
/// assert_eq!(shape.index(1, 0, 7), 71);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// How many planes.
    pub planes: usize,
    /// The rows of each.
    pub rows: usize,
    /// The columns of each.
    pub columns: usize,
}

impl Shape {
    /// The number of values in all planes.
    pub const fn len(self) -> usize {
        self.planes * self.rows * self.columns
    }

    /// Whether there is no value at all.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Where a value stands in the slice: plane by plane, in each row by row.
    pub const fn index(self, plane: usize, row: usize, column: usize) -> usize {
        (plane * self.rows + row) * self.columns + column
    }
}

/// A game whose positions can be written as planes of numbers from 0 to 1.
///
/// The planes tell all that the position is but for ply and turn counters: two positions have the same planes just if their
/// [`Game::key_text`] is the same. They are seen by one of the players: the planes of the viewer's own things come first, so that
/// one network plays both sides; the board is not turned, so that [`Indexed`](crate::Indexed) actions mean the same to both.
/// The laws are in `laws::planes_tell_positions_apart` (feature `proptest`).
///
/// ```
/// # use search_core::{Planes, Player};
/// # fn example<G: Planes>(position: &G) {
/// let mut values = vec![0.0; position.shape().len()];
/// position.write_planes(Player::One, &mut values);
/// assert_eq!(values, position.planes(Player::One));
/// # }
/// ```
pub trait Planes: Game {
    /// What each plane holds, in order, for people.
    const PLANES: &'static [&'static str];

    /// The shape of the planes: the same for all positions of a game from one start.
    fn shape(&self) -> Shape;

    /// Puts into `canvas` what `viewer` sees. The canvas is empty: zeros everywhere.
    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>);

    /// Writes the planes as `viewer` sees them over `values`, plane by plane, in each row by row.
    ///
    /// # Panics
    ///
    /// If `values` has not the length of [`Planes::shape`].
    fn write_planes(&self, viewer: Player, values: &mut [f32]) {
        let shape = self.shape();
        assert_eq!(values.len(), shape.len(), "the values of {shape:?}");
        values.fill(0.0);
        self.draw_planes(viewer, &mut Canvas { shape, values });
    }

    /// The planes as `viewer` sees them, in a new vector.
    fn planes(&self, viewer: Player) -> Vec<f32> {
        let mut values = vec![0.0; self.shape().len()];
        self.write_planes(viewer, &mut values);
        values
    }
}

/// The planes being drawn.
#[derive(Debug)]
pub struct Canvas<'a> {
    shape: Shape,
    values: &'a mut [f32],
}

impl Canvas<'_> {
    /// Sets one value.
    #[inline]
    pub fn set(&mut self, plane: usize, row: usize, column: usize, value: f32) {
        debug_assert!(
            row < self.shape.rows && column < self.shape.columns,
            "({row}, {column}) on {:?}",
            self.shape
        );
        self.values[self.shape.index(plane, row, column)] = value;
    }

    /// Sets all values of one plane: for what is true of the position as a whole.
    pub fn fill(&mut self, plane: usize, value: f32) {
        let start = self.shape.index(plane, 0, 0);
        self.values[start..self.shape.index(plane + 1, 0, 0)].fill(value);
    }
}
