//! A disk in memory that keeps apart what can be read now and what survives a loss of power, and fails on purpose.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use search_core::split_mix;

use crate::disk::{Disk, DiskFile, DiskPath, Purpose};

/// The bytes that a disk writes at once.
const SECTOR: usize = 512;

/// How an operation of a [`MemoryDisk`] fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskFault {
    /// It fails once, and nothing of it happens; what comes after it works.
    Once,
    /// The disk is full from here on: of what is written half arrives, then nothing more; nothing new can be made. What is there
    /// can be read, renamed, removed, cut off and synced.
    Full,
    /// The power goes before it: this operation and all after it fail, until [`MemoryDisk::restart`].
    PowerLoss,
}

/// What is on a [`MemoryDisk`] when the power is back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Survival {
    /// What was synced, and nothing else: bytes and names.
    Synced,
    /// All that was written, but of the last write to each file since its sync only a half; all names.
    Torn,
    /// All names and lengths, but zeros for all bytes that were not synced: the system wrote down how long the file is first.
    Zeroed,
    /// All bytes of the files, but no name that was given, taken or changed since its folder was synced.
    OldNames,
    /// All that was written, with bits flipped in one sector of one file, which the number chooses.
    FlippedBits(u64),
}

/// A file's bytes, whatever it is called.
#[derive(Debug, Clone, Default)]
struct Inode {
    live: Vec<u8>,
    durable: Vec<u8>,
    /// Where the last write began, if there was one since the sync.
    last_write: Option<usize>,
    locked: bool,
}

/// The names on the disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Names {
    files: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
}

#[derive(Debug, Default)]
struct State {
    inodes: Vec<Inode>,
    live: Names,
    durable: Names,
    /// What was done since the last restart, with the file.
    done: Vec<(&'static str, PathBuf)>,
    fault: Option<(u64, DiskFault)>,
    full: bool,
    down: bool,
    /// The files opened before a restart are gone with the program that had them.
    generation: u32,
}

/// A disk in memory. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct MemoryDisk {
    state: Arc<Mutex<State>>,
}

impl MemoryDisk {
    /// An empty disk without faults.
    pub fn new() -> MemoryDisk {
        MemoryDisk::default()
    }

    /// A path on this disk.
    pub fn path(&self, path: impl Into<PathBuf>) -> DiskPath {
        DiskPath::new(Arc::new(self.clone()), path)
    }

    /// Lets an operation fail: the one with this number, counted from 0 since the last restart.
    pub fn fail_at(&self, number: u64, fault: DiskFault) {
        self.lock().fault = Some((number, fault));
    }

    /// How many operations there were since the last restart; reading what is there is none.
    pub fn operations(&self) -> u64 {
        self.lock().done.len() as u64
    }

    /// What the operations since the last restart were, each with its file.
    pub fn history(&self) -> Vec<(&'static str, PathBuf)> {
        self.lock().done.clone()
    }

    /// Whether the power is gone.
    pub fn is_down(&self) -> bool {
        self.lock().down
    }

    /// The bytes of a file that would survive a loss of power under its name.
    pub fn durable(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.lock();
        state.durable.files.get(path).map(|&inode| state.inodes[inode].durable.clone())
    }

    /// The bytes of a file as they are read now.
    pub fn live(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.lock();
        state.live.files.get(path).map(|&inode| state.inodes[inode].live.clone())
    }

    /// All files that are there.
    pub fn files(&self) -> Vec<PathBuf> {
        self.lock().live.files.keys().cloned().collect()
    }

    /// The program has ended without a loss of power: its files are closed, and no fault is planned any more.
    pub fn end_of_program(&self) {
        let mut state = self.lock();
        state.generation += 1;
        state.done.clear();
        (state.fault, state.full) = (None, false);
        state.inodes.iter_mut().for_each(|inode| inode.locked = false);
    }

