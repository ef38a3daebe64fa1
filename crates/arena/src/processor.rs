//! Processor time instead of time by the wall: of a thread of ours, and of the processes of a bot from outside.

use std::fs;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use search_core::Clock;

/// Whether this system tells the processor time of other processes.
pub fn counts_processor_time() -> bool {
    fs::read_to_string("/proc/self/stat").is_ok_and(|stat| ticks(&stat).is_some())
}

/// A clock that goes only while the thread that made it runs.
#[derive(Debug)]
pub struct ThreadClock {
    owner: ThreadId,
    /// What the owner read last, and when that was.
    read: Mutex<(Duration, Instant)>,
}

impl ThreadClock {
    /// The clock of this thread.
    pub fn new() -> ThreadClock {
        ThreadClock { owner: thread::current().id(), read: Mutex::new((own_time(), Instant::now())) }
    }
}

impl Default for ThreadClock {
    fn default() -> ThreadClock {
        ThreadClock::new()
    }
}

impl Clock for ThreadClock {
    /// A helper of the owner cannot read the owner's time; for it the clock goes on by the wall from the owner's last reading.
    fn now(&self) -> Duration {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if thread::current().id() == self.owner {
            *read = (own_time(), Instant::now());
            read.0
        } else {
            read.0 + read.1.elapsed()
        }
    }
}

/// The processor time of this thread.
fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The own time and that of children waited for, in ticks, from the text of `/proc/PID/stat`.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    // The name stands in parentheses and may itself hold blanks and parentheses.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut times = rest.split_whitespace().skip(11).map_while(|word| word.parse::<u64>().ok());
    let mut pair = || Some(times.next()? + times.next()?);
    Some((pair()?, pair()?))
}

/// What these processes and their ended children have used, and the ended children of `root`.
pub(crate) fn time_of(root: u32, processes: impl Iterator<Item = u32>) -> Option<Duration> {
    // A process may end while the list is read.
    let read = |number: u32| ticks(&fs::read_to_string(format!("/proc/{number}/stat")).ok()?);
    let (_, mut sum) = read(root)?;
    sum += processes.filter_map(read).map(|(own, children)| own + children).sum::<u64>();
    Some(Duration::from_millis(sum * 1000 / rustix::param::clock_ticks_per_second().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_holds_the_times() {
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 100 0 0 0 7 3 20 5 20 0 1 0 100";
        assert_eq!(ticks(stat), Some((10, 25)));
        assert_eq!(ticks("42 (a) S 1"), None);
    }

    #[test]
    fn a_clock_stands_while_its_thread_sleeps() {
        let clock = ThreadClock::new();
        let (before, begin) = (clock.now(), Instant::now());
        thread::sleep(Duration::from_millis(60));
        let slept = clock.now().saturating_sub(before);
        assert!(slept < begin.elapsed() / 2, "{slept:?}");
        // Work is counted, and a helper's clock goes on while the owner waits.
        while clock.now().saturating_sub(before) < Duration::from_millis(2) {}
        thread::scope(|scope| {
            scope.spawn(|| {
                let before = clock.now();
                thread::sleep(Duration::from_millis(5));
                assert!(clock.now() >= before + Duration::from_millis(5));
            });
        });
    }
}
