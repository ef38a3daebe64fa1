//! Time management, and the question "must I stop?" asked cheaply inside a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::{Active, Clock, Game, Limits, StopFlag, StopReason, Task, Time};

/// The most that is counted between two looks at the clock. A look costs a fraction of a microsecond, and nodes may become
/// dearer from one to the next: a position with captures costs more than one without.
const LONGEST_INTERVAL: u64 = 256;

/// How a search divides its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSettings {
    /// Share of a per-move time that is used, from 0 to 1.
    pub share: f64,
    /// The same for a player's first move of the game, where some contests give much more time.
    pub first_share: f64,
    /// What is always left over, for the way of the answer to the referee; at most a tenth of the time given.
    pub margin: Duration,
    /// On a clock for the whole game: for how many more moves the time has to last.
    pub moves_left: u32,
    /// On a clock for the whole game: how many times its share a move may take at most.
    pub stretch: f64,
}

impl Default for TimeSettings {
    fn default() -> Self {
        TimeSettings {
            share: 0.97,
            first_share: 0.97,
            margin: Duration::from_millis(5),
            moves_left: 25,
            stretch: 3.0,
        }
    }
}

impl TimeSettings {
    /// The soft and the hard bound of one move: nothing new is started after the first, the answer is due by the
    /// second.
    ///
    /// ```
    /// use std::time::Duration;
    /// use search_core::{Time, TimeSettings};
    /// let settings = TimeSettings { share: 0.75, first_share: 0.8, margin: Duration::ZERO, ..TimeSettings::default() };
    /// let two_seconds = Time::Move(Duration::from_secs(2));
    /// assert_eq!(settings.bounds(two_seconds, false).1, Duration::from_millis(1500));
    /// assert_eq!(settings.bounds(two_seconds, true).1, Duration::from_millis(1600));
    /// ```
    pub fn bounds(&self, time: Time, first_move: bool) -> (Duration, Duration) {
        match time {
            Time::Bounds { soft, hard } => (soft.min(hard), hard),
            Time::Move(whole) => {
                let share = if first_move { self.first_share } else { self.share };
                let hard = scale(whole, share).min(whole.saturating_sub(self.margin.min(whole / 10)));
                (hard, hard)
            }
            Time::Game { left, increment } => {
                let usable = left.saturating_sub(self.margin.min(left / 10));
                let soft = usable / self.moves_left.max(1) + scale(increment, 0.75);
                // Never more than half of what is left, however large the increment is.
                let hard = scale(soft, self.stretch).min(usable / 2);
                (soft.min(hard), hard)
            }
        }
    }
}

/// A share of a duration; nonsense factors count as 0 or 1.
fn scale(time: Duration, factor: f64) -> Duration {
    let factor = if factor.is_nan() { 1.0 } else { factor.clamp(0.0, 1000.0) };
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(time)
}

/// What the threads of one search tell each other.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    stop: AtomicBool,
    nodes: AtomicU64,
}

impl Shared {
    /// Makes every thread of the search come back.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The limits of one running search, as one of its threads sees them.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    clock: &'a dyn Clock,
    flag: &'a StopFlag,
    shared: &'a Shared,
    started: Duration,
    /// No new iteration after this.
    pub(crate) soft: Option<Duration>,
    hard: Option<Duration>,
    count_limit: Option<u64>,
    limit_reason: StopReason,
    threads: bool,
    /// The local count at which the next look at flag and clock is due.
    next_look: u64,
    interval: u64,
    last_look: Duration,
    reported: u64,
    stopped: Option<StopReason>,
}

impl<'a> Budget<'a> {
    /// The budget of one thread of a search that has just been asked. A player's first move of the game may have a time of its
    /// own.
    pub(crate) fn of<G: Game>(task: &Task<'a, G>, settings: &TimeSettings, shared: &'a Shared) -> Self {
        let turns = task.record.turns().len();
        let first_move = match task.record.position().active() {
            Active::One(_) => turns < 2,
            Active::Both => turns == 0,
        };
        Budget::new(&task.limits, settings, first_move, task.clock, task.stop, shared)
    }

    /// The budget of one thread. What is counted (nodes or playouts) is up to the caller; `count_limit` is its limit
    /// over all threads.
    fn new(
        limits: &Limits,
        settings: &TimeSettings,
        first_move: bool,
        clock: &'a dyn Clock,
        flag: &'a StopFlag,
        shared: &'a Shared,
    ) -> Self {
        let started = clock.now();
        let bounds = limits.time.map(|time| settings.bounds(time, first_move));
        Budget {
            clock,
            flag,
            shared,
            started,
            soft: bounds.map(|(soft, _)| soft),
            hard: bounds.map(|(_, hard)| hard),
            count_limit: None,
            limit_reason: StopReason::Nodes,
            threads: false,
            next_look: 0,
            interval: 1,
            last_look: started,
            reported: 0,
            stopped: None,
        }
    }

    /// The same for a search that began at `started`, before it had prepared what it needs: that time is its own too.
    pub(crate) fn since(mut self, started: Duration) -> Self {
        self.started = started;
        self
    }

    /// The same with a limit on what is counted.
    pub(crate) fn with_count(mut self, limit: Option<u64>, reason: StopReason) -> Self {
        self.count_limit = limit;
        self.limit_reason = reason;
        self
    }