    /// The power goes, if it is not gone yet, and comes back: this is left. The file in which bits were flipped, if any.
    pub fn restart(&self, survival: Survival) -> Option<PathBuf> {
        let mut state = self.lock();
        let mut flipped = None;
        match survival {
            Survival::Synced => {
                state.live = state.durable.clone();
                state.inodes.iter_mut().for_each(|inode| inode.live.clone_from(&inode.durable));
            }
            Survival::Torn => {
                for inode in &mut state.inodes {
                    if let Some(start) = inode.last_write {
                        let half = (inode.live.len().saturating_sub(start)) / 2;
                        inode.live.truncate(start + half);
                    }
                }
            }
            Survival::Zeroed => {
                for inode in &mut state.inodes {
                    let length = inode.live.len();
                    inode.live.clone_from(&inode.durable);
                    inode.live.resize(length, 0);
                }
            }
            Survival::OldNames => state.live = state.durable.clone(),
            Survival::FlippedBits(number) => {
                let files: Vec<(PathBuf, usize)> =
                    state.live.files.iter().map(|(path, &inode)| (path.clone(), inode)).collect();
                let sectors = |state: &State, inode: usize| state.inodes[inode].live.len().div_ceil(SECTOR);
                let all: usize = files.iter().map(|(_, inode)| sectors(&state, *inode)).sum();
                let mut sector = (number % all.max(1) as u64) as usize;
                for (path, inode) in files {
                    let here = sectors(&state, inode);
                    if sector < here {
                        let bytes = &mut state.inodes[inode].live;
                        let end = bytes.len().min((sector + 1) * SECTOR);
                        for (at, byte) in bytes[sector * SECTOR..end].iter_mut().enumerate() {
                            // Every eighth byte or so, and in the first place the first one.
                            let dice = split_mix(number.wrapping_mul(SECTOR as u64).wrapping_add(at as u64));
                            if at == 0 || dice.is_multiple_of(8) {
                                *byte ^= 1 << (dice >> 8 & 7);
                            }
                        }
                        flipped = Some(path);
                        break;
                    }
                    sector -= here;
                }
            }
        }
        // What is there now has survived.
        state.durable = state.live.clone();
        for inode in &mut state.inodes {
            inode.durable.clone_from(&inode.live);
            inode.last_write = None;
        }
        state.down = false;
        drop(state);
        self.end_of_program();
        flipped
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an operation: the state, or the planned failure. The flag tells that the disk is full.
    fn begin(
        &self,
        generation: Option<u32>,
        what: &'static str,
        path: &Path,
    ) -> io::Result<(MutexGuard<'_, State>, bool)> {
        let mut state = self.lock();
        if generation.is_some_and(|generation| generation != state.generation) {
            return Err(io::Error::other("the program that opened the file has ended"));
        }
        if state.down {
            return Err(io::Error::other("the power is gone"));
        }
        let number = state.done.len() as u64;
        state.done.push((what, path.to_owned()));
        match state.fault {
            Some((at, DiskFault::Once)) if at == number => {
                return Err(io::Error::other("the disk failed once"));
            }
            Some((at, DiskFault::Full)) if at == number => state.full = true,
            Some((at, DiskFault::PowerLoss)) if at == number => {
                state.down = true;
                return Err(io::Error::other("the power is gone"));
            }
            _ => {}
        }
        let full = state.full;
        Ok((state, full))
    }

    fn reading(&self, generation: Option<u32>) -> io::Result<MutexGuard<'_, State>> {
        let state = self.lock();
        if state.down || generation.is_some_and(|generation| generation != state.generation) {
            return Err(io::Error::other("the power is gone"));
        }
        Ok(state)
    }
}

fn no_room() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "no space left")
}

/// The folder of a path; the top for a name alone.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

