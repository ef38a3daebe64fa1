//! Playing the pairs of a piece: nothing is kept but what is handed back at the end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::PairToPlay;
use crate::event::{Contest, Worker};
use crate::finished::FinishedGame;
use crate::plan::Plan;
use crate::referee::NoResult;
use crate::run::{Control, RunError};
use crate::schedule::Job;
use crate::thoughts::Thoughts;

/// The number of failures to start in a row that is no longer chance.
const START_FAILURES: u32 = 3;

/// Plays both games of each pair with this many workers, and hands them back in the order of the plan; nothing if somebody
/// interrupted it. `told` hears of every finished game. A bot that cannot be started is an error: on another machine it may start.
pub fn play_pairs(
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    pairs: &[PairToPlay],
    jobs: usize,
    thoughts: bool,
    control: &Control,
    told: &(dyn Fn() + Sync),
) -> Result<Option<Vec<FinishedGame>>, RunError> {
    plan.check()?;
    let mut games = Vec::new();
    for pair in pairs {
        games.extend(pair.jobs(plan).map_err(RunError::Worker)?);
    }
    let (next, finished, error) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
    let (stop, lost) = (control.stop_flag(), AtomicBool::new(false));
    let work = || -> Result<(), RunError> {
        let mut workers: Vec<Option<Box<dyn Worker + '_>>> = Vec::new();
        workers.resize_with(contests.len(), || None);
        while let Some(job) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            if control.is_interrupted() || lost.load(Ordering::Relaxed) {
                return Ok(());
            }
            let worker = match &mut workers[job.event] {
                Some(worker) => worker,
                empty => empty.insert(contests[job.event].worker(plan, job.event).map_err(RunError::Worker)?),
            };
            let Some(mut game) = play(plan, job, &mut **worker, &stop)? else { return Ok(()) };
            if !thoughts {
                game.thoughts = Thoughts::default();
            }
            finished.lock().unwrap_or_else(PoisonError::into_inner).push(game);
            told();
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, games.len().max(1)) {
            scope.spawn(|| {
                if let Err(problem) = work() {
                    // The piece is lost; the others need not begin another game. Whoever called may go on with another piece.
                    lost.store(true, Ordering::Relaxed);
                    error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
                }
            });
        }
    });
    if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    finished.sort_unstable_by_key(|game| game.index);
    Ok((finished.len() == games.len()).then_some(finished))
}

/// Plays a game; nothing if it was stopped.
fn play(
    plan: &Plan,
    job: &Job,
    worker: &mut dyn Worker,
    stop: &search_core::StopFlag,
) -> Result<Option<FinishedGame>, RunError> {
    let mut failures = 0;
    loop {
        match worker.play(job, stop) {
            Ok(game) => return Ok(Some(game)),
            Err(NoResult::Stopped) => return Ok(None),
            Err(NoResult::Start(player, problem)) => {
                failures += 1;
                if failures == START_FAILURES {
                    return Err(RunError::Bot {
                        bot: plan.bots[job.seats()[player.index()]].name.clone(),
                        event: plan.events[job.event].name.clone(),
                        problem,
                    });
                }
            }
        }
    }
}
