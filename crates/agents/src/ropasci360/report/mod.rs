//! The bot of the report: the agent that won the course tournament of 2021, as program and as text.

mod evaluation;
#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod other_agents;
mod repetition_guard;
mod rules;
mod search;
mod token_lists;

use rand_chacha::ChaCha8Rng;
use ropasci360::{Move, Position};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Bound, FailureKind, Game, Player, RootMove, Score, Task, stream,
};

use crate::{BotInfo, OptionInfo, Options, SpecError, Values};
pub use evaluation::{Distance, Features, Phase, Settings, WON, evaluate};
#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub use greedy::Greedy;
pub use other_agents::{Older, Sparring};
pub use repetition_guard::Guard;
pub use rules::{Rule, RuleSet, State};
pub use search::{Movers, Pessimistic, generate};
pub use token_lists::{Token, TokenSet, Tokens};

/// Above so many nodes in a game the search is one turn deep.
pub(crate) const TIRED: u64 = 200_000;
/// With so many tokens on the board the search is one turn deep.
const CROWDED: usize = 5;

/// How near an enemy token has to be for a token to move, with `moves=near`.
const NEAR: u8 = 4;

/// The opening: what Upper throws and moves in turns 1 to 5.
const UPPER_OPENING: [&str; 5] = ["p@i3", "r@h3", "s@h4", "i3g4", "h3f5"];
/// The same for Lower.
const LOWER_OPENING: [&str; 5] = ["p@a7", "r@b7", "s@b6", "a7c6", "b7d5"];

/// How the bot differs from the authors' program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportSettings {
    /// Whether the fixed opening is played.
    pub opening: bool,
    /// The critical-state rules; none, if the search decides alone.
    pub rules: Option<RuleSet>,
    /// Whose moves the search looks at.
    pub movers: Movers,
    /// Whether the phases come into force.
    pub phases: bool,
    /// Whether the repetition guard refuses moves.
    pub guard: bool,
    /// A fixed depth instead of the depth rule.
    pub depth: Option<u32>,
    /// Whether throws beside enemy tokens are searched too (a note in the authors' sources).
    pub throws_beside: bool,
    /// Every so many turns the search looks at throws only, to break loops (a note, with 20).
    pub stir: Option<u32>,
    /// Whether this is such a turn.
    pub throws_only: bool,
    /// The parts of the evaluation that are options.
    pub evaluation: Settings,
}

impl ReportSettings {
    /// As the authors' program plays.
    pub fn program() -> ReportSettings {
        ReportSettings {
            opening: true,
            rules: Some(RuleSet::Program),
            movers: Movers::Useful,
            phases: false,
            guard: true,
            depth: None,
            throws_beside: false,
            stir: None,
            throws_only: false,
            evaluation: Settings::default(),
        }
    }

    /// As the authors' report describes it.
    pub fn text() -> ReportSettings {
        ReportSettings {
            rules: Some(RuleSet::Text),
            movers: Movers::All,
            phases: true,
            evaluation: Settings { distance: Distance::Plain, lowered_zones: false, ..Settings::default() },
            ..ReportSettings::program()
        }
    }
}

/// Who decided a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// The fixed opening.
    Opening,
    /// A rule.
    Rule(Rule),
    /// The search.
    Minimax,
}

/// A decision with its counters.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The action; none where the authors' program would fail for lack of one.
    pub mv: Option<Move>,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// The rule whose condition was met.
    pub rule: Option<Rule>,
    /// The value of the root, if the search decided.
    pub score: Option<f64>,
    /// The depth, if the search decided.
    pub depth: Option<u32>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Evaluations of the search.
    pub evaluations: u64,
}

/// The opening move of a turn (from 1), if there is one.
pub fn opening_move(player: Player, turn: u32) -> Option<Move> {
    let script = match player {
        Player::One => UPPER_OPENING,
        Player::Two => LOWER_OPENING,
    };
    script.get((turn as usize).checked_sub(1)?)?.parse().ok()
}

/// Decides on a board without looking at the opening: rules, then search.
pub fn decide(
    tokens: &Tokens,
    player: Player,
    guard: &Guard,
    nodes_before: u64,
    settings: &ReportSettings,
    rng: &mut ChaCha8Rng,
) -> Decision {
    decide_within(tokens, player, guard, nodes_before, settings, rng, u64::MAX)
}

