//! Scores of a search: a number from the mover's view in which quicker wins are worth more.

use std::fmt;
use std::ops::Neg;

use crate::Outcome;
use crate::Player;

/// The value of a position for the player to move. Larger is better for the mover; negate it for the opponent.
///
/// Heuristic values lie strictly within ±[`Score::BOUND`]; beyond that stand proven wins and losses, which carry
/// the distance to the end: `win_in(3)` is worth more than `win_in(5)`.
///
/// ```
/// use search_core::Score;
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert!(Score::win_in(900) > Score::new(1_000_000));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A win on the spot.
    const WIN: i32 = 1_000_000_000;
    /// The longest distance to an end that a score can carry.
    pub const MAX_PLIES: u32 = 100_000;
    /// Every heuristic value lies strictly between `-BOUND` and `BOUND`.
    pub const BOUND: i32 = Self::WIN - Self::MAX_PLIES as i32 - 1;
    /// Nobody is ahead.
    pub const DRAW: Score = Score(0);
    /// Below every other score: the lower end of a full window.
    pub const MIN: Score = Score(-Self::WIN - 1);
    /// Above every other score: the upper end of a full window.
    pub const MAX: Score = Score(Self::WIN + 1);

    /// A heuristic value, clamped into the range that proven results leave free.
    #[inline]
    pub const fn new(value: i32) -> Score {
        if value >= Self::BOUND {
            Score(Self::BOUND - 1)
        } else if value <= -Self::BOUND {
            Score(1 - Self::BOUND)
        } else {
            Score(value)
        }
    }

    /// The mover wins after `plies` plies.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        let plies = if plies > Self::MAX_PLIES { Self::MAX_PLIES } else { plies };
        Score(Self::WIN - plies as i32)
    }

    /// The mover loses after `plies` plies.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Self::win_in(plies).0)
    }

    /// The score of a finished game for `player`, `plies` plies below the root.
    #[inline]
    pub fn of_outcome(outcome: Outcome, player: Player, plies: u32) -> Score {
        match outcome.sign(player) {
            1 => Score::win_in(plies),
            -1 => Score::loss_in(plies),
            _ => Score::DRAW,
        }
    }

    /// The plain number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// A score from a number that came out of [`Score::value`]; anything outside the range is clamped.
    #[inline]
    pub const fn from_value(value: i32) -> Score {
        if value > Self::MAX.0 {
            Self::MAX
        } else if value < Self::MIN.0 {
            Self::MIN
        } else {
            Score(value)
        }
    }

    /// Whether this is a proven win of the mover.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Self::BOUND
    }

    /// Whether this is a proven loss of the mover.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::BOUND
    }

    /// Whether the game-theoretic result (win or loss) is proven.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// What the score is worth as a share of a win, from -1 for a loss to 1 for a win: `half_win` is the score that is worth
    /// half of one.
    pub(crate) fn share_of_a_win(self, half_win: f64) -> f64 {
        if self.is_decided() {
            return f64::from(self.0.signum());
        }
        let value = f64::from(self.0);
        value / (value.abs() + half_win.max(f64::MIN_POSITIVE))
    }

    /// Plies to the end for a proven win or loss.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_decided() { Some((Self::WIN - self.0.abs()).unsigned_abs()) } else { None }
    }

    /// The score one ply further from the end, as the parent sees the child before negation.
    #[inline]
    pub const fn one_ply_later(self) -> Score {
        if self.is_win() {
            Score(self.0 - 1)
        } else if self.is_loss() {
            Score(self.0 + 1)
        } else {
            self
        }
    }
}

/// What a score says about the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// This is the score.
    #[default]
    Exact = 3,
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// `+12`, `-3`, `0`, or `win in 5`, `loss in 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => f.pad(&format!("win in {plies}")),
            Some(plies) => f.pad(&format!("loss in {plies}")),
            None if self.0 > 0 => f.pad(&format!("+{}", self.0)),
            None => f.pad(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_results_stand_beyond_every_heuristic_value() {
        assert!(Score::win_in(Score::MAX_PLIES) > Score::new(i32::MAX));
        assert!(Score::loss_in(Score::MAX_PLIES) < Score::new(i32::MIN));
        assert!(Score::MAX > Score::win_in(0) && Score::MIN < Score::loss_in(0));
        assert!(!Score::new(i32::MAX).is_decided() && Score::win_in(u32::MAX).is_win());
    }

    #[test]
    fn a_score_is_worth_a_share_of_a_win() {
        for (score, share) in [
            (Score::DRAW, 0.0),
            (Score::new(100), 0.5),
            (Score::new(-300), -0.75),
            (Score::win_in(9), 1.0),
            (Score::loss_in(0), -1.0),
        ] {
            assert_eq!(score.share_of_a_win(100.0), share, "{score}");
        }
        assert_eq!(Score::DRAW.share_of_a_win(0.0), 0.0);
    }

    #[test]
    fn distances_come_back() {
        assert_eq!(Score::win_in(7).plies_to_end(), Some(7));
        assert_eq!(Score::loss_in(7).one_ply_later(), Score::loss_in(8));
        assert_eq!(Score::win_in(7).one_ply_later(), Score::win_in(8));
        assert_eq!(Score::new(7).one_ply_later(), Score::new(7));
        assert_eq!(Score::loss_in(2).to_string(), "loss in 2");
        assert_eq!(Score::new(4).to_string(), "+4");
        assert_eq!(Score::from_value(Score::loss_in(2).value()), Score::loss_in(2));
    }
}
