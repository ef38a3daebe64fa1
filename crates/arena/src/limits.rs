//! The limits of a match: what a player may spend on each move, or on the whole game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use search_core::{Limits, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How time is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeControl {
    /// A time for each move; what is left over is lost.
    PerMove {
        /// For every move.
        each: Duration,
        /// For a player's first move, if it is another time.
        first: Option<Duration>,
    },
    /// One clock for the whole game.
    PerGame {
        /// What stands on the clock at the start.
        total: Duration,
        /// What is added after each move.
        increment: Duration,
    },
}

/// What time is counted against limits in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// What passes on the wall, from question to answer.
    #[default]
    Wall,
    /// What the processor works for the player.
    Cpu,
}

impl ClockKind {
    /// Whether this is the time on the wall.
    pub fn is_wall(&self) -> bool {
        *self == ClockKind::Wall
    }
}

/// The limits of one player in a match. Its text is a list such as `nodes=10000,movetime=200ms,first=2s`.
///
/// ```
/// use arena::MatchLimits;
/// let limits: MatchLimits = "movetime=200ms,first=2s".parse().unwrap();
/// assert_eq!(limits.to_string(), "movetime=200ms,first=2s");
/// assert!(!limits.is_deterministic());
/// assert!("nodes=10000".parse::<MatchLimits>().unwrap().is_deterministic());
/// assert!("movetime=fast".parse::<MatchLimits>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchLimits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Playouts per move.
    pub playouts: Option<u64>,
    /// Time.
    pub time: Option<TimeControl>,
}

impl MatchLimits {
    /// Only a number of nodes per move.
    pub fn nodes(nodes: u64) -> MatchLimits {
        MatchLimits { nodes: Some(nodes), ..MatchLimits::default() }
    }

    /// Only a time control.
    pub fn time(time: TimeControl) -> MatchLimits {
        MatchLimits { time: Some(time), ..MatchLimits::default() }
    }

    /// Whether no limit depends on a clock, so that the same seed gives the same game.
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }

    /// The same limits with every time multiplied by a factor: what a machine of another speed is given.
    ///
    /// ```
    /// use arena::MatchLimits;
    /// let limits: MatchLimits = "nodes=500,movetime=200ms,first=2s".parse().unwrap();
    /// assert_eq!(limits.scaled(1.5).to_string(), "nodes=500,movetime=300ms,first=3s");
    /// ```
    #[must_use]
    pub fn scaled(self, factor: f64) -> MatchLimits {
        // Whole microseconds, at least one and at most what a limit may be.
        let longer = |time: Duration| {
            let micros = (time.as_micros() as f64 * factor).round().clamp(1.0, 604_800e6);
            Duration::from_micros(micros as u64)
        };
        let time = self.time.map(|control| match control {
            TimeControl::PerMove { each, first } => {
                TimeControl::PerMove { each: longer(each), first: first.map(longer) }
            }
            TimeControl::PerGame { total, increment } => TimeControl::PerGame {
                total: longer(total),
                increment: if increment.is_zero() { increment } else { longer(increment) },
            },
        });
        MatchLimits { time, ..self }
    }
}

impl fmt::Display for MatchLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.playouts.map(|playouts| format!("playouts={playouts}")));
        match self.time {
            Some(TimeControl::PerMove { each, first }) => {
                parts.push(format!("movetime={}", duration_text(each)));
                parts.extend(first.map(|first| format!("first={}", duration_text(first))));
            }
            Some(TimeControl::PerGame { total, increment }) => {
                parts.push(format!("gametime={}", duration_text(total)));
                if !increment.is_zero() {
                    parts.push(format!("inc={}", duration_text(increment)));
                }
            }
            None => {}
        }
        f.pad(&if parts.is_empty() { "none".to_owned() } else { parts.join(",") })
    }
}

/// A text that is not a list of limits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseLimitsError {
    /// A part without a value.
    #[error("expected `key=value` with one of the keys {KEYS}, found `{0}`")]
    NoValue(String),
    /// An unknown key.
    #[error("there is no limit `{0}`; the limits are {KEYS}")]
    UnknownKey(String),
    /// The same key twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A text that is not a number.
    #[error("{key}: expected a whole number from 1, found `{found}`")]
    Number {
        /// The limit.
        key: String,
        /// What came.
        found: String,
    },
    /// A text that is not a duration.
    #[error("{key}: expected a time such as `200ms`, `2s` or `1.5s`, found `{found}`")]
    Duration {
        /// The limit.
        key: String,
        /// What came.
        found: String,
    },
    /// Limits that do not go together.
    #[error("{0}")]
    Together(&'static str),
}

