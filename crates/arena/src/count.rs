//! Counting the games of a journal: each once, and none that cannot have gone as its line says.

use std::collections::HashMap;

use crate::disk::DiskPath;
use crate::event::{Contest, Worker};
use crate::finished::FinishedGame;
use crate::journal::{LineProblem, Place, Scan, read_journal};
use crate::plan::Plan;
use crate::results::Results;
use crate::run::RunError;
use crate::schedule::{Format, Job};

/// Holds games against the rules.
pub(crate) struct GameCheck<'a> {
    plan: &'a Plan,
    contests: &'a [Box<dyn Contest>],
    workers: Vec<Option<Box<dyn Worker + 'a>>>,
}

impl<'a> GameCheck<'a> {
    /// Without contests nothing is checked.
    pub(crate) fn new(plan: &'a Plan, contests: &'a [Box<dyn Contest>]) -> GameCheck<'a> {
        let mut workers = Vec::new();
        workers.resize_with(contests.len(), || None);
        GameCheck { plan, contests, workers }
    }

    pub(crate) fn check(&mut self, job: &Job, game: &FinishedGame) -> Result<(), String> {
        let Some(contest) = self.contests.get(job.event) else { return Ok(()) };
        let worker = match &mut self.workers[job.event] {
            Some(worker) => worker,
            empty => empty.insert(contest.worker(self.plan, job.event)?),
        };
        worker.check(job, game)
    }
}

/// What a journal holds, counted into `count`.
pub(crate) struct CountedJournal<C> {
    pub(crate) count: C,
    pub(crate) scan: Scan,
    /// Lines that were left out.
    pub(crate) problems: Vec<LineProblem>,
    /// Games of which two lines tell different things, so that none counts; with what is wrong.
    pub(crate) disputed: Vec<(u64, String)>,
    /// How each game went, by its number.
    pub(crate) games: HashMap<u64, Known>,
}

/// A game that counts: its line, and how it went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) place: Place,
    pub(crate) fingerprint: u64,
}

/// Reads a journal and counts each game of the plan once. `contests` are the events of the plan, by whose rules every game
/// is checked; none for a quick look. `begin` makes an empty count, `add` puts a game into it.
pub(crate) fn count_journal<C>(
    plan: &Plan,
    path: &DiskPath,
    contests: &[Box<dyn Contest>],
    begin: impl Fn() -> C,
    mut add: impl FnMut(&mut C, Job, FinishedGame, Place),
) -> Result<CountedJournal<C>, RunError> {
    let mut checker = GameCheck::new(plan, contests);
    // Games of which no line up to this one counts. What is found on the way is too late for the games that are counted
    // already, so then all is counted again; that is rare.
    let mut barred: HashMap<u64, u64> = HashMap::new();
    let mut disputed: HashMap<u64, String> = HashMap::new();
    loop {
        let mut count = begin();
        let mut games: HashMap<u64, Known> = HashMap::new();
        let mut problems = Vec::new();
        let mut late: Vec<(Job, FinishedGame, Place)> = Vec::new();
        let mut again = false;
        let mut scan = read_journal(path, Some(plan.id()), |place, mut game| {
            if barred.get(&game.index).is_some_and(|&until| place.line <= until) {
                return;
            }
            let checked =
                Results::job_of(plan, &game).and_then(|job| checker.check(&job, &game).map(|()| job));
            let job = match checked {
                Ok(job) => job,
                Err(problem) => return problems.push(LineProblem { line: place.line, problem }),
            };
            let fingerprint = game.fingerprint();
            if let Some(known) = games.get(&game.index) {
                if known.fingerprint != fingerprint {
                    let lines = (known.place.line, place.line);
                    let problem = format!("lines {} and {} tell different things of it", lines.0, lines.1);
                    disputed.insert(game.index, problem);
                    barred.insert(game.index, place.line);
                    again = true;
                }
                return;
            }
            games.insert(game.index, Known { place, fingerprint });
            if plan.format == Format::Swiss {
                // Pairings depend on the rounds before: these are counted in the order of the plan.
                game.thoughts = crate::Thoughts::default();
                late.push((job, game, place));
            } else {
                add(&mut count, job, game, place);
            }
        })?;
        for (&game, &line) in &scan.struck {
            if barred.get(&game).is_none_or(|&until| until < line) {
                barred.insert(game, line);
                again = true;
            }
            // What struck the lines has reported them.
            disputed.remove(&game);
        }
        if again {
            continue;
        }
        late.sort_by_key(|(job, _, _)| job.index);
        for (job, game, place) in late {
            add(&mut count, job, game, place);
        }
        let mut all = std::mem::take(&mut scan.problems);
        all.append(&mut problems);
        let mut disputed: Vec<(u64, String)> =
            disputed.into_iter().filter(|(game, _)| !games.contains_key(game)).collect();
        disputed.sort();
        all.extend(disputed.iter().map(|(game, problem)| LineProblem {
            line: barred.get(game).copied().unwrap_or_default(),
            problem: format!("game {game} does not count: {problem}"),
        }));
        all.sort_by_key(|problem| problem.line);
        return Ok(CountedJournal { count, scan, problems: all, disputed, games });
    }
}
