//! `class.toml`: what an instructor decides.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use arena::sandbox::SandboxChoice;
use arena::{OpeningsChoice, parse_duration};
use serde::Deserialize;

use super::time;
use crate::program::commands::tournament::{Given, Source};
use crate::program::{App, Failure, processors};

/// The name of the file in the folder of a class.
pub(crate) const FILE: &str = "class.toml";

/// A time in a file, such as `5s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        parse_duration(text)
            .map(Span)
            .ok_or_else(|| format!("expected a time such as `500ms`, `5s` or `2m`, found `{text}`"))
    }
}

/// The whole file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) game: Given<String>,
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) setup: Option<Given<String>>,
    #[serde(default)]
    pub(crate) limits: Option<Given<String>>,
    #[serde(default)]
    pub(crate) openings: Option<Given<OpeningsChoice>>,
    #[serde(default)]
    pub(crate) margin: Option<Given<Span>>,
    #[serde(default = "one")]
    pub(crate) seed: u64,
    /// Games at the same time.
    #[serde(default)]
    pub(crate) jobs: Option<usize>,
    /// Memory of a bot in MiB.
    #[serde(default = "bot_memory")]
    pub(crate) memory: u64,
    #[serde(default)]
    pub(crate) sandbox: SandboxChoice,
    #[serde(default)]
    pub(crate) readable: Vec<std::path::PathBuf>,
    pub(crate) submissions: Submissions,
    #[serde(default, rename = "language")]
    pub(crate) languages: Vec<Language>,
    #[serde(default)]
    pub(crate) build: Build,
    #[serde(default)]
    pub(crate) compliance: Compliance,
    #[serde(default)]
    pub(crate) ladder: LadderSettings,
    #[serde(default)]
    pub(crate) schedule: Schedule,
    #[serde(default)]
    pub(crate) references: BTreeMap<String, Given<String>>,
    #[serde(default)]
    pub(crate) grades: Grades,
    #[serde(default)]
    pub(crate) site: Site,
    #[serde(default, rename = "final")]
    pub(crate) finals: Vec<Final>,
    #[serde(skip)]
    pub(crate) source: Source,
}

fn one() -> u64 {
    1
}

fn bot_memory() -> u64 {
    1024
}

/// Where submissions come from, and how large one may be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submissions {
    #[serde(default)]
    pub(crate) folder: Option<std::path::PathBuf>,
    #[serde(default)]
    pub(crate) git: Option<Given<String>>,
    #[serde(default)]
    pub(crate) teams: Teams,
    #[serde(default)]
    pub(crate) branch: Option<String>,
    #[serde(default)]
    pub(crate) settle: Option<Given<Span>>,
    #[serde(default)]
    pub(crate) every: Option<Given<Span>>,
    /// MiB of one submission.
    #[serde(default = "largest")]
    pub(crate) largest: u64,
    /// Files of one submission.
    #[serde(default = "most_files")]
    pub(crate) files: usize,
}

fn largest() -> u64 {
    32
}

fn most_files() -> usize {
    2000
}

/// What a team is in a git repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Teams {
    /// A folder of one branch.
    #[default]
    Folders,
    /// A branch.
    Branches,
}

/// How bots in a language are known, built and run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Language {
    pub(crate) name: String,
    /// A file that a submission in this language has in its folder.
    pub(crate) file: Given<String>,
    #[serde(default)]
    pub(crate) build: Option<String>,
    pub(crate) run: Given<String>,
    /// What its build may read besides.
    #[serde(default)]
    pub(crate) readable: Vec<std::path::PathBuf>,
}

/// The limits of a build.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Build {
    pub(crate) time: Given<Span>,
    /// Memory in MiB.
    pub(crate) memory: u64,
    /// What a build may make, in MiB.
    pub(crate) disk: u64,
}

impl Default for Build {
    fn default() -> Build {
        Build { time: span("2m"), memory: 2048, disk: 256 }
    }
}