const KEYS: &str = "depth, nodes, playouts, movetime, first, gametime, inc";

impl FromStr for MatchLimits {
    type Err = ParseLimitsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut limits = MatchLimits::default();
        let (mut movetime, mut first, mut gametime, mut increment) = (None, None, None, None);
        if text.trim() == "none" {
            return Ok(limits);
        }
        let mut seen: Vec<&str> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| ParseLimitsError::NoValue(part.to_owned()))?;
            if seen.contains(&key) {
                return Err(ParseLimitsError::Twice(key.to_owned()));
            }
            seen.push(key);
            let number =
                || {
                    value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(|| {
                        ParseLimitsError::Number { key: key.to_owned(), found: value.to_owned() }
                    })
                };
            let duration = || {
                parse_duration(value).ok_or_else(|| ParseLimitsError::Duration {
                    key: key.to_owned(),
                    found: value.to_owned(),
                })
            };
            match key {
                "depth" => limits.depth = Some(number()?.min(u64::from(u32::MAX)) as u32),
                "nodes" => limits.nodes = Some(number()?),
                "playouts" => limits.playouts = Some(number()?),
                "movetime" => movetime = Some(duration()?),
                "first" => first = Some(duration()?),
                "gametime" => gametime = Some(duration()?),
                "inc" => increment = Some(duration()?),
                other => return Err(ParseLimitsError::UnknownKey(other.to_owned())),
            }
        }
        limits.time = match (movetime, gametime) {
            (Some(_), Some(_)) => {
                return Err(ParseLimitsError::Together("`movetime` and `gametime` exclude each other"));
            }
            (Some(each), None) => Some(TimeControl::PerMove { each, first }),
            (None, Some(total)) => {
                Some(TimeControl::PerGame { total, increment: increment.unwrap_or_default() })
            }
            (None, None) => None,
        };
        if first.is_some() && movetime.is_none() {
            return Err(ParseLimitsError::Together("`first` needs `movetime`"));
        }
        if increment.is_some() && gametime.is_none() {
            return Err(ParseLimitsError::Together("`inc` needs `gametime`"));
        }
        Ok(limits)
    }
}

/// Reads `200ms`, `2s`, `1.5s`, `3m`, `500us`; `None` for anything else, zero and more than a week.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * factor;
    // Whole microseconds; what rounds to none is no limit.
    let micros = (seconds * 1e6).round();
    (micros >= 1.0 && seconds <= 604_800.0).then(|| Duration::from_micros(micros as u64))
}

/// The shortest exact text of a duration that [`parse_duration`] reads.
pub fn duration_text(duration: Duration) -> String {
    let micros = duration.as_micros();
    if micros.is_multiple_of(1_000_000) {
        format!("{}s", micros / 1_000_000)
    } else if micros.is_multiple_of(1000) {
        format!("{}ms", micros / 1000)
    } else {
        format!("{micros}us")
    }
}

/// An answer that came too late even with the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overrun {
    /// The time allowed for the move.
    pub(crate) allowed: Duration,
    /// How far a clock per game was below zero before.
    pub(crate) overdrawn: Duration,
}

/// One player's clock during one game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayerClock {
    limits: MatchLimits,
    /// What is left of a time per game, in nanoseconds. It goes below zero as far as the margin, which is so spent once a
    /// game and not once a move.
    balance: i128,
    moves: u32,
}

impl PlayerClock {
    pub(crate) fn new(limits: MatchLimits) -> PlayerClock {
        let balance = match limits.time {
            Some(TimeControl::PerGame { total, .. }) => nanos(total),
            _ => 0,
        };
        PlayerClock { limits, balance, moves: 0 }
    }

    /// Whether the time of a move decides anything.
    pub(crate) fn is_timed(&self) -> bool {
        self.limits.time.is_some()
    }

