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
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, setrlimit, wait,
};

use super::channel::{self, Notice, Order};
use super::ending::Ending;
use super::family;
use super::memory::{self, ControlGroup};

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
    if env::args_os().nth(1)? != WORD {
        return None;
    }
    // Without a line there is nobody to tell.
    let Ok(line) = channel::inherited() else { return Some(ExitCode::FAILURE) };
    let ending = match Order::receive(&line) {
        Ok((order, streams)) => guard(&order, streams, &line),
        Err(error) => Ending::NotStarted(format!("the guard got no order: {error}")),
    };
    // The runner may be gone; then nobody wants to know.
    let _ = Notice::Ended(ending).send(&line);
    Some(ExitCode::SUCCESS)
}

fn guard(order: &Order, streams: [OwnedFd; 3], line: &UnixStream) -> Ending {
    let Order { command, memory: limit } = order;
    let [program, arguments @ ..] = command.as_slice() else {
        return Ending::NotStarted("the command is empty".to_owned());
    };
    channel::close_on_exec();
    // A session of its own: no terminal for the bot to write to, and no way into the runner's process group.
    let _ = rustix::process::setsid();
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        // Nobody but root may look into this process or trace it.
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    }
    // A crash leaves no image of the memory on the disk.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });

    let control_group = limit.and_then(ControlGroup::enter);
    let [input, output, errors] = streams.map(Stdio::from);
    let mut launch = Command::new(program);
    launch.args(arguments).process_group(0).stdin(input).stdout(output).stderr(errors);
    let bot = match launch.spawn() {
        Ok(bot) => bot.id(),
        Err(error) => return Ending::NotStarted(format!("`{program}`: {error}")),
    };
    // Only the bot shall hold the pipes, so that the runner sees it when the bot closes them.
    drop(launch);
    if let Some(group) = &control_group {
        group.leave();
    }
    let Some(pid) = i32::try_from(bot).ok().and_then(Pid::from_raw) else {
        return Ending::NotStarted(format!("the system gave the process number {bot}"));
    };
    let _ = Notice::Started.send(line);

    let over = Arc::new(AtomicBool::new(false));
    let released = Arc::new(AtomicBool::new(false));
    let used = Arc::new(AtomicU64::new(0));
    let Ok(mut orders) = line.try_clone() else {
        sweep(pid, control_group.as_ref());
        return Ending::NotStarted("the system gave no second end of the line to the runner".to_owned());
    };
    {
        let (over, released) = (Arc::clone(&over), Arc::clone(&released));
        thread::spawn(move || {
            // Nobody writes: the read comes back when the runner has closed its end or died.
            loop {
                match orders.read(&mut [0; 16]) {
                    Ok(1..) => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => break,
                }
            }
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
        match wait(WaitOptions::UNTRACED) {
            // We stop nobody, so somebody else did.
            Ok(Some((_, status))) if status.stopped() => {
                let _ = Notice::Stopped.send(line);
            }
            Ok(Some((who, status))) if who == pid => break Some(status),
            // An orphan of the bot ended.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break None,
        }
    };
    over.store(true, Ordering::SeqCst);
    sweep(pid, control_group.as_ref());

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
