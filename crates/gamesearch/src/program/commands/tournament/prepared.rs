//! From settings to a plan with its contests.

use arena::{
    BotPlan, Contest, Event, FORMAT_VERSION, MatchLimits, Openings, OpeningsChoice, Plan, Results, Summary,
    shown,
};

use super::entrants::Entrant;
use super::given::{Given, LimitsChoice, Margin};
use super::settings::{InfiniteMove, Settings};
use crate::Listed;
use crate::program::bots::{self, Outside};
use crate::program::report::not_reproducible;
use crate::program::{App, Failure};

const DEFAULT_BOTS: [&str; 4] = ["random", "greedy", "mcts", "alphabeta"];
const DEFAULT_ROUNDS: u32 = 30;
/// A test ends by itself; this only bounds it.
const SPRT_ROUNDS: u32 = 10_000;
const MARGIN: Margin = Margin(std::time::Duration::from_millis(100));

/// A tournament ready to be played.
pub(crate) struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) contests: Vec<Box<dyn Contest>>,
    /// The bot that ratings are measured from.
    pub(crate) anchor: Option<usize>,
    /// Why the same settings give other games the next time; empty if they do not.
    pub(crate) not_reproducible: Vec<String>,
    /// The settings, with every default written out.
    pub(crate) settings: Settings,
}

impl Prepared {
    pub(crate) fn new(app: &App, mut settings: Settings) -> Result<Prepared, Failure> {
        let sprt = settings.test()?;
        if settings.bots.is_empty() {
            let usual = DEFAULT_BOTS.into_iter().filter(|bot| app.games.iter().any(|game| game.has_bot(bot)));
            settings.bots = usual.map(str::parse).collect::<Result<_, _>>().map_err(Failure::failed)?;
        }
        if settings.games.is_empty() {
            settings.games = app.names().into_iter().map(|name| Given::from(name.to_owned())).collect();
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
        name_limits(&mut settings)?;

        let mut contests = Vec::new();
        let mut events = Vec::new();
        for game in &settings.games {
            let (name, setup) = game.text().split_once(':').unwrap_or((game.text(), ""));
            let entry = app.game(name).map_err(|error| settings.source.mistake(game, error))?;
            let (contest, limits) = entry.contest(&Wanted { game, setup, margin, settings: &settings })?;
            events.push(contest.plan(&limits));
            contests.push(contest);
        }
        let bot = |bot: &Entrant| BotPlan {
            name: bot.name.clone(),
            spec: bot.spec.text().to_owned(),
            fingerprint: bots::fingerprint(app, bot.spec.text()),
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
        Ok(Prepared { plan, contests, anchor, not_reproducible, settings })
    }

    /// The summary of these results.
    pub(crate) fn summary(&self, results: &Results) -> Summary {
        let mut summary = Summary::new(&self.plan, results, self.anchor);
        summary.not_reproducible.clone_from(&self.not_reproducible);
        summary
    }
}

/// Gives the bots the limits that stand apart from them.
fn name_limits(settings: &mut Settings) -> Result<(), Failure> {
    for single in std::mem::take(&mut settings.bot_limits) {
        let names: Vec<&str> = settings.bots.iter().map(|bot| bot.name.as_str()).collect();
        let problem = format!("no bot is called `{}`; the bots are {}", single.bot, names.join(", "));
        match settings.bots.iter_mut().find(|bot| bot.name == single.bot) {
            Some(bot) => bot.limits = Some(single.limits),
            None => return Err(settings.source.mistake(&single.limits, problem)),
        }
    }
    Ok(())
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
    margin: std::time::Duration,
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
        let outside = Outside { margin: self.margin, memory_mib: self.settings.bot_memory };
        let mut event = Event::<G>::new(move |spec| bots::build(&catalogue, spec, outside))
            .with_drawer(G::draw)
            .with_outside(bots::is_program::<G>);
        if !self.setup.is_empty() {
            let fail = |error| source.mistake(self.game, format!("the set-up of {}: {error}", G::NAME));
            let setup: G::Setup = self
                .setup
                .parse()
                .map_err(|error: <G::Setup as std::str::FromStr>::Err| fail(error.to_string()))?;
            event = event.with_setup(setup).named(self.game.text().to_owned());
        }
        if let Some(openings) = &self.settings.openings {
            event = match &openings.value {
                OpeningsChoice::Automatic => event,
                OpeningsChoice::Start => event.with_openings(Openings::Start),
                OpeningsChoice::Plies(plies) => event.with_openings(Openings::Plies(*plies)),
                OpeningsChoice::File(path) => event.with_openings(self.positions::<G>(openings, path)?),
            };
        }
        let limits = bots.iter().map(|bot| self.limits_of::<G>(bot)).collect::<Result<_, _>>()?;
        Ok((Box::new(event), limits))
    }

    /// The positions of a file.
    fn positions<G: Listed>(
        &self,
        openings: &Given<OpeningsChoice>,
        path: &str,
    ) -> Result<Openings<G>, Failure> {
        let Settings { bots, source, .. } = self.settings;
        if let Some(bot) = bots.iter().find(|bot| bots::needs_the_start::<G>(bot.spec.text())) {
            let problem = format!(
                "`{}` can only follow a game from the standard start, not from the positions of a file; use the openings auto, \
                 plies=N or start",
                bot.spec.text()
            );
            return Err(source.mistake(&bot.spec, problem));
        }
        let text = std::fs::read_to_string(path)
            .map_err(|error| source.mistake(openings, format!("cannot read the openings {path}: {error}")))?;
        Openings::positions(&text).map_err(|error| source.mistake(openings, format!("{path}: {error}")))
    }

    /// The limits of a bot in this game.
    fn limits_of<G: Listed>(&self, bot: &Entrant) -> Result<MatchLimits, Failure> {
        let given = bot.limits.as_ref().or(self.settings.limits.as_ref());
        let wrong = |error: arena::ParseLimitsError| Failure::failed(format!("{}: {error}", G::NAME));
        match (given.map_or(LimitsChoice::Usual, |given| given.value), G::OFFICIAL) {
            (LimitsChoice::Of(limits), _) => Ok(limits),
            (LimitsChoice::Usual, _) => G::USUAL.parse().map_err(wrong),
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
