//! Replaying corpora: what a referee did in real games, compared with our rules ply by ply.
//!
//! A corpus is text with one JSON object per line and turn:
//!
//! ```json
//! {"game":0,"ply":4,"position":"…","legal":["a","b"],"played":"a","next":"…","outcome":null,"reason":null}
//! ```
//!
//! In a simultaneous game `legal` is `{"upper":[…],"lower":[…]}` (first and second player) and `played` a list of two
//! moves. Further fields go to the check that a game hands in ([`replay_with`]). The lines of one game follow one
//! another; a new `game` number or a gap in `ply` starts a new record from the line's `position`.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Read};

use serde::{Deserialize, Deserializer};
pub use serde_json::Value;

use crate::{Active, Game, Player, Record, parse_turn};

/// The fields of a corpus line that only one game knows (`score` of Colosseum), by name.
pub type Fields = BTreeMap<String, Value>;

/// One line of a corpus.
#[derive(Debug, Deserialize)]
struct Line {
    game: u64,
    ply: u64,
    position: String,
    legal: Legal,
    played: Played,
    next: String,
    // `deserialize_with` makes the field required: null is an answer, leaving it out is not.
    #[serde(deserialize_with = "nullable")]
    outcome: Option<String>,
    #[serde(deserialize_with = "nullable")]
    reason: Option<String>,
    #[serde(flatten)]
    fields: Fields,
}

fn nullable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Legal {
    Mover(Vec<String>),
    Both { upper: Vec<String>, lower: Vec<String> },
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Played {
    One(String),
    Both([String; 2]),
}

/// What a game's own check found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The field of the line.
    pub field: String,
    /// What the line says.
    pub expected: String,
    /// What our rules say.
    pub found: String,
}

impl Mismatch {
    /// `None` if both are equal, else the two as a mismatch of `field`.
    pub fn unless_equal<T: PartialEq + fmt::Debug>(field: &str, expected: &T, found: &T) -> Option<Mismatch> {
        (expected != found).then(|| Mismatch {
            field: field.to_owned(),
            expected: format!("{expected:?}"),
            found: format!("{found:?}"),
        })
    }
}

/// A place where the corpus and our rules differ, or a line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file, as named by the caller.
    pub source: String,
    /// The line in it, from 1.
    pub line: u64,
    /// The game and the ply, if the line could be read.
    pub at: Option<(u64, u64)>,
    /// The position of the line; empty if it could not be read.
    pub position: String,
    /// What differs: a field of the line, or `line` if it could not be read.
    pub field: String,
    /// What the corpus says.
    pub expected: String,
    /// What our rules say.
    pub found: String,
}

impl fmt::Display for Difference {
    /// A block of lines without a newline at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}", self.source, self.line)?;
        if let Some((game, ply)) = self.at {
            write!(f, ", game {game}, ply {ply}")?;
        }
        writeln!(f, ": {}", self.field)?;
        if !self.position.is_empty() {
            writeln!(f, "  position  {}", self.position)?;
        }
        write!(f, "  expected  {}\n  found     {}", self.expected, self.found)
    }
}

/// The result of replaying one or more files. Its `Display` is what `cargo xtask conform` prints: the first ten
/// differences in full, then one line with the totals.
#[derive(Debug, Clone, Default)]
pub struct Conformance {
    /// The name of the game.
    pub game: &'static str,
    /// Lines read and compared.
    pub plies: u64,
    /// Games among them.
    pub games: u64,
    /// All differences, unreadable lines included.
    pub differences: u64,
    /// The first of them, at most [`Conformance::KEPT`].
    pub first: Vec<Difference>,
}

impl Conformance {
    /// How many differences are kept in full.
    pub const KEPT: usize = 100;

    /// How many differences `Display` shows.
    const SHOWN: usize = 10;

    /// Nothing compared yet, for `G`.
    pub fn new<G: Game>() -> Conformance {
        Conformance { game: G::NAME, ..Conformance::default() }
    }

    /// Whether corpus and rules agree, and something was compared at all.
    pub fn is_clean(&self) -> bool {
        self.differences == 0 && self.plies > 0
    }

    /// Adds one difference.
    pub fn add(&mut self, difference: Difference) {
        self.differences += 1;
        if self.first.len() < Conformance::KEPT {
            self.first.push(difference);
        }
    }
}

