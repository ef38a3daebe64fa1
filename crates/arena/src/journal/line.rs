//! The lines of a journal: what they say, and the checksum that seals them.

use search_core::Outcome;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::event::FinishedGame;
use crate::plan::Plan;
use crate::saved::SavedGame;
use crate::schedule::Job;

/// A bot's failure in a line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultLine {
    /// `p1` or `p2`.
    pub player: String,
    /// The kind of failure.
    pub kind: String,
    /// What happened.
    pub message: String,
}

/// One finished game. The fields of a [`SavedGame`] are among its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// The id of the plan.
    pub plan: Digest,
    /// The id of the game.
    pub id: Digest,
    /// Its number in the plan.
    pub index: u64,
    /// The event.
    pub event: String,
    /// The round, from 0.
    pub round: u32,
    /// The seed of its pair, in hexadecimal.
    pub seed: String,
    /// The game.
    pub game: String,
    /// Its set-up.
    pub setup: String,
    /// Who moved first and second.
    pub players: [String; 2],
    /// The position at the start.
    pub start: String,
    /// The turns, separated by spaces.
    pub turns: String,
    /// `p1`, `p2` or `draw`.
    pub outcome: String,
    /// Why it ended.
    pub reason: String,
    /// How many turns.
    pub plies: u32,
    /// The failures behind a forfeit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultLine>,
    /// How often the game was played again by the rule for infinite moves.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replays: u32,
    /// Moves of each player.
    pub moves: [u32; 2],
    /// Microseconds of each player's moves.
    pub micros: [u64; 2],
    /// Microseconds of each player's slowest move.
    pub slowest: [u64; 2],
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl GameLine {
    /// The line of a finished game.
    pub fn new(plan: &Plan, plan_id: Digest, id: Digest, job: &Job, game: FinishedGame) -> GameLine {
        let event = &plan.events[job.event];
        GameLine {
            plan: plan_id,
            id,
            index: job.index,
            event: event.name.clone(),
            round: job.round,
            seed: format!("{:016x}", game.seed),
            game: event.game.clone(),
            setup: event.setup.clone(),
            players: job.seats().map(|bot| plan.bots[bot].name.clone()),
            start: game.start,
            turns: game.turns,
            outcome: game.outcome.to_string(),
            reason: game.reason.to_owned(),
            plies: game.plies,
            faults: game
                .faults
                .into_iter()
                .map(|fault| FaultLine {
                    player: fault.player.to_string(),
                    kind: fault.kind.to_string(),
                    message: fault.message,
                })
                .collect(),
            replays: game.replays,
            moves: game.usage.map(|usage| usage.moves),
            micros: game.usage.map(|usage| usage.time.as_micros() as u64),
            slowest: game.usage.map(|usage| usage.slowest.as_micros() as u64),
        }
    }

    /// Who won; an error in words if the text names nobody.
    pub fn outcome(&self) -> Result<Outcome, String> {
        self.outcome.parse().map_err(|error| format!("{error}"))
    }

    /// The game by itself.
    pub fn saved(&self) -> SavedGame {
        SavedGame {
            game: self.game.clone(),
            setup: self.setup.clone(),
            players: self.players.clone(),
            start: self.start.clone(),
            turns: self.turns.clone(),
            outcome: Some(self.outcome.clone()),
            reason: Some(self.reason.clone()),
        }
    }

    /// A hash of how the game went, for counting distinct games.
    pub fn moves_hash(&self) -> u64 {
        Digest::of(&[&self.start, &self.turns]).number()
    }
}

/// The first line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) journal: u32,
    pub(super) plan: Digest,
    pub(super) settings: Plan,
}

/// A bot that is out (with its problem) or in again (without), by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Withdrawal {
    pub(super) withdrawn: String,
    pub(super) plan: Digest,
    pub(super) problem: Option<String>,
}

/// Closes a JSON object with the checksum of what is before.
pub(super) fn seal(mut object: Vec<u8>) -> Vec<u8> {
    object.pop();
    let check = Digest::of(&[&object]);
    object.extend_from_slice(format!(",\"check\":\"{check}\"}}\n").as_bytes());
    object
}

/// The length of `,"check":"…"}`.
const SEAL: usize = 10 + 32 + 2;

/// The object without its checksum, if the checksum is right.
fn unseal(line: &[u8]) -> Result<Vec<u8>, String> {
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
pub fn line_bytes(line: &GameLine) -> Vec<u8> {
    // Plain structs of texts and numbers serialise without fail.
    seal(serde_json::to_vec(line).unwrap_or_default())
}

/// What a line can be.
pub(super) enum Parsed {
    Header(Box<Header>),
    Game(Box<GameLine>),
    Withdrawal(Withdrawal),
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
    let line: GameLine = serde_json::from_slice(&object).map_err(|error| error.to_string())?;
    line.outcome()?;
    Ok(Parsed::Game(Box::new(line)))
}

/// The game on a sealed line, if it is one.
pub(super) fn parse_game(line: &[u8]) -> Option<GameLine> {
    match parse(line) {
        Ok(Parsed::Game(game)) => Some(*game),
        _ => None,
    }
}
