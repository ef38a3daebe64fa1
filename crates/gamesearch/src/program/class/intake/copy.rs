//! Copies of what strangers hand in: files and folders alone, counted while they are read, along no link.
//!
//! The team may still write there. So every file is opened below the folder that is open already, and what was
//! opened is what is looked at: a link that is put in its place in between is refused by the system.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena::{Digest, shown};
use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat};

use super::CACHE;

/// How much one submission may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) bytes: u64,
    pub(super) files: usize,
}

/// What a folder looks like from outside.
#[derive(Debug)]
pub(super) struct Sight {
    /// Names, sizes and times of change.
    pub(super) signature: String,
    /// When anything in it changed last. The time of change of an entry cannot be set, unlike that of its contents.
    pub(super) newest: SystemTime,
}

/// How deep folders may lie in each other.
const DEEPEST: usize = 32;

/// Looks at a folder without reading a file. Beyond twice as many files as may be it looks no further: it is refused anyway.
pub(super) fn look_at(folder: &Path, files: usize) -> Sight {
    let mut newest = UNIX_EPOCH;
    let mut parts = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((path, depth)) = folders.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        let changed = Duration::new(
            u64::try_from(found.ctime()).unwrap_or(0),
            u32::try_from(found.ctime_nsec()).unwrap_or(0),
        );
        newest = newest.max(UNIX_EPOCH + changed);
        parts.push(format!("{} {} {changed:?}", path.display(), found.len()));
        if parts.len() > 2 * files + 2 {
            break;
        }
        if found.is_dir() && depth < DEEPEST {
            let below = fs::read_dir(&path).into_iter().flatten().flatten();
            folders.extend(below.map(|entry| (entry.path(), depth + 1)));
        }
    }
    parts.sort();
    Sight { signature: Digest::of(&parts).to_string(), newest }
}

/// Copies a folder; a digest of names, rights to be run and contents.
pub(super) fn copy(from: &Path, to: &Path, limits: Limits) -> Result<String, String> {
    let root = openat(CWD, from, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
        .map_err(|error| format!("its folder cannot be opened: {error}"))?;
    let mut copier = Copier { limits, bytes: 0, files: 0, parts: Vec::new() };
    copier.folder(&root, to, "", 0)?;
    if copier.files == 0 {
        return Err("there is no file in it".to_owned());
    }
    copier.parts.sort();
    Ok(Digest::of(&copier.parts).to_string())
}

/// Whether a folder that a build has written to holds files and folders alone.
pub(super) fn only_files(folder: &Path) -> Result<(), String> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| error.to_string())?.flatten() {
            let path = entry.path();
            let found = fs::symlink_metadata(&path).map_err(|error| error.to_string())?;
            if found.is_dir() {
                folders.push(path);
            } else if !found.is_file() {
                let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy();
                return Err(format!("`{}` is neither file nor folder", shown(&name)));
            }
        }
    }
    Ok(())
}

struct Copier {
    limits: Limits,
    bytes: u64,
    files: usize,
    parts: Vec<String>,
}

