//! Moves and positions as numbers, for networks and other frameworks.

use search_core::{Canvas, Indexed, Planes, Player, Shape, TurnBased};

use crate::{Cell, MAX_SIZE, Move, Position, Setup, Side};

/// The number of a cell in an order in which the cells of every smaller board come first: by the larger of row and column, in
/// each the row from left to right, then the column from the top.
fn cell_number(cell: Cell) -> usize {
    let (row, column) = (usize::from(cell.row()), usize::from(cell.column()));
    let shell = row.max(column);
    shell * shell + if row == shell { column } else { shell + 1 + row }
}

fn numbered_cell(number: usize) -> Option<Cell> {
    let shell = number.isqrt();
    let place = number - shell * shell;
    let (row, column) = if place <= shell { (shell, place) } else { (place - shell - 1, shell) };
    Cell::new(u8::try_from(row).ok()?, u8::try_from(column).ok()?)
}

impl Indexed for Position {
    /// 576: the four sides of the 144 cells of the largest board.
    const ACTIONS: usize = 4 * (MAX_SIZE as usize).pow(2);

    fn index_of(Move { cell, side }: Move) -> usize {
        4 * cell_number(cell) + side as usize
    }

    fn action(index: usize) -> Option<Move> {
        Some(Move { cell: numbered_cell(index / 4)?, side: Side::ALL[index % 4] })
    }

    /// The four sides of the cells of the board.
    fn actions_in(setup: &Setup) -> usize {
        4 * usize::from(setup.size()).pow(2)
    }
}

impl Planes for Position {
    const PLANES: &'static [&'static str] = &[
        "the viewer's cell",
        "the other's cell",
        "walls above",
        "walls on the right",
        "walls below",
        "walls on the left",
        "the viewer is to move",
    ];

    /// The rows and columns of the board, row 1 first.
    fn shape(&self) -> Shape {
        Shape { planes: 7, rows: self.size().into(), columns: self.size().into() }
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        for (plane, player) in [viewer, viewer.opponent()].into_iter().enumerate() {
            let cell = self.cell(player);
            canvas.set(plane, cell.row().into(), cell.column().into(), 1.0);
        }
        for (row, column) in
            (0..self.size()).flat_map(|row| (0..self.size()).map(move |column| (row, column)))
        {
            let walls = Cell::new(row, column).map(|cell| Side::ALL.map(|side| self.has_wall(cell, side)));
            for (plane, _) in walls.iter().flatten().enumerate().filter(|&(_, &wall)| wall) {
                canvas.set(2 + plane, row.into(), column.into(), 1.0);
            }
        }
        if self.to_move() == viewer {
            canvas.fill(6, 1.0);
        }
    }
}