/// Like [`decide`], with a search that gives up after so many nodes: then there is no move.
pub(crate) fn decide_within(
    tokens: &Tokens,
    player: Player,
    guard: &Guard,
    nodes_before: u64,
    settings: &ReportSettings,
    rng: &mut ChaCha8Rng,
    most_nodes: u64,
) -> Decision {
    let (rule, mv) = match settings.rules {
        Some(rules) => State::new(tokens, player, guard).decide(rules, rng),
        None => (None, None),
    };
    if let (Some(decided), Some(_)) = (rule, mv) {
        let decided_by = DecidedBy::Rule(decided);
        return Decision { mv, decided_by, rule, score: None, depth: None, nodes: 0, evaluations: 0 };
    }
    let few = Player::BOTH.into_iter().map(|side| tokens.count(side)).sum::<usize>() < CROWDED;
    let depth = settings.depth.unwrap_or(if few && nodes_before < TIRED { 2 } else { 1 });
    let phase = if settings.phases { Phase::of(tokens, player) } else { Phase::Normal };
    let mut search = Pessimistic::new(player, phase, &settings.evaluation, settings.movers);
    search.most_nodes = most_nodes;
    search.throws_beside = settings.throws_beside;
    search.throws_only = settings.throws_only;
    let (score, mv) = search.root(tokens, depth, guard);
    Decision {
        mv: mv.filter(|_| !search.gave_up()),
        decided_by: DecidedBy::Minimax,
        rule,
        score: Some(score),
        depth: Some(depth),
        nodes: search.nodes,
        evaluations: search.evaluations,
    }
}

/// The bot.
#[derive(Debug)]
pub struct Report {
    settings: ReportSettings,
    nodes: u64,
    /// How often the program would have failed for lack of an action.
    failures: u64,
    rng: ChaCha8Rng,
}

impl Report {
    /// A bot with these settings.
    pub fn new(settings: ReportSettings) -> Report {
        Report { settings, nodes: 0, failures: 0, rng: stream(0, "report") }
    }

    /// How often in this game the authors' program would have failed for lack of an action, and the first legal one was
    /// played instead.
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        const ON_OFF: Values = Values::Choice(&["on", "off"]);
        let option = |key, values, default, about| OptionInfo { key, values, default, about };
        BotInfo {
            name: "report",
            about: "the winner of the 2021 course tournament: opening, five rules, pessimistic alpha-beta of depth 1 or 2; \
                    keeps its depth rule whatever the limits, without a clock",
            options: vec![
                option(
                    "as",
                    Values::Choice(&["program", "text"]),
                    "program",
                    "as the authors' program plays, or as their report describes it; the other options, where set, change single parts",
                ),
                option("opening", ON_OFF, "on", "the fixed opening of five turns"),
                option(
                    "rules",
                    Values::Choice(&["program", "text", "off"]),
                    "program",
                    "the five critical-state rules",
                ),
                option(
                    "moves",
                    Values::Choice(&["useful", "all", "near"]),
                    "useful",
                    "whose slides and swings are searched; near: useful tokens at most 4 hexes from an enemy (a note)",
                ),
                option(
                    "throws",
                    Values::Choice(&["on", "beside"]),
                    "on",
                    "throws on enemy tokens, or also on the hexes around them (a note)",
                ),
                option(
                    "stir",
                    Values::Integer(1, 360),
                    "",
                    "every so many turns the search looks at throws only, to break loops (a note: 20)",
                ),
                option("phases", ON_OFF, "off", "the weight sets survival and chase come into force"),
                option(
                    "distance",
                    Values::Choice(&["program", "fixed", "plain"]),
                    "program",
                    "squared closeness with the program's slip, without it, or plain distances",
                ),
                option(
                    "zones",
                    Values::Choice(&["lowered", "plain"]),
                    "lowered",
                    "throw-zone counts less one, or as they are",
                ),
                option("guard", ON_OFF, "on", "the repetition guard"),
                option(
                    "depth",
                    Values::Integer(1, 4),
                    "",
                    "a fixed depth in turns instead of the depth rule",
                ),
                option(
                    "eatable",
                    Values::Number(-1e6, 1e6),
                    "0",
                    "weight per enemy token to take (tried and set to 0)",
                ),
                option(
                    "advance",
                    Values::Number(-1e6, 1e6),
                    "0",
                    "weight per row of advance (tried and set to 0)",
                ),
                option(
                    "diversity",
                    Values::Number(-1e6, 1e6),
                    "0",
                    "weight per different symbol (tried and set to 0)",
                ),
                option(
                    "reserve",
                    Values::Number(-1e6, 1e6),
                    "0",
                    "penalty if throws left and different symbols are fewer than 3 together (a note: 10 or 100)",
                ),
                option(
                    "crowd",
                    Values::Number(-1e6, 1e6),
                    "0",
                    "penalty per symbol with more than 3 own tokens (a note)",
                ),
            ],
            build: Report::build,
        }
    }

    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        Ok(Box::new(Report::new(report_settings(options))))
    }
}

