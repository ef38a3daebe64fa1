//! How games begin: openings that differ from pair to pair and are the same for both seats.

use std::fmt;
use std::str::FromStr;

use search_core::{Game, Turn, stream};
use thiserror::Error;

use crate::digest::Digest;

/// Where the games of an event begin.
#[derive(Debug, Clone)]
pub enum Openings<G> {
    /// The game's own start; a game that draws its start by a seed gets another seed for each round.
    Start,
    /// So many random turns from there.
    Plies(u32),
    /// These positions, one round after the other, then from the beginning again.
    Positions(Vec<G>),
}

/// What the user asked for; files are read by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningsChoice {
    /// The start, if it differs by the seed; else four random plies, or two turns of a simultaneous game.
    #[default]
    Automatic,
    /// The start.
    Start,
    /// So many random turns.
    Plies(u32),
    /// A file of positions, one on each line.
    File(String),
}

/// A text that names no kind of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected `auto`, `start`, `plies=N` with N up to 100, or `file=PATH`, found `{0}`")]
pub struct ParseOpeningsError(String);

impl FromStr for OpeningsChoice {
    type Err = ParseOpeningsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseOpeningsError(text.to_owned());
        match text.split_once('=') {
            None if text == "auto" => Ok(OpeningsChoice::Automatic),
            None if text == "start" => Ok(OpeningsChoice::Start),
            Some(("plies", number)) => {
                number.parse().ok().filter(|&plies| plies <= 100).map(OpeningsChoice::Plies).ok_or_else(fail)
            }
            Some(("file", path)) if !path.is_empty() => Ok(OpeningsChoice::File(path.to_owned())),
            _ => Err(fail()),
        }
    }
}

/// A position file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionsError {
    /// A line is no position.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is none.
    #[error("expected at least one position, found none")]
    Empty,
}

impl<G: Game> Openings<G> {
    /// The automatic choice: openings must differ, or deterministic bots play one game for ever.
    pub fn automatic(setup: &G::Setup) -> Openings<G> {
        let texts: Vec<String> = (0..4).map(|seed| G::initial(setup, seed).to_string()).collect();
        if texts.windows(2).any(|two| two[0] != two[1]) {
            Openings::Start
        } else if <G::Turn as Turn<G::Move>>::SIMULTANEOUS {
            Openings::Plies(2)
        } else {
            Openings::Plies(4)
        }
    }

    /// The positions in a text, one on each line; empty lines and lines that begin with `#` are left out.
    pub fn positions(text: &str) -> Result<Openings<G>, PositionsError> {
        let mut positions = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line_text = line.trim();
            if line_text.is_empty() || line_text.starts_with('#') {
                continue;
            }
            let fail = |problem: String| PositionsError::Line { line: index + 1, problem };
            let position: G = line_text.parse().map_err(|error| fail(format!("{error}")))?;
            if let Some(end) = position.end() {
                return Err(fail(format!("the game is over here: {end}")));
            }
            positions.push(position);
        }
        if positions.is_empty() { Err(PositionsError::Empty) } else { Ok(Openings::Positions(positions)) }
    }

    /// The opening of a round.
    pub fn opening(&self, setup: &G::Setup, round: u32, seed: u64) -> Opening<G> {
        let plies = match self {
            Openings::Positions(positions) => {
                return Opening::at(positions[round as usize % positions.len()].clone());
            }
            Openings::Start => 0,
            Openings::Plies(plies) => *plies,
        };
        let start = G::initial(setup, seed);
        // A walk can end the game; then another is drawn. If a hundred do, the walk is too long for this game.
        for attempt in 0..100 {
            let mut rng = stream(seed.wrapping_add(attempt), "opening");
            let mut position = start.clone();
            let mut turns = Vec::new();
            for _ in 0..plies {
                if position.end().is_some() {
                    break;
                }
                let active = position.active();
                let mut moves = [None, None];
                for player in active.players() {
                    moves[player.index()] = position.sample(player, &mut rng);
                }
                if let Some(turn) = G::Turn::from_moves(active, moves) {
                    position.play_turn(turn);
                    turns.push(turn);
                }
            }
            if position.end().is_none() {
                return Opening { origin: start, turns, position };
            }
        }
        Opening::at(start)
    }
}

/// Where one game begins, and how it came there.
#[derive(Debug, Clone)]
pub struct Opening<G: Game> {
    /// The game's own start, or a position of a file.
    pub origin: G,
    /// The random turns from there.
    pub turns: Vec<G::Turn>,
    /// Where the bots begin.
    pub position: G,
}

impl<G: Game> Opening<G> {
    /// A position with nothing before it.
    fn at(position: G) -> Opening<G> {
        Opening { origin: position.clone(), turns: Vec::new(), position }
    }
}

impl<G: Game> fmt::Display for Openings<G> {
    /// The text that goes into the plan: a list of positions by its digest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.pad("start"),
            Openings::Plies(plies) => f.pad(&format!("plies={plies}")),
            Openings::Positions(positions) => {
                let texts: Vec<String> = positions.iter().map(ToString::to_string).collect();
                f.pad(&format!("positions={}", Digest::of(&texts)))
            }
        }
    }
}
