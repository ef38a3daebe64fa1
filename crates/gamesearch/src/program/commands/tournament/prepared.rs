//! From settings to a plan with its contests.

use std::str::FromStr;

use arena::{
    BotPlan, ClockKind, Contest, Event, FORMAT_VERSION, ListedOpenings, MatchLimits, Openings,
    OpeningsChoice, Plan, RatingChoice, Results, Summary, shown,
};

use super::entrants::Entrant;
use super::given::{Given, LimitsChoice, Margin};
use super::settings::{InfiniteMove, Settings};
use crate::program::bots::{self, Outside};
use crate::program::report::not_reproducible;
use crate::program::run_folder::RunFolder;
use crate::program::{App, Failure};
use crate::{Listed, usual_limits};

const DEFAULT_BOTS: [&str; 4] = ["random", "greedy", "mcts", "alphabeta"];
const DEFAULT_ROUNDS: u32 = 30;
/// A test ends by itself; this only bounds it.
const SPRT_ROUNDS: u32 = 10_000;
const MARGIN: Margin = Margin(std::time::Duration::from_millis(100));

/// A tournament ready to be played.
pub(crate) struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) contests: Vec<Box<dyn Contest>>,
    /// What ratings are measured from.
    pub(crate) choice: RatingChoice,
    /// Why the same settings give other games the next time; empty if they do not.
    pub(crate) not_reproducible: Vec<String>,
    /// The settings, with every default written out.
    pub(crate) settings: Settings,
}

impl Prepared {
    pub(crate) fn new(app: &App, mut settings: Settings) -> Result<Prepared, Failure> {
        let sprt = settings.test()?;
        if settings.games.is_empty() {
            settings.games = app.names().into_iter().map(|name| Given::from(name.to_owned())).collect();
        }
        if settings.bots.is_empty() {
            let bots = usual_bots(app, &settings)?;
            settings.bots =
                bots.into_iter().map(str::parse).collect::<Result<_, _>>().map_err(Failure::failed)?;
        }
        if let Some(bot) = settings.bots.iter().find(|bot| !bot.has_fair_name()) {
            let problem = format!(
                "expected a bot's name without any of / @ \" and comma, found `{}`",
                shown(&bot.name)
            );
            return Err(settings.source.mistake(&bot.spec, problem));
        }
        let rounds = if sprt.is_some() { SPRT_ROUNDS } else { DEFAULT_ROUNDS };
        let rounds = *settings.rounds.get_or_insert(rounds);
        let format = *settings.format.get_or_insert_default();
        let seed = *settings.seed.get_or_insert(1);
        let Margin(margin) = settings.margin.get_or_insert_with(|| MARGIN.into()).value;
        let infinite_move = *settings.infinite_move.get_or_insert_default();
        let auto = || Given::from("auto".to_owned()).with(OpeningsChoice::Automatic, "auto");
        settings.openings.get_or_insert_with(auto);
        let usual = || Given::from("usual".to_owned()).with(LimitsChoice::Usual, "usual");
        settings.limits.get_or_insert_with(usual);
        let clock = checked_clock(*settings.clock.get_or_insert_default())?;
        name_limits(&mut settings)?;
        check_names(&settings, &settings.start_only)?;

        let specs: Vec<&str> = settings.bots.iter().map(|bot| bot.spec.text()).collect();
        let choice = settings.sandbox.unwrap_or_default();
        let mut sandbox = bots::sandbox(choice, &settings.readable, &app.adapters(), &specs)?;
        if let Some(sandbox) = &mut sandbox {
            // Also the run that is still to get its folder.
            sandbox.hidden.extend(settings.out.clone().into_iter().chain([RunFolder::ALL.into()]));
        }
        let outside = Outside { margin, memory_mib: settings.bot_memory, counted: clock, sandbox };

        let mut contests = Vec::new();
        let mut events = Vec::new();
        for game in &settings.games {
            let (name, setup) = name_and_setup(game);
            let entry = app.game(name).map_err(|error| settings.source.mistake(game, error))?;
            let (contest, limits) =
                entry.contest(&Wanted { game, setup, outside: &outside, settings: &settings })?;
            events.push(contest.plan(&limits));
            contests.push(contest);
        }
        let bot = |bot: &Entrant| BotPlan {
            name: bot.name.clone(),
            spec: bot.spec.text().to_owned(),
            fingerprint: bots::fingerprint(app, bot.spec.text()),
            start_only: settings.start_only.iter().any(|name| *name.text() == bot.name)
                // A bot that cannot start says nothing, and is reported when the run begins.
                || contests.iter().any(|contest| contest.check_bot(bot.spec.text()) == Ok(true)),
        };
        let plan = Plan {
            version: FORMAT_VERSION,
            events,
            bots: settings.bots.iter().map(bot).collect(),
            format,
            rounds,
            seed,
            margin_micros: margin.as_micros() as u64,
            at_once: settings.at_once,
            clock,
            replay: (infinite_move == InfiniteMove::Replay).then(|| ("infinite-move".to_owned(), 3)),
            sprt,
        };
        plan.check().map_err(Failure::usage)?;
        let anchor =
            anchor_of(&plan, settings.anchor.as_ref().map(Given::text)).map_err(|problem| match &settings
                .anchor
            {
                Some(anchor) => settings.source.mistake(anchor, problem),
                None => Failure::usage(problem),
            })?;
        let not_reproducible = not_reproducible(app, &plan);
        let choice = RatingChoice { anchor, no_faults: settings.no_faults };
        Ok(Prepared { plan, contests, choice, not_reproducible, settings })
    }

