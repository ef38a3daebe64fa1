//! The disk of this machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Disk, DiskFile, Purpose};

/// The disk of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn open(&self, path: &Path, purpose: Purpose) -> io::Result<Box<dyn DiskFile>> {
        let mut options = OpenOptions::new();
        match purpose {
            Purpose::Read => options.read(true),
            Purpose::Append => options.create(true).append(true).read(true),
            Purpose::Extend => options.append(true),
            Purpose::Replace => options.create(true).write(true).truncate(true),
        };
        let position = (purpose == Purpose::Read).then_some(0);
        Ok(Box::new(RealFile { file: options.open(path)?, position }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if self.is_folder(path) { fs::remove_dir(path) } else { fs::remove_file(path) }
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        if cfg!(unix) {
            match File::open(path)?.sync_all() {
                // Some file systems do not sync folders; that is no loss of ours.
                Err(error)
                    if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
                {
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A file of this machine.
#[derive(Debug)]
struct RealFile {
    file: File,
    /// Where the next read begins by itself, if nothing else moves it: then what cannot seek, such as a pipe, can be read too.
    position: Option<u64>,
}

impl DiskFile for RealFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position != Some(offset) {
            self.file.seek(SeekFrom::Start(offset))?;
        }
        let count = self.file.read(buffer)?;
        if let Some(position) = &mut self.position {
            *position = offset + count as u64;
        }
        Ok(count)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        match self.file.sync_data() {
            // Pipes and the like cannot be synced; that is no loss.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(error),
            _ => Ok(()),
        }
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn duplicate(&self) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(RealFile { file: self.file.try_clone()?, position: None }))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_synced_at_all_is_no_failure() {
        let (reader, _writer) = io::pipe().unwrap();
        let pipe = RealFile { file: File::from(std::os::fd::OwnedFd::from(reader)), position: None };
        pipe.sync().unwrap();
    }

    #[test]
    fn a_file_is_read_from_any_place_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = RealDisk.open(&path, Purpose::Append).unwrap();
        let mut other = file.duplicate().unwrap();
        file.append(b"one two").unwrap();
        let mut buffer = [0; 3];
        assert_eq!(other.read_at(4, &mut buffer).unwrap(), 3);
        assert_eq!(&buffer, b"two");
        assert_eq!(file.read_at(0, &mut buffer).unwrap(), 3);
        assert_eq!(&buffer, b"one");
        // Reading moves no writing.
        file.append(b" three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one two three");
        file.truncate(3).unwrap();
        assert_eq!((file.length().unwrap(), other.read_at(3, &mut buffer).unwrap()), (3, 0));
        // A file is locked once.
        assert!(file.try_lock().unwrap());
        assert!(!RealDisk.open(&path, Purpose::Append).unwrap().try_lock().unwrap());
    }
}