    /// The time for the next move, all included.
    pub(crate) fn budget(&self) -> Option<Duration> {
        Some(match self.limits.time? {
            TimeControl::PerMove { first: Some(first), .. } if self.moves == 0 => first,
            TimeControl::PerMove { each, .. } => each,
            TimeControl::PerGame { .. } => duration(self.balance),
        })
    }

    /// What the bot is told.
    pub(crate) fn limits(&self) -> Limits {
        let time = match self.limits.time {
            Some(TimeControl::PerGame { increment, .. }) => {
                Some(Time::Game { left: duration(self.balance), increment })
            }
            _ => self.budget().map(Time::Move),
        };
        let MatchLimits { depth, nodes, playouts, .. } = self.limits;
        Limits { depth, nodes, playouts, time }
    }

    /// Takes the time of a move off the clock; what was exceeded if it was too long even with the margin.
    pub(crate) fn spend(&mut self, used: Duration, margin: Duration) -> Result<(), Overrun> {
        let Some(allowed) = self.budget() else { return Ok(()) };
        self.moves += 1;
        let overdrawn = match self.limits.time {
            Some(TimeControl::PerGame { increment, .. }) => {
                let overdrawn = duration(-self.balance);
                self.balance += nanos(increment) - nanos(used);
                overdrawn
            }
            _ => Duration::ZERO,
        };
        if used + overdrawn > allowed + margin { Err(Overrun { allowed, overdrawn }) } else { Ok(()) }
    }
}

fn nanos(time: Duration) -> i128 {
    // Even the longest duration has far fewer than 2^127 nanoseconds.
    time.as_nanos() as i128
}

/// A number of nanoseconds as a time; zero if it is negative.
fn duration(nanos: i128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos.max(0)).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in [
            "none",
            "depth=4",
            "nodes=10000,playouts=2000",
            "movetime=200ms,first=2s",
            "gametime=60s,inc=100ms",
            "gametime=1500us",
            "depth=3,nodes=1,playouts=2,movetime=1s",
        ] {
            let limits: MatchLimits = text.parse().unwrap();
            assert_eq!(limits.to_string(), text);
        }
        assert_eq!("gametime=1.5m".parse::<MatchLimits>().unwrap().to_string(), "gametime=90s");
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (text, part) in [
            ("", "key=value"),
            ("nodes", "key=value"),
            ("nodez=3", "no limit `nodez`"),
            ("nodes=0", "whole number from 1, found `0`"),
            ("nodes=-4", "found `-4`"),
            ("movetime=200", "`200ms`"),
            ("movetime=0s", "found `0s`"),
            ("movetime=1s,gametime=2s", "exclude"),
            ("first=1s", "needs `movetime`"),
            ("inc=1s,nodes=4", "needs `gametime`"),
            ("nodes=4,nodes=5", "twice"),
        ] {
            let error = text.parse::<MatchLimits>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn clocks_count_per_move_and_per_game() {
        let second = Duration::from_secs(1);
        let mut clock = PlayerClock::new("movetime=1s,first=3s".parse().unwrap());
        assert_eq!(clock.limits().time, Some(Time::Move(3 * second)));
        assert_eq!(clock.spend(3 * second, Duration::ZERO), Ok(()));
        assert_eq!(clock.limits().time, Some(Time::Move(second)));
        let overrun = Overrun { allowed: second, overdrawn: Duration::ZERO };
        assert_eq!(clock.spend(2 * second, second / 2), Err(overrun));

        let mut clock = PlayerClock::new("gametime=3s,inc=1s".parse().unwrap());
        assert_eq!(clock.spend(2 * second, Duration::ZERO), Ok(()));
        assert_eq!(clock.limits().time, Some(Time::Game { left: 2 * second, increment: second }));
        // Within the margin the clock goes below zero, and its increment pays that back.
        assert_eq!(clock.spend(2 * second + second / 4, second / 2), Ok(()));
        assert_eq!(clock.limits().time, Some(Time::Game { left: second * 3 / 4, increment: second }));
        assert_eq!(clock.spend(second * 9 / 4, second / 2 * 3), Ok(()));
        assert_eq!(clock.limits().time, Some(Time::Game { left: Duration::ZERO, increment: second }));
        let overrun = Overrun { allowed: Duration::ZERO, overdrawn: second / 2 };
        assert_eq!(clock.spend(second / 4, second / 2), Err(overrun));
    }
}
