//! The text format of the public tournament logs, and their replay.
//!
//! A log is what the contest's referee wrote while two programs played. The lines that matter:
//!
//! ```text
//! turn 1: upper: THROW symbol s to (4, -2)
//! turn 1: lower: THROW symbol p to (-4, 2)
//! turn 2: upper: SLIDE from (4, -2) to (3, -2)
//! turn 2: lower: SWING from (-4, 2) to (-2, 1)
//! winner: upper
//! draw: same game state occurred for 3rd time
//! ```
//!
//! Anything may stand before them (time stamps, asterisks), and all other lines are passed over.

use std::fmt::{self, Write};

use search_core::{End, Outcome, Player, Record};

use crate::{Action, Hex, Move, Position, Symbol};

/// One line of a log that says something about the game.
///
/// ```
/// use ropasci360::log::{self, Entry};
/// use search_core::{Outcome, Player};
/// let entries = log::parse("turn 1: lower: THROW symbol p to (-4, 2)\nwinner: lower").unwrap();
/// assert!(matches!(entries[0], (1, Entry::Action { turn: 1, player: Player::Two, .. })));
/// assert_eq!(entries[1], (2, Entry::Result(Outcome::Win(Player::Two))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A player's action.
    Action {
        /// The number of the turn, from 1.
        turn: u32,
        /// Who acted.
        player: Player,
        /// The action; its tag (slide or swing) is the one that was logged.
        action: Action,
    },
    /// The result.
    Result(Outcome),
}

/// A line that looks like a part of a game but cannot be read.
///
/// ```
/// use ropasci360::log;
/// let error = log::parse("printing the board\nwinner: nobody").unwrap_err();
/// assert_eq!((error.line, error.found.as_str()), (2, "nobody"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found `{found}`")]
pub struct ParseLogError {
    /// The line, from 1.
    pub line: usize,
    /// What should have been there.
    pub expected: &'static str,
    /// What came instead.
    pub found: String,
}

/// Reads the lines of a log that matter, each with its number.
///
/// ```
/// use ropasci360::log;
/// let entries = log::parse("* turn 1: upper: THROW symbol s to (4, -2)\nprinting the board").unwrap();
/// assert_eq!(entries.len(), 1);
/// let error = log::parse("turn 1: upper: THROW symbol x to (4, -2)").unwrap_err();
/// assert_eq!(error.to_string(), "line 1: expected the symbol `r`, `p` or `s`, found `x to (4, -2)`");
/// ```
pub fn parse(text: &str) -> Result<Vec<(usize, Entry)>, ParseLogError> {
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fail = |(expected, found): Problem| ParseLogError { line: index + 1, expected, found };
        if let Some(entry) = parse_line(line).map_err(fail)? {
            entries.push((index + 1, entry));
        }
    }
    Ok(entries)
}

/// What was expected and what came.
type Problem = (&'static str, String);

/// The longest text that is quoted in an error.
const QUOTED: usize = 60;

fn problem<T>(expected: &'static str, found: &str) -> Result<T, Problem> {
    Err((expected, found.chars().take(QUOTED).collect()))
}

fn parse_line(line: &str) -> Result<Option<Entry>, Problem> {
    // Only a line with an action word speaks of a turn: a log may also say `turn 3` in other sentences.
    let has_action = ["THROW", "SLIDE", "SWING"].iter().any(|word| line.contains(word));
    if let Some((_, rest)) = line.split_once("turn ").filter(|_| has_action) {
        return parse_action(rest).map(Some);
    }
    if let Some((_, rest)) = line.split_once("winner:") {
        return match rest.trim() {
            "upper" => Ok(Some(Entry::Result(Outcome::Win(Player::One)))),
            "lower" => Ok(Some(Entry::Result(Outcome::Win(Player::Two)))),
            other => problem("the winner `upper` or `lower`", other),
        };
    }
    Ok(line.contains("draw:").then_some(Entry::Result(Outcome::Draw)))
}

fn parse_action(text: &str) -> Result<Entry, Problem> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let Ok(turn) = text[..digits].parse::<u32>() else {
        return problem("the number of a turn", text);
    };
    let rest = text[digits..].trim_start_matches([':', ',', ' ']);
    let (player, rest) = if let Some(rest) = rest.strip_prefix("upper") {
        (Player::One, rest)
    } else if let Some(rest) = rest.strip_prefix("lower") {
        (Player::Two, rest)
    } else {
        return problem("the player `upper` or `lower`", rest);
    };
    let rest = rest.trim_start_matches([':', ',', ' ']);
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let action = match word {
        "THROW" => {
            let (symbol, rest) = symbol(rest)?;
            Action::Throw { symbol, to: last_hex(after(rest, "to")?)? }
        }
        "SLIDE" | "SWING" => {
            let (from, rest) = hex(after(rest, "from")?)?;
            let to = last_hex(after(rest, "to")?)?;
            if word == "SLIDE" { Action::Slide { from, to } } else { Action::Swing { from, to } }
        }
        other => return problem("`THROW`, `SLIDE` or `SWING`", other),
    };
    Ok(Entry::Action { turn, player, action })
}

