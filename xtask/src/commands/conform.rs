//! `cargo xtask conform`: replays what referees did and compares it with our rules.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use flate2::read::MultiGzDecoder;
use search_core::corpus::Conformance;

use crate::games::{Developed, Visitor, asked, with_game, workspace};
use gamesearch::{CommandResult, Failure};

/// Replay referee games and compare every ply with our rules
///
/// Reads files of JSON lines (.jsonl, or .jsonl.gz), prints the first ten differences in full and then the totals. The exit
/// code is 1 if anything differs or cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask conform                    the corpora of all four games
  cargo xtask conform hus                that of one
  cargo xtask conform hus FILE...        other files
  cargo xtask conform ropasci360 --log FILE...")]
pub(crate) struct Conform {
    /// The game; all four without one
    game: Option<String>,
    /// Corpus files [default: the corpus in the game's crate]
    files: Vec<PathBuf>,
    /// The files are tournament logs in the game's own text format (RoPaSci 360)
    #[arg(long, requires = "files")]
    log: bool,
}

pub(crate) fn run(arguments: &Conform) -> CommandResult {
    let mut clean = true;
    for game in asked(arguments.game.as_deref()) {
        let own = workspace().join(format!("crates/{game}/tests/data/corpus.jsonl.gz"));
        let files = if arguments.files.is_empty() { &[own][..] } else { &arguments.files };
        clean &= with_game(game, Replay { files, log: arguments.log })??;
    }
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Replay<'a> {
    files: &'a [PathBuf],
    log: bool,
}

impl Visitor for Replay<'_> {
    type Output = Result<bool, Failure>;

    fn visit<G: Developed>(self) -> Self::Output {
        if self.log {
            return replay_logs::<G>(self.files);
        }
        let mut conformance = Conformance::new::<G>();
        for file in self.files {
            G::conform(&file.display().to_string(), open(file)?, &mut conformance);
        }
        gamesearch::outln!("{conformance}");
        Ok(conformance.is_clean())
    }
}

/// No log is so long. What is packed can be a thousand times as long as its file.
const LONGEST_LOG: u64 = 64 << 20;

fn replay_logs<G: Developed>(files: &[PathBuf]) -> Result<bool, Failure> {
    let (mut turns, mut differences) = (0, 0);
    for file in files {
        let mut bytes = Vec::new();
        open(file)?
            .take(LONGEST_LOG + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| cannot_read(file, &error))?;
        if bytes.len() as u64 > LONGEST_LOG {
            let most = LONGEST_LOG >> 20;
            return Err(Failure::failed(format!(
                "{} is longer than {most} MiB: that is no log",
                file.display()
            )));
        }
        let Some(verdict) = G::conform_log(&String::from_utf8_lossy(&bytes)) else {
            return Err(Failure::usage(format!("{} has no log format: leave `--log` out", G::NAME)));
        };
        gamesearch::outln!("{}: {}", file.display(), verdict.text);
        turns += verdict.turns;
        differences += u64::from(verdict.differs);
    }
    let (game, games) = (G::NAME, files.len());
    gamesearch::outln!("conform {game}: {turns} plies, {games} games, {differences} differences");
    Ok(differences == 0)
}

fn cannot_read(file: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot read {}: {error}", file.display()))
}

/// A file, decompressed if it begins as gzip does, whatever its name.
fn open(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let mut reader = BufReader::new(File::open(file).map_err(|error| cannot_read(file, &error))?);
    let start = reader.fill_buf().map_err(|error| cannot_read(file, &error))?;
    if start.starts_with(&GZIP) {
        Ok(Box::new(BufReader::new(MultiGzDecoder::new(reader))))
    } else {
        Ok(Box::new(reader))
    }
}
