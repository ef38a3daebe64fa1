//! The progress of a run: a bar in a terminal, plain lines elsewhere.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use arena::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Prepared;
use crate::program::run_folder::RunFolder;

/// Plain lines come so often.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How many bots of a game provisional standings name.
const BEST: usize = 12;
/// Provisional standings are counted anew so often.
const STANDINGS_EVERY: Duration = Duration::from_secs(2);

pub(super) struct Live<'a> {
    prepared: &'a Prepared,
    bar: Option<ProgressBar>,
    last_line: Instant,
    last_standings: Option<Instant>,
    standings: String,
}

impl<'a> Live<'a> {
    pub(super) fn new(prepared: &'a Prepared, folder: &RunFolder, jobs: usize) -> Live<'a> {
        let plan = &prepared.plan;
        let games = arena::Schedule::new(plan).games();
        errln!(
            "{games} games of {} by {}, {jobs} at a time, into {}",
            plan.events.iter().map(|event| event.name.as_str()).collect::<Vec<_>>().join(", "),
            plan.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", "),
            folder.path().display()
        );
        if !prepared.not_reproducible.is_empty() {
            errln!("not reproducible: {}", prepared.not_reproducible.join("; "));
        }
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(5));
            let style = "{bar:30.cyan} {pos}/{len} games  {msg}";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar
        });
        Live { prepared, bar, last_line: Instant::now(), last_standings: None, standings: String::new() }
    }

    pub(super) fn show(&mut self, progress: &Progress<'_>) {
        let rate = progress.fresh as f64 / progress.elapsed.as_secs_f64().max(1e-9);
        let left = progress.total.saturating_sub(progress.done);
        let time_left = match left {
            0 => String::new(),
            _ if progress.fresh == 0 => "time left unknown".to_owned(),
            left => format!("{} left", span(left as f64 / rate)),
        };
        if let Some(bar) = &self.bar {
            if self.last_standings.is_none_or(|last| last.elapsed() >= STANDINGS_EVERY) {
                self.last_standings = Some(Instant::now());
                self.standings = provisional(self.prepared, progress);
            }
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(format!("{rate:.1}/s  {time_left}\n{}", self.standings));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (done, total) = (progress.done, progress.total);
            errln!("{done}/{total} games, {rate:.1}/s, {time_left}");
            err!("{}", provisional(self.prepared, progress));
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// One line for each event: the bots with their points, best first.
fn provisional(prepared: &Prepared, progress: &Progress<'_>) -> String {
    let mut text = String::new();
    for (event, tally) in prepared.plan.events.iter().zip(&progress.results.tallies) {
        let scores = arena::provisional(&prepared.plan, tally);
        let bots: Vec<String> = scores
            .iter()
            .take(BEST)
            .map(|(bot, score)| format!("{} {:.0} %", arena::shown(bot), 100.0 * score))
            .collect();
        let more = if scores.len() > BEST { ", …" } else { "" };
        if !bots.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {}: {}{more}", event.name, bots.join(", "));
        }
    }
    if let (Some(state), Some(test)) = (progress.results.sprt, prepared.plan.sprt) {
        let (lower, upper) = test.bounds();
        let pairs = state.pairs.pairs();
        let _ =
            writeln!(text, "  SPRT: LLR {:.2} within {lower:.2} and {upper:.2}, {pairs} pairs", state.llr);
    }
    text
}

/// `42 s`, `3 min`, `2.5 h`.
fn span(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else if seconds < 5400.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}
