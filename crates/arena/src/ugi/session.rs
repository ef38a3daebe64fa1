//! One process of a bot from outside, and what is said before the first move.

use std::fmt::Write as _;
use std::time::Duration;

use search_core::{BotFailure, FailureKind, Game, Player, Record};

use super::ending::Ending;
use super::lines::{BYTE_CAP, LINE_CAP, Lines, Silence};
use super::{OptionKind, OptionLine, Reply};
use crate::shown::{shown, shown_lines};

/// How long a bot that closed its output may take to end, so that its own words are heard.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// If the runner wakes later than this, it was stopped or starved, and no game is lost by what the clock says then. A busy machine
/// takes a tenth of it.
const OVERSLEPT: Duration = Duration::from_secs(1);

/// What is said of a bot that was stopped by a signal.
pub(super) const FROZEN: &str =
    "was stopped by a signal that the runner did not send, so that its clock ran while it could not think";

/// A bot's name and author are cut off after this many characters.
const NAME_LENGTH: usize = 100;

/// What a bot said of itself, fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Its author.
    pub author: String,
    /// Its options.
    pub options: Vec<OptionLine>,
}

impl Introduction {
    pub(super) fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// A process that has introduced itself.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) process: Lines,
    pub(super) introduction: Introduction,
    pub(super) game: &'static str,
}

impl Session {
    pub(super) fn introduce(&mut self, patience: Duration) -> Result<(), BotFailure> {
        let deadline = self.process.now() + patience;
        self.process.begin();
        let mut introduction = Introduction::default();
        let mut result = self.process.write(b"ugi\n", deadline);
        while result.is_ok() {
            match self.process.line(deadline) {
                Ok(None) => {}
                Ok(Some(line)) => match Reply::parse(&String::from_utf8_lossy(line)) {
                    Reply::Name(name) => introduction.name = short(name),
                    Reply::Author(author) => introduction.author = short(author),
                    // An option that cannot be understood cannot be set; that does not keep the bot from playing.
                    Reply::Option(line) => introduction.options.extend(OptionLine::parse(line)),
                    Reply::UgiOk => {
                        self.introduction = introduction;
                        return Ok(());
                    }
                    _ => {}
                },
                Err(silence) => result = Err(silence),
            }
        }
        let silence = result.err().unwrap_or(Silence::Closed);
        Err(self.explain(silence, &format!("no `ugiok` within {patience:.1?} after `ugi`")))
    }

    /// The games that the bot says it plays; empty if it does not say.
    pub(super) fn games(&self) -> Vec<String> {
        match self.introduction.option("UGI_Game") {
            Some(OptionLine { kind: OptionKind::Combo(games), .. }) => games.clone(),
            _ => Vec::new(),
        }
    }

    /// The line that tells the legal moves of a player, for a bot that asks for it; else nothing.
    pub(super) fn legal_line<G: Game>(&self, record: &Record<G>, player: Player) -> String {
        if self.introduction.option("UGI_LegalMoves").is_none() {
            return String::new();
        }
        let mut line = "legal".to_owned();
        for mv in record.legal_moves(player) {
            // Writing into a `String` cannot fail.
            let _ = write!(line, " {mv}");
        }
        line.push('\n');
        line
    }

    /// The line that chooses the game, if the bot has to choose.
    pub(super) fn game_line<G: Game>(&self) -> Result<String, BotFailure> {
        match self.introduction.option("UGI_Game") {
            Some(option) if option.accepts(Some(G::NAME)) => {
                Ok(format!("setoption name UGI_Game value {}\n", G::NAME))
            }
            Some(OptionLine { kind: OptionKind::Combo(games), .. }) => {
                let message = format!("it does not play {}; it plays {}", G::NAME, games.join(", "));
                Err(BotFailure::new(FailureKind::Start, shown(&message)))
            }
            _ => Ok(String::new()),
        }
    }

