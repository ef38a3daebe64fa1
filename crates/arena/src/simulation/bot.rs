//! A bot of a simulated world: it speaks the protocol, and misbehaves in every way that a program can.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use search_core::{Active, Clock, FailureKind, Game, Player, Record, Time};

use super::world::{Dice, Due, World};
use crate::ugi::ending::Ending;
use crate::ugi::lines::{BYTE_CAP, CHUNK, LINE_CAP, Ready, Silence, Wanted, Wire};
use crate::ugi::{Command, Go};

/// The slack that keeps what is meant to be in time or late clear of the border.
const CLEAR: Duration = Duration::from_millis(6);

/// What a host allows, as far as its bots must know it to misbehave well.
#[derive(Debug, Clone, Copy)]
pub(super) struct House {
    pub(super) margin: Duration,
    pub(super) untimed: Duration,
    /// A text that is a move, but never a legal one.
    pub(super) illegal: &'static str,
}

/// What a bot does at some moment.
#[derive(Debug)]
enum Happening {
    Says(Vec<u8>),
    ClosesItsInput,
    Ends(Ending),
}

/// A program with a bot in it.
#[derive(Debug)]
pub(super) struct Program<G> {
    world: World,
    name: String,
    house: House,
    /// What will happen, in order of time.
    future: VecDeque<(Duration, Happening)>,
    /// What it wrote and the runner has not read.
    output: VecDeque<u8>,
    /// What it read of a line that is not finished.
    input: Vec<u8>,
    position: Option<G>,
    seed: u64,
    questions: u64,
    /// It does not read any more, and has missed a question.
    deaf: bool,
    missed: bool,
    /// It has closed its input.
    shut: bool,
    /// It may have said something unasked.
    blurted: bool,
    /// Somebody has stopped it by a signal.
    frozen: bool,
    /// By how much the runner oversleeps its next wait.
    stall: Option<Duration>,
    /// How it ended, and whether it was told so.
    ending: Option<Ending>,
    /// Bytes that the runner has read since its last question.
    heard: usize,
}

impl<G: Game> Program<G> {
    pub(super) fn new(world: World, name: String, house: House) -> Program<G> {
        Program {
            world,
            name,
            house,
            future: VecDeque::new(),
            output: VecDeque::new(),
            input: Vec::new(),
            position: None,
            seed: 0,
            questions: 0,
            deaf: false,
            missed: false,
            shut: false,
            blurted: false,
            frozen: false,
            stall: None,
            ending: None,
            heard: 0,
        }
    }

    /// Plans something for so long from now.
    fn plan(&mut self, after: Duration, what: Happening) {
        let moment = self.world.now() + after;
        let place = self.future.partition_point(|(when, _)| *when <= moment);
        self.future.insert(place, (moment, what));
    }

    fn say(&mut self, after: Duration, text: impl AsRef<[u8]>) {
        self.plan(after, Happening::Says(text.as_ref().to_vec()));
    }

    /// Lets happen what is due.
    fn live(&mut self) {
        let now = self.world.now();
        while self.future.front().is_some_and(|(when, _)| *when <= now) {
            match self.future.pop_front() {
                Some((_, Happening::Says(text))) if self.ending.is_none() => self.output.extend(text),
                Some((_, Happening::ClosesItsInput)) => self.shut = true,
                Some((_, Happening::Ends(ending))) if self.ending.is_none() => {
                    self.ending = Some(ending);
                    self.shut = true;
                }
                _ => {}
            }
        }
    }

    fn obey(&mut self, line: &str) {
        match Command::parse(line) {
            Ok(Command::Ugi) => match self.world.bad_start() {
                None => self.say(Duration::ZERO, introduction(&self.name)),
                Some(dice) => match dice % 4 {
                    0 => {}
                    1 => self.plan(Duration::from_millis(3), Happening::Ends(Ending::Exited(1))),
                    2 => self.say(Duration::from_millis(3), vec![b'x'; LINE_CAP + 2]),
                    _ => self.plan(
                        Duration::ZERO,
                        Happening::Ends(Ending::NotStarted("no such program".to_owned())),
                    ),
                },
            },
            Ok(Command::IsReady) => self.say(Duration::from_micros(50), "readyok\n"),
            Ok(Command::SetOption { name: "UGI_Seed", value }) => {
                self.seed = value.and_then(|value| value.parse().ok()).unwrap_or_default();
            }
            Ok(Command::NewGame) => {
                self.world.new_game(&self.name, self.seed);
                (self.questions, self.blurted) = (0, false);
                self.future.clear();
            }
            Ok(Command::Position { fen, .. }) => {
                self.position = fen.and_then(|fen| fen.parse().ok());
                if self.position.is_none() {
                    self.world.broken(format!("{} was given no position: `{line}`", self.name));
                }
            }
            Ok(Command::Go(go)) => self.answer(&go),
            Ok(Command::Quit) => self.plan(Duration::ZERO, Happening::Ends(Ending::Exited(0))),
            Ok(_) => {}
            Err(error) => self.world.broken(format!("{} was told `{line}`: {error}", self.name)),
        }
    }

