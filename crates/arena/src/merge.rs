//! Finished journals: counting one, and joining several of the same plan.

use std::collections::BTreeMap;
use std::path::PathBuf;

use search_core::Outcome;

use crate::count::count_journal;
use crate::disk::DiskPath;
use crate::event::Contest;
use crate::finished::FinishedGame;
use crate::game_result::Fault;
use crate::journal::{
    Journal, JournalError, LineProblem, Note, Place, PlacedGames, line_bytes, read_first_line,
};
use crate::plan::Plan;
use crate::results::Results;
use crate::run::RunError;
use crate::schedule::Job;

/// What a journal holds.
#[derive(Debug)]
pub struct Collected {
    /// The plan.
    pub plan: Plan,
    /// The results.
    pub results: Results,
    /// Lines that were left out.
    pub problems: Vec<LineProblem>,
    /// Where the games stand, in the order of the journal.
    pub(crate) games: Vec<Sighting>,
    /// Of each bot of the plan the first game, in the order of the plan, in which it failed, with the failure.
    pub first_faults: Vec<Option<(u64, Fault)>>,
}

/// A game of a journal: what decides whether it is shown, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sighting {
    pub(crate) job: Job,
    pub(crate) outcome: Outcome,
    pub(crate) by_failure: bool,
    pub(crate) offset: u64,
}

/// The plan of a journal, from its first line.
pub fn plan_of(path: impl Into<DiskPath>) -> Result<Plan, RunError> {
    let path = path.into();
    let first = read_first_line(&path)?;
    Ok(first.map(|(plan, _)| plan).ok_or_else(|| JournalError::NoPlan(path.path().to_owned()))?)
}

/// Counts a journal of this plan. `contests` are the events of the plan: every game is held against their rules. Without
/// any nothing is checked, which is enough for a quick look.
pub fn collect(
    path: impl Into<DiskPath>,
    plan: &Plan,
    contests: &[Box<dyn Contest>],
) -> Result<Collected, RunError> {
    plan.check()?;
    let begin = || {
        let faults = vec![None; plan.bots.len()];
        Collected {
            plan: plan.clone(),
            results: Results::new(plan),
            problems: Vec::new(),
            games: Vec::new(),
            first_faults: faults,
        }
    };
    let counted = count_journal(plan, &path.into(), contests, begin, Collected::add)?;
    let mut collected = counted.count;
    collected.problems = counted.problems;
    collected.results.note(&counted.scan);
    Ok(collected)
}

impl Collected {
    fn add(&mut self, job: Job, game: FinishedGame, place: Place) {
        let FinishedGame { result, .. } = &game;
        for fault in &result.faults {
            let first = &mut self.first_faults[job.seats()[fault.player.index()]];
            if first.as_ref().is_none_or(|&(earlier, _)| job.index < earlier) {
                *first = Some((job.index, fault.clone()));
            }
        }
        self.games.push(Sighting {
            job,
            outcome: result.outcome,
            by_failure: !result.faults.is_empty(),
            offset: place.offset,
        });
        self.results.add(job, game);
    }
}

/// Joins journals of one plan, all on one disk, into a new one at `target`, in the order of the plan. A game that is in several counts only if it
/// went the same way in all of them. Gives back what was left out, with the journals. `contests` are the events of the plan; `settings`
/// are kept in the first line, so that the run can be gone on with.
pub fn merge(
    sources: &[PathBuf],
    target: impl Into<DiskPath>,
    plan: &Plan,
    contests: &[Box<dyn Contest>],
    settings: Option<&str>,
) -> Result<Vec<(PathBuf, LineProblem)>, RunError> {
    if sources.is_empty() {
        return Err(RunError::NoJournal);
    }
    plan.check()?;
    let target = target.into();
    let mut problems = Vec::new();
    // Where each game is, and how it went; the lines themselves stay in their files. `None` where two disagree.
    let mut places: BTreeMap<u64, Option<Found>> = BTreeMap::new();
    // A bot withdrawn from a part is out of the whole: the part has no games of it.
    let mut withdrawn: BTreeMap<String, String> = BTreeMap::new();
    let mut void = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        let counted = count_journal(plan, &target.beside(source), contests, || (), |(), _, _, _| {})?;
        problems.extend(counted.problems.into_iter().map(|problem| (source.clone(), problem)));
        withdrawn.extend(counted.scan.withdrawn);
        void.extend(counted.scan.void);
        let mut games: Vec<_> = counted.games.into_iter().collect();
        games.sort_unstable_by_key(|(index, _)| *index);
        for (index, known) in games {
            let found = Found { source: number, place: known.place, fingerprint: known.fingerprint };
            let entry = places.entry(index).or_insert(Some(found));
            let Some(other) = *entry else { continue };
            if other.fingerprint != known.fingerprint {
                let problem = format!(
                    "game {index} does not count: line {} of {} tells something different of it",
                    other.place.line,
                    sources[other.source].display()
                );
                problems.push((source.clone(), LineProblem { line: known.place.line, problem }));
                *entry = None;
            }
        }
    }
    let mut journal = Journal::open(&target)?;
    if !journal.is_empty()? {
        return Err(RunError::Exists(target.path().to_owned()));
    }
    journal.begin(plan, settings)?;
    let mut games = sources
        .iter()
        .map(|source| PlacedGames::open(target.beside(source)))
        .collect::<Result<Vec<_>, JournalError>>()?;
    for found in places.values().flatten() {
        if let Some(game) = games[found.source].at(found.place.offset)? {
            journal.write(&line_bytes(&game))?;
        }
    }
    for (bot, problem) in &withdrawn {
        journal.withdraw(plan.id(), bot, Some(problem))?;
    }
    for (game, void) in void.into_iter().filter(|(game, _)| !places.contains_key(game)) {
        let (players, problem) = (void.players, void.problem);
        journal.note(&Note::Void { plan: plan.id(), game, players, problem })?;
    }
    journal.syncer()?.sync()?;
    Ok(problems)
}

/// A game of one of the journals.
#[derive(Debug, Clone, Copy)]
struct Found {
    source: usize,
    place: Place,
    fingerprint: u64,
}
