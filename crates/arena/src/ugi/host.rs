//! The host's side: any program that speaks the protocol is a bot.

use std::fmt::Write as _;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use search_core::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Game, Limits, Player, Record, Score, Stats, Task, Time,
    Turn, turn_text,
};

use super::guard::Ending;
use super::process::{BYTE_CAP, LINE_CAP, Process, Silence};
use super::{Go, Info, OptionKind, OptionLine, Reply};

/// After so many failures to start in a row a bot is not started again.
pub const START_FAILURES: u32 = 3;
/// How long a bot may still think after `stop`.
const STOP_TIME: Duration = Duration::from_secs(1);
/// How long a bot that closed its output may take to end, so that its own words are heard.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The patience of a host, and what a bot may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSettings {
    /// From the start of the program to `ugiok`.
    pub start: Duration,
    /// From `isready` to `readyok` after the options are set.
    pub ready: Duration,
    /// From `uginewgame` to `readyok`.
    pub new_game: Duration,
    /// How far an answer may come after the bot's clock has run out. It is there for the ways of the operating system,
    /// not for the bot.
    pub margin: Duration,
    /// The time for a move where no clock runs (a limit of nodes, depth or playouts).
    pub untimed_move: Duration,
    /// From `quit` to the end of the program; then it is killed.
    pub quit: Duration,
    /// Resident memory in bytes that the bot and its children may use together.
    pub memory: Option<u64>,
    /// Options that are set before the first game.
    pub options: Vec<(String, String)>,
    /// The program that guards the bot: one that calls [`guard_if_asked`](super::guard_if_asked) first. Ours by
    /// default.
    pub guard: Option<PathBuf>,
}

impl Default for HostSettings {
    fn default() -> Self {
        HostSettings {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(5),
            new_game: Duration::from_secs(10),
            margin: Duration::from_millis(100),
            untimed_move: Duration::from_mins(1),
            quit: Duration::from_millis(500),
            memory: None,
            options: Vec::new(),
            guard: None,
        }
    }
}

/// What a bot said of itself.
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
    fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// An outside bot: how to start it, and the processes of it that wait for their next game.
///
/// Processes are started when a game needs one and kept for the next, one per game that runs at the same time.
#[derive(Debug)]
pub struct OutsideBot {
    command: Vec<String>,
    folder: Option<PathBuf>,
    settings: HostSettings,
    idle: Mutex<Vec<Session>>,
    failures: AtomicU32,
}

impl OutsideBot {
    /// The bot that this command line starts: the program and its arguments.
    pub fn new(command: Vec<String>, settings: HostSettings) -> OutsideBot {
        OutsideBot {
            command,
            folder: None,
            settings,
            idle: Mutex::new(Vec::new()),
            failures: AtomicU32::new(0),
        }
    }

    /// Starts the bot in this folder.
    #[must_use]
    pub fn in_folder(mut self, folder: PathBuf) -> OutsideBot {
        self.folder = Some(folder);
        self
    }

    /// The command line.
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// How the bot is treated.
    pub fn settings(&self) -> &HostSettings {
        &self.settings
    }

    /// A player of `G` by this bot.
    pub fn player<G: Game>(self: &Arc<Self>) -> Host<G> {
        Host {
            outside: Arc::clone(self),
            session: None,
            start: String::new(),
            turns: Vec::new(),
            text: String::new(),
            opening: String::new(),
            game: PhantomData,
        }
    }

    /// Starts the bot and lets it introduce itself for `G`: the test before the first game. The process is kept.
    pub fn check<G: Game>(self: &Arc<Self>) -> Result<Introduction, BotFailure> {
        let session = self.open::<G>()?;
        let introduction = session.introduction.clone();
        self.keep(session);
        Ok(introduction)
    }

