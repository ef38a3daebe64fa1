//! Tournaments: the run folder of the command line, with bots that may be objects of Python.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arena::disk::DiskPath;
use arena::ugi::{HostSettings, OutsideSpec};
use arena::{
    BotPlan, ClockKind, Contest, Control, Ending, Event, FORMAT_VERSION, ListedOpenings, Machine,
    MatchLimits, Openings, OpeningsChoice, Plan, ReportInput, RunOptions, Summary,
};
use gamesearch::usual_limits;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use search_core::StopFlag;

use crate::arguments::{Whole, mistake};
use crate::game::PythonGame;
use crate::games::{NameVisitor, of_name};
use crate::interrupt::interruptible;
use crate::python_bot::{self, PythonBot};

/// How far a bot may overrun its time.
const MARGIN: Duration = Duration::from_millis(100);

/// The objects that play, by their spec strings.
type Objects = Arc<HashMap<String, Py<PyAny>>>;

/// Makes the event of a game.
struct MakeEvent<'a> {
    /// `GAME` or `GAME:SETUP`.
    game: &'a str,
    setup: &'a str,
    openings: &'a str,
    /// The seed of the tournament.
    seed: u64,
    /// The specs of the bots, and the limits of each.
    bots: &'a [(String, String)],
    objects: &'a Objects,
}

type Made = (Box<dyn Contest>, Vec<MatchLimits>);

impl NameVisitor for MakeEvent<'_> {
    type Output = PyResult<Made>;

    fn visit<G: PythonGame>(self) -> Self::Output {
        let objects = Arc::clone(self.objects);
        let build = move |spec: &str| -> Result<Box<dyn search_core::Bot<G>>, String> {
            if let Some(object) = objects.get(spec) {
                return Ok(Box::new(PythonBot::<G>::new(object)));
            }
            let settings = HostSettings { margin: MARGIN, ..HostSettings::default() };
            match OutsideSpec::parse(spec, G::ADAPTERS).map_err(|error| error.to_string())? {
                Some(program) => Ok(Box::new(Arc::new(program.bot(settings)).player::<G>())),
                None => G::catalogue().build(spec).map_err(|error| error.to_string()),
            }
        };
        let outside = |spec: &str| {
            !spec.starts_with(python_bot::PREFIX)
                && !matches!(OutsideSpec::parse(spec, G::ADAPTERS), Ok(None))
        };
        let mut event = Event::<G>::new(build).with_drawer(G::draw).with_outside(outside);
        let mut setup = G::Setup::default();
        if !self.setup.is_empty() {
            setup = self.setup.parse().map_err(|error| mistake(format!("{}: {error}", self.game)))?;
            event = event.with_setup(setup.clone()).named(self.game);
        }
        let event = event.with_openings(self.openings::<G>(&setup)?);
        let limits = self.bots.iter().map(|(spec, limits)| match (limits.as_str(), G::OFFICIAL) {
            ("usual", _) => usual_limits::<G>(spec).parse().map_err(mistake),
            ("official", Some(official)) => official.parse().map_err(mistake),
            ("official", None) => Err(mistake(format!("{} has no official limits", G::NAME))),
            (limits, _) => limits.parse().map_err(mistake),
        });
        let limits = limits.collect::<PyResult<Vec<MatchLimits>>>()?;
        Ok((Box::new(event), limits))
    }
}

impl MakeEvent<'_> {
    /// How the games begin.
    fn openings<G: PythonGame>(&self, setup: &G::Setup) -> PyResult<Openings<G>> {
        Ok(match self.openings.parse().map_err(mistake)? {
            OpeningsChoice::Automatic => match G::openings(setup) {
                Some(text) => {
                    let listed = ListedOpenings::read("balanced", setup, text).map_err(mistake)?;
                    Openings::Listed(listed.shuffled(self.seed))
                }
                None => Openings::automatic(setup),
            },
            OpeningsChoice::Start => Openings::Start,
            OpeningsChoice::Random(turns) => Openings::Random(turns),
            OpeningsChoice::File(path) => {
                let fail = |problem: String| mistake(format!("openings: {path}: {problem}"));
                let text = fs::read_to_string(&path).map_err(|error| fail(error.to_string()))?;
                let listed = ListedOpenings::read("file", setup, &text);
                Openings::Listed(listed.map_err(|error| fail(error.to_string()))?)
            }
        })
    }
}

/// What decides how a bot plays besides its spec, in the words of the command line.
fn fingerprint(spec: &str, objects: &Objects) -> String {
    if objects.contains_key(spec) {
        return "python".to_owned();
    }
    match OutsideSpec::parse(spec, &[]) {
        Ok(Some(program)) => match program.fingerprint() {
            Ok(digest) => format!("files {digest}"),
            Err(error) => format!("unreadable: {error}"),
        },
        _ => format!("agents {}", env!("CARGO_PKG_VERSION")),
    }
}

/// A tournament ready to be played.
struct Prepared {
    plan: Plan,
    contests: Vec<Box<dyn Contest>>,
    options: RunOptions,
    folder: PathBuf,
    report: bool,
}

/// What came out, in words.
struct Outcome {
    ending: Ending,
    summary: String,
    seconds: f64,
}

