//! A game that is not lost when its player presses Ctrl-C.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::program::Failure;
use crate::program::interrupt::on_interrupt;

/// The game as it stands, for the moment it is interrupted.
#[derive(Debug, Clone)]
pub(super) struct Rescue {
    file: PathBuf,
    text: Arc<Mutex<Option<String>>>,
}

impl Rescue {
    /// From now on Ctrl-C saves the game in `file` before the program ends, if there is anything to save.
    pub(super) fn new(file: PathBuf) -> Result<Rescue, Failure> {
        let rescue = Rescue { file, text: Arc::default() };
        let saver = rescue.clone();
        on_interrupt(move || {
            saver.save();
            // As a shell reports a program that SIGINT has ended.
            std::process::exit(130);
        })?;
        Ok(rescue)
    }

    /// The game as it stands now; `None` if nothing was played.
    pub(super) fn keep(&self, text: Option<String>) {
        if let Ok(mut kept) = self.text.lock() {
            *kept = text;
        }
    }

    fn save(&self) {
        let Some(text) = self.text.lock().ok().and_then(|kept| kept.clone()) else { return };
        let file = self.file.display();
        match fs::write(&self.file, text) {
            Ok(()) => errln!("\nsaved in {file}; go on with --load {file}"),
            Err(error) => errln!("\n{file}: {error}"),
        }
    }
}
