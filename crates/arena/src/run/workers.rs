//! The workers of a run: each plays one game after the other until there is nothing left to do.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use search_core::StopFlag;

use super::reuse::Reuse;
use super::state::{Next, State};
use super::{Control, RunError};
use crate::digest::Digest;
use crate::event::{Contest, Worker};
use crate::finished::FinishedGame;
use crate::journal::{Note, line_bytes};
use crate::plan::Plan;
use crate::referee::NoResult;
use crate::schedule::Job;
use crate::thoughts::Thoughts;

/// What the workers share.
pub(super) struct Shared<'a> {
    pub(super) plan: &'a Plan,
    pub(super) plan_id: Digest,
    pub(super) contests: &'a [Box<dyn Contest>],
    /// Whether the journal keeps what the bots thought.
    pub(super) thoughts: bool,
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
            let played = self.play(&job, &mut **worker);
            let mut state = self.lock();
            state.leave();
            // A game that must be alone keeps the others waiting.
            self.changed.notify_all();
            let Some((game, reused)) = played? else { continue };
            drop(state);
            let bytes = line_bytes(&game);
            let mut state = self.lock();
            if let Some(journal) = &mut state.journal {
                journal.write(&bytes)?;
            }
            if !reused {
                for bot in job.pairing {
                    state.failing[bot] = None;
                }
            }
            state.count_fresh(job, game, reused);
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
    fn play(&self, job: &Job, worker: &mut dyn Worker) -> Result<Option<(FinishedGame, bool)>, RunError> {
        let id = worker.game_id(job);
        let found = self.reuse.lock().unwrap_or_else(PoisonError::into_inner).find(id)?;
        let names = job.seats().map(|bot| self.plan.bots[bot].name.clone());
        if let Some(mut game) = found {
            game.plan = self.plan_id;
            game.index = job.index;
            game.round = job.round;
            game.event.clone_from(&self.plan.events[job.event].name);
            game.course.players = names;
            return Ok(Some((game, true)));
        }
        let outside =
            job.pairing.iter().any(|&bot| self.contests[job.event].is_outside(&self.plan.bots[bot].spec));
        if outside {
            self.note(&Note::Begun { plan: self.plan_id, game: job.index, players: names }, true)?;
        }
        loop {
            match worker.play(job, &self.stop) {
                Ok(mut game) => {
                    if !self.thoughts {
                        game.thoughts = Thoughts::default();
                    }
                    return Ok(Some((game, false)));
                }
                Err(NoResult::Stopped) => break,
                Err(NoResult::Start(player, problem)) => {
                    let mut state = self.lock();
                    if state.start_failed(self.plan, job, player, problem)? {
                        state.skip(job.event);
                        break;
                    }
                }
            }
        }
        if outside {
            self.note(&Note::Left { plan: self.plan_id, game: Some(job.index) }, false)?;
        }
        Ok(None)
    }

    /// Writes a note into the journal, and to the disk if it must be there before anything else happens.
    fn note(&self, note: &Note, sync: bool) -> Result<(), RunError> {
        let mut state = self.lock();
        let Some(journal) = &mut state.journal else { return Ok(()) };
        journal.note(note)?;
        let syncer = if sync { Some(journal.syncer()?) } else { None };
        drop(state);
        // Not under the lock: other games go on.
        Ok(syncer.map_or(Ok(()), |mut syncer| syncer.sync())?)
    }
}
