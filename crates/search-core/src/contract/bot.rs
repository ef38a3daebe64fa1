//! Who plays: the one trait between searches and the code that runs games.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::{Analysis, Child, Clock, Game, Limits, Player, Record, StopFlag, SystemClock};

/// A listener to the progress of a bot that thinks.
pub type Watcher<'a, M> = &'a (dyn Fn(&Analysis<M>) + Sync);

/// The question put to a bot: choose a move for `player`.
pub struct Task<'a, G: Game> {
    /// The game so far; not over, and `player` is active.
    pub record: &'a Record<G>,
    /// Whose move is wanted.
    pub player: Player,
    /// What the move may cost.
    pub limits: Limits,
    /// Raised when the answer is wanted at once.
    pub stop: &'a StopFlag,
    /// The clock that counts.
    pub clock: &'a dyn Clock,
    /// Hears of progress while the bot thinks (UGI's `info`, the terminal's thinking line).
    pub watch: Option<Watcher<'a, G::Move>>,
}

impl<'a, G: Game> Task<'a, G> {
    /// A question whose progress nobody listens to.
    pub fn plain(
        record: &'a Record<G>,
        player: Player,
        limits: Limits,
        stop: &'a StopFlag,
        clock: &'a dyn Clock,
    ) -> Task<'a, G> {
        Task { record, player, limits, stop, clock, watch: None }
    }

    /// Whether there is nothing to choose, because the game is over.
    pub fn is_over(&self) -> bool {
        self.record.end().is_some() || self.record.position().end().is_some()
    }
}

impl<G: Game> fmt::Debug for Task<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("position", &self.record.position().to_string())
            .field("player", &self.player)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The answer of a bot.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<M> {
    /// The move to play.
    pub mv: M,
    /// What the bot saw, if it looks ahead.
    pub analysis: Option<Analysis<M>>,
}

impl<M> Answer<M> {
    /// A move without any analysis.
    pub fn plain(mv: M) -> Self {
        Answer { mv, analysis: None }
    }
}

/// How a bot failed to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// It could not be started.
    Start,
    /// It ended, panicked or raised an error.
    Crash,
    /// It did not answer in time.
    Time,
    /// It answered something that cannot be understood.
    Protocol,
    /// It answered with a move that the rules do not allow.
    Illegal,
    /// It used more memory than it may.
    Memory,
    /// It was interfered with, so that what happened says nothing about the bot.
    Tampering,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [FailureKind; 7] = [
        FailureKind::Start,
        FailureKind::Crash,
        FailureKind::Time,
        FailureKind::Protocol,
        FailureKind::Illegal,
        FailureKind::Memory,
        FailureKind::Tampering,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            FailureKind::Start => "start",
            FailureKind::Crash => "crash",
            FailureKind::Time => "time",
            FailureKind::Protocol => "protocol",
            FailureKind::Illegal => "illegal",
            FailureKind::Memory => "memory",
            FailureKind::Tampering => "tampering",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A text that names no kind of failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseFailureError(String);

impl fmt::Display for ParseFailureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = FailureKind::ALL.map(FailureKind::word).join(", ");
        write!(f, "expected a kind of failure ({words}), found `{}`", self.0)
    }
}

impl Error for ParseFailureError {}

impl FromStr for FailureKind {
    type Err = ParseFailureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let kind = FailureKind::ALL.into_iter().find(|kind| kind.word() == text);
        kind.ok_or_else(|| ParseFailureError(text.to_owned()))
    }
}

/// A bot that did not give a usable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotFailure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// What happened, for people.
    pub message: String,
}

impl BotFailure {
    /// A failure with a message for people.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        BotFailure { kind, message: message.into() }
    }
}

impl fmt::Display for BotFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl Error for BotFailure {}

/// A player of the game `G`. Object-safe: runners hold `Box<dyn Bot<G>>`.
///
/// A bot is made for one game at a time: the runner calls [`Bot::new_game`] before the first move, with the seed of all
/// the randomness the bot may use. The same seed, record and limits (other than time) give the same answer.
pub trait Bot<G: Game>: Send {
    /// Learns how the start of the next game came about: by these turns from `origin`. Told before
    /// [`Bot::new_game`], and only by a runner that knows it. Most bots need the position alone; one that can only
    /// follow a game move by move needs this.
    fn opening(&mut self, origin: &G, turns: &[G::Turn]) {
        let _ = (origin, turns);
    }

    /// Forgets everything about earlier games.
    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        let _ = (player, seed);
        Ok(())
    }

    /// Whether it plays only games that begin at the game's own start, with nothing played before: a player by a script, say.
    /// Asked after [`Bot::new_game`]. A tournament then gives it no other games.
    fn plays_from_the_start_only(&self) -> bool {
        false
    }

    /// The processor time that a program of its own has used so far, children included; nothing for a bot that runs in the
    /// runner's process, and where the system does not tell.
    fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// What its last search remembers of the moves of the player to move at the end of `line`: the game it was asked about
    /// with turns after it. `None` from a bot that keeps nothing to look into.
    fn children(&self, line: &Record<G>) -> Option<Vec<Child<G::Move>>> {
        let _ = line;
        None
    }

    /// Chooses a move.
    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure>;
}

/// Asks a bot for a move as in a new game, so that the answer depends on no question before, by the clock of the system.
pub fn ask_anew<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    seed: u64,
) -> Result<Answer<G::Move>, BotFailure> {
    bot.new_game(player, seed)?;
    bot.choose(&Task::plain(record, player, limits, &StopFlag::new(), &SystemClock::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_failure_round_trip() {
        for kind in FailureKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "tired".parse::<FailureKind>().unwrap_err().to_string();
        assert_eq!(
            error,
            "expected a kind of failure (start, crash, time, protocol, illegal, memory, tampering), found `tired`"
        );
    }
}
