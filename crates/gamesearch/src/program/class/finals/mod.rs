//! Tournaments at the end: round robin, Swiss, or a knock-out, seeded from the ladder.

mod knock_out;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use arena::{BotPlan, Control, Plan, RunOptions};
use maud::html;
use serde::{Deserialize, Serialize};

use super::home;
use super::ladder::Ladder;
use super::roster::Roster;
use super::settings::{Final, FinalFormat};
use super::site::{bracket, final_page, page_of};
use super::time;
use crate::program::Failure;

/// Who takes part, in the order of the ladder when the final was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entrants {
    pub(crate) begun: u64,
    pub(crate) bots: Vec<BotPlan>,
    pub(crate) names: Vec<String>,
    pub(crate) limits: String,
}

/// One match of a knock-out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Match {
    /// The entrants by seed; none where there is a bye or the match before is not over.
    pub(crate) seeds: [Option<usize>; 2],
    pub(crate) names: [Option<String>; 2],
    pub(crate) points: Option<[f64; 2]>,
    pub(crate) winner: Option<usize>,
    /// What decided.
    pub(crate) rule: Option<String>,
}

/// A place in a final.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) rank: usize,
    pub(crate) player: String,
    pub(crate) name: String,
    pub(crate) seed: usize,
    /// Points with games, or how far it came.
    pub(crate) result: String,
}

/// What has come out of a final.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FinalResult {
    pub(crate) name: String,
    pub(crate) over: bool,
    pub(crate) places: Vec<Place>,
    /// The rounds of a knock-out.
    pub(crate) rounds: Vec<Vec<Match>>,
    /// How drawn matches are decided, in words.
    pub(crate) rules: String,
}

/// A final under way.
struct Stage<'a> {
    ladder: &'a Ladder<'a>,
    settings: &'a Final,
    entrants: &'a Entrants,
    folder: PathBuf,
    control: &'a Control,
}

/// Plays a final, or goes on with it. Whether it is over.
pub(crate) fn play(ladder: &Ladder<'_>, settings: &Final, control: &Control) -> Result<bool, Failure> {
    let name = settings.name.text();
    let folder = ladder.home.at("finals").join(name);
    home::make(&folder)?;
    let entrants = entrants(ladder, settings, &folder)?;
    if entrants.bots.len() < 2 {
        return Err(Failure::usage(format!(
            "the final `{name}` needs two entrants, the ladder has {}",
            entrants.bots.len()
        )));
    }
    errln!("final {name}: {} entrants", entrants.bots.len());
    let stage = Stage { ladder, settings, entrants: &entrants, folder, control };
    let result = match settings.format {
        FinalFormat::KnockOut => knock_out::play(&stage)?,
        FinalFormat::RoundRobin | FinalFormat::Swiss => table::play(&stage)?,
    };
    stage.tell(&result)?;
    if result.over {
        for place in result.places.iter().take(8) {
            outln!("{:>3}. {}  {}", place.rank, place.name, place.result);
        }
        outln!("{}", stage.page().display());
    }
    Ok(result.over)
}

/// The entrants of a final that was begun, or those that the ladder gives now.
fn entrants(ladder: &Ladder<'_>, settings: &Final, folder: &Path) -> Result<Entrants, Failure> {
    let path = folder.join("entrants.json");
    if let Ok(text) = fs::read_to_string(&path) {
        return serde_json::from_str(&text)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())));
    }
    let (roster, plan, _, table) = ladder.table(None)?;
    let mut entrants = Entrants {
        begun: time::now(),
        bots: Vec::new(),
        names: Vec::new(),
        limits: plan.events.first().and_then(|event| event.limits.first().cloned()).unwrap_or_default(),
    };
    for row in table.standings.rows.iter().filter(|row| Roster::team_of(&row.bot).is_some()) {
        if settings.entrants.is_some_and(|most| entrants.bots.len() >= most) {
            break;
        }
        let mut bot = plan.bots[row.number].clone();
        // The ladder goes on and may replace a version; the final keeps its own copy.
        bot.spec = keep(ladder, folder, &roster, &bot)?;
        entrants.bots.push(bot);
        entrants.names.push(roster.name_of(&row.bot).to_owned());
    }
    let text = serde_json::to_string_pretty(&entrants).map_err(Failure::failed)?;
    home::write(&path, &format!("{text}\n"))?;
    Ok(entrants)
}

