//! The results of a whole tournament while it runs: tallies of all events, the sequential test, Swiss rounds.

use std::collections::BTreeMap;

use crate::journal::GameLine;
use crate::plan::Plan;
use crate::schedule::{Format, Job, Schedule, swiss_round};
use crate::statistics::{Decision, Pentanomial, Sample};
use crate::tally::{Counted, Tally};

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
    /// Games that came before their turn, in a run with a sequential test.
    waiting: BTreeMap<u64, Counted>,
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
            waiting: BTreeMap::new(),
            next: 0,
            plan: plan.clone(),
        }
    }

    /// The job that a line of the journal tells of; what is wrong if it is none of the plan's.
    pub fn job_of(plan: &Plan, line: &GameLine) -> Result<Job, String> {
        let schedule = Schedule::new(plan);
        if line.index >= schedule.games() {
            return Err(format!("game {} is beyond the {} of the plan", line.index, schedule.games()));
        }
        let slot = schedule.slot(line.index);
        let find = |name: &str| {
            plan.bots
                .iter()
                .position(|bot| bot.name == name)
                .ok_or_else(|| format!("the plan has no bot `{name}`"))
        };
        let [first, second] = [find(&line.players[0])?, find(&line.players[1])?];
        let pairing = if slot.swapped { [second, first] } else { [first, second] };
        let event = &plan.events[slot.event];
        if event.name != line.event || slot.round != line.round {
            return Err(format!("game {} belongs to {}, round {}", line.index, event.name, slot.round));
        }
        if schedule.fixed_pairing(slot.board).is_some_and(|fixed| fixed != pairing) {
            return Err(format!(
                "game {} is not between {} and {}",
                line.index, line.players[0], line.players[1]
            ));
        }
        Ok(Job { index: line.index, event: slot.event, round: slot.round, pairing, swapped: slot.swapped })
    }

    /// Adds a finished game. In a run with a sequential test games count in the order of the schedule: counting them
    /// as they arrive would favour short ones.
    pub fn add(&mut self, game: Counted) {
        let (Some(test), Some(state)) = (self.plan.sprt, self.sprt.as_mut()) else {
            self.tallies[game.event()].add(&game);
            return;
        };
        self.waiting.insert(game.index(), game);
        while state.decision.is_none() {
            let (Some(first), Some(second)) =
                (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
            else {
                break;
            };
            for game in [first, second] {
                self.tallies[game.event()].add(game);
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

/// Finished games of a journal in the order in which they must be counted: Swiss pairings depend on earlier rounds.
pub(crate) fn in_order(plan: &Plan, games: &mut [Counted]) {
    if plan.format == Format::Swiss {
        games.sort_by_key(Counted::index);
    }
}
