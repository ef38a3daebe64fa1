//! The engine's side: any bot of any game speaks the protocol on a pair of streams.

use std::error::Error;
use std::fmt::{self, Write as _};
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use search_core::{
    Active, Analysis, Bot, BotFailure, Clock, Game, Limits, Outcome, Player, Record, StopFlag, SystemClock,
    Task, Turn, parse_turn,
};
use thiserror::Error;

use super::command::first_word;
use super::{Command, Go, Info, OptionKind, OptionLine, Query};

/// The longest line that an engine reads: a long game's moves fit many times.
const LINE_CAP: u64 = 4 << 20;
/// While a search runs, at most one `info` line in this time.
const INFO_PAUSE: Duration = Duration::from_millis(20);

/// Makes the bot from the options that `setoption` set, by name, in the order in which they were set.
pub type BuildBot<G> = Box<dyn FnMut(&[(String, String)]) -> Result<Box<dyn Bot<G>>, String>>;

/// A bot that speaks the protocol.
///
/// The thread that calls [`Engine::run`] thinks; a thread of its own listens, so that `stop`, `isready` and `quit` are
/// heard while a search runs.
///
/// ```no_run
/// use arena::ugi::Engine;
/// # fn example<G: search_core::Game>(bot: fn() -> Box<dyn search_core::Bot<G>>) -> Result<(), arena::ugi::EngineError> {
/// Engine::<G>::new("my bot 1.0", "me", Box::new(move |_| Ok(bot())))
///     .run(std::io::BufReader::new(std::io::stdin()), std::io::stdout())
/// # }
/// ```
pub struct Engine<G: Game> {
    name: String,
    author: String,
    options: Vec<OptionLine>,
    build: BuildBot<G>,
}

impl<G: Game> fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("game", &G::NAME)
            .field("name", &self.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Why an engine ended before `quit`.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The bot could not be made.
    #[error("the bot cannot be made: {0}")]
    Build(String),
    /// The bot did not answer.
    #[error("the bot failed, {0}")]
    Bot(#[from] BotFailure),
    /// The host cannot be written to.
    #[error("cannot write to the host: {0}")]
    Write(#[from] io::Error),
}

impl<G: Game> Engine<G> {
    /// An engine that introduces itself by this name and author, for the bots that `build` makes.
    pub fn new(name: impl Into<String>, author: impl Into<String>, build: BuildBot<G>) -> Engine<G> {
        let word = |name: &str, kind, default: &str| OptionLine {
            name: name.to_owned(),
            kind,
            default: Some(default.to_owned()),
        };
        let options = vec![
            word("UGI_Game", OptionKind::Combo(vec![G::NAME.to_owned()]), G::NAME),
            word("UGI_Seed", OptionKind::Spin { min: 0, max: i64::MAX }, "0"),
        ];
        Engine { name: name.into(), author: author.into(), options, build }
    }

    /// Declares one more option; what it is set to is handed to the builder of the bot.
    #[must_use]
    pub fn with_option(mut self, option: OptionLine) -> Engine<G> {
        self.options.push(option);
        self
    }

    /// Serves a host until `quit` or the end of the input.
    ///
    /// At the end of the input a search with a limit is still finished and answered, so that a file of commands can
    /// be piped in.
    pub fn run<R, W>(mut self, input: R, output: W) -> Result<(), EngineError>
    where
        R: BufRead + Send + 'static,
        W: Write + Send + 'static,
    {
        let bot = (self.build)(&[]).map_err(EngineError::Build)?;
        let output = Arc::new(Output(Mutex::new(output)));
        let pending = Arc::new(AtomicUsize::new(0));
        let (sender, receiver) = channel();
        let clock = SystemClock::new();
        let ear = Ear {
            sender,
            pending: Arc::clone(&pending),
            output: Arc::clone(&output),
            flags: Vec::new(),
            clock,
        };
        // Not joined: it may wait for input that never comes when the bot has failed and the engine is to end.
        thread::spawn(move || ear.listen(input));
        let mut session = Session {
            engine: self,
            bot,
            settings: Vec::new(),
            seed: 0,
            record: Some(Record::new(G::initial(&G::Setup::default(), 0))),
            start: None,
            moves: String::new(),
            told: None,
            output,
            clock,
        };
        for heard in receiver {
            match heard {
                Heard::Line(line) => session.obey(&line)?,
                Heard::Go(line, stop, heard) => {
                    let lines = session.obey_go(&line, &stop, heard)?;
                    // Before the answer: a host that has it may ask at once, and its questions go in order.
                    pending.fetch_sub(1, Ordering::AcqRel);
                    session.output.say(&lines)?;
                }
            }
        }
        Ok(())
    }
}

/// The one place that writes: whole lines only, one write each.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn say(&self, lines: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(lines.as_bytes())?;
        output.flush()
    }
}

