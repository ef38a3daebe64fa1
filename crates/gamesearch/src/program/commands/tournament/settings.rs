//! From options and file to a plan with its contests.

use arena::statistics::{Sprt, SprtModel};
use arena::{
    BotPlan, Contest, Event, FORMAT_VERSION, Format, MatchLimits, Openings, OpeningsChoice, Plan, Results,
    Summary, duration_text, parse_duration, shown,
};

use super::Tournament;
use super::file::{self, FileSettings, Kept, Located, NamedBot};
use crate::Listed;
use crate::program::bots::{self, Outside};
use crate::program::run_folder::RunFolder;
use crate::program::{App, Failure};

const DEFAULT_BOTS: [&str; 4] = ["random", "greedy", "mcts", "alphabeta"];
const DEFAULT_LIMITS: &str = "nodes=2000,playouts=200";
const DEFAULT_ROUNDS: u32 = 30;
/// A test ends by itself; this only bounds it.
const SPRT_ROUNDS: u32 = 10_000;

/// A tournament ready to be played.
pub(crate) struct Prepared {
    pub(crate) plan: Plan,
    pub(crate) contests: Vec<Box<dyn Contest>>,
    /// The bot that ratings are measured from.
    pub(crate) anchor: Option<usize>,
    /// The settings, written out.
    pub(crate) kept: Kept,
}

impl Prepared {
    pub(crate) fn new(app: &App, arguments: &Tournament, folder: &RunFolder) -> Result<Prepared, Failure> {
        let file = match &arguments.file {
            Some(path) => file::read(path)?,
            None if arguments.resume && !folder.settings().is_file() => {
                let path = folder.path().display();
                return Err(Failure::usage(format!("{path} holds no run to go on with")));
            }
            None if arguments.resume => file::read(&folder.settings())?,
            None => FileSettings::default(),
        };
        let given =
            |option: &Option<String>, key: Option<Located>| option.clone().map(Located::plain).or(key);
        let sprt = test(
            given(&arguments.sprt, file.sprt).as_ref(),
            given(&arguments.sprt_model, file.sprt_model).as_ref(),
            given(&arguments.sprt_errors, file.sprt_errors).as_ref(),
        )?;
        let bots = bots_of(&arguments.bots, file.bots)?;
        let openings_text = given(&arguments.openings, file.openings).unwrap_or(Located::plain("auto"));
        let openings: OpeningsChoice =
            openings_text.text.parse().map_err(|error| openings_text.failure(error))?;
        let limits_text = given(&arguments.limits, file.limits).unwrap_or(Located::plain(DEFAULT_LIMITS));
        let margin_text = given(&arguments.margin, file.margin).unwrap_or(Located::plain("100ms"));
        let margin = parse_duration(&margin_text.text).ok_or_else(|| {
            margin_text
                .failure(format!("margin: expected a time such as `100ms`, found `{}`", margin_text.text))
        })?;
        let bot_memory = arguments.bot_memory.or(file.bot_memory);
        let outside = Outside { margin, memory_mib: bot_memory };
        let limits = BotLimits::new(&limits_text, &bots, &arguments.bot_limits)?;
        let games = match (arguments.games.as_slice(), file.games) {
            ([], games) if games.is_empty() => app.names().into_iter().map(Located::plain).collect(),
            ([], games) => games,
            (games, _) => games.iter().map(Located::plain).collect::<Vec<_>>(),
        };

        let mut contests = Vec::new();
        let mut events = Vec::new();
        for game in &games {
            let (name, setup) = game.text.split_once(':').unwrap_or((&game.text, ""));
            let wanted = Wanted {
                game,
                setup,
                openings: (&openings, &openings_text),
                outside,
                bots: &bots,
                limits: &limits,
            };
            let (contest, limits) = app.game(name).map_err(|error| game.failure(error))?.contest(&wanted)?;
            events.push(contest.plan(&limits));
            contests.push(contest);
        }
        let format_text = given(&arguments.format, file.format).unwrap_or(Located::plain("round-robin"));
        let format = match format_text.text.as_str() {
            "round-robin" => Format::RoundRobin,
            "gauntlet" => Format::Gauntlet,
            "swiss" => Format::Swiss,
            other => {
                let problem = format!("format: expected round-robin, gauntlet or swiss, found `{other}`");
                return Err(format_text.failure(problem));
            }
        };
        let infinite_text =
            given(&arguments.infinite_move, file.infinite_move).unwrap_or(Located::plain("loses"));
        let replay = match infinite_text.text.as_str() {
            "loses" => None,
            "replay" => Some(("infinite-move".to_owned(), 3)),
            other => {
                let problem = format!("infinite-move: expected loses or replay, found `{other}`");
                return Err(infinite_text.failure(problem));
            }
        };
        let default_rounds = if sprt.is_some() { SPRT_ROUNDS } else { DEFAULT_ROUNDS };
        let at_once = arguments.at_once || file.at_once.unwrap_or(false);
        let plan = Plan {
            version: FORMAT_VERSION,
            events,
            bots: bots
                .iter()
                .map(|bot| BotPlan {
                    name: name_of(bot),
                    spec: bot.spec.text.clone(),
                    fingerprint: bots::fingerprint(app, &bot.spec.text),
                })
                .collect(),
            format,
            rounds: arguments.rounds.or(file.rounds).unwrap_or(default_rounds),
            seed: arguments.seed.or(file.seed).unwrap_or(1),
            margin_micros: margin.as_micros() as u64,
            at_once,
            replay,
            sprt,
        };
        plan.check().map_err(Failure::usage)?;
        let anchor_name = given(&arguments.anchor, file.anchor);
        let anchor = anchor_of(&plan, anchor_name.as_ref())?;
        let kept = Kept {
            games: games.iter().map(|game| game.text.clone()).collect(),
            rounds: plan.rounds,
            format: format_text.text,
            openings: openings_text.text,
            limits: limits_text.text,
            seed: plan.seed,
            sprt: plan.sprt.map(|test| format!("{},{}", test.elo0, test.elo1)),
            sprt_model: plan.sprt.map(|test| format!("{:?}", test.model).to_lowercase()),
            sprt_errors: plan.sprt.map(|test| format!("{},{}", test.alpha, test.beta)),
            anchor: anchor_name.map(|name| name.text),
            margin: duration_text(margin),
            at_once,
            infinite_move: infinite_text.text,
            bot_memory,
            bots: limits.kept(&bots),
        };
        Ok(Prepared { plan, contests, anchor, kept })
    }

