//! The two players, and how a game can end.

use std::fmt;
use std::str::FromStr;

/// One of the two players. `One` moves first in a turn-based game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The first player, written `p1`.
    One,
    /// The second player, written `p2`.
    Two,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// The other player.
    ///
    /// ```
    /// use search_core::Player;
    /// assert_eq!(Player::One.opponent(), Player::Two);
    /// ```
    #[inline]
    pub const fn opponent(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// 0 for the first player, 1 for the second: an index into arrays of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The player whose turn it is after `plies` strictly alternating plies.
    #[inline]
    pub const fn after(plies: u32) -> Player {
        if plies.is_multiple_of(2) { Player::One } else { Player::Two }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::One => "p1",
            Player::Two => "p2",
        })
    }
}

/// A text that names neither player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsePlayerError(String);

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the player `p1` or `p2`, found `{}`", self.0)
    }
}

impl std::error::Error for ParsePlayerError {}

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "p1" => Ok(Player::One),
            "p2" => Ok(Player::Two),
            other => Err(ParsePlayerError(other.to_owned())),
        }
    }
}

/// How a game ended, not seen from either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// +1 if `player` won, 0 for a draw, -1 if `player` lost.
    ///
    /// ```
    /// use search_core::{Outcome, Player};
    /// assert_eq!(Outcome::Win(Player::Two).sign(Player::One), -1);
    /// ```
    #[inline]
    pub fn sign(self, player: Player) -> i32 {
        match self {
            Outcome::Win(winner) if winner == player => 1,
            Outcome::Win(_) => -1,
            Outcome::Draw => 0,
        }
    }

    /// The winner, if there is one.
    pub fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => player.fmt(f),
            Outcome::Draw => f.pad("draw"),
        }
    }
}

/// A text other than `p1`, `p2` or `draw`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseOutcomeError(String);

impl fmt::Display for ParseOutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected the outcome `p1`, `p2` or `draw`, found `{}`", self.0)
    }
}

impl std::error::Error for ParseOutcomeError {}

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "draw" => Ok(Outcome::Draw),
            other => other.parse().map(Outcome::Win).map_err(|_| ParseOutcomeError(other.to_owned())),
        }
    }
}

/// The end of a game: outcome, the game's own word for the reason, and how it ranks against repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// The game's own word for why, such as `elimination`.
    pub reason: &'static str,
    /// Whether a draw by repetition that falls on the same turn is reported instead (turn caps yield).
    pub yields_to_repetition: bool,
}

impl End {
    /// The reason word of a draw by repetition.
    pub const REPETITION_REASON: &'static str = "repetition";

    /// An end by the rules of the board, which comes before repetition.
    pub const fn by_rule(outcome: Outcome, reason: &'static str) -> End {
        End { outcome, reason, yields_to_repetition: false }
    }

    /// An end by a cap on the number of turns, which comes after repetition.
    pub const fn by_cap(outcome: Outcome, reason: &'static str) -> End {
        End { outcome, reason, yields_to_repetition: true }
    }

    /// A draw by repetition.
    pub const fn by_repetition() -> End {
        End { outcome: Outcome::Draw, reason: End::REPETITION_REASON, yields_to_repetition: false }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for player in Player::BOTH {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        for outcome in [Outcome::Win(Player::One), Outcome::Win(Player::Two), Outcome::Draw] {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!(
            "p3".parse::<Outcome>().unwrap_err().to_string(),
            "expected the outcome `p1`, `p2` or `draw`, found `p3`"
        );
    }

    #[test]
    fn the_sign_is_seen_from_a_player() {
        assert_eq!(Outcome::Win(Player::One).sign(Player::One), 1);
        assert_eq!(Outcome::Win(Player::One).sign(Player::Two), -1);
        assert_eq!(Outcome::Draw.sign(Player::Two), 0);
        assert_eq!(Player::after(7), Player::Two);
    }
}
