//! The guard: a small process between runner and bot that makes sure nothing of the bot outlives its game.
//!
//! It is our own program started again. It starts the bot in a process group of its own, with the runner's pipes as the
//! bot's input and output (so no byte passes through the guard), and waits for one of two things: the bot ends, or the
//! line to the runner closes, which happens when the runner lets go of the bot and also when the runner dies, however it
//! dies. Then it kills whatever is left: the control group if there is one, the process group, and on Linux also
//! descendants that left the group, because the guard is the reaper of its orphans. At last it tells the runner how the
//! bot ended.
//!
//! A bot without a sandbox can kill its guard. What it leaves behind then falls to the runner, see [`family`].

use std::env;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, setrlimit, wait,
};

use super::channel::{self, Notice, Notices, Order};
use super::ending::Ending;
use super::family;
use super::memory::{self, ControlGroup};
use crate::sandbox::{MEMORY, PROCESSES, Strength, trial};
#[cfg(target_os = "linux")]
use crate::sandbox::{inside, namespaces};

/// The first argument that makes our program a guard.
pub(crate) const WORD: &str = "--guard-a-bot";
/// Between two looks at the memory of a bot.
const MEMORY_PAUSE: Duration = Duration::from_millis(20);
/// How long the guard tries to get rid of processes that do not die.
const SWEEP_TIME: Duration = Duration::from_secs(5);

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
    let word = env::args_os().nth(1)?;
    #[cfg(target_os = "linux")]
    if word == inside::WORD {
        inside::run();
        return Some(ExitCode::SUCCESS);
    }
    if word == trial::WORD {
        let arguments: Vec<String> =
            env::args_os().skip(2).map(|argument| argument.to_string_lossy().into_owned()).collect();
        trial::run(&arguments);
        return Some(ExitCode::SUCCESS);
    }
    if word != WORD {
        return None;
    }
    // Without a channel there is no one to report to.
    let Ok(line) = channel::inherited() else { return Some(ExitCode::FAILURE) };
    let ending = match Order::receive(&line) {
        Ok((order, streams)) => guard(&order, streams, &line),
        Err(error) => Ending::NotStarted(format!("the guard got no order: {error}")),
    };
    // The runner may be gone; then no one needs to know.
    let _ = Notice::Ended(ending).send(&line);
    Some(ExitCode::SUCCESS)
}

/// What the guard's threads tell each other.
#[derive(Debug, Default)]
struct Watch {
    /// The bot's process, which leads a group of its own; 0 before it is there.
    bot: AtomicU32,
    /// The bot has ended.
    over: AtomicBool,
    /// The runner has let go of the bot.
    released: AtomicBool,
    /// The bytes of memory that the bot used.
    used: AtomicU64,
    /// The number of processes and threads that the bot had.
    crowd: AtomicU64,
}

impl Watch {
    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.bot.load(Ordering::SeqCst)).ok().and_then(Pid::from_raw)
    }

    fn kill(&self) {
        if let Some(pid) = self.pid().filter(|_| !self.over.load(Ordering::SeqCst)) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Waits until the runner closes the line or dies.
    fn listen(&self, mut line: UnixStream) {
        // Nobody writes: the read comes back when the other end is closed.
        loop {
            match line.read(&mut [0; 16]) {
                Ok(1..) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => break,
            }
        }
        self.released.store(true, Ordering::SeqCst);
        self.kill();
    }

    /// Looks at the bot's memory, and in a sandbox also at the number of its threads and processes.
    fn count(&self, limit: u64, confined: bool, room: bool) {
        while !self.over.load(Ordering::SeqCst) {
            let bot = self.bot.load(Ordering::SeqCst);
            if bot != 0 {
                let seen = if room { memory::usage_of_namespace(bot) } else { None };
                let (usage, threads) =
                    seen.or_else(|| memory::usage(std::process::id(), bot)).unwrap_or_default();
                if let Some(bytes) = usage.exceeds(limit) {
                    self.used.store(bytes, Ordering::SeqCst);
                    self.kill();
                    return;
                }
                // The first process inside is ours.
                if confined && threads > PROCESSES + 1 {
                    self.crowd.store(threads - 1, Ordering::SeqCst);
                    self.kill();
                    return;
                }
            }
            thread::sleep(MEMORY_PAUSE);
        }
    }
}