    /// The summary of these results.
    pub(crate) fn summary(&self, results: &Results, withdrawn: &[Option<String>]) -> Summary {
        Summary::new(&self.plan, results, self.anchor, withdrawn)
    }
}

/// The anchor by name; without one `random`, if it plays.
pub(crate) fn anchor_of(plan: &Plan, name: Option<&Located>) -> Result<Option<usize>, Failure> {
    let find = |wanted: &str| plan.bots.iter().position(|bot| bot.name == wanted);
    let Some(name) = name else { return Ok(find("random")) };
    let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    find(&name.text).map(Some).ok_or_else(|| {
        name.failure(format!("anchor: no bot is called `{}`; the bots are {}", name.text, names.join(", ")))
    })
}

fn name_of(bot: &NamedBot) -> String {
    bot.name.clone().unwrap_or_else(|| bot.spec.text.clone())
}

/// Bots from the options, else from the file, else the usual ones.
fn bots_of(options: &[String], file: Vec<NamedBot>) -> Result<Vec<NamedBot>, Failure> {
    if options.is_empty() {
        if !file.is_empty() {
            return file
                .into_iter()
                .map(|bot| match &bot.name {
                    // Without a name of its own a bot is called by its spec, whatever is in it.
                    Some(name) if *name != bot.spec.text && !is_name(name) => {
                        Err(bot.spec.failure(format!("expected {NAMES_OF_BOTS}, found `{}`", shown(name))))
                    }
                    Some(_) => Ok(bot),
                    None => split_name(bot.spec),
                })
                .collect();
        }
        return DEFAULT_BOTS.into_iter().map(|spec| split_name(Located::plain(spec))).collect();
    }
    options.iter().map(|text| split_name(Located::plain(text))).collect()
}

