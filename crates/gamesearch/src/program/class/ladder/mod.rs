//! The ladder: takes in what is new, lets the entries play, and keeps count, for weeks if need be.

mod book;
pub(crate) mod counts;
pub(crate) mod history;
pub(crate) mod notes;
mod pairing;
mod state;
pub(crate) mod table;
mod workers;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::sandbox::{Sandbox, SandboxChoice};
use arena::{Contest, Control, Digest, MatchLimits, Plan};

pub(crate) use book::Book;
use history::History;
use state::State;
use table::Table;
use workers::Shared;

use super::contest::Wanted;
use super::home::Home;
use super::intake::{self, Examiner, Intake};
use super::roster::Roster;
use super::settings::Settings;
use super::site::{Publisher, Scene};
use super::time;
use crate::program::{App, Failure};

/// Everything that does not change while the ladder runs.
pub(crate) struct Ladder<'a> {
    /// What the program is called.
    program: String,
    pub(crate) home: &'a Home,
    pub(crate) settings: &'a Settings,
    pub(crate) contest: Box<dyn Contest>,
    pub(crate) limits: MatchLimits,
    examiner: Examiner<'a>,
    class: Digest,
}

/// How long a run goes on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Until {
    /// Until everything is taken in and no rating is provisional.
    pub(crate) settled: bool,
    /// The longest it may take.
    pub(crate) time: Option<Duration>,
}

/// Between two looks at what has to be done besides playing.
const TICK: Duration = Duration::from_millis(200);
/// A leg ends so long after a new entry was accepted, even if others are still being examined.
const PATIENCE: Duration = Duration::from_secs(20);