enum Heard {
    Line(String),
    /// With the time at which it was heard.
    Go(String, StopFlag, Duration),
}

/// Listens to the host. What concerns a running search is done at once, the rest is handed on.
struct Ear<W> {
    sender: Sender<Heard>,
    /// Searches that are asked for and not answered yet.
    pending: Arc<AtomicUsize>,
    output: Arc<Output<W>>,
    /// The flags of the searches that may still run.
    flags: Vec<(StopFlag, bool)>,
    clock: SystemClock,
}

impl<W: Write> Ear<W> {
    fn listen(mut self, mut input: impl BufRead) {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match (&mut input).take(LINE_CAP).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim();
            if self.pending.load(Ordering::Acquire) == 0 {
                self.flags.clear();
            }
            let heard = match first_word(line).0 {
                "" => continue,
                "stop" => {
                    self.flags.iter().for_each(|(flag, _)| flag.stop());
                    continue;
                }
                "isready" if self.pending.load(Ordering::Acquire) > 0 => {
                    if self.output.say("readyok\n").is_err() {
                        break;
                    }
                    continue;
                }
                "quit" => {
                    self.flags.iter().for_each(|(flag, _)| flag.stop());
                    return;
                }
                "go" => {
                    let flag = StopFlag::new();
                    let limited = matches!(Command::parse(line), Ok(Command::Go(go)) if !go.infinite);
                    self.flags.push((flag.clone(), limited));
                    self.pending.fetch_add(1, Ordering::AcqRel);
                    Heard::Go(line.to_owned(), flag, self.clock.now())
                }
                _ => Heard::Line(line.to_owned()),
            };
            if self.sender.send(heard).is_err() {
                return;
            }
        }
        // Nobody is left to say `stop`.
        self.flags.iter().filter(|(_, limited)| !limited).for_each(|(flag, _)| flag.stop());
    }
}

/// The conversation with one host.
struct Session<G: Game, W> {
    engine: Engine<G>,
    bot: Box<dyn Bot<G>>,
    settings: Vec<(String, String)>,
    seed: u64,
    /// The game so far; `None` after a `position` that could not be read.
    record: Option<Record<G>>,
    /// The start and the moves of `record` as they were given, so that a longer list costs only what is new.
    start: Option<String>,
    moves: String,
    /// The player for whom the bot has begun a game; `None` if it has yet to begin one.
    told: Option<Player>,
    output: Arc<Output<W>>,
    clock: SystemClock,
}