impl fmt::Display for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in self.first.iter().take(Conformance::SHOWN) {
            writeln!(f, "{difference}\n")?;
        }
        let Conformance { game, plies, games, differences, .. } = self;
        write!(f, "conform {game}: {plies} plies, {games} games, {differences} differences")
    }
}

/// Replays a corpus over the rules of `G` and adds what it finds to `conformance`.
///
/// `source` names the file in differences. Nothing in the input panics; a read error counts as a difference at its line.
///
/// ```no_run
/// # fn check<G: search_core::Game>() -> std::io::Result<()> {
/// use search_core::corpus::{Conformance, replay};
///
/// let mut conformance = Conformance::new::<G>();
/// let file = std::io::BufReader::new(std::fs::File::open("games.jsonl")?);
/// replay::<G>("games.jsonl", file, &mut conformance);
/// assert!(conformance.is_clean(), "{conformance}");
/// # Ok(())
/// # }
/// ```
pub fn replay<G: Game>(source: &str, input: impl BufRead, conformance: &mut Conformance) {
    replay_with::<G>(source, input, conformance, |_, _| None);
}

/// Like [`replay`], with a game's own check, called after each turn with the fields that only this game knows and the
/// record that has just arrived at the next position.
pub fn replay_with<G: Game>(
    source: &str,
    mut input: impl BufRead,
    conformance: &mut Conformance,
    mut extra: impl FnMut(&Fields, &Record<G>) -> Option<Mismatch>,
) {
    let mut replayer = Replayer::<G> { source, number: 0, last: None, record: None };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        replayer.number += 1;
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => return,
            Ok(length) if length as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") => {
                let problem = format!("a line of more than {} MiB", LONGEST_LINE >> 20);
                return conformance.add(replayer.unreadable(&[], &problem));
            }
            Ok(_) if bytes.trim_ascii().is_empty() => {}
            Ok(_) => match serde_json::from_slice::<Line>(&bytes) {
                Ok(line) => replayer.line(&line, conformance, &mut extra),
                Err(error) => {
                    replayer.record = None;
                    conformance.add(replayer.unreadable(&bytes, &error.to_string()));
                }
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => replayer.number -= 1,
            Err(error) => {
                conformance.add(replayer.unreadable(&[], &error.to_string()));
                return;
            }
        }
    }
}

/// No line of a corpus is so long. What is packed can be a thousand times as long as its file, so this keeps the memory
/// within bounds.
const LONGEST_LINE: u64 = 16 << 20;

/// The state between two lines.
struct Replayer<'a, G: Game> {
    source: &'a str,
    number: u64,
    /// Game and ply of the line before.
    last: Option<(u64, u64)>,
    /// The game so far; none where the next line has to start anew.
    record: Option<Record<G>>,
}

