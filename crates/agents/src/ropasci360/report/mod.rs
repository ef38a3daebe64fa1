//! The bot of the report: the authors' agent, as program and as their text has it.

mod draws;
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
use search_core::{Analysis, Answer, Bot, BotFailure, Bound, Game, Player, RootMove, Score, Task, stream};

use crate::generic::no_move;
use crate::{BotInfo, Choice, Optional, Options, Range, Setting};
pub use draws::Draws;
pub use evaluation::{Distance, Features, Phase, Settings, WON, evaluate};
#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub(crate) use greedy::info as greedy;
pub(crate) use other_agents::{older, sparring};
pub use repetition_guard::RepetitionGuard;
pub use rules::{Rule, RuleSet, State};
pub use search::{Movers, Patience, Pessimistic, generate};
pub use token_lists::{Token, TokenSet, Tokens};

/// Above this many nodes in a game the search is one turn deep.
pub(crate) const TIRED: u64 = 200_000;
/// With this many tokens on the board the search is one turn deep.
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
    /// Once in this many turns the search looks at throws only, to break loops (a note, with 20).
    pub stir: Option<u32>,
    /// Whether this is such a turn.
    pub throws_only: bool,
    /// Whether a leaf that is a draw by mutual elimination, repetition or the last turn is worth 0.
    pub draws: bool,
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
            draws: false,
            evaluation: Settings::default(),
        }
    }

    /// As the authors' report describes it.
    pub fn text() -> ReportSettings {
        ReportSettings {
            rules: Some(RuleSet::Text),
            movers: Movers::All,
            phases: true,
            draws: true,
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
    guard: &RepetitionGuard,
    nodes_before: u64,
    settings: &ReportSettings,
    rng: &mut ChaCha8Rng,
) -> Decision {
    let position = Situation { tokens, player, guard, draws: None };
    decide_within(&position, nodes_before, settings, rng, Patience::ENDLESS)
}

/// What a decision looks at.
pub(crate) struct Situation<'a> {
    pub(crate) tokens: &'a Tokens,
    pub(crate) player: Player,
    pub(crate) guard: &'a RepetitionGuard,
    pub(crate) draws: Option<&'a Draws>,
}

/// Like [`decide`], with a search that gives up when its patience is over: then there is no move.
pub(crate) fn decide_within(
    situation: &Situation<'_>,
    nodes_before: u64,
    settings: &ReportSettings,
    rng: &mut ChaCha8Rng,
    patience: Patience<'_>,
) -> Decision {
    let Situation { tokens, player, guard, draws } = *situation;
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
    search.patience = patience;
    search.throws_beside = settings.throws_beside;
    search.throws_only = settings.throws_only;
    search.draws = draws;
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
pub struct ReportBot {
    settings: ReportSettings,
    nodes: u64,
    /// How often the program would have failed for lack of an action.
    failures: u64,
    rng: ChaCha8Rng,
}

impl ReportBot {
    /// A bot with these settings.
    pub fn new(settings: ReportSettings) -> ReportBot {
        ReportBot { settings, nodes: 0, failures: 0, rng: stream(0, "report") }
    }

    /// How often in this game the authors' program would have failed for lack of an action, and the first legal one was
    /// played instead.
    pub fn failures(&self) -> u64 {
        self.failures
    }
}

const ON_OFF: &[(&str, bool)] = &[("on", true), ("off", false)];

const AS: Setting<Choice<fn() -> ReportSettings>> = Setting::choice(
    "as",
    &[("program", ReportSettings::program), ("text", ReportSettings::text)],
    "program",
    "as the authors' program plays, or as their report describes it; the other options, where set, change single parts",
);

const OPENING: Setting<Choice<bool>> =
    Setting::choice("opening", ON_OFF, "on", "the fixed opening of five turns");

const RULES: Setting<Choice<Option<RuleSet>>> = Setting::choice(
    "rules",
    &[("program", Some(RuleSet::Program)), ("text", Some(RuleSet::Text)), ("off", None)],
    "program",
    "the five critical-state rules",
);

const MOVES: Setting<Choice<Movers>> = Setting::choice(
    "moves",
    &[("useful", Movers::Useful), ("all", Movers::All), ("near", Movers::Near(NEAR))],
    "useful",
    "whose slides and swings are searched; near: useful tokens at most 4 hexes from an enemy (a note)",
);

/// Whether throws beside enemy tokens are searched too.
const THROWS: Setting<Choice<bool>> = Setting::choice(
    "throws",
    &[("on", false), ("beside", true)],
    "on",
    "throws on enemy tokens, or also on the hexes around them (a note)",
);

const STIR: Setting<Optional<u32>> = Setting::optional(
    "stir",
    1..=360,
    "once in this many turns the search looks at throws only, to break loops (a note: 20)",
);

const PHASES: Setting<Choice<bool>> =
    Setting::choice("phases", ON_OFF, "off", "the weight sets survival and chase come into force");

const DISTANCE: Setting<Choice<Distance>> = Setting::choice(
    "distance",
    &[("program", Distance::Program), ("fixed", Distance::Fixed), ("plain", Distance::Plain)],
    "program",
    "squared closeness with the program's slip, without it, or plain distances",
);

/// Whether the counts are lowered.
const ZONES: Setting<Choice<bool>> = Setting::choice(
    "zones",
    &[("lowered", true), ("plain", false)],
    "lowered",
    "throw-zone counts less one, or as they are",
);

const DRAWS: Setting<Choice<bool>> = Setting::choice(
    "draws",
    ON_OFF,
    "off",
    "leaves drawn by mutual elimination, repetition or the last turn are worth 0",
);

const GUARD: Setting<Choice<bool>> = Setting::choice("guard", ON_OFF, "on", "the repetition guard");

const DEPTH: Setting<Optional<u32>> =
    Setting::optional("depth", 1..=4, "a fixed depth in turns instead of the depth rule");

const fn weight(key: &'static str, about: &'static str) -> Setting<Range<f64>> {
    Setting::range(key, -1e6..=1e6, 0.0, about)
}

const EATABLE: Setting<Range<f64>> = weight("eatable", "weight per enemy token to take (tried and set to 0)");
const ADVANCE: Setting<Range<f64>> = weight("advance", "weight per row of advance (tried and set to 0)");
const DIVERSITY: Setting<Range<f64>> =
    weight("diversity", "weight per different symbol (tried and set to 0)");
const RESERVE: Setting<Range<f64>> = weight(
    "reserve",
    "penalty if throws left and different symbols are fewer than 3 together (a note: 10 or 100)",
);
const CROWD: Setting<Range<f64>> = weight("crowd", "penalty per symbol with more than 3 own tokens (a note)");

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "report",
        "the report's bot: opening, five rules, pessimistic alpha-beta of depth 1 or 2; keeps its \
         depth rule whatever the limits, without a clock",
        |options| Ok(Box::new(ReportBot::new(report_settings(options)))),
    )
    .with(&[
        &AS, &OPENING, &RULES, &MOVES, &THROWS, &STIR, &PHASES, &DISTANCE, &ZONES, &GUARD, &DRAWS, &DEPTH,
    ])
    .with(&[&EATABLE, &ADVANCE, &DIVERSITY, &RESERVE, &CROWD])
}

