//! One game of a tournament with its set-up and its bots, and the workers that play it.
//!
//! This is where a game's type meets the runner, which knows only plans, jobs and texts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use search_core::{Bot, Clock, End, Game, Player, StopFlag, SystemClock, Turn, quietly};

use crate::digest::Digest;
use crate::drawing::Drawing;
use crate::finished::FinishedGame;
use crate::game_result::{GameResult, forfeit};
use crate::limits::MatchLimits;
use crate::opening::{Opening, Openings};
use crate::plan::{EventPlan, Plan};
use crate::referee::{Conditions, NoResult, Played, ReplayRule, play_game};
use crate::report::{Drawer, Reel};
use crate::saved::{Course, turns_of};
use crate::schedule::{Job, bot_seed, opening_seed, pair_seed};

/// Makes a bot from its spec string.
pub type Factory<G> = dyn Fn(&str) -> Result<Box<dyn Bot<G>>, String> + Send + Sync;

/// A game with its set-up, its openings and a way to make bots.
pub struct Event<G: Game> {
    name: String,
    setup: G::Setup,
    openings: Openings<G>,
    factory: Arc<Factory<G>>,
    drawer: Arc<Drawer<G>>,
    /// The bots that have been started once, and whether they play from the start only.
    checked: Mutex<BTreeMap<String, bool>>,
    outside: fn(&str) -> bool,
    /// What the time of a move is measured by.
    clock: Arc<dyn Clock>,
    time_scale: f64,
}

impl<G: Game> fmt::Debug for Event<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("name", &self.name).field("setup", &self.setup).finish_non_exhaustive()
    }
}

impl<G: Game> Event<G> {
    /// An event with the game's standard set-up and automatic openings.
    pub fn new(
        factory: impl Fn(&str) -> Result<Box<dyn Bot<G>>, String> + Send + Sync + 'static,
    ) -> Event<G> {
        let setup = G::Setup::default();
        let openings = Openings::automatic(&setup);
        let drawer: Arc<Drawer<G>> =
            Arc::new(|position: &G, _: Option<(&G, G::Turn)>| Drawing::of_text(position));
        Event {
            name: G::NAME.to_owned(),
            setup,
            openings,
            factory: Arc::new(factory),
            drawer,
            outside: |_| false,
            clock: Arc::new(SystemClock::new()),
            time_scale: 1.0,
            checked: Mutex::default(),
        }
    }

    /// The same event under another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Event<G> {
        Event { name: name.into(), ..self }
    }

    /// The same event with another set-up, and the automatic openings of that set-up.
    #[must_use]
    pub fn with_setup(self, setup: G::Setup) -> Event<G> {
        let openings = Openings::automatic(&setup);
        Event { setup, openings, ..self }
    }

    /// The same event with other openings.
    #[must_use]
    pub fn with_openings(self, openings: Openings<G>) -> Event<G> {
        Event { openings, ..self }
    }
}

impl<G: Game> Event<G> {
    /// The same event with a drawer for the report; without one, positions are shown as text.
    #[must_use]
    pub fn with_drawer(
        self,
        drawer: impl Fn(&G, Option<(&G, G::Turn)>) -> Drawing + Send + Sync + 'static,
    ) -> Event<G> {
        Event { drawer: Arc::new(drawer), ..self }
    }
}

impl<G: Game> Event<G> {
    /// The same event with every limit in time multiplied by a factor, for a machine of another speed than the one it was
    /// planned on. Plan and ids of games keep the limits as planned.
    #[must_use]
    pub fn with_time_scale(self, time_scale: f64) -> Event<G> {
        Event { time_scale, ..self }
    }

    /// The same event with bots from outside, told by their specs: code that is not ours may do anything to the runner, so
    /// who plays is on the disk before a game with one begins.
    #[must_use]
    pub fn with_outside(self, outside: fn(&str) -> bool) -> Event<G> {
        Event { outside, ..self }
    }