    /// A process that has introduced itself for `G`: one that waits, or a new one.
    fn open<G: Game>(&self) -> Result<Session, BotFailure> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = idle.iter().position(|session| session.game == G::NAME) {
            return Ok(idle.swap_remove(index));
        }
        drop(idle);
        let failed = self.failures.load(Ordering::Relaxed);
        if failed >= START_FAILURES {
            let message = format!("did not start {failed} times in a row and is not tried again");
            return Err(BotFailure::new(FailureKind::Start, message));
        }
        let session = self.start::<G>();
        match &session {
            Ok(_) => self.failures.store(0, Ordering::Relaxed),
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        session
    }

    fn keep(&self, session: Session) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
    }

    /// A new process that has not spoken yet.
    pub(super) fn spawn<G: Game>(&self) -> Result<Session, BotFailure> {
        let cannot = |message: String| BotFailure::new(FailureKind::Start, message);
        let guard = match &self.settings.guard {
            Some(guard) => guard.clone(),
            None => std::env::current_exe()
                .map_err(|error| cannot(format!("our own program is not to be found: {error}")))?,
        };
        let process = Process::spawn(&guard, &self.command, self.folder.as_deref(), self.settings.memory)
            .map_err(|error| cannot(format!("the guard `{}` cannot be started: {error}", guard.display())))?;
        Ok(Session { process, introduction: Introduction::default(), game: G::NAME })
    }

    fn start<G: Game>(&self) -> Result<Session, BotFailure> {
        let cannot = |message: String| BotFailure::new(FailureKind::Start, message);
        let HostSettings { start, ready, .. } = self.settings;
        let mut session = self.spawn::<G>()?;
        // Whatever goes wrong before the first game is a failure to start.
        session.introduce(start).map_err(|failure| cannot(failure.message))?;
        let mut lines = session.game_line::<G>().map_err(|problem| cannot(problem.message))?;
        for (name, value) in &self.settings.options {
            let option = session.introduction.option(name);
            let value = Some(value.as_str()).filter(|value| !value.is_empty());
            match option {
                Some(option) if option.accepts(value) => {}
                Some(option) => {
                    return Err(cannot(format!(
                        "it has `{option}`, which cannot be set to `{}`",
                        value.unwrap_or("")
                    )));
                }
                None => return Err(cannot(format!("it has no option `{name}`"))),
            }
            let command = super::Command::SetOption { name, value };
            // Writing into a `String` cannot fail.
            let _ = writeln!(lines, "{command}");
        }
        session.synchronise(lines, ready).map_err(|failure| cannot(failure.message))?;
        Ok(session)
    }
}

impl Drop for OutsideBot {
    fn drop(&mut self) {
        let idle = std::mem::take(self.idle.get_mut().unwrap_or_else(PoisonError::into_inner));
        for session in idle {
            session.process.quit(self.settings.quit);
        }
    }
}

/// A process that has introduced itself.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) process: Process,
    pub(super) introduction: Introduction,
    game: &'static str,
}

