//! Measuring one row: rounds of ours and theirs in turn, each long enough to time, medians of what came out.

use std::fmt;
use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

/// One piece of work: does it once and returns how many units (leaves, plies, simulations) it did.
pub type Work = Box<dyn FnMut() -> u64>;

/// How many rounds of each side; the median counts.
const ROUNDS: usize = 5;

/// Work is repeated until a round has taken this long, so that the clock's grain does not matter.
const ROUND: Duration = Duration::from_millis(200);

/// What is asked of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Ours divided by theirs, in units per second, is at least this.
    Ratio(f64),
    /// Ours is at least so many units per second.
    Rate(f64),
    /// One piece of our work takes at most so many seconds.
    Seconds(f64),
}

impl Target {
    fn met(self, measured: &Measured) -> bool {
        match self {
            Target::Ratio(wanted) => measured.ratio.is_some_and(|ratio| ratio >= wanted),
            Target::Rate(wanted) => measured.ours >= wanted,
            Target::Seconds(wanted) => measured.seconds <= wanted,
        }
    }
}

/// Which time counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Processor time of this thread: less disturbed by other processes. For work on one thread.
    Cpu,
    /// Time on the wall: for work on several threads.
    Wall,
}

impl Clock {
    fn now(self, origin: Instant) -> Duration {
        match self {
            Clock::Cpu => thread_cpu_time().unwrap_or_else(|| origin.elapsed()),
            Clock::Wall => origin.elapsed(),
        }
    }
}

/// The processor time of this thread where the kernel tells it (Linux), in nanoseconds.
fn thread_cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// One row: our work, and mostly another's to compare with.
pub struct Comparison {
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    ours: Work,
    theirs: Option<(&'static str, Work)>,
    target: Target,
    clock: Clock,
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("name", &self.name)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl Comparison {
    /// Our work against another's: ours is to do at least `ratio` times the units per second of theirs.
    ///
    /// `name` is `part-subject` in lower case; `about` says what is measured; `unit` is what the work counts. Both closures
    /// do a fixed piece of work of 1 to 500 ms and return the units done.
    ///
    /// ```
    /// use benches::Comparison;
    /// let row = Comparison::ratio(
    ///     "example-sum", "sum of 100,000 numbers", "numbers",
    ///     || std::hint::black_box((0..100_000u64).sum::<u64>()).min(100_000),
    ///     "a fold", || std::hint::black_box((0..100_000u64).fold(0, |a, b| a + b)).min(100_000),
    ///     0.1,
    /// );
    /// assert_eq!(row.name(), "example-sum");
    /// ```
    pub fn ratio(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        ours: impl FnMut() -> u64 + 'static,
        theirs_name: &'static str,
        theirs: impl FnMut() -> u64 + 'static,
        ratio: f64,
    ) -> Comparison {
        Comparison {
            name,
            about,
            unit,
            ours: Box::new(ours),
            theirs: Some((theirs_name, Box::new(theirs))),
            target: Target::Ratio(ratio),
            clock: Clock::Cpu,
        }
    }

    /// Our work alone, with a target in units per second or in seconds.
    pub fn alone(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        ours: impl FnMut() -> u64 + 'static,
        target: Target,
    ) -> Comparison {
        Comparison { name, about, unit, ours: Box::new(ours), theirs: None, target, clock: Clock::Cpu }
    }

    /// Count time on the wall: for work on several threads.
    #[must_use]
    pub fn on_the_wall(self) -> Comparison {
        Comparison { clock: Clock::Wall, ..self }
    }

    /// The name of the row.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Measures the row: rounds of ours and theirs in turn, and the medians.
    pub fn measure(&mut self) -> Measured {
        let origin = Instant::now();
        let clock = self.clock;
        // One piece each beforehand, to warm caches and tables up.
        black_box((self.ours)());
        if let Some((_, theirs)) = &mut self.theirs {
            black_box(theirs());
        }
        let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mine = round(&mut self.ours, clock, origin);
            ours.push(mine);
            if let Some((_, other)) = &mut self.theirs {
                let other = round(other, clock, origin);
                ratios.push(mine.rate() / other.rate());
                theirs.push(other);
            }
        }
        let mut measured = Measured {
            name: self.name,
            about: self.about,
            unit: self.unit,
            ours: median(ours.iter().map(Round::rate).collect()),
            seconds: median(ours.iter().map(Round::seconds_apiece).collect()),
            against: self.theirs.as_ref().map(|(name, _)| *name),
            theirs: (!theirs.is_empty()).then(|| median(theirs.iter().map(Round::rate).collect())),
            ratio: (!ratios.is_empty()).then(|| median(ratios)),
            target: self.target,
            clock,
            met: false,
        };
        measured.met = self.target.met(&measured);
        measured
    }
}

/// What one round came to.
#[derive(Debug, Clone, Copy)]
struct Round {
    units: u64,
    pieces: u32,
    time: Duration,
}

impl Round {
    fn rate(&self) -> f64 {
        self.units as f64 / self.time.as_secs_f64()
    }

