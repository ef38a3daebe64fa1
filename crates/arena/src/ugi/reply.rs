//! What an engine says to its host: the replies of the protocol, read and written.

use std::fmt::{self, Display};
use std::time::Duration;

use search_core::{Analysis, Score};
use thiserror::Error;

use super::command::first_word;

/// One line from the engine to the host. Lines that are none of these are [`Reply::Other`] and are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name N`.
    Name(&'a str),
    /// `id author A`.
    Author(&'a str),
    /// `option name N type T ...`; read it with [`OptionLine::parse`].
    Option(&'a str),
    /// `ugiok`: the introduction is over.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info ...`; read it with [`Info::parse`].
    Info(&'a str),
    /// `bestmove M`; empty if nothing follows.
    BestMove(&'a str),
    /// `response ...` to a `query`.
    Response(&'a str),
    /// Anything else.
    Other(&'a str),
}

impl<'a> Reply<'a> {
    /// Reads one line without its line end.
    pub fn parse(line: &'a str) -> Reply<'a> {
        let (word, rest) = first_word(line);
        let rest = rest.trim_end();
        match word {
            "id" => match first_word(rest) {
                ("name", name) => Reply::Name(name),
                ("author", author) => Reply::Author(author),
                _ => Reply::Other(line),
            },
            "option" => Reply::Option(rest),
            "ugiok" => Reply::UgiOk,
            "readyok" => Reply::ReadyOk,
            "info" => Reply::Info(rest),
            "bestmove" => Reply::BestMove(first_word(rest).0),
            "response" => Reply::Response(rest),
            _ => Reply::Other(line),
        }
    }
}

/// The kinds of options an engine can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number from a range, both ends included.
    Spin {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// Any text.
    String,
    /// Has no value: setting it does something.
    Button,
}

/// One option that an engine declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name; may hold spaces.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
    /// What it is unless set; `None` if it has no default.
    pub default: Option<String>,
}

/// An `option` line that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "expected `option name NAME type check|spin|combo|string|button ...`, found `option {line}`: {problem}"
)]
pub struct OptionError {
    line: String,
    problem: &'static str,
}

impl OptionLine {
    /// Reads what follows the word `option`.
    pub fn parse(line: &str) -> Result<OptionLine, OptionError> {
        let fail = |problem| OptionError { line: line.to_owned(), problem };
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"name") {
            return Err(fail("`name` is missing"));
        }
        let type_at = words.iter().position(|&word| word == "type").ok_or(fail("`type` is missing"))?;
        let name = words[1..type_at].join(" ");
        if name.is_empty() {
            return Err(fail("the name is missing"));
        }
        let mut keys: Vec<(&str, String)> = Vec::new();
        for &word in words.iter().skip(type_at + 2) {
            match word {
                "default" | "min" | "max" | "var" => keys.push((word, String::new())),
                word => {
                    let (_, value) = keys.last_mut().ok_or(fail("a value stands without its key"))?;
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
            }
        }
        let get = |key| keys.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone());
        let bound = |key| get(key).and_then(|value| value.parse().ok());
        let kind = match words.get(type_at + 1) {
            Some(&"check") => OptionKind::Check,
            Some(&"spin") => OptionKind::Spin {
                min: bound("min").ok_or(fail("a spin needs `min` and a number"))?,
                max: bound("max").ok_or(fail("a spin needs `max` and a number"))?,
            },
            Some(&"combo") => OptionKind::Combo(
                keys.iter().filter(|(key, _)| *key == "var").map(|(_, value)| value.clone()).collect(),
            ),
            Some(&"string") => OptionKind::String,
            Some(&"button") => OptionKind::Button,
            _ => return Err(fail("the type is none of these")),
        };
        Ok(OptionLine { name, kind, default: get("default") })
    }

    /// Whether the option can be set to this.
    pub fn accepts(&self, value: Option<&str>) -> bool {
        match (&self.kind, value) {
            (OptionKind::Check, Some(value)) => matches!(value, "true" | "false"),
            (OptionKind::Spin { min, max }, Some(value)) => {
                value.parse().is_ok_and(|number: i64| (min..=max).contains(&&number))
            }
            (OptionKind::Combo(words), Some(value)) => words.iter().any(|word| word == value),
            (OptionKind::Button, None) | (OptionKind::String, Some(_)) => true,
            _ => false,
        }
    }
}

impl Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.kind {
            OptionKind::Check => "check",
            OptionKind::Spin { .. } => "spin",
            OptionKind::Combo(_) => "combo",
            OptionKind::String => "string",
            OptionKind::Button => "button",
        };
        write!(f, "option name {} type {kind}", self.name)?;
        if let Some(default) = &self.default {
            write!(f, " default {default}")?;
        }
        match &self.kind {
            OptionKind::Spin { min, max } => write!(f, " min {min} max {max}"),
            OptionKind::Combo(words) => words.iter().try_for_each(|word| write!(f, " var {word}")),
            _ => Ok(()),
        }
    }
}

/// What an `info` line says of a search. Unknown keys are passed over, as are values that do not parse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info<'a> {
    /// The depth reached.
    pub depth: Option<u32>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Playouts made.
    pub playouts: Option<u64>,
    /// Time taken.
    pub time: Option<Duration>,
    /// The score for the player who was asked.
    pub score: Option<Score>,
    /// The expected course of the game: moves, separated by blanks.
    pub pv: &'a str,
    /// Free text for people.
    pub string: &'a str,
}