impl Session {
    pub(super) fn introduce(&mut self, patience: Duration) -> Result<(), BotFailure> {
        let deadline = Instant::now() + patience;
        self.process.begin();
        let mut introduction = Introduction::default();
        let mut result = self.process.write(b"ugi\n", deadline);
        while result.is_ok() {
            match self.process.line(deadline) {
                Ok(None) => {}
                Ok(Some(line)) => match Reply::parse(&String::from_utf8_lossy(line)) {
                    Reply::Name(name) => name.clone_into(&mut introduction.name),
                    Reply::Author(author) => author.clone_into(&mut introduction.author),
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

    /// The line that chooses the game, if the bot has to choose.
    pub(super) fn game_line<G: Game>(&self) -> Result<String, BotFailure> {
        match self.introduction.option("UGI_Game") {
            Some(option) if option.accepts(Some(G::NAME)) => {
                Ok(format!("setoption name UGI_Game value {}\n", G::NAME))
            }
            Some(OptionLine { kind: OptionKind::Combo(games), .. }) => {
                let message = format!("it does not play {}; it plays {}", G::NAME, games.join(", "));
                Err(BotFailure::new(FailureKind::Start, message))
            }
            _ => Ok(String::new()),
        }
    }

    /// Writes lines and waits until they are done.
    pub(super) fn synchronise(&mut self, mut lines: String, patience: Duration) -> Result<(), BotFailure> {
        lines.push_str("isready\n");
        let deadline = Instant::now() + patience;
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
        let (ending, stderr) = match &silence {
            Silence::Closed => self.process.finish(LAST_WORDS),
            _ => self.process.end(),
        };
        let (kind, mut message) = match (silence, &ending) {
            (_, Ending::NotStarted(_)) => (FailureKind::Start, ending.to_string()),
            (_, Ending::Memory(_)) => (FailureKind::Memory, ending.to_string()),
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
        if !stderr.is_empty() {
            message.push_str("; its error output:\n");
            message.push_str(&stderr);
        }
        BotFailure::new(kind, message)
    }
}

/// A player that is a program of its own.
#[derive(Debug)]
pub struct Host<G: Game> {
    outside: Arc<OutsideBot>,
    session: Option<Session>,
    /// The moves of the current game as text, with what they belong to: they grow with the game.
    start: String,
    turns: Vec<G::Turn>,
    text: String,
    /// How the start of the next game came about, in the words of `position`; empty if nobody said so.
    opening: String,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Host<G> {
    /// How the bot introduced itself; `None` before its first game and after a failure.
    pub fn introduction(&self) -> Option<&Introduction> {
        self.session.as_ref().map(|session| &session.introduction)
    }

    /// The `position` line. A game without a repetition rule needs no history, so the position itself is enough, and
    /// the cost of a move does not grow with the game; else the start and all moves.
    fn write_position(&mut self, record: &Record<G>, lines: &mut String) {
        // Writing into a `String` cannot fail.
        if G::REPETITION.is_none() {
            let _ = writeln!(lines, "position fen {}", record.position());
            return;
        }
        let start = record.start().to_string();
        let turns = record.turns();
        if start != self.start || !turns.starts_with(&self.turns) {
            self.start = start;
            self.turns.clear();
            self.text.clear();
        }
        let known = self.turns.len();
        for &turn in &turns[known..] {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.turns.push(turn);
            self.text.push_str(&turn_text::<G>(record.position().active(), turn));
        }
        let _ = write!(lines, "position fen {}", self.start);
        if !self.text.is_empty() {
            let _ = write!(lines, " moves {}", self.text);
        }
        lines.push('\n');
    }
}

impl<G: Game> Bot<G> for Host<G> {
    fn opening(&mut self, origin: &G, turns: &[G::Turn]) {
        self.opening = format!("fen {origin}");
        let mut position = origin.clone();
        for (number, &turn) in turns.iter().enumerate() {
            self.opening.push_str(if number == 0 { " moves " } else { " " });
            self.opening.push_str(&turn_text::<G>(position.active(), turn));
            position.play_turn(turn);
        }
    }

    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.outside.open::<G>()?,
        };
        session.process.forget_errors();
        let mut lines = String::new();
        if session.introduction.option("UGI_Seed").is_some() {
            // 63 bits, so that every language can read it as a signed number.
            let _ = writeln!(lines, "setoption name UGI_Seed value {}", seed >> 1);
        }
        if session.introduction.option("UGI_Opening").is_some() && !self.opening.is_empty() {
            let _ = writeln!(lines, "setoption name UGI_Opening value {}", self.opening);
        }
        lines.push_str("uginewgame\n");
        session.synchronise(lines, self.outside.settings.new_game)?;
        self.session = Some(session);
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let mut lines = String::with_capacity(512);
        self.write_position(task.record, &mut lines);
        let go = Go::ask(task.player, G::Turn::SIMULTANEOUS, &task.limits);
        // Writing into a `String` cannot fail.
        let _ = writeln!(lines, "{go}");
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.outside.open::<G>()?,
        };
        let answer = ask(&mut session, &lines, task, &self.outside.settings)?;
        // Only a bot that answered as it should goes on; any other is started anew for the next game.
        self.session = Some(session);
        Ok(answer)
    }
}

impl<G: Game> Drop for Host<G> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.outside.keep(session);
        }
    }
}

