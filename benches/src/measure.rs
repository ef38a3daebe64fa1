//! Measuring one row: rounds of ours and theirs in turn, each long enough to time, medians of what came out.

use std::fmt;
use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

/// One piece of work: does it once and says what came of it.
pub type Work = Box<dyn FnMut() -> Done>;

/// How many units (leaves, plies, simulations) a piece of work did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// The units.
    pub units: u64,
    /// The processor time it took, where the work knows better than this thread's clock: another process does it.
    pub took: Option<Duration>,
}

impl From<u64> for Done {
    fn from(units: u64) -> Done {
        Done { units, took: None }
    }
}

/// How many rounds of each side; the median counts.
const ROUNDS: usize = 5;

/// A row whose rounds lie on both sides of its target is measured again, as often again as this at most.
const REPEATS: usize = 2;

/// Work is repeated until a round has taken this long, so that the clock's grain does not matter.
const ROUND: Duration = Duration::from_millis(200);

/// While a round is younger than this, twice as many pieces are done before each next look at the clock. Reading the
/// processor time takes about as long as a short piece of work: looked at after every piece, the clock would be most of
/// what is measured.
const DOUBLING: Duration = Duration::from_millis(10);

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

/// One row: our work, and another's to compare with.
pub struct Comparison {
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    /// The same work by us and by the other.
    parts: Vec<[Work; 2]>,
    against: &'static str,
    target: f64,
    clock: Clock,
    rounds: usize,
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
    /// do a fixed piece of work of at most 500 ms (rows of longer pieces take fewer [rounds](Comparison::with_rounds)) and return the
    /// units done. Every row has another to be measured against: a target in units per second would be one for a machine.
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
    pub fn ratio<D: Into<Done>, E: Into<Done>>(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        ours: impl FnMut() -> D + 'static,
        theirs_name: &'static str,
        theirs: impl FnMut() -> E + 'static,
        ratio: f64,
    ) -> Comparison {
        let works = (work(ours), work(theirs));
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
        let parts = works.into_iter().map(|(ours, theirs)| [ours, theirs]).collect();
        Comparison {
            name,
            about,
            unit,
            parts,
            against: theirs_name,
            target: ratio,
            clock: Clock::Cpu,
            rounds: ROUNDS,
        }
    }

