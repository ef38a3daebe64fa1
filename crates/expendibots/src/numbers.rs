//! Moves and positions as numbers, for networks and other frameworks.

use search_core::{Canvas, Indexed, Planes, Player, Shape};

use crate::{Move, Position, Square};

/// The squares that a shift can go to from any square: seven on its file and seven on its rank.
const TARGETS: usize = 14;
/// The actions of one square: a boom, and every count of tokens to every target.
const OF_SQUARE: usize = 1 + TARGETS * Position::TOKENS as usize;

impl Indexed for Position {
    /// 10,816: for each of the 64 squares a boom, and 1 to 12 tokens to each of 14 squares.
    const ACTIONS: usize = Square::COUNT * OF_SQUARE;

    fn index_of(mv: Move) -> usize {
        let (from, to) = (mv.from(), mv.to());
        let start = from.index() * OF_SQUARE;
        if mv.is_boom() {
            return start;
        }
        // The other files of the rank in order, then the other ranks of the file.
        let skipping = |to: u8, own: u8| usize::from(if to > own { to - 1 } else { to });
        let target = if from.rank() == to.rank() {
            skipping(to.file(), from.file())
        } else {
            TARGETS / 2 + skipping(to.rank(), from.rank())
        };
        start + 1 + target * usize::from(Position::TOKENS) + usize::from(mv.count()) - 1
    }

    fn action(index: usize) -> Option<Move> {
        let from = Square::from_index(index / OF_SQUARE)?;
        let Some(shift) = (index % OF_SQUARE).checked_sub(1) else { return Some(Move::boom(from)) };
        let (target, count) = (shift / usize::from(Position::TOKENS), shift % usize::from(Position::TOKENS));
        let skipped = |number: usize, own: u8| number as u8 + u8::from(number >= usize::from(own));
        let to = if target < TARGETS / 2 {
            Square::new(skipped(target, from.file()), from.rank())?
        } else {
            Square::new(from.file(), skipped(target - TARGETS / 2, from.rank()))?
        };
        Move::shift(count as u8 + 1, from, to)
    }
}

impl Planes for Position {
    const PLANES: &'static [&'static str] = &[
        "the viewer's stacks",
        "the tokens in each, in twelfths",
        "the other's stacks",
        "the tokens in each, in twelfths",
        "the viewer is to move",
    ];

    /// Rows are ranks from 1 up, columns are files from a on.
    fn shape(&self) -> Shape {
        Shape { planes: 5, rows: 8, columns: 8 }
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        for (side, player) in [viewer, viewer.opponent()].into_iter().enumerate() {
            for square in self.stacks(player) {
                let (row, column) = (square.rank().into(), square.file().into());
                canvas.set(2 * side, row, column, 1.0);
                let tokens = f32::from(self.height(square)) / f32::from(Position::TOKENS);
                canvas.set(2 * side + 1, row, column, tokens);
            }
        }
        if self.side() == viewer {
            canvas.fill(4, 1.0);
        }
    }
}
