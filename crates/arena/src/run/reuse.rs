//! Games of earlier runs that need not be played again.

use std::collections::HashMap;
use std::path::PathBuf;

use super::RunError;
use crate::digest::Digest;
use crate::disk::DiskPath;
use crate::finished::FinishedGame;
use crate::journal::{PlacedGames, read_journal};

/// Finished games of earlier runs, by id: where their lines are.
#[derive(Debug, Default)]
pub(super) struct Reuse {
    files: Vec<PlacedGames>,
    places: HashMap<Digest, (usize, u64)>,
}

impl Reuse {
    pub(super) fn open(journal: &DiskPath, paths: &[PathBuf]) -> Result<Reuse, RunError> {
        let mut reuse = Reuse::default();
        for (number, path) in paths.iter().enumerate() {
            let path = journal.beside(path);
            let places = &mut reuse.places;
            read_journal(&path, None, |place, game| {
                // A bot's failure may have been the machine's fault: such games are played again.
                if game.result.faults.is_empty() {
                    places.insert(game.id, (number, place.offset));
                }
            })?;
            reuse.files.push(PlacedGames::open(path)?);
        }
        Ok(reuse)
    }

    pub(super) fn find(&mut self, id: Digest) -> Result<Option<FinishedGame>, RunError> {
        let Some(&(file, offset)) = self.places.get(&id) else { return Ok(None) };
        Ok(self.files[file].at(offset)?)
    }
}
