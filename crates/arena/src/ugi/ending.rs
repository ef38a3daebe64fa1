//! How a bot's process ended.

use std::fmt;

use rustix::process::Signal;

/// How a bot's process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The program could not be started at all.
    NotStarted(String),
    /// It ended by itself with this code.
    Exited(i32),
    /// It was ended by this signal, not by us.
    Signalled(i32),
    /// It used this many bytes of memory and was killed.
    Memory(u64),
    /// It was killed for having this number of threads and processes.
    Processes(u64),
    /// It was killed because the runner was done with it.
    Released,
    /// Its guard was killed or stopped before it could tell.
    Unguarded(String),
}

impl Ending {
    /// As a guard tells it: a word and a value, on one line.
    pub(crate) fn words(&self) -> String {
        match self {
            Ending::NotStarted(why) => format!("not-started {}", why.replace(['\r', '\n'], " ")),
            Ending::Exited(code) => format!("exited {code}"),
            Ending::Signalled(signal) => format!("signalled {signal}"),
            Ending::Memory(bytes) => format!("memory {bytes}"),
            Ending::Processes(count) => format!("processes {count}"),
            Ending::Released | Ending::Unguarded(_) => "released 0".to_owned(),
        }
    }

    /// Reads what [`words`](Ending::words) makes.
    pub(crate) fn parse(words: &str) -> Option<Ending> {
        let (kind, value) = words.split_once(' ')?;
        match kind {
            "not-started" => Some(Ending::NotStarted(value.to_owned())),
            "exited" => value.parse().ok().map(Ending::Exited),
            "signalled" => value.parse().ok().map(Ending::Signalled),
            "memory" => value.parse().ok().map(Ending::Memory),
            "processes" => value.parse().ok().map(Ending::Processes),
            "released" => Some(Ending::Released),
            _ => None,
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
            Ending::Processes(count) => {
                write!(f, "had {count} processes and threads at a time, more than it may")
            }
            Ending::Released => f.write_str("was killed by the runner"),
            Ending::Unguarded(how) => write!(f, "lost its guard, which {how}"),
        }
    }
}

/// The name of a signal that ends a program.
pub(crate) fn signal_name(signal: i32) -> Option<&'static str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_told_in_words() {
        assert_eq!(Ending::Signalled(11).to_string(), "was ended by signal 11 (segmentation fault)");
        assert_eq!(Ending::Memory(1).to_string(), "used 1 MiB of memory, more than it may");
        assert_eq!(Ending::Exited(1).to_string(), "ended with exit code 1");
    }
}