/// A default that is known to be a time.
fn span(text: &str) -> Given<Span> {
    let second = || Given::from("1s".to_owned()).with(Span(Duration::from_secs(1)), "1s");
    text.parse().unwrap_or_else(|_| second())
}

/// How hard a submission is examined.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Compliance {
    pub(crate) positions: u32,
}

impl Default for Compliance {
    fn default() -> Compliance {
        Compliance { positions: 20 }
    }
}

/// How the ladder plays.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LadderSettings {
    /// A rating is provisional while half of its 95 % interval is wider than this, in Elo.
    pub(crate) provisional: f64,
    /// An entry that has played this many pairs is not drawn again until a new one comes in; 0 for no limit.
    pub(crate) pairs: u64,
    /// MiB that journals of the ladder may take.
    pub(crate) disk: u64,
    /// Games in one file of the journal.
    pub(crate) file_games: u64,
}

impl Default for LadderSettings {
    fn default() -> LadderSettings {
        LadderSettings { provisional: 75.0, pairs: 400, disk: 512, file_games: 500 }
    }
}

/// When submissions are taken.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Schedule {
    #[serde(default)]
    pub(crate) opens: Option<toml::value::Datetime>,
    #[serde(default)]
    pub(crate) closes: Option<toml::value::Datetime>,
}

impl Schedule {
    /// Whether a submission that comes now, in seconds since 1970, is in time.
    pub(crate) fn is_open(&self, now: u64) -> bool {
        let seconds = |given: &Option<toml::value::Datetime>| given.as_ref().and_then(time::seconds_of);
        seconds(&self.opens).is_none_or(|opens| now >= opens)
            && seconds(&self.closes).is_none_or(|closes| now < closes)
    }
}

/// What grades are given for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grades {
    /// Names of references.
    #[serde(default)]
    pub(crate) beat: Vec<Given<String>>,
}

/// The pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Site {
    pub(crate) folder: std::path::PathBuf,
    /// The playground's page, copied into the site.
    pub(crate) playground: Option<std::path::PathBuf>,
    /// Games listed on the page of a team.
    pub(crate) games: usize,
    pub(crate) every: Given<Span>,
}

impl Default for Site {
    fn default() -> Site {
        Site { folder: "site".into(), playground: None, games: 60, every: span("5s") }
    }
}

/// A tournament at the end.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Final {
    pub(crate) name: Given<String>,
    pub(crate) format: FinalFormat,
    /// How many of the ladder's best take part; all without it.
    #[serde(default)]
    pub(crate) entrants: Option<usize>,
    /// Pairs of games between two entrants (round robin: in all; Swiss and knock-out: in a round).
    #[serde(default = "final_pairs")]
    pub(crate) pairs: u32,
    /// Rounds of a Swiss tournament; without it enough for one winner.
    #[serde(default)]
    pub(crate) rounds: Option<u32>,
    /// More pairs of a drawn match of a knock-out, one at a time, before other rules decide.
    #[serde(default = "more_pairs")]
    pub(crate) more: u32,
}

fn final_pairs() -> u32 {
    3
}

fn more_pairs() -> u32 {
    4
}

/// Who meets whom in a final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FinalFormat {
    /// All meet each other.
    RoundRobin,
    /// Like scores meet.
    Swiss,
    /// Who loses is out.
    KnockOut,
}

impl Settings {
    /// Reads the file of a class.
    pub(crate) fn read(app: &App, folder: &Path) -> Result<Settings, Failure> {
        let path = folder.join(FILE);
        if !path.is_file() {
            return Err(Failure::usage(format!(
                "there is no {}; `{} class init {}` writes one",
                path.display(),
                app.program,
                folder.display()
            )));
        }
        let source = Source::read(&path)?;
        let mut settings: Settings = source.parse()?;
        settings.source = source;
        settings.check(app)?;
        Ok(settings)
    }

