//! The results of a whole tournament while it runs: tallies of all events, the sequential test, Swiss rounds.

use std::collections::BTreeMap;

use crate::finished::FinishedGame;
use crate::journal::{Scan, Void};
use crate::plan::Plan;
use crate::schedule::{Job, Schedule, swiss_round};
use crate::statistics::{Decision, Pentanomial, Sample};
use crate::tally::Tally;

/// Where a sequential test stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtState {
    /// Whole pairs at the beginning of the schedule, in its order.
    pub pairs: Pentanomial,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The decision, once there is one.
    pub decision: Option<Decision>,
}

/// Everything known about the results so far.
#[derive(Debug, Clone)]
pub struct Results {
    /// One tally for each event.
    pub tallies: Vec<Tally>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtState>,
    /// For each bot of the plan, if it was withdrawn, what kept it from starting.
    pub withdrawn: Vec<Option<String>>,
    /// Games that came before their turn, in a run with a sequential test.
    waiting: BTreeMap<u64, (Job, FinishedGame)>,
    next: u64,
    plan: Plan,
}

impl Results {
    /// No results yet.
    pub fn new(plan: &Plan) -> Results {
        let sprt = plan.sprt.map(|_| SprtState { pairs: Pentanomial::default(), llr: 0.0, decision: None });
        Results {
            tallies: vec![Tally::new(plan.bots.len()); plan.events.len()],
            sprt,
            withdrawn: vec![None; plan.bots.len()],
            waiting: BTreeMap::new(),
            next: 0,
            plan: plan.clone(),
        }
    }

    /// The job that a game belongs to; what is wrong if it is none of the plan's.
    pub fn job_of(plan: &Plan, game: &FinishedGame) -> Result<Job, String> {
        let schedule = Schedule::new(plan);
        if game.index >= schedule.games() {
            return Err(format!("game {} is beyond the {} of the plan", game.index, schedule.games()));
        }
        let slot = schedule.slot(game.index);
        let find = |name: &str| {
            plan.bots
                .iter()
                .position(|bot| bot.name == name)
                .ok_or_else(|| format!("the plan has no bot `{name}`"))
        };
        let [first, second] = [find(&game.course.players[0])?, find(&game.course.players[1])?];
        let pairing = if slot.swapped { [second, first] } else { [first, second] };
        let event = &plan.events[slot.event];
        if event.name != game.event || slot.round != game.round {
            return Err(format!("game {} belongs to {}, round {}", game.index, event.name, slot.round));
        }
        if schedule.fixed_pairing(slot.board).is_some_and(|fixed| fixed != pairing) {
            return Err(format!(
                "game {} is not between {} and {}",
                game.index, game.course.players[0], game.course.players[1]
            ));
        }
        Ok(Job { index: game.index, event: slot.event, round: slot.round, pairing, swapped: slot.swapped })
    }

    /// Adds a finished game. In a run with a sequential test games count in the order of the schedule: counting them
    /// as they arrive would favour short ones.
    pub fn add(&mut self, job: Job, game: FinishedGame) {
        let (Some(test), Some(state)) = (self.plan.sprt, self.sprt.as_mut()) else {
            self.tallies[job.event].add(&job, &game);
            return;
        };
        self.waiting.insert(job.index, (job, game));
        while state.decision.is_none() {
            let (Some(first), Some(second)) =
                (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
            else {
                break;
            };
            for (job, game) in [first, second] {
                self.tallies[job.event].add(job, game);
            }
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.next += 2;
            let mut pairs = Pentanomial::default();
            for (_, more) in self.tallies.iter().filter_map(|tally| tally.pairing(0, 1)) {
                pairs.ll += more.ll;
                pairs.ld += more.ld;
                pairs.wl += more.wl;
                pairs.dd += more.dd;
                pairs.wd += more.wd;
                pairs.ww += more.ww;
            }
            let sample: Sample = pairs.sample();
            *state = SprtState { pairs, llr: test.llr(&sample), decision: test.decide(&sample) };
        }
    }

    /// Takes over what a journal tells besides its games: who was withdrawn, and which games have no result.
    pub(crate) fn note(&mut self, scan: &Scan) {
        for (bot, withdrawn) in self.plan.bots.iter().zip(&mut self.withdrawn) {
            *withdrawn = scan.withdrawn.get(&bot.name).cloned();
        }
        for (&game, void) in &scan.void {
            self.add_void(game, void.clone());
        }
    }

    /// Adds a game that has no result and never will.
    pub(crate) fn add_void(&mut self, game: u64, void: Void) {
        let schedule = Schedule::new(&self.plan);
        if game < schedule.games() {
            self.tallies[schedule.slot(game).event].void.insert(game, void);
        }
    }

    /// Whether a sequential test has come to its end.
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|state| state.decision.is_some())
    }

    /// The number of finished games, those that wait for their turn included.
    pub fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum::<u64>() + self.waiting.len() as u64
    }
}

/// The pairings of the Swiss rounds so far, by event.
#[derive(Debug, Clone, Default)]
pub(crate) struct SwissRounds {
    rounds: Vec<Vec<Vec<[usize; 2]>>>,
    byes: Vec<Vec<u64>>,
    /// Games of each event that are finished or will never be.
    closed: Vec<u64>,
}

impl SwissRounds {
    pub(crate) fn new(plan: &Plan) -> SwissRounds {
        SwissRounds {
            rounds: vec![Vec::new(); plan.events.len()],
            byes: vec![vec![0; plan.bots.len()]; plan.events.len()],
            closed: vec![0; plan.events.len()],
        }
    }

    /// Notes that a game is finished or given up.
    pub(crate) fn close(&mut self, event: usize) {
        self.closed[event] += 1;
    }

    /// The pairing of a board; `None` while games of earlier rounds are open.
    pub(crate) fn pairing(
        &mut self,
        tallies: &[Tally],
        boards: u64,
        event: usize,
        round: u32,
        board: u64,
    ) -> Option<[usize; 2]> {
        let rounds = &mut self.rounds[event];
        if rounds.len() == round as usize && self.closed[event] >= 2 * boards * u64::from(round) {
            let tally = &tallies[event];
            let byes = &mut self.byes[event];
            // A bye is worth a won pair, for the pairing only.
            let games = tally.games_of_all();
            let points: Vec<u64> =
                games.iter().zip(&*byes).map(|(games, byes)| games.half_points() + 4 * byes).collect();
            let (pairs, bye) = swiss_round(&points, &|a, b| tally.met(a, b), byes);
            byes.iter_mut()
                .enumerate()
                .filter(|(bot, _)| Some(*bot) == bye)
                .for_each(|(_, count)| *count += 1);
            rounds.push(pairs);
        }
        rounds.get(round as usize).and_then(|pairs| pairs.get(board as usize)).copied()
    }
}
