//! Checks a bot against the protocol and the rules, and says in plain words what is wrong.

mod games;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use search_core::{Active, Game, Limits, Outcome, Player, Record, Time, Turn, stream};

use super::lines::Silence;
use super::outside::OutsideBot;
use super::session::Session;
use super::{Go, Info, Query, Reply};
use crate::limits::{MatchLimits, TimeControl};
use crate::shown::{shown, shown_lines};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// As it should be.
    Fine,
    /// Allowed, but worth a look.
    Remark,
    /// It will cost games.
    Wrong,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Fine => "fine",
            Severity::Remark => "remark",
            Severity::Wrong => "WRONG",
        })
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was checked.
    pub check: &'static str,
    /// What was found, in words; empty if there is nothing to say.
    pub text: String,
}

/// How hard a bot is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Examination {
    /// How many moves the bot has to find, in games against random moves.
    pub positions: u32,
    /// What it may spend on them, as in a tournament.
    pub limits: MatchLimits,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Examination {
    fn default() -> Self {
        let time = TimeControl::PerMove { each: Duration::from_secs(1), first: None };
        Examination { positions: 40, limits: MatchLimits::time(time), seed: 1 }
    }
}

/// The games that a bot says it plays; empty if it does not say. `G` is any game: it is not played.
pub fn games_of<G: Game>(bot: &Arc<OutsideBot>) -> Result<Vec<String>, String> {
    let mut session = bot.spawn::<G>().map_err(|failure| failure.message)?;
    session.introduce(bot.settings().start).map_err(|failure| failure.message)?;
    Ok(session.games().iter().map(|name| shown(name).into_owned()).collect())
}

/// Examines a bot for the game `G`; every finding is also told to `tell` as soon as it is there. A check that cannot go
/// on because the bot is gone is the last.
pub fn examine<G: Game>(
    bot: &Arc<OutsideBot>,
    examination: Examination,
    tell: &mut dyn FnMut(&Finding),
) -> Vec<Finding> {
    let mut examiner = Examiner { bot, examination, tell, findings: Vec::new() };
    // The bot is gone; what happened is the last finding.
    let _ = examiner.run::<G>();
    examiner.findings
}

/// How long a bot may still think after `stop`, when a game is broken off.
const STOP_TIME: Duration = Duration::from_secs(1);

/// The bot is gone.
struct Gone;

struct Examiner<'a> {
    bot: &'a Arc<OutsideBot>,
    examination: Examination,
    tell: &'a mut dyn FnMut(&Finding),
    findings: Vec<Finding>,
}

