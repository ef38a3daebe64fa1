//! The report's evaluation, with weights of the user's choice.

use std::fmt;
use std::str::FromStr;

use hus::{Pit, Position};
use search_core::{Evaluate, Player, Score};
use thiserror::Error;

/// The report's evaluation, seeds + own moves - opponent's moves, with weights of the user's choice.
///
/// The report counts only the bot's own seeds. Both together are always 96, so twice its value less a constant is the
/// difference of the seeds plus twice the difference of the moves: the same order of positions, and the same for both
/// players with the sign reversed, as every search wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighted {
    /// The worth of a seed in each pit.
    pub pits: [i32; Pit::COUNT],
    /// The worth of a move, counted twice.
    pub moves: i32,
    /// The worth of a seed that stands open to a capture (usually negative).
    pub exposed: i32,
}

impl Weighted {
    /// The report's weights: one for a seed wherever it lies, one for a move.
    pub const REPORT: Weighted = Weighted { pits: [1; Pit::COUNT], moves: 1, exposed: 0 };

    fn side(&self, position: &Position, player: Player) -> i32 {
        let seeds: i32 = position
            .counts(player)
            .iter()
            .zip(&self.pits)
            .map(|(&count, weight)| i32::from(count) * weight)
            .sum();
        let exposed = if self.exposed == 0 { 0 } else { self.exposed * position.exposed(player) as i32 };
        seeds + 2 * self.moves * position.mobility(player) as i32 + exposed
    }
}

impl Evaluate<Position> for Weighted {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        Score::new(self.side(position, player) - self.side(position, player.opponent()))
    }
}

/// Thirty-two weights as a text: one for all pits, or one per pit from 0 to 31, divided by `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PitWeights(pub [i32; Pit::COUNT]);

/// A text that is not a list of pit weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePitWeightsError {
    /// Neither one number nor 32.
    #[error("expected one weight, or 32 divided by `/`, found {0}")]
    Count(usize),
    /// Not a whole number from -100000 to 100000.
    #[error("expected a whole number from -100000 to 100000 as weight {place}, found `{found}`")]
    Number {
        /// Which one, from 0.
        place: usize,
        /// What came instead.
        found: String,
    },
}

impl FromStr for PitWeights {
    type Err = ParsePitWeightsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let weights = text
            .split('/')
            .enumerate()
            .map(|(place, word)| {
                word.parse()
                    .ok()
                    .filter(|weight: &i32| weight.abs() <= 100_000)
                    .ok_or_else(|| ParsePitWeightsError::Number { place, found: word.to_owned() })
            })
            .collect::<Result<Vec<i32>, _>>()?;
        match weights[..] {
            [one] => Ok(PitWeights([one; Pit::COUNT])),
            _ => weights
                .try_into()
                .map(PitWeights)
                .map_err(|weights: Vec<i32>| ParsePitWeightsError::Count(weights.len())),
        }
    }
}

impl fmt::Display for PitWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(|weight| weight.to_string()).join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hus::{Program, ReportSettings};
    use search_core::{Game as _, SearchRng, TurnBased};

    #[test]
    fn the_symmetric_form_orders_like_the_report() {
        let mut rng = SearchRng::new(8, "evaluation");
        let mut never = |_| false;
        let program = Program::new(ReportSettings::PROGRAM, Player::One, &mut never);
        let mut position = Position::start();
        for _ in 0..300 {
            let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
            position.play(mv);
            if position.end().is_some() {
                break;
            }
            let ours = Weighted::REPORT.evaluate(&position, Player::One).value();
            assert_eq!(ours, 2 * program.static_value(&position) - 96 - 2 * 16, "{position}");
            assert_eq!(-ours, Weighted::REPORT.evaluate(&position, Player::Two).value());
        }
        assert!(position.plies() > 10);
    }

    #[test]
    fn pit_weights_are_one_or_thirty_two() {
        assert_eq!("3".parse(), Ok(PitWeights([3; 32])));
        let mixed = PitWeights(std::array::from_fn(|pit| pit as i32 - 4));
        assert_eq!(mixed.to_string().parse(), Ok(mixed));
        assert_eq!("1/2".parse::<PitWeights>(), Err(ParsePitWeightsError::Count(2)));
        assert_eq!(
            "1/x".parse::<PitWeights>().unwrap_err().to_string(),
            "expected a whole number from -100000 to 100000 as weight 1, found `x`"
        );
    }
}
