//! The engine of the page as a program of this machine: what the speed of the page is compared with.
//!
//! ```text
//! cargo run --release -p playground --example engine
//! ```
//!
//! Every line of the input is a message of `PROTOCOL.md`. Its final answer comes back on a line of the output, with the
//! processor time that it took, in seconds, as `processor` beside `done` (the time that passed, where the kernel tells no
//! processor time).

use std::io::{self, BufRead as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use playground::Worker;
use search_core::SystemClock;
use serde_json::{Value, json};

/// The processor time of this thread where the kernel tells it (Linux).
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn main() -> io::Result<()> {
    let mut worker = Worker::default();
    let clock = SystemClock::new();
    for line in io::stdin().lock().lines() {
        let (begun, wall) = (processor_time(), Instant::now());
        let answer = answer(&mut worker, &clock, &line?);
        let took = match (begun, processor_time()) {
            (Some(begun), Some(now)) => now.saturating_sub(begun),
            _ => wall.elapsed(),
        };
        let mut answer: Value = serde_json::from_str(&answer)?;
        answer["processor"] = json!(took.as_secs_f64());
        let mut output = io::stdout().lock();
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// The final answer to a message.
fn answer(worker: &mut Worker, clock: &SystemClock, message: &str) -> String {
    let last = Mutex::new(String::new());
    let mut handle = |message: &str| {
        worker.handle(message, clock, &|text| *last.lock().unwrap_or_else(PoisonError::into_inner) = text);
        last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    };
    let text = handle(message);
    // A job is for another worker; here it is the same.
    if text.contains("\"job\"") { handle(&text) } else { text }
}