    /// Answers a question, well or badly. How depends on the game's seed and the number of the question alone, so that a game that is
    /// played again goes the same way.
    fn answer(&mut self, go: &Go) {
        let Some(position) = self.position.clone() else { return };
        let player = match (position.active(), go.role) {
            (Active::One(mover), _) => mover,
            (Active::Both, Some(role)) => role,
            (Active::Both, None) => {
                return self.world.broken(format!("{} was not told which player it is", self.name));
            }
        };
        let mut dice = Dice::new(self.seed, 100 + self.questions);
        self.questions += 1;
        let blurted = self.blurted;
        let due = self.behave(go, player, &position, &mut dice);
        let due = if blurted { Due::Anything } else { due };
        self.world.note(&self.name, self.seed, due);
        // It does not hear the next question.
        if matches!(due, Due::Answer) && dice.percent(2) {
            self.deaf = true;
        }
    }

    fn behave(&mut self, go: &Go, player: Player, position: &G, dice: &mut Dice) -> Due {
        let limits = go.limits(player);
        let (allowed, is_move_time) = match limits.time {
            Some(Time::Move(time) | Time::Bounds { hard: time, .. }) => (time, true),
            Some(Time::Game { left, .. }) => (left, false),
            None => (self.house.untimed, false),
        };
        let patience = if limits.time.is_some() { allowed + self.house.margin } else { allowed };
        let legal = Record::new(position.clone()).legal_moves(player);
        let Some(mv) = legal.get(dice.below(legal.len() as u64) as usize) else {
            self.world.broken(format!("{} was asked for a move in {position}", self.name));
            return Due::Anything;
        };
        let best = format!("bestmove {mv}\n");
        // A good part of the time on a clock, never all of it.
        let soon = dice.time(Duration::ZERO, allowed / 20);
        let late = patience + dice.time(CLEAR, Duration::from_millis(500));
        let failure = Due::Failure;
        match dice.below(100) {
            0..=1 => self.say(dice.time(Duration::ZERO, allowed / 2), best),
            2..=3 if is_move_time => {
                let most = patience.saturating_sub(CLEAR).max(allowed);
                self.say(dice.time(allowed, most).min(most), best);
            }
            4..=6 => {
                let info = b"info depth 3 nodes 10 score cp 5\r\n\r\n\ninfo \xff\xfe string x\nhello there\ninfo depth\n";
                self.say(soon / 2, info);
                self.say(soon, best);
            }
            7..=9 => {
                for (number, byte) in best.bytes().enumerate() {
                    self.say(soon / 2 + soon / 64 * number as u32, [byte]);
                }
            }
            10 => {
                self.say(soon / 2, b"info depth 1 nodes 1\n".repeat(2000));
                self.say(soon, best);
            }
            11 => self.say(soon, best.repeat(2)),
            12 => {
                self.say(soon, &best);
                // Perhaps after the next question.
                self.say(soon + dice.time(Duration::ZERO, allowed), best);
                self.blurted = true;
                return Due::Answer;
            }
            13..=14 => {
                self.say(late, best);
                return failure(FailureKind::Time);
            }
            15 => {
                let (half, rest) = best.split_at(best.len() / 2);
                self.say(soon, half);
                if dice.percent(50) {
                    self.say(late, rest);
                }
                return failure(FailureKind::Time);
            }
            16 => return failure(FailureKind::Time),
            17 => {
                let line = if dice.percent(10) { 40 } else { LINE_CAP - 100 };
                let flood = format!("info string {}\n", "and on ".repeat(line / 7));
                self.say(soon, flood.repeat(BYTE_CAP / flood.len() + 2));
                self.say(soon, best);
                return failure(FailureKind::Protocol);
            }
            18 => {
                self.say(soon, vec![b'z'; LINE_CAP + 1 + dice.below(5000) as usize]);
                return failure(FailureKind::Protocol);
            }
            19 => {
                self.say(soon, "bestmove ?!\n");
                return failure(FailureKind::Protocol);
            }
            20 => {
                self.say(soon, b"bestmove \xff\xfe\n");
                return failure(FailureKind::Protocol);
            }
            21..=22 => {
                self.say(soon, format!("bestmove {}\n", self.house.illegal));
                return failure(FailureKind::Illegal);
            }
            23..=24 => {
                if dice.percent(50) {
                    self.say(soon / 2, &best[..best.len() / 2]);
                }
                let code = i32::from(dice.percent(50));
                let ending = if code == 0 { Ending::Signalled(11) } else { Ending::Exited(code) };
                self.plan(soon, Happening::Ends(ending));
                return failure(FailureKind::Crash);
            }
            25 => {
                self.plan(soon, Happening::ClosesItsInput);
                return failure(FailureKind::Crash);
            }
            26 => {
                self.plan(soon, Happening::Ends(Ending::Memory(1 << 30)));
                return failure(FailureKind::Memory);
            }
            27 => {
                self.stall = Some(dice.time(Duration::from_millis(1100), Duration::from_secs(20)));
                self.say(soon, best);
                return Due::AnswerOrVoid;
            }
            28 if limits.time.is_some() => {
                self.frozen = true;
                self.say(late, best);
                return failure(FailureKind::Tampering);
            }
            _ => self.say(soon, best),
        }
        Due::Answer
    }
}