impl Disk for MemoryDisk {
    fn open(&self, path: &Path, purpose: Purpose) -> io::Result<Box<dyn DiskFile>> {
        let known = self.reading(None)?.live.files.get(path).copied();
        let inode = match (purpose, known) {
            (Purpose::Read | Purpose::Extend, None) => return Err(io::ErrorKind::NotFound.into()),
            (Purpose::Read | Purpose::Extend | Purpose::Append, Some(inode)) => inode,
            (Purpose::Append, None) | (Purpose::Replace, _) => {
                let (mut state, full) = self.begin(None, "make", path)?;
                let folder = folder_of(path);
                if folder != Path::new(".") && !state.live.folders.contains(&folder) {
                    return Err(io::ErrorKind::NotFound.into());
                }
                if full {
                    return Err(no_room());
                }
                if let Some(inode) = known {
                    // What was durable of it stays so until the emptiness is synced.
                    state.inodes[inode].live.clear();
                    state.inodes[inode].last_write = Some(0);
                    inode
                } else {
                    state.inodes.push(Inode::default());
                    let inode = state.inodes.len() - 1;
                    state.live.files.insert(path.to_owned(), inode);
                    inode
                }
            }
        };
        let generation = self.lock().generation;
        let path = path.to_owned();
        let opened = Opened { disk: self.clone(), inode, path, generation, locked: AtomicBool::new(false) };
        Ok(Box::new(MemoryFile(Arc::new(opened))))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (mut state, _) = self.begin(None, "rename", to)?;
        let inode = state.live.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.live.files.insert(to.to_owned(), inode);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let (mut state, _) = self.begin(None, "remove", path)?;
        if state.live.folders.contains(path) {
            let holds = |other: &PathBuf| other != path && other.starts_with(path);
            if state.live.files.keys().any(holds) || state.live.folders.iter().any(holds) {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            state.live.folders.remove(path);
            return Ok(());
        }
        state.live.files.remove(path).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let is_there = |folder: &Path| folder.as_os_str().is_empty() || folder == Path::new(".");
        if is_there(path) || self.is_folder(path) {
            return Ok(());
        }
        let (mut state, full) = self.begin(None, "make folder", path)?;
        if full {
            return Err(no_room());
        }
        for folder in path.ancestors().filter(|folder| !is_there(folder)) {
            state.live.folders.insert(folder.to_owned());
        }
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.reading(None).is_ok_and(|state| state.live.folders.contains(path))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let (mut state, _) = self.begin(None, "sync folder", path)?;
        let State { live, durable, .. } = &mut *state;
        durable.files.retain(|name, _| folder_of(name) != path);
        durable.files.extend(
            live.files
                .iter()
                .filter(|(name, _)| folder_of(name) == path)
                .map(|(name, &inode)| (name.clone(), inode)),
        );
        durable.folders.retain(|name| folder_of(name) != path);
        durable.folders.extend(live.folders.iter().filter(|name| folder_of(name) == path).cloned());
        Ok(())
    }
}

/// What was opened once: handles of it share the lock, which goes with the last of them.
#[derive(Debug)]
struct Opened {
    disk: MemoryDisk,
    inode: usize,
    path: PathBuf,
    generation: u32,
    locked: AtomicBool,
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut state = self.disk.lock();
        if self.locked.load(Ordering::SeqCst) && self.generation == state.generation {
            state.inodes[self.inode].locked = false;
        }
    }
}

/// A file of a [`MemoryDisk`].
#[derive(Debug)]
struct MemoryFile(Arc<Opened>);

impl MemoryFile {
    fn begin(&self, what: &'static str) -> io::Result<(MutexGuard<'_, State>, bool)> {
        self.0.disk.begin(Some(self.0.generation), what, &self.0.path)
    }

    fn reading(&self) -> io::Result<MutexGuard<'_, State>> {
        self.0.disk.reading(Some(self.0.generation))
    }
}

impl DiskFile for MemoryFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (mut state, full) = self.begin("append")?;
        let inode = &mut state.inodes[self.0.inode];
        inode.last_write = Some(inode.live.len());
        if full {
            inode.live.extend_from_slice(&bytes[..bytes.len() / 2]);
            return Err(no_room());
        }
        inode.live.extend_from_slice(bytes);
        Ok(())
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let state = self.reading()?;
        let live = &state.inodes[self.0.inode].live;
        let rest = live.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.reading()?.inodes[self.0.inode].live.len() as u64)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let (mut state, _) = self.begin("truncate")?;
        let inode = &mut state.inodes[self.0.inode];
        inode.live.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        inode.last_write = Some(inode.live.len());
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let (mut state, _) = self.begin("sync")?;
        let inode = &mut state.inodes[self.0.inode];
        inode.durable.clone_from(&inode.live);
        inode.last_write = None;
        Ok(())
    }

    fn try_lock(&self) -> io::Result<bool> {
        let mut state = self.reading()?;
        let free = !std::mem::replace(&mut state.inodes[self.0.inode].locked, true);
        drop(state);
        if free {
            self.0.locked.store(true, Ordering::SeqCst);
        }
        Ok(free)
    }

    fn duplicate(&self) -> io::Result<Box<dyn DiskFile>> {
        drop(self.reading()?);
        Ok(Box::new(MemoryFile(Arc::clone(&self.0))))
    }
}
