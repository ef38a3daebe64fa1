//! Tournaments in pieces: the units are pairs. A Swiss tournament hands out a round at a time, a sequential test as many pairs as
//! its pieces hold until it has ended.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use arena::pieces::{Gathering, PairToPlay, first_round, play_pairs};
use arena::ugi::OutsideSpec;
use arena::{Contest, Control, Digest, Format, JournalError, RunError, Schedule, Summary};
use serde_json::{Value, json};

use super::{Collection, Description, Kind, Machines, Next, Wave, Work};
use crate::program::commands::tournament::{Prepared, Settings};
use crate::program::report::contests_of;
use crate::program::run_folder::RunFolder;
use crate::program::{App, Failure};

/// Pairs in each piece of a sequential test: few, because it is not known how many are needed.
const PAIRS_OF_A_TEST: u64 = 8;

/// The kind `tournament`.
pub(crate) struct Tournament;

impl Kind for Tournament {
    fn name(&self) -> &'static str {
        "tournament"
    }

    fn open(&self, app: &App, description: &Description) -> Result<Box<dyn Work>, Failure> {
        let settings = Settings::of_text(description.name.clone(), description.text.clone())?;
        let settings = Settings { time_scale: Some(description.time_scale), ..settings };
        if settings.shard.is_some() || !settings.reuse.is_empty() {
            return Err(Failure::usage(
                "a tournament in pieces takes neither shard nor reuse: take them out of the file",
            ));
        }
        let prepared = Prepared::new(app, settings)?;
        let unplayed = contests_of(app, &prepared.plan)?;
        let adapters = app.adapters();
        let specs = prepared.plan.bots.iter().map(|bot| &bot.spec);
        let own = specs.filter(|spec| matches!(OutsideSpec::parse(spec, &adapters), Ok(None))).cloned();
        let own = own.collect::<BTreeSet<String>>().into_iter().collect();
        Ok(Box::new(Pairs { prepared, unplayed, own }))
    }
}

/// A tournament whose units are pairs.
struct Pairs {
    prepared: Prepared,
    /// The events for holding games against the rules.
    unplayed: Vec<Box<dyn Contest>>,
    /// The specs of the bots that are not programs.
    own: Vec<String>,
}

impl Pairs {
    fn all(&self) -> u64 {
        Schedule::new(&self.prepared.plan).pairs()
    }

    /// Pairs from `from` on whose pairings are fixed: of a test as many as make `pieces` pieces, else all.
    fn fixed(&self, from: u64, pieces: u64) -> Wave<'_> {
        let plan = &self.prepared.plan;
        let most = if plan.sprt.is_some() { pieces.saturating_mul(PAIRS_OF_A_TEST) } else { u64::MAX };
        let content = |units: Range<u64>| {
            let pairs: Vec<PairToPlay> = units.filter_map(|pair| PairToPlay::fixed(plan, pair)).collect();
            json!({ "pairs": pairs })
        };
        Wave { units: from..from.saturating_add(most).min(self.all()), content: Box::new(content) }
    }
}

/// A Swiss round, whose pairs are numbered one after the other.
fn round_of(pairs: Vec<PairToPlay>) -> Wave<'static> {
    let units = pairs.first().map_or(0..0, |first| first.pair..first.pair + pairs.len() as u64);
    let from = units.start;
    let content = move |units: Range<u64>| json!({ "pairs": pairs[(units.start - from) as usize..(units.end - from) as usize] });
    Wave { units, content: Box::new(content) }
}

impl Work for Pairs {
    fn id(&self) -> Digest {
        self.prepared.plan.id()
    }

    fn description(&self) -> Result<String, Failure> {
        self.prepared.settings.kept_text()
    }

    fn about(&self) -> String {
        let plan = &self.prepared.plan;
        let names = |names: Vec<&str>| names.join(", ");
        format!(
            "{} games of {} by {}",
            2 * self.all(),
            names(plan.events.iter().map(|event| event.name.as_str()).collect()),
            names(plan.bots.iter().map(|bot| bot.name.as_str()).collect())
        )
    }