    /// Writes lines and waits until they are done.
    pub(super) fn synchronise(&mut self, mut lines: String, patience: Duration) -> Result<(), BotFailure> {
        lines.push_str("isready\n");
        let deadline = self.process.now() + patience;
        self.process.begin();
        let mut result = self.process.write(lines.as_bytes(), deadline);
        while result.is_ok() {
            match self.process.line(deadline) {
                Ok(Some(line)) if line.trim_ascii() == b"readyok" => return Ok(()),
                Ok(_) => {}
                Err(silence) => result = Err(silence),
            }
        }
        let silence = result.err().unwrap_or(Silence::Closed);
        Err(self.explain(silence, &format!("no `readyok` within {patience:.1?} after `isready`")))
    }

    /// Ends the process and puts into words what went wrong: `late` is what to say if it was the deadline.
    pub(super) fn explain(&mut self, silence: Silence, late: &str) -> BotFailure {
        let is_late = matches!(silence, Silence::Deadline(_));
        let frozen = is_late && self.process.was_frozen();
        let overslept = self.overslept().filter(|_| is_late);
        let (ending, stderr) = match &silence {
            Silence::Closed => self.process.finish(LAST_WORDS),
            _ => self.process.end(),
        };
        let (kind, message) = match (silence, &ending) {
            (_, Ending::NotStarted(_)) => (FailureKind::Start, ending.to_string()),
            (_, Ending::Processes(_)) => (FailureKind::Crash, ending.to_string()),
            (_, Ending::Memory(_)) => (FailureKind::Memory, ending.to_string()),
            (_, Ending::Unguarded(_)) => (FailureKind::Tampering, ending.to_string()),
            (_, _) if frozen => (FailureKind::Tampering, format!("{FROZEN}; {late}")),
            (_, _) if overslept.is_some() => {
                (FailureKind::Tampering, format!("{}; {late}", overslept.unwrap_or_default()))
            }
            (Silence::Deadline(None), _) => (FailureKind::Time, late.to_owned()),
            (Silence::Deadline(Some(part)), _) => {
                let part = String::from_utf8_lossy(&part[..part.len().min(200)]).into_owned();
                (FailureKind::Time, format!("{late}; an unfinished line came: `{part}`"))
            }
            (Silence::Closed, Ending::Released) => {
                (FailureKind::Crash, "closed its pipes, but did not end".to_owned())
            }
            (Silence::Closed, _) => (FailureKind::Crash, ending.to_string()),
            (Silence::LongLine, _) => {
                (FailureKind::Protocol, format!("wrote a line of more than {} KiB", LINE_CAP >> 10))
            }
            (Silence::Flood, _) => {
                (FailureKind::Protocol, format!("wrote more than {} KiB for one answer", BYTE_CAP >> 10))
            }
            (Silence::System(error), _) => (FailureKind::Crash, format!("the system said: {error}")),
        };
        failure(kind, message, &stderr)
    }

    /// What is to be said if the runner itself did not run for a while since the last question, so that it is not known when the bot
    /// wrote what it wrote.
    pub(super) fn overslept(&self) -> Option<String> {
        let time = self.process.overslept();
        (time >= OVERSLEPT).then(|| {
            format!("the runner itself did not run for {time:.1?}, so that nobody knows whose time it was")
        })
    }

    /// Whether the guard has told that the bot was stopped by a signal since the last question: costs next to nothing.
    pub(super) fn was_told_frozen(&mut self) -> bool {
        self.process.was_told_frozen()
    }

    /// Whether the time since the last question is not the bot's own, because it was stopped by a signal.
    pub(super) fn was_frozen(&mut self) -> bool {
        self.process.was_frozen()
    }

    /// Ends the process of a bot whose answer is no good.
    pub(super) fn refuse(&mut self, kind: FailureKind, message: String) -> BotFailure {
        let (_, stderr) = self.process.end();
        failure(kind, message, &stderr)
    }
}

/// A name in few words, fit to be shown.
fn short(name: &str) -> String {
    let name = shown(name);
    match name.char_indices().nth(NAME_LENGTH) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.into_owned(),
    }
}

/// A failure with what the bot wrote to its error output. Both may hold the bot's own words.
fn failure(kind: FailureKind, mut message: String, stderr: &str) -> BotFailure {
    if !stderr.is_empty() {
        message.push_str("; its error output:\n");
        message.push_str(stderr);
    }
    BotFailure::new(kind, shown_lines(&message))
}
