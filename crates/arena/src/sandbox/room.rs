//! The room: a file system that holds the system's programs, the bot's own files, all of them to be read only, and a
//! scratch folder of limited size that is gone with the bot.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{chdir, getegid, geteuid, pivot_root};

use super::view::SYSTEM;
use super::{Confinement, Cover, SCRATCH, namespaces};

/// The scratch folder.
pub(super) const SCRATCH_FOLDER: &str = "/tmp";
/// The whole file system of before, and the new one, while the room is built.
const OLD: &str = "/old";
const NEW: &str = "/new";

/// Files of `/etc` that programs need; those of Java and Python besides.
const SETTINGS: [&str; 14] = [
    "alternatives",
    "fonts",
    "host.conf",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "locale.conf",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "timezone",
];
const SETTINGS_OF_LANGUAGES: [&str; 6] = ["java", "jvm", "python", "perl", "R", "mono"];
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// A step that the system refused.
pub(super) fn step<T>(what: &str, result: io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{what}: {error}"))
}

/// Builds the room around this process and closes the door.
pub(super) fn enter(confinement: &Confinement) -> Result<(), String> {
    step("a mount namespace", namespaces::enter_mount_namespace())?;
    let propagation = MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC;
    step("private mounts", mount_change("/", propagation).map_err(io::Error::from))?;
    // An empty file system takes the place of the root, with the old one in a corner: whatever is covered on the way
    // there is uncovered again.
    let base = ["/tmp", "/run", "/mnt", "/usr"].into_iter().map(Path::new).find(|base| base.is_dir());
    let base = base.ok_or("there is no folder to begin in")?;
    step("a first file system", empty(base, "size=1m"))?;
    step("its folders", fs::create_dir(base.join("old")).and_then(|()| fs::create_dir(base.join("new"))))?;
    step("the first door", pivot_root(base, base.join("old")).map_err(io::Error::from))?;
    step("the first door", chdir("/").map_err(io::Error::from))?;
    step("the room", empty(Path::new(NEW), "size=4m,mode=0755"))?;

    system_files()?;
    step("a scratch folder", fs::create_dir(inside(SCRATCH_FOLDER)))?;
    step(
        "a scratch folder",
        empty(&inside(SCRATCH_FOLDER), &format!("size={SCRATCH},nr_inodes=8192,mode=1777")),
    )?;
    step("a folder for processes", fs::create_dir(inside("/proc")))?;
    // Inside a container that hides parts of its own this is refused; most programs do without.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let _ = mount("proc", inside("/proc"), "proc", flags, None);
    for seen in &confinement.readable {
        step(&format!("`{}`", seen.at.display()), show(&old(&seen.real), &inside(&seen.at)))?;
    }
    for cover in &confinement.covered {
        cover_but_for_its_own(cover, &confinement.writable)?;
    }
    let is_covered = |path: &Path| confinement.covered.iter().any(|cover| path.starts_with(&cover.folder));
    for path in confinement.writable.iter().filter(|path| !is_covered(path)) {
        step(&format!("`{}`", path.display()), open(&old(path), &inside(path)))?;
    }
    for path in &confinement.hidden {
        step(&format!("hiding `{}`", path.display()), hide(&inside(path)))?;
    }
    // Programs are named relative to it even where nothing of it is to be seen.
    let folder = inside(&confinement.folder);
    step(
        "the bot's folder",
        fs::create_dir_all(&folder).or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) }),
    )?;
    step("a room that stays as it is", read_only(Path::new(NEW)))?;

    // The old file system is put on top of the new one, and taken away.
    step("the door", chdir(NEW).and_then(|()| pivot_root(".", ".")).map_err(io::Error::from))?;
    step("closing the door", unmount(".", UnmountFlags::DETACH).map_err(io::Error::from))?;
    step("the bot's folder", chdir(&confinement.folder).map_err(io::Error::from))
}

fn inside(path: impl AsRef<Path>) -> PathBuf {
    below(NEW, path.as_ref())
}

fn old(path: impl AsRef<Path>) -> PathBuf {
    below(OLD, path.as_ref())
}

fn below(root: &str, path: &Path) -> PathBuf {
    Path::new(root).join(path.strip_prefix("/").unwrap_or(path))
}

