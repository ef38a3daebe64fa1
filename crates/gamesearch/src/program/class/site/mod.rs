//! The pages of a class: files that any web host can serve and that work from the disk.

mod drawing;
mod page;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena::{FinishedGame, Plan, csv_text};
use serde_json::{Value, json};

pub(crate) use drawing::bracket;
pub(crate) use pages::{final_games, final_page};

use super::finals;
use super::home::{self, Home};
use super::ladder::Book;
use super::ladder::UnderWay;
use super::ladder::counts::PlayerCounts;
use super::ladder::history::History;
use super::ladder::notes::{GameNote, Notes};
use super::ladder::table::Table;
use super::roster::Roster;
use super::settings::Settings;
use crate::program::Failure;

/// What the pages show: a copy, so that the games go on while they are written.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) now: u64,
    pub(crate) roster: Roster,
    pub(crate) plan: Plan,
    pub(crate) table: Table,
    pub(crate) games: u64,
    pub(crate) players: BTreeMap<String, PlayerCounts>,
    pub(crate) notes: Notes,
    pub(crate) history: History,
    pub(crate) under_way: Vec<UnderWay>,
    /// Submissions that wait for their examination.
    pub(crate) waiting: usize,
}

/// A row of the standings as all pages show it.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub(crate) rank: usize,
    pub(crate) player: &'a str,
    pub(crate) name: &'a str,
    /// The short name of the team, or nothing for a reference.
    pub(crate) team: Option<&'a str>,
    pub(crate) elo: Option<f64>,
    pub(crate) error: Option<f64>,
    pub(crate) provisional: bool,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) failures: u64,
}

impl Line<'_> {
    pub(crate) fn score(&self) -> Option<f64> {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (self.games > 0).then(|| points / self.games as f64)
    }

    /// The address of its page from the first one.
    pub(crate) fn page(&self) -> String {
        page_of(self.player)
    }
}

/// The address of a player's page from the first one.
pub(crate) fn page_of(player: &str) -> String {
    match Roster::team_of(player) {
        Some(team) => format!("teams/{team}.html"),
        None => format!("references/{player}.html"),
    }
}

impl Scene {
    /// The standings.
    pub(crate) fn lines(&self, provisional: f64) -> Vec<Line<'_>> {
        let rows = self.table.standings.rows.iter();
        rows.map(|row| Line {
            rank: row.rank,
            player: &row.bot,
            name: self.roster.name_of(&row.bot),
            team: Roster::team_of(&row.bot),
            elo: row.elo.filter(|_| row.games > 0),
            error: row.elo_error.filter(|_| row.games > 0),
            provisional: row.games == 0 || row.elo_error.is_none_or(|error| error > provisional),
            games: row.games,
            wins: row.results.wins,
            draws: row.results.draws,
            losses: row.results.losses,
            failures: row.lost_by_failure,
        })
        .collect()
    }
}

/// Writes the pages.
pub(crate) struct Publisher {
    folder: PathBuf,
    title: String,
    provisional: f64,
    /// The name of the playground's page beside the first one, if there is one.
    playground: bool,
    home: PathBuf,
    /// What the names of the teams' secret folders are made from.
    key: String,
    /// Pages of games that are finished.
    done: BTreeSet<u64>,
}

/// What the playground is called on the site.
pub(crate) const PLAYGROUND: &str = "gamesearch.html";

/// What makes the playground's page.
fn maker(program: &str) -> &'static str {
    if program == "xtask" { "`cargo xtask page`" } else { "the workbench's command `page`" }
}

/// Copies the playground's page to the site where one is beside `class.toml`, or was built with this program; whether there is
/// one now.
fn copy_built_page(home: &Home, site: &Path) -> Result<bool, Failure> {
    let program = std::env::current_exe().unwrap_or_default();
    let of_build = program.ancestors().skip(1).take(3).map(|folder| folder.join("page"));
    let mut places = std::iter::once(home.root().to_owned()).chain(of_build);
    let Some(page) = places.find_map(|place| fs::read_to_string(place.join(PLAYGROUND)).ok()) else {
        return Ok(false);
    };
    home::publish(&site.join(PLAYGROUND), &page)?;
    Ok(true)
}

