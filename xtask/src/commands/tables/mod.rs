//! `cargo xtask tables`: every number of the four reports that a program can produce, printed and ours side by side.

mod colosseum;
mod expendibots;
mod hus;
mod matches;
mod ropasci360;
mod section;
mod verdict;

use std::fmt::Write as _;
use std::fs;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use gamesearch::{CommandResult, Failure};

pub(crate) use section::Section;

/// How much work to put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Fewer games and shorter searches: to see that everything runs.
    Quick,
    /// What the document is made with.
    Full,
}

impl Effort {
    /// The quick or the full number of something.
    pub(crate) fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }
}

/// Says on standard error what is being worked out, and how long each part took.
#[derive(Debug)]
pub(crate) struct Progress {
    game: &'static str,
    started: Instant,
    /// The parts that are asked for; all without any.
    only: Vec<String>,
}

impl Progress {
    fn new(game: &'static str, only: &[String]) -> Progress {
        Progress { game, started: Instant::now(), only: only.to_vec() }
    }

    /// Works out a section, if it is asked for.
    pub(crate) fn section(&self, what: &str, work: impl FnOnce() -> Section) -> Option<Section> {
        let wanted = self.only.is_empty() || self.only.iter().any(|only| only == what);
        wanted.then(|| self.part(what, work))
    }

    /// Works out one part.
    pub(crate) fn part<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        eprint!("{} {:>4} s  {what} ...", self.game, self.started.elapsed().as_secs());
        let started = Instant::now();
        let done = work();
        eprintln!(" {:.1} s", started.elapsed().as_secs_f64());
        done
    }
}

/// The processor time of all threads of this program so far, where the system tells it.
fn processor_time() -> Option<Duration> {
    /// Ticks of a second, in which Linux counts here.
    const TICKS: u64 = 100;
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name, in brackets, may hold spaces; the two times are the 12th and 13th number after it.
    let numbers = text.rsplit_once(')')?.1.split_whitespace();
    let ticks: u64 = numbers.skip(11).take(2).filter_map(|number| number.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(1000 * ticks / TICKS))
}

/// The processor time that a piece of work on this thread takes; the time on the wall where the system does not tell.
pub(crate) fn time_of<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    // The first number is the time on a processor, in nanoseconds.
    let used = || -> Option<Duration> {
        let line = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        line.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (started, before) = (Instant::now(), used());
    let done = work();
    let wall = started.elapsed();
    let spent = before.zip(used()).map_or(wall, |(before, after)| after.saturating_sub(before));
    (done, spent)
}

/// The shortest time of each piece of work over several rounds, the pieces in turn: what else the machine does falls on all
/// of them, and the shortest time has least of it.
pub(crate) fn fastest<const N: usize>(rounds: usize, mut work: impl FnMut(usize)) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (piece, best) in best.iter_mut().enumerate() {
            *best = (*best).min(time_of_each(|| work(piece)));
        }
    }
    best
}

/// The processor time of a piece of work, repeated until the clock's grain of a few milliseconds does not matter.
pub(crate) fn time_of_each(mut work: impl FnMut()) -> Duration {
    const LEAST: Duration = Duration::from_millis(40);
    let mut times = 1;
    loop {
        let ((), spent) = time_of(|| (0..times).for_each(|_| work()));
        if spent >= LEAST || times >= 1 << 20 {
            return spent / times;
        }
        times *= 4;
    }
}

