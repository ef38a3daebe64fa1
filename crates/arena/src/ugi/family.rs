//! Which processes belong to a bot, by what `/proc` says, and which have lost their guard.
//!
//! A guard adopts the orphans of its bot. If the bot kills the guard, the runner adopts them, because it makes itself the
//! next reaper of orphans before it starts the first guard. Every guard begins a session of its own, and no process can enter
//! another's session. So a child of the runner that is in another session and is no guard at work comes from a
//! bot, and may be killed.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// How long to wait for killed processes to be gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// One process of `/proc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProcessEntry {
    pub(crate) number: u32,
    name: String,
    state: char,
    parent: u32,
    group: u32,
    session: u32,
}

impl ProcessEntry {
    pub(crate) fn pid(&self) -> Option<Pid> {
        i32::try_from(self.number).ok().and_then(Pid::from_raw)
    }

    /// Whether it has ended and only waits for its parent to see that.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// Whether a signal or a tracer has stopped it.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.state, 'T' | 't')
    }
}

/// Reads the parts of `/proc/PID/stat` that tell the family of a process.
fn parse_stat(number: u32, stat: &str) -> Option<ProcessEntry> {
    // The name stands in parentheses and may itself hold blanks and parentheses.
    let (name, rest) = stat.rsplit_once(')')?;
    let name = name.split_once('(')?.1.to_owned();
    let mut words = rest.split_whitespace();
    let state = words.next()?.chars().next()?;
    let mut numbers = words.map_while(|word| word.parse().ok());
    let (parent, group, session) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Some(ProcessEntry { number, name, state, parent, group, session })
}

/// All processes, where the system tells them; `None` where there is no `/proc`.
pub(crate) fn processes() -> Option<Vec<ProcessEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process may end while the list is read; its name may be any bytes.
        let Ok(stat) = fs::read(entry.path().join("stat")) else { continue };
        entries.extend(parse_stat(number, &String::from_utf8_lossy(&stat)));
    }
    (!entries.is_empty()).then_some(entries)
}

/// The processes below `root` (without it), and all in the process group `group`.
pub(crate) fn below(entries: &[ProcessEntry], root: u32, group: u32) -> Vec<&ProcessEntry> {
    let mut members = BTreeSet::from([root]);
    let mut found: Vec<&ProcessEntry> = Vec::new();
    loop {
        let before = members.len();
        for entry in entries {
            let belongs = members.contains(&entry.parent) || entry.group == group;
            if belongs && members.insert(entry.number) {
                found.push(entry);
            }
        }
        if members.len() == before {
            return found;
        }
    }
}

/// Whether a process itself is stopped.
pub(crate) fn is_stopped(number: u32) -> bool {
    let stat = fs::read(format!("/proc/{number}/stat")).unwrap_or_default();
    parse_stat(number, &String::from_utf8_lossy(&stat)).is_some_and(|entry| entry.is_stopped())
}

/// Whether a guard or a process below it is stopped.
pub(crate) fn is_frozen(guard: u32) -> bool {
    let entries = processes().unwrap_or_default();
    entries.iter().any(|entry| entry.number == guard && entry.is_stopped())
        || below(&entries, guard, guard).iter().any(|entry| entry.is_stopped())
}

/// A process of a bot that was still there when it should not have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Its number.
    pub pid: u32,
    /// The name of its program.
    pub name: String,
}

/// What is left of the bots of this program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOver {
    /// Processes whose guard was killed; they were killed too, now or when the guard was missed.
    pub killed: Vec<Stray>,
    /// Processes that are still there.
    pub alive: Vec<Stray>,
    /// Whether bots from outside ran at all.
    pub any_ran: bool,
}

/// The guards at work, and the strays that were killed so far.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    guards: BTreeSet<u32>,
    killed: Vec<Stray>,
    any_ran: bool,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { guards: BTreeSet::new(), killed: Vec::new(), any_ran: false });