    /// The same event by another clock than the system's.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Event<G> {
        Event { clock, ..self }
    }
}

/// An event without its game's type: what the runner holds.
pub trait Contest: Send + Sync {
    /// The event's part of a plan, with these limits of the bots.
    fn plan(&self, limits: &[MatchLimits]) -> EventPlan;

    /// Makes a bot and starts it, if that was not done before: whether it plays from the start only
    /// ([`Bot::plays_from_the_start_only`]), or what is wrong.
    fn check_bot(&self, spec: &str) -> Result<bool, String>;

    /// Whether this spec names a bot from outside.
    fn is_outside(&self, spec: &str) -> bool;

    /// Draws a game of the journal into a reel.
    fn film(&self, game: &FinishedGame, tag: &'static str, reel: &mut Reel) -> Result<(), String>;

    /// A worker that plays games of this event, which is number `event` of the plan.
    fn worker<'a>(&'a self, plan: &'a Plan, event: usize) -> Result<Box<dyn Worker + 'a>, String>;
}

/// Plays games one after the other in one thread.
pub trait Worker {
    /// The id of a game: a digest of all that decides how it goes.
    fn game_id(&mut self, job: &Job) -> Digest;

    /// Holds a finished game against the rules and the plan: its start, its turns, its end and its id; what is wrong if
    /// it cannot have gone so.
    fn check(&mut self, job: &Job, game: &FinishedGame) -> Result<(), String>;

    /// Plays a game.
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<FinishedGame, NoResult>;
}

impl<G: Game> Contest for Event<G> {
    fn plan(&self, limits: &[MatchLimits]) -> EventPlan {
        EventPlan {
            name: self.name.clone(),
            game: G::NAME.to_owned(),
            setup: self.setup.to_string(),
            simultaneous: <G::Turn as Turn<G::Move>>::SIMULTANEOUS,
            openings: self.openings.to_string(),
            limits: limits.iter().map(ToString::to_string).collect(),
        }
    }

    fn check_bot(&self, spec: &str) -> Result<bool, String> {
        // Programs take a while to start, so none is started a second time just to be asked this.
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&start_only) = checked.get(spec) {
            return Ok(start_only);
        }
        let mut bot = make(&*self.factory, spec)?;
        let start_only = match quietly(|| bot.new_game(Player::One, 0)) {
            Ok(Ok(())) => bot.plays_from_the_start_only(),
            Ok(Err(failure)) => return Err(failure.to_string()),
            Err(panic) => return Err(format!("panicked: {panic}")),
        };
        checked.insert(spec.to_owned(), start_only);
        Ok(start_only)
    }

    fn is_outside(&self, spec: &str) -> bool {
        (self.outside)(spec)
    }

    fn film(&self, game: &FinishedGame, tag: &'static str, reel: &mut Reel) -> Result<(), String> {
        let record = game.course.record::<G>().map_err(|error| format!("game {}: {error}", game.index))?;
        reel.add(game, tag, &record, &*self.drawer);
        Ok(())
    }

    fn worker<'a>(&'a self, plan: &'a Plan, event: usize) -> Result<Box<dyn Worker + 'a>, String> {
        let limits = plan.events[event]
            .limits
            .iter()
            .map(|text| {
                let limits: MatchLimits = text.parse().map_err(|error| format!("{}: {error}", self.name))?;
                Ok(limits.scaled(self.time_scale))
            })
            .collect::<Result<Vec<MatchLimits>, String>>()?;
        let conditions = Conditions {
            limits: [MatchLimits::default(); 2],
            margin: plan.margin(),
            at_once: plan.at_once,
            counted: plan.clock,
            replay: plan.replay.clone().map(|(reason, times)| ReplayRule { reason, times }),
        };
        Ok(Box::new(EventWorker {
            event: self,
            plan,
            plan_id: plan.id(),
            number: event,
            limits,
            conditions,
            clock: Arc::clone(&self.clock),
            bots: Vec::new(),
            openings: [None, None],
        }))
    }
}