/// Mounts an empty file system.
fn empty(at: &Path, options: &str) -> io::Result<()> {
    let options = CString::new(options)?;
    Ok(mount("tmpfs", at, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?)
}

/// The system's programs and libraries, a few of its settings, the harmless devices.
fn system_files() -> Result<(), String> {
    for path in SYSTEM {
        step(path, copy(Path::new(path)))?;
    }
    step("/etc", fs::create_dir(inside("/etc")))?;
    for entry in fs::read_dir(old("/etc")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if SETTINGS.contains(&name.as_str())
            || SETTINGS_OF_LANGUAGES.iter().any(|start| name.starts_with(start))
        {
            step(&name, copy(&Path::new("/etc").join(&name)))?;
        }
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let users = format!("bot:x:{user}:{group}:bot:{SCRATCH_FOLDER}:/bin/sh\n");
    step("/etc/passwd", fs::write(inside("/etc/passwd"), users))?;
    step("/etc/group", fs::write(inside("/etc/group"), format!("bot:x:{group}:\n")))?;
    step("/dev", fs::create_dir(inside("/dev")))?;
    for name in DEVICES {
        let path = Path::new("/dev").join(name);
        step(name, show_as_it_is(&old(&path), &inside(&path)))?;
    }
    let links = [("/proc/self/fd", "fd"), ("/proc/self/fd/0", "stdin"), ("/proc/self/fd/1", "stdout")];
    for (target, name) in links.into_iter().chain([("/proc/self/fd/2", "stderr"), (SCRATCH_FOLDER, "shm")]) {
        step(name, symlink(target, inside("/dev").join(name)))?;
    }
    step("/var", fs::create_dir(inside("/var")).and_then(|()| symlink(SCRATCH_FOLDER, inside("/var/tmp"))))
}

/// Shows a path of the system as what it is: nothing, a link, a file or a folder.
fn copy(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(old(path)) {
        Err(_) => Ok(()),
        Ok(found) if found.is_symlink() => symlink(fs::read_link(old(path))?, inside(path)),
        Ok(_) => show(&old(path), &inside(path)),
    }
}

/// Shows a file or folder at a place, to be read only.
fn show(real: &Path, at: &Path) -> io::Result<()> {
    show_as_it_is(real, at)?;
    read_only(at)
}

/// Shows a folder at a place, to be written to.
fn open(real: &Path, at: &Path) -> io::Result<()> {
    show_as_it_is(real, at)?;
    Ok(mount_remount(at, MountFlags::BIND | kept(at)? | MountFlags::NOSUID | MountFlags::NODEV, c"")?)
}

fn show_as_it_is(real: &Path, at: &Path) -> io::Result<()> {
    if real.is_dir() {
        fs::create_dir_all(at)?;
    } else {
        at.parent().map_or(Ok(()), fs::create_dir_all)?;
        if !at.exists() {
            fs::File::create(at)?;
        }
    }
    Ok(mount_bind_recursive(real, at)?)
}

/// Nothing can be written there any more.
fn read_only(at: &Path) -> io::Result<()> {
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | kept(at)?;
    Ok(mount_remount(at, flags, c"")?)
}

/// The restrictions that a mount has already: they must be named again.
fn kept(at: &Path) -> io::Result<MountFlags> {
    let has = statvfs(at)?.f_flag;
    let mut flags = MountFlags::empty();
    for (had, flag) in [
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ] {
        if has.contains(had) {
            flags |= flag;
        }
    }
    Ok(flags)
}

/// Covers a folder that the bot would see, and shows in it what is its own.
fn cover_but_for_its_own(cover: &Cover, writable: &[PathBuf]) -> Result<(), String> {
    let folder = inside(&cover.folder);
    let name = format!("covering `{}`", cover.folder.display());
    if !folder.is_dir() {
        return Ok(());
    }
    step(&name, empty(&folder, "size=64k,mode=0755"))?;
    for seen in cover.shown.iter().filter(|seen| !writable.contains(&seen.at)) {
        step(&format!("`{}`", seen.at.display()), show(&old(&seen.real), &inside(&seen.at)))?;
    }
    for path in writable.iter().filter(|path| path.starts_with(&cover.folder)) {
        step(&format!("`{}`", path.display()), open(&old(path), &inside(path)))?;
    }
    step(&name, read_only(&folder))
}

/// Covers what the bot must not see, if it would see it.
fn hide(at: &Path) -> io::Result<()> {
    match fs::symlink_metadata(at) {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() => {
            empty(at, "size=4k,mode=0755")?;
            read_only(at)
        }
        Ok(found) if found.is_symlink() => Ok(()),
        Ok(_) => Ok(mount_bind_recursive(old("/dev/null"), at)?),
    }
}