const NAMES_OF_BOTS: &str = "a bot's name without any of / @ \" and comma";

/// What can be a name of its own, on the command line and in a file.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '@', '"', ','])
}

/// `NAME=SPEC` or just `SPEC`: an equals sign before any colon ends a name.
fn split_name(located: Located) -> Result<NamedBot, Failure> {
    let Located { text, place } = &located;
    match text.split_once('=') {
        Some((name, spec)) if !name.contains(':') => {
            if spec.is_empty() || !is_name(name) {
                return Err(located.failure(format!(
                    "expected a bot as SPEC or NAME=SPEC, the name without any of / @ \" and comma, found `{text}`"
                )));
            }
            let spec = Located { text: spec.to_owned(), place: place.clone() };
            Ok(NamedBot { name: Some(name.to_owned()), spec, limits: None })
        }
        _ => Ok(NamedBot { name: None, spec: located, limits: None }),
    }
}

fn test(
    test: Option<&Located>,
    model: Option<&Located>,
    errors: Option<&Located>,
) -> Result<Option<Sprt>, Failure> {
    let Some(located) = test else {
        return match model.or(errors) {
            Some(lonely) => {
                Err(lonely.failure("a model or error rates are of use with a test only: give sprt too"))
            }
            None => Ok(None),
        };
    };
    let mut sprt: Sprt = located.text.parse().map_err(|error| located.failure(error))?;
    if let Some(model) = model {
        sprt.model = match model.text.as_str() {
            "normalized" => SprtModel::Normalized,
            "logistic" => SprtModel::Logistic,
            other => {
                return Err(
                    model.failure(format!("sprt-model: expected normalized or logistic, found `{other}`"))
                );
            }
        };
    }
    if let Some(errors) = errors {
        let rate = |text: &str| text.trim().parse::<f64>().ok().filter(|rate| *rate > 0.0 && *rate < 0.5);
        let both = errors.text.split_once(',').and_then(|(alpha, beta)| Some((rate(alpha)?, rate(beta)?)));
        (sprt.alpha, sprt.beta) = both.ok_or_else(|| {
            let text = &errors.text;
            errors.failure(format!(
                "sprt-errors: expected two rates between 0 and 0.5 as `0.05,0.05`, found `{text}`"
            ))
        })?;
    }
    Ok(Some(sprt))
}

/// The limits of the bots, as far as they do not depend on the game.
struct BotLimits {
    /// `None` stands for the official limits.
    common: Option<MatchLimits>,
    /// In the order of the bots.
    single: Vec<Option<(String, Option<MatchLimits>)>>,
}

impl BotLimits {
    fn new(common: &Located, bots: &[NamedBot], options: &[String]) -> Result<BotLimits, Failure> {
        let mut single = vec![None; bots.len()];
        for (place, bot) in bots.iter().enumerate() {
            if let Some(limits) = &bot.limits {
                single[place] = Some((limits.text.clone(), parse_limits(limits)?));
            }
        }
        for option in options {
            let (name, text) = option.rsplit_once('@').ok_or_else(|| {
                Failure::usage(format!(
                    "--bot-limits: expected BOT@LIMITS, such as mcts@playouts=50, found `{option}`"
                ))
            })?;
            let place = bots.iter().position(|bot| name_of(bot) == name).ok_or_else(|| {
                let names: Vec<String> = bots.iter().map(name_of).collect();
                Failure::usage(format!(
                    "--bot-limits: no bot is called `{name}`; the bots are {}",
                    names.join(", ")
                ))
            })?;
            single[place] = Some((text.to_owned(), parse_limits(&Located::plain(text))?));
        }
        Ok(BotLimits { common: parse_limits(common)?, single })
    }