/// The list of guards. It stays locked while a guard is started, so that the new one is not taken for a stray.
pub(crate) fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// Before a guard is started.
    pub(crate) fn prepare(&mut self) {
        #[cfg(target_os = "linux")]
        if !self.any_ran {
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        }
        self.any_ran = true;
    }

    /// A guard was started.
    pub(crate) fn enter(&mut self, guard: u32) {
        self.guards.insert(guard);
    }

    /// A guard has ended and its parent has seen it.
    pub(crate) fn leave(&mut self, guard: u32) {
        self.guards.remove(&guard);
    }

    /// Kills what killed guards have left to this process; what is still there at last.
    pub(crate) fn kill_strays(&mut self) -> Vec<Stray> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let strays = self.strays(&processes().unwrap_or_default());
            let mut alive = Vec::new();
            for entry in strays {
                let Some(pid) = entry.pid() else { continue };
                let stray = Stray { pid: entry.number, name: entry.name };
                if !self.killed.contains(&stray) {
                    self.killed.push(stray.clone());
                }
                let _ = kill_process(pid, Signal::KILL);
                // Only our own children can be reaped; those of strays are ours as soon as their parents are gone.
                if !matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_))) {
                    alive.push(stray);
                }
            }
            if alive.is_empty() || Instant::now() >= deadline {
                return alive;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Children of this process in another session, without guards at work, and all below them.
    fn strays(&self, entries: &[ProcessEntry]) -> Vec<ProcessEntry> {
        let me = std::process::id();
        let Some(session) = entries.iter().find(|entry| entry.number == me).map(|entry| entry.session) else {
            return Vec::new();
        };
        let heads: Vec<&ProcessEntry> = entries
            .iter()
            .filter(|entry| {
                entry.parent == me && entry.session != session && !self.guards.contains(&entry.number)
            })
            .collect();
        let mut strays: Vec<ProcessEntry> = Vec::new();
        for head in heads {
            strays.push(head.clone());
            strays.extend(below(entries, head.number, head.number).into_iter().cloned());
        }
        strays.sort_by_key(|entry| entry.number);
        strays.dedup_by_key(|entry| entry.number);
        strays
    }
}

/// Looks whether anything is left of the bots from outside, once all of them have been let go, and kills it.
pub fn left_over() -> LeftOver {
    let mut registry = registry();
    if !registry.any_ran {
        return LeftOver::default();
    }
    let mut alive = registry.kill_strays();
    alive.extend(registry.guards.iter().map(|&pid| Stray { pid, name: "guard".to_owned() }));
    LeftOver { killed: registry.killed.clone(), alive, any_ran: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u32, parent: u32, group: u32, session: u32) -> ProcessEntry {
        ProcessEntry { number, name: "x".to_owned(), state: 'S', parent, group, session }
    }

    #[test]
    fn the_name_of_a_program_may_hold_anything() {
        let parsed = parse_stat(7, "7 (a) b (c) S 3 5 6 0 -1 4194560 1").unwrap();
        assert_eq!((parsed.parent, parsed.group, parsed.session), (3, 5, 6));
        assert_eq!(parsed.name, "a) b (c");
        assert!(parse_stat(7, "7 (x) Z 3 5 5").unwrap().is_dead());
        assert!(parse_stat(7, "7 (x) T 3 5 5").unwrap().is_stopped());
        assert_eq!(parse_stat(7, "7 x"), None);
    }

    #[test]
    fn a_family_is_children_and_group() {
        let all = [
            entry(1, 0, 1, 1),
            entry(10, 11, 99, 1),
            entry(11, 7, 11, 1),
            entry(12, 1, 11, 1),
            entry(13, 1, 13, 1),
        ];
        let numbers: Vec<u32> = below(&all, 7, 11).iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, [11, 12, 10]);
    }

    #[test]
    fn a_stray_is_a_child_in_another_session_that_is_no_guard() {
        let me = std::process::id();
        let entries = [
            entry(me, 1, me, 900_000),
            // A child of the program itself, a guard with its bot, and two orphans of a guard that was killed.
            entry(900_001, me, me, 900_000),
            entry(900_002, me, 900_002, 900_002),
            entry(900_003, 900_002, 900_003, 900_002),
            entry(900_004, me, 900_004, 900_009),
            entry(900_005, 900_004, 900_004, 900_009),
            entry(900_006, me, 900_006, 900_006),
        ];
        let registry = Registry { guards: BTreeSet::from([900_002]), ..Registry::default() };
        let numbers: Vec<u32> = registry.strays(&entries).iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, [900_004, 900_005, 900_006]);
    }
}
