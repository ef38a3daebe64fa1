//! The report: one page that holds everything and needs no network.

mod film;
mod page;
mod plot;

use std::collections::BTreeMap;
use std::io;

use film::script_json;
pub use film::{Drawer, Reel};
use search_core::{Outcome, split_mix};

use crate::disk::DiskPath;
use crate::event::Contest;
use crate::finished::FinishedGame;
use crate::journal::PlacedGames;
use crate::machine::Machine;
use crate::merge::{Collected, Sighting};
use crate::run::RunError;
use crate::summary::Summary;

/// How many games of each kind stand in the page itself, for each event.
const FORFEITS: usize = 12;
const UPSETS: usize = 12;
const SAMPLE: usize = 30;
/// The tag of games whose results do not count because a bot was withdrawn.
const VOIDED: &str = "voided";
/// The most bytes of the page, roughly, that the films of all events together take.
const PAGE_BYTES: usize = 12_000_000;
/// How many games stand in one side file, and how many side files are written for an event.
const SIDE_GAMES: usize = 100;
const SIDE_FILES: usize = 20;

/// What a report is made from.
#[derive(Debug)]
pub struct ReportInput<'a> {
    /// The plan and its results.
    pub collected: &'a Collected,
    /// The same, summed up.
    pub summary: &'a Summary,
    /// The journal, for the games.
    pub journal: DiskPath,
    /// The machine, if it is known.
    pub machine: Option<&'a Machine>,
    /// How long the run took, in seconds, and with how many jobs, if that is known.
    pub duration: Option<(f64, u64)>,
}

/// Writes the report. `write` gets each file by name: side files `games/…` first, `report.html` last.
pub fn write_report(
    input: &ReportInput<'_>,
    contests: &[Box<dyn Contest>],
    write: &mut dyn FnMut(&str, &str) -> io::Result<()>,
) -> Result<(), ReportError> {
    let Collected { plan, results, games, .. } = input.collected;
    let mut picks: Vec<Picks> =
        input.summary.events.iter().map(|event| Picks::new(event, &results.withdrawn)).collect();
    for game in games {
        picks[game.job.event].consider(game);
    }
    let wanted: Vec<BTreeMap<u64, &'static str>> = picks.iter().map(Picks::chosen).collect();

    let mut reels: Vec<Reel> = plan.events.iter().map(|_| Reel::default()).collect();
    let mut side: Vec<SideFiles> = plan.events.iter().map(|event| SideFiles::new(&event.name)).collect();
    let mut lines = PlacedGames::open(&input.journal).map_err(RunError::from)?;
    for seen in games {
        let event = seen.job.event;
        let bytes: usize = reels.iter().map(Reel::bytes).sum();
        let voided = picks[event].is_voided(seen);
        let in_page = wanted[event].get(&seen.job.index).filter(|_| bytes < PAGE_BYTES);
        if in_page.is_none() && side[event].is_full() {
            side[event].left_out += 1;
            continue;
        }
        let gone = || ReportError::Games(format!("game {} is no longer in the journal", seen.job.index));
        let game = lines.at(seen.offset).map_err(RunError::from)?.ok_or_else(gone)?;
        let contest = &*contests[event];
        match in_page {
            Some(tag) => contest.film(&game, if voided { VOIDED } else { tag }, &mut reels[event]),
            None => side[event].add(&game, if voided { VOIDED } else { "" }, contest, write),
        }
        .map_err(ReportError::Games)?;
    }
    for files in &mut side {
        files.flush(write).map_err(ReportError::Games)?;
    }
    let pages: Vec<page::EventPage<'_>> = input
        .summary
        .events
        .iter()
        .zip(&input.collected.results.tallies)
        .zip(reels.iter().zip(&side))
        .map(|((summary, tally), (reel, side))| page::EventPage {
            summary,
            tally,
            bots: &plan.bots,
            reel,
            side: &side.names,
            left_out: side.left_out,
        })
        .collect();
    write("report.html", &page::render(input, &pages)).map_err(ReportError::Io)
}

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] RunError),
    /// A game of the journal cannot be replayed.
    #[error("{0}")]
    Games(String),
    /// A file cannot be written.
    #[error("cannot write the report: {0}")]
    Io(io::Error),
}

