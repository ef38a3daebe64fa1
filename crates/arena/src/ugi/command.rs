//! What a host says to an engine: the commands of the protocol, read and written.

use std::fmt;
use std::time::Duration;

use search_core::{Limits, Player, Time};
use thiserror::Error;

/// One line from the host to the engine.
///
/// ```
/// use arena::ugi::Command;
/// let command = Command::parse("position fen 7 1 moves 2 3")?;
/// assert_eq!(command.to_string(), "position fen 7 1 moves 2 3");
/// assert!(Command::parse("positon startpos").is_err());
/// # Ok::<(), arena::ugi::CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// `ugi`: introduce yourself.
    Ugi,
    /// `isready`: answer `readyok` when everything before is done.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option's name; may hold spaces.
        name: &'a str,
        /// What it is set to; `None` for a button.
        value: Option<&'a str>,
    },
    /// `uginewgame`: the next position belongs to another game.
    NewGame,
    /// `position startpos|fen F [moves M...]`.
    Position {
        /// The text of the start position, `None` for `startpos`.
        fen: Option<&'a str>,
        /// The turns from there, separated by blanks.
        moves: &'a str,
    },
    /// `go ...`: choose a move.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `query ...`: a question about the position.
    Query(Query),
    /// `quit`: end the program.
    Quit,
}

/// What `query` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// Whether the game is over: `true` or `false`.
    GameOver,
    /// Whether the first player acts now: `true` or `false`.
    PlayerOneTurn,
    /// How the game ended: `p1win`, `p2win`, `draw`, or `none` while it goes on.
    Result,
    /// Who acts now: `p1`, `p2` or `both`.
    Turn,
    /// The one-line text of the position.
    Fen,
    /// The legal moves of a player, separated by blanks.
    Moves(Player),
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Query::GameOver => f.write_str("gameover"),
            Query::PlayerOneTurn => f.write_str("p1turn"),
            Query::Result => f.write_str("result"),
            Query::Turn => f.write_str("turn"),
            Query::Fen => f.write_str("fen"),
            Query::Moves(player) => write!(f, "moves {player}"),
        }
    }
}

/// The limits of one `go`. Whatever is absent does not limit the search; nothing at all means `infinite`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Go {
    /// For whom the move is wanted; needed where both players move at once.
    pub role: Option<Player>,
    /// What is left on each player's clock for the rest of the game.
    pub clock: [Option<Duration>; 2],
    /// What is added to each player's clock after a move.
    pub increment: [Option<Duration>; 2],
    /// Time for this move alone.
    pub movetime: Option<Duration>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Playouts of a Monte Carlo search.
    pub playouts: Option<u64>,
    /// Think until `stop`.
    pub infinite: bool,
}

impl Go {
    /// The `go` that asks `player` for a move within `limits`. Times are whole milliseconds, rounded down, at least 1.
    pub fn ask(player: Player, simultaneous: bool, limits: &Limits) -> Go {
        let mut go = Go {
            role: simultaneous.then_some(player),
            depth: limits.depth,
            nodes: limits.nodes,
            playouts: limits.playouts,
            ..Go::default()
        };
        match limits.time {
            Some(Time::Move(time) | Time::Bounds { hard: time, .. }) => go.movetime = Some(time),
            Some(Time::Game { left, increment }) => {
                go.clock[player.index()] = Some(left);
                go.increment[player.index()] = Some(increment);
            }
            None => {}
        }
        go.infinite = *limits == Limits::default();
        go
    }

    /// What this `go` allows `player`.
    pub fn limits(&self, player: Player) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let game = self.clock[player.index()]
            .map(|left| Time::Game { left, increment: self.increment[player.index()].unwrap_or_default() });
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            playouts: self.playouts,
            time: self.movetime.map(Time::Move).or(game),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if let Some(role) = self.role {
            write!(f, " role {role}")?;
        }
        let times = [
            ("p1time", self.clock[0]),
            ("p2time", self.clock[1]),
            ("p1inc", self.increment[0]),
            ("p2inc", self.increment[1]),
            ("movetime", self.movetime),
        ];
        for (key, time) in times {
            if let Some(time) = time {
                // A clock of 0 would mean "no clock" to some engines; an increment of 0 is plain.
                let least = u128::from(!key.ends_with("inc"));
                write!(f, " {key} {}", time.as_millis().max(least))?;
            }
        }
        let numbers =
            [("depth", self.depth.map(u64::from)), ("nodes", self.nodes), ("playouts", self.playouts)];
        for (key, number) in numbers {
            if let Some(number) = number {
                write!(f, " {key} {number}")?;
            }
        }
        if self.infinite { f.write_str(" infinite") } else { Ok(()) }
    }
}

