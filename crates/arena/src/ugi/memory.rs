//! How much memory a bot and its children use, and a limit on it.
//!
//! A limit on the address space breaks programs that reserve much and use little (a Java virtual machine), so what
//! counts is resident memory: by a control group (cgroup v2) where this process may make one, else by looking at
//! `/proc` many times a second.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::family;

/// Resident memory of a set of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// The sum over the processes, now.
    pub(crate) now: u64,
    /// The largest that a single process ever had.
    pub(crate) peak: u64,
}

impl Usage {
    pub(crate) fn exceeds(self, limit: u64) -> Option<u64> {
        let most = self.now.max(self.peak);
        (most > limit).then_some(most)
    }
}

/// A size in kB from a line of `/proc/PID/status`, in bytes.
fn status_bytes(status: &str, key: &str) -> u64 {
    status_number(status, key) * 1024
}

/// The number in a line of `/proc/PID/status`.
fn status_number(status: &str, key: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()).and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// What the processes below `root` and those of `group` use, and how many they are; `None` where the system does not tell.
pub(crate) fn usage(root: u32, group: u32) -> Option<(Usage, u64)> {
    let mut usage = Usage::default();
    let entries = family::processes()?;
    let family = family::below(&entries, root, group);
    for entry in &family {
        let Ok(status) = fs::read_to_string(format!("/proc/{}/status", entry.number)) else { continue };
        usage.now += status_bytes(&status, "VmRSS:");
        usage.peak = usage.peak.max(status_bytes(&status, "VmHWM:"));
    }
    Some((usage, family.len() as u64))
}

/// What the processes use that the first one of a namespace sees, and how many threads they are; `None` where it sees none.
pub(crate) fn usage_of_namespace(first: u32) -> Option<(Usage, u64)> {
    let (mut usage, mut threads) = (Usage::default(), 0);
    let room = PathBuf::from(format!("/proc/{first}/root/proc"));
    // Before the sandbox is closed its first process sees every process.
    if fs::metadata(&room).ok()?.dev() == fs::metadata("/proc").ok()?.dev() {
        return None;
    }
    for entry in fs::read_dir(room).ok()?.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let Ok(status) = fs::read_to_string(entry.path().join("status")) else { continue };
        usage.now += status_bytes(&status, "VmRSS:");
        usage.peak = usage.peak.max(status_bytes(&status, "VmHWM:"));
        threads += status_number(&status, "Threads:");
    }
    (threads > 0).then_some((usage, threads))
}

/// A control group of our own that holds one bot.
#[derive(Debug)]
pub(crate) struct ControlGroup {
    folder: PathBuf,
    home: PathBuf,
}

