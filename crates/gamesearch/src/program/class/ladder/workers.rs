//! The workers of the ladder: each examines a submission or plays a pair of games, one after the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena::{Control, Job, NoResult, Plan, Thoughts, Worker};
use search_core::StopFlag;

use super::Ladder;
use super::pairing::Rule;
use super::state::{Pair, State};
use crate::program::Failure;
use crate::program::class::intake::{self, Candidate};

/// What the workers of a leg share.
pub(super) struct Shared<'a> {
    pub(super) ladder: &'a Ladder<'a>,
    pub(super) plan: &'a Plan,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    /// Raised when the leg is over: games under way are finished.
    pub(super) ending: &'a AtomicBool,
    pub(super) control: &'a Control,
    pub(super) until_settled: bool,
}

/// What is to be done next.
enum Task {
    Judge(Candidate),
    Play(Pair),
    End,
}

/// Tells the others that a worker is gone, whatever happened to it.
struct Leave<'a, 'b>(&'a Shared<'b>);

impl Drop for Leave<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        self.0.changed.notify_all();
    }
}

impl Shared<'_> {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until the leg is over.
    pub(super) fn work(&self) {
        let _leave = Leave(self);
        if let Err(error) = self.work_on() {
            self.lock().error.get_or_insert(error);
        }
    }

    fn work_on(&self) -> Result<(), Failure> {
        let mut worker: Option<Box<dyn Worker + '_>> = None;
        loop {
            match self.next() {
                Task::End => return Ok(()),
                Task::Judge(candidate) => {
                    // The bots that wait for their next game need no room meanwhile.
                    worker = None;
                    self.judge(candidate)?;
                }
                Task::Play(pair) => {
                    let worker = match &mut worker {
                        Some(worker) => worker,
                        empty => {
                            let made = self.ladder.contest.worker(self.plan, 0);
                            empty.insert(made.map_err(Failure::failed)?)
                        }
                    };
                    self.play(pair, &mut **worker)?;
                }
            }
            self.changed.notify_all();
        }
    }

    fn next(&self) -> Task {
        let settings = self.ladder.settings;
        let rule = Rule {
            provisional: settings.ladder.provisional,
            games: 2 * settings.ladder.pairs,
            until_settled: self.until_settled,
            seed: settings.seed,
        };
        let mut state = self.lock();
        loop {
            if self.ending.load(Ordering::SeqCst) || self.control.is_interrupted() || state.error.is_some() {
                return Task::End;
            }
            if let Some(candidate) = state.next_candidate(settings.jobs()) {
                return Task::Judge(candidate);
            }
            if let Some(pair) = state.next_pair(self.plan, rule) {
                return Task::Play(pair);
            }
            state.resting += 1;
            let waited = self.changed.wait_timeout(state, Duration::from_millis(300));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.resting -= 1;
        }
    }

    fn judge(&self, candidate: Candidate) -> Result<(), Failure> {
        let Ladder { home, settings, examiner, contest, .. } = self.ladder;
        let team = candidate.team.clone();
        let judged = intake::judge(home, settings, examiner, &**contest, candidate)
            .inspect_err(|_| self.lock().give_up(&team))?;
        let word = if judged.judgement.accepted { "accepted" } else { "refused" };
        let wrong = judged.judgement.findings.iter().find(|note| note.verdict == "WRONG");
        let why = wrong.map_or(String::new(), |note| {
            let first = note.text.lines().next().unwrap_or_default();
            format!(" ({}: {})", note.check, arena::shown(first))
        });
        errln!("{}: {word}{why}", judged.team);
        let mut state = self.lock();
        state.take(judged);
        self.ladder.keep_roster(&state.roster)
    }

    /// Plays the games of a pair that are missing.
    fn play(&self, pair: Pair, worker: &mut dyn Worker) -> Result<(), Failure> {
        let mut unplayed = pair.games.iter().filter(|&&game| game).count() as u64;
        let played = self.play_games(pair, worker, &mut unplayed);
        self.lock().leave(pair, unplayed);
        played
    }

    fn play_games(&self, pair: Pair, worker: &mut dyn Worker, unplayed: &mut u64) -> Result<(), Failure> {
        let stop: StopFlag = StopFlag::default();
        for swapped in [false, true] {
            if !pair.games[usize::from(swapped)] {
                continue;
            }
            // Between its games a pair can be left; the other half is played later.
            if self.control.is_interrupted() {
                return Ok(());
            }
            let job = Job {
                index: 2 * pair.number + u64::from(swapped),
                event: 0,
                round: pair.round,
                pairing: pair.pairing,
                swapped,
            };
            match worker.play(&job, &stop) {
                Ok(mut game) => {
                    game.plan = self.ladder.class;
                    game.thoughts = Thoughts::default();
                    *unplayed -= 1;
                    self.lock().finish(&game)?;
                }
                Err(NoResult::Stopped) => return Ok(()),
                Err(NoResult::Start(player, problem)) => {
                    let bot = job.seats()[player.index()];
                    let name = &self.plan.bots[bot].name;
                    let mut state = self.lock();
                    if state.start_failed(name, problem)? {
                        errln!("{name} does not start any more and plays no longer");
                        self.ladder.keep_roster(&state.roster)?;
                    }
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