/// What the clock allows for this move; `None` if no clock runs.
fn allowed(limits: &Limits) -> Option<Duration> {
    match limits.time? {
        Time::Move(time) | Time::Bounds { hard: time, .. } => Some(time),
        Time::Game { left, .. } => Some(left),
    }
}

/// Puts the question and waits for the answer.
fn ask<G: Game>(
    session: &mut Session,
    lines: &str,
    task: &Task<'_, G>,
    settings: &HostSettings,
) -> Result<Answer<G::Move>, BotFailure> {
    let clock = allowed(&task.limits);
    let patience = clock.map_or(settings.untimed_move, |time| time + settings.margin);
    let late = || match clock {
        Some(time) => {
            format!("no answer within {patience:.1?} ({time:.1?} allowed, {:.1?} margin)", settings.margin)
        }
        None => format!("no answer within {patience:.1?}, the most for a move without a clock"),
    };
    session.process.begin();
    let started = Instant::now();
    let mut deadline = started + patience;
    if let Err(silence) = session.process.write(lines.as_bytes(), deadline) {
        return Err(session.explain(silence, &format!("did not read its input; {}", late())));
    }
    let mut stopped = false;
    let mut seen: Option<Analysis<G::Move>> = None;
    loop {
        match session.process.line(deadline) {
            Ok(None) => {
                if !stopped && task.stop.is_set() {
                    stopped = true;
                    deadline = deadline.min(Instant::now() + STOP_TIME);
                    if let Err(silence) = session.process.write(b"stop\n", deadline) {
                        return Err(session.explain(silence, &late()));
                    }
                }
            }
            Ok(Some(line)) => {
                let used = started.elapsed();
                let text = String::from_utf8_lossy(line);
                match Reply::parse(&text) {
                    Reply::BestMove(word) => {
                        if used > patience {
                            let message = format!("{}; its answer came after {used:.1?}", late());
                            return Err(fail(session, FailureKind::Time, message));
                        }
                        if str::from_utf8(line).is_err() {
                            let message = format!("its answer is not UTF-8: `{text}`");
                            return Err(fail(session, FailureKind::Protocol, message));
                        }
                        return match word.parse() {
                            Ok(mv) => Ok(Answer { mv, analysis: seen }),
                            Err(error) => {
                                let message =
                                    format!("expected a move after `bestmove`, found `{text}`: {error}");
                                Err(fail(session, FailureKind::Protocol, message))
                            }
                        };
                    }
                    Reply::Info(rest) => {
                        let info = Info::parse(rest);
                        // A line of mere text says nothing about the search.
                        if info.string.is_empty() {
                            let analysis = seen.insert(analysis_of::<G>(&info));
                            if let Some(watch) = task.watch {
                                watch(analysis);
                            }
                        }
                    }
                    _ => {}
                }
            }
            Err(silence) => return Err(session.explain(silence, &late())),
        }
    }
}

/// Ends a bot whose answer is no good.
fn fail(session: &mut Session, kind: FailureKind, mut message: String) -> BotFailure {
    let (_, stderr) = session.process.end();
    if !stderr.is_empty() {
        message.push_str("; its error output:\n");
        message.push_str(&stderr);
    }
    BotFailure::new(kind, message)
}

/// What an `info` line tells, as far as it can be understood.
fn analysis_of<G: Game>(info: &Info<'_>) -> Analysis<G::Move> {
    let pv: Vec<G::Move> = info.pv.split_whitespace().map_while(|word| word.parse().ok()).collect();
    Analysis {
        best: pv.first().copied(),
        score: info.score.unwrap_or(Score::DRAW),
        pv,
        depth: info.depth.unwrap_or(0),
        stats: Stats {
            nodes: info.nodes.unwrap_or(0),
            playouts: info.playouts.unwrap_or(0),
            time: info.time.unwrap_or_default(),
            ..Stats::default()
        },
        ..Analysis::default()
    }
}