/// The rest after a word.
fn after<'a>(text: &'a str, word: &'static str) -> Result<&'a str, Problem> {
    match text.trim_start().strip_prefix(word) {
        Some(rest) => Ok(rest.trim_start()),
        None => problem(if word == "to" { "`to` and a hex" } else { "`from` and a hex" }, text),
    }
}

fn symbol(text: &str) -> Result<(Symbol, &str), Problem> {
    let text = text.trim_start();
    let text = text.strip_prefix("symbol").unwrap_or(text).trim_start();
    let mut letters = text.chars();
    match letters.next().and_then(Symbol::from_letter) {
        Some(symbol) if letters.as_str().starts_with(' ') => Ok((symbol, letters.as_str())),
        _ => problem("the symbol `r`, `p` or `s`", text),
    }
}

/// A hex `(r, q)` and the rest.
fn hex(text: &str) -> Result<(Hex, &str), Problem> {
    const EXPECTED: &str = "a hex of the board `(r, q)`";
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let numbers = inner.and_then(|(inner, rest)| {
        let (r, q) = inner.split_once(',')?;
        Some((r.trim().parse().ok()?, q.trim().parse().ok()?, rest))
    });
    match numbers.and_then(|(r, q, rest)| Some((Hex::new(r, q)?, rest))) {
        Some(found) => Ok(found),
        None => problem(EXPECTED, text),
    }
}

/// A hex with nothing behind it.
fn last_hex(text: &str) -> Result<Hex, Problem> {
    match hex(text)? {
        (hex, rest) if rest.trim().is_empty() => Ok(hex),
        (_, rest) => problem("nothing after the last hex", rest.trim()),
    }
}

/// How a replayed log compares with the rules.
///
/// ```
/// use ropasci360::log::{self, Agreement};
/// let agreement = log::replay("turn 1: upper: THROW symbol s to (0, 0)\n").agreement;
/// assert!(matches!(agreement, Agreement::Illegal { line: 1, last: true, .. }));
/// let agreement = log::replay("winner: upper\n").agreement;
/// assert_eq!(agreement.to_string(), "differs: the log says p1, by the rules the game goes on");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    /// The log's result is that of the rules.
    Agrees(End),
    /// The log's result is not that of the rules.
    Differs {
        /// What the log says.
        logged: Outcome,
        /// What the rules say; `None` if the game would go on.
        ours: Option<End>,
    },
    /// An action that the rules do not allow.
    Illegal {
        /// The line of the action.
        line: usize,
        /// What is wrong.
        problem: String,
        /// Whether the log ends with it, as a referee that refuses an action would write.
        last: bool,
    },
    /// The log ends without a result.
    BreaksOff {
        /// The end by the rules, if the game was over there.
        ours: Option<End>,
    },
    /// A line cannot be read, or actions are missing or out of order.
    Unreadable(String),
}

impl Agreement {
    /// Whether log and rules contradict each other.
    ///
    /// ```
    /// use ropasci360::log;
    /// assert!(log::replay("winner: upper\n").agreement.is_difference());
    /// assert!(!log::replay("").agreement.is_difference());
    /// ```
    pub fn is_difference(&self) -> bool {
        match self {
            Agreement::Agrees(_) => false,
            Agreement::Illegal { last, .. } => !last,
            Agreement::BreaksOff { ours } => ours.is_some(),
            Agreement::Differs { .. } | Agreement::Unreadable(_) => true,
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agreement::Agrees(end) => write!(f, "agrees: {end}"),
            Agreement::Differs { logged, ours: Some(end) } => {
                write!(f, "differs: the log says {logged}, the rules say {end}")
            }
            Agreement::Differs { logged, ours: None } => {
                write!(f, "differs: the log says {logged}, by the rules the game goes on")
            }
            Agreement::Illegal { line, problem, last: true } => write!(f, "ends with line {line}: {problem}"),
            Agreement::Illegal { line, problem, last: false } => {
                write!(f, "differs: the log goes on after line {line}: {problem}")
            }
            Agreement::BreaksOff { ours: None } => f.write_str("breaks off without a result"),
            Agreement::BreaksOff { ours: Some(end) } => {
                write!(f, "differs: no result is logged, the rules say {end}")
            }
            Agreement::Unreadable(problem) => write!(f, "unreadable: {problem}"),
        }
    }
}

