//! A bot's process as the host sees it: three streams, and a guard that tells how it ended.

use std::env;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use search_core::{Clock, SystemClock};

use super::channel::{Notice, Notices, Order};
use super::ending::{Ending, signal_name};
use super::family;
use super::guard;
use super::lines::{Ready, SLICE, Silence, Wanted, Wire, is_temporary};
use super::memory::ControlGroup;
use super::ring::Ring;
use crate::processor;
use crate::sandbox::Strength;

/// How much of the error stream is kept.
const STDERR_KEPT: usize = 64 << 10;
/// At the end of a process, how long to wait for the guard's report.
const REPORT_TIME: Duration = Duration::from_secs(2);
/// The variables of our own environment that a bot gets; besides these all that begin with `LC_`. Others may hold
/// secrets.
const ENVIRONMENT: [&str; 22] = [
    "CONDA_PREFIX",
    "CLASSPATH",
    "DYLD_LIBRARY_PATH",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "NODE_PATH",
    "OMP_NUM_THREADS",
    "PATH",
    "PYTHONHASHSEED",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
];

/// What is waited for: output, errors and input of a bot.
type SmallPoll<'a> = smallvec::SmallVec<[PollFd<'a>; 3]>;

/// A running bot behind its guard.
#[derive(Debug)]
pub(crate) struct Process {
    guard: Child,
    /// The line to the guard. Closing it makes the guard kill the bot; the guard closes it when it has reported how the bot
    /// ended.
    line: Option<UnixStream>,
    notices: Notices,
    /// Whether the guard has said that it started the bot.
    started: bool,
    /// Whether the bot was stopped by a signal since the last question.
    was_stopped: bool,
    /// Whether it is in a sandbox that no other bot reaches into.
    in_a_room: bool,
    /// What the guard told at last.
    ending: Option<Ending>,
    stdin: Option<PipeWriter>,
    stdout: PipeReader,
    stderr: Option<PipeReader>,
    errors: Ring,
    clock: SystemClock,
}