impl<'a> Ladder<'a> {
    pub(crate) fn new(app: &'a App, home: &'a Home, settings: &'a Settings) -> Result<Ladder<'a>, Failure> {
        let (sandbox, told) = Sandbox::choose(settings.sandbox).map_err(Failure::usage)?;
        errln!("sandbox of submissions: {}", arena::shown(&told));
        if sandbox.is_none() && settings.sandbox != SandboxChoice::Off {
            errln!("warning: submissions run with your rights");
        }
        let sandbox = sandbox.map(|sandbox| Sandbox {
            readable: settings.readable.iter().map(|path| home.at(path)).collect(),
            hidden: vec![home.root().to_owned()],
            ..sandbox
        });
        let wanted = Wanted { settings, root: home.root().to_owned(), sandbox: sandbox.clone() };
        let game = app.game(settings.game.text())?;
        let (contest, limits) = game.class_contest(&wanted)?;
        let event = contest.plan(&[]);
        // What decides whether games can be compared; a change of limits in mid-course is the instructor's affair.
        let class = Digest::of(&["class", &event.game, &event.setup]);
        let examiner = Examiner { game, adapters: app.adapters(), sandbox, limits };
        Ok(Ladder { program: app.program.clone(), home, settings, contest, limits, examiner, class })
    }

    pub(crate) fn roster(&self) -> Result<Roster, Failure> {
        Roster::read(&self.home.at("store/teams.json"))
    }

    fn keep_roster(&self, roster: &Roster) -> Result<(), Failure> {
        roster.write(&self.home.at("store/teams.json"))
    }

    /// Opens the journal and counts it.
    fn open(&self) -> Result<State, Failure> {
        let roster = self.roster()?;
        let mut notes = notes::Notes::new(self.settings.site.games);
        let ladder = &self.settings.ladder;
        let mut visit = |file: u64, game: &arena::FinishedGame| notes.add(file, game);
        let (book, counts) =
            Book::open(self.home, self.class, ladder.file_games, ladder.disk << 20, &mut visit)?;
        Ok(State::new(roster, counts, book, notes))
    }

    /// The table as it stands, with what it is made from.
    pub(crate) fn table(
        &self,
        anchor: Option<&str>,
    ) -> Result<(Roster, Plan, counts::Counts, Table), Failure> {
        let state = self.open()?;
        let plan = table::plan_of(self.settings, &*self.contest, self.limits, &state.roster)?;
        let table = Table::new(&plan, &state.counts.pairings, anchor);
        Ok((state.roster, plan, state.counts, table))
    }

    /// Runs the ladder. Whether it came to its end; else it was interrupted, or its time was over.
    pub(crate) fn run(&self, until: Until, control: &Control) -> Result<bool, Failure> {
        let mut state = self.open()?;
        let mut intake = Intake::new(self.home);
        intake::forget(self.home, &state.roster);
        let mut history = History::read(&self.home.at("store/history.json"));
        let mut publisher = Publisher::new(&self.program, self.home, self.settings)?;
        let jobs = self.settings.jobs();
        errln!(
            "{}: {} teams, {} games so far; {jobs} games at a time; pages in {}",
            arena::shown(&self.settings.title()),
            state.roster.teams.len(),
            state.counts.games,
            publisher.folder().display()
        );
        let begun = Instant::now();
        loop {
            let plan = table::plan_of(self.settings, &*self.contest, self.limits, &state.roster)?;
            let table = Table::of(&plan, &state.counts);
            state.begin_leg(&plan, &table);
            let ended = self.leg(
                &plan,
                table,
                &mut state,
                &mut Hands { intake: &mut intake, history: &mut history, publisher: &mut publisher },
                until,
                begun,
                control,
            )?;
            intake::forget(self.home, &state.roster);
            if let Some(whole) = ended {
                return Ok(whole);
            }
        }
    }

    /// Plays with the same entries until there are others; whether the ladder came to its end, if it goes on no more.
    #[allow(clippy::too_many_arguments, reason = "the parts of one run, which its legs share")]
    fn leg(
        &self,
        plan: &Plan,
        mut table: Table,
        state: &mut State,
        hands: &mut Hands<'_>,
        until: Until,
        begun: Instant,
        control: &Control,
    ) -> Result<Option<bool>, Failure> {
        let ending = AtomicBool::new(false);
        let shared = Shared {
            ladder: self,
            plan,
            state: Mutex::new(std::mem::take(state)),
            changed: Condvar::new(),
            ending: &ending,
            control,
            until_settled: until.settled,
        };
        let jobs = self.settings.jobs();
        shared.lock().working = jobs;
        let outcome = std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| shared.work());
            }
            let outcome = self.conduct(&shared, &mut table, hands, until, begun);
            ending.store(true, Ordering::SeqCst);
            shared.changed.notify_all();
            outcome
        });
        *state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(book) = &state.book {
            book.syncer()?.sync().map_err(Failure::failed)?;
        }
        let outcome = match (state.error.take(), outcome) {
            (Some(error), _) | (None, Err(error)) => return Err(error),
            (None, Ok(outcome)) => outcome,
        };
        if outcome.is_some() {
            // The last word, with all games in it.
            let plan = table::plan_of(self.settings, &*self.contest, self.limits, &state.roster)?;
            let table = Table::of(&plan, &state.counts);
            hands.history.add(time::now(), &table);
            hands.history.write(&self.home.at("store/history.json"))?;
            let scene = state.scene(&plan, &table, hands.history);
            hands.publisher.publish(&scene, state.book.as_ref())?;
        }
        Ok(outcome)
    }

    /// What the main thread does while the others play.
    fn conduct(
        &self,
        shared: &Shared<'_>,
        table: &mut Table,
        hands: &mut Hands<'_>,
        until: Until,
        begun: Instant,
    ) -> Result<Option<bool>, Failure> {
        let mut looked: Option<Instant> = None;
        let mut unsettled = usize::MAX;
        let mut synced = Instant::now();
        let mut published: Option<Instant> = None;
        let mut rated = Instant::now();
        let mut rating_took = Duration::ZERO;
        let mut rated_games = shared.lock().counts.games;
        loop {
            if shared.control.is_interrupted() {
                return Ok(Some(false));
            }
            if until.time.is_some_and(|time| begun.elapsed() >= time) {
                return Ok(Some(false));
            }
            if looked.is_none_or(|looked| looked.elapsed() >= self.settings.every()) {
                looked = Some(Instant::now());
                let (roster, judging) = {
                    let state = shared.lock();
                    (state.roster.clone(), state.judging_teams())
                };
                match hands.intake.look(self.home, self.settings, &roster) {
                    Ok(look) => {
                        unsettled = look.unsettled;
                        let mut state = shared.lock();
                        for candidate in look.candidates {
                            if judging.contains(&candidate.team) {
                                continue;
                            }
                            errln!("{}: a new submission", candidate.team);
                            state.queue.push_back(candidate);
                        }
                        drop(state);
                        shared.changed.notify_all();
                    }
                    // A share that is away for a while must not end the ladder.
                    Err(error) => errln!("{error}"),
                }
            }
            let games = shared.lock().counts.games;
            // Ratings of many take a while; at most a twentieth of the time goes into them.
            if games != rated_games && rated.elapsed() >= Duration::from_secs(1).max(20 * rating_took) {
                let started = Instant::now();
                let pairings = shared.lock().counts.pairings.clone();
                *table = Table::new(shared.plan, &pairings, None);
                shared.lock().rate(shared.plan, table);
                rating_took = started.elapsed();
                rated = Instant::now();
                rated_games = games;
                if hands.history.add(time::now(), table) {
                    hands.history.write(&self.home.at("store/history.json"))?;
                }
                shared.changed.notify_all();
            }
            if synced.elapsed() >= Duration::from_secs(1) {
                synced = Instant::now();
                let syncer = shared.lock().book.as_ref().map(Book::syncer).transpose()?;
                if let Some(mut syncer) = syncer {
                    syncer.sync().map_err(Failure::failed)?;
                }
            }
            if published.is_none_or(|published| published.elapsed() >= self.settings.site.every.value.0) {
                published = Some(Instant::now());
                Ladder::tidy_up(shared)?;
                // A copy of what is shown, so that the games go on meanwhile.
                let (scene, files) = {
                    let state = shared.lock();
                    let files = state.book.as_ref().map(Book::files).transpose()?;
                    (state.scene(shared.plan, table, hands.history), files)
                };
                hands.publisher.publish_live(&scene, files, &|number| {
                    let state = shared.lock();
                    state.book.as_ref().map_or(Ok(Vec::new()), |book| book.games_of(number))
                })?;
            }
            let mut state = shared.lock();
            if state.error.is_some() {
                return Ok(Some(false));
            }
            let examining = !state.queue.is_empty() || state.judging > 0;
            if state.accepted.is_some_and(|since| !examining || since.elapsed() >= PATIENCE) {
                return Ok(None);
            }
            let rests = state.under_way.is_empty() && !examining && state.resting >= state.working;
            if until.settled && rests && unsettled == 0 && games == rated_games {
                return Ok(Some(true));
            }
            let waited = shared.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            drop(state);
        }
    }

    /// Makes room on the disk.
    fn tidy_up(shared: &Shared<'_>) -> Result<(), Failure> {
        let mut state = shared.lock();
        let playing: BTreeSet<String> = shared.plan.bots.iter().map(|bot| bot.name.clone()).collect();
        let gone = state.book.as_ref().map(|book| book.condense(&playing)).transpose()?.unwrap_or_default();
        if !gone.is_empty() {
            state.notes.forget(&gone);
            state.counts.keep(&playing);
        }
        Ok(())
    }
}

/// What the main thread alone has to do with.
struct Hands<'a> {
    intake: &'a mut Intake,
    history: &'a mut History,
    publisher: &'a mut Publisher,
}

pub(crate) use state::UnderWay;

impl State {
    /// What the pages show.
    fn scene(&self, plan: &Plan, table: &Table, history: &History) -> Scene {
        Scene {
            now: time::now(),
            roster: self.roster.clone(),
            plan: plan.clone(),
            table: table.clone(),
            games: self.counts.games,
            players: self.counts.players.clone(),
            notes: self.notes.clone(),
            history: history.clone(),
            under_way: self.under_way.values().cloned().collect(),
            waiting: self.queue.len() + self.judging,
        }
    }
}
