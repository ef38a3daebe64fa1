//! The host's side: any program that speaks the protocol is a bot.

use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use search_core::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Game, Limits, Player, Record, Score, Stats, Task, Time,
    Turn, turn_text,
};

use super::outside::{HostSettings, OutsideBot};
use super::session::{FROZEN, Introduction, Session};
use super::{Go, Info, Reply};

/// Where processor time counts, a bot may take this multiple of its limit by the wall: the machine may be busy with others.
pub(super) const SLOW_WALL: u32 = 10;

/// How long a bot may still think after `stop`.
const STOP_TIME: Duration = Duration::from_secs(1);

/// A player that is a program of its own.
#[derive(Debug)]
pub struct Host<G: Game> {
    outside: Arc<OutsideBot>,
    session: Option<Session>,
    /// The moves of the current game as text, with what they belong to: they grow with the game.
    start: String,
    turns: Vec<G::Turn>,
    text: String,
    /// How the start of the next game came about, in the words of `position`; empty if it is not known.
    opening: String,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Host<G> {
    /// A player by this bot; its process is started for the first game.
    pub(super) fn new(outside: Arc<OutsideBot>) -> Host<G> {
        Host {
            outside,
            session: None,
            start: String::new(),
            turns: Vec::new(),
            text: String::new(),
            opening: String::new(),
            game: PhantomData,
        }
    }

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
        session.synchronise(lines, self.outside.settings().new_game)?;
        self.session = Some(session);
        Ok(())
    }

    fn processor_time(&self) -> Option<Duration> {
        self.session.as_ref()?.process.processor_time()
    }

    fn plays_from_the_start_only(&self) -> bool {
        self.introduction().is_some_and(|introduction| introduction.option("UGI_StartOnly").is_some())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let mut lines = String::with_capacity(512);
        self.write_position(task.record, &mut lines);
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.outside.open::<G>()?,
        };
        lines.push_str(&session.legal_line(task.record, task.player));
        let go = Go::ask(task.player, G::Turn::SIMULTANEOUS, &task.limits);
        // Writing into a `String` cannot fail.
        let _ = writeln!(lines, "{go}");
        let answer = ask(&mut session, &lines, task, self.outside.settings())?;
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
    // Where processor time counts, the wall only ends a bot that hangs; the referee looks at the rest.
    let patience = if settings.counted.is_wall() { patience } else { patience * SLOW_WALL };
    let is_game_clock = matches!(task.limits.time, Some(Time::Game { .. }));
    let late = || match clock {
        Some(time) => {
            format!("no answer within {patience:.1?} ({time:.1?} allowed, {:.1?} margin)", settings.margin)
        }
        None => format!("no answer within {patience:.1?}, the most for a move without a clock"),
    };
    session.process.begin();
    let started = session.process.now();
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
                    deadline = deadline.min(session.process.now() + STOP_TIME);
                    if let Err(silence) = session.process.write(b"stop\n", deadline) {
                        return Err(session.explain(silence, &late()));
                    }
                }
            }
            Ok(Some(line)) => {
                let is_text = str::from_utf8(line).is_ok();
                let text = String::from_utf8_lossy(line).into_owned();
                let used = session.process.now().saturating_sub(started);
                match Reply::parse(&text) {
                    Reply::BestMove(word) => {
                        // A referee may hold even a shorter time against it: a clock can be overdrawn.
                        let overslept = session.overslept();
                        if let Some(words) = overslept.filter(|_| used > patience || is_game_clock) {
                            return Err(session.refuse(FailureKind::Tampering, words));
                        }
                        // Even an answer in time cost part of a game's clock, or what the bot could have thought meanwhile.
                        // Only a late one is worth a look at every process.
                        if clock.is_some_and(|time| {
                            session.was_told_frozen() || used > time && session.was_frozen()
                        }) {
                            let answered = format!("its answer came after {used:.1?}");
                            let message = if used > patience { late() } else { answered };
                            return Err(
                                session.refuse(FailureKind::Tampering, format!("{FROZEN}; {message}"))
                            );
                        }
                        if used > patience {
                            let message = format!("{}; its answer came after {used:.1?}", late());
                            return Err(session.refuse(FailureKind::Time, message));
                        }
                        if !is_text {
                            let message = format!("its answer is not UTF-8: `{text}`");
                            return Err(session.refuse(FailureKind::Protocol, message));
                        }
                        return match word.parse() {
                            Ok(mv) => Ok(Answer { mv, analysis: seen }),
                            Err(error) => {
                                let message =
                                    format!("expected a move after `bestmove`, found `{text}`: {error}");
                                Err(session.refuse(FailureKind::Protocol, message))
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

/// What an `info` line says, as far as it can be understood.
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