impl Prepared {
    /// Plays it and writes everything into the folder.
    fn play(&self, stop: &StopFlag) -> Result<Outcome, String> {
        let write = |name: &str, text: &str| write(&self.folder, name, text);
        let Prepared { plan, contests, options, .. } = self;
        let journal = self.folder.join("journal.jsonl");
        fs::create_dir_all(&self.folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", self.folder.display()))?;
        if !options.resume && fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
            return Err(format!("{} already holds a run; choose another folder", self.folder.display()));
        }
        let kept = fs::read_to_string(self.folder.join("plan.json")).ok();
        let kept: Option<Plan> = kept.and_then(|text| serde_json::from_str(&text).ok());
        if options.resume && kept.is_some_and(|kept| kept != *plan) {
            let folder = self.folder.display();
            return Err(format!(
                "the run in {folder} was begun with other settings and cannot go on with these"
            ));
        }
        let text = serde_json::to_string_pretty(plan).map_err(|error| error.to_string())?;
        write("plan.json", &format!("{text}\n"))?;
        write("tournament.toml", options.settings.as_deref().unwrap_or_default())?;

        let control = Control::default();
        let report = arena::run(plan, contests, &journal, options, &control, &mut |_| {
            if stop.is_set() {
                control.stop();
            }
        });
        let report = report.map_err(|error| error.to_string())?;
        if let Some(error) = &report.error {
            return Err(error.to_string());
        }
        let anchor = plan.bots.iter().position(|bot| bot.name == "random");
        let summary = Summary::new(plan, &report.results, anchor);
        write("summary.json", &summary.json())?;
        write("standings.csv", &summary.csv().map_err(|error| error.to_string())?)?;
        let machine = Machine::here(env!("BUILD_COMPILER"), env!("CARGO_PKG_VERSION"));
        let timings = report.timings(plan, options, &machine).map_err(|error| error.to_string())?;
        write("timings.json", &timings)?;
        let seconds = report.elapsed.as_secs_f64();
        if self.report && !stop.is_set() {
            let collected = arena::collect(&journal, plan, contests).map_err(|error| error.to_string())?;
            let input = ReportInput {
                collected: &collected,
                summary: &summary,
                journal: (&journal).into(),
                machine: Some(&machine),
                duration: Some((seconds, options.jobs as u64)),
            };
            arena::write_report(&input, contests, &mut |name, text| {
                let path = DiskPath::from(self.folder.join(name));
                path.folder().make_folder()?;
                path.write_whole(text.as_bytes())
            })
            .map_err(|error| error.to_string())?;
        }
        Ok(Outcome { ending: report.ending, summary: summary.json(), seconds })
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    DiskPath::from(&path)
        .write_whole(text.as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Plays a tournament into a folder; `gamesearch.tournament` is what to call. `bots` are names with spec strings or objects and
/// limits, `settings` the text of `tournament.toml`. Returns how it ended, the text of `summary.json` and how many seconds it took.
#[pyfunction]
#[pyo3(signature = (*, games, bots, rounds, seed, format, openings, jobs, folder, resume, report, settings))]
#[expect(
    clippy::too_many_arguments,
    clippy::needless_pass_by_value,
    reason = "keyword arguments of Python, all of them given by one caller"
)]
pub(crate) fn play_tournament<'py>(
    py: Python<'py>,
    games: Vec<String>,
    bots: &Bound<'py, PyList>,
    rounds: Whole,
    seed: Whole,
    format: &str,
    openings: &str,
    jobs: Option<Whole>,
    folder: PathBuf,
    resume: bool,
    report: bool,
    settings: String,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut objects = HashMap::new();
    let (mut plans, mut limits_of) = (Vec::new(), Vec::new());
    for bot in bots {
        let (name, player, limits): (String, Bound<'py, PyAny>, String) = bot.extract()?;
        let spec = if let Ok(spec) = player.extract::<String>() {
            spec
        } else {
            let spec = format!("{}{name}", python_bot::PREFIX);
            objects.insert(spec.clone(), player.unbind());
            spec
        };
        limits_of.push((spec.clone(), limits));
        plans.push((name, spec));
    }
    let objects: Objects = Arc::new(objects);
    let mut contests = Vec::new();
    let mut events = Vec::new();
    for game in &games {
        let (name, setup) = game.split_once(':').unwrap_or((game, ""));
        let make = MakeEvent { game, setup, openings, seed: seed.0, bots: &limits_of, objects: &objects };
        let (contest, limits) = of_name(name, make)??;
        events.push(contest.plan(&limits));
        contests.push(contest);
    }
    let format = serde_json::from_value(serde_json::Value::from(format)).map_err(|_| {
        mistake(format!("format: expected `round-robin`, `gauntlet` or `swiss`, found `{format}`"))
    })?;
    let bot = |(name, spec): (String, String)| {
        let fingerprint = fingerprint(&spec, &objects);
        let start_only = contests.iter().any(|contest| contest.check_bot(&spec) == Ok(true));
        BotPlan { name, spec, fingerprint, start_only }
    };
    let plan = Plan {
        version: FORMAT_VERSION,
        events,
        bots: plans.into_iter().map(bot).collect(),
        format,
        rounds: rounds.small(),
        seed: seed.0,
        margin_micros: MARGIN.as_micros() as u64,
        at_once: false,
        clock: ClockKind::default(),
        replay: None,
        sprt: None,
    };
    plan.check().map_err(mistake)?;
    let usual = RunOptions::default();
    let jobs = jobs.map_or(usual.jobs, |jobs| jobs.small() as usize).max(1);
    let options = RunOptions { jobs, resume, settings: Some(settings), ..usual };
    let prepared = Prepared { plan, contests, options, folder, report };
    let stop = StopFlag::new();
    let outcome = interruptible(py, &stop, || prepared.play(&stop))?.map_err(mistake)?;
    let ending = match outcome.ending {
        Ending::Complete => "complete",
        Ending::Decided => "decided",
        Ending::Interrupted => "interrupted",
    };
    (ending, outcome.summary, outcome.seconds).into_pyobject(py)
}
