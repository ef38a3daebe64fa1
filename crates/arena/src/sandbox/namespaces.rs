//! Namespaces of a bot's own: the guard's part, before the bot's room is made.

use std::fs;
use std::io;

use rustix::thread::UnshareFlags;

/// Enters a user namespace, in which this process may do what it needs for the others, and nothing more outside than before.
/// While this process has one thread only.
pub(crate) fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    unshare(UnshareFlags::NEWUSER)?;
    // Who may not set groups may say which its own is.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))
}

/// The next child is the first process of a namespace of its own, with which all in it end; it and this process have a
/// network without anything in it, and no shared memory with others.
pub(crate) fn enter_the_others() -> io::Result<()> {
    unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNET | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS)
}

/// A copy of the list of mounts that others do not see.
pub(super) fn enter_mount_namespace() -> io::Result<()> {
    unshare(UnshareFlags::NEWNS)
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // There is no safe wrapper: with the flag for file tables one thread could lose sight of another's files.
    // SAFETY: that flag is not among ours.
    #[allow(unsafe_code, reason = "there is no safe wrapper of this call")]
    let done = unsafe { rustix::thread::unshare_unsafe(flags) };
    Ok(done?)
}
