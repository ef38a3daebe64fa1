//! The sealed result of a piece: who played it, a line for each step, and a seal over all of it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use arena::Digest;
use serde::{Deserialize, Serialize};

use super::{Piece, Signature};
use crate::program::Failure;

/// The first line of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The piece it is of.
    pub(crate) result: u64,
    /// The work it belongs to.
    pub(crate) work: Digest,
    /// The kind of work.
    pub(crate) kind: String,
    /// Its units.
    pub(crate) units: Range<u64>,
    /// Who played it.
    pub(crate) signature: Signature,
    /// By how much limits in time were stretched.
    pub(crate) time_scale: f64,
    /// How long it took.
    pub(crate) seconds: f64,
}

/// The last line of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct End {
    /// A digest of all lines before.
    end: Digest,
    /// How many they are.
    lines: usize,
}

/// A result whose seal is right.
#[derive(Debug)]
pub(crate) struct Delivered {
    pub(crate) header: Header,
    text: String,
}

impl Delivered {
    /// The lines between the first and the last.
    pub(crate) fn lines(&self) -> Vec<&str> {
        let lines: Vec<&str> = self.text.lines().collect();
        lines[1..lines.len() - 1].to_vec()
    }

    /// What is wrong with it as the result of a piece of this work, in words.
    pub(crate) fn objection(
        &self,
        work: Digest,
        piece: u64,
        units: &Range<u64>,
        planner: &Signature,
        same_machines: Option<f64>,
    ) -> Option<String> {
        let Header { signature, .. } = &self.header;
        if self.header.work != work {
            return Some(format!("it belongs to another plan ({}, expected {work})", self.header.work));
        }
        if self.header.result != piece || self.header.units != *units {
            return Some(format!("it is the result of piece {}, not of piece {piece}", self.header.result));
        }
        if signature.fingerprint != planner.fingerprint {
            return Some(format!(
                "the searches of {} find other things than those of {} where the work was planned: fingerprint {}, expected {} \
                 (another version of the program?)",
                signature.machine, planner.machine, signature.fingerprint, planner.fingerprint
            ));
        }
        unlike(signature, planner.nodes_per_second, same_machines)
    }
}

/// Why a machine is too different in speed, if it is.
pub(super) fn unlike(signature: &Signature, planned: f64, tolerance: Option<f64>) -> Option<String> {
    let tolerance = tolerance?;
    let difference = (signature.nodes_per_second / planned - 1.0).abs();
    (difference > tolerance).then(|| {
        format!(
            "{} searches {:.0} nodes per second and the machine that planned the work {planned:.0}: they differ by {:.0} %, and \
             --same-machines allows {:.0} %",
            signature.machine,
            signature.nodes_per_second,
            100.0 * difference,
            100.0 * tolerance
        )
    })
}

impl Signature {
    /// Why pieces planned for machines of another speed are not for this one, if they are not.
    pub(crate) fn is_unlike(&self, piece: &Piece) -> Option<String> {
        unlike(self, piece.nodes_per_second, piece.same_machines)
    }
}

/// Where the result of a piece is: beside it.
pub(crate) fn result_path(piece: &Path) -> PathBuf {
    piece.with_extension("result.jsonl")
}

impl Header {
    /// Writes a result: whole or not at all, and on the disk when this returns, if it is to be durable.
    pub(crate) fn write(&self, lines: &[String], path: &Path, durable: bool) -> Result<(), Failure> {
        let mut text = sealed_line(self)?;
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let end = End { end: Digest::of(&[&text]), lines: lines.len() + 1 };
        text.push_str(&sealed_line(&end)?);
        write_new(path, text.as_bytes(), durable)
    }
}

/// Reads a result; in words what is wrong with it.
pub(crate) fn read_result(path: &Path) -> Result<Delivered, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("it cannot be read: {error}"))?;
    let broken = || "its seal is broken: it was cut off or changed".to_owned();
    let body = text.strip_suffix('\n').ok_or_else(broken)?;
    let (before, last) = body.rsplit_once('\n').ok_or_else(broken)?;
    let end: End =
        unsealed_line(last).ok().and_then(|object| serde_json::from_str(&object).ok()).ok_or_else(broken)?;
    let before = &text[..=before.len()];
    if end.end != Digest::of(&[before]) || end.lines != before.lines().count() {
        return Err(broken());
    }
    let first = before.lines().next().unwrap_or_default();
    let object = unsealed_line(first).map_err(|_| broken())?;
    let header = serde_json::from_str(&object)
        .map_err(|error| format!("it was written by another version of this program: {error}"))?;
    Ok(Delivered { header, text })
}