    /// The same for a search on several threads, whose counts are added up.
    pub(crate) fn with_threads(mut self, threads: bool) -> Self {
        self.threads = threads;
        self
    }

    /// Time since the start of the search.
    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// Why the search has to come back, if it has to.
    #[inline]
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Whether the search must come back now; `count` is what this thread has counted so far. Cheap: it looks at
    /// flag and clock only every so often, about every half millisecond.
    #[inline]
    pub(crate) fn must_stop(&mut self, count: u64) -> bool {
        count >= self.next_look && self.look(count)
    }

    #[cold]
    fn look(&mut self, count: u64) -> bool {
        if self.stopped.is_some() {
            return true;
        }
        let mut total = count;
        if self.threads {
            let news = count - self.reported;
            self.reported = count;
            total = self.shared.nodes.fetch_add(news, Ordering::Relaxed) + news;
        }
        let now = self.clock.now();
        // Slow nodes are looked at more often, fast ones more rarely.
        let gone = now.saturating_sub(self.last_look);
        self.last_look = now;
        if gone > Duration::from_millis(1) {
            self.interval = (self.interval / 4).max(1);
        } else if gone < Duration::from_micros(250) {
            self.interval = (self.interval * 2).min(LONGEST_INTERVAL);
        }
        if self.count_limit.is_some_and(|limit| total >= limit) {
            self.stopped = Some(self.limit_reason);
        } else if self.flag.is_set() {
            self.stopped = Some(StopReason::Stopped);
        } else if self.hard.is_some_and(|hard| now.saturating_sub(self.started) >= hard) {
            self.stopped = Some(StopReason::Time);
        } else if self.shared.stop.load(Ordering::Relaxed) {
            self.stopped = Some(StopReason::Depth);
        }
        // Once it is over, every look says so.
        self.next_look = if self.stopped.is_some() { 0 } else { count + self.interval };
        if !self.threads
            && let Some(limit) = self.count_limit
        {
            self.next_look = self.next_look.min(limit);
        }
        self.stopped.is_some()
    }

    /// The time until the answer is due, if the clock decides.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.elapsed()))
    }

    /// The time until the last tenth of it begins, in which nothing is done that cannot be broken off; without end where the clock
    /// does not decide.
    pub(crate) fn free_time(&self) -> Duration {
        self.hard.map_or(Duration::MAX, |hard| hard.saturating_sub(hard / 10).saturating_sub(self.elapsed()))
    }

    /// Whether the soft time is over: nothing new should be started.
    pub(crate) fn soft_over(&self) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_clock_is_never_used_up_by_one_move() {
        let settings = TimeSettings::default();
        for left in [0, 1, 50, 1000, 60_000] {
            for increment in [0, 10, 5000] {
                let left = Duration::from_millis(left);
                let increment = Duration::from_millis(increment);
                let (soft, hard) = settings.bounds(Time::Game { left, increment }, false);
                assert!(soft <= hard && hard <= left / 2, "{left:?} {increment:?}: {soft:?} {hard:?}");
            }
        }
    }

    #[test]
    fn nothing_long_begins_in_the_last_tenth() {
        #[derive(Debug)]
        struct Hands(AtomicU64);
        impl Clock for Hands {
            fn now(&self) -> Duration {
                Duration::from_millis(self.0.load(Ordering::Relaxed))
            }
        }
        let (hands, shared, flag) = (Hands(AtomicU64::new(7)), Shared::default(), StopFlag::new());
        let settings = TimeSettings { share: 1.0, margin: Duration::ZERO, ..TimeSettings::default() };
        let limits = Limits::movetime(Duration::from_millis(100));
        let budget = Budget::new(&limits, &settings, false, &hands, &flag, &shared);
        for (now, free) in [(7, 90), (57, 40), (96, 1), (97, 0), (200, 0)] {
            hands.0.store(now, Ordering::Relaxed);
            assert_eq!(budget.free_time(), Duration::from_millis(free));
        }
        let budget = Budget::new(&Limits::default(), &settings, false, &hands, &flag, &shared);
        assert_eq!(budget.free_time(), Duration::MAX);
    }

    #[test]
    fn a_node_limit_is_met_exactly_and_a_flag_is_seen() {
        #[derive(Debug)]
        struct Still;
        impl Clock for Still {
            fn now(&self) -> Duration {
                Duration::ZERO
            }
        }
        let shared = Shared::default();
        let flag = StopFlag::new();
        let settings = TimeSettings::default();
        let mut budget = Budget::new(&Limits::default(), &settings, false, &Still, &flag, &shared)
            .with_count(Some(5000), StopReason::Nodes);
        assert_eq!((0..10_000).find(|&count| budget.must_stop(count)), Some(5000));
        assert_eq!(budget.stopped(), Some(StopReason::Nodes));

        let mut budget = Budget::new(&Limits::default(), &settings, false, &Still, &flag, &shared);
        assert!(!(0..10_000).any(|count| budget.must_stop(count)));
        flag.stop();
        assert!((10_000..11_025).any(|count| budget.must_stop(count)));
        assert_eq!(budget.stopped(), Some(StopReason::Stopped));
    }
}