impl ControlGroup {
    /// Makes a group with a limit of memory, and one of threads and processes where the system has that, and moves this process into it, so that its children are born there. `None`
    /// where the system has no such groups or does not let us.
    pub(crate) fn enter(limit: u64, processes: Option<u64>) -> Option<ControlGroup> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let home = home_of(Path::new("/sys/fs/cgroup"), &own)?;
        // A group with processes in it cannot hand the memory controller on; its parent often can.
        home.ancestors()
            .take_while(|folder| folder.starts_with("/sys/fs/cgroup"))
            .find_map(|parent| ControlGroup::make(parent, &home, limit, processes).ok())
    }

    fn make(parent: &Path, home: &Path, limit: u64, processes: Option<u64>) -> io::Result<ControlGroup> {
        let controllers = fs::read_to_string(parent.join("cgroup.subtree_control"))?;
        if !controllers.split_whitespace().any(|name| name == "memory") {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let folder = folder_of(parent, std::process::id());
        fs::create_dir(&folder)?;
        // From here on the folder is removed if a step fails.
        let group = ControlGroup { folder, home: home.to_owned() };
        fs::write(group.folder.join("memory.max"), limit.to_string())?;
        // As root the system's own limit does not apply; this one does, where the controller is handed on. The guard, which is
        // inside for a moment, and the first process of a sandbox come on top.
        if let Some(processes) = processes {
            let _ = fs::write(group.folder.join("pids.max"), (processes + 2).to_string());
        }
        // Swapping would let a bot go beyond; a system without swap has no such file.
        let _ = fs::write(group.folder.join("memory.swap.max"), "0");
        // The whole bot goes, not just the process that asked for too much: what would be left could wait for it for ever.
        let _ = fs::write(group.folder.join("memory.oom.group"), "1");
        fs::write(group.folder.join("cgroup.procs"), std::process::id().to_string())?;
        Ok(group)
    }

    /// Moves this process back to where it was; its children stay.
    pub(crate) fn leave(&self) {
        // Staying inside does no harm: this process is tiny, and the bot is the larger victim.
        let _ = fs::write(self.home.join("cgroup.procs"), std::process::id().to_string());
    }

    /// Kills who is in the group that this guard made, and removes it: the guard itself is gone.
    pub(crate) fn remove_of(guard: u32) {
        let Ok(own) = fs::read_to_string("/proc/self/cgroup") else { return };
        let Some(home) = home_of(Path::new("/sys/fs/cgroup"), &own) else { return };
        let folders = home.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup"));
        if let Some(folder) = folders.map(|folder| folder_of(folder, guard)).find(|folder| folder.is_dir()) {
            let group = ControlGroup { folder, home };
            group.kill();
        }
    }

    /// Kills every process in the group at once, whatever session or process group they are in.
    pub(crate) fn kill(&self) {
        // Systems before Linux 5.14 have no such file; then the other ways have to do.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Whether the kernel has killed a process of the group for using too much memory.
    pub(crate) fn exceeded(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "))
            .any(|count| count.trim().parse().is_ok_and(|count: u64| count > 0))
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        self.leave();
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The folder of the group that a guard makes.
fn folder_of(parent: &Path, guard: u32) -> PathBuf {
    parent.join(format!("arena-bot-{guard}"))
}

/// The folder of our own group in a version 2 hierarchy mounted at `root`.
fn home_of(root: &Path, cgroup_file: &str) -> Option<PathBuf> {
    let path = cgroup_file.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let home = root.join(path);
    home.join("cgroup.controllers").exists().then_some(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_one_process_counts_too() {
        assert_eq!(Usage { now: 5, peak: 11 }.exceeds(10), Some(11));
        assert_eq!(Usage { now: 12, peak: 11 }.exceeds(10), Some(12));
        assert_eq!(Usage { now: 5, peak: 10 }.exceeds(10), None);
        assert_eq!(status_bytes("Name:\tx\nVmHWM:\t   12 kB\nVmRSS:\t 3 kB\n", "VmRSS:"), 3072);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_uses_memory() {
        let parent = std::os::unix::process::parent_id();
        assert!(usage(parent, u32::MAX).unwrap().0.now > 100_000);
    }

    /// The files of a control group, as far as they are used, in an ordinary folder.
    #[test]
    fn a_control_group_is_made_used_and_left() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("user/home");
        fs::create_dir_all(&home).unwrap();
        assert_eq!(home_of(root.path(), "4:memory:/x\n0::/user/home\n"), None);
        fs::write(home.join("cgroup.controllers"), "memory").unwrap();
        assert_eq!(home_of(root.path(), "4:memory:/x\n0::/user/home\n"), Some(home.clone()));

        let parent = home.parent().unwrap();
        fs::write(parent.join("cgroup.subtree_control"), "cpu pids").unwrap();
        assert!(ControlGroup::make(parent, &home, 1 << 20, None).is_err());
        fs::write(parent.join("cgroup.subtree_control"), "cpu memory").unwrap();
        let group = ControlGroup::make(parent, &home, 1 << 20, Some(256)).unwrap();
        assert_eq!(fs::read_to_string(group.folder.join("pids.max")).unwrap(), "258");
        assert_eq!(fs::read_to_string(group.folder.join("memory.max")).unwrap(), "1048576");
        let me = std::process::id().to_string();
        assert_eq!(fs::read_to_string(group.folder.join("cgroup.procs")).unwrap(), me);
        assert!(!group.exceeded());
        fs::write(group.folder.join("memory.events"), "low 0\noom 1\noom_kill 1\n").unwrap();
        assert!(group.exceeded());
        group.kill();
        assert_eq!(fs::read_to_string(group.folder.join("cgroup.kill")).unwrap(), "1");
        group.leave();
        assert_eq!(fs::read_to_string(home.join("cgroup.procs")).unwrap(), me);
    }
}