    fn check(&self, app: &App) -> Result<(), Failure> {
        let wrong = |given: &Given<String>, problem: String| Err(self.source.mistake(given, problem));
        app.game(self.game.text()).map_err(|error| self.source.mistake(&self.game, error))?;
        match (&self.submissions.folder, &self.submissions.git) {
            (None, None) => {
                return Err(Failure::usage(
                    "class.toml: [submissions] needs `folder = \"...\"` or `git = \"...\"`",
                ));
            }
            (Some(_), Some(git)) => {
                return wrong(git, "expected one of `folder` and `git`, found both".to_owned());
            }
            _ => {}
        }
        if let Some(git) = self.submissions.git.as_ref().filter(|git| git.text().starts_with('-')) {
            return wrong(git, format!("expected a repository, found `{}`", git.text()));
        }
        if self.languages.is_empty() {
            return Err(Failure::usage("class.toml: expected at least one [[language]]"));
        }
        for language in &self.languages {
            if language.file.text().contains(['/', '*']) || language.file.text().is_empty() {
                return wrong(&language.file, "expected the name of a file".to_owned());
            }
            if !language.run.text().contains("{folder}") {
                return wrong(
                    &language.run,
                    "expected a command with `{folder}`, the folder of a submission".to_owned(),
                );
            }
        }
        for (name, spec) in &self.references {
            let fair = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
            if !fair || name.is_empty() || name.len() > 40 {
                return wrong(spec, format!("the reference `{name}`: expected letters, digits, - and _"));
            }
        }
        for name in &self.grades.beat {
            if !self.references.contains_key(name.text()) {
                let names: Vec<&str> = self.references.keys().map(String::as_str).collect();
                return wrong(
                    name,
                    format!("there is no reference `{}`; they are: {}", name.text(), names.join(", ")),
                );
            }
        }
        if self.ladder.provisional.is_nan() || self.ladder.provisional <= 0.0 {
            return Err(Failure::usage("class.toml: [ladder] provisional: expected a number of Elo above 0"));
        }
        if self.ladder.file_games < 10 || self.ladder.disk == 0 {
            return Err(Failure::usage(
                "class.toml: [ladder] expected file_games of at least 10 and disk of at least 1 (MiB)",
            ));
        }
        for (number, one) in self.finals.iter().enumerate() {
            let name = one.name.text();
            let fair = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
            if !fair || name.is_empty() || name.len() > 40 {
                return wrong(&one.name, format!("`{name}`: expected letters, digits, - and _"));
            }
            if self.finals[..number].iter().any(|earlier| earlier.name.text() == name) {
                return wrong(&one.name, format!("there are two finals `{name}`"));
            }
            if one.pairs == 0 {
                return wrong(&one.name, "expected at least one pair of games".to_owned());
            }
        }
        for (word, given) in [("opens", &self.schedule.opens), ("closes", &self.schedule.closes)] {
            if let Some(given) = given.as_ref().filter(|given| time::seconds_of(given).is_none()) {
                return Err(Failure::usage(format!(
                    "class.toml: [schedule] {word}: expected a time with its zone such as 2026-12-01T18:00:00Z, \
                     found {given}"
                )));
            }
        }
        Ok(())
    }

    /// How long a submission must stay as it is before it is taken.
    pub(crate) fn settle(&self) -> Duration {
        self.submissions.settle.as_ref().map_or(Duration::from_secs(5), |given| given.value.0)
    }

    /// How often submissions are looked for.
    pub(crate) fn every(&self) -> Duration {
        self.submissions.every.as_ref().map_or(Duration::from_secs(10), |given| given.value.0)
    }

    /// How far a bot may overrun its time.
    pub(crate) fn margin(&self) -> Duration {
        self.margin.as_ref().map_or(Duration::from_millis(100), |given| given.value.0)
    }

    /// Games at the same time: half the processors unless it is set, for bots may have threads of their own.
    pub(crate) fn jobs(&self) -> usize {
        let half = || processors().div_ceil(2);
        self.jobs.unwrap_or_else(half).max(1)
    }

    /// What the class is called.
    pub(crate) fn title(&self) -> String {
        self.title.clone().unwrap_or_else(|| format!("{} ladder", self.game.text()))
    }
}