    fn seconds_apiece(&self) -> f64 {
        self.time.as_secs_f64() / f64::from(self.pieces)
    }
}

fn round(work: &mut Work, clock: Clock, origin: Instant) -> Round {
    let start = clock.now(origin);
    let (mut units, mut pieces) = (0, 0);
    loop {
        units += black_box(work());
        pieces += 1;
        let time = clock.now(origin).saturating_sub(start);
        if time >= ROUND {
            return Round { units, pieces, time };
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.as_slice() {
        [] => f64::NAN,
        values if values.len() % 2 == 1 => values[middle],
        values => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// A measured row, as printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The name of the row.
    pub name: &'static str,
    /// What is measured.
    pub about: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// Ours, in units per second.
    pub ours: f64,
    /// One piece of our work, in seconds.
    pub seconds: f64,
    /// Who the other is.
    pub against: Option<&'static str>,
    /// Theirs, in units per second.
    pub theirs: Option<f64>,
    /// Ours divided by theirs: the median over the rounds.
    pub ratio: Option<f64>,
    /// What is asked.
    pub target: Target,
    /// Which time counted.
    pub clock: Clock,
    /// Whether the target is met.
    pub met: bool,
}

/// The main function of a package of comparisons: measures the rows whose name is or begins with one of the arguments (all
/// without an argument), and prints one JSON object per row as it is done; `--list` prints the names only.
pub fn main_with(rows: Vec<Comparison>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = arguments.iter().any(|argument| argument == "--list");
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    for mut row in rows {
        if !(wanted.is_empty() || wanted.iter().any(|name| row.name.starts_with(name.as_str()))) {
            continue;
        }
        if list {
            println!("{}", row.name);
            continue;
        }
        match serde_json::to_string(&row.measure()) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                eprintln!("error: the row {} cannot be written: {error}", row.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(vec![]).is_nan());
    }

    #[test]
    fn targets_are_judged_by_their_own_figure() {
        let row = |target| Measured {
            name: "x",
            about: "",
            unit: "",
            ours: 100.0,
            seconds: 0.5,
            against: None,
            theirs: Some(50.0),
            ratio: Some(2.0),
            target,
            clock: Clock::Cpu,
            met: false,
        };
        let met = |target: Target| target.met(&row(target));
        assert!(met(Target::Ratio(2.0)) && !met(Target::Ratio(2.1)));
        assert!(met(Target::Rate(100.0)) && !met(Target::Rate(101.0)));
        assert!(met(Target::Seconds(0.5)) && !met(Target::Seconds(0.4)));
    }

    #[test]
    fn a_row_runs_both_sides_equally_often() {
        use std::cell::Cell;
        use std::rc::Rc;
        let calls = [Rc::new(Cell::new(0_u64)), Rc::new(Cell::new(0_u64))];
        let work = |index: usize| {
            let calls = Rc::clone(&calls[index]);
            move || {
                calls.set(calls.get() + 1);
                // Longer than a round, so that each round is one piece.
                std::thread::sleep(ROUND);
                1
            }
        };
        let mut row = Comparison::ratio("t", "", "calls", work(0), "itself", work(1), 0.5).on_the_wall();
        let measured = row.measure();
        assert_eq!((calls[0].get(), calls[1].get()), (ROUNDS as u64 + 1, ROUNDS as u64 + 1));
        assert!(measured.ratio.is_some() && measured.ours > 0.0);
    }
}