/// The first line of a result, if it is whole.
pub(crate) fn read_header(path: &Path) -> Option<Header> {
    let mut first = String::new();
    BufReader::new(File::open(path).ok()?).read_line(&mut first).ok()?;
    serde_json::from_str(&unsealed_line(&first).ok()?).ok()
}

/// An object as a line that closes with a checksum, as those of a journal do.
pub fn sealed_line(object: &impl Serialize) -> Result<String, Failure> {
    let bytes = arena::seal(serde_json::to_vec(object).map_err(Failure::failed)?);
    String::from_utf8(bytes).map_err(Failure::failed)
}

/// The object on such a line; in words what is wrong with it.
pub fn unsealed_line(line: &str) -> Result<String, String> {
    let object = arena::unseal(line.trim_end().as_bytes())?;
    String::from_utf8(object).map_err(|error| error.to_string())
}

/// Writes a file beside and renames it; handed to the disk first, if it must not be lost with the power.
pub(crate) fn write_new(path: &Path, bytes: &[u8], durable: bool) -> Result<(), Failure> {
    let fail = Failure::cannot("write", &path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Two machines may work on the same piece: each writes a file of its own.
    let machine = std::env::var("SLURMD_NODENAME")
        .ok()
        .or_else(|| fs::read_to_string("/proc/sys/kernel/hostname").ok())
        .unwrap_or_default();
    let beside = folder.join(format!(".{name}.{}.{}.new", machine.trim(), std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        if durable { file.sync_all() } else { Ok(()) }
    });
    let renamed = written.and_then(|()| fs::rename(&beside, path));
    if renamed.is_err() {
        // Half a file is of no use.
        let _ = fs::remove_file(&beside);
    }
    renamed.map_err(fail)?;
    if durable { arena::disk::DiskPath::from(path).sync_name().map_err(fail) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        Signature {
            machine: "node".to_owned(),
            processor: "any".to_owned(),
            program: Digest::of(&["program"]),
            version: "1".to_owned(),
            fingerprint: Digest::of(&["bench"]),
            nodes_per_second: 1000.0,
            workers: 1,
        }
    }

    fn header() -> Header {
        Header {
            result: 3,
            work: Digest::of(&["work"]),
            kind: "tournament".to_owned(),
            units: 4..6,
            signature: signature(),
            time_scale: 1.0,
            seconds: 0.5,
        }
    }

    #[test]
    fn a_result_is_read_as_it_was_written_and_every_change_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("piece-0003.result.jsonl");
        header().write(&["{\"a\":1}".to_owned(), "{\"b\":2}".to_owned()], &path, true).unwrap();
        let read = read_result(&path).unwrap();
        assert_eq!((&read.header, read.lines()), (&header(), vec!["{\"a\":1}", "{\"b\":2}"]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside");

        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(read_result(&path).is_err(), "{length} bytes");
        }
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            fs::write(&path, changed).unwrap();
            assert!(read_result(&path).is_err(), "byte {place}");
        }
    }

    #[test]
    fn a_result_of_something_else_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("piece-0003.result.jsonl");
        header().write(&[], &path, false).unwrap();
        let read = read_result(&path).unwrap();
        let work = Digest::of(&["work"]);
        let says = |work, piece, planner: &Signature, tolerance| {
            read.objection(work, piece, &(4..6), planner, tolerance).unwrap_or_default()
        };
        assert_eq!(says(work, 3, &signature(), Some(0.1)), "");
        assert!(says(Digest::of(&["other"]), 3, &signature(), None).contains("another plan"));
        assert!(says(work, 4, &signature(), None).contains("of piece 3, not of piece 4"));
        let other = Signature { fingerprint: Digest::of(&["other"]), ..signature() };
        assert!(says(work, 3, &other, None).contains("fingerprint"));
        let slow = Signature { nodes_per_second: 500.0, ..signature() };
        assert!(says(work, 3, &slow, Some(0.1)).contains("differ by 100 %, and --same-machines allows 10 %"));
        assert_eq!(says(work, 3, &slow, None), "");
    }
}