    fn units(&self) -> &'static str {
        "pairs"
    }

    fn games(&self) -> Vec<String> {
        let mut games: Vec<String> =
            self.prepared.plan.events.iter().map(|event| event.game.clone()).collect();
        games.sort();
        games.dedup();
        games
    }

    fn bots(&self, _: &str) -> Vec<String> {
        self.own.clone()
    }

    fn is_timed(&self) -> bool {
        self.prepared.is_timed()
    }

    fn first(&self, pieces: u64) -> Result<Wave<'_>, Failure> {
        Ok(match self.prepared.plan.format {
            Format::Swiss => round_of(first_round(&self.prepared.plan)),
            Format::RoundRobin | Format::Gauntlet => self.fixed(0, pieces),
        })
    }

    fn play(
        &self,
        content: &Value,
        jobs: usize,
        control: &Control,
        told: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<String>>, Failure> {
        let pairs: Vec<PairToPlay> = content
            .get("pairs")
            .and_then(|pairs| serde_json::from_value(pairs.clone()).ok())
            .ok_or_else(|| Failure::usage("expected a piece with `pairs` to play"))?;
        let thoughts = !self.prepared.settings.no_thoughts;
        let Prepared { plan, contests, .. } = &self.prepared;
        let played =
            play_pairs(plan, contests, &pairs, jobs, thoughts, control, told).map_err(Failure::failed)?;
        let lines = |games: Vec<arena::FinishedGame>| {
            games.iter().map(|game| String::from_utf8_lossy(&arena::line_bytes(game)).into_owned()).collect()
        };
        Ok(played.map(lines))
    }

    fn collection<'a>(&'a self, out: &Path) -> Result<Box<dyn Collection + 'a>, Failure> {
        let folder = RunFolder::at(out.to_owned());
        let plan = &self.prepared.plan;
        let settings = self.prepared.settings.kept_text()?;
        if !folder.has_games() {
            folder.make()?;
            folder.write_plan(plan)?;
            folder.write("tournament.toml", &settings)?;
        }
        let gathering =
            Gathering::open(plan, folder.journal(), Some(&settings)).map_err(|error| match error {
                RunError::Journal(JournalError::Locked(_)) => Failure::in_use(error),
                error => Failure::failed(error),
            })?;
        for problem in gathering.problems() {
            errln!("{}: {problem}", folder.journal().display());
        }
        Ok(Box::new(Games { work: self, folder, gathering: Mutex::new(gathering), no_faults: false }))
    }
}

/// The games of a tournament that is collected into a run folder.
struct Games<'a> {
    work: &'a Pairs,
    folder: RunFolder,
    gathering: Mutex<Gathering<'a>>,
    no_faults: bool,
}

impl<'a> Games<'a> {
    fn with<T>(&self, look: impl FnOnce(&mut Gathering<'a>) -> T) -> T {
        look(&mut self.gathering.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Collection for Games<'_> {
    fn has(&self, mut units: Range<u64>) -> bool {
        self.with(|gathering| units.all(|pair| gathering.has(pair)))
    }

    fn take(&self, units: Range<u64>, lines: &[&str]) -> Result<Option<String>, Failure> {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        // Reading and holding against the rules is most of the work, and needs no lock.
        let games = match Gathering::read(&self.work.prepared.plan, &self.work.unplayed, &lines) {
            Ok(games) => games,
            Err(problem) => return Ok(Some(problem.to_string())),
        };
        let expected = 2 * units.start..2 * units.end;
        if !games.iter().map(|(job, _)| job.index).eq(expected.clone()) {
            return Ok(Some(format!("expected games {} to {}", expected.start, expected.end - 1)));
        }
        self.with(|gathering| match gathering.objection(&games) {
            Some(problem) => Ok(Some(problem)),
            None => gathering.add(games, &lines).map(|()| None),
        })
        .map_err(|error: RunError| Failure::failed(error))
    }

    fn leave_out_faults(&mut self) -> Result<(), Failure> {
        self.no_faults = true;
        Ok(())
    }

    fn finish(&mut self, machines: &Machines) -> Result<Vec<String>, Failure> {
        let no_faults = self.no_faults;
        let gathering = self.gathering.get_mut().unwrap_or_else(PoisonError::into_inner);
        gathering.sync().map_err(Failure::failed)?;
        let mut summary: Summary = self.work.prepared.summary(gathering.results(), no_faults);
        summary.time_scales = machines.time_scales();
        self.folder.write_summary(&summary)?;
        let events = summary.events.iter().map(|event| arena::event_text(&event.standings));
        Ok(events.chain(arena::sprt_text(&summary)).collect())
    }

    fn next(&self, given: u64, pieces: u64, missing: u64) -> Result<Next<'_>, Failure> {
        let plan = &self.work.prepared.plan;
        if self.with(|gathering| gathering.results().is_decided()) {
            return Ok(Next::Done);
        }
        if given < self.work.all() {
            if plan.format == Format::Swiss {
                let round = if missing == 0 {
                    self.with(|gathering| gathering.next_round()).map_err(Failure::failed)?
                } else {
                    None
                };
                return Ok(round.map_or(Next::Wait, |pairs| Next::Wave(round_of(pairs))));
            }
            // Whether a test goes on is known before the last pieces are in; there is no need to wait for them.
            return Ok(if 2 * missing > pieces {
                Next::Wait
            } else {
                Next::Wave(self.work.fixed(given, pieces))
            });
        }
        Ok(if missing == 0 { Next::Done } else { Next::Wait })
    }
}
