//! Facts about the machine of a run: times mean nothing without them.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// What a run was played on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as the system names it.
    pub processor: String,
    /// Processors that a process may use.
    pub cores: usize,
    /// Memory in MiB, if known.
    pub memory_mib: Option<u64>,
    /// The operating system.
    pub system: String,
    /// The compiler, if the program knows it.
    pub compiler: String,
    /// The version of this program.
    pub version: String,
    /// How busy it was, as measured around a run with limits in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Load>,
}

impl Machine {
    /// This machine. `compiler` and `version` are those of the calling program.
    pub fn here(compiler: &str, version: &str) -> Machine {
        let field = |text: &str, name: &str| {
            text.lines()
                .find(|line| line.starts_with(name))
                .and_then(|line| line.split_once(':'))
                .map(|(_, value)| value.trim().to_owned())
        };
        let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = field(&processors, "model name").or_else(|| field(&processors, "CPU implementer"));
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Machine {
            processor: processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mib: field(&memory, "MemTotal")
                .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
                .map(|kib| kib / 1024),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: compiler.to_owned(),
            version: version.to_owned(),
            loads: Vec::new(),
        }
    }
}

/// How much of a processor a thread gets that could use all of one: measured by workers that do nothing but read the clock, as many as
/// games are played at the same time. Where the clock jumps, something else had the processor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// How many workers measured at the same time.
    pub workers: usize,
    /// The share of the time in which they did not run, from 0 to 1.
    pub lost: f64,
    /// The longest time in which one of them did not run, in milliseconds.
    pub longest_ms: f64,
}

/// A reading of the clock takes far less; a longer jump is time that another process had.
const JUMP: Duration = Duration::from_micros(100);
/// A bot that loses more of its time than this is not the bot that was to be measured.
const MOST_LOST: f64 = 0.1;

impl Load {
    /// Measures for about so long.
    pub fn measure(workers: usize, time: Duration) -> Load {
        let workers = workers.max(1);
        let (lost, longest) = std::thread::scope(|scope| {
            let running: Vec<_> =
                (0..workers).map(|_| scope.spawn(move || jumps(time, Instant::now))).collect();
            running
                .into_iter()
                .filter_map(|worker| worker.join().ok())
                .fold((Duration::ZERO, Duration::ZERO), |(lost, longest), jumps| {
                    (lost + jumps.0, longest.max(jumps.1))
                })
        });
        let whole = time.as_secs_f64() * workers as f64;
        Load {
            workers,
            lost: if whole > 0.0 { (lost.as_secs_f64() / whole).min(1.0) } else { 0.0 },
            longest_ms: longest.as_secs_f64() * 1e3,
        }
    }

    /// Whether limits in time mean little on a machine like this.
    pub fn is_busy(&self) -> bool {
        self.lost > MOST_LOST
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Load { workers, lost, longest_ms } = self;
        let who = if *workers == 1 { "one worker".to_owned() } else { format!("each of {workers} workers") };
        write!(
            f,
            "{who} went without a processor for {:.0} % of the time, at most {longest_ms:.1} ms at once",
            100.0 * lost
        )
    }
}

/// The sum of all jumps of a clock that is read until it has gone on so far, and the longest of them.
fn jumps(time: Duration, now: impl Fn() -> Instant) -> (Duration, Duration) {
    let begin = now();
    let (mut last, mut sum, mut longest) = (begin, Duration::ZERO, Duration::ZERO);
    while last - begin < time {
        let read = now();
        let jump = read - last;
        last = read;
        if jump > JUMP {
            sum += jump;
            longest = longest.max(jump);
        }
    }
    (sum, longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn jumps_of_the_clock_are_lost_time() {
        // Ten readings, 10 us apart, and a jump of 4 ms after every tenth.
        let (begin, readings) = (Instant::now(), Cell::new(0_u64));
        let clock = || {
            let number = readings.replace(readings.get() + 1);
            begin + Duration::from_micros(number * 10 + number / 10 * 4000)
        };
        let (sum, longest) = jumps(Duration::from_millis(41), clock);
        assert_eq!(longest, Duration::from_micros(4010));
        assert_eq!(sum, Duration::from_micros(40_100));
    }

    #[test]
    fn a_load_is_told_in_a_sentence() {
        let load = Load { workers: 2, lost: 0.34, longest_ms: 12.04 };
        assert!(load.is_busy() && !Load { lost: 0.1, ..load }.is_busy());
        assert_eq!(
            load.to_string(),
            "each of 2 workers went without a processor for 34 % of the time, at most 12.0 ms at once"
        );
        let load = Load::measure(1, Duration::from_millis(5));
        assert!((0.0..=1.0).contains(&load.lost) && load.longest_ms >= 0.0, "{load:?}");
    }
}