    /// The limits in a game with these official ones.
    fn in_game<G: Listed>(&self) -> Result<Vec<MatchLimits>, Failure> {
        let limits = |single: &Option<(String, Option<MatchLimits>)>| match single {
            Some((_, limits)) => *limits,
            None => self.common,
        };
        let official = |limits: Option<MatchLimits>| match (limits, G::OFFICIAL) {
            (Some(limits), _) => Ok(limits),
            (None, Some(official)) => official.parse().map_err(Failure::failed),
            (None, None) => Err(Failure::usage(format!(
                "{} has no official limits: give others, such as `movetime=1s`",
                G::NAME
            ))),
        };
        self.single.iter().map(limits).map(official).collect()
    }

    fn kept(&self, bots: &[NamedBot]) -> toml::map::Map<String, toml::Value> {
        let entry = |(bot, limits): (&NamedBot, &Option<(String, Option<MatchLimits>)>)| {
            let mut table = toml::map::Map::new();
            table.insert("spec".to_owned(), bot.spec.text.clone().into());
            if let Some((text, _)) = limits {
                table.insert("limits".to_owned(), text.clone().into());
            }
            (name_of(bot), toml::Value::Table(table))
        };
        bots.iter().zip(&self.single).map(entry).collect()
    }
}

fn parse_limits(located: &Located) -> Result<Option<MatchLimits>, Failure> {
    if located.text == "official" {
        return Ok(None);
    }
    located.text.parse().map(Some).map_err(|error| located.failure(format!("limits: {error}")))
}

/// What an event should be, before its game has a type.
pub(crate) struct Wanted<'a> {
    game: &'a Located,
    setup: &'a str,
    /// What was read, and where it stands.
    openings: (&'a OpeningsChoice, &'a Located),
    outside: Outside,
    bots: &'a [NamedBot],
    limits: &'a BotLimits,
}

impl Wanted<'_> {
    /// The event, with the limits of the bots.
    pub(crate) fn contest<G: Listed>(&self) -> Result<(Box<dyn Contest>, Vec<MatchLimits>), Failure> {
        let catalogue = G::catalogue();
        // A misspelt bot is found here, with its place in the file.
        for bot in self.bots.iter().filter(|bot| !bots::is_program::<G>(&bot.spec.text)) {
            bots::own(&catalogue, &bot.spec.text).map_err(|error| bot.spec.failure(error))?;
        }
        let outside = self.outside;
        let mut event =
            Event::<G>::new(move |spec| bots::build(&catalogue, spec, outside)).with_drawer(G::draw);
        if !self.setup.is_empty() {
            let setup: G::Setup = self
                .setup
                .parse()
                .map_err(|error| self.game.failure(format!("the set-up of {}: {error}", G::NAME)))?;
            event = event.with_setup(setup).named(self.game.text.clone());
        }
        let (openings, openings_text) = self.openings;
        event = match openings {
            OpeningsChoice::Automatic => event,
            OpeningsChoice::Start => event.with_openings(Openings::Start),
            OpeningsChoice::Plies(plies) => event.with_openings(Openings::Plies(*plies)),
            OpeningsChoice::File(path) => {
                if let Some(bot) = self.bots.iter().find(|bot| bots::needs_the_start::<G>(&bot.spec.text)) {
                    return Err(bot.spec.failure(format!(
                        "`{}` can only follow a game from the standard start, not from the positions of a file; use the \
                         openings auto, plies=N or start",
                        bot.spec.text
                    )));
                }
                let text = std::fs::read_to_string(path).map_err(|error| {
                    openings_text.failure(format!("cannot read the openings {path}: {error}"))
                })?;
                let positions = Openings::positions(&text)
                    .map_err(|error| openings_text.failure(format!("{path}: {error}")))?;
                event.with_openings(positions)
            }
        };
        Ok((Box::new(event), self.limits.in_game::<G>()?))
    }
}