/// The listed defaults are those of the program; what is not set follows `as`.
fn report_settings(options: &Options<'_>) -> ReportSettings {
    let base = options.get(&AS)();
    ReportSettings {
        opening: options.set(&OPENING).unwrap_or(base.opening),
        rules: options.set(&RULES).unwrap_or(base.rules),
        movers: options.set(&MOVES).unwrap_or(base.movers),
        phases: options.set(&PHASES).unwrap_or(base.phases),
        guard: options.set(&GUARD).unwrap_or(base.guard),
        draws: options.set(&DRAWS).unwrap_or(base.draws),
        depth: options.get(&DEPTH),
        throws_beside: options.get(&THROWS),
        stir: options.get(&STIR),
        evaluation: Settings {
            distance: options.set(&DISTANCE).unwrap_or(base.evaluation.distance),
            lowered_zones: options.set(&ZONES).unwrap_or(base.evaluation.lowered_zones),
            eatable: options.get(&EATABLE),
            advance: options.get(&ADVANCE),
            diversity: options.get(&DIVERSITY),
            reserve: options.get(&RESERVE),
            crowd: options.get(&CROWD),
            ..base.evaluation
        },
        ..base
    }
}

/// A value of the report's evaluation as a score; its won and lost boards are not proofs.
pub(crate) fn score_of(value: f64) -> Score {
    // The float cast saturates, and `Score::new` keeps the rest inside the heuristic range.
    Score::new(value.round() as i32)
}

impl Bot<Position> for ReportBot {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        *self = ReportBot { rng: stream(seed, "report"), ..ReportBot::new(self.settings) };
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
        let (guard, tokens) = RepetitionGuard::of(task.record, player);
        let guard = if self.settings.guard { guard } else { RepetitionGuard::new(player) };
        let turn = position.turns() + 1;
        let throws_only = self.settings.stir.is_some_and(|turns| turn.is_multiple_of(turns));
        let settings = ReportSettings { throws_only, ..self.settings };
        let draws = settings.draws.then(|| Draws::of(task.record));
        let situation = Situation { tokens: &tokens, player, guard: &guard, draws: draws.as_ref() };
        let decision = decide_within(&situation, self.nodes, &settings, &mut self.rng, Patience::ENDLESS);
        self.nodes += decision.nodes;
        let mv = if let Some(mv) = decision.mv.filter(|&mv| position.is_legal(player, mv)) {
            mv
        } else {
            self.failures += 1;
            position.nth_move(player, 0).ok_or_else(no_move)?
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