fn report_settings(options: &Options<'_>) -> ReportSettings {
    let mut settings = match options.text("as") {
        "text" => ReportSettings::text(),
        _ => ReportSettings::program(),
    };
    // The listed defaults are those of the program; what is not set follows `as`.
    let set = |key: &str| if options.is_set(key) { options.text(key) } else { "" };
    let switch = |key: &str, default: bool| match set(key) {
        "on" => true,
        "off" => false,
        _ => default,
    };
    settings.opening = switch("opening", settings.opening);
    settings.phases = switch("phases", settings.phases);
    settings.guard = switch("guard", settings.guard);
    settings.rules = match set("rules") {
        "program" => Some(RuleSet::Program),
        "text" => Some(RuleSet::Text),
        "off" => None,
        _ => settings.rules,
    };
    settings.movers = match set("moves") {
        "useful" => Movers::Useful,
        "all" => Movers::All,
        "near" => Movers::Near(NEAR),
        _ => settings.movers,
    };
    settings.depth = options.integer("depth").map(|depth| depth as u32);
    settings.throws_beside = options.text("throws") == "beside";
    settings.stir = options.integer("stir").map(|turns| turns as u32);
    let evaluation = &mut settings.evaluation;
    evaluation.distance = match set("distance") {
        "program" => Distance::Program,
        "fixed" => Distance::Fixed,
        "plain" => Distance::Plain,
        _ => evaluation.distance,
    };
    evaluation.lowered_zones = match set("zones") {
        "lowered" => true,
        "plain" => false,
        _ => evaluation.lowered_zones,
    };
    let weight = |key| options.number(key).unwrap_or(0.0);
    (evaluation.eatable, evaluation.advance, evaluation.diversity) =
        (weight("eatable"), weight("advance"), weight("diversity"));
    (evaluation.reserve, evaluation.crowd) = (weight("reserve"), weight("crowd"));
    settings
}

/// A value of the report's evaluation as a score; its won and lost boards are not proofs.
pub(crate) fn score_of(value: f64) -> Score {
    // The float cast saturates, and `Score::new` keeps the rest inside the heuristic range.
    Score::new(value.round() as i32)
}

impl Bot<Position> for Report {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        *self = Report { rng: stream(seed, "report"), ..Report::new(self.settings) };
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let player = task.player;
        if self.settings.opening
            && let Some(mv) = opening_move(player, position.turns() + 1)
            && position.is_legal(player, mv)
        {
            return Ok(Answer::plain(mv));
        }
        let (guard, tokens) = Guard::of(task.record, player);
        let guard = if self.settings.guard { guard } else { Guard::new(player) };
        let turn = position.turns() + 1;
        let throws_only = self.settings.stir.is_some_and(|turns| turn.is_multiple_of(turns));
        let settings = ReportSettings { throws_only, ..self.settings };
        let decision = decide(&tokens, player, &guard, self.nodes, &settings, &mut self.rng);
        self.nodes += decision.nodes;
        let mv = if let Some(mv) = decision.mv.filter(|&mv| position.is_legal(player, mv)) {
            mv
        } else {
            self.failures += 1;
            let none = || BotFailure::new(FailureKind::Protocol, "asked for a move where there is none");
            position.nth_move(player, 0).ok_or_else(none)?
        };
        let Some(value) = decision.score else { return Ok(Answer::plain(mv)) };
        let score = score_of(value);
        let mut analysis = Analysis {
            best: Some(mv),
            score,
            pv: vec![mv],
            depth: decision.depth.unwrap_or(0),
            root: vec![RootMove { mv, score, bound: Bound::Exact, visits: decision.nodes, weight: 1.0 }],
            ..Analysis::default()
        };
        analysis.stats.nodes = decision.nodes;
        analysis.stats.evaluations = decision.evaluations;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}
