//! What changes while a run is under way: which games are done, under way and still to come.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use search_core::Player;

use super::{Ending, Progress, RunError, RunOptions, RunReport, Shard};
use crate::count::{CountedJournal, count_journal};
use crate::disk::DiskPath;
use crate::event::Contest;
use crate::finished::FinishedGame;
use crate::journal::{Journal, LineProblem, Note, Void};
use crate::plan::Plan;
use crate::results::{Results, SwissRounds};
use crate::schedule::{Format, Job, Schedule};

/// What a worker is to do next.
pub(super) enum Next {
    Play(Job),
    /// The next game depends on games under way.
    Wait,
    Nothing,
}

/// This many failures to start, with no game in between, withdraw a bot.
const START_FAILURES: u32 = 3;

/// What changes while a run is under way.
pub(super) struct State {
    schedule: Schedule,
    shard: Shard,
    /// The next game to look at.
    cursor: u64,
    /// The finished games by number, those that the journal held at the start included, with how they went.
    pub(super) games: HashMap<u64, u64>,
    /// Games that have no result and never will.
    void: HashSet<u64>,
    /// Those of them that the rounds of a Swiss tournament know to be over.
    closed_void: HashSet<u64>,
    /// Games in which the runner came to a sudden end once. Each is played with no other game beside it, so that the next
    /// sudden end has one possible reason.
    suspects: HashSet<u64>,
    /// Games under way, and whether one of them must be alone.
    under_way: usize,
    alone: bool,
    pub(super) swiss: Option<SwissRounds>,
    pub(super) results: Results,
    pub(super) journal: Option<Journal>,
    problems: Vec<LineProblem>,
    /// For each bot how often it failed to start since its last game, and its first problem.
    pub(super) failing: Vec<Option<(u32, String)>>,
    /// Bots that the journal calls withdrawn.
    pub(super) out_before: Vec<String>,
    total: u64,
    done: u64,
    fresh: u64,
    reused: u64,
    /// Games that will not be played because a bot was withdrawn.
    skipped: u64,
    pub(super) working: usize,
    pub(super) error: Option<RunError>,
}

impl State {
    fn new(plan: &Plan, shard: Shard) -> State {
        let schedule = Schedule::new(plan);
        State {
            schedule,
            shard,
            cursor: 0,
            games: HashMap::new(),
            void: HashSet::new(),
            closed_void: HashSet::new(),
            suspects: HashSet::new(),
            under_way: 0,
            alone: false,
            swiss: (plan.format == Format::Swiss).then(|| SwissRounds::new(plan)),
            results: Results::new(plan),
            journal: None,
            problems: Vec::new(),
            failing: vec![None; plan.bots.len()],
            out_before: Vec::new(),
            total: 2 * shard.pairs(schedule.pairs()),
            done: 0,
            fresh: 0,
            reused: 0,
            skipped: 0,
            working: 0,
            error: None,
        }
    }

    pub(super) fn next_job(&mut self) -> Next {
        while self.cursor < self.schedule.games() {
            let index = self.cursor;
            if !self.shard.holds(index / 2) || self.games.contains_key(&index) {
                // The rounds after it are drawn once this one is, though all of its games may be there.
                self.settle_swiss(index);
                self.cursor += 1;
                continue;
            }
            let slot = self.schedule.slot(index);
            if self.void.contains(&index) {
                self.settle_swiss(index);
                self.cursor += 1;
                if self.closed_void.contains(&index) {
                    self.skipped += 1;
                } else {
                    self.skip(slot.event);
                }
                continue;
            }
            let alone = self.suspects.contains(&index);
            if self.alone || (alone && self.under_way > 0) {
                return Next::Wait;
            }
            let boards = self.schedule.boards();
            let pairing = match (self.schedule.fixed_pairing(slot.board), &mut self.swiss) {
                (Some(pairing), _) => pairing,
                (None, Some(swiss)) => {
                    match swiss.pairing(&self.results.tallies, boards, slot.event, slot.round, slot.board) {
                        Some(pairing) => pairing,
                        None => return Next::Wait,
                    }
                }
                (None, None) => return Next::Nothing,
            };
            self.cursor += 1;
            if pairing.iter().any(|&bot| self.results.withdrawn[bot].is_some()) {
                self.skip(slot.event);
                continue;
            }
            self.under_way += 1;
            self.alone = alone;
            return Next::Play(Job {
                index,
                event: slot.event,
                round: slot.round,
                pairing,
                swapped: slot.swapped,
            });
        }
        Next::Nothing
    }

    /// A game is no longer under way, whatever became of it.
    pub(super) fn leave(&mut self) {
        self.under_way -= 1;
        self.alone = false;
    }

    pub(super) fn skip(&mut self, event: usize) {
        self.skipped += 1;
        if let Some(swiss) = &mut self.swiss {
            swiss.close(event);
        }
    }

    /// Makes sure that the pairings of a game's round are drawn, where the rounds before it are over.
    fn settle_swiss(&mut self, game: u64) {
        if let Some(swiss) = &mut self.swiss {
            let slot = self.schedule.slot(game);
            swiss.pairing(&self.results.tallies, self.schedule.boards(), slot.event, slot.round, slot.board);
        }
    }

