//! Finished journals: counting one, and joining several of the same plan.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::journal::{
    Journal, JournalError, LineProblem, PlacedGames, line_bytes, read_journal, read_journal_at,
};
use crate::plan::Plan;
use crate::results::Results;
use crate::run::RunError;
use crate::tally::Counted;

/// What a journal holds.
#[derive(Debug)]
pub struct Collected {
    /// The plan.
    pub plan: Plan,
    /// The results.
    pub results: Results,
    /// Lines that were left out.
    pub problems: Vec<LineProblem>,
    /// For each bot of the plan, if it was withdrawn, the problem that its last such line tells.
    pub withdrawn: Vec<Option<String>>,
}

/// Counts a journal. Its plan comes from its first line, or is handed in (from the run folder) if that is damaged.
pub fn collect(path: &Path, plan: Option<Plan>) -> Result<Collected, RunError> {
    let plan = match plan {
        Some(plan) => plan,
        None => read_journal(path, None, |_, _| {})?.plan.ok_or(JournalError::NoPlan(path.to_owned()))?,
    };
    plan.check()?;
    let mut results = Results::new(&plan);
    let mut problems = Vec::new();
    let mut seen: HashMap<u64, u64> = HashMap::new();
    let mut disagreement = None;
    let scan = read_journal(path, Some(plan.id()), |number, line| match Results::job_of(&plan, &line) {
        Ok(job) => {
            let Some(counted) = Counted::new(job, &line) else { return };
            match seen.insert(line.index, counted.fingerprint()) {
                None => results.add(counted),
                Some(before) if before == counted.fingerprint() => {}
                Some(_) => disagreement = Some(line.index),
            }
        }
        Err(problem) => problems.push(LineProblem { line: number, problem }),
    })?;
    if let Some(index) = disagreement {
        return Err(RunError::Disagreement { first: path.to_owned(), second: path.to_owned(), index });
    }
    let withdrawn = plan.bots.iter().map(|bot| scan.withdrawn.get(&bot.name).cloned()).collect();
    let mut all = scan.problems;
    all.extend(problems);
    Ok(Collected { plan, results, problems: all, withdrawn })
}

/// Joins journals of one plan into a new one at `target`, in the order of the plan. A game that is in several must have
/// gone the same way in all of them. Gives back the lines left out, with their journals.
pub fn merge(sources: &[PathBuf], target: &Path) -> Result<(Plan, Vec<(PathBuf, LineProblem)>), RunError> {
    let mut plan: Option<Plan> = None;
    let mut problems = Vec::new();
    // Where each game is, and how it went; the lines themselves stay in their files.
    let mut places: BTreeMap<u64, (usize, u64, u64)> = BTreeMap::new();
    // Whoever was withdrawn from a part is out of the whole: the part has no games of it.
    let mut withdrawn: BTreeMap<String, String> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        let expected = plan.as_ref().map(Plan::id);
        let scan = read_journal(source, expected, |_, _| {})?;
        problems.extend(scan.problems.into_iter().map(|problem| (source.clone(), problem)));
        withdrawn.extend(scan.withdrawn);
        let Some(here) = plan.take().or(scan.plan) else {
            return Err(JournalError::NoPlan(source.clone()).into());
        };
        // Whole lines whose game the plan does not have are told as well.
        read_journal(source, expected, |line, game| {
            if let Err(problem) = Results::job_of(&here, &game) {
                problems.push((source.clone(), LineProblem { line, problem }));
            }
        })?;
        let mut disagreement = None;
        read_journal_at(source, |offset, line| {
            let Some(counted) = Results::job_of(&here, &line).ok().and_then(|job| Counted::new(job, &line))
            else {
                return;
            };
            let entry = places.entry(line.index).or_insert((number, offset, counted.fingerprint()));
            if entry.2 != counted.fingerprint() {
                disagreement = Some((entry.0, line.index));
            }
        })?;
        if let Some((first, index)) = disagreement {
            let (first, second) = (sources[first].clone(), source.clone());
            return Err(RunError::Disagreement { first, second, index });
        }
        plan = Some(here);
    }
    let plan = plan.ok_or(RunError::NoJournal)?;
    let mut journal = Journal::open(target)?;
    if !journal.is_empty()? {
        return Err(RunError::Exists(target.to_owned()));
    }
    journal.begin(&plan)?;
    let mut games =
        sources.iter().map(|source| PlacedGames::open(source)).collect::<Result<Vec<_>, JournalError>>()?;
    for (number, offset, _) in places.into_values() {
        if let Some(line) = games[number].at(offset)? {
            journal.write(&line_bytes(&line))?;
        }
    }
    for (bot, problem) in &withdrawn {
        journal.withdraw(plan.id(), bot, Some(problem))?;
    }
    journal.syncer()?.sync()?;
    Ok((plan, problems))
}