impl Examiner<'_> {
    fn note(&mut self, severity: Severity, check: &'static str, text: impl Into<String>) {
        // Much of what is found are the bot's own words.
        let finding = Finding { severity, check, text: shown_lines(&text.into()).into_owned() };
        (self.tell)(&finding);
        self.findings.push(finding);
    }

    fn gone(&mut self, check: &'static str, text: impl Into<String>) -> Gone {
        self.note(Severity::Wrong, check, text);
        Gone
    }

    fn run<G: Game>(&mut self) -> Result<(), Gone> {
        let mut session = self.start::<G>()?;
        self.ready(&mut session, "answers `isready`", "")?;
        self.ready(&mut session, "ignores what it does not know", "frobnicate the knob\n\n")?;
        self.ready(&mut session, "takes a new game", "uginewgame\n")?;
        self.games::<G>(&mut session)?;
        self.limits::<G>(&mut session)?;
        self.stop::<G>(&mut session)?;
        self.questions::<G>(&mut session)?;
        self.ready(&mut session, "takes another new game", "uginewgame\n")?;
        self.quit(session);
        Ok(())
    }

    fn start<G: Game>(&mut self) -> Result<Session, Gone> {
        const CHECK: &str = "starts and introduces itself";
        let begun = Instant::now();
        let mut session = match self.bot.spawn::<G>() {
            Ok(session) => session,
            Err(failure) => return Err(self.gone(CHECK, failure.message)),
        };
        if let Err(failure) = session.introduce(self.bot.settings().start) {
            let hint = "; does it flush its output after every line?";
            let hint = if failure.message.starts_with("no `ugiok`") { hint } else { "" };
            return Err(self.gone(CHECK, format!("{}{hint}", failure.message)));
        }
        self.note(Severity::Fine, CHECK, format!("after {:.1?}", begun.elapsed()));
        let name = session.introduction.name.clone();
        if name.is_empty() {
            self.note(Severity::Remark, "has a name", "there is no line `id name ...`");
        } else {
            self.note(Severity::Fine, "has a name", name);
        }
        match session.game_line::<G>() {
            Err(failure) => return Err(self.gone("plays the game", failure.message)),
            Ok(line) if line.is_empty() => {
                self.note(
                    Severity::Remark,
                    "plays the game",
                    "it has no option UGI_Game, so it is taken at its word",
                );
            }
            Ok(line) => {
                self.ready(&mut session, "plays the game", &line)?;
            }
        }
        Ok(session)
    }

    /// Begins another game; only what goes wrong is worth a word.
    fn new_game(&mut self, session: &mut Session, check: &'static str) -> Result<(), Gone> {
        let begun = session.synchronise("uginewgame\n".to_owned(), self.bot.settings().new_game);
        begun.map_err(|failure| self.gone(check, failure.message))
    }

    /// Writes lines and `isready`, and waits for `readyok`.
    fn ready(&mut self, session: &mut Session, check: &'static str, lines: &str) -> Result<(), Gone> {
        match session.synchronise(lines.to_owned(), self.bot.settings().new_game) {
            Ok(()) => {
                self.note(Severity::Fine, check, "");
                Ok(())
            }
            Err(failure) => Err(self.gone(check, failure.message)),
        }
    }

    fn check_move<G: Game>(
        &mut self,
        check: &'static str,
        record: &Record<G>,
        player: Player,
        text: &str,
        lines: &str,
    ) -> Result<(), Gone> {
        let problem = match text.parse::<G::Move>() {
            Err(error) => format!("`bestmove {text}` is no move: {error}"),
            Ok(mv) => match record.check(player, mv) {
                Ok(()) => return Ok(()),
                Err(illegal) => illegal.to_string(),
            },
        };
        Err(self.gone(check, format!("{problem}; it was asked:\n{}", lines.trim_end())))
    }

    /// Limits of every kind. Each is asked in a game of its own, as a tournament would: some bots can follow a game only once.
    fn limits<G: Game>(&mut self, session: &mut Session) -> Result<(), Gone> {
        const CHECK: &str = "ends a search by nodes, depth, playouts, clock";
        let record = Record::new(G::initial(&G::Setup::default(), self.examination.seed));
        let active = record.position().active();
        let Some(player) = active.players().next() else { return Ok(()) };
        let patience = self.bot.settings().untimed_move;
        let clock = Limits {
            time: Some(Time::Game { left: patience, increment: patience / 100 }),
            ..Limits::default()
        };
        for limits in [Limits::nodes(100), Limits::depth(1), Limits::playouts(20), clock] {
            self.new_game(session, CHECK)?;
            let lines = question(session, &record, player, &limits);
            let answer = self.ask(session, CHECK, &lines, patience)?;
            self.check_move(CHECK, &record, player, &answer.text, &lines)?;
        }
        self.note(Severity::Fine, CHECK, "");
        Ok(())
    }

    fn stop<G: Game>(&mut self, session: &mut Session) -> Result<(), Gone> {
        const CHECK: &str = "answers to `stop`";
        let record = Record::new(G::initial(&G::Setup::default(), self.examination.seed));
        let active = record.position().active();
        let Some(player) = active.players().next() else { return Ok(()) };
        self.new_game(session, CHECK)?;
        let lines = question(session, &record, player, &Limits::default()) + "stop\n";
        let answer = self.ask(session, CHECK, &lines, self.bot.settings().untimed_move)?;
        self.check_move(CHECK, &record, player, &answer.text, &lines)?;
        if answer.time > STOP_TIME {
            let text = format!(
                "it took {:.1?}; who stops a game at once does not wait longer than {STOP_TIME:.0?} for it",
                answer.time
            );
            self.note(Severity::Remark, CHECK, text);
        } else {
            self.note(Severity::Fine, CHECK, format!("after {:.1?}", answer.time));
        }
        Ok(())
    }

    /// The answers to questions, if it answers any.
    fn questions<G: Game>(&mut self, session: &mut Session) -> Result<(), Gone> {
        const CHECK: &str = "answers questions as the rules do";
        let mut rng = stream(self.examination.seed, "questions");
        let mut record = Record::new(G::initial(&G::Setup::default(), self.examination.seed));
        let mut answered = 0;
        for _ in 0..self.examination.positions {
            let queries = [Query::GameOver, Query::Result, Query::Turn];
            let asked = queries.map(|query| format!("query {query}")).join("\n");
            let lines = format!("{}{asked}\nisready\n", position_line(&record));
            let responses = self.responses(session, CHECK, &lines)?;
            let expected = queries.map(|query| expected(&record, query));
            if responses.is_empty() {
                break;
            }
            if responses != expected {
                let text = format!(
                    "expected the answers {expected:?}, found {responses:?} after:\n{}",
                    lines.trim_end()
                );
                self.note(Severity::Remark, CHECK, text);
                return Ok(());
            }
            answered += 1;
            let active = record.position().active();
            let mut moves = [None, None];
            for player in active.players() {
                moves[player.index()] = record.position().sample(player, &mut rng);
            }
            match G::Turn::from_moves(active, moves) {
                Some(turn) if record.end().is_none() => drop(record.play(turn)),
                _ => break,
            }
        }
        let text = if answered == 0 {
            "it answers none, which is allowed".to_owned()
        } else {
            format!("{answered} positions")
        };
        self.note(Severity::Fine, CHECK, text);
        Ok(())
    }

    fn responses(
        &mut self,
        session: &mut Session,
        check: &'static str,
        lines: &str,
    ) -> Result<Vec<String>, Gone> {
        let deadline = session.process.now() + self.bot.settings().ready;
        session.process.begin();
        let mut responses = Vec::new();
        let mut result = session.process.write(lines.as_bytes(), deadline);
        while result.is_ok() {
            match session.process.line(deadline) {
                Ok(None) => {}
                Ok(Some(line)) => match Reply::parse(&String::from_utf8_lossy(line)) {
                    Reply::Response(text) => responses.push(text.to_owned()),
                    Reply::ReadyOk => return Ok(responses),
                    _ => {}
                },
                Err(silence) => result = Err(silence),
            }
        }
        let silence = result.err().unwrap_or(Silence::Closed);
        let failure = session.explain(silence, "no `readyok` after a question");
        Err(self.gone(check, failure.message))
    }

    fn quit(&mut self, session: Session) {
        const CHECK: &str = "ends at `quit`";
        let grace = self.bot.settings().quit;
        if session.process.quit(grace) {
            self.note(Severity::Fine, CHECK, "");
        } else {
            self.note(
                Severity::Remark,
                CHECK,
                format!("it was still there after {grace:.1?} and was killed"),
            );
        }
    }

    /// Puts a question and waits for `bestmove`.
    fn ask(
        &mut self,
        session: &mut Session,
        check: &'static str,
        lines: &str,
        patience: Duration,
    ) -> Result<Reckoned, Gone> {
        session.process.begin();
        let started = session.process.now();
        let deadline = started + patience;
        let mut reckoned =
            Reckoned { text: String::new(), time: Duration::ZERO, infos: 0, other: Vec::new() };
        let mut result = session.process.write(lines.as_bytes(), deadline);
        while result.is_ok() {
            match session.process.line(deadline) {
                Ok(None) => {}
                Ok(Some(line)) => {
                    let text = String::from_utf8_lossy(line);
                    match Reply::parse(&text) {
                        Reply::BestMove(mv) => {
                            mv.clone_into(&mut reckoned.text);
                            reckoned.time = session.process.now().saturating_sub(started);
                            return Ok(reckoned);
                        }
                        Reply::Info(rest) => {
                            reckoned.infos += u32::from(Info::parse(rest) != Info::default());
                        }
                        Reply::Other(line) if !line.trim().is_empty() => reckoned.other.push(line.to_owned()),
                        _ => {}
                    }
                }
                Err(silence) => result = Err(silence),
            }
        }
        let silence = result.err().unwrap_or(Silence::Closed);
        let failure = session.explain(silence, &format!("no `bestmove` within {patience:.1?}"));
        Err(self.gone(check, format!("{}; it was asked:\n{}", failure.message, lines.trim_end())))
    }
}

