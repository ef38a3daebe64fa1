//! What all parts of a simulated world share: the time, the dice, and the book of how the bots behaved.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use search_core::{Clock, FailureKind, split_mix};

use crate::run::Control;

/// A world in which so much happens does not come to an end.
const MOST_STEPS: u64 = 20_000_000;

/// Numbers that look random, and are the same for the same seed.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64, purpose: u64) -> Dice {
        Dice(split_mix(seed ^ split_mix(purpose)))
    }

    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        split_mix(self.0)
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound.max(1)
    }

    /// Whether something happens that happens `times` times in a hundred.
    pub(super) fn percent(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    /// A time from `least` to `most`.
    pub(super) fn time(&mut self, least: Duration, most: Duration) -> Duration {
        let span = most.saturating_sub(least).as_micros() as u64;
        least + Duration::from_micros(self.below(span + 1))
    }
}

/// What must become of a question, given how the bot behaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// The answer counts.
    Answer,
    /// The runner itself was stopped meanwhile: the answer counts, or the game is void.
    AnswerOrVoid,
    /// The bot said something unasked before, which may be taken for its answer.
    Anything,
    /// The game ends by this failure of the bot.
    Failure(FailureKind),
}

#[derive(Debug)]
struct Book {
    now: Duration,
    steps: u64,
    dice: Dice,
    /// The step at which an end is asked for, and whether at once.
    interruption: Option<(u64, bool)>,
    control: Control,
    /// How each bot behaved in its last game with this seed: what was due, question by question.
    conduct: HashMap<(String, u64), Vec<Due>>,
    /// Whether programs start as they should.
    calm: bool,
    broken: Option<String>,
}

/// A world. Clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct World(Arc<Mutex<Book>>);

impl World {
    pub(super) fn new(seed: u64, calm: bool) -> World {
        World(Arc::new(Mutex::new(Book {
            now: Duration::from_secs(1),
            steps: 0,
            dice: Dice::new(seed, 1),
            interruption: None,
            control: Control::default(),
            conduct: HashMap::new(),
            calm,
            broken: None,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A program begins that this stops, after a number of steps or never.
    pub(super) fn begin(&self, control: &Control, interruption: Option<(u64, bool)>, calm: bool) {
        let mut book = self.lock();
        book.control = control.clone();
        book.steps = 0;
        (book.interruption, book.calm) = (interruption, calm);
    }

    /// Time passes up to a moment.
    pub(super) fn advance_to(&self, moment: Duration) {
        let mut book = self.lock();
        book.now = book.now.max(moment);
    }

    /// Something happens between a bot and the runner.
    pub(super) fn step(&self) {
        let mut book = self.lock();
        book.steps += 1;
        if let Some((step, at_once)) = book.interruption
            && book.steps == step
        {
            if at_once { book.control.stop() } else { book.control.interrupt() }
        }
        if book.steps > MOST_STEPS {
            book.control.stop();
            drop(book);
            self.broken("the run does not end".to_owned());
        }
    }

    /// Whether a program that starts now does so badly, by a number that says how.
    pub(super) fn bad_start(&self) -> Option<u64> {
        let mut book = self.lock();
        (!book.calm && book.dice.percent(12)).then(|| book.dice.roll())
    }

    /// A bot begins a game.
    pub(super) fn new_game(&self, bot: &str, seed: u64) {
        self.lock().conduct.insert((bot.to_owned(), seed), Vec::new());
    }

    /// A question is put to a bot: what must become of it.
    pub(super) fn note(&self, bot: &str, seed: u64, due: Due) {
        self.lock().conduct.entry((bot.to_owned(), seed)).or_default().push(due);
    }

    /// What was due of a bot in its last game with this seed.
    pub(super) fn conduct(&self, bot: &str, seed: u64) -> Vec<Due> {
        self.lock().conduct.get(&(bot.to_owned(), seed)).cloned().unwrap_or_default()
    }

    /// Something must not be; the first such thing is told.
    pub(super) fn broken(&self, what: String) {
        self.lock().broken.get_or_insert(what);
    }

    /// What must not be, if something was.
    pub(super) fn verdict(&self) -> Option<String> {
        self.lock().broken.clone()
    }
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.lock().now
    }
}
