//! The folder of a class: where everything is, written so that a kill leaves the old or the new.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use arena::Digest;
use arena::disk::DiskPath;

use crate::program::Failure;

/// The folder of a class.
#[derive(Debug)]
pub(crate) struct Home {
    root: PathBuf,
    /// Held while a program works on it.
    _lock: File,
    key: String,
}

impl Home {
    /// Opens the folder of a class, for one program at a time.
    pub(crate) fn open(folder: &Path) -> Result<Home, Failure> {
        let root = fs::canonicalize(folder)
            .map_err(|error| Failure::usage(format!("cannot open {}: {error}", folder.display())))?;
        let path = root.join(".lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(Failure::cannot("write", &path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::usage(format!("{} is in use by another run", root.display())));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Failure::failed(format!("cannot lock {}: {error}", path.display())));
            }
        }
        for name in ["store/entries", "ladder", "finals"] {
            make(&root.join(name))?;
        }
        let key = secret(&root.join("store/key"))?;
        Ok(Home { root, _lock: lock, key })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the folder, or an absolute one.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// Where what was taken in is kept.
    pub(crate) fn entries(&self) -> PathBuf {
        self.root.join("store/entries")
    }

    /// The key that secret names are made from. It never leaves this folder.
    pub(crate) fn key(&self) -> String {
        self.key.clone()
    }
}

/// The name of a team's own folder of the site, which cannot be guessed without the key.
pub(crate) fn secret_name(key: &str, team: &str) -> String {
    Digest::of(&["secret folder", key, team]).to_string()
}

/// The key that secret names are made from; made at the first time.
fn secret(path: &Path) -> Result<String, Failure> {
    let fail = Failure::cannot("keep", &path);
    match fs::read_to_string(path) {
        Ok(key) if key.trim().len() >= 32 => return Ok(key.trim().to_owned()),
        Ok(_) => {
            return Err(Failure::failed(format!(
                "{} is damaged: it names the teams' secret folders",
                path.display()
            )));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(fail(error)),
    }
    let mut bytes = [0_u8; 32];
    File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes)).map_err(fail)?;
    let key = Digest::of(&[bytes]).to_string();
    write(path, &format!("{key}\n"))?;
    restrict(path);
    Ok(key)
}

/// For the eyes of the instructor only, where the system knows that.
fn restrict(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // On a file system without permissions it cannot be hidden.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Makes a folder and those above it.
pub(crate) fn make(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(Failure::cannot("make the folder", &path))
}

/// Writes a file beside and renames it, on the disk before it takes the other's place.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    DiskPath::from(path).write_whole(text.as_bytes()).map_err(Failure::cannot("write", &path))
}

/// Hands the names in a folder to the disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), Failure> {
    DiskPath::from(folder).join("name").sync_name().map_err(Failure::cannot("sync", &folder))
}

/// Writes a page: a reader sees the old one or the new one; after a loss of power it is written again.
pub(crate) fn publish(path: &Path, text: &str) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    let fail = Failure::cannot("write", &path);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(fail)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = folder.join(format!(".{name}.new"));
    fs::write(&beside, text).map_err(fail)?;
    fs::rename(&beside, path).map_err(fail)
}

/// The bytes of all files below a folder. What vanishes meanwhile counts for nothing.
pub(crate) fn size_of(folder: &Path) -> u64 {
    let mut size = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) => size += entry.metadata().map_or(0, |metadata| metadata.len()),
                Err(_) => {}
            }
        }
    }
    size
}
