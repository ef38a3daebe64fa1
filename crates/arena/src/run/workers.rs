//! The workers of a run: each plays one game after the other until there is nothing left to do.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use search_core::StopFlag;

use super::reuse::Reuse;
use super::state::{Next, State};
use super::{Control, RunError};
use crate::digest::Digest;
use crate::event::{Contest, Worker};
use crate::journal::{GameLine, line_bytes};
use crate::plan::Plan;
use crate::referee::NoResult;
use crate::schedule::Job;
use crate::tally::Counted;

/// What the workers share.
pub(super) struct Shared<'a> {
    pub(super) plan: &'a Plan,
    pub(super) plan_id: Digest,
    pub(super) contests: &'a [Box<dyn Contest>],
    pub(super) reuse: Mutex<Reuse>,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    pub(super) control: &'a Control,
    pub(super) stop: StopFlag,
}

/// Tells the others that a worker is gone, whatever happened to it.
pub(super) struct Leave<'a, 'b>(pub(super) &'a Shared<'b>);

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

    /// Plays games until there is nothing left to do.
    pub(super) fn work(&self) -> Result<(), RunError> {
        let mut workers: Vec<Option<Box<dyn Worker + '_>>> = Vec::new();
        workers.resize_with(self.contests.len(), || None);
        while let Some(job) = self.next_job() {
            let worker = match &mut workers[job.event] {
                Some(worker) => worker,
                empty => {
                    let made = self.contests[job.event].worker(self.plan, job.event);
                    empty.insert(made.map_err(RunError::Worker)?)
                }
            };
            let Some((line, reused)) = self.play(&job, &mut **worker)? else { continue };
            let bytes = line_bytes(&line);
            let counted = Counted::new(job, &line);
            let mut state = self.lock();
            if let Some(journal) = &mut state.journal {
                journal.write(&bytes)?;
            }
            if !reused {
                for bot in job.pairing {
                    state.failing[bot] = None;
                }
            }
            if let Some(counted) = counted {
                state.count_fresh(counted, reused);
            }
            if state.results.is_decided() {
                // What else is under way would not count.
                self.stop.stop();
                self.control.interrupt();
            }
            if state.swiss.is_some() {
                drop(state);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    fn next_job(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if self.control.is_interrupted() || state.error.is_some() {
                return None;
            }
            match state.next_job() {
                Next::Play(job) => return Some(job),
                Next::Nothing => return None,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(state, Duration::from_millis(200));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Plays a game or finds it in an earlier run; `None` if it has no result.
    fn play(&self, job: &Job, worker: &mut dyn Worker) -> Result<Option<(GameLine, bool)>, RunError> {
        let id = worker.game_id(job);
        let found = self.reuse.lock().unwrap_or_else(PoisonError::into_inner).find(id)?;
        if let Some(line) = found {
            let names = job.seats().map(|bot| self.plan.bots[bot].name.clone());
            let event = self.plan.events[job.event].name.clone();
            let line = GameLine {
                plan: self.plan_id,
                index: job.index,
                round: job.round,
                players: names,
                event,
                ..line
            };
            return Ok(Some((line, true)));
        }
        loop {
            match worker.play(job, &self.stop) {
                Ok(game) => return Ok(Some((GameLine::new(self.plan, self.plan_id, id, job, game), false))),
                Err(NoResult::Stopped) => return Ok(None),
                Err(NoResult::Start(player, problem)) => {
                    let mut state = self.lock();
                    if state.start_failed(self.plan, job, player, problem)? {
                        state.skip(job.event);
                        drop(state);
                        self.changed.notify_all();
                        return Ok(None);
                    }
                }
            }
        }
    }
}
