//! The results of an event, counted: what standings, summaries and reports are made from. Its size depends on the
//! number of bots, not on the number of games.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use search_core::{FailureKind, Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::finished::FinishedGame;
use crate::game_result::{Fault, GameResult};
use crate::journal::Void;
use crate::schedule::Job;
use crate::statistics::{Cluster, Distinct, Pentanomial, Trinomial};
use crate::thoughts::Thought;

/// Half points of one game for one of its players, or nothing if it does not count.
type HalfPoints = Option<u8>;

/// The results of two bots against each other, seen from the one with the lower number: for each pair of games the
/// result with the lower number moving first, and the one with it moving second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PairingTally {
    /// All games.
    pub all: Cells,
    /// The same without the games that a failure decided.
    pub played_out: Cells,
    /// Games that the one with the lower number won, and lost, because the loser failed.
    pub by_failure: [u64; 2],
}

impl PairingTally {
    /// Counts a game. `other` is the other game of its pair, if that was counted already.
    pub fn add(&mut self, game: Half, other: Option<Half>) {
        let both = |first, second| if game.seat == 0 { [first, second] } else { [second, first] };
        if let (Some(result), None) = (game.result, game.played_out) {
            self.by_failure[usize::from(result == 0)] += 1;
        }
        match other {
            // A lone game stands in the tally until its other half comes.
            None => {
                self.all.add(both(game.result, None), 1);
                self.played_out.add(both(game.played_out, None), 1);
            }
            Some(other) => {
                let lone = |result| if other.seat == 0 { [result, None] } else { [None, result] };
                self.all.add(lone(other.result), -1);
                self.all.add(both(game.result, other.result), 1);
                self.played_out.add(lone(other.played_out), -1);
                self.played_out.add(both(game.played_out, other.played_out), 1);
            }
        }
    }
}

/// Counts of pairs by the results of their two games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cells {
    /// Indexed by the two results: 0 lost, 1 drawn, 2 won, 3 not counted.
    counts: [[u32; 4]; 4],
}

impl Cells {
    fn add(&mut self, results: [HalfPoints; 2], times: i32) {
        let [first, second] = results.map(|result| result.map_or(3, usize::from));
        let cell = &mut self.counts[first][second];
        *cell = cell.saturating_add_signed(times);
    }

    fn cells(&self) -> impl Iterator<Item = ([HalfPoints; 2], u64)> + '_ {
        let result = |index: usize| (index < 3).then_some(index as u8);
        (0..4).flat_map(move |first| (0..4).map(move |second| (first, second))).filter_map(
            move |(first, second)| {
                let count = u64::from(self.counts[first][second]);
                (count > 0).then(|| ([result(first), result(second)], count))
            },
        )
    }

    /// Whole pairs.
    pub fn pentanomial(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for (results, count) in self.cells() {
            if let [Some(first), Some(second)] = results {
                pairs.add(first, second, count);
            }
        }
        pairs
    }

    /// All games that count.
    pub fn games(&self) -> Trinomial {
        let mut games = Trinomial::default();
        for (results, count) in self.cells() {
            for half_points in results.into_iter().flatten() {
                games.add(half_points, count);
            }
        }
        games
    }

    /// For the joint ratings.
    pub fn clusters(&self, players: [usize; 2]) -> impl Iterator<Item = Cluster> + '_ {
        self.cells().filter(|(results, _)| results.iter().any(Option::is_some)).map(
            move |(results, count)| Cluster {
                players,
                scores: results.map(|half_points| half_points.map(|half| f64::from(half) / 2.0)),
                count: count as f64,
            },
        )
    }
}

/// What a bot used and how it failed in an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BotTally {
    /// Moves asked for.
    pub moves: u64,
    /// Microseconds of all of them.
    pub micros: u64,
    /// Microseconds of the slowest.
    pub slowest: u64,
    /// What it said of its searches.
    pub thinking: Thinking,
    /// Failures by kind.
    pub faults: BTreeMap<FailureKind, u64>,
}

impl BotTally {
    /// The mean time of a move.
    pub fn time_per_move(&self) -> Option<Duration> {
        (self.moves > 0).then(|| Duration::from_nanos(self.micros.saturating_mul(1000) / self.moves))
    }
}

/// What a bot said of its searches, added up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thinking {
    /// Moves that it said something of.
    pub moves: u64,
    /// Their depths.
    pub depth: u64,
    /// Their nodes.
    pub nodes: u64,
    /// Their time in microseconds.
    pub micros: u64,
}

impl Thinking {
    fn add(&mut self, thoughts: &[Thought]) {
        for (time, seen) in thoughts.iter().filter_map(|thought| Some((thought.time, thought.seen?))) {
            self.moves += 1;
            self.depth += u64::from(seen.depth);
            self.nodes = self.nodes.saturating_add(seen.nodes);
            self.micros += time.as_micros() as u64;
        }
    }

    /// The mean depth of a move.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth as f64 / self.moves as f64)
    }

    /// The mean number of nodes of a move.
    pub fn mean_nodes(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.nodes as f64 / self.moves as f64)
    }

    /// Nodes in a second.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.micros > 0 && self.nodes > 0).then(|| self.nodes as f64 * 1e6 / self.micros as f64)
    }
}

/// One game of a pair: the seat of the bot with the lower number, the result, and the result if no failure decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Half {
    seat: usize,
    result: HalfPoints,
    played_out: HalfPoints,
}

impl Half {
    /// A game in which the bot with the lower number had this seat.
    pub fn of(seat: usize, result: &GameResult) -> Half {
        let half_points = (result.outcome.sign(Player::BOTH[seat]) + 1) as u8;
        let counts = (!result.is_void()).then_some(half_points);
        Half { seat, result: counts, played_out: counts.filter(|_| result.faults.is_empty()) }
    }
}

