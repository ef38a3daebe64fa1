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

/// While a round is younger than this, twice as many pieces are done before each next look at the clock. Reading the
/// processor time takes about as long as a short piece of work: looked at after every piece, the clock would be most of
/// what is measured.
const DOUBLING: Duration = Duration::from_millis(10);

/// What is asked of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Ours divided by theirs, in units per second, is at least this.
    Ratio(f64),
    /// Ours does at least this many units per second.
    Rate(f64),
    /// One piece of our work takes at most this many seconds.
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
    parts: Vec<Part>,
    against: Option<&'static str>,
    target: Target,
    clock: Clock,
}

/// The same work by us and by the other, if there is one.
struct Part {
    ours: Work,
    theirs: Option<Work>,
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
    /// do a fixed piece of work of at most 500 ms and return the units done.
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
        let works: (Work, Work) = (Box::new(ours), Box::new(theirs));
        Comparison::mean_ratio(name, about, unit, vec![works], theirs_name, ratio)
    }

    /// Several pieces of work, each by us and by the other: the geometric mean of the ratios is to be at least `ratio`, so
    /// that the longest piece does not decide alone.
    pub fn mean_ratio(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        works: Vec<(Work, Work)>,
        theirs_name: &'static str,
        ratio: f64,
    ) -> Comparison {
        let parts = works.into_iter().map(|(ours, theirs)| Part { ours, theirs: Some(theirs) }).collect();
        let against = Some(theirs_name);
        Comparison { name, about, unit, parts, against, target: Target::Ratio(ratio), clock: Clock::Cpu }
    }

    /// Our work alone, with a target in units per second or in seconds.
    pub fn alone(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        ours: impl FnMut() -> u64 + 'static,
        target: Target,
    ) -> Comparison {
        let parts = vec![Part { ours: Box::new(ours), theirs: None }];
        Comparison { name, about, unit, parts, against: None, target, clock: Clock::Cpu }
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
        let clock = self.clock;
        let origin = Instant::now();
        let parts: Vec<[Option<Medians>; 2]> =
            self.parts.iter_mut().map(|part| part.measure(clock, origin)).collect();
        self.row(&parts)
    }

    /// The row that its measured parts come to.
    fn row(&self, parts: &[[Option<Medians>; 2]]) -> Measured {
        let [ours, theirs] = [0, 1].map(|side| {
            let medians: Vec<Medians> = parts.iter().filter_map(|part| part[side]).collect();
            let seconds: f64 = medians.iter().map(|part| part.seconds).sum();
            let units: f64 = medians.iter().map(|part| part.rate * part.seconds).sum();
            (units / seconds, seconds)
        });
        let ratios: Vec<f64> = parts.iter().filter_map(|part| part[1]).map(|part| part.ratio).collect();
        let mut measured = Measured {
            name: self.name,
            about: self.about,
            unit: self.unit,
            ours: ours.0,
            seconds: ours.1,
            against: self.against,
            theirs: self.against.map(|_| theirs.0),
            ratio: (!ratios.is_empty()).then(|| geometric_mean(&ratios)),
            target: self.target,
            clock: self.clock,
            met: false,
        };
        measured.met = self.target.met(&measured);
        measured
    }
}

/// The medians of one side of a part over its rounds.
#[derive(Debug, Clone, Copy)]
struct Medians {
    rate: f64,
    seconds: f64,
    /// Ours to this one's.
    ratio: f64,
}

impl Part {
    /// Ours and theirs.
    fn measure(&mut self, clock: Clock, origin: Instant) -> [Option<Medians>; 2] {
        // One piece each beforehand, to warm caches and tables up.
        black_box((self.ours)());
        if let Some(theirs) = &mut self.theirs {
            black_box(theirs());
        }
        let mut rounds: [Vec<Round>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            let now = || clock.now(origin);
            rounds[0].push(round(&mut self.ours, now));
            rounds[1].extend(self.theirs.as_mut().map(|theirs| round(theirs, now)));
        }
        let ours: Vec<f64> = rounds[0].iter().map(Round::rate).collect();
        rounds.map(|rounds| {
            let rates: Vec<f64> = rounds.iter().map(Round::rate).collect();
            let ratios = ours.iter().zip(&rates).map(|(ours, this)| ours / this).collect();
            let seconds = rounds.iter().map(Round::seconds_apiece).collect();
            (!rounds.is_empty()).then(|| Medians {
                rate: median(rates),
                seconds: median(seconds),
                ratio: median(ratios),
            })
        })
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

fn round(work: &mut Work, mut now: impl FnMut() -> Duration) -> Round {
    let start = now();
    let (mut units, mut pieces, mut batch) = (0, 0, 1);
    loop {
        for _ in 0..batch {
            units += black_box(work());
        }
        pieces += batch;
        let time = now().saturating_sub(start);
        if time >= ROUND {
            return Round { units, pieces, time };
        }
        if time < DOUBLING {
            batch *= 2;
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

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
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
    /// Ours divided by theirs: the median over the rounds, of several pieces of work the geometric mean.
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
    fn several_pieces_count_by_the_geometric_mean_of_their_ratios() {
        let row = Comparison::mean_ratio("t", "", "pieces", Vec::new(), "another", 1.5);
        let side = |seconds: f64, ratio: f64| Some(Medians { rate: 1.0 / seconds, seconds, ratio });
        // Four times as fast in one piece, as fast in a much longer one: twice as fast on the average.
        let measured = row.row(&[[side(1.0, 1.0), side(4.0, 4.0)], [side(64.0, 1.0), side(64.0, 1.0)]]);
        let ratio = measured.ratio.expect("a ratio");
        assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
        assert_eq!((measured.seconds, measured.ours), (65.0, 2.0 / 65.0));
        assert!(measured.met);
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
    fn short_pieces_are_not_measured_together_with_the_clock() {
        use std::cell::Cell;
        use std::rc::Rc;
        // A piece takes as long as a look at the clock.
        const STEP: Duration = Duration::from_micros(10);
        let time = Rc::new(Cell::new(Duration::ZERO));
        let passing = Rc::clone(&time);
        let mut work: Work = Box::new(move || {
            passing.set(passing.get() + STEP);
            1
        });
        let round = round(&mut work, || {
            time.set(time.get() + STEP);
            time.get()
        });
        assert_eq!(round.units, u64::from(round.pieces));
        assert!(STEP * round.pieces > round.time.mul_f64(0.99), "{round:?}");
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