/// An answer and how it came.
struct Reckoned {
    text: String,
    time: Duration,
    infos: u32,
    other: Vec<String>,
}

/// A position as a host sends it: with its history where the rules need it.
fn position_line<G: Game>(record: &Record<G>) -> String {
    if G::REPETITION.is_none() {
        return format!("position fen {}\n", record.position());
    }
    let moves = record.turn_texts().join(" ");
    let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
    format!("position fen {}{moves}\n", record.start())
}

/// The lines that ask a player for a move.
fn question<G: Game>(session: &Session, record: &Record<G>, player: Player, limits: &Limits) -> String {
    let go = Go::ask(player, G::Turn::SIMULTANEOUS, limits);
    format!("{}{}{go}\n", position_line(record), session.legal_line(record, player))
}

fn expected<G: Game>(record: &Record<G>, query: Query) -> String {
    match query {
        Query::GameOver => record.end().is_some().to_string(),
        Query::Result => match record.end().map(|end| end.outcome) {
            None => "none".to_owned(),
            Some(Outcome::Draw) => "draw".to_owned(),
            Some(Outcome::Win(player)) => format!("{player}win"),
        },
        _ => match record.position().active() {
            Active::One(player) => player.to_string(),
            Active::Both => "both".to_owned(),
        },
    }
}