impl Publisher {
    pub(crate) fn new(program: &str, home: &Home, settings: &Settings) -> Result<Publisher, Failure> {
        let folder = home.at(&settings.site.folder);
        for name in ["teams", "references", "games", "secret"] {
            home::make(&folder.join(name))?;
        }
        home::publish(&folder.join("style.css"), include_str!("style.css"))?;
        home::publish(&folder.join("script.js"), include_str!("script.js"))?;
        // Some hosts list a folder without a first page.
        for name in ["teams", "references", "games", "secret"] {
            let empty = "<!doctype html><meta charset=\"utf-8\"><title>-</title><p><a href=\"../index.html\">Standings</a></p>\n";
            home::publish(&folder.join(name).join("index.html"), empty)?;
        }
        let playground = match &settings.site.playground {
            None => folder.join(PLAYGROUND).is_file() || copy_built_page(home, &folder)?,
            Some(path) => {
                let path = home.at(path);
                let page = fs::read_to_string(&path).map_err(|error| {
                    Failure::usage(format!(
                        "class.toml: [site] playground: cannot read {}: {error}; {} makes one",
                        path.display(),
                        maker(program),
                    ))
                })?;
                home::publish(&folder.join(PLAYGROUND), &page)?;
                true
            }
        };
        if !playground {
            errln!("the pages have no games to be replayed: {} makes {PLAYGROUND}", maker(program));
        }
        Ok(Publisher {
            folder,
            title: settings.title(),
            provisional: settings.ladder.provisional,
            playground,
            home: home.root().to_owned(),
            key: home.key(),
            done: BTreeSet::new(),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes everything, with the games of the open book.
    pub(crate) fn publish(&mut self, scene: &Scene, book: Option<&Book>) -> Result<(), Failure> {
        let files = book.map(Book::files).transpose()?;
        self.publish_live(scene, files, &|number| book.map_or(Ok(Vec::new()), |book| book.games_of(number)))
    }

    /// Writes what has changed. `files` are the numbers of the journal's files and that of the last, `games_of` reads one.
    pub(crate) fn publish_live(
        &mut self,
        scene: &Scene,
        files: Option<(Vec<u64>, u64)>,
        games_of: &dyn Fn(u64) -> Result<Vec<FinishedGame>, Failure>,
    ) -> Result<(), Failure> {
        let (files, last) = files.unwrap_or_default();
        for &number in files.iter().filter(|number| !self.done.contains(number)) {
            let notes: Vec<GameNote> =
                games_of(number)?.iter().map(|game| GameNote::of(number, game)).collect();
            let page = pages::games(self, scene, number, &files, &notes);
            home::publish(&self.games_page(number), &page)?;
        }
        self.done.extend(files.iter().filter(|&&number| number < last));
        self.remove_games(&files);
        let lines = scene.lines(self.provisional);
        let live = live(scene, &lines);
        home::publish(&self.folder.join("live.json"), &live.to_string())?;
        // Behind a call, for pages that are read from the disk. Without a `<` no host takes it for something else.
        let script = format!("classLive({});\n", live.to_string().replace('<', "\\u003c"));
        home::publish(&self.folder.join("live.js"), &script)?;
        let finals = finals::results(&self.home);
        let index = pages::index(self, scene, &lines, &files, &finals);
        home::publish(&self.folder.join("index.html"), &index)?;
        home::publish(&self.folder.join("crosstable.html"), &pages::crosstable(self, scene, &lines))?;
        home::publish(&self.folder.join("standings.csv"), &standings_csv(&lines)?)?;
        for (team, known) in &scene.roster.teams {
            let line = lines.iter().find(|line| line.team == Some(team));
            let page = pages::team(self, scene, team, known, line);
            home::publish(&self.folder.join(format!("teams/{team}.html")), &page)?;
            let secret = self.secret(team);
            let page = pages::secret(self, scene, team, known);
            home::publish(&self.folder.join("secret").join(&secret).join("index.html"), &page)?;
        }
        for line in lines.iter().filter(|line| line.team.is_none()) {
            let page = pages::reference(self, scene, line);
            home::publish(&self.folder.join(line.page()), &page)?;
        }
        self.write_links(scene)
    }

    fn games_page(&self, number: u64) -> PathBuf {
        self.folder.join(format!("games/{number:06}.html"))
    }

    /// Removes pages of games whose file is gone.
    fn remove_games(&mut self, files: &[u64]) {
        let Ok(entries) = fs::read_dir(self.folder.join("games")) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name.strip_suffix(".html").and_then(|stem| stem.parse::<u64>().ok());
            if let Some(number) = number.filter(|number| !files.contains(number)) {
                self.done.remove(&number);
                // It is written anew or gone at the next time.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The secret folder of a team.
    fn secret(&self, team: &str) -> String {
        home::secret_name(&self.key, team)
    }

    /// What the instructor sends to the teams: outside the site.
    fn write_links(&self, scene: &Scene) -> Result<(), Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["team", "page", "secret_page"]).map_err(Failure::failed)?;
        for (team, known) in &scene.roster.teams {
            let secret = format!("secret/{}/index.html", self.secret(team));
            writer
                .write_record([csv_text(&known.name), format!("teams/{team}.html"), secret])
                .map_err(Failure::failed)?;
        }
        let bytes = writer.into_inner().map_err(Failure::failed)?;
        home::publish(&self.home.join("team-links.csv"), &String::from_utf8_lossy(&bytes))
    }
}

/// The small file that the first page asks for.
fn live(scene: &Scene, lines: &[Line<'_>]) -> Value {
    let rows: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "rank": line.rank,
                "name": line.name,
                "page": line.page(),
                "team": line.team.is_some(),
                "elo": line.elo,
                "error": line.error,
                "score": line.score(),
                "games": line.games,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "failures": line.failures,
                "provisional": line.provisional,
            })
        })
        .collect();
    let playing: Vec<[&str; 2]> = scene
        .under_way
        .iter()
        .map(|game| [0, 1].map(|seat| scene.roster.name_of(&game.players[seat])))
        .collect();
    json!({ "now": scene.now, "facts": facts(scene), "rows": rows, "playing": playing })
}

