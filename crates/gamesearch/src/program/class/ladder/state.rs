//! What changes while the ladder runs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use arena::{FinishedGame, Plan};

use super::book::Book;
use super::counts::{Counts, OpenPair};
use super::notes::Notes;
use super::pairing::{Rule, Standing, next_pairing};
use super::table::Table;
use crate::program::Failure;
use crate::program::class::intake::{Candidate, Judged};
use crate::program::class::roster::{Roster, Team};

/// This many failures to start, with no game in between, put an entry out.
const START_FAILURES: u32 = 3;

/// A game that is being played.
#[derive(Debug, Clone)]
pub(crate) struct UnderWay {
    pub(crate) players: [String; 2],
}

/// What changes while the ladder runs.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) roster: Roster,
    pub(crate) counts: Counts,
    pub(crate) book: Option<Book>,
    pub(crate) notes: Notes,
    /// Submissions that wait for their examination.
    pub(crate) queue: VecDeque<Candidate>,
    /// Submissions under examination, by team.
    examined: BTreeSet<String>,
    pub(crate) judging: usize,
    /// When the first entry came in that does not play yet, or one went out that still does.
    pub(crate) accepted: Option<Instant>,
    pub(crate) under_way: BTreeMap<u64, UnderWay>,
    /// Workers that are there, and those that find nothing to do.
    pub(crate) working: usize,
    pub(crate) resting: usize,
    pub(crate) error: Option<Failure>,
    failing: BTreeMap<String, (u32, String)>,
    /// The players of this leg by their numbers in the plan.
    standings: Vec<Standing>,
    /// How many games two of them have played, those under way included.
    met: Vec<u32>,
    /// Pairs that an earlier leg or run has left half played.
    left: Vec<(u64, OpenPair)>,
}

/// A pair of games to play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) number: u64,
    pub(super) pairing: [usize; 2],
    pub(super) round: u32,
    /// Which of its games are to be played.
    pub(super) games: [bool; 2],
}

impl State {
    pub(super) fn new(roster: Roster, counts: Counts, book: Book, notes: Notes) -> State {
        State { roster, counts, book: Some(book), notes, ..State::default() }
    }

    /// Prepares a leg with these players.
    pub(super) fn begin_leg(&mut self, plan: &Plan, table: &Table) {
        self.accepted = None;
        (self.resting, self.working) = (0, 0);
        self.under_way.clear();
        let place = |name: &str| plan.bots.binary_search_by(|bot| bot.name.as_str().cmp(name)).ok();
        let size = plan.bots.len();
        self.met = vec![0; size * size];
        for ([a, b], pairing) in &self.counts.pairings {
            if let (Some(a), Some(b)) = (place(a), place(b)) {
                let games = pairing.all.games().games() as u32;
                self.met[a * size + b] = games;
                self.met[b * size + a] = games;
            }
        }
        let games = |name: &str| self.counts.players.get(name).map_or(0, |player| player.results.games());
        self.standings = plan
            .bots
            .iter()
            .map(|bot| Standing {
                rating: None,
                games: games(&bot.name),
                busy: 0,
                reference: Roster::team_of(&bot.name).is_none(),
            })
            .collect();
        self.rate(plan, table);
        let whole = |open: &OpenPair| open.pairing.iter().all(|name| place(name).is_some());
        self.left = self
            .counts
            .open
            .iter()
            .filter(|(_, open)| whole(open))
            .map(|(&pair, open)| (pair, open.clone()))
            .collect();
    }

    /// Takes over new ratings.
    pub(super) fn rate(&mut self, plan: &Plan, table: &Table) {
        for (standing, bot) in self.standings.iter_mut().zip(&plan.bots) {
            standing.rating = table.ratings.get(&bot.name).copied();
        }
    }

    /// The next pair of games, noted as under way.
    pub(super) fn next_pair(&mut self, plan: &Plan, rule: Rule) -> Option<Pair> {
        while let Some((number, open)) = self.left.pop() {
            let place = |name: &String| plan.bots.binary_search_by(|bot| bot.name.cmp(name)).ok();
            let [first, second] = &open.pairing;
            if let (Some(first), Some(second)) = (place(first), place(second)) {
                let pair = Pair {
                    number,
                    pairing: [first, second],
                    round: open.round,
                    games: [open.swapped, !open.swapped],
                };
                self.begin(plan, pair);
                return Some(pair);
            }
        }
        let size = self.standings.len();
        let met = |a: usize, b: usize| u64::from(self.met[a * size + b]);
        let number = self.counts.next_pair;
        let pairing = next_pairing(&self.standings, &met, rule, number)?;
        self.counts.next_pair += 1;
        // Who begins says nothing: each has both seats.
        let pair = Pair { number, pairing, round: (number % (1 << 31)) as u32, games: [true; 2] };
        self.begin(plan, pair);
        Some(pair)
    }

