//! Moves and positions as numbers, for networks and other frameworks.

use search_core::{Canvas, Indexed, Planes, Player, Shape};

use crate::{Hex, HexSet, Move, Position, Symbol};

/// The number of the first step from each hex, and at the end the number of all steps.
const FIRST_STEP: [u16; Hex::COUNT + 1] = {
    let mut first = [0; Hex::COUNT + 1];
    let mut index = 0;
    while index < Hex::COUNT {
        // All hexes at most two away but the hex itself.
        let steps = match Hex::from_index(index) {
            Some(from) => from.within(2).len() - 1,
            None => 0,
        };
        first[index + 1] = first[index] + steps as u16;
        index += 1;
    }
    first
};

const STEPS: usize = FIRST_STEP[Hex::COUNT] as usize;

/// Where a token can go from a hex, on any board.
fn targets(from: Hex) -> HexSet {
    from.within(2) - HexSet::from_bits(from.bit())
}

impl Indexed for Position {
    /// 1,017: a slide or swing between any two hexes at distance 1 or 2, and a throw of every symbol to every hex.
    const ACTIONS: usize = STEPS + 3 * Hex::COUNT;

    /// Slides and swings by their hexes, then throws of rock, paper and scissors.
    fn index_of(mv: Move) -> usize {
        if let Some(symbol) = mv.thrown() {
            return STEPS + symbol.index() * Hex::COUNT + mv.to().index();
        }
        // A move that throws nothing leaves a hex.
        let from = mv.from().map_or(0, Hex::index);
        let below = HexSet::from_bits(mv.to().bit() - 1);
        usize::from(FIRST_STEP[from]) + mv.from().map_or(0, |from| (targets(from) & below).len())
    }

    fn action(index: usize) -> Option<Move> {
        if let Some(throw) = index.checked_sub(STEPS) {
            let symbol = Symbol::ALL.get(throw / Hex::COUNT)?;
            return Some(Move::throw(*symbol, Hex::from_index(throw % Hex::COUNT)?));
        }
        let from = FIRST_STEP.partition_point(|&first| usize::from(first) <= index) - 1;
        let to = |from| targets(from).into_iter().nth(index - usize::from(FIRST_STEP[from.index()]));
        Hex::from_index(from).and_then(|from| Move::step(from, to(from)?))
    }
}

impl Planes for Position {
    const PLANES: &'static [&'static str] = &[
        "the viewer's rocks, in ninths",
        "the viewer's papers, in ninths",
        "the viewer's scissors, in ninths",
        "the other's rocks, in ninths",
        "the other's papers, in ninths",
        "the other's scissors, in ninths",
        "the viewer's throws used, in ninths",
        "the other's throws used, in ninths",
        "the viewer's throw zone",
        "the other's throw zone",
        "the board",
    ];

    /// Rows from the bottom (row a) up, columns from 1 to 9; the corners of the square are off the board.
    fn shape(&self) -> Shape {
        Shape { planes: 11, rows: 9, columns: 9 }
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        let place = |hex: Hex| ((hex.r() + 4) as usize, (hex.q() + 4) as usize);
        let ninths = |count: u8| f32::from(count) / f32::from(Position::THROWS);
        for (side, player) in [viewer, viewer.opponent()].into_iter().enumerate() {
            for symbol in Symbol::ALL {
                for hex in self.tokens(player, symbol) {
                    let (row, column) = place(hex);
                    canvas.set(3 * side + symbol.index(), row, column, ninths(self.count_at(player, hex)));
                }
            }
            canvas.fill(6 + side, ninths(self.throws_used(player)));
            for hex in self.throw_zone(player) {
                let (row, column) = place(hex);
                canvas.set(8 + side, row, column, 1.0);
            }
        }
        for hex in Hex::all() {
            let (row, column) = place(hex);
            canvas.set(10, row, column, 1.0);
        }
    }
}