/// Two bots with one spec would play the same game in both seats; this tells their two games apart.
fn mirror(plan: &Plan, job: &Job) -> &'static str {
    let [a, b] = job.pairing;
    if plan.bots[a].spec == plan.bots[b].spec && job.swapped { " again" } else { "" }
}

fn make<G: Game>(factory: &Factory<G>, spec: &str) -> Result<Box<dyn Bot<G>>, String> {
    quietly(|| factory(spec)).unwrap_or_else(|panic| Err(format!("panicked: {panic}")))
}

/// The id of a game: a digest of all that decides how it goes.
fn game_id(plan: &Plan, job: &Job, start: &str) -> Digest {
    let event = &plan.events[job.event];
    let [first, second] = job.seats();
    let replay = plan.replay.as_ref().map_or(String::new(), |(reason, times)| format!("{reason} {times}"));
    // A word more only where it is not the usual: the ids of all other games stay.
    let clock = if plan.clock.is_wall() { "" } else { " cpu" };
    Digest::of(&[
        "game",
        mirror(plan, job),
        &event.game,
        &event.setup,
        &plan.bots[first].spec,
        &plan.bots[first].fingerprint,
        &event.limits[first],
        &plan.bots[second].spec,
        &plan.bots[second].fingerprint,
        &event.limits[second],
        &format!("{}{clock}", plan.margin_micros),
        if plan.at_once { "at once" } else { "" },
        &replay,
        start,
        &pair_seed(plan, job.event, job.pairing, job.round).to_string(),
    ])
}

/// Whether a game that stands so after its last turn can have come out so.
fn check_result(end: Option<End>, turns: usize, result: &GameResult) -> Result<(), String> {
    if turns != result.plies as usize {
        return Err(format!("it has {turns} turns and says {}", result.plies));
    }
    let expected = match (&result.faults[..], end) {
        ([], Some(end)) => (end.outcome, end.reason),
        ([], None) => return Err("the game is not over after its last turn".to_owned()),
        (_, Some(end)) => return Err(format!("a failure cannot decide a game that is over: {end}")),
        ([one, two], None) if one.player == two.player => {
            return Err(format!("{} cannot fail twice", one.player));
        }
        (faults @ ([_] | [_, _]), None) => forfeit(faults),
        _ => return Err("it has more failures than players".to_owned()),
    };
    if expected == (result.outcome, result.reason.as_str()) {
        return Ok(());
    }
    let (outcome, reason) = expected;
    Err(format!(
        "by the rules it ends {outcome} ({reason}), and it says {} ({})",
        result.outcome, result.reason
    ))
}

/// How many bots each worker keeps alive between games; the least recently used makes room.
const KEPT_BOTS: usize = 4;

struct EventWorker<'a, G: Game> {
    event: &'a Event<G>,
    plan: &'a Plan,
    plan_id: Digest,
    number: usize,
    limits: Vec<MatchLimits>,
    conditions: Conditions,
    clock: Arc<dyn Clock>,
    /// Bots by their number in the plan, the most recently used last.
    bots: Vec<(usize, Box<dyn Bot<G>>)>,
    /// The openings of the last round asked for: all pairings of a round share one, apart from those with a bot that plays from
    /// the start only.
    openings: [Option<Chosen<G>>; 2],
}

/// The opening of a round, with the text of its last position.
struct Chosen<G: Game> {
    round: u32,
    opening: Opening<G>,
    text: String,
}