impl<'a> Info<'a> {
    /// Reads what follows the word `info`.
    pub fn parse(text: &'a str) -> Info<'a> {
        let mut info = Info::default();
        let mut rest = text;
        loop {
            let (key, tail) = first_word(rest);
            match key {
                "" => return info,
                // The line and the text take all that follows.
                "pv" => {
                    info.pv = tail.trim_end();
                    return info;
                }
                "string" => {
                    info.string = tail.trim_end();
                    return info;
                }
                _ => {}
            }
            let (value, after) = first_word(tail);
            rest = after;
            match key {
                "depth" => info.depth = value.parse().ok(),
                "nodes" => info.nodes = value.parse().ok(),
                "playouts" => info.playouts = value.parse().ok(),
                "time" => info.time = value.parse().ok().map(Duration::from_millis),
                "score" => {
                    let (number, after) = first_word(after);
                    rest = after;
                    info.score = score(value, number);
                }
                // An unknown key: its value, if it has one, is looked at as a key and passed over as well.
                _ => rest = tail,
            }
        }
    }

    /// The parts of an analysis that an `info` line carries, written as such a line.
    pub fn write<M: Display>(f: &mut impl fmt::Write, analysis: &Analysis<M>) -> fmt::Result {
        let stats = &analysis.stats;
        write!(f, "info depth {} nodes {}", analysis.depth, stats.nodes)?;
        if stats.playouts > 0 {
            write!(f, " playouts {}", stats.playouts)?;
        }
        write!(f, " time {}", stats.time.as_millis())?;
        match analysis.score.plies_to_end() {
            Some(plies) if analysis.score.is_win() => write!(f, " score win {plies}")?,
            Some(plies) => write!(f, " score loss {plies}")?,
            None => write!(f, " score cp {}", analysis.score.value())?,
        }
        if !analysis.pv.is_empty() {
            f.write_str(" pv")?;
            for mv in &analysis.pv {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}

fn score(kind: &str, number: &str) -> Option<Score> {
    let number: i64 = number.parse().ok()?;
    let plies = u32::try_from(number.unsigned_abs()).unwrap_or(u32::MAX);
    match kind {
        "cp" => Some(Score::new(number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)),
        "win" => Some(Score::win_in(plies)),
        "loss" => Some(Score::loss_in(plies)),
        // The word of UCI, which counts full moves: the winner's last move is ply 2n - 1, the loser sees 2n plies.
        "mate" if number > 0 => Some(Score::win_in(plies.saturating_mul(2) - 1)),
        "mate" => Some(Score::loss_in(plies.saturating_mul(2))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use search_core::Stats;

    #[test]
    fn options_come_back() {
        for line in [
            "option name UGI_Game type combo default hus var hus",
            "option name Clear Hash type button",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name ponder type check default false",
            "option name book type string",
        ] {
            let Reply::Option(rest) = Reply::parse(line) else { panic!("{line}") };
            assert_eq!(OptionLine::parse(rest).unwrap().to_string(), line);
        }
        assert_eq!(
            OptionLine::parse("name x type spin min a").unwrap_err().to_string(),
            "expected `option name NAME type check|spin|combo|string|button ...`, \
             found `option name x type spin min a`: a spin needs `min` and a number"
        );
    }

    #[test]
    fn options_know_their_values() {
        let option = |line| OptionLine::parse(line).unwrap();
        assert!(option("name a type spin min 1 max 3").accepts(Some("3")));
        assert!(!option("name a type spin min 1 max 3").accepts(Some("4")));
        assert!(option("name a type combo var x var y z").accepts(Some("y z")));
        assert!(!option("name a type combo var x").accepts(None));
        assert!(option("name a type button").accepts(None));
        assert!(!option("name a type check").accepts(Some("yes")));
    }

    #[test]
    fn info_survives_unknown_keys_and_bad_values() {
        let info = Info::parse("seldepth 9 depth 4 hashfull x time 12 score cp -30 nodes many pv a b  c");
        assert_eq!(info.depth, Some(4));
        assert_eq!(info.time, Some(Duration::from_millis(12)));
        assert_eq!(info.score, Some(Score::new(-30)));
        assert_eq!((info.nodes, info.pv), (None, "a b  c"));
        assert_eq!(Info::parse("string depth 3").depth, None);
        assert_eq!(Info::parse("score mate 2").score, Some(Score::win_in(3)));
        assert_eq!(Info::parse("score mate -2").score, Some(Score::loss_in(4)));
    }

    #[test]
    fn an_analysis_is_written_and_read() {
        let stats = Stats { nodes: 500, playouts: 3, time: Duration::from_millis(7), ..Stats::default() };
        for score in [Score::new(12), Score::win_in(5), Score::loss_in(2)] {
            let analysis = Analysis { score, pv: vec![4, 9], depth: 6, stats, ..Analysis::default() };
            let mut line = String::new();
            Info::write(&mut line, &analysis).unwrap();
            let Reply::Info(rest) = Reply::parse(&line) else { panic!("{line}") };
            let info = Info::parse(rest);
            assert_eq!(info.score, Some(score), "{line}");
            assert_eq!((info.depth, info.nodes, info.playouts), (Some(6), Some(500), Some(3)));
            assert_eq!((info.time, info.pv), (Some(Duration::from_millis(7)), "4 9"));
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in "(info |option |bestmove |id |)[ -~äß\\t]{0,60}") {
            match Reply::parse(&line) {
                Reply::Info(rest) => { Info::parse(rest); }
                Reply::Option(rest) => { let _ = OptionLine::parse(rest); }
                _ => {}
            }
        }
    }
}
