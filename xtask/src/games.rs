//! The games by name: the one place where a name on the command line becomes a type.

use std::io::BufRead;
use std::path::PathBuf;

use agents::fidelity::Compare;
use agents::tuning::Tuning;
use agents::{Catalogue, Random};
use arena::Drawing;
use clap::builder::PossibleValuesParser;
use search_core::Game;
use search_core::corpus::{self, Mismatch, Report, Value};

use crate::commands::Failure;
use crate::draw;

/// What the command line needs of a game besides its rules. A game joins by one `impl` and a line in `games!`.
pub(crate) trait Listed: Game {
    /// The bots that play it.
    fn catalogue() -> Catalogue<Self> {
        Catalogue::new(vec![Random::info()])
    }

    /// Compares one line of a fidelity file with what our report bot answers; `None` if there is no such comparison.
    fn fidelity() -> Option<Compare> {
        None
    }

    /// Draws a position for a report, with the last turn and where it was played.
    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing;

    /// The limits of the game's own contest.
    const OFFICIAL: &'static str;

    /// The champion's evaluation, open to tuning; `None` if it is not a weighted sum.
    fn tuning() -> Option<Tuning<Self>> {
        None
    }

    /// Replays a corpus and adds what it finds to `report`. Overridden by games whose corpora hold fields of their own.
    fn conform(source: &str, input: impl BufRead, report: &mut Report) {
        corpus::replay::<Self>(source, input, report);
    }

    /// Replays a tournament log in the game's own text format; `None` if the game has no such format.
    fn conform_log(text: &str) -> Option<LogVerdict> {
        let _ = text;
        None
    }
}

/// How a tournament log compares with the rules.
#[derive(Debug)]
pub(crate) struct LogVerdict {
    /// Turns that could be replayed.
    pub(crate) turns: u64,
    /// What came out, for people.
    pub(crate) text: String,
    /// Whether log and rules contradict each other.
    pub(crate) differs: bool,
}

/// Work that is the same for every game.
pub(crate) trait Visitor {
    type Output;
    fn visit<G: Listed>(self) -> Self::Output;
}

/// The table of games, in the order of lists.
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// The names of all games.
        pub(crate) const NAMES: &[&str] = &[$(<$game as Game>::NAME),*];

        /// Does the work of `visitor` for the game of this name.
        pub(crate) fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Failure> {
            match name {
                $(name if name == <$game as Game>::NAME => Ok(visitor.visit::<$game>()),)*
                unknown => Err(unknown_game(unknown)),
            }
        }
    };
}

games![expendibots::Position, ropasci360::Position, hus::Position, colosseum::Position];

impl Listed for expendibots::Position {
    const OFFICIAL: &'static str = "gametime=60s";

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw::expendibots::draw(position, last)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::expendibots::catalogue()
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::expendibots::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        agents::expendibots::tuning()
    }
}

impl Listed for ropasci360::Position {
    const OFFICIAL: &'static str = "gametime=60s";

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw::ropasci360::draw(position, last)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::ropasci360::catalogue()
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::ropasci360::fidelity)
    }

    fn conform_log(text: &str) -> Option<LogVerdict> {
        let replay = ropasci360::log::replay(text);
        Some(LogVerdict {
            turns: replay.record.turns().len() as u64,
            text: replay.verdict.to_string(),
            differs: replay.verdict.is_difference(),
        })
    }
}

impl Listed for hus::Position {
    const OFFICIAL: &'static str = "movetime=2s,first=30s";

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw::hus::draw(position, last)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::hus::catalogue()
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::hus::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        Some(agents::hus::tuning())
    }
}

impl Listed for colosseum::Position {
    const OFFICIAL: &'static str = "movetime=2s,first=30s";

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw::colosseum::draw(position, last)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::colosseum::catalogue()
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::colosseum::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        Some(agents::colosseum::tuning())
    }

    /// The field `score` holds the two areas at the end, null before.
    fn conform(source: &str, input: impl BufRead, report: &mut Report) {
        corpus::replay_with::<Self>(source, input, report, |fields, record| {
            let found = record.position().scores().map_or(Value::Null, |scores| Value::from(scores.to_vec()));
            Mismatch::unless_equal("score", fields.get("score").unwrap_or(&Value::from("missing")), &found)
        });
    }
}

fn unknown_game(name: &str) -> Failure {
    let nearest = agents::nearest(name, NAMES.iter().copied());
    let hint = nearest.map_or(String::new(), |nearest| format!(", did you mean `{nearest}`?"));
    Failure::usage(format!("there is no game `{name}`{hint} (the games are {})", NAMES.join(", ")))
}

/// The argument parser for the name of a game; a wrong one is answered with the nearest and all valid ones.
pub(crate) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES)
}

/// The root folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or(manifest.clone(), PathBuf::from)
}