impl<G: Game, W: Write + Send + 'static> Session<G, W> {
    fn obey(&mut self, line: &str) -> Result<(), EngineError> {
        // What a new game costs is spent while no clock runs. For whom the bot plays is not known yet; if it is for the other
        // player, it is told again.
        if self.told.is_none() && matches!(Command::parse(line), Ok(Command::IsReady)) {
            self.tell(Player::One)?;
        }
        Ok(self.reply(line)?)
    }

    /// Tells the bot of a new game in which it plays for `player`, unless it knows.
    fn tell(&mut self, player: Player) -> Result<(), BotFailure> {
        if self.told != Some(player) {
            self.bot.new_game(player, self.seed)?;
            self.told = Some(player);
        }
        Ok(())
    }

    fn reply(&mut self, line: &str) -> io::Result<()> {
        match Command::parse(line) {
            Ok(Command::Ugi) => self.introduce(),
            Ok(Command::IsReady) => self.output.say("readyok\n"),
            Ok(Command::SetOption { name, value }) => match self.set(name, value) {
                Ok(()) => Ok(()),
                Err(problem) => self.complain(problem),
            },
            Ok(Command::NewGame) => {
                self.told = None;
                Ok(())
            }
            Ok(Command::Position { fen, moves }) => match self.place(fen, moves) {
                Ok(()) => Ok(()),
                Err(problem) => {
                    self.record = None;
                    self.complain(problem)
                }
            },
            Ok(Command::Query(query)) => match &self.record {
                Some(record) => self.output.say(&format!("response {}\n", answer(record, query))),
                None => self.complain("no position is set: the last `position` could not be read"),
            },
            // The listener keeps these.
            Ok(Command::Go(_) | Command::Stop | Command::Quit) => Ok(()),
            Err(problem) => self.complain(problem),
        }
    }

    fn complain(&self, problem: impl fmt::Display) -> io::Result<()> {
        let problem = problem.to_string().replace(['\r', '\n'], " ");
        self.output.say(&format!("info string error: {problem}\n"))
    }

    fn introduce(&self) -> io::Result<()> {
        let mut lines = format!("id name {}\nid author {}\n", self.engine.name, self.engine.author);
        for option in &self.engine.options {
            // Writing into a `String` cannot fail.
            let _ = writeln!(lines, "{option}");
        }
        lines.push_str("ugiok\n");
        self.output.say(&lines)
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let options = &self.engine.options;
        let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
            return Err(format!("there is no option `{name}`; the options are {}", names.join(", ")));
        };
        if !option.accepts(value) {
            let value = value.map_or("no value".to_owned(), |value| format!("`{value}`"));
            return Err(format!("expected a value that fits `{option}`, found {value}"));
        }
        let value = value.unwrap_or_default();
        match option.name.as_str() {
            "UGI_Game" => {}
            "UGI_Seed" => self.seed = value.parse().unwrap_or(0),
            name => {
                let name = name.to_owned();
                let mut settings = self.settings.clone();
                settings.retain(|(known, _)| *known != name);
                settings.push((name, value.to_owned()));
                self.bot = (self.engine.build)(&settings)?;
                self.settings = settings;
            }
        }
        self.told = None;
        Ok(())
    }

    fn place(&mut self, fen: Option<&str>, moves: &str) -> Result<(), Box<dyn Error>> {
        let goes_on = moves.strip_prefix(self.moves.as_str()).filter(|rest| {
            self.start.as_deref() == fen
                && (self.moves.is_empty() || rest.is_empty() || rest.starts_with(char::is_whitespace))
        });
        let (mut record, rest) = if let (Some(record), Some(rest)) = (self.record.take(), goes_on) {
            (record, rest)
        } else {
            let start = match fen {
                None => G::initial(&G::Setup::default(), 0),
                Some(fen) => fen.parse()?,
            };
            (Record::new(start), moves)
        };
        for text in rest.split_whitespace() {
            let turn = parse_turn::<G>(record.position().active(), text)?;
            record.play(turn)?;
        }
        self.record = Some(record);
        self.start = fen.map(str::to_owned);
        moves.clone_into(&mut self.moves);
        Ok(())
    }

    /// The lines that answer a `go`.
    fn obey_go(&mut self, line: &str, stop: &StopFlag, heard: Duration) -> Result<String, EngineError> {
        let asked = match Command::parse(line) {
            Ok(Command::Go(go)) => self.player(&go).map(|player| (player, go.limits(player))),
            Ok(_) => Err("expected `go`".to_owned()),
            Err(problem) => Err(problem.to_string()),
        };
        match asked {
            Ok((player, limits)) => self.think(player, limits, stop, heard),
            Err(problem) => {
                self.complain(problem)?;
                // A host that waits for an answer gets one.
                Ok("bestmove none\n".to_owned())
            }
        }
    }

    /// For whom a `go` wants a move.
    fn player(&self, go: &Go) -> Result<Player, String> {
        let record =
            self.record.as_ref().ok_or("no position is set: the last `position` could not be read")?;
        if let Some(end) = record.end() {
            return Err(format!("the game is over, {end}"));
        }
        match (record.position().active(), go.role) {
            (Active::One(mover), None) => Ok(mover),
            (Active::Both, None) => {
                Err("both players move at once: expected `go role p1` or `go role p2`".into())
            }
            (active, Some(role)) if active.includes(role) => Ok(role),
            (_, Some(role)) => Err(format!("{role} is not to move")),
        }
    }

    fn think(
        &mut self,
        player: Player,
        limits: Limits,
        stop: &StopFlag,
        heard: Duration,
    ) -> Result<String, EngineError> {
        self.tell(player)?;
        let Some(record) = &self.record else { return Ok(String::new()) };
        let started = self.clock.now();
        // The host's clock has been running since its `go`.
        let limits = limits.after(started.saturating_sub(heard));
        let last_info = Mutex::new(Instant::now());
        let output = Arc::clone(&self.output);
        let watch = move |analysis: &Analysis<G::Move>| {
            let mut last = last_info.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= INFO_PAUSE {
                // A host that is gone is noticed at the answer.
                let _ = output.say(&info_lines::<G>(analysis));
                *last = Instant::now();
            }
        };
        let task = Task { record, player, limits, stop, clock: &self.clock, watch: Some(&watch) };
        let answer = self.bot.choose(&task)?;
        let mut lines = match answer.analysis {
            Some(mut analysis) => {
                if analysis.stats.time.is_zero() {
                    analysis.stats.time = self.clock.now().saturating_sub(started);
                }
                info_lines::<G>(&analysis)
            }
            None => String::new(),
        };
        // Writing into a `String` cannot fail.
        let _ = writeln!(lines, "bestmove {}", answer.mv);
        Ok(lines)
    }
}

