//! A program that runs once to its end, behind a guard and in a sandbox as a bot does: the build of a stranger's bot.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::channel::Order;
use super::ending::Ending;
use super::lines::{Lines, Silence};
use super::process::Process;
use super::ring::Ring;
use crate::sandbox::{Confinement, Sandbox};

/// How much of the output is kept, and of the error stream.
const KEPT: usize = 64 << 10;
/// Between two looks at a program that has closed its output and goes on.
const PAUSE: Duration = Duration::from_millis(20);
/// Between two questions whether it may go on.
const WATCH: Duration = Duration::from_millis(100);

/// A program that is to run once.
#[derive(Debug, Clone)]
pub struct Errand {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it is started.
    pub folder: PathBuf,
    /// Its sandbox; `None` for none.
    pub sandbox: Option<Sandbox>,
    /// Resident memory in bytes that it and its children may use together.
    pub memory: Option<u64>,
    /// How long it may take; then it is killed with all that it started.
    pub time: Duration,
}

/// How a program that ran once came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Why it did not do its work; `None` if it ended with exit code 0.
    pub problem: Option<String>,
    /// The last of what it wrote to its output and its error stream.
    pub said: String,
}

impl Errand {
    /// Runs the program to its end. `objection` is asked ten times a second, and ends it if it has something to say.
    pub fn run(&self, objection: &mut dyn FnMut() -> Option<String>) -> Outcome {
        let failed = |problem: String| Outcome { problem: Some(problem), said: String::new() };
        let guard = match std::env::current_exe() {
            Ok(guard) => guard,
            Err(error) => return failed(format!("our own program is not to be found: {error}")),
        };
        let confinement =
            self.sandbox.as_ref().map(|one| Confinement::new(one, &self.command, self.folder.clone()));
        let order = Order { command: self.command.clone(), memory: self.memory, confinement };
        let mut process = match Process::spawn(&guard, &order, Some(&self.folder)) {
            Ok(process) => Lines::new(process),
            Err(error) => return failed(format!("the guard cannot be started: {error}")),
        };
        let mut output = Ring::new(KEPT);
        let stopped = self.watch(&mut process, &mut output, objection);
        let (ending, errors) = if stopped.is_some() { process.end() } else { process.finish(PAUSE) };
        let (bytes, lost) = output.take();
        let cut = if lost { "[...] " } else { "" };
        let said = format!("{cut}{}\n{errors}", String::from_utf8_lossy(&bytes).trim_end());
        let problem = stopped.or_else(|| (ending != Ending::Exited(0)).then(|| format!("it {ending}")));
        Outcome { problem, said: said.trim().to_owned() }
    }

    /// Waits for the end; why the program must not go on, if that comes first.
    fn watch(
        &self,
        process: &mut Lines,
        output: &mut Ring,
        objection: &mut dyn FnMut() -> Option<String>,
    ) -> Option<String> {
        let deadline = process.now() + self.time;
        let (mut open, mut asked) = (true, Instant::now());
        loop {
            if process.now() >= deadline {
                return Some(format!("it was not done after {:.0?}", self.time));
            }
            if asked.elapsed() >= WATCH {
                asked = Instant::now();
                if let Some(problem) = objection() {
                    return Some(problem);
                }
            }
            if !open {
                if process.has_ended() {
                    return None;
                }
                std::thread::sleep(PAUSE);
                continue;
            }
            match process.line(deadline) {
                Ok(Some(line)) => {
                    output.push(line);
                    output.push(b"\n");
                }
                Ok(None) | Err(Silence::Deadline(_)) => {}
                // How much it writes is its own affair; only the last of it is kept.
                Err(Silence::LongLine | Silence::Flood) => process.begin(),
                Err(Silence::Closed | Silence::System(_)) => open = false,
            }
        }
    }
}
