//! The guard: a small process between runner and bot that makes sure nothing of the bot outlives its game.
//!
//! It is our own program started again. It starts the bot in a process group of its own, with the runner's pipes as the
//! bot's input and output (so no byte passes through the guard), and waits for one of two things: the bot ends, or the
//! control pipe from the runner closes, which happens when the runner lets go of the bot and also when the runner dies,
//! however it dies. Then it kills whatever is left: the group, and on Linux also descendants that left the group,
//! because the guard is the reaper of its orphans. At last it tells on the error stream how the bot ended; as everybody
//! else who could write there is dead by then, this is the last line.

use std::env;
use std::fmt;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait};

use super::memory::{self, ControlGroup};

/// The first argument that makes our program a guard.
pub(crate) const WORD: &str = "--guard-a-bot";
/// What a report starts with: a control character that no sensible program writes at the start of a line.
const MARK: &str = "\u{1e}guard ";
/// Between two looks at the memory of a bot.
const MEMORY_PAUSE: Duration = Duration::from_millis(20);
/// How long the guard tries to get rid of processes that do not die.
const SWEEP_TIME: Duration = Duration::from_secs(5);

/// How a bot's process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The program could not be started at all.
    NotStarted(String),
    /// It ended by itself with this code.
    Exited(i32),
    /// It was ended by this signal, not by us.
    Signalled(i32),
    /// It used so many bytes of memory and was killed.
    Memory(u64),
    /// It was killed because the runner was done with it.
    Released,
}

impl Ending {
    /// As the line that the guard writes.
    fn line(&self) -> String {
        match self {
            Ending::NotStarted(why) => format!("{MARK}not-started {}", why.replace(['\r', '\n'], " ")),
            Ending::Exited(code) => format!("{MARK}exited {code}"),
            Ending::Signalled(signal) => format!("{MARK}signalled {signal}"),
            Ending::Memory(bytes) => format!("{MARK}memory {bytes}"),
            Ending::Released => format!("{MARK}released 0"),
        }
    }

    /// Finds the report at the end of an error stream; hands back the stream without it.
    pub(crate) fn find(stderr: &[u8]) -> (Option<Ending>, &[u8]) {
        let mark = MARK.as_bytes();
        let Some(at) = stderr.windows(mark.len()).rposition(|window| window == mark) else {
            return (None, stderr);
        };
        let line = String::from_utf8_lossy(&stderr[at + mark.len()..]);
        let (kind, value) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        let ending = match kind {
            "not-started" => Some(Ending::NotStarted(value.to_owned())),
            "exited" => value.parse().ok().map(Ending::Exited),
            "signalled" => value.parse().ok().map(Ending::Signalled),
            "memory" => value.parse().ok().map(Ending::Memory),
            "released" => Some(Ending::Released),
            _ => None,
        };
        match ending {
            // The line break before the mark is the guard's as well.
            Some(_) => (ending, stderr[..at].strip_suffix(b"\n").unwrap_or(&stderr[..at])),
            None => (None, stderr),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::NotStarted(why) => write!(f, "could not be started: {why}"),
            Ending::Exited(code) => write!(f, "ended with exit code {code}"),
            Ending::Signalled(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "was ended by signal {signal} ({name})"),
                None => write!(f, "was ended by signal {signal}"),
            },
            Ending::Memory(bytes) => {
                write!(f, "used {} MiB of memory, more than it may", bytes.div_ceil(1 << 20))
            }
            Ending::Released => f.write_str("was killed by the runner"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    let names = [
        (Signal::ABORT, "abort"),
        (Signal::BUS, "bus error"),
        (Signal::FPE, "arithmetic error"),
        (Signal::HUP, "hang-up"),
        (Signal::ILL, "illegal instruction"),
        (Signal::INT, "interrupt"),
        (Signal::KILL, "kill"),
        (Signal::PIPE, "broken pipe"),
        (Signal::SEGV, "segmentation fault"),
        (Signal::TERM, "terminate"),
    ];
    names.into_iter().find(|(known, _)| known.as_raw() == signal).map(|(_, name)| name)
}

/// The arguments of a guard: the number of the control pipe, the memory limit (0: none), and the bot's command line.
pub(crate) fn arguments(control: i32, memory: Option<u64>, command: &[String]) -> Vec<String> {
    let mut arguments = vec![WORD.to_owned(), control.to_string(), memory.unwrap_or(0).to_string()];
    arguments.extend_from_slice(command);
    arguments
}

/// Turns this process into a guard if it was started as one. Every program that hosts bots calls this first in `main`:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     if let Some(code) = arena::ugi::guard_if_asked() {
///         return code;
///     }
///     // ... the program itself
///     std::process::ExitCode::SUCCESS
/// }
/// ```
pub fn guard_if_asked() -> Option<ExitCode> {
    let mut arguments = env::args();
    if arguments.nth(1)? != WORD {
        return None;
    }
    let control = arguments.next().unwrap_or_default();
    let memory: u64 = arguments.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let command: Vec<String> = arguments.collect();
    let ending = guard(&control, Some(memory).filter(|&limit| limit > 0), &command);
    // The runner may be gone; then nobody wants to know.
    let _ = std::io::stderr().write_all(format!("\n{}\n", ending.line()).as_bytes());
    Some(ExitCode::SUCCESS)
}

fn guard(control: &str, limit: Option<u64>, command: &[String]) -> Ending {
    // The number is an open pipe that we inherited; opening it by name needs no unsafe code.
    let mut control = match File::open(format!("/dev/fd/{control}")) {
        Ok(control) => control,
        Err(error) => return Ending::NotStarted(format!("the guard has no control pipe: {error}")),
    };
    let [program, arguments @ ..] = command else {
        return Ending::NotStarted("the command is empty".to_owned());
    };
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));