fn introduction(name: &str) -> String {
    format!(
        "id name {name}\nid author nobody\noption name UGI_Seed type spin default 0 min 0 max 9223372036854775807\nugiok\n"
    )
}

impl<G: Game> Wire for Program<G> {
    fn now(&self) -> Duration {
        self.world.now()
    }

    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        self.world.step();
        self.live();
        if self.output.is_empty() {
            return if self.ending.is_some() { Ok(0) } else { Err(io::ErrorKind::WouldBlock.into()) };
        }
        let count = self.output.len().min(chunk.len());
        for (place, byte) in chunk.iter_mut().zip(self.output.drain(..count)) {
            *place = byte;
        }
        self.heard += count;
        if self.heard > BYTE_CAP + 20 * CHUNK {
            self.world.broken(format!("{} bytes of {} were read for one answer", self.heard, self.name));
        }
        Ok(count)
    }

    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.world.step();
        self.live();
        if self.shut || self.ending.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.deaf {
            if text.starts_with(b"position") && !std::mem::replace(&mut self.missed, true) {
                self.world.note(&self.name, self.seed, Due::Failure(FailureKind::Time));
            }
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // The system takes what it has room for.
        let count = text.len().min(64);
        for &byte in &text[..count] {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.input)).into_owned();
                self.obey(&line);
            } else {
                self.input.push(byte);
            }
        }
        Ok(count)
    }

    fn wait(&mut self, wanted: Wanted, most: Duration) -> Result<Ready, Silence> {
        self.world.step();
        let started = self.world.now();
        if wanted == Wanted::Room {
            // Who does not read does not begin to.
            self.world.advance_to(started + most);
            self.live();
            return Ok(if self.shut { Ready::Wanted } else { Ready::Nothing });
        }
        let mut until = started + most;
        if let Some(stall) = self.stall.take() {
            until += stall;
            self.world.advance_to(until);
        }
        loop {
            self.live();
            if !self.output.is_empty() || self.ending.is_some() {
                return Ok(Ready::Wanted);
            }
            if self.shut {
                return Ok(Ready::Deaf);
            }
            match self.future.front() {
                Some((when, _)) if *when <= until => self.world.advance_to(*when),
                _ => {
                    self.world.advance_to(until);
                    return Ok(Ready::Nothing);
                }
            }
        }
    }

    fn begin(&mut self) {
        self.heard = 0;
        // The process that stopped it has let it go on.
        self.frozen = false;
    }

    fn was_told_frozen(&mut self) -> bool {
        self.frozen
    }

    fn was_frozen(&mut self) -> bool {
        self.frozen
    }

    fn processor_time(&self) -> Option<Duration> {
        None
    }

    fn forget_errors(&mut self) {}

    fn finish(&mut self, grace: Duration) -> (Ending, String) {
        let now = self.world.now();
        let deadline = now + grace;
        while self.ending.is_none() {
            match self.future.front() {
                Some((when, _)) if *when <= deadline => self.world.advance_to(*when),
                _ => {
                    self.world.advance_to(deadline);
                    break;
                }
            }
            self.live();
        }
        self.end()
    }

    fn has_ended(&mut self) -> bool {
        self.live();
        self.ending.is_some()
    }

    fn end(&mut self) -> (Ending, String) {
        self.world.step();
        self.live();
        self.shut = true;
        (self.ending.clone().unwrap_or(Ending::Released), "a last word".to_owned())
    }
}
