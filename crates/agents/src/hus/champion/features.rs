//! The champion's evaluation: a weighted sum whose weights were learned from self-play.

use hus::{Pit, Position};
use search_core::{Evaluate, Features, Player, Score, TurnBased};

/// The features of the champion's evaluation, own less the opponent's: the seeds in each pit, the pits that can be played,
/// the columns and the seeds that stand open to a capture, and whose turn it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct HusFeatures;

/// The features after the 32 pits.
const OTHERS: [&str; 4] = ["moves", "exposed", "columns", "turn"];

/// How many features there are.
pub(crate) const COUNT: usize = Pit::COUNT + OTHERS.len();

impl Features<Position> for HusFeatures {
    fn names(&self) -> Vec<String> {
        let pits = (0..Pit::COUNT).map(|pit| format!("pit{pit}"));
        pits.chain(OTHERS.iter().map(|&name| name.to_owned())).collect()
    }

    fn extract(&self, position: &Position, player: Player, values: &mut [i32]) {
        let opponent = player.opponent();
        let (own, other) = (position.counts(player), position.counts(opponent));
        for ((value, &own), &other) in values.iter_mut().zip(own).zip(other) {
            *value = i32::from(own) - i32::from(other);
        }
        let difference = |fact: fn(&Position, Player) -> u32| {
            fact(position, player) as i32 - fact(position, opponent) as i32
        };
        let others = [
            difference(Position::mobility),
            difference(Position::exposed),
            difference(Position::open_columns),
            if position.to_move() == player { 1 } else { -1 },
        ];
        for (value, other) in values.iter_mut().skip(Pit::COUNT).zip(others) {
            *value = other;
        }
    }
}

/// The evaluation itself. The same sum as `Linear` over [`HusFeatures`], computed side by side without a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learned {
    pits: [i16; Pit::COUNT],
    moves: i32,
    exposed: i32,
    columns: i32,
    turn: i32,
}

/// A weight must lie within this, so that no sum of weights leaves the range of heuristic scores.
const LARGEST: i32 = 20_000;

impl Learned {
    /// The weights that `champion` plays with.
    pub const CHAMPION: [i32; COUNT] = CHAMPION;

    /// An evaluation with these weights, in the order of [`HusFeatures`]; larger ones are cut down to 20,000.
    pub fn new(weights: &[i32; COUNT]) -> Learned {
        let weights = weights.map(|weight| weight.clamp(-LARGEST, LARGEST));
        let [.., moves, exposed, columns, turn] = weights;
        let pits = std::array::from_fn(|pit| weights[pit] as i16);
        Learned { pits, moves, exposed, columns, turn }
    }

    #[inline]
    fn side(&self, position: &Position, player: Player) -> i32 {
        let counts = position.counts(player);
        let seeds: i32 =
            counts.iter().zip(&self.pits).map(|(&count, &weight)| i32::from(count) * i32::from(weight)).sum();
        seeds
            + self.moves * position.mobility(player) as i32
            + self.exposed * position.exposed(player) as i32
            + self.columns * position.open_columns(player) as i32
    }
}

impl Evaluate<Position> for Learned {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        let turn = if position.to_move() == player { self.turn } else { -self.turn };
        Score::new(self.side(position, player) - self.side(position, player.opponent()) + turn)
    }
}

/// Learned by logistic regression of the results of 8,300 games of self-play on the features of their 490,000 positions
/// (`docs/strength/hus.md`). Seeds weigh most on the right of the outer row, far from captures and late in the sowing.
#[rustfmt::skip]
const CHAMPION: [i32; COUNT] = [
    61, 51, 62, 102, 79, 81, 108, 107, 119, 155, 161, 195, 200, 178, 165, 181,
    76, 74, 83, 62, 55, 74, 61, 13, 32, 8, 3, -6, -12, -4, 21, 31,
    54, 1, 170, 419,
];

#[cfg(test)]
mod tests {
    use search_core::{Game, Linear, SearchRng};

    use super::*;

    #[test]
    fn it_is_the_weighted_sum_of_its_features() {
        let linear =
            Linear::new(HusFeatures, Learned::CHAMPION.to_vec()).expect("as many weights as features");
        let learned = Learned::new(&Learned::CHAMPION);
        let mut rng = SearchRng::new(3, "learned");
        let mut position = Position::start();
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            for player in Player::BOTH {
                assert_eq!(
                    learned.evaluate(&position, player),
                    linear.evaluate(&position, player),
                    "{position}"
                );
            }
            position.play(pit);
        }
        assert!(position.plies() > 10);
    }
}