/// One line on how it stands.
fn facts(scene: &Scene) -> String {
    let waiting = match scene.waiting {
        0 => String::new(),
        1 => ", one submission under examination".to_owned(),
        many => format!(", {many} submissions under examination"),
    };
    format!(
        "{} games, {} teams{waiting}; as of {}",
        scene.games,
        scene.roster.teams.len(),
        super::time::text(scene.now)
    )
}

fn standings_csv(lines: &[Line<'_>]) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "rank",
        "team",
        "elo",
        "elo_error",
        "score",
        "games",
        "wins",
        "draws",
        "losses",
        "failures",
        "provisional",
    ];
    writer.write_record(head).map_err(Failure::failed)?;
    for line in lines {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
        writer
            .write_record([
                line.rank.to_string(),
                csv_text(line.name),
                number(line.elo),
                number(line.error),
                line.score().map_or(String::new(), |score| format!("{score:.4}")),
                line.games.to_string(),
                line.wins.to_string(),
                line.draws.to_string(),
                line.losses.to_string(),
                line.failures.to_string(),
                line.provisional.to_string(),
            ])
            .map_err(Failure::failed)?;
    }
    let bytes = writer.into_inner().map_err(Failure::failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_games_go_with_their_file() {
        let root = tempfile::tempdir().unwrap();
        let home = Home::open(root.path()).unwrap();
        let settings: Settings = toml::from_str("game = \"hus\"\n[submissions]\nfolder = \"x\"").unwrap();
        let mut publisher = Publisher::new("gamesearch", &home, &settings).unwrap();
        for number in 1..4 {
            fs::write(publisher.games_page(number), "games").unwrap();
        }
        publisher.done.extend([1, 2]);
        publisher.remove_games(&[2, 3]);
        let there = |number| publisher.games_page(number).exists();
        assert_eq!([1, 2, 3].map(there), [false, true, true]);
        assert_eq!(publisher.done, BTreeSet::from([2]));
        assert!(publisher.folder().join("games/index.html").is_file());
    }
}