fn guard(order: &Order, streams: [OwnedFd; 3], line: &UnixStream) -> Ending {
    channel::close_on_exec();
    // A session of its own: no terminal for the bot to write to, and no way into the runner's process group.
    let _ = rustix::process::setsid();
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    // A crash leaves no image of the memory on the disk.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let room = order.confinement.as_ref().is_some_and(|one| one.strength == Strength::Room);
    let limit = order.memory.or(order.confinement.as_ref().map(|_| MEMORY));
    let processes = order.confinement.as_ref().map(|_| PROCESSES);
    let control_group = limit.and_then(|limit| ControlGroup::enter(limit, processes));
    #[cfg(target_os = "linux")]
    if room {
        if let Err(error) = namespaces::enter_user_namespace() {
            return Ending::NotStarted(format!("the sandbox cannot be set up: a user namespace: {error}"));
        }
    } else {
        // Nobody but root may look into this process or trace it.
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    }

    // Before the namespaces: behind them no thread can be made any more.
    let watch = Arc::new(Watch::default());
    let Ok(orders) = line.try_clone() else {
        return Ending::NotStarted("the system gave no second end of the line to the runner".to_owned());
    };
    thread::spawn({
        let watch = Arc::clone(&watch);
        move || watch.listen(orders)
    });
    let confined = order.confinement.is_some();
    if let Some(limit) = limit.filter(|_| confined || control_group.is_none()) {
        let watch = Arc::clone(&watch);
        thread::spawn(move || watch.count(limit, confined, room));
    }
    #[cfg(target_os = "linux")]
    if room && let Err(error) = namespaces::enter_the_others() {
        return Ending::NotStarted(format!("the sandbox cannot be set up: namespaces: {error}"));
    }

    let (bot, inner) = match start(order, streams) {
        Ok(started) => started,
        Err(ending) => return ending,
    };
    if let Some(group) = &control_group {
        group.leave();
    }
    watch.bot.store(bot, Ordering::SeqCst);
    let Some(pid) = watch.pid() else {
        return Ending::NotStarted(format!("the system gave the process number {bot}"));
    };
    let _ = Notice::Started.send(line);
    if watch.released.load(Ordering::SeqCst) {
        watch.kill();
    }

    let status = loop {
        match wait(WaitOptions::UNTRACED) {
            // We never stop a bot, so another process did.
            Ok(Some((_, status))) if status.stopped() => {
                let _ = Notice::Stopped.send(line);
            }
            Ok(Some((who, status))) if who == pid => break Some(status),
            // An orphan of the bot ended.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break None,
        }
    };
    watch.over.store(true, Ordering::SeqCst);
    sweep(pid, control_group.as_ref());

    let (bytes, crowd) = (watch.used.load(Ordering::SeqCst), watch.crowd.load(Ordering::SeqCst));
    if bytes > 0 {
        Ending::Memory(bytes)
    } else if crowd > 0 {
        Ending::Processes(crowd)
    } else if control_group.as_ref().is_some_and(ControlGroup::exceeded) {
        Ending::Memory(limit.unwrap_or(0))
    } else if watch.released.load(Ordering::SeqCst) {
        Ending::Released
    } else if let Some(ending) = inner.and_then(|line| last_word(&line)) {
        ending
    } else if let Some(code) = status.and_then(WaitStatus::exit_status) {
        Ending::Exited(code)
    } else {
        Ending::Signalled(status.and_then(WaitStatus::terminating_signal).unwrap_or(0))
    }
}

/// Starts the bot, or the first process of its sandbox, which hears the order from us and tells at last how the bot ended.
fn start(order: &Order, streams: [OwnedFd; 3]) -> Result<(u32, Option<UnixStream>), Ending> {
    #[cfg(target_os = "linux")]
    if order.confinement.is_some() {
        let failed = |error: io::Error| Ending::NotStarted(format!("the sandbox cannot be started: {error}"));
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let mut launch = Command::new("/proc/self/exe");
        launch.arg(inside::WORD).process_group(0);
        launch.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let first = launch.spawn().map_err(failed)?.id();
        let [input, output, errors] = &streams;
        // If it is gone already, its end tells why.
        let _ = order.send(&ours, [input.as_fd(), output.as_fd(), errors.as_fd()]);
        return Ok((first, Some(ours)));
    }
    let [program, arguments @ ..] = order.command.as_slice() else {
        return Err(Ending::NotStarted("the command is empty".to_owned()));
    };
    let [input, output, errors] = streams.map(Stdio::from);
    let mut launch = Command::new(program);
    launch.args(arguments).process_group(0).stdin(input).stdout(output).stderr(errors);
    // When this is over only the bot holds the pipes, so that the runner sees it when the bot closes them.
    match launch.spawn() {
        Ok(bot) => Ok((bot.id(), None)),
        Err(error) => Err(Ending::NotStarted(format!("`{program}`: {error}"))),
    }
}

/// What the first process inside has told, which has ended.
fn last_word(line: &UnixStream) -> Option<Ending> {
    let mut notices = Notices::default();
    while let Ok(Some(found)) = notices.read(line) {
        for notice in found {
            if let Notice::Ended(ending) = notice {
                return Some(ending);
            }
        }
    }
    None
}

/// Kills and reaps what the bot has left behind.
fn sweep(group: Pid, control_group: Option<&ControlGroup>) {
    let start = Instant::now();
    let me = std::process::id();
    while start.elapsed() < SWEEP_TIME {
        if let Some(control_group) = control_group {
            control_group.kill();
        }
        let _ = kill_process_group(group, Signal::KILL);
        // Reaps what has died; no child left means nothing left.
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        let entries = family::processes().unwrap_or_default();
        for entry in family::below(&entries, me, group.as_raw_pid().unsigned_abs()) {
            if let Some(pid) = entry.pid().filter(|_| !entry.is_dead()) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        thread::sleep(Duration::from_millis(2));
    }
}