/// An analysis as `info` lines; a mixed strategy, which the protocol has no key for, as a text.
fn info_lines<G: Game>(analysis: &Analysis<G::Move>) -> String {
    let mut lines = String::new();
    // Writing into a `String` cannot fail.
    let _ = Info::write(&mut lines, analysis);
    lines.push('\n');
    if let Some(mixed) = analysis.mixed.as_ref().filter(|_| G::Turn::SIMULTANEOUS) {
        let _ = write!(lines, "info string mixed value {:.4} gap {:.4}", mixed.value, mixed.gap);
        for (player, strategy) in Player::BOTH.iter().zip(&mixed.strategies) {
            let _ = write!(lines, " {player}");
            for (mv, probability) in strategy {
                let _ = write!(lines, " {mv}={probability:.4}");
            }
        }
        lines.push('\n');
    }
    lines
}

/// The answer to a question about the position.
fn answer<G: Game>(record: &Record<G>, query: Query) -> String {
    let active = record.position().active();
    match query {
        Query::GameOver => record.end().is_some().to_string(),
        Query::PlayerOneTurn => active.includes(Player::One).to_string(),
        Query::Result => match record.end().map(|end| end.outcome) {
            None => "none".to_owned(),
            Some(Outcome::Draw) => "draw".to_owned(),
            Some(Outcome::Win(player)) => format!("{player}win"),
        },
        Query::Turn => match active {
            Active::One(player) => player.to_string(),
            Active::Both => "both".to_owned(),
        },
        Query::Fen => record.position().to_string(),
        Query::Moves(player) => {
            let moves: Vec<String> = record.legal_moves(player).iter().map(ToString::to_string).collect();
            moves.join(" ")
        }
    }
}