/// A replayed log.
///
/// ```
/// use ropasci360::log::{self, Replay};
/// let Replay { record, agreement } = log::replay("no game at all");
/// assert!(record.turns().is_empty());
/// assert_eq!(agreement.to_string(), "breaks off without a result");
/// ```
#[derive(Debug, Clone)]
pub struct Replay {
    /// The game as far as it could be replayed.
    pub record: Record<Position>,
    /// How log and rules compare.
    pub agreement: Agreement,
}

/// Replays a log over the rules.
///
/// ```
/// use ropasci360::log::{self, Agreement};
/// let replay = log::replay("turn 1: upper: THROW symbol s to (4, -2)\nturn 1: lower: THROW symbol p to (-4, 2)\n");
/// assert_eq!(replay.record.turns().len(), 1);
/// assert_eq!(replay.agreement, Agreement::BreaksOff { ours: None });
/// ```
pub fn replay(text: &str) -> Replay {
    let mut record = Record::new(Position::start());
    let agreement = match parse(text) {
        Ok(entries) => compare(&entries, &mut record),
        Err(error) => Agreement::Unreadable(error.to_string()),
    };
    Replay { record, agreement }
}

fn compare(entries: &[(usize, Entry)], record: &mut Record<Position>) -> Agreement {
    let mut pending: [Option<Move>; 2] = [None; 2];
    for (index, &(line, entry)) in entries.iter().enumerate() {
        let last = index + 1 == entries.len();
        match entry {
            Entry::Result(logged) => {
                return match record.end() {
                    Some(end) if end.outcome == logged => Agreement::Agrees(end),
                    ours => Agreement::Differs { logged, ours },
                };
            }
            Entry::Action { turn, player, action } => {
                let expected = record.turns().len() as u32 + 1;
                if turn != expected || pending[player.index()].is_some() {
                    return Agreement::Unreadable(format!(
                        "line {line}: expected an action of turn {expected} from a player who has not acted in it, \
                         found one of {player} in turn {turn}"
                    ));
                }
                // A refused action is the end of a log, unless the other player's of the same turn still follows.
                let last = last || index + 2 == entries.len() && pending == [None; 2];
                match check(record, player, action) {
                    Ok(mv) => pending[player.index()] = Some(mv),
                    Err(problem) => return Agreement::Illegal { line, problem, last },
                }
                if let [Some(one), Some(two)] = pending {
                    pending = [None; 2];
                    if let Err(illegal) = record.play([one, two]) {
                        return Agreement::Illegal { line, problem: illegal.to_string(), last };
                    }
                }
            }
        }
    }
    Agreement::BreaksOff { ours: record.end() }
}

/// The move of a logged action, if the rules allow it here under the tag that was logged.
fn check(record: &Record<Position>, player: Player, action: Action) -> Result<Move, String> {
    let mv = match action {
        Action::Throw { symbol, to } => Some(Move::throw(symbol, to)),
        Action::Slide { from, to } | Action::Swing { from, to } => Move::step(from, to),
    };
    let tagged = mv.filter(|mv| mv.action() == action);
    let mv = tagged.ok_or_else(|| match action {
        Action::Swing { from, to } => {
            format!("a swing of {player} goes 2 hexes, not {} from {from} to {to}", from.distance(to))
        }
        Action::Slide { from, to } => {
            format!("a slide of {player} goes 1 hex, not {} from {from} to {to}", from.distance(to))
        }
        Action::Throw { to, .. } => format!("{player} cannot throw to {to}"),
    })?;
    record.check(player, mv).map_err(|illegal| illegal.to_string())?;
    Ok(mv)
}

/// Writes a game in the format of the logs, with the result if the game is over.
///
/// ```
/// use ropasci360::log;
/// let text = "turn 1: upper: THROW symbol s to (4, -2)\nturn 1: lower: THROW symbol p to (-4, 2)\n";
/// assert_eq!(log::write(&log::replay(text).record), text);
/// ```
pub fn write(record: &Record<Position>) -> String {
    let hex = |hex: Hex| format!("({}, {})", hex.r(), hex.q());
    let mut text = String::new();
    for (index, turn) in record.turns().iter().enumerate() {
        for (name, mv) in ["upper", "lower"].iter().zip(turn) {
            let action = match mv.action() {
                Action::Throw { symbol, to } => format!("THROW symbol {} to {}", symbol.letter(), hex(to)),
                Action::Slide { from, to } => format!("SLIDE from {} to {}", hex(from), hex(to)),
                Action::Swing { from, to } => format!("SWING from {} to {}", hex(from), hex(to)),
            };
            let _ = writeln!(text, "turn {}: {name}: {action}", index + 1);
        }
    }
    match record.end().map(|end| (end.outcome, end.reason)) {
        Some((Outcome::Win(Player::One), _)) => text += "winner: upper\n",
        Some((Outcome::Win(Player::Two), _)) => text += "winner: lower\n",
        Some((Outcome::Draw, reason)) => {
            let _ = writeln!(text, "draw: {reason}");
        }
        None => {}
    }
    text
}