/// Copies a version into the final's folder; the spec that starts it there.
fn keep(ladder: &Ladder<'_>, folder: &Path, roster: &Roster, bot: &BotPlan) -> Result<String, Failure> {
    let entry = Roster::team_of(&bot.name)
        .and_then(|team| Some((team, roster.teams.get(team)?.entry.as_ref()?)))
        .filter(|(_, entry)| entry.id == bot.name);
    let Some((team, entry)) = entry else {
        return Err(Failure::failed(format!("the version {} is gone", bot.name)));
    };
    let from = ladder.home.entries().join(team).join(&entry.token[..16]).join("bot");
    let to = folder.join("bots").join(team).join("bot");
    let fail = Failure::cannot("copy", &from);
    copy_all(&from, &to).map_err(fail)?;
    Ok(bot.spec.replace(&from.display().to_string(), &to.display().to_string()))
}

/// Copies files and folders of our own store, with their rights.
fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

impl Stage<'_> {
    /// The plan of a part of the final between these entrants.
    fn plan(&self, seeds: &[usize], format: arena::Format, rounds: u32, seed: u64) -> Plan {
        let limits = self.ladder.limits;
        let bots: Vec<BotPlan> = seeds.iter().map(|&seed| self.entrants.bots[seed].clone()).collect();
        Plan {
            version: arena::FORMAT_VERSION,
            events: vec![self.ladder.contest.plan(&vec![limits; bots.len()])],
            bots,
            format,
            rounds,
            seed,
            margin_micros: self.ladder.settings.margin().as_micros() as u64,
            at_once: false,
            clock: arena::ClockKind::Wall,
            replay: None,
            sprt: None,
        }
    }

    fn options(&self, reuse: Vec<PathBuf>) -> RunOptions {
        RunOptions {
            jobs: self.ladder.settings.jobs(),
            resume: true,
            reuse,
            thoughts: false,
            ..RunOptions::default()
        }
    }

    fn page(&self) -> PathBuf {
        let site = self.ladder.home.at(&self.ladder.settings.site.folder);
        site.join(format!("final-{}.html", self.settings.name.text()))
    }

    /// Keeps what has come out so far and shows it.
    fn tell(&self, result: &FinalResult) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(result).map_err(Failure::failed)?;
        home::write(&self.folder.join("result.json"), &format!("{text}\n"))?;
        let champion = result.places.first().filter(|_| result.over).map(|place| place.name.as_str());
        let picture = (!result.rounds.is_empty()).then(|| bracket(&result.rounds, champion));
        let table = html! {
            @if !result.over { p { "This final is under way." } }
            div.wide { table {
                tr { th.n { "#" } th { "Team" } th.n { "Seed" } th { "Result" } }
                @for place in &result.places {
                    tr {
                        td.n { (place.rank) } td { a href=(page_of(&place.player)) { (place.name) } }
                        td.n { (place.seed) } td { (place.result) }
                    }
                }
            } }
            p.faint { (result.rules) }
        };
        let title = self.ladder.settings.title();
        let page = final_page(&title, self.settings.name.text(), picture.as_ref(), &table);
        home::publish(&self.page(), &page)
    }
}

/// The results of all finals that were begun.
pub(crate) fn results(root: &Path) -> Vec<FinalResult> {
    let mut results: Vec<FinalResult> = fs::read_dir(root.join("finals"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            serde_json::from_str(&fs::read_to_string(entry.path().join("result.json")).ok()?).ok()
        })
        .collect();
    results.sort_by(|a, b| a.name.cmp(&b.name));
    results
}
