//! What ends a search: depth, nodes, playouts, time, or a request from outside.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time a search may take for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Start nothing new after `soft`, be back by `hard`.
    Bounds {
        /// Start no new iteration after this.
        soft: Duration,
        /// Answer by this at the latest.
        hard: Duration,
    },
    /// This much for the move; what is left unused is lost.
    Move(Duration),
    /// A clock for the rest of the game.
    Game {
        /// What is left on the clock before this move.
        left: Duration,
        /// What is added after each move.
        increment: Duration,
    },
}

/// The limits of one search. Whichever comes first ends it; without any, a search runs until it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Depth in plies of the last iteration.
    pub depth: Option<u32>,
    /// Visited nodes, quiescence included.
    pub nodes: Option<u64>,
    /// Playouts (simulations) of a Monte Carlo search.
    pub playouts: Option<u64>,
    /// Time for this move.
    pub time: Option<Time>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a number of playouts.
    pub fn playouts(playouts: u64) -> Limits {
        Limits { playouts: Some(playouts), ..Limits::default() }
    }

    /// Only a time for this move.
    pub fn movetime(time: Duration) -> Limits {
        Limits { time: Some(Time::Move(time)), ..Limits::default() }
    }

    /// The limit on nodes of a search that makes no playouts. Where playouts are all that is limited, each stands for a
    /// node: such a search would never end.
    ///
    /// ```
    /// use search_core::Limits;
    /// assert_eq!(Limits::playouts(200).node_limit(), Some(200));
    /// assert_eq!(Limits { playouts: Some(200), ..Limits::depth(4) }.node_limit(), None);
    /// ```
    pub fn node_limit(&self) -> Option<u64> {
        match *self {
            Limits { depth: None, nodes: None, playouts, time: None } => playouts,
            Limits { nodes, .. } => nodes,
        }
    }

    /// What is left of the time when so much of it has gone by. An increment still comes after the move.
    ///
    /// ```
    /// use std::time::Duration;
    /// use search_core::Limits;
    /// let [ten, three] = [10, 3].map(Duration::from_millis);
    /// assert_eq!(Limits::movetime(ten).after(three), Limits::movetime(ten - three));
    /// assert_eq!(Limits::movetime(three).after(ten), Limits::movetime(Duration::ZERO));
    /// assert_eq!(Limits::depth(4).after(ten), Limits::depth(4));
    /// ```
    #[must_use]
    pub fn after(self, used: Duration) -> Limits {
        let time = self.time.map(|time| match time {
            Time::Move(whole) => Time::Move(whole.saturating_sub(used)),
            Time::Bounds { soft, hard } => {
                Time::Bounds { soft: soft.saturating_sub(used), hard: hard.saturating_sub(used) }
            }
            Time::Game { left, increment } => Time::Game { left: left.saturating_sub(used), increment },
        });
        Limits { time, ..self }
    }

    /// Both sets of limits at once: the smaller of each.
    #[must_use]
    pub fn and(self, cap: Limits) -> Limits {
        fn min<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            }
        }
        Limits {
            depth: min(self.depth, cap.depth),
            nodes: min(self.nodes, cap.nodes),
            playouts: min(self.playouts, cap.playouts),
            time: self.time.or(cap.time),
        }
    }
}

/// A flag that stops a search from outside. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is down.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks the search to come back.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers the flag again, before the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A source of time: how long it is since some fixed moment. Handed in by the caller, so that searches also run where
/// the standard clock does not exist (a browser), and tests can turn the hands.
pub trait Clock: Debug + Send + Sync {
    /// Time since a fixed moment of this clock's own.
    fn now(&self) -> Duration;
}

/// The clock of the operating system. On `wasm32-unknown-unknown`, which has none, it stands still: hand in a clock of
/// the host instead.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    #[cfg(not(target_family = "wasm"))]
    origin: std::time::Instant,
}

impl SystemClock {
    /// A clock that starts now.
    pub fn new() -> SystemClock {
        SystemClock {
            #[cfg(not(target_family = "wasm"))]
            origin: std::time::Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        SystemClock::new()
    }
}

impl Clock for SystemClock {
    #[cfg(not(target_family = "wasm"))]
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    #[cfg(target_family = "wasm")]
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}
