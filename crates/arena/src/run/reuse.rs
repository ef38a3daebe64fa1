//! Games of earlier runs that need not be played again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::RunError;
use crate::digest::Digest;
use crate::journal::{GameLine, JournalError, parse_game, read_journal_at};

/// Finished games of earlier runs, by id: where their lines are.
#[derive(Debug, Default)]
pub(super) struct Reuse {
    files: Vec<(PathBuf, File)>,
    places: HashMap<Digest, (usize, u64)>,
}

impl Reuse {
    pub(super) fn open(paths: &[PathBuf]) -> Result<Reuse, RunError> {
        let mut reuse = Reuse::default();
        for (number, path) in paths.iter().enumerate() {
            let places = &mut reuse.places;
            read_journal_at(path, |offset, line| {
                // A bot's failure may have been the machine's fault: such games are played again.
                if line.faults.is_empty() {
                    places.insert(line.id, (number, offset));
                }
            })?;
            let open = |error| JournalError::Io { what: "open", path: path.clone(), error };
            reuse.files.push((path.clone(), File::open(path).map_err(open)?));
        }
        Ok(reuse)
    }

    pub(super) fn find(&mut self, id: Digest) -> Result<Option<GameLine>, RunError> {
        let Some(&(file, offset)) = self.places.get(&id) else { return Ok(None) };
        let (path, file) = &mut self.files[file];
        let fail = |error| JournalError::Io { what: "read", path: path.clone(), error };
        file.seek(SeekFrom::Start(offset)).map_err(fail)?;
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        while !bytes.contains(&b'\n') {
            let length = file.read(&mut chunk).map_err(fail)?;
            if length == 0 {
                break;
            }
            bytes.extend_from_slice(&chunk[..length]);
        }
        Ok(bytes.split(|&byte| byte == b'\n').next().and_then(parse_game))
    }
}