/// A line that is not a command of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The first word is not a command.
    #[error(
        "unknown command `{0}`; expected ugi, isready, setoption, uginewgame, position, go, stop, query or quit"
    )]
    Unknown(String),
    /// A part of the command is missing or wrong.
    #[error("in `{command}`: expected {expected}, found {found}")]
    Malformed {
        /// The command's first word.
        command: &'static str,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

fn malformed(command: &'static str, expected: &'static str, found: Option<&str>) -> CommandError {
    let found = found.map_or("the end of the line".to_owned(), |found| format!("`{found}`"));
    CommandError::Malformed { command, expected, found }
}

/// The first word of a text and the rest behind the blanks that follow it.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

impl<'a> Command<'a> {
    /// Reads one line without its line end.
    pub fn parse(line: &'a str) -> Result<Command<'a>, CommandError> {
        let (word, rest) = first_word(line);
        let rest = rest.trim_end();
        match word {
            "ugi" => Ok(Command::Ugi),
            "isready" => Ok(Command::IsReady),
            "setoption" => parse_setoption(rest),
            "uginewgame" => Ok(Command::NewGame),
            "position" => parse_position(rest),
            "go" => parse_go(rest).map(Command::Go),
            "stop" => Ok(Command::Stop),
            "query" => parse_query(rest).map(Command::Query),
            "quit" => Ok(Command::Quit),
            other => Err(CommandError::Unknown(other.to_owned())),
        }
    }
}

/// Splits at the first blank-delimited word `word`; hands back what stands before and behind it.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let (start, end) = (from + found, from + found + word.len());
        let open = text[..start].chars().next_back().is_none_or(char::is_whitespace);
        let close = text[end..].chars().next().is_none_or(char::is_whitespace);
        if open && close {
            return (text[..start].trim(), Some(text[end..].trim()));
        }
        from = end;
    }
    (text.trim(), None)
}

fn parse_setoption(rest: &str) -> Result<Command<'_>, CommandError> {
    const EXPECTED: &str = "`name NAME [value VALUE]`";
    let (word, rest) = first_word(rest);
    if word != "name" {
        return Err(malformed("setoption", EXPECTED, Some(word).filter(|word| !word.is_empty())));
    }
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return Err(malformed("setoption", EXPECTED, None));
    }
    Ok(Command::SetOption { name, value })
}

fn parse_position(rest: &str) -> Result<Command<'_>, CommandError> {
    let (word, tail) = first_word(rest);
    let (fen, moves) = match word {
        "startpos" => {
            let (before, moves) = split_at_word(tail, "moves");
            if !before.is_empty() {
                return Err(malformed("position", "`moves` or nothing after `startpos`", Some(before)));
            }
            (None, moves)
        }
        "fen" => {
            let (fen, moves) = split_at_word(tail, "moves");
            if fen.is_empty() {
                return Err(malformed("position", "the text of a position after `fen`", None));
            }
            (Some(fen), moves)
        }
        "" => return Err(malformed("position", "`startpos` or `fen`", None)),
        other => return Err(malformed("position", "`startpos` or `fen`", Some(other))),
    };
    Ok(Command::Position { fen, moves: moves.unwrap_or("") })
}

fn parse_go(rest: &str) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut limited = false;
    let mut words = rest.split_whitespace();
    while let Some(key) = words.next() {
        if key == "infinite" {
            go.infinite = true;
            continue;
        }
        let value = words.next();
        if key == "role" {
            let role = value.and_then(|value| value.parse().ok());
            go.role = Some(role.ok_or_else(|| malformed("go", "`p1` or `p2` after `role`", value))?);
            continue;
        }
        let number = || {
            // Engines and hosts of other games send a negative clock when it has run out.
            let number = value.and_then(|value| value.parse::<i64>().ok());
            number
                .map(|number| number.max(0) as u64)
                .ok_or_else(|| malformed("go", "a whole number after each limit", value))
        };
        let time = || number().map(|millis| Some(Duration::from_millis(millis)));
        match key {
            "p1time" => go.clock[0] = time()?,
            "p2time" => go.clock[1] = time()?,
            "p1inc" => go.increment[0] = time()?,
            "p2inc" => go.increment[1] = time()?,
            "movetime" => go.movetime = time()?,
            "depth" => go.depth = Some(u32::try_from(number()?).unwrap_or(u32::MAX)),
            "nodes" => go.nodes = Some(number()?),
            "playouts" => go.playouts = Some(number()?),
            other => {
                const EXPECTED: &str =
                    "role, p1time, p2time, p1inc, p2inc, movetime, depth, nodes, playouts or infinite";
                return Err(malformed("go", EXPECTED, Some(other)));
            }
        }
        limited = true;
    }
    go.infinite |= !limited;
    Ok(go)
}

