//! One game of a tournament with its set-up and its bots, and the workers that play it.
//!
//! This is where a game's type meets the runner, which knows only plans, jobs and texts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use search_core::{Bot, Game, Outcome, Player, StopFlag, SystemClock, Turn, quietly};

use crate::digest::Digest;
use crate::drawing::Drawing;
use crate::journal::GameLine;
use crate::limits::MatchLimits;
use crate::opening::{Opening, Openings};
use crate::plan::{EventPlan, Plan};
use crate::referee::{Conditions, Fault, NoResult, Played, ReplayRule, Usage, play_game};
use crate::report::{Drawer, Reel};
use crate::saved::write_turns;
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
        let checked = Mutex::default();
        Event { name: G::NAME.to_owned(), setup, openings, factory: Arc::new(factory), drawer, checked }
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

/// An event without its game's type: what the runner holds.
pub trait Contest: Send + Sync {
    /// The event's part of a plan, with these limits of the bots.
    fn plan(&self, limits: &[MatchLimits]) -> EventPlan;

    /// Makes a bot and starts it, if that was not done before: whether it plays from the start only
    /// ([`Bot::plays_from_the_start_only`]), or what is wrong.
    fn check_bot(&self, spec: &str) -> Result<bool, String>;

    /// Draws a game of the journal into a reel.
    fn film(&self, line: &GameLine, tag: &'static str, reel: &mut Reel) -> Result<(), String>;

    /// A worker that plays games of this event, which is number `event` of the plan.
    fn worker<'a>(&'a self, plan: &'a Plan, event: usize) -> Result<Box<dyn Worker + 'a>, String>;
}

/// Plays games one after the other in one thread.
pub trait Worker {
    /// The id of a game: a digest of all that decides how it goes.
    fn game_id(&mut self, job: &Job) -> Digest;

    /// Plays a game.
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<FinishedGame, NoResult>;
}

/// A finished game in words.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// The seed of its pair.
    pub seed: u64,
    /// The position at the start.
    pub start: String,
    /// The turns, separated by spaces.
    pub turns: String,
    /// How many turns.
    pub plies: u32,
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: &'static str,
    /// The failures behind a forfeit.
    pub faults: Vec<Fault>,
    /// What each player used.
    pub usage: [Usage; 2],
    /// How often it was played again.
    pub replays: u32,
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
        // Programs take a while to start; nobody is started twice to be asked this.
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

    fn film(&self, line: &GameLine, tag: &'static str, reel: &mut Reel) -> Result<(), String> {
        let record = line.saved().record::<G>().map_err(|error| format!("game {}: {error}", line.index))?;
        reel.add(line, tag, &record, &*self.drawer);
        Ok(())
    }

    fn worker<'a>(&'a self, plan: &'a Plan, event: usize) -> Result<Box<dyn Worker + 'a>, String> {
        let limits = plan.events[event]
            .limits
            .iter()
            .map(|text| text.parse().map_err(|error| format!("{}: {error}", self.name)))
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
            number: event,
            limits,
            conditions,
            clock: SystemClock::new(),
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

/// So many bots are kept alive between games in each worker; the least recently used makes room.
const KEPT_BOTS: usize = 4;

struct EventWorker<'a, G: Game> {
    event: &'a Event<G>,
    plan: &'a Plan,
    number: usize,
    limits: Vec<MatchLimits>,
    conditions: Conditions,
    clock: SystemClock,
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
        let (plan, number) = (self.plan, self.number);
        let event = &plan.events[number];
        let [first, second] = job.seats();
        let seed = pair_seed(plan, number, job.pairing, job.round).to_string();
        let margin = plan.margin_micros.to_string();
        let replay =
            plan.replay.as_ref().map_or(String::new(), |(reason, times)| format!("{reason} {times}"));
        let mirror = mirror(plan, job);
        // A word more only where it is not the usual: the ids of all other games stay.
        let margin = if plan.clock.is_wall() { margin } else { format!("{margin} cpu") };
        let start = &self.opening(job).text;
        Digest::of(&[
            "game",
            mirror,
            &event.game,
            &event.setup,
            &plan.bots[first].spec,
            &plan.bots[first].fingerprint,
            &event.limits[first],
            &plan.bots[second].spec,
            &plan.bots[second].fingerprint,
            &event.limits[second],
            &margin,
            if plan.at_once { "at once" } else { "" },
            &replay,
            start,
            &seed,
        ])
    }

    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<FinishedGame, NoResult> {
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
        let Played { record, outcome, reason, faults, usage, replays } =
            play_game(&start, bots, seeds, &self.conditions, &self.clock, stop)?;
        // Whoever failed is made anew for its next game.
        for (player, bot) in [(Player::One, one), (Player::Two, two)] {
            if faults.iter().all(|fault| fault.player != player) {
                self.keep(seats[player.index()], bot);
            }
        }
        let mut turns = String::with_capacity(record.turns().len() * 4);
        write_turns(&record, &mut turns);
        Ok(FinishedGame {
            seed,
            start: start_text,
            turns,
            plies: record.turns().len() as u32,
            outcome,
            reason,
            faults,
            usage,
            replays,
        })
    }
}