    /// Whether the time of a move decides anything.
    pub(crate) fn is_timed(&self) -> bool {
        let mut limits = self.plan.events.iter().flat_map(|event| &event.limits);
        limits.any(|limits| limits.parse().is_ok_and(|limits: MatchLimits| !limits.is_deterministic()))
    }

    /// The summary of these results. `no_faults` leaves games that a failure decided out of the ratings, also where the settings do not.
    pub(crate) fn summary(&self, results: &Results, no_faults: bool) -> Summary {
        let choice = RatingChoice { no_faults: self.choice.no_faults || no_faults, ..self.choice };
        let mut summary = Summary::new(&self.plan, results, choice);
        summary.not_reproducible.clone_from(&self.not_reproducible);
        summary
    }
}

/// The clock, if this system has it.
pub(crate) fn checked_clock(clock: ClockKind) -> Result<ClockKind, Failure> {
    if clock.is_wall() || arena::counts_processor_time() {
        return Ok(clock);
    }
    Err(Failure::usage("this system does not tell the processor time of programs: --clock wall"))
}

/// The name of a game and its set-up, as in `colosseum:size=8`.
fn name_and_setup(game: &Given<String>) -> (&str, &str) {
    game.text().split_once(':').unwrap_or((game.text(), ""))
}

/// The default bots, as far as every game has them; where these are not two, all bots that every game has.
fn usual_bots(app: &App, settings: &Settings) -> Result<Vec<&'static str>, Failure> {
    let mut shared: Option<Vec<&'static str>> = None;
    for game in &settings.games {
        let entry = app.game(name_and_setup(game).0).map_err(|error| settings.source.mistake(game, error))?;
        let bots = entry.bot_names();
        shared = Some(match shared {
            None => bots,
            Some(shared) => shared.into_iter().filter(|bot| bots.contains(bot)).collect(),
        });
    }
    let shared = shared.unwrap_or_default();
    let usual: Vec<&str> = DEFAULT_BOTS.into_iter().filter(|bot| shared.contains(bot)).collect();
    let bots = if usual.len() > 1 { usual } else { shared };
    if bots.len() > 1 {
        return Ok(bots);
    }
    let only = bots.first().map_or(String::new(), |bot| format!(" but `{bot}`"));
    Err(Failure::usage(format!("the games have no bot in common{only}: name two bots at least, with --bots")))
}

/// Gives the bots the limits that stand apart from them.
fn name_limits(settings: &mut Settings) -> Result<(), Failure> {
    for single in std::mem::take(&mut settings.bot_limits) {
        let name = single.limits.with(single.bot, "");
        check_names(settings, std::slice::from_ref(&name))?;
        let named = settings.bots.iter_mut().find(|bot| bot.name == name.value);
        if let Some(bot) = named {
            bot.limits = Some(single.limits);
        }
    }
    Ok(())
}

/// All of these must be names of bots.
fn check_names(settings: &Settings, names: &[Given<String>]) -> Result<(), Failure> {
    let known = |name: &Given<String>| settings.bots.iter().any(|bot| bot.name == name.value);
    let Some(unknown) = names.iter().find(|name| !known(name)) else { return Ok(()) };
    let names: Vec<&str> = settings.bots.iter().map(|bot| bot.name.as_str()).collect();
    let problem = format!("no bot is called `{}`; the bots are {}", unknown.value, names.join(", "));
    Err(settings.source.mistake(unknown, problem))
}

/// The anchor by name; without one `random`, if it plays.
pub(crate) fn anchor_of(plan: &Plan, name: Option<&str>) -> Result<Option<usize>, String> {
    let find = |wanted: &str| plan.bots.iter().position(|bot| bot.name == wanted);
    let Some(name) = name else { return Ok(find("random")) };
    let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    find(name)
        .map(Some)
        .ok_or_else(|| format!("anchor: no bot is called `{name}`; the bots are {}", names.join(", ")))
}

/// What an event should be, before its game has a type.
pub(crate) struct Wanted<'a> {
    game: &'a Given<String>,
    setup: &'a str,
    outside: &'a Outside,
    settings: &'a Settings,
}