    /// Counts the games of a resumed Swiss tournament, which come in the order of the plan: each round is drawn from the rounds before it
    /// alone. A game that will never have a result is over when its turn comes.
    fn count_rounds(&mut self, games: Vec<(Job, FinishedGame)>) {
        // One that has a result all the same counts as a game.
        let mut void: Vec<u64> =
            self.void.iter().copied().filter(|game| !self.games.contains_key(game)).collect();
        void.sort_unstable();
        let mut void = void.into_iter().peekable();
        for (job, game) in games {
            while let Some(before) = void.next_if(|&before| before < job.index) {
                self.settle_swiss(before);
                let event = self.schedule.slot(before).event;
                if let Some(swiss) = &mut self.swiss {
                    swiss.close(event);
                }
                self.closed_void.insert(before);
            }
            self.settle_swiss(job.index);
            self.count_resumed(job, game);
        }
    }

    fn count(&mut self, job: Job, game: FinishedGame) {
        if let Some(swiss) = &mut self.swiss {
            swiss.close(job.event);
        }
        self.done += 1;
        self.results.add(job, game);
    }

    fn count_resumed(&mut self, job: Job, game: FinishedGame) {
        // Games of other shards in this journal count as results but not as this shard's work.
        if self.shard.holds(job.pair()) { self.count(job, game) } else { self.results.add(job, game) }
    }

    pub(super) fn count_fresh(&mut self, job: Job, game: FinishedGame, reused: bool) {
        self.fresh += 1;
        self.reused += u64::from(reused);
        self.games.insert(job.index, game.fingerprint());
        self.count(job, game);
    }

    /// Notes a failure to start; whether one of the two bots is out now.
    pub(super) fn start_failed(
        &mut self,
        plan: &Plan,
        job: &Job,
        player: Player,
        problem: String,
    ) -> Result<bool, RunError> {
        let bot = job.seats()[player.index()];
        // The first problem tells what is wrong; later ones may only say that it is not tried again.
        let (failures, problem) = self.failing[bot].take().unwrap_or((0, problem));
        if failures + 1 >= START_FAILURES && self.results.withdrawn[bot].is_none() {
            if let Some(journal) = &mut self.journal {
                journal.withdraw(plan.id(), &plan.bots[bot].name, Some(&problem))?;
            }
            self.results.withdrawn[bot] = Some(problem.clone());
        }
        self.failing[bot] = Some((failures + 1, problem));
        Ok(job.pairing.iter().any(|&bot| self.results.withdrawn[bot].is_some()))
    }

    pub(super) fn fail(&mut self, error: RunError) {
        self.error.get_or_insert(error);
    }

    pub(super) fn progress(&self, elapsed: Duration) -> Progress<'_> {
        Progress { results: &self.results, total: self.total, done: self.done, fresh: self.fresh, elapsed }
    }

    /// What came out, once no worker is left.
    pub(super) fn report(self, elapsed: Duration, tampered: Vec<String>) -> RunReport {
        let ending = if self.results.is_decided() {
            Ending::Decided
        } else if self.done + self.skipped >= self.total {
            Ending::Complete
        } else {
            Ending::Interrupted
        };
        RunReport {
            ending,
            results: self.results,
            problems: self.problems,
            tampered,
            error: self.error,
            played: self.fresh - self.reused,
            resumed: self.done - self.fresh,
            reused: self.reused,
            elapsed,
        }
    }
}

/// Opens or begins the journal and counts what is in it.
pub(super) fn open(
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    path: &DiskPath,
    options: &RunOptions,
) -> Result<(Journal, State), RunError> {
    let mut journal = Journal::open(path)?;
    let settings = options.settings.as_deref();
    if journal.is_empty()? {
        journal.begin(plan, settings)?;
        return Ok((journal, State::new(plan, options.shard)));
    }
    if !options.resume {
        return Err(RunError::Exists(path.path().to_owned()));
    }
    // The run that wrote it may have failed before it was on the disk.
    journal.secure()?;
    // The rounds of a Swiss tournament are counted once it is known which games are void.
    let swiss = plan.format == Format::Swiss;
    let begin = || (State::new(plan, options.shard), Vec::new());
    let counted = count_journal(plan, path, contests, begin, |(state, rounds), job, game, _| {
        if swiss { rounds.push((job, game)) } else { state.count_resumed(job, game) }
    })?;
    let CountedJournal { count: (mut state, rounds), scan, problems, disputed, games } = counted;
    scan.notes.iter().for_each(|&(_, note)| journal.knows(note));
    state.games = games.into_iter().map(|(game, known)| (game, known.fingerprint)).collect();
    state.problems = problems;
    state.results.note(&scan);
    state.out_before = scan.withdrawn.into_keys().collect();
    state.results.withdrawn.fill(None);
    if scan.torn {
        journal.truncate(scan.whole)?;
    }
    if scan.whole == 0 {
        journal.begin(plan, settings)?;
    } else if scan.torn {
        // The half line told it so far.
        journal.note(&Note::Left { plan: plan.id(), game: None })?;
    }
    for (game, problem) in disputed {
        journal.note(&Note::Struck { plan: plan.id(), game, problem })?;
    }
    for (game, _) in scan.void {
        state.void.insert(game);
    }
    for (game, begun) in scan.begun {
        match begun.crashes() {
            0 => {}
            1 => drop(state.suspects.insert(game)),
            times => {
                let problem = format!("the runner came to a sudden end {times} times while it was played");
                let players = begun.players;
                let note =
                    Note::Void { plan: plan.id(), game, players: players.clone(), problem: problem.clone() };
                journal.note(&note)?;
                state.results.add_void(game, Void { players, problem });
                state.void.insert(game);
            }
        }
    }
    state.count_rounds(rounds);
    Ok((journal, state))
}