impl Process {
    /// Carries out an order in `folder` by a guard, which is the program `guard` started with a special argument.
    pub(crate) fn spawn(guard: &Path, order: &Order, folder: Option<&Path>) -> io::Result<Process> {
        // All of these are closed when a program is started, but for the guard's end of the line.
        let (line, theirs) = UnixStream::pair()?;
        let (bot_input, stdin) = io::pipe()?;
        let (stdout, bot_output) = io::pipe()?;
        let (stderr, bot_errors) = io::pipe()?;
        let mut launch = Command::new(guard);
        launch
            .arg(guard::WORD)
            .env_clear()
            .envs(env::vars_os().filter(|(name, _)| {
                name.to_str().is_some_and(|name| ENVIRONMENT.contains(&name) || name.starts_with("LC_"))
            }))
            .stdin(std::os::fd::OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(folder) = folder {
            launch.current_dir(folder);
        }
        let guard = {
            let mut registry = family::registry();
            registry.prepare();
            let guard = launch.spawn()?;
            registry.enter(guard.id());
            guard
        };
        // Our copy of the guard's end.
        drop(launch);
        rustix::io::ioctl_fionbio(&stdin, true)?;
        rustix::io::ioctl_fionbio(&stdout, true)?;
        rustix::io::ioctl_fionbio(&stderr, true)?;
        let process = Process {
            guard,
            line: Some(line),
            notices: Notices::default(),
            started: false,
            was_stopped: false,
            in_a_room: order.confinement.as_ref().is_some_and(|one| one.strength == Strength::Room),
            ending: None,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            errors: Ring::new(STDERR_KEPT),
            clock: SystemClock::new(),
        };
        if let Some(line) = &process.line {
            // A guard that ends at once does not read its order; how it ended is told when the bot does not speak.
            let _ = order.send(line, [bot_input.as_fd(), bot_output.as_fd(), bot_errors.as_fd()]);
            line.set_nonblocking(true)?;
        }
        Ok(process)
    }

    /// Takes what the guard has told, without waiting.
    fn read_notices(&mut self) {
        while let Some(line) = &self.line {
            match self.notices.read(line) {
                Ok(Some(notices)) => {
                    for notice in notices {
                        match notice {
                            Notice::Started => self.started = true,
                            Notice::Stopped => self.was_stopped = true,
                            Notice::Ended(ending) => self.ending = Some(ending),
                        }
                    }
                }
                Err(error) if is_temporary(&error) => return,
                Ok(None) | Err(_) => self.line = None,
            }
        }
    }

    /// Whether the bot, its guard or a process that the bot started is stopped just now.
    fn is_frozen(&self) -> bool {
        // No process outside the sandbox reaches in; a bot that is stopped there stopped itself.
        let frozen = if self.in_a_room { family::is_stopped } else { family::is_frozen };
        frozen(self.guard.id())
    }

    /// Takes what stands in the error stream, a bounded amount at a time.
    fn drain_errors(&mut self) {
        let mut chunk = [0; 16 << 10];
        for _ in 0..16 {
            let Some(stderr) = &mut self.stderr else { return };
            match stderr.read(&mut chunk) {
                Ok(0) => self.stderr = None,
                Ok(count) => self.errors.push(&chunk[..count]),
                Err(error) if is_temporary(&error) => return,
                Err(_) => self.stderr = None,
            }
        }
    }

    /// Waits for the end of the guard; one that hangs goes the hard way, and then its status is nothing.
    fn wait_for_guard(&mut self, deadline: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            match self.guard.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {}
                _ => break,
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(SLICE);
        }
        if let Some(group) = i32::try_from(self.guard.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        None
    }

    /// Kills what a guard that ended silently has left behind, and says what became of it.
    fn tidy_up(&mut self, status: Option<ExitStatus>) -> Ending {
        let number = self.guard.id();
        ControlGroup::remove_of(number);
        let mut registry = family::registry();
        registry.leave(number);
        registry.kill_strays();
        match status {
            None => Ending::Unguarded("was stopped".to_owned()),
            Some(status) => match status.signal() {
                Some(signal) => {
                    let name = signal_name(signal).map(|name| format!(" ({name})")).unwrap_or_default();
                    Ending::Unguarded(format!("was ended by signal {signal}{name}"))
                }
                None if self.started => Ending::Unguarded(format!("ended without saying why ({status})")),
                None => Ending::NotStarted(format!(
                    "the program that should guard it ended without an answer ({status}); it has to call `guard_if_asked` \
                     first"
                )),
            },
        }
    }

    /// Reads the error stream and the guard's line to their ends, or to the deadline. What the bot still writes to its
    /// output is dropped, so that it is not stuck there.
    fn collect(&mut self, deadline: Instant) {
        let mut output_open = true;
        loop {
            self.read_notices();
            // When the guard has reported the end, no process is left that could write.
            if self.ending.is_some() || (self.line.is_none() && self.stderr.is_none()) {
                self.drain_errors();
                return;
            }
            let now = Instant::now();
            if now >= deadline {
                return;
            }
            let mut fds = SmallPoll::new();
            fds.extend(self.line.as_ref().map(|line| PollFd::new(line, PollFlags::IN)));
            fds.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
            if output_open {
                fds.push(PollFd::new(&self.stdout, PollFlags::IN));
            }
            // A process that has escaped everything may hold the error stream open when the guard is gone.
            let most = if self.line.is_some() { deadline - now } else { (deadline - now).min(SLICE) };
            if wait(&mut fds, most).is_err() {
                return;
            }
            let output = output_open && fds.last().is_some_and(|fd| !fd.revents().is_empty());
            drop(fds);
            self.drain_errors();
            if self.line.is_none() {
                return;
            }
            if output {
                output_open = matches!(self.stdout.read(&mut [0; 16 << 10]), Ok(1..))
                    || rustix::io::ioctl_fionread(self.stdout.as_fd()).is_ok_and(|count| count > 0);
            }
        }
    }
}

impl Wire for Process {
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.stdout.read(chunk)
    }

    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write(text)
    }

    /// Drains the bot's errors meanwhile: it may be stuck there.
    fn wait(&mut self, wanted: Wanted, most: Duration) -> Result<Ready, Silence> {
        let mut fds = SmallPoll::new();
        let (errors_at, input_flags) = match wanted {
            Wanted::Output => {
                fds.push(PollFd::new(&self.stdout, PollFlags::IN));
                // Of the input only its closing is of interest, which is told unasked.
                (1, PollFlags::empty())
            }
            Wanted::Room => (0, PollFlags::OUT),
        };
        fds.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
        let input_at = fds.len();
        fds.extend(self.stdin.as_ref().map(|stdin| PollFd::new(stdin, input_flags)));
        wait(&mut fds, most)?;
        let ready = |index: usize| fds.get(index).is_some_and(|fd| !fd.revents().is_empty());
        let (errors, input) = (input_at > errors_at && ready(errors_at), ready(input_at));
        let output = wanted == Wanted::Output && ready(0);
        drop(fds);
        if errors {
            self.drain_errors();
        }
        Ok(match wanted {
            Wanted::Output if output => Ready::Wanted,
            Wanted::Output if input => Ready::Deaf,
            Wanted::Room if input => Ready::Wanted,
            _ => Ready::Nothing,
        })
    }

    /// A bot that was stopped before the question and still is was stopped for this one too.
    fn begin(&mut self) {
        self.read_notices();
        self.was_stopped = self.was_stopped && self.is_frozen();
    }

    fn was_told_frozen(&mut self) -> bool {
        self.read_notices();
        self.was_stopped
    }

    /// Whether the bot, its guard or a process that the bot started is stopped, or the bot was since the last question.
    fn was_frozen(&mut self) -> bool {
        self.was_told_frozen() || self.is_frozen()
    }

    /// To a hundredth of a second.
    fn processor_time(&self) -> Option<Duration> {
        let guard = self.guard.id();
        let processes = family::processes()?;
        let bot = family::below(&processes, guard, guard);
        processor::time_of(guard, bot.into_iter().map(|entry| entry.number))
    }

    fn forget_errors(&mut self) {
        self.errors.clear();
    }

    fn has_ended(&mut self) -> bool {
        self.read_notices();
        self.drain_errors();
        self.ending.is_some() || self.line.is_none()
    }

    fn finish(&mut self, grace: Duration) -> (Ending, String) {
        self.stdin = None;
        self.collect(Instant::now() + grace);
        self.end()
    }

    fn end(&mut self) -> (Ending, String) {
        self.stdin = None;
        if let Some(line) = &self.line {
            // Only our direction: the guard has still to tell.
            let _ = line.shutdown(Shutdown::Write);
        }
        let deadline = Instant::now() + REPORT_TIME;
        self.collect(deadline);
        let status = self.wait_for_guard(deadline);
        self.line = None;
        let ending = match self.ending.take() {
            Some(ending) => ending,
            None => self.tidy_up(status),
        };
        family::registry().leave(self.guard.id());
        let (bytes, lost) = self.errors.take();
        let mut text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lost {
            text.insert_str(0, "[...] ");
        }
        (ending, text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Also where an error came before the guard was given its order.
        if self.line.is_some() {
            self.end();
        }
    }
}

fn wait(fds: &mut [PollFd<'_>], time: Duration) -> Result<(), Silence> {
    let time = Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    };
    match poll(fds, Some(&time)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(Silence::System(error.to_string())),
    }
}
