//! How games begin: openings that differ from pair to pair and are the same for both seats.

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use rand::seq::SliceRandom;
use search_core::{Game, Record, Turn, parse_turn, stream, turn_text};
use thiserror::Error;

use crate::digest::Digest;

/// Where the games of an event begin.
#[derive(Debug, Clone)]
pub enum Openings<G: Game> {
    /// The game's own start; a game that draws its start by a seed gets another seed for each round.
    Start,
    /// How many random turns follow.
    Random(u32),
    /// These, one round after the other, then from the beginning again.
    Listed(ListedOpenings<G>),
}

/// Openings from a list.
#[derive(Debug, Clone)]
pub struct ListedOpenings<G: Game> {
    openings: Vec<Opening<G>>,
    /// What the plan calls them: a word for the list, and its digest.
    name: String,
}

/// What the user asked for; files are read by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningsChoice {
    /// The game's own balanced openings, if it has some; else the start, if it differs by the seed; else four random plies, or two
    /// turns of a simultaneous game.
    #[default]
    Automatic,
    /// The start.
    Start,
    /// How many random turns.
    Random(u32),
    /// A file of openings, one on each line.
    File(String),
}

/// A text that names no kind of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected `auto`, `start`, `random:N` with N up to 100, or `file=PATH`, found `{0}`")]
pub struct ParseOpeningsError(String);

impl FromStr for OpeningsChoice {
    type Err = ParseOpeningsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseOpeningsError(text.to_owned());
        // `plies=N` is what earlier run folders hold.
        let random = text.strip_prefix("random:").or_else(|| text.strip_prefix("plies="));
        match (text, random, text.strip_prefix("file=")) {
            ("auto", ..) => Ok(OpeningsChoice::Automatic),
            ("start", ..) => Ok(OpeningsChoice::Start),
            (_, Some(number), _) => {
                number.parse().ok().filter(|&plies| plies <= 100).map(OpeningsChoice::Random).ok_or_else(fail)
            }
            (_, _, Some(path)) if !path.is_empty() => Ok(OpeningsChoice::File(path.to_owned())),
            _ => Err(fail()),
        }
    }
}

/// A list of openings that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListError {
    /// A line is no opening.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is none.
    #[error("expected at least one opening, found none")]
    Empty,
}

impl<G: Game> ListedOpenings<G> {
    /// Reads a list, with `word` as what the plan calls it. A line is a position, or `start` and the turns from there, separated by
    /// spaces; `start=SEED` in a game that draws its start by a seed. Empty lines and lines that begin with `#` are left out.
    pub fn read(word: &str, setup: &G::Setup, text: &str) -> Result<ListedOpenings<G>, ListError> {
        let mut openings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |problem: String| ListError::Line { line: index + 1, problem };
            let opening = Opening::<G>::read(setup, line).map_err(fail)?;
            if let Some(end) = opening.position.end() {
                return Err(fail(format!("the game is over here: {end}")));
            }
            openings.push(opening);
        }
        if openings.is_empty() {
            return Err(ListError::Empty);
        }
        let texts: Vec<String> = openings.iter().map(|opening| opening.position.to_string()).collect();
        Ok(ListedOpenings { openings, name: format!("{word}={}", Digest::of(&texts)) })
    }

    /// The openings in their order.
    pub fn openings(&self) -> &[Opening<G>] {
        &self.openings
    }

    /// The same openings in an order drawn by seed.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> ListedOpenings<G> {
        self.openings.shuffle(&mut stream(seed, "order of the openings"));
        self
    }
}

impl<G: Game> Openings<G> {
    /// The automatic choice: openings must differ, or deterministic bots play one game for ever.
    pub fn automatic(setup: &G::Setup) -> Openings<G> {
        let texts: Vec<String> = (0..4).map(|seed| G::initial(setup, seed).to_string()).collect();
        if texts.windows(2).any(|two| two[0] != two[1]) {
            Openings::Start
        } else if <G::Turn as Turn<G::Move>>::SIMULTANEOUS {
            Openings::Random(2)
        } else {
            Openings::Random(4)
        }
    }

