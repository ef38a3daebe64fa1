//! What only the developers of this repository need of a game: corpora, fidelity files, tuning.

use std::io::BufRead;
use std::path::PathBuf;

use agents::fidelity::Compare;
use agents::tuning::{Training, Tuning};
use colosseum::{Edition, Setup};
use gamesearch::{Failure, Listed};
use search_core::Game;
use search_core::corpus::{self, Conformance, Mismatch, Value};

use crate::commands::league::{Partner, partners};

/// What the developers' commands need of a game.
pub(crate) trait Developed: Listed {
    /// Compares one line of a fidelity file with what our report bot answers; `None` if there is no such comparison.
    fn fidelity() -> Option<Compare> {
        None
    }

    /// The champion's evaluation, open to tuning; `None` if it is not a weighted sum.
    fn tuning() -> Option<Tuning<Self>> {
        None
    }

    /// The champion's network, open to training; `None` if it has none.
    fn training() -> Option<Training<Self>> {
        None
    }

    /// The set-up of a game of self-play, by its number: where there are several, all of them in turn.
    fn setup_of(game: u64) -> Self::Setup {
        let _ = game;
        Self::Setup::default()
    }

    /// The sparring partners of the champion.
    fn league() -> &'static [Partner];

    /// Replays a corpus and adds what it finds to `conformance`. Overridden by games whose corpora hold fields of their own.
    fn conform(source: &str, input: impl BufRead, conformance: &mut Conformance) {
        corpus::replay::<Self>(source, input, conformance);
    }

    /// Replays a tournament log in the game's own text format; `None` if the game has no such format.
    fn conform_log(text: &str) -> Option<LogComparison> {
        let _ = text;
        None
    }
}

/// How a tournament log compares with the rules.
#[derive(Debug)]
pub(crate) struct LogComparison {
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
    fn visit<G: Developed>(self) -> Self::Output;
}

/// Does the work of `visitor` for the game of this name.
pub(crate) fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Failure> {
    match name {
        expendibots::Position::NAME => Ok(visitor.visit::<expendibots::Position>()),
        ropasci360::Position::NAME => Ok(visitor.visit::<ropasci360::Position>()),
        hus::Position::NAME => Ok(visitor.visit::<hus::Position>()),
        colosseum::Position::NAME => Ok(visitor.visit::<colosseum::Position>()),
        unknown => Err(Failure::usage(format!("there is no game `{unknown}`"))),
    }
}

/// The game that was asked for, or all.
pub(crate) fn asked(game: Option<&str>) -> Vec<&str> {
    game.map_or_else(|| gamesearch::contests::NAMES.to_vec(), |game| vec![game])
}

impl Developed for expendibots::Position {
    fn league() -> &'static [Partner] {
        partners::EXPENDIBOTS
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::expendibots::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        agents::expendibots::tuning()
    }
}

impl Developed for ropasci360::Position {
    fn training() -> Option<Training<Self>> {
        Some(agents::ropasci360::training())
    }

    fn league() -> &'static [Partner] {
        partners::ROPASCI360
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::ropasci360::fidelity)
    }

    fn conform_log(text: &str) -> Option<LogComparison> {
        let replay = ropasci360::log::replay(text);
        Some(LogComparison {
            turns: replay.record.turns().len() as u64,
            text: replay.agreement.to_string(),
            differs: replay.agreement.is_difference(),
        })
    }
}

impl Developed for hus::Position {
    fn training() -> Option<Training<Self>> {
        Some(agents::hus::training())
    }

    fn league() -> &'static [Partner] {
        partners::HUS
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::hus::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        Some(agents::hus::tuning())
    }
}

impl Developed for colosseum::Position {
    fn training() -> Option<Training<Self>> {
        Some(agents::colosseum::training())
    }

    /// Boards of 6 to 12 rows, three of four in the edition of the default.
    fn setup_of(game: u64) -> Setup {
        let size = 6 + (game % 7) as u8;
        let edition = if game / 7 % 4 == 3 { Edition::Fall2023 } else { Edition::Winter2022 };
        Setup::new(size, edition).unwrap_or_default()
    }

    fn league() -> &'static [Partner] {
        partners::COLOSSEUM
    }

    fn fidelity() -> Option<Compare> {
        Some(agents::colosseum::fidelity)
    }

    fn tuning() -> Option<Tuning<Self>> {
        Some(agents::colosseum::tuning())
    }

    /// The field `score` holds the two areas at the end, null before.
    fn conform(source: &str, input: impl BufRead, conformance: &mut Conformance) {
        corpus::replay_with::<Self>(source, input, conformance, |fields, record| {
            let found = record.position().scores().map_or(Value::Null, |scores| Value::from(scores.to_vec()));
            Mismatch::unless_equal("score", fields.get("score").unwrap_or(&Value::from("missing")), &found)
        });
    }
}

/// The root folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or(manifest.clone(), PathBuf::from)
}
