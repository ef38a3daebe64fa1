//! The first process inside: our own program once more, which closes the room around itself, starts the bot there, and
//! reaps what the bot leaves. In a namespace of process numbers everything else ends with it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, WaitOptions, WaitStatus, wait};

use super::room::SCRATCH_FOLDER;
use super::view::SYSTEM;
use super::{Confinement, Strength, room, rules};
use crate::ugi::channel::{self, Notice, Order};
use crate::ugi::ending::Ending;

/// The first argument that makes our program the first process inside.
pub(crate) const WORD: &str = "--guard-a-bot-inside";

/// Where a bot finds nothing, more is said than that.
const UNSEEN: &str =
    "in the sandbox a bot sees the system's programs and the files that its command line names";

/// Carries out the order that comes through the standard input.
pub(crate) fn run() {
    // Without a channel there is no one to report to.
    let Ok(line) = channel::inherited() else { return };
    channel::close_on_exec();
    let ending = match Order::receive(&line) {
        Ok((Order { command, confinement: Some(confinement), .. }, streams)) => match close(&confinement) {
            Ok(()) => start(&command, streams.map(Stdio::from), confinement.strength),
            Err(problem) => Ending::NotStarted(format!("the sandbox cannot be set up: {problem}")),
        },
        Ok(_) => Ending::NotStarted("the order says nothing of a sandbox".to_owned()),
        Err(error) => Ending::NotStarted(format!("the sandbox got no order: {error}")),
    };
    let _ = Notice::Ended(ending).send(&line);
}

/// Closes the room around this process.
fn close(confinement: &Confinement) -> Result<(), String> {
    let (readable, writable): (Vec<PathBuf>, Vec<&str>) = match confinement.strength {
        Strength::Room => {
            room::enter(confinement)?;
            rules::limit_resources()?;
            rules::drop_rights()?;
            (vec!["/".into()], vec![SCRATCH_FOLDER, "/dev/null", "/dev/zero", "/dev/full"])
        }
        Strength::Rules => {
            rules::limit_resources()?;
            let own = confinement.readable.iter().map(|seen| seen.real.clone());
            let system = SYSTEM.iter().chain(&["/etc", "/dev"]).map(PathBuf::from);
            (system.chain(own).collect(), vec!["/dev/null", "/dev/zero", "/dev/full"])
        }
    };
    let kept = confinement.writable.iter().map(PathBuf::as_path);
    let writable: Vec<&Path> = writable.into_iter().map(Path::new).chain(kept).collect();
    let held = rules::landlock(&readable, &writable)?;
    if !held && confinement.strength == Strength::Rules {
        return Err("this kernel has no Landlock".to_owned());
    }
    rules::seccomp()
}

fn start(command: &[String], [input, output, errors]: [Stdio; 3], strength: Strength) -> Ending {
    let [program, arguments @ ..] = command else {
        return Ending::NotStarted("the command is empty".to_owned());
    };
    let mut launch = Command::new(program);
    launch.args(arguments).process_group(0).stdin(input).stdout(output).stderr(errors);
    if strength == Strength::Room {
        launch.env("HOME", SCRATCH_FOLDER).env("TMPDIR", SCRATCH_FOLDER).env_remove("XDG_CACHE_HOME");
    }
    let bot = match launch.spawn() {
        Ok(bot) => bot.id(),
        Err(error) => return Ending::NotStarted(format!("`{program}`: {error}; {UNSEEN}")),
    };
    // Only the bot shall hold the pipes.
    drop(launch);
    let pid = i32::try_from(bot).ok().and_then(Pid::from_raw);
    let status = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((who, status))) if Some(who) == pid => break Some(status),
            // An orphan ended.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => break None,
        }
    };
    match status.and_then(WaitStatus::exit_status) {
        Some(code) => Ending::Exited(code),
        None => Ending::Signalled(status.and_then(WaitStatus::terminating_signal).unwrap_or(0)),
    }
}