impl Wanted<'_> {
    /// The event, with the limits of the bots.
    pub(crate) fn contest<G: Listed>(&self) -> Result<(Box<dyn Contest>, Vec<MatchLimits>), Failure> {
        let Settings { bots, source, .. } = self.settings;
        let catalogue = G::catalogue();
        // A misspelt bot is found here, with its place in the file.
        for bot in bots.iter().filter(|bot| !bots::is_program::<G>(bot.spec.text())) {
            bots::own(&catalogue, bot.spec.text()).map_err(|error| source.mistake(&bot.spec, error))?;
        }
        let outside = self.outside.clone();
        let mut event = Event::<G>::new(move |spec| bots::build(&catalogue, spec, &outside))
            .with_drawer(G::draw)
            .with_outside(bots::is_program::<G>)
            .with_time_scale(self.settings.time_scale.unwrap_or(1.0));
        let mut setup = G::Setup::default();
        if !self.setup.is_empty() {
            setup = self.setup.parse().map_err(|error: <G::Setup as FromStr>::Err| {
                source.mistake(self.game, format!("the set-up of {}: {error}", G::NAME))
            })?;
            event = event.with_setup(setup.clone()).named(self.game.text().to_owned());
        }
        let event = event.with_openings(self.openings::<G>(&setup)?);
        let limits = bots.iter().map(|bot| self.limits_of::<G>(bot)).collect::<Result<_, _>>()?;
        Ok((Box::new(event), limits))
    }

    /// How the games begin.
    fn openings<G: Listed>(&self, setup: &G::Setup) -> Result<Openings<G>, Failure> {
        let Settings { openings, seed, source, .. } = self.settings;
        let Some(openings) = openings else { return Ok(Openings::automatic(setup)) };
        match &openings.value {
            OpeningsChoice::Automatic => {
                let balanced = balanced(setup, seed.unwrap_or_default())?;
                Ok(balanced.unwrap_or_else(|| Openings::automatic(setup)))
            }
            OpeningsChoice::Start => Ok(Openings::Start),
            OpeningsChoice::Random(turns) => Ok(Openings::Random(*turns)),
            OpeningsChoice::File(path) => {
                let wrong = |error: String| source.mistake(openings, error);
                let text = std::fs::read_to_string(path)
                    .map_err(|error| wrong(format!("cannot read the openings {path}: {error}")))?;
                let listed = ListedOpenings::read("file", setup, &text)
                    .map_err(|error| wrong(format!("{path}: {error}")))?;
                self.check_followers(setup, &listed)?;
                Ok(Openings::Listed(listed))
            }
        }
    }

    /// Some bots can only follow a game from the standard start.
    fn check_followers<G: Listed>(
        &self,
        setup: &G::Setup,
        listed: &ListedOpenings<G>,
    ) -> Result<(), Failure> {
        let Settings { bots, start_only, source, .. } = self.settings;
        let start = G::initial(setup, 0).to_string();
        if listed.openings().iter().all(|opening| opening.origin.to_string() == start) {
            return Ok(());
        }
        let free = |bot: &&Entrant| start_only.iter().all(|name| *name.text() != bot.name);
        match bots.iter().filter(free).find(|bot| bots::needs_the_start::<G>(bot.spec.text())) {
            None => Ok(()),
            Some(bot) => Err(source.mistake(
                &bot.spec,
                format!(
                    "`{}` can only follow a game from the standard start, not from the positions of a file; use openings that \
                     begin with `start`, or the openings auto, random:N or start",
                    bot.spec.text()
                ),
            )),
        }
    }

    /// The limits of a bot in this game.
    fn limits_of<G: Listed>(&self, bot: &Entrant) -> Result<MatchLimits, Failure> {
        let given = bot.limits.as_ref().or(self.settings.limits.as_ref());
        let wrong = |error: arena::ParseLimitsError| Failure::failed(format!("{}: {error}", G::NAME));
        match (given.map_or(LimitsChoice::Usual, |given| given.value), G::OFFICIAL) {
            (LimitsChoice::Of(limits), _) => Ok(limits),
            (LimitsChoice::Usual, _) => usual_limits::<G>(bot.spec.text()).parse().map_err(wrong),
            (LimitsChoice::Official, Some(official)) => official.parse().map_err(wrong),
            (LimitsChoice::Official, None) => {
                let problem =
                    format!("{} has no official limits: give others, such as `movetime=1s`", G::NAME);
                Err(given.map_or_else(
                    || Failure::usage(&problem),
                    |given| self.settings.source.mistake(given, &problem),
                ))
            }
        }
    }
}

/// The balanced openings of a game in an order drawn by seed, if it has some.
pub(crate) fn balanced<G: Listed>(setup: &G::Setup, seed: u64) -> Result<Option<Openings<G>>, Failure> {
    let Some(text) = G::openings(setup) else { return Ok(None) };
    let listed = ListedOpenings::read("balanced", setup, text).map_err(Failure::failed)?;
    Ok(Some(Openings::Listed(listed.shuffled(seed))))
}
