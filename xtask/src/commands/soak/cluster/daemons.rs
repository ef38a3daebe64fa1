//! Processes that a soak starts, and ends by their numbers.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use gamesearch::Failure;

/// A process that ends with this value.
pub(super) struct Daemon {
    child: Child,
    /// Whether it is a namespace, which goes at once with all that is in it.
    is_namespace: bool,
}

impl Daemon {
    /// Starts it; what it says goes into a file.
    pub(super) fn start(mut command: Command, log: &Path) -> Result<Daemon, Failure> {
        let fail = |error: std::io::Error| {
            Failure::failed(format!("cannot start {}: {error}", command.get_program().display()))
        };
        let out = File::options().create(true).append(true).open(log).map_err(fail)?;
        let err = out.try_clone().map_err(fail)?;
        let started = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
        let child = started.map_err(|error| {
            Failure::failed(format!("cannot start {}: {error}", command.get_program().display()))
        })?;
        let is_namespace = ["unshare", "nsenter"].iter().any(|name| command.get_program() == *name);
        Ok(Daemon { child, is_namespace })
    }

    /// The number of the process.
    pub(super) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, as a power cut does.
    pub(super) fn kill(&mut self) {
        // A process that is gone already need not be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Its exit code, if it ended within the time.
    pub(super) fn ended(&mut self, within: Duration) -> Option<i32> {
        let started = Instant::now();
        while started.elapsed() < within {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.code();
            }
            sleep(Duration::from_millis(50));
        }
        None
    }

    /// Whether it is still there.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if self.is_alive() && !self.is_namespace {
            // First politely: some have children to end.
            kill(self.child.id(), "-TERM");
            self.ended(Duration::from_secs(5));
        }
        if self.is_alive() {
            self.kill();
        }
    }
}

/// Sends a signal to a process.
pub(super) fn kill(process: u32, signal: &str) {
    if process > 1 {
        // A process that is gone already need not be told.
        let _ = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
    }
}

/// The processes whose command lines have a word that begins with each of these.
pub(super) fn processes_with(words: &[&str]) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let has_all = |process: &u32| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        let parts: Vec<&str> = line.split('\0').collect();
        words.iter().all(|word| parts.iter().any(|part| part.starts_with(word)))
    };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(has_all).collect()
}

/// A free port of the loopback address.
pub(super) fn free_port() -> Result<u16, Failure> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).map_err(Failure::failed)?;
    Ok(listener.local_addr().map_err(Failure::failed)?.port())
}