impl<G: Game> EventWorker<'_, G> {
    fn opening(&mut self, job: &Job) -> &Chosen<G> {
        let start_only = job.pairing.iter().any(|&bot| self.plan.bots[bot].start_only);
        let openings = if start_only { &Openings::Start } else { &self.event.openings };
        let chosen = &mut self.openings[usize::from(start_only)];
        let known = chosen.take().filter(|chosen| chosen.round == job.round);
        chosen.insert(known.unwrap_or_else(|| {
            let seed = opening_seed(self.plan, self.number, job.round);
            let opening = openings.opening(&self.event.setup, job.round, seed);
            Chosen { round: job.round, text: opening.position.to_string(), opening }
        }))
    }

    /// Takes a bot from those kept, or makes it.
    fn take(&mut self, bot: usize) -> Result<Box<dyn Bot<G>>, String> {
        match self.bots.iter().position(|(kept, _)| *kept == bot) {
            Some(place) => Ok(self.bots.remove(place).1),
            None => make(&*self.event.factory, &self.plan.bots[bot].spec),
        }
    }

    fn keep(&mut self, number: usize, bot: Box<dyn Bot<G>>) {
        if self.bots.len() >= KEPT_BOTS {
            self.bots.remove(0);
        }
        self.bots.push((number, bot));
    }
}

impl<G: Game> Worker for EventWorker<'_, G> {
    fn game_id(&mut self, job: &Job) -> Digest {
        let start = self.opening(job).text.clone();
        game_id(self.plan, job, &start)
    }

    fn check(&mut self, job: &Job, game: &FinishedGame) -> Result<(), String> {
        let FinishedGame { course, result, .. } = game;
        let event = &self.plan.events[self.number];
        if (&course.game, &course.setup) != (&event.game, &event.setup) {
            return Err(format!("it is a game of {} ({})", course.game, course.setup));
        }
        // Positions from a file are not in the journal, so they can be checked only where that file is.
        if self.event.openings.to_string() == event.openings && self.opening(job).text != course.start {
            return Err("it does not begin with the opening of its round".to_owned());
        }
        if game.id != game_id(self.plan, job, &course.start) {
            return Err("its id is not that of this game".to_owned());
        }
        let record = course.record::<G>().map_err(|error| error.to_string())?;
        check_result(record.end(), record.turns().len(), result)
    }

    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<FinishedGame, NoResult> {
        let id = self.game_id(job);
        let seats = job.seats();
        let seed = pair_seed(self.plan, self.number, job.pairing, job.round);
        let first = format!("{}{}", self.plan.bots[seats[0]].spec, mirror(self.plan, job));
        let seeds = Player::BOTH.map(|player| bot_seed(seed, &first, player));
        self.conditions.limits = seats.map(|bot| self.limits[bot]);
        let mut one = self.take(seats[0]).map_err(|problem| NoResult::Start(Player::One, problem))?;
        let mut two = self.take(seats[1]).map_err(|problem| NoResult::Start(Player::Two, problem))?;
        let Chosen { opening, text, .. } = self.opening(job);
        let (start, start_text) = (opening.position.clone(), text.clone());
        for (player, bot) in [(Player::One, &mut one), (Player::Two, &mut two)] {
            quietly(|| bot.opening(&opening.origin, &opening.turns))
                .map_err(|panic| NoResult::Start(player, format!("panicked: {panic}")))?;
        }
        let bots: [&mut dyn Bot<G>; 2] = [&mut *one, &mut *two];
        let Played { record, result, thoughts } =
            play_game(&start, bots, seeds, &self.conditions, &*self.clock, stop)?;
        // A bot that failed is made anew for its next game.
        for (player, bot) in [(Player::One, one), (Player::Two, two)] {
            if result.faults.iter().all(|fault| fault.player != player) {
                self.keep(seats[player.index()], bot);
            }
        }
        let event = &self.plan.events[self.number];
        Ok(FinishedGame {
            plan: self.plan_id,
            id,
            index: job.index,
            event: event.name.clone(),
            round: job.round,
            seed,
            course: Course {
                game: event.game.clone(),
                setup: event.setup.clone(),
                players: seats.map(|bot| self.plan.bots[bot].name.clone()),
                start: start_text,
                turns: turns_of(&record),
            },
            result,
            thoughts: thoughts.worth_a_note(),
        })
    }
}
