//! Bots from outside: how to start one, and its processes that wait for their next game.

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use search_core::{BotFailure, FailureKind, Game};

use super::channel::Order;
use super::host::Host;
use super::lines::{Lines, Wire};
use super::process::Process;
use super::session::{Introduction, Session};
use crate::limits::ClockKind;
use crate::sandbox::{Confinement, Sandbox};

/// After this many failures to start in a row a bot is not started again.
pub const START_FAILURES: u32 = 3;

/// The patience of a host, and what a bot may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSettings {
    /// From the start of the program to `ugiok`.
    pub start: Duration,
    /// From `isready` to `readyok` after the options are set.
    pub ready: Duration,
    /// From `uginewgame` to `readyok`.
    pub new_game: Duration,
    /// How far an answer may come after the bot's clock has run out. It allows for delays of the operating system,
    /// not for the bot.
    pub margin: Duration,
    /// The time for a move where no clock runs (a limit of nodes, depth or playouts).
    pub untimed_move: Duration,
    /// From `quit` to the end of the program; then it is killed.
    pub quit: Duration,
    /// Resident memory in bytes that the bot and its children may use together.
    pub memory: Option<u64>,
    /// What time counts against limits in time.
    pub counted: ClockKind,
    /// The sandbox; `None` for none.
    pub sandbox: Option<Sandbox>,
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
            counted: ClockKind::Wall,
            sandbox: None,
            options: Vec::new(),
            guard: None,
        }
    }
}

/// Starts a bot that is not a process.
struct Launch(Box<dyn Fn() -> std::io::Result<Box<dyn Wire>> + Send + Sync>);

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Launch")
    }
}

/// An outside bot: how to start it, and the processes of it that wait for their next game.
///
/// Processes are started when a game needs one and kept for the next, one per game that runs at the same time.
#[derive(Debug)]
pub struct OutsideBot {
    command: Vec<String>,
    folder: Option<PathBuf>,
    /// What starts it instead of the system, in a simulation.
    launch: Option<Launch>,
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
            launch: None,
            settings,
            idle: Mutex::new(Vec::new()),
            failures: AtomicU32::new(0),
        }
    }

    /// A bot of a simulation, which this starts.
    #[cfg(feature = "simulation")]
    pub(crate) fn simulated(
        start: impl Fn() -> std::io::Result<Box<dyn Wire>> + Send + Sync + 'static,
        settings: HostSettings,
    ) -> OutsideBot {
        let mut bot = OutsideBot::new(Vec::new(), settings);
        bot.launch = Some(Launch(Box::new(start)));
        bot
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
        Host::new(Arc::clone(self))
    }

    /// Starts the bot and lets it introduce itself for `G`: the test before the first game. The process is kept.
    pub fn check<G: Game>(self: &Arc<Self>) -> Result<Introduction, BotFailure> {
        let session = self.open::<G>()?;
        let introduction = session.introduction.clone();
        self.keep(session);
        Ok(introduction)
    }

    /// A process that has introduced itself for `G`: one that waits, or a new one.
    pub(super) fn open<G: Game>(&self) -> Result<Session, BotFailure> {
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
            Err(BotFailure { kind: FailureKind::Tampering, .. }) => {}
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
        }
        session
    }

    pub(super) fn keep(&self, session: Session) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
    }

    /// A new process that has not spoken yet.
    pub(super) fn spawn<G: Game>(&self) -> Result<Session, BotFailure> {
        let cannot = |message: String| BotFailure::new(FailureKind::Start, message);
        let session = |process| Session { process, introduction: Introduction::default(), game: G::NAME };
        if let Some(Launch(start)) = &self.launch {
            let wire = start().map_err(|error| cannot(format!("the bot cannot be started: {error}")))?;
            return Ok(session(Lines::of(wire)));
        }
        let guard = match &self.settings.guard {
            Some(guard) => guard.clone(),
            None => std::env::current_exe()
                .map_err(|error| cannot(format!("our own program is not to be found: {error}")))?,
        };
        let confinement = match &self.settings.sandbox {
            Some(sandbox) => Some(Confinement::new(
                sandbox,
                &self.command,
                self.start_folder()
                    .map_err(|error| cannot(format!("the folder to start in is not to be found: {error}")))?,
            )),
            None => None,
        };
        let order = Order { command: self.command.clone(), memory: self.settings.memory, confinement };
        let process = Process::spawn(&guard, &order, self.folder.as_deref())
            .map_err(|error| cannot(format!("the guard `{}` cannot be started: {error}", guard.display())))?;
        Ok(session(Lines::new(process)))
    }

    /// The folder in which the program is started.
    fn start_folder(&self) -> std::io::Result<PathBuf> {
        let folder = std::env::current_dir()?;
        Ok(self.folder.as_ref().map_or(folder.clone(), |own| folder.join(own)))
    }

    fn start<G: Game>(&self) -> Result<Session, BotFailure> {
        let cannot = |message: String| BotFailure::new(FailureKind::Start, message);
        // Whatever the bot does wrong before the first game is a failure to start; what is done to it is none.
        let not_started = |failure: BotFailure| match failure.kind {
            FailureKind::Tampering => failure,
            _ => cannot(failure.message),
        };
        let HostSettings { start, ready, .. } = self.settings;
        let mut session = self.spawn::<G>()?;
        session.introduce(start).map_err(not_started)?;
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
        session.synchronise(lines, ready).map_err(not_started)?;
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
