//! What a kind of work has to say for itself.

use std::ops::Range;
use std::path::Path;

use arena::{Control, Digest};
use serde_json::Value;

use super::Machines;
use crate::program::{App, Failure};

/// A kind of work that can be cut into pieces. A program knows tournaments; [`App::with_kind`] adds others.
pub trait Kind {
    /// The word for it: `kind = "NAME"` in a file.
    fn name(&self) -> &'static str;

    /// The work that a text describes.
    fn open(&self, app: &App, description: &Description) -> Result<Box<dyn Work>, Failure>;
}

/// A description of work: the text of a file, or what a piece carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Where it stands, for messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// By how much limits in time are stretched on this machine.
    pub time_scale: f64,
}

/// Some work, in units that can be done in any order as far as they are handed out.
pub trait Work: Sync {
    /// A digest of everything that decides what comes out.
    fn id(&self) -> Digest;

    /// The description with every default written out: what pieces carry.
    fn description(&self) -> Result<String, Failure>;

    /// What the work is, for people.
    fn about(&self) -> String;

    /// What units are called.
    fn units(&self) -> &'static str;

    /// The games that are played: their searches are in the fingerprint of a machine.
    fn games(&self) -> Vec<String>;

    /// The specs of this program's own bots that decide what comes out in a game: what they find is in the fingerprint too.
    fn bots(&self, game: &str) -> Vec<String> {
        let _ = game;
        Vec::new()
    }

    /// Whether anything depends on time.
    fn is_timed(&self) -> bool {
        false
    }

    /// The units to begin with, for this number of pieces.
    fn first(&self, pieces: u64) -> Result<Wave<'_>, Failure>;

    /// Works on the units of a piece: sealed lines, which [`Collection::take`] understands; nothing if it was interrupted. `told`
    /// hears of every step.
    fn play(
        &self,
        content: &Value,
        jobs: usize,
        control: &Control,
        told: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<String>>, Failure>;

    /// What is collected in a folder, which may be empty.
    fn collection<'a>(&'a self, out: &Path) -> Result<Box<dyn Collection + 'a>, Failure>;
}

/// Units that can be worked on at the same time.
pub struct Wave<'a> {
    /// Their numbers.
    pub units: Range<u64>,
    /// What a piece with some of them says.
    pub content: Box<dyn Fn(Range<u64>) -> Value + 'a>,
}

impl std::fmt::Debug for Wave<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wave").field("units", &self.units).finish_non_exhaustive()
    }
}

/// What comes after the pieces that were handed out.
#[derive(Debug)]
pub enum Next<'a> {
    /// Nothing: the work is done.
    Done,
    /// That is known once more results are in.
    Wait,
    /// These units.
    Wave(Wave<'a>),
}

/// Results that are collected. Several threads hand them in.
pub trait Collection: Sync {
    /// Whether the results of all these units are in.
    fn has(&self, units: Range<u64>) -> bool;

    /// Takes the lines of these units in, or says in words what is wrong with them. What is in already changes nothing.
    fn take(&self, units: Range<u64>, lines: &[&str]) -> Result<Option<String>, Failure>;

    /// Leaves games that a failure decided out of the ratings, if there are games and ratings.
    fn leave_out_faults(&mut self) -> Result<(), Failure> {
        Err(Failure::usage("--no-faults is for the games of tournaments"))
    }

    /// Writes the results so far; gives back what to tell people.
    fn finish(&mut self, machines: &Machines) -> Result<Vec<String>, Failure>;

    /// What comes after the units up to `given`, which were handed out in pieces, `pieces` at a time; of the last ones `missing`
    /// pieces are not in.
    fn next(&self, given: u64, pieces: u64, missing: u64) -> Result<Next<'_>, Failure>;
}

/// The kinds of a program.
impl App {
    /// The same program with one more kind of work for `plan`, `work` and `collect`.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Kind + 'static) -> App {
        self.kinds.push(Box::new(kind));
        self
    }

    /// The kind of this name.
    pub(crate) fn kind(&self, name: &str) -> Result<&dyn Kind, Failure> {
        self.kinds.iter().find(|kind| kind.name() == name).map(|kind| &**kind).ok_or_else(|| {
            let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
            Failure::usage(format!("there is no kind of work `{name}`; the kinds are {}", names.join(", ")))
        })
    }
}
