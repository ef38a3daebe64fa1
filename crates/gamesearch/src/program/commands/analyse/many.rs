//! Many positions, several at once: a line in, a line out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search_core::{Player, Record, parse_turn};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Analyse, Asked, position};
use crate::Listed;
use crate::program::commands::play::move_limits;
use crate::program::{CommandResult, Failure, jobs, json as form};

/// A position to look at: a line of the input.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    /// Comes back with the answer; the number of the line without one.
    id: Option<Value>,
    /// A position, or `start`; the game's start without one.
    position: Option<String>,
    /// Turns played from there, separated by spaces.
    #[serde(default)]
    turns: String,
    /// Instead of those of the command line.
    limits: Option<String>,
}

impl Query {
    fn read(line: &str) -> Result<Query, String> {
        if line.starts_with('{') {
            return serde_json::from_str(line).map_err(|error| format!("expected a query: {error}"));
        }
        Ok(Query { position: Some(line.to_owned()), ..Query::default() })
    }

    fn record<G: Listed>(&self, seed: u64) -> Result<Record<G>, String> {
        let start = self.position.as_deref().unwrap_or("start");
        let mut record: Record<G> = position(start, seed)?;
        for text in self.turns.split_whitespace() {
            let turn = parse_turn::<G>(record.position().active(), text);
            let turn = turn.map_err(|error| format!("the turn `{text}`: {error}"))?;
            record.play(turn).map_err(|error| format!("the turn `{text}`: {error}"))?;
        }
        Ok(record)
    }
}

/// The lines of the input, shared by all workers.
type Lines = Mutex<(u64, Box<dyn BufRead + Send>)>;

/// The next line with something in it, and its number.
fn next(lines: &Lines) -> io::Result<Option<(u64, String)>> {
    // The thread that held the lock has ended with an error of its own.
    let mut lines = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    loop {
        let mut line = String::new();
        if lines.1.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        lines.0 += 1;
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            return Ok(Some((lines.0, text.to_owned())));
        }
    }
}

/// Answers a file or standard input (`-`), in the order in which searches end.
pub(super) fn run<G: Listed>(arguments: &Analyse, file: &Path) -> CommandResult {
    move_limits(&arguments.limits)?;
    Asked::<G>::new(arguments)?;
    let input: Box<dyn BufRead + Send> = if file == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", file.display())))?;
        Box::new(BufReader::new(file))
    };
    let lines = Mutex::new((0, input));
    let progress = Progress::new();
    let failed = AtomicU64::new(0);
    let jobs = jobs(arguments.jobs);
    let work = || -> Result<(), Failure> {
        let mut asked = Asked::<G>::new(arguments)?;
        while let Some((number, line)) = next(&lines).map_err(Failure::failed)? {
            let answer = answer(&mut asked, arguments, number, &line);
            failed.fetch_add(u64::from(answer.failed), Ordering::Relaxed);
            progress.answered(|| answer.print(arguments.json))?;
        }
        Ok(())
    };
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let ended = |worker: std::thread::ScopedJoinHandle<'_, Result<(), Failure>>| {
            worker.join().unwrap_or_else(|_| Err(Failure::failed("a search panicked")))
        };
        workers.into_iter().map(ended).collect()
    });
    progress.finish();
    results.into_iter().collect::<Result<(), Failure>>()?;
    match failed.into_inner() {
        0 => Ok(ExitCode::SUCCESS),
        failed => Err(Failure::failed(format!("{failed} positions could not be analysed"))),
    }
}

/// What comes back for one line.
struct Answer {
    /// One object for each player who is to move.
    objects: Vec<Value>,
    failed: bool,
}

impl Answer {
    fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for object in &self.objects {
            if json {
                writeln!(out, "{object}")?;
            } else {
                writeln!(out, "{}", in_words(object))?;
            }
        }
        out.flush()
    }
}

/// `ID: p1 plays MOVE, score SCORE: LINE`.
fn in_words(object: &Value) -> String {
    let word = |key: &str| match &object[key] {
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        Value::Object(score) => {
            let parts = score.iter().map(|(kind, number)| format!("{} {number}", kind.replace('_', " ")));
            parts.collect::<Vec<_>>().join(" ").replace("value ", "")
        }
        other => other.to_string(),
    };
    let id = word("id");
    if !object["error"].is_null() {
        return format!("{id}: error: {}", word("error"));
    }
    if !object["over"].is_null() {
        return format!("{id}: the game is over: {}", word("over"));
    }
    let text = format!("{id}: {} plays {}", word("player"), word("move"));
    if object["score"].is_null() {
        return text;
    }
    format!("{text}, score {}, depth {}: {}", word("score"), word("depth"), word("line"))
}

fn answer<G: Listed>(asked: &mut Asked<G>, arguments: &Analyse, number: u64, line: &str) -> Answer {
    let query = Query::read(line);
    let id = query.as_ref().ok().and_then(|query| query.id.clone()).unwrap_or_else(|| json!(number));
    match query.and_then(|query| objects(asked, arguments, &query, &id)) {
        Ok(objects) => Answer { objects, failed: false },
        Err(error) => Answer { objects: vec![json!({ "id": id, "error": error })], failed: true },
    }
}

fn objects<G: Listed>(
    asked: &mut Asked<G>,
    arguments: &Analyse,
    query: &Query,
    id: &Value,
) -> Result<Vec<Value>, String> {
    let limits = query.limits.as_ref().unwrap_or(&arguments.limits);
    let limits = move_limits(limits).map_err(|error| error.to_string())?;
    let record = query.record::<G>(arguments.seed)?;
    if let Some(end) = record.end() {
        let position = record.position().to_string();
        return Ok(vec![json!({ "id": id, "position": position, "over": end.to_string() })]);
    }
    let players: Vec<Player> = record.position().active().players().collect();
    let object = |player: Player| {
        let answer = asked.answer(&record, player, limits)?;
        let mut object = form::answer(&record, player, &answer, arguments.lines);
        object.insert("id".to_owned(), id.clone());
        Ok(Value::Object(object))
    };
    players.into_iter().map(object).collect()
}

/// Between two lines of progress where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How far it is, on standard error.
struct Progress {
    bar: Option<ProgressBar>,
    done: Mutex<(u64, Instant)>,
}

impl Progress {
    fn new() -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} positions, {per_sec}, {elapsed}")
            {
                bar.set_style(style);
            }
            bar
        });
        Progress { bar, done: Mutex::new((0, Instant::now())) }
    }

    /// Prints an answer without tearing the bar.
    fn answered(&self, print: impl FnOnce() -> io::Result<()>) -> Result<(), Failure> {
        let mut done = self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        done.0 += 1;
        let printed = match &self.bar {
            Some(bar) => {
                bar.inc(1);
                bar.suspend(print)
            }
            None => print(),
        };
        if self.bar.is_none() && done.1.elapsed() >= LINE_EVERY {
            done.1 = Instant::now();
            errln!("{} positions", done.0);
        }
        match printed {
            // The reader of the answers has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            printed => printed.map_err(Failure::failed),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