/// All results of one event.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pairings: BTreeMap<[usize; 2], PairingTally>,
    /// Pairs of which one game is finished.
    halves: HashMap<u64, Half>,
    /// Wins of the first mover, draws, wins of the second mover.
    pub seats: [u64; 3],
    /// End reasons.
    pub reasons: BTreeMap<String, u64>,
    /// Games by length in turns.
    pub lengths: BTreeMap<u32, u64>,
    /// Different games.
    pub distinct: Distinct,
    /// By bot.
    pub bots: Vec<BotTally>,
    /// Games in which both failed at once.
    pub double_forfeits: u64,
    /// Void games in which a bot was interfered with: that bot, and its opponent.
    pub tampering: BTreeMap<[usize; 2], u64>,
    /// Games that were played again by the rule for infinite moves.
    pub replays: u64,
    /// Games that have no result and never will, by their number in the plan.
    pub void: BTreeMap<u64, Void>,
}

impl Tally {
    /// No results yet.
    pub fn new(bots: usize) -> Tally {
        Tally { bots: vec![BotTally::default(); bots], ..Tally::default() }
    }

    /// A tally of results that were counted pairing by pairing: enough for standings. The lower number stands first.
    pub fn of_pairings(bots: usize, pairings: impl IntoIterator<Item = ([usize; 2], PairingTally)>) -> Tally {
        let mut tally = Tally::new(bots);
        tally.pairings.extend(pairings);
        tally
    }

    /// Adds a finished game with its place in the plan. Each game must come once.
    pub fn add(&mut self, job: &Job, game: &FinishedGame) {
        let seats = job.seats();
        let hash = game.moves_hash();
        let result = &game.result;
        let voided = result.is_void();
        let lower = seats[0].min(seats[1]);
        // Which of the two seats the bot with the lower number had.
        let half = Half::of(usize::from(seats[0] != lower), result);
        let pairing = self.pairings.entry([lower, seats[0].max(seats[1])]).or_default();
        let other = self.halves.remove(&job.pair());
        pairing.add(half, other);
        if other.is_none() {
            self.halves.insert(job.pair(), half);
        }
        let is_tampering = |fault: &&Fault| fault.kind == FailureKind::Tampering;
        if result.is_tampering() {
            for fault in result.faults.iter().filter(is_tampering) {
                let seat = fault.player.index();
                *self.tampering.entry([seats[seat], seats[1 - seat]]).or_default() += 1;
            }
        } else if voided {
            self.double_forfeits += 1;
        } else {
            let index = match result.outcome {
                Outcome::Win(Player::One) => 0,
                Outcome::Draw => 1,
                Outcome::Win(Player::Two) => 2,
            };
            self.seats[index] += 1;
        }
        match self.reasons.get_mut(&result.reason) {
            Some(count) => *count += 1,
            None => drop(self.reasons.insert(result.reason.clone(), 1)),
        }
        *self.lengths.entry(result.plies).or_default() += 1;
        self.distinct.add(hash);
        self.replays += u64::from(result.replays);
        for (seat, &bot) in seats.iter().enumerate() {
            let tally = &mut self.bots[bot];
            tally.moves += u64::from(result.moves[seat]);
            tally.micros += result.micros[seat];
            tally.slowest = tally.slowest.max(result.slowest[seat]);
            tally.thinking.add(game.thoughts.of(Player::BOTH[seat]));
        }
        for fault in result.faults.iter().filter(|fault| !is_tampering(fault)) {
            *self.bots[seats[fault.player.index()]].faults.entry(fault.kind).or_default() += 1;
        }
    }

    /// The finished games.
    pub fn games(&self) -> u64 {
        self.lengths.values().sum()
    }

    /// The results of two bots, seen from the first.
    pub fn pairing(&self, a: usize, b: usize) -> Option<(Trinomial, Pentanomial)> {
        let tally = self.pairings.get(&[a.min(b), a.max(b)])?;
        let (games, pairs) = (tally.all.games(), tally.all.pentanomial());
        if a < b {
            return Some((games, pairs));
        }
        let Pentanomial { ll, ld, wl, dd, wd, ww } = pairs;
        Some((games.reversed(), Pentanomial { ll: ww, ld: wd, wl, dd, wd: ld, ww: ll }))
    }

    /// All pairings that have met, the lower number first.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &PairingTally)> {
        self.pairings.iter().map(|(&players, tally)| (players, tally))
    }

    /// All games that count, of every bot.
    pub fn games_of_all(&self) -> Vec<Trinomial> {
        let mut games = vec![Trinomial::default(); self.bots.len()];
        for (&[a, b], tally) in &self.pairings {
            let results = tally.all.games();
            games[a] = games[a].plus(results);
            games[b] = games[b].plus(results.reversed());
        }
        games
    }

    /// How often a bot's pairs were finished, for byes and rematches.
    pub(crate) fn met(&self, a: usize, b: usize) -> u64 {
        self.pairing(a, b).map_or(0, |(games, _)| games.games().div_ceil(2))
    }

    /// The length in turns below which the given share of the games lies.
    pub fn length_quantile(&self, share: f64) -> Option<u32> {
        let wanted = (share * self.games() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        self.lengths.iter().find_map(|(&plies, &count)| {
            seen += count;
            (seen >= wanted).then_some(plies)
        })
    }

    /// The mean length in turns.
    pub fn mean_length(&self) -> Option<f64> {
        let games = self.games();
        let total: u64 = self.lengths.iter().map(|(&plies, &count)| u64::from(plies) * count).sum();
        (games > 0).then(|| total as f64 / games as f64)
    }
}