fn parse_query(rest: &str) -> Result<Query, CommandError> {
    let mut words = rest.split_whitespace();
    match words.next() {
        Some("gameover") => Ok(Query::GameOver),
        Some("p1turn") => Ok(Query::PlayerOneTurn),
        Some("result") => Ok(Query::Result),
        Some("turn") => Ok(Query::Turn),
        Some("fen") => Ok(Query::Fen),
        Some("moves") => {
            let player = words.next();
            let parsed = player.and_then(|player| player.parse().ok());
            parsed.map(Query::Moves).ok_or_else(|| malformed("query", "`p1` or `p2` after `moves`", player))
        }
        other => Err(malformed("query", "gameover, p1turn, result, turn, fen or moves", other)),
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::NewGame => f.write_str("uginewgame"),
            Command::Position { fen, moves } => {
                match fen {
                    None => f.write_str("position startpos")?,
                    Some(fen) => write!(f, "position fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {moves}") }
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::Query(query) => write!(f, "query {query}"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_command_comes_back() {
        for line in [
            "ugi",
            "isready",
            "setoption name Hash value 16",
            "setoption name Clear Hash",
            "uginewgame",
            "position startpos",
            "position startpos moves a|b c|d",
            "position fen 3/4 1 0",
            "position fen 3/4 1 0 moves 5 6 7",
            "go infinite",
            "go role p2 p1time 1000 p2time 2000 p1inc 10 p2inc 0",
            "go movetime 50 depth 3 nodes 1000 playouts 7",
            "stop",
            "query gameover",
            "query p1turn",
            "query result",
            "query turn",
            "query fen",
            "query moves p2",
            "quit",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
            let padded = format!("  {}\t", line.replacen(' ', "   ", 1));
            assert_eq!(Command::parse(&padded).unwrap().to_string(), line, "{padded:?}");
        }
    }

    #[test]
    fn a_position_may_hold_the_letters_of_the_keyword() {
        let command = Command::parse("position fen movesx xmoves moves moves2").unwrap();
        assert_eq!(command, Command::Position { fen: Some("movesx xmoves"), moves: "moves2" });
    }

    #[test]
    fn mistakes_are_named() {
        let error = |line: &str| Command::parse(line).unwrap_err().to_string();
        assert_eq!(
            error("uci"),
            "unknown command `uci`; expected ugi, isready, setoption, uginewgame, position, go, stop, query or quit"
        );
        assert_eq!(
            error("position"),
            "in `position`: expected `startpos` or `fen`, found the end of the line"
        );
        assert_eq!(
            error("position startpos e2e4"),
            "in `position`: expected `moves` or nothing after `startpos`, found `e2e4`"
        );
        assert_eq!(error("go depth x"), "in `go`: expected a whole number after each limit, found `x`");
        assert_eq!(error("go role p3"), "in `go`: expected `p1` or `p2` after `role`, found `p3`");
        assert_eq!(
            error("setoption Hash 3"),
            "in `setoption`: expected `name NAME [value VALUE]`, found `Hash`"
        );
        assert_eq!(
            error("query moves"),
            "in `query`: expected `p1` or `p2` after `moves`, found the end of the line"
        );
    }

    #[test]
    fn limits_travel_through_go() {
        let time =
            Some(Time::Game { left: Duration::from_millis(1500), increment: Duration::from_millis(20) });
        for limits in [
            Limits::default(),
            Limits::depth(4),
            Limits::nodes(1000),
            Limits::playouts(50),
            Limits::movetime(Duration::from_millis(30)),
            Limits { time, nodes: Some(9), ..Limits::default() },
        ] {
            for player in Player::BOTH {
                let go = Go::ask(player, true, &limits);
                let text = go.to_string();
                let Ok(Command::Go(read)) = Command::parse(&text) else { panic!("{text}") };
                assert_eq!((read, read.limits(player)), (go, limits), "{text}");
            }
        }
    }

    #[test]
    fn a_clock_that_has_nearly_run_out_is_never_written_as_no_clock() {
        let time = Some(Time::Game { left: Duration::from_micros(300), increment: Duration::ZERO });
        let go = Go::ask(Player::Two, false, &Limits { time, ..Limits::default() });
        assert_eq!(go.to_string(), "go p2time 1 p2inc 0");
        let late = Command::parse("go p1time -20").unwrap();
        assert_eq!(late, Command::Go(Go { clock: [Some(Duration::ZERO), None], ..Go::default() }));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "(position |go |setoption |query |)[ -~äß\\t]{0,60}") {
            if let Ok(command) = Command::parse(&line) {
                let text = command.to_string();
                prop_assert_eq!(Command::parse(&text).map(|again| again.to_string()), Ok(text.clone()));
            }
        }
    }
}
