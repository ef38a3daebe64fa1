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
    /// What an own seed that stands open costs besides once there are no own seeds left; nothing at 48 seeds or more, and in
    /// between in proportion to the seeds below 48. So a player with few seeds plays more defensively.
    pub defence: i32,
    /// What an opponent's seed that stands open is worth besides at the start; nothing from [`OPENING_PLIES`] on, and in
    /// between in proportion to the plies left. So a player is more aggressive early than late.
    pub attack: i32,
}

/// How long the weight of an attack takes to fade away.
pub const OPENING_PLIES: u32 = 60;

impl Weighted {
    /// The report's weights: one for a seed wherever it lies, one for a move.
    pub const REPORT: Weighted =
        Weighted { pits: [1; Pit::COUNT], moves: 1, exposed: 0, defence: 0, attack: 0 };

    fn side(&self, position: &Position, player: Player) -> i32 {
        let seeds: i32 = position
            .counts(player)
            .iter()
            .zip(&self.pits)
            .map(|(&count, weight)| i32::from(count) * weight)
            .sum();
        let exposed = if self.exposed == 0 { 0 } else { self.exposed * position.exposed(player) as i32 };
        seeds + 2 * self.moves * position.mobility(player) as i32 + exposed + self.phase(position, player)
    }

    /// The terms whose weights change during the game.
    fn phase(&self, position: &Position, player: Player) -> i32 {
        const EVEN: u32 = Position::SEEDS / 2;
        let mut sum = 0;
        if self.defence != 0 {
            let missing = EVEN.saturating_sub(position.seeds(player)) as i32;
            sum -= self.defence * position.exposed(player) as i32 * missing / EVEN as i32;
        }
        if self.attack != 0 {
            let left = OPENING_PLIES.saturating_sub(position.plies()) as i32;
            sum += self.attack * position.exposed(player.opponent()) as i32 * left / OPENING_PLIES as i32;
        }
        sum
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
    fn the_weights_follow_the_phase_of_the_game() {
        let mut rng = SearchRng::new(9, "phases");
        let mut position = Position::start();
        let (mut poor, mut even, mut early, mut late) = (0, 0, 0, 0);
        for _ in 0..200 {
            let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
            position.play(mv);
            if position.end().is_some() {
                break;
            }
            let term = |weights: Weighted| {
                let both = |weights: Weighted| weights.evaluate(&position, Player::One).value();
                assert_eq!(both(weights), -weights.evaluate(&position, Player::Two).value(), "{position}");
                both(weights) - both(Weighted::REPORT)
            };
            let defensive = term(Weighted { defence: 4, ..Weighted::REPORT });
            let [mine, theirs] = Player::BOTH.map(|player| position.seeds(player));
            if mine < theirs && position.exposed(Player::One) * (48 - mine) >= 12 {
                assert!(defensive < 0, "{position}: the poorer side hides");
                poor += 1;
            } else if mine == theirs {
                assert_eq!(defensive, 0, "{position}");
                even += 1;
            }
            let aggressive = term(Weighted { attack: 60, ..Weighted::REPORT });
            let open = position.exposed(Player::Two) as i32 - position.exposed(Player::One) as i32;
            if position.plies() >= OPENING_PLIES {
                assert_eq!(aggressive, 0, "{position}");
                late += 1;
            } else {
                assert_eq!(aggressive, open * (OPENING_PLIES - position.plies()) as i32, "{position}");
                early += i32::from(open != 0);
            }
        }
        assert!(poor > 3 && even > 0 && early > 3 && late > 0, "{poor} {even} {early} {late}");
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