    fn begin(&mut self, plan: &Plan, pair: Pair) {
        let games = pair.games.iter().filter(|&&game| game).count() as u64;
        let size = self.standings.len();
        let [a, b] = pair.pairing;
        for player in pair.pairing {
            self.standings[player].games += games;
            self.standings[player].busy += 1;
        }
        self.met[a * size + b] += games as u32;
        self.met[b * size + a] += games as u32;
        let players = pair.pairing.map(|bot| plan.bots[bot].name.clone());
        self.under_way.insert(pair.number, UnderWay { players });
    }

    /// A pair is no longer under way; this many of its games have no result.
    pub(super) fn leave(&mut self, pair: Pair, unplayed: u64) {
        self.under_way.remove(&pair.number);
        let size = self.standings.len();
        let [a, b] = pair.pairing;
        for player in pair.pairing {
            let standing = &mut self.standings[player];
            standing.games = standing.games.saturating_sub(unplayed);
            standing.busy = standing.busy.saturating_sub(1);
        }
        for cell in [a * size + b, b * size + a] {
            self.met[cell] = self.met[cell].saturating_sub(unplayed as u32);
        }
    }

    /// Writes and counts a finished game.
    pub(super) fn finish(&mut self, game: &FinishedGame) -> Result<(), Failure> {
        let file = match &mut self.book {
            Some(book) => book.write(game)?,
            None => return Ok(()),
        };
        for player in &game.course.players {
            self.failing.remove(player);
        }
        self.counts.add(game);
        self.notes.add(file, game);
        Ok(())
    }

    /// Notes that a player did not start; whether it is out now.
    pub(super) fn start_failed(&mut self, player: &str, problem: String) -> Result<bool, Failure> {
        let (failures, first) = self.failing.remove(player).unwrap_or((0, problem));
        if failures + 1 < START_FAILURES {
            self.failing.insert(player.to_owned(), (failures + 1, first));
            return Ok(false);
        }
        let Some(team) = Roster::team_of(player).and_then(|team| self.roster.teams.get_mut(team)) else {
            return Err(Failure::failed(format!("the reference `{player}` does not start: {first}")));
        };
        if let Some(entry) = team.entry.as_mut().filter(|entry| entry.id == player) {
            entry.out = Some(first);
            self.accepted.get_or_insert_with(Instant::now);
        }
        Ok(true)
    }

    /// The next submission to examine. Where several workers are, half of them play on.
    pub(super) fn next_candidate(&mut self, workers: usize) -> Option<Candidate> {
        if self.judging >= workers.div_ceil(2) {
            return None;
        }
        let candidate = self.queue.pop_front()?;
        self.judging += 1;
        self.examined.insert(candidate.team.clone());
        Some(candidate)
    }

    /// Teams with a submission that waits or is under examination.
    pub(super) fn judging_teams(&self) -> BTreeSet<String> {
        let waiting = self.queue.iter().map(|candidate| candidate.team.clone());
        waiting.chain(self.examined.iter().cloned()).collect()
    }

    /// Takes over what became of a submission.
    pub(super) fn take(&mut self, judged: Judged) {
        let Judged { team, name, judgement, entry } = judged;
        self.judging -= 1;
        self.examined.remove(&team);
        let known = self.roster.teams.entry(team).or_insert_with(|| Team {
            name: String::new(),
            judged: None,
            entry: None,
            versions: 0,
        });
        known.name = name;
        known.judged = Some(judgement);
        if let Some(entry) = entry {
            known.versions += 1;
            known.entry = Some(entry);
            self.accepted.get_or_insert_with(Instant::now);
        }
    }

    /// A submission could not be judged for a reason of ours.
    pub(super) fn give_up(&mut self, team: &str) {
        self.judging -= 1;
        self.examined.remove(team);
    }
}
