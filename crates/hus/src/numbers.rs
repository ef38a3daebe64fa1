//! Moves and positions as numbers, for networks and other frameworks.

use search_core::{Canvas, Indexed, Planes, Player, Shape, TurnBased};

use crate::{Pit, Position};

impl Indexed for Position {
    /// The 32 pits of the mover.
    const ACTIONS: usize = Pit::COUNT;

    fn index_of(pit: Pit) -> usize {
        pit.index()
    }

    fn action(index: usize) -> Option<Pit> {
        u8::try_from(index).ok().and_then(Pit::new)
    }
}

impl Planes for Position {
    const PLANES: &'static [&'static str] = &[
        "the viewer's seeds, in 96ths",
        "the viewer's pits with seeds",
        "the viewer's pits that can be played",
        "the other's seeds, in 96ths",
        "the other's pits with seeds",
        "the other's pits that can be played",
        "the viewer is to move",
        "captures are allowed",
    ];

    /// Two rows of each player, the outer one first. Columns are those of the board as the viewer sees it: column 0 is at the
    /// viewer's left, and facing pits stand in one column.
    fn shape(&self) -> Shape {
        Shape { planes: 8, rows: 2, columns: 16 }
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        for (side, player) in [viewer, viewer.opponent()].into_iter().enumerate() {
            for (pit, &seeds) in self.counts(player).iter().enumerate().filter(|&(_, &seeds)| seeds > 0) {
                // The outer row runs from its owner's left to right, the inner one back.
                let (row, from_left) = if pit < Pit::FIRST_INNER { (0, pit) } else { (1, 31 - pit) };
                let column = if side == 0 { from_left } else { 15 - from_left };
                canvas.set(3 * side, row, column, f32::from(seeds) / Position::SEEDS as f32);
                canvas.set(3 * side + 1, row, column, 1.0);
                if seeds > 1 {
                    canvas.set(3 * side + 2, row, column, 1.0);
                }
            }
        }
        if self.to_move() == viewer {
            canvas.fill(6, 1.0);
        }
        if self.captures_allowed() {
            canvas.fill(7, 1.0);
        }
    }
}