    /// The opening of a round.
    pub fn opening(&self, setup: &G::Setup, round: u32, seed: u64) -> Opening<G> {
        let plies = match self {
            Openings::Listed(ListedOpenings { openings, .. }) => {
                return openings[round as usize % openings.len()].clone();
            }
            Openings::Start => 0,
            Openings::Random(plies) => *plies,
        };
        let start = G::initial(setup, seed);
        // A walk can end the game; then another is drawn. If a hundred do, the walk is too long for this game.
        let mut walks = (0..100).map(|attempt| {
            let mut rng = stream(seed.wrapping_add(attempt), "opening");
            Opening::walk(start.clone(), plies, &mut rng)
        });
        walks.find(|walk| walk.position.end().is_none()).unwrap_or_else(|| Opening::at(start.clone()))
    }
}

/// Where one game begins, and how it came there.
#[derive(Debug, Clone)]
pub struct Opening<G: Game> {
    /// The game's own start, or a position of a list.
    pub origin: G,
    /// The turns from there.
    pub turns: Vec<G::Turn>,
    /// Where the bots begin.
    pub position: G,
}

impl<G: Game> Opening<G> {
    /// A position with nothing before it.
    pub fn at(position: G) -> Opening<G> {
        Opening { origin: position.clone(), turns: Vec::new(), position }
    }

    /// This number of turns drawn at random, fewer if the game ends.
    pub fn walk(origin: G, turns: u32, rng: &mut impl Rng) -> Opening<G> {
        let mut walk = Opening::at(origin);
        for _ in 0..turns {
            if walk.position.end().is_some() {
                break;
            }
            let active = walk.position.active();
            let mut moves = [None, None];
            for player in active.players() {
                moves[player.index()] = walk.position.sample(player, rng);
            }
            if let Some(turn) = G::Turn::from_moves(active, moves) {
                walk.position.play_turn(turn);
                walk.turns.push(turn);
            }
        }
        walk
    }

    /// A line of a list.
    fn read(setup: &G::Setup, line: &str) -> Result<Opening<G>, String> {
        let mut words = line.split_whitespace();
        let start = match words.next().and_then(|word| word.strip_prefix("start")) {
            Some("") => Some(0),
            Some(seed) => {
                let number = seed.strip_prefix('=').and_then(|seed| seed.parse().ok());
                Some(number.ok_or_else(|| format!("expected `start` or `start=SEED`, found `start{seed}`"))?)
            }
            None => None,
        };
        let Some(seed) = start else {
            return line.parse().map(Opening::at).map_err(|error| format!("{error}"));
        };
        let origin = G::initial(setup, seed);
        let mut record = Record::new(origin.clone());
        for text in words {
            let turn = parse_turn::<G>(record.position().active(), text);
            let turn = turn.map_err(|error| format!("the turn `{text}`: {error}"))?;
            record.play(turn).map_err(|error| format!("the turn `{text}`: {error}"))?;
        }
        let position = record.position().clone();
        Ok(Opening { origin, turns: record.turns().to_vec(), position })
    }

    /// The line of a list that [`ListedOpenings::read`] reads as this opening, if it begins at the start that `seed` draws.
    pub fn line(&self, seed: u64) -> String {
        let mut line = if seed == 0 { "start".to_owned() } else { format!("start={seed}") };
        let mut position = self.origin.clone();
        for &turn in &self.turns {
            line.push(' ');
            line.push_str(&turn_text::<G>(position.active(), turn));
            position.play_turn(turn);
        }
        line
    }
}

impl<G: Game> fmt::Display for Openings<G> {
    /// The text that goes into the plan: a list by its digest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Start => f.pad("start"),
            Openings::Random(plies) => f.pad(&format!("random:{plies}")),
            Openings::Listed(ListedOpenings { name, .. }) => f.pad(name),
        }
    }
}