/// Does pieces of work that look at no clock on all processors; the results in the order of the pieces.
pub(crate) fn in_parallel<T: Send>(pieces: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let threads = gamesearch::processors();
    let mut done: Vec<(u64, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces {
                    return done;
                }
                done.push((piece, work(piece)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        // A piece of work that panics ends the run.
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How many times as long the first took as the second.
pub(crate) fn times(first: Duration, second: Duration) -> f64 {
    first.as_secs_f64() / second.as_secs_f64().max(1e-9)
}

/// Regenerate every number of the four contest reports that a program can produce
///
/// Writes docs/reproduction.md. If games are named, only their chapters are made again. The first line of a
/// chapter says how long it took; with --quick each takes a few seconds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask tables                     all four reports, into docs/reproduction.md
  cargo xtask tables hus                 one chapter of it again
  cargo xtask tables hus --part matches  one section of a chapter
  cargo xtask tables hus --quick --print a quick look at one
  cargo xtask tables hus --quick --json  the same as JSON, an object on a line for each table")]
pub(crate) struct Tables {
    /// The games whose reports to work through [default: all]
    games: Vec<String>,
    /// Play fewer games and search less deeply, to see that everything runs
    #[arg(long)]
    quick: bool,
    /// Make only these parts of a chapter again, by the names that are shown while it is made
    #[arg(long, requires = "games", conflicts_with = "print")]
    part: Vec<String>,
    /// Print the tables instead of writing the document
    #[arg(long)]
    print: bool,
    /// Print JSON instead, one object per line for each table: game, title, text, columns and rows
    #[arg(long, conflicts_with = "print")]
    json: bool,
    /// The file to write
    #[arg(long, default_value = "docs/reproduction.md")]
    out: PathBuf,
}

/// The reports: the game's name, a heading, and what computes its sections.
type Chapter = (&'static str, &'static str, Sections);

/// The sections of a chapter, those that were asked for.
type Sections = fn(Effort, &Progress) -> Vec<Option<Section>>;

const REPORTS: &[Chapter] = &[
    ("expendibots", "Expendibots (Adversarial Attackers)", expendibots::sections),
    ("ropasci360", "RoPaSci 360 (FiveYang)", ropasci360::sections),
    ("hus", "Hus", hus::sections),
    ("colosseum", "Colosseum Survival! (Zhang and Trinh)", colosseum::sections),
];

impl Tables {
    pub(crate) fn run(&self) -> CommandResult {
        for game in &self.games {
            if !REPORTS.iter().any(|(name, ..)| name == game) {
                let known: Vec<&str> = REPORTS.iter().map(|(name, ..)| *name).collect();
                return Err(Failure::usage(format!(
                    "no report on `{game}`; the reports: {}",
                    known.join(", ")
                )));
            }
        }
        if self.json {
            for &(name, _, sections) in REPORTS {
                if self.games.is_empty() || self.games.iter().any(|game| game == name) {
                    let progress = Progress::new(name, &self.part);
                    for section in sections(self.effort(), &progress).into_iter().flatten() {
                        anstream::println!("{}", section.json(name));
                    }
                }
            }
            return Ok(ExitCode::SUCCESS);
        }
        // What stands in the document already, for the chapters that are not asked for.
        let before = if self.games.is_empty() || self.print {
            String::new()
        } else {
            fs::read_to_string(&self.out).unwrap_or_default()
        };
        let mut document = String::from(HEAD);
        for &(name, heading, sections) in REPORTS {
            if self.games.is_empty() || self.games.iter().any(|game| game == name) {
                let kept = chapter_of(&before, heading).unwrap_or_default();
                document.push_str(&self.chapter(name, heading, sections, kept)?);
            } else if let Some(kept) = chapter_of(&before, heading) {
                document.push_str(kept);
            }
        }
        let document = format!("{}\n", document.trim_end());
        if self.print {
            anstream::print!("{document}");
        } else {
            fs::write(&self.out, document).map_err(Failure::cannot("write", &self.out))?;
            eprintln!("wrote {}", self.out.display());
        }
        Ok(ExitCode::SUCCESS)
    }

    fn effort(&self) -> Effort {
        if self.quick { Effort::Quick } else { Effort::Full }
    }

    /// A chapter made anew; of `before`, the chapter as it was, the sections that are not asked for.
    fn chapter(
        &self,
        name: &'static str,
        heading: &str,
        sections: Sections,
        before: &str,
    ) -> Result<String, Failure> {
        let started = processor_time();
        let sections = sections(self.effort(), &Progress::new(name, &self.part));
        let (mode, option) = if self.quick { ("a quick run", " --quick") } else { ("the full run", "") };
        let work = started.zip(processor_time()).map_or(String::new(), |(started, ended)| {
            format!(", {:.0} s of processor time", ended.saturating_sub(started).as_secs_f64())
        });
        let (line, kept) = (format!("From {mode}, `cargo xtask tables {name}{option}`"), sections_of(before));
        let head = if self.part.is_empty() { format!("{line}{work}.") } else { head_of(before).to_owned() };
        if !self.part.is_empty() && (kept.len() != sections.len() || !head.starts_with(&line)) {
            return Err(Failure::usage(format!("{name}: make the whole chapter first, without --part")));
        }
        if sections.iter().all(Option::is_none) {
            return Err(Failure::usage(format!("{name} has no part `{}`", self.part.join("` or `"))));
        }
        let mut chapter = format!("\n## {heading}\n\n{head}\n\n");
        for (place, section) in sections.iter().enumerate() {
            match section {
                Some(section) => _ = writeln!(chapter, "{}", section.markdown()),
                None => _ = writeln!(chapter, "{}\n", kept[place].trim_end()),
            }
        }
        Ok(chapter)
    }
}

/// The line below the heading of a chapter.
fn head_of(chapter: &str) -> &str {
    chapter.lines().find(|line| line.starts_with("From ")).unwrap_or_default()
}

/// The sections of a chapter, each from its heading on.
fn sections_of(chapter: &str) -> Vec<&str> {
    let starts: Vec<usize> = chapter.match_indices("\n### ").map(|(place, _)| place + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([chapter.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &chapter[start..end]).collect()
}

/// The chapter of this heading in a document, with the line feed before it.
pub(crate) fn chapter_of<'a>(document: &'a str, heading: &str) -> Option<&'a str> {
    let start = document.find(&format!("\n## {heading}\n"))?;
    let length = document[start + 1..].find("\n## ").map_or(document.len() - start, |next| next + 1);
    document.get(start..start + length)
}

const HEAD: &str = "# What the reports say, and what comes out here

Made by `cargo xtask tables`; do not edit by hand. Every number of the four contest reports that a program can produce stands
here beside ours, and every claim that can be tried is a row: the claim in our words, where it is *from* (the report itself; notes,
unused functions, test benches and logs that lie *beside the program* the authors published; or *ours*, for comparison), how it was
tested, what came out, and what that makes of the claim. Where a sentence of a report stands is in [claims.md](claims.md).

Scores of matches, shares and correlations carry their 95 % interval in brackets (of matches over pairs of games). *So it* is
computed from the figure and its interval: a claim holds or does not hold where the interval lies wholly on one side, and stays
open where it has room for both. Times are ratios of processor time within one run, because machines differ. Matches and node counts do not look at a
clock and come out the same on every machine; where a row has a time, a ratio of times or an overrun, that part does not.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_chapters_are_found() {
        let document = "# Head\n\n## One\n\ntext\n### Part\n\n## Two\nend\n";
        assert_eq!(chapter_of(document, "One"), Some("\n## One\n\ntext\n### Part\n"));
        assert_eq!(chapter_of(document, "Two"), Some("\n## Two\nend\n"));
        assert_eq!(chapter_of(document, "Three"), None);
    }

    #[test]
    fn sections_of_a_chapter_are_told_apart() {
        let chapter = "\n## One\n\nFrom the full run\n\n### A\n\n1\n\n### B\n\n2\n";
        assert_eq!(sections_of(chapter), ["### A\n\n1\n\n", "### B\n\n2\n"]);
        assert_eq!(head_of(chapter), "From the full run");
        assert!(sections_of("\n## Empty\n").is_empty());
    }

    #[test]
    fn short_work_is_repeated() {
        let mut done = 0;
        time_of_each(|| done += 1);
        assert!(done > 1);
    }

    #[test]
    fn parallel_results_stay_in_order() {
        assert_eq!(
            in_parallel(50, |piece| piece * piece),
            (0..50).map(|piece| piece * piece).collect::<Vec<_>>()
        );
        assert!(in_parallel(0, |piece| piece).is_empty());
    }
}
