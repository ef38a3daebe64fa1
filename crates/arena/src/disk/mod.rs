//! The disk as the runner uses it: a handful of operations, so that a test can put one in their place that fails.
//!
//! A path alone means the disk of this machine: everything that takes a [`DiskPath`] takes a path too.

mod real;

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::real::RealDisk;

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be read; it must be there.
    Read,
    /// To be read and written at its end; it is made if it is not there.
    Append,
    /// To be written at its end; it must be there.
    Extend,
    /// To be written from the beginning; what was there is gone.
    Replace,
}

/// A disk. What is written can be read at once, and survives a loss of power once it is synced: the bytes of a file by
/// [`DiskFile::sync`], its name (also a new one) by [`Disk::sync_folder`].
pub trait Disk: fmt::Debug + Send + Sync {
    /// Opens a file.
    fn open(&self, path: &Path, purpose: Purpose) -> io::Result<Box<dyn DiskFile>>;

    /// Gives a file another name; a file that had it is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file or an empty folder.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder, and those above it, unless it is there.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Whether this is a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// Hands the names in a folder to the disk, where the system has such a thing.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait DiskFile: fmt::Debug + Send + Sync {
    /// Writes at the end. After an error a part of the bytes may be there.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Reads from a place; how many bytes, which are none at the end only.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// How many bytes there are.
    fn length(&self) -> io::Result<u64>;

    /// Cuts the file off.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Returns when everything written so far survives a loss of power.
    fn sync(&self) -> io::Result<()>;

    /// Locks the file against other runs until it is closed; whether no other run has it.
    fn try_lock(&self) -> io::Result<bool>;

    /// The same file once more.
    fn duplicate(&self) -> io::Result<Box<dyn DiskFile>>;
}

/// A path on a disk.
#[derive(Debug, Clone)]
pub struct DiskPath {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl DiskPath {
    /// This path on this disk.
    pub fn new(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> DiskPath {
        DiskPath { disk, path: path.into() }
    }

    /// Another path on the same disk.
    pub fn beside(&self, path: impl Into<PathBuf>) -> DiskPath {
        DiskPath { disk: Arc::clone(&self.disk), path: path.into() }
    }

    /// A path below this one.
    pub fn join(&self, name: impl AsRef<Path>) -> DiskPath {
        self.beside(self.path.join(name))
    }

    /// The folder it is in.
    pub fn folder(&self) -> DiskPath {
        let folder = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        self.beside(folder.unwrap_or(Path::new(".")))
    }

    /// The path alone.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path as text for people.
    pub fn display(&self) -> std::path::Display<'_> {
        self.path.display()
    }

    /// Whether a file is there.
    pub fn is_file(&self) -> bool {
        self.length().is_some()
    }

    /// Opens the file.
    pub fn open(&self, purpose: Purpose) -> io::Result<Box<dyn DiskFile>> {
        self.disk.open(&self.path, purpose)
    }

    /// Opens the file to be read from its beginning.
    pub(crate) fn reader(&self) -> io::Result<DiskReader> {
        Ok(DiskReader { file: self.open(Purpose::Read)?, offset: 0 })
    }

    /// All text in the file.
    pub fn read_text(&self) -> io::Result<String> {
        let mut text = String::new();
        self.reader()?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Removes the file or empty folder.
    pub fn remove(&self) -> io::Result<()> {
        self.disk.remove(&self.path)
    }

    /// Whether this is a folder.
    pub fn is_folder(&self) -> bool {
        self.disk.is_folder(&self.path)
    }

    /// How long the file is; `None` if there is no such file.
    pub fn length(&self) -> Option<u64> {
        if self.is_folder() {
            return None;
        }
        self.open(Purpose::Read).and_then(|file| file.length()).ok()
    }

    /// Makes the folder, so that also its name is on the disk.
    pub fn make_folder(&self) -> io::Result<()> {
        self.disk.make_folder(&self.path)?;
        self.sync_name()
    }

    /// Hands the name to the disk: that it is there, or is there no more.
    pub fn sync_name(&self) -> io::Result<()> {
        self.disk.sync_folder(self.folder().path())
    }

    /// Writes the whole file. It is written beside and renamed, so that a kill or a loss of power at any moment leaves the old file
    /// or the new one.
    pub fn write_whole(&self, bytes: &[u8]) -> io::Result<()> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let beside = self.folder().join(format!(".{name}.new"));
        let mut file = beside.open(Purpose::Replace)?;
        file.append(bytes)?;
        // On the disk before it takes the other's place.
        file.sync()?;
        drop(file);
        self.disk.rename(&beside.path, &self.path)?;
        self.sync_name()
    }
}

impl From<&Path> for DiskPath {
    fn from(path: &Path) -> DiskPath {
        DiskPath::new(Arc::new(RealDisk), path)
    }
}

impl From<&PathBuf> for DiskPath {
    fn from(path: &PathBuf) -> DiskPath {
        path.as_path().into()
    }
}

impl From<PathBuf> for DiskPath {
    fn from(path: PathBuf) -> DiskPath {
        DiskPath::new(Arc::new(RealDisk), path)
    }
}

impl From<&DiskPath> for DiskPath {
    fn from(path: &DiskPath) -> DiskPath {
        path.clone()
    }
}

/// A file read from one place on.
#[derive(Debug)]
pub(crate) struct DiskReader {
    file: Box<dyn DiskFile>,
    offset: u64,
}

impl Read for DiskReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(self.offset, buffer)?;
        self.offset += count as u64;
        Ok(count)
    }
}

impl Seek for DiskReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::Current(by) => (self.offset, by),
            SeekFrom::End(by) => (self.file.length()?, by),
        };
        self.offset = from.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.offset)
    }
}