/// Chooses the games that stand in the page: failures, upsets, and a sample that does not depend on their order.
struct Picks {
    /// By the bots' numbers in the plan.
    ratings: BTreeMap<usize, f64>,
    withdrawn: Vec<usize>,
    voided: Vec<u64>,
    forfeits: Vec<u64>,
    /// By how many Elo points the winner was the weaker one.
    upsets: Vec<(i64, u64)>,
    sample: Vec<(u64, u64)>,
}

impl Picks {
    fn new(event: &crate::summary::EventSummary, withdrawn: &[Option<String>]) -> Picks {
        let rows = &event.standings.rows;
        Picks {
            ratings: rows.iter().filter_map(|row| Some((row.number, row.elo?))).collect(),
            withdrawn: (0..withdrawn.len()).filter(|&bot| withdrawn[bot].is_some()).collect(),
            voided: Vec::new(),
            forfeits: Vec::new(),
            upsets: Vec::new(),
            sample: Vec::new(),
        }
    }

    fn is_voided(&self, game: &Sighting) -> bool {
        game.job.pairing.iter().any(|bot| self.withdrawn.contains(bot))
    }

    fn consider(&mut self, game: &Sighting) {
        let index = game.job.index;
        if self.is_voided(game) {
            self.voided.push(index);
            self.voided.sort_unstable();
            self.voided.truncate(FORFEITS);
            return;
        }
        if game.by_failure {
            self.forfeits.push(index);
            self.forfeits.sort_unstable();
            self.forfeits.truncate(FORFEITS);
        }
        let seats = game.job.seats();
        let rating = |seat: usize| self.ratings.get(&seats[seat]).copied().unwrap_or(0.0);
        let gap = match game.outcome {
            Outcome::Win(winner) => rating(winner.opponent().index()) - rating(winner.index()),
            Outcome::Draw => 0.0,
        };
        // Below fifty points it is no upset.
        if gap > 50.0 && !game.by_failure {
            self.upsets.push((-gap as i64, index));
            self.upsets.sort_unstable();
            self.upsets.truncate(UPSETS);
        }
        self.sample.push((split_mix(index), index));
        self.sample.sort_unstable();
        self.sample.truncate(SAMPLE);
    }

    fn chosen(&self) -> BTreeMap<u64, &'static str> {
        let mut chosen: BTreeMap<u64, &'static str> =
            self.sample.iter().map(|&(_, index)| (index, "")).collect();
        chosen.extend(self.upsets.iter().map(|&(_, index)| (index, "upset")));
        chosen.extend(self.forfeits.iter().map(|&index| (index, "forfeit")));
        chosen.extend(self.voided.iter().map(|&index| (index, VOIDED)));
        chosen
    }
}

/// The games that do not stand in the page: files that it loads when asked.
struct SideFiles {
    event: String,
    names: Vec<(String, usize)>,
    reel: Reel,
    left_out: u64,
}

impl SideFiles {
    fn new(event: &str) -> SideFiles {
        SideFiles { event: event.to_owned(), names: Vec::new(), reel: Reel::default(), left_out: 0 }
    }

    /// Whether further games stand in the journal only.
    fn is_full(&self) -> bool {
        self.names.len() >= SIDE_FILES
    }

    fn add(
        &mut self,
        game: &FinishedGame,
        tag: &'static str,
        contest: &dyn Contest,
        write: &mut dyn FnMut(&str, &str) -> io::Result<()>,
    ) -> Result<(), String> {
        contest.film(game, tag, &mut self.reel)?;
        if self.reel.len() >= SIDE_GAMES { self.flush(write) } else { Ok(()) }
    }

    fn flush(&mut self, write: &mut dyn FnMut(&str, &str) -> io::Result<()>) -> Result<(), String> {
        if self.reel.len() == 0 {
            return Ok(());
        }
        let reel = std::mem::take(&mut self.reel);
        let stem: String =
            self.event.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let name = format!("games/{stem}-{:02}.js", self.names.len() + 1);
        let event = script_json(&self.event);
        write(&name, &format!("arenaGames({event}, {});\n", reel.json()))
            .map_err(|error| format!("cannot write {name}: {error}"))?;
        self.names.push((name, reel.len()));
        Ok(())
    }
}