    /// As many rounds instead of five: for pieces of work that take seconds.
    #[must_use]
    pub fn with_rounds(self, rounds: usize) -> Comparison {
        Comparison { rounds: rounds.max(1), ..self }
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

    /// Measures the row: rounds of ours and theirs in turn, and the medians. A row whose rounds lie on both sides of the target
    /// is measured again.
    pub fn measure(&mut self) -> Measured {
        let clock = self.clock;
        let origin = Instant::now();
        // One piece each beforehand, to warm caches and tables up.
        for work in self.parts.iter_mut().flatten() {
            black_box(work());
        }
        let mut rounds: Vec<[Vec<Round>; 2]> = self.parts.iter().map(|_| [Vec::new(), Vec::new()]).collect();
        for _ in 0..=REPEATS {
            for _ in 0..self.rounds {
                for (part, rounds) in self.parts.iter_mut().zip(&mut rounds) {
                    for (work, rounds) in part.iter_mut().zip(rounds) {
                        rounds.push(round(work, || clock.now(origin)));
                    }
                }
            }
            if !straddles(&ratios(&rounds), self.target) {
                break;
            }
        }
        self.row(&rounds)
    }

    /// The row that the rounds of its parts come to.
    fn row(&self, rounds: &[[Vec<Round>; 2]]) -> Measured {
        let [ours, theirs] = [0, 1].map(|side| {
            let (mut units, mut seconds) = (0.0, 0.0);
            for part in rounds {
                let apiece = median(part[side].iter().map(Round::seconds_apiece).collect());
                seconds += apiece;
                units += median(part[side].iter().map(Round::rate).collect()) * apiece;
            }
            (units / seconds, seconds)
        });
        let by_part: Vec<f64> =
            rounds.iter().map(|part| median(ratios(std::slice::from_ref(part)))).collect();
        let ratio = geometric_mean(&by_part);
        let by_round = ratios(rounds);
        Measured {
            name: self.name,
            about: self.about,
            unit: self.unit,
            ours: ours.0,
            seconds: ours.1,
            against: self.against,
            theirs: theirs.0,
            ratio,
            lowest: by_round.iter().copied().fold(f64::INFINITY, f64::min),
            highest: by_round.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            rounds: by_round.len(),
            target: self.target,
            clock: self.clock,
            met: ratio >= self.target,
        }
    }
}

/// A closure as a piece of work.
pub fn work<D: Into<Done>>(mut work: impl FnMut() -> D + 'static) -> Work {
    Box::new(move || work().into())
}

/// Ours to theirs in each round, of several parts the geometric mean.
fn ratios(parts: &[[Vec<Round>; 2]]) -> Vec<f64> {
    let rounds = parts.iter().map(|[ours, theirs]| ours.len().min(theirs.len())).min().unwrap_or(0);
    let in_round = |round: usize| {
        let of = |part: &[Vec<Round>; 2]| part[0][round].rate() / part[1][round].rate();
        geometric_mean(&parts.iter().map(of).collect::<Vec<f64>>())
    };
    (0..rounds).map(in_round).collect()
}

/// Whether some rounds met the target and others did not.
fn straddles(ratios: &[f64], target: f64) -> bool {
    let met = ratios.iter().filter(|&&ratio| ratio >= target).count();
    met > 0 && met < ratios.len()
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
    let mut told = None;
    loop {
        for _ in 0..batch {
            let done = black_box(work());
            units += done.units;
            if let Some(took) = done.took {
                *told.get_or_insert(Duration::ZERO) += took;
            }
        }
        pieces += batch;
        let time = told.unwrap_or_else(|| now().saturating_sub(start));
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
    pub against: &'static str,
    /// Theirs, in units per second.
    pub theirs: f64,
    /// Ours divided by theirs: the median over the rounds, of several pieces of work the geometric mean.
    pub ratio: f64,
    /// The ratio in the round that was worst for us.
    pub lowest: f64,
    /// The ratio in the round that was best for us.
    pub highest: f64,
    /// How many rounds were measured.
    pub rounds: usize,
    /// The ratio that is asked at least.
    pub target: f64,
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
        let side = |seconds: u64| vec![Round { units: 1, pieces: 1, time: Duration::from_secs(seconds) }];
        // Four times as fast in one piece, as fast in a much longer one: twice as fast on the average.
        let measured = row.row(&[[side(1), side(4)], [side(64), side(64)]]);
        assert!((measured.ratio - 2.0).abs() < 1e-12, "{}", measured.ratio);
        assert_eq!((measured.seconds, measured.ours, measured.rounds), (65.0, 2.0 / 65.0, 1));
        assert!(measured.met && (measured.lowest - measured.highest).abs() < 1e-12);
    }

    #[test]
    fn a_row_is_printed_as_xtask_reads_it() {
        let row = Measured {
            name: "hus-perft",
            about: "perft 6",
            unit: "leaves",
            ours: 5.0e8,
            seconds: 0.11,
            against: "naive",
            theirs: 1.0e8,
            ratio: 5.0,
            lowest: 4.5,
            highest: 6.25,
            rounds: 15,
            target: 6.0,
            clock: Clock::Cpu,
            met: false,
        };
        // The test of `cargo xtask compare` reads this file.
        assert_eq!(serde_json::to_string(&row).unwrap() + "\n", include_str!("row.json"));
    }

    #[test]
    fn a_row_straddles_its_target_if_its_rounds_disagree() {
        assert!(straddles(&[0.9, 1.1, 1.2], 1.0));
        assert!(!straddles(&[1.0, 1.1], 1.0));
        assert!(!straddles(&[0.8, 0.9], 1.0));
        assert!(!straddles(&[], 1.0));
    }

    #[test]
    fn a_row_that_straddles_its_target_is_measured_again() {
        use std::cell::Cell;
        use std::rc::Rc;
        let calls = Rc::new(Cell::new(0_u64));
        let count = Rc::clone(&calls);
        // Another process tells its time: now faster than ours, now slower.
        let told = move || {
            count.set(count.get() + 1);
            Done { units: 1, took: Some(ROUND * (1 + 2 * (count.get() % 2) as u32)) }
        };
        let ours = || Done { units: 1, took: Some(2 * ROUND) };
        let measured = Comparison::ratio("t", "", "calls", ours, "a moody one", told, 1.0).measure();
        assert_eq!((measured.rounds, calls.get()), (ROUNDS * (1 + REPEATS), 1 + measured.rounds as u64));
        assert!(measured.lowest < 1.0 && measured.highest > 1.0, "{measured:?}");
    }

    #[test]
    fn short_pieces_are_not_measured_together_with_the_clock() {
        use std::cell::Cell;
        use std::rc::Rc;
        // A piece takes as long as a look at the clock.
        const STEP: Duration = Duration::from_micros(10);
        let time = Rc::new(Cell::new(Duration::ZERO));
        let passing = Rc::clone(&time);
        let mut work = work(move || {
            passing.set(passing.get() + STEP);
            1_u64
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
                1_u64
            }
        };
        let mut row = Comparison::ratio("t", "", "calls", work(0), "itself", work(1), 0.5).on_the_wall();
        let measured = row.measure();
        assert_eq!((calls[0].get(), calls[1].get()), (ROUNDS as u64 + 1, ROUNDS as u64 + 1));
        assert!(measured.ratio > 0.0 && measured.ours > 0.0);
    }
}