impl Copier {
    fn folder(&mut self, from: &OwnedFd, to: &Path, name: &str, depth: usize) -> Result<(), String> {
        let unreadable = |error: &dyn std::fmt::Display| format!("`{}` cannot be read: {error}", shown(name));
        let unwritable = |error: std::io::Error| format!("it cannot be copied here: {error}");
        if depth > DEEPEST {
            return Err(format!("folders lie in each other more than {DEEPEST} deep: `{}`", shown(name)));
        }
        fs::create_dir_all(to).map_err(unwritable)?;
        let entries = Dir::read_from(from).map_err(|error| unreadable(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&error))?;
            let bytes = entry.file_name().to_bytes();
            if bytes == b"." || bytes == b".." || bytes.starts_with(b".") || bytes == CACHE.as_bytes() {
                continue;
            }
            let Ok(own) = str::from_utf8(bytes) else {
                return Err(format!("a name is not UTF-8: `{}`", shown(&String::from_utf8_lossy(bytes))));
            };
            let path = if name.is_empty() { own.to_owned() } else { format!("{name}/{own}") };
            let refuse = |what: &str| {
                format!("`{}` is {what}; a submission holds files and folders only", shown(&path))
            };
            // Without waiting for the other end of a pipe.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let opened = match openat(from, own, flags, Mode::empty()) {
                Ok(opened) => opened,
                Err(rustix::io::Errno::LOOP | rustix::io::Errno::MLINK) => {
                    return Err(refuse("a symbolic link"));
                }
                Err(rustix::io::Errno::NXIO) => return Err(refuse("no file")),
                Err(error) => return Err(format!("`{}` cannot be read: {error}", shown(&path))),
            };
            let found = fstat(&opened).map_err(|error| format!("`{}`: {error}", shown(&path)))?;
            match FileType::from_raw_mode(found.st_mode) {
                FileType::Directory => self.folder(&opened, &to.join(own), &path, depth + 1)?,
                FileType::RegularFile => self.file(&File::from(opened), &to.join(own), &path)?,
                _ => return Err(refuse("neither file nor folder")),
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &File, to: &Path, name: &str) -> Result<(), String> {
        let Limits { bytes: most, files } = self.limits;
        self.files += 1;
        if self.files > files {
            return Err(format!("it has more than {files} files"));
        }
        let unreadable = |error| format!("`{}` cannot be read: {error}", shown(name));
        let unwritable = |error: std::io::Error| format!("it cannot be copied here: {error}");
        let may_run = from.metadata().map_err(unreadable)?.permissions().mode() & 0o111 != 0;
        let mut contents = Vec::new();
        // One byte more tells that it is too much.
        let left = most.saturating_sub(self.bytes) + 1;
        from.take(left).read_to_end(&mut contents).map_err(unreadable)?;
        self.bytes += contents.len() as u64;
        if self.bytes > most {
            return Err(format!("it is larger than {} MiB", most >> 20));
        }
        let mut file = File::create(to).map_err(unwritable)?;
        file.write_all(&contents).map_err(unwritable)?;
        let rights = if may_run { 0o755 } else { 0o644 };
        file.set_permissions(fs::Permissions::from_mode(rights)).map_err(unwritable)?;
        self.parts.push(format!("{name}\0{may_run}\0{}", Digest::of(&[contents])));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { bytes: 1000, files: 3 };

    #[test]
    fn a_copy_holds_files_and_folders_only() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("lib")).unwrap();
        assert_eq!(copy(&from, &to, LIMITS).unwrap_err(), "there is no file in it");
        fs::write(from.join("bot.py"), "import lib").unwrap();
        fs::write(from.join("lib/x.py"), "x = 1").unwrap();
        fs::write(from.join(".hidden"), "x").unwrap();
        let one = copy(&from, &to, LIMITS).unwrap();
        assert_eq!(fs::read_to_string(to.join("lib/x.py")).unwrap(), "x = 1");
        assert!(!to.join(".hidden").exists());
        assert_eq!(copy(&from, &folder.path().join("again"), LIMITS).unwrap(), one);
        fs::write(from.join("lib/x.py"), "x = 2").unwrap();
        assert_ne!(copy(&from, &folder.path().join("other"), LIMITS).unwrap(), one);

        let refused = |what: &str| {
            let error = copy(&from, &folder.path().join("refused"), LIMITS).unwrap_err();
            assert!(error.contains(what), "{error}");
        };
        std::os::unix::fs::symlink("/etc/passwd", from.join("secret")).unwrap();
        refused("`secret` is a symbolic link");
        fs::remove_file(from.join("secret")).unwrap();
        std::os::unix::fs::symlink("/etc", from.join("lib2")).unwrap();
        refused("`lib2` is a symbolic link");
        fs::remove_file(from.join("lib2")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(from.join("s")).unwrap();
        refused("`s` is no file");
        fs::remove_file(from.join("s")).unwrap();
        fs::write(from.join("large"), vec![0; 2000]).unwrap();
        refused("larger than 0 MiB");
        fs::write(from.join("large"), "").unwrap();
        fs::write(from.join("more"), "").unwrap();
        refused("more than 3 files");
    }

    #[test]
    fn a_change_is_seen_from_outside() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/bot.py"), "1").unwrap();
        let one = look_at(folder.path(), 100);
        assert_eq!(look_at(folder.path(), 100).signature, one.signature);
        fs::write(folder.path().join("deep/bot.py"), "12").unwrap();
        let other = look_at(folder.path(), 100);
        assert_ne!(other.signature, one.signature);
        assert!(other.newest >= one.newest);
    }
}
