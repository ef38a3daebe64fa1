//! The report's ordering keys: the boom map, the blurred movement map, and booms by what they change.

use ::expendibots::{Move, Position, Square};
use search_core::Player;

use super::token_ratio::{ratio, ratio_of};

/// One-sided weights of the normalised Gaussian kernel of sigma = m: `WEIGHTS[m - 1][distance]`.
#[derive(Debug)]
struct Weights([[f64; 8]; 12]);

impl Weights {
    fn new() -> Weights {
        let mut table = [[0.0; 8]; 12];
        for (row, tokens) in table.iter_mut().zip(1..) {
            *row = Weights::row(tokens);
        }
        Weights(table)
    }

    /// The weights of one kernel.
    fn row(tokens: u8) -> [f64; 8] {
        let sigma = f64::from(tokens);
        let radius = 4 * i32::from(tokens);
        let weight = |d: i32| libm::exp(-f64::from(d * d) / (2.0 * sigma * sigma));
        // Normalised over the whole kernel, also where it leaves the board.
        let sum: f64 = (-radius..=radius).map(weight).sum();
        let mut row = [0.0; 8];
        for (distance, cell) in (0..).zip(&mut row) {
            *cell = if distance <= radius { weight(distance) / sum } else { 0.0 };
        }
        row
    }
}

/// The movement maps of the report, cached: for a number of tokens and a distance in files and in ranks what one token on
/// the boom map adds to the key.
#[derive(Debug)]
pub(crate) struct MovementMaps {
    /// `[m - 1][dx][dy]`: m * w(dx) * w(dy).
    cells: [[[f64; 8]; 8]; 12],
}

impl MovementMaps {
    pub(crate) fn new() -> MovementMaps {
        let weights = Weights::new();
        let mut cells = [[[0.0; 8]; 8]; 12];
        for (index, map) in cells.iter_mut().enumerate() {
            for (dx, column) in map.iter_mut().enumerate() {
                for (dy, cell) in column.iter_mut().enumerate() {
                    *cell = (index + 1) as f64 * weights.0[index][dx] * weights.0[index][dy];
                }
            }
        }
        MovementMaps { cells }
    }

    /// The value of the movement map of `tokens` on `from` at the square `at`.
    pub(crate) fn at(&self, tokens: u8, from: Square, at: Square) -> f64 {
        let dx = usize::from(from.file().abs_diff(at.file()));
        let dy = usize::from(from.rank().abs_diff(at.rank()));
        self.cells[usize::from(tokens.clamp(1, 12)) - 1][dx][dy]
    }

    /// The sum over all squares of movement map times boom map with a map that is blurred for this one move: the work that
    /// the cache saves. The same value as [`BoomMap::key`], before rounding.
    pub(crate) fn uncached_key(map: &BoomMap, tokens: u8, to: Square) -> f64 {
        let weights = Weights::row(tokens.clamp(1, 12));
        let mut blurred = [0.0; Square::COUNT];
        for at in Square::all() {
            let dx = usize::from(to.file().abs_diff(at.file()));
            let dy = usize::from(to.rank().abs_diff(at.rank()));
            blurred[at.index()] = f64::from(tokens) * weights[dx] * weights[dy];
        }
        map.targets.iter().map(|&(square, worth)| blurred[square.index()] * worth).sum()
    }
}

/// For each enemy square the number of enemy tokens that a boom there would take.
#[derive(Debug, Clone)]
pub(crate) struct BoomMap {
    targets: smallvec::SmallVec<[(Square, f64); 12]>,
}

impl BoomMap {
    pub(crate) fn new(position: &Position, mover: Player) -> BoomMap {
        let enemy = mover.opponent();
        let mut targets = smallvec::SmallVec::new();
        for component in position.components_meeting(position.stacks(enemy)) {
            let worth = f64::from(component.tokens(enemy));
            targets.extend((component.squares & position.stacks(enemy)).iter().map(|square| (square, worth)));
        }
        BoomMap { targets }
    }

    /// The enemy squares with their worth, component by component.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (Square, u32)> {
        self.targets.iter().map(|&(square, worth)| (square, worth as u32))
    }

    /// The key of a move that brings the stack on `to` to `tokens`, rounded to 9 decimals: keys that are equal by symmetry
    /// are then equal, whatever the order of summation.
    pub(crate) fn key(&self, maps: &MovementMaps, tokens: u8, to: Square) -> f64 {
        let sum: f64 = self.targets.iter().map(|&(square, worth)| maps.at(tokens, to, square) * worth).sum();
        (sum * 1e9).round() / 1e9
    }
}

/// Computes the keys of all moves of one position, each (tokens, square) once.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    position: &'a Position,
    mover: Player,
    maps: &'a MovementMaps,
    map: BoomMap,
    before: f64,
    /// What was computed so far, by square and tokens; NaN where nothing was.
    known: [[f64; 12]; 64],
}

impl<'a> Keys<'a> {
    pub(crate) fn new(position: &'a Position, mover: Player, maps: &'a MovementMaps) -> Keys<'a> {
        Keys {
            position,
            mover,
            maps,
            map: BoomMap::new(position, mover),
            before: ratio_of(position, mover),
            known: [[f64::NAN; 12]; 64],
        }
    }

    /// The ordering key of a move of the mover.
    pub(crate) fn of(&mut self, mv: Move) -> f64 {
        if mv.is_boom() {
            let taken = self.position.component(mv.from()).map_or([0; 2], |component| component.tokens);
            let left = |player: Player| self.position.tokens(player) - taken[player.index()];
            return 100.0 * (ratio(left(self.mover), left(self.mover.opponent())) - self.before);
        }
        let tokens = mv.count() + self.position.height(mv.to());
        let known = &mut self.known[mv.to().index()][usize::from(tokens.clamp(1, 12)) - 1];
        if known.is_nan() {
            *known = self.map.key(self.maps, tokens, mv.to());
        }
        *known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, printed: f64) -> bool {
        (found - printed).abs() < 5.1e-7
    }

    #[test]
    fn the_kernels_are_the_known_ones() {
        let weights = Weights::new();
        let known: [&[f64]; 3] = [
            &[0.398943, 0.241971, 0.053991, 0.004432, 0.000134, 0.0, 0.0, 0.0],
            &[0.199475, 0.176036, 0.120987, 0.064760, 0.026996, 0.008764, 0.002216, 0.000436],
            &[0.132985, 0.125798, 0.106486, 0.080659, 0.054672, 0.033160, 0.017998, 0.008741],
        ];
        for (row, known) in weights.0.iter().zip(known) {
            for (&found, &printed) in row.iter().zip(known) {
                assert!(close(found, printed), "{found} is not {printed}");
            }
        }
    }

    #[test]
    fn figure_two_is_the_boom_map_of_figure_one() {
        let position: Position = "3aa1aa/3aa1aa/8/3a3D/5a2/b7/1A1B4/BA1AA3 b 21".parse().unwrap();
        let map = BoomMap::new(&position, Player::One);
        for (square, worth) in [("d8", 4.0), ("h7", 4.0), ("d5", 1.0), ("f4", 1.0), ("a3", 2.0), ("a1", 0.0)]
        {
            let square: Square = square.parse().unwrap();
            let found = map.targets.iter().find(|(target, _)| *target == square).map_or(0.0, |entry| entry.1);
            assert_eq!(found, worth, "{square}");
        }
    }
}