impl<G: Game> Replayer<'_, G> {
    fn unreadable(&self, bytes: &[u8], error: &str) -> Difference {
        const SHOWN: usize = 60;
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
        Difference {
            source: self.source.to_owned(),
            line: self.number,
            at: None,
            position: String::new(),
            field: "line".to_owned(),
            expected: "a JSON object with game, ply, position, legal, played, next, outcome, reason"
                .to_owned(),
            found: if bytes.is_empty() {
                error.to_owned()
            } else {
                format!("`{}`: {error}", text.trim_end().escape_debug())
            },
        }
    }

    fn line(
        &mut self,
        line: &Line,
        conformance: &mut Conformance,
        extra: &mut impl FnMut(&Fields, &Record<G>) -> Option<Mismatch>,
    ) {
        let last = self.last.replace((line.game, line.ply));
        conformance.plies += 1;
        // A number that starts over is another game: files are put together.
        conformance.games += u64::from(last.is_none_or(|(game, ply)| game != line.game || line.ply < ply));
        let mut differ = |field: &str, expected: String, found: String| {
            conformance.add(Difference {
                source: self.source.to_owned(),
                line: self.number,
                at: Some((line.game, line.ply)),
                position: line.position.clone(),
                field: field.to_owned(),
                expected,
                found,
            });
        };
        let position = match read_position::<G>(&line.position) {
            Ok(position) => position,
            Err((expected, found)) => {
                self.record = None;
                return differ("position", expected, found);
            }
        };

        // Go on with the record if the line belongs to it; else start anew, so that one difference is not reported twice.
        let follows =
            last.is_some_and(|(game, ply)| game == line.game && ply.checked_add(1) == Some(line.ply));
        let mut record = match self.record.take().filter(|_| follows) {
            Some(record) if record.position().to_string() == line.position => record,
            Some(record) => {
                differ("position", line.position.clone(), record.position().to_string());
                Record::new(position)
            }
            None => Record::new(position),
        };
        if let Some(end) = record.end() {
            return differ(
                "outcome",
                "a game that goes on here".to_owned(),
                format!("{end} before this turn"),
            );
        }

        for (player, expected) in match &line.legal {
            Legal::Mover(moves) => match record.position().active() {
                Active::One(player) => vec![(player, moves)],
                Active::Both => {
                    return differ("legal", "the moves of one player".to_owned(), "both move".to_owned());
                }
            },
            Legal::Both { upper, lower } => vec![(Player::One, upper), (Player::Two, lower)],
        } {
            if let Some((expected, found)) = compare_moves(record.position(), player, expected) {
                differ("legal", format!("{player} {expected}"), format!("{player} {found}"));
            }
        }

        let played = match &line.played {
            Played::One(mv) => mv.clone(),
            Played::Both([one, two]) => format!("{one}|{two}"),
        };
        let turn = match parse_turn::<G>(record.position().active(), &played) {
            Ok(turn) => turn,
            Err(error) => return differ("played", played, error.to_string()),
        };
        if let Err(error) = record.play(turn) {
            return differ("played", played, error.to_string());
        }

        let next = record.position().to_string();
        if next != line.next {
            differ("next", line.next.clone(), next);
        } else if let Err((expected, found)) = read_position::<G>(&line.next).and_then(|from_text| {
            let (expected, found) = (from_text.key(), record.position().key());
            if expected == found {
                Ok(())
            } else {
                Err((format!("key {expected:016x}"), format!("key {found:016x}")))
            }
        }) {
            differ("next", expected, found);
        }
        let outcome = record.end().map(|end| end.outcome.to_string());
        if outcome != line.outcome {
            differ("outcome", or_null(line.outcome.as_deref()), or_null(outcome.as_deref()));
        }
        let reason = record.end().map(|end| end.reason);
        if reason != line.reason.as_deref() {
            differ("reason", or_null(line.reason.as_deref()), or_null(reason));
        }
        if let Some(Mismatch { field, expected, found }) = extra(&line.fields, &record) {
            differ(&field, expected, found);
        }

        if record.position().to_string() == line.next {
            self.record = Some(record);
        }
    }
}

/// A position from its text, which must come back the same; else what was expected and what came.
fn read_position<G: Game>(text: &str) -> Result<G, (String, String)> {
    let position: G =
        text.parse().map_err(|error: G::Err| (text.to_owned(), format!("unreadable: {error}")))?;
    let again = position.to_string();
    if again == text {
        Ok(position)
    } else {
        Err((text.to_owned(), format!("read and written again: {again}")))
    }
}

/// Compares the legal moves of one player as sorted texts; each text of the corpus must also read as its move.
fn compare_moves<G: Game>(position: &G, player: Player, expected: &[String]) -> Option<(String, String)> {
    let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expected.sort_unstable();
    let mut found: Vec<String> =
        position.move_list(player).as_ref().iter().map(ToString::to_string).collect();
    found.sort_unstable();
    if expected != found {
        let missing: Vec<&str> =
            expected.iter().copied().filter(|mv| !found.iter().any(|f| f == mv)).collect();
        let surplus: Vec<&str> =
            found.iter().map(String::as_str).filter(|mv| !expected.contains(mv)).collect();
        return Some((
            format!("{} moves: {}", expected.len(), expected.join(" ")),
            format!(
                "{} moves: {}\n            missing: {}; not in the corpus: {}",
                found.len(),
                found.join(" "),
                or_none(&missing),
                or_none(&surplus)
            ),
        ));
    }
    expected.iter().find_map(|text| match text.parse::<G::Move>() {
        Ok(mv) if position.is_legal(player, mv) => None,
        Ok(mv) => Some((format!("`{text}` is legal"), format!("read as `{mv}`, not legal"))),
        Err(error) => Some((format!("`{text}` is a move"), error.to_string())),
    })
}

fn or_none(moves: &[&str]) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
}

fn or_null(text: Option<&str>) -> String {
    text.unwrap_or("null").to_owned()
}