    let control_group = limit.and_then(ControlGroup::enter);
    let bot = match Command::new(program).args(arguments).process_group(0).spawn() {
        Ok(bot) => bot.id(),
        Err(error) => return Ending::NotStarted(format!("`{program}`: {error}")),
    };
    if let Some(group) = &control_group {
        group.leave();
    }
    let Some(pid) = i32::try_from(bot).ok().and_then(Pid::from_raw) else {
        return Ending::NotStarted(format!("the system gave the process number {bot}"));
    };
    // Only the bot shall hold the pipes, so that the runner sees it when the bot closes them.
    if let Ok(nothing) = File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nothing);
        let _ = rustix::stdio::dup2_stdout(&nothing);
    }

    let over = Arc::new(AtomicBool::new(false));
    let released = Arc::new(AtomicBool::new(false));
    let used = Arc::new(AtomicU64::new(0));
    {
        let (over, released) = (Arc::clone(&over), Arc::clone(&released));
        thread::spawn(move || {
            // Nobody writes: the read comes back when the runner has closed its end or died.
            while control.read(&mut [0; 16]).is_ok_and(|count| count > 0) {}
            released.store(true, Ordering::SeqCst);
            if !over.load(Ordering::SeqCst) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
        });
    }
    if let Some(limit) = limit.filter(|_| control_group.is_none()) {
        let (over, used) = (Arc::clone(&over), Arc::clone(&used));
        thread::spawn(move || {
            while !over.load(Ordering::SeqCst) {
                let usage = memory::usage(std::process::id(), bot).unwrap_or_default();
                if let Some(bytes) = usage.exceeds(limit) {
                    used.store(bytes, Ordering::SeqCst);
                    let _ = kill_process_group(pid, Signal::KILL);
                    return;
                }
                thread::sleep(MEMORY_PAUSE);
            }
        });
    }

    let status = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((who, status))) if who == pid => break Some(status),
            // An orphan of the bot ended.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break None,
        }
    };
    over.store(true, Ordering::SeqCst);
    sweep(pid);

    let bytes = used.load(Ordering::SeqCst);
    if bytes > 0 {
        Ending::Memory(bytes)
    } else if control_group.as_ref().is_some_and(ControlGroup::exceeded) {
        Ending::Memory(limit.unwrap_or(0))
    } else if released.load(Ordering::SeqCst) {
        Ending::Released
    } else if let Some(code) = status.and_then(WaitStatus::exit_status) {
        Ending::Exited(code)
    } else {
        Ending::Signalled(status.and_then(WaitStatus::terminating_signal).unwrap_or(0))
    }
}

/// Kills and reaps what the bot has left behind.
fn sweep(group: Pid) {
    let start = Instant::now();
    let me = std::process::id();
    while start.elapsed() < SWEEP_TIME {
        let _ = kill_process_group(group, Signal::KILL);
        // Reaps what has died; no child left means nothing left.
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        let left = memory::processes()
            .map(|entries| memory::family(&entries, me, group.as_raw_pid().unsigned_abs()))
            .unwrap_or_default();
        for entry in left.iter().filter(|entry| !entry.zombie) {
            if let Some(pid) = i32::try_from(entry.pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_the_last_line() {
        for ending in [
            Ending::NotStarted("`x`: no such file".to_owned()),
            Ending::Exited(3),
            Ending::Signalled(11),
            Ending::Memory(5 << 20),
            Ending::Released,
        ] {
            let text = format!("Traceback\n  boom\u{1e}guard exited 0\n\n{}\n", ending.line());
            let (found, rest) = Ending::find(text.as_bytes());
            assert_eq!(found, Some(ending));
            assert_eq!(rest, "Traceback\n  boom\u{1e}guard exited 0\n".as_bytes());
        }
        assert_eq!(Ending::find(b"just text"), (None, b"just text".as_slice()));
    }

    #[test]
    fn endings_are_told_in_words() {
        assert_eq!(Ending::Signalled(11).to_string(), "was ended by signal 11 (segmentation fault)");
        assert_eq!(Ending::Memory(1).to_string(), "used 1 MiB of memory, more than it may");
        assert_eq!(Ending::Exited(1).to_string(), "ended with exit code 1");
    }
}
