//! The lines of a journal: what they say, and the checksum that seals them.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::finished::FinishedGame;
use crate::plan::Plan;

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) journal: u32,
    pub(super) plan: Digest,
    pub(super) settings: Plan,
    /// The settings of the run as its user wrote them, so that it can be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) options: Option<String>,
}

/// A bot that is out (with its problem) or in again (without), by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Withdrawal {
    pub(super) withdrawn: String,
    pub(super) plan: Digest,
    pub(super) problem: Option<String>,
}

/// What is said about games besides their results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Note {
    /// A game with a bot from outside begins. Whatever such a bot does to the runner, this stands in the file.
    Begun { plan: Digest, game: u64, players: [String; 2] },
    /// The game, or each one under way, was given up in good order.
    Left { plan: Digest, game: Option<u64> },
    /// The game has no result and is not played again.
    Void { plan: Digest, game: u64, players: [String; 2], problem: String },
    /// All lines of this game before this one count for nothing.
    Struck { plan: Digest, game: u64, problem: String },
}

impl Note {
    pub(super) fn plan(&self) -> Digest {
        match *self {
            Note::Begun { plan, .. }
            | Note::Left { plan, .. }
            | Note::Void { plan, .. }
            | Note::Struck { plan, .. } => plan,
        }
    }

    /// Whether it says that each game under way was given up.
    pub(crate) fn gives_up_all(&self) -> bool {
        matches!(self, Note::Left { game: None, .. })
    }

    /// How the lines of notes begin.
    const STARTS: [&[u8]; 4] = [b"{\"begun\":", b"{\"left\":", b"{\"void\":", b"{\"struck\":"];
}

/// Closes a JSON object with the checksum of what is before: the form of every line of a journal.
pub fn seal(mut object: Vec<u8>) -> Vec<u8> {
    object.pop();
    let check = Digest::of(&[&object]);
    object.extend_from_slice(format!(",\"check\":\"{check}\"}}\n").as_bytes());
    object
}

/// The length of `,"check":"…"}`.
const SEAL: usize = 10 + 32 + 2;

/// The object without its checksum, if the checksum is right; in words what is wrong with it. The line break is off already.
pub fn unseal(line: &[u8]) -> Result<Vec<u8>, String> {
    let split = line.len().checked_sub(SEAL).ok_or("too short")?;
    let (body, seal) = line.split_at(split);
    let digest = seal
        .strip_prefix(b",\"check\":\"")
        .and_then(|rest| rest.strip_suffix(b"\"}"))
        .ok_or("it does not end with a checksum")?;
    if Digest::of(&[body]).to_string().as_bytes() != digest {
        return Err("its checksum is wrong".to_owned());
    }
    let mut object = body.to_vec();
    object.push(b'}');
    Ok(object)
}

/// The bytes of a line, sealed.
pub fn line_bytes(game: &FinishedGame) -> Vec<u8> {
    // Plain structs of texts and numbers serialise without fail.
    seal(serde_json::to_vec(game).unwrap_or_default())
}

/// What a line can be.
pub(super) enum Parsed {
    Header(Box<Header>),
    Game(Box<FinishedGame>),
    Withdrawal(Withdrawal),
    Note(Note),
}

/// Reads a line; in words what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, String> {
    let object = unseal(bytes)?;
    if object.starts_with(b"{\"journal\":") {
        let header: Header = serde_json::from_slice(&object).map_err(|error| error.to_string())?;
        if header.settings.id() != header.plan {
            return Err("its plan does not have the id it says".to_owned());
        }
        header.settings.check().map_err(|error| format!("its plan cannot be played: {error}"))?;
        return Ok(Parsed::Header(Box::new(header)));
    }
    if object.starts_with(b"{\"withdrawn\":") {
        return serde_json::from_slice(&object).map(Parsed::Withdrawal).map_err(|error| error.to_string());
    }
    if Note::STARTS.iter().any(|start| object.starts_with(start)) {
        return serde_json::from_slice(&object).map(Parsed::Note).map_err(|error| error.to_string());
    }
    serde_json::from_slice(&object).map(Parsed::Game).map_err(|error| error.to_string())
}

/// The game on a sealed line, if it is one.
pub(crate) fn parse_game(line: &[u8]) -> Option<FinishedGame> {
    match parse(line) {
        Ok(Parsed::Game(game)) => Some(*game),
        _ => None,
    }
}
