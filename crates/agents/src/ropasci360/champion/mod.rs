//! The strongest bot: matrix games over selective moves, draws from their mixed strategies, and, against an opponent that
//! plays just as a known program does, the best answer to what that program plays next.

mod answering;
mod opponent_model;
mod purse;
mod settings;
mod views;

use std::fmt;
use std::time::Duration;

use ropasci360::{Move, Position};
use search_core::matrix::Solver;
use search_core::{
    Answer, Bot, BotFailure, Evaluate, Hooks, Limits, Linear, NoExtend, NoPrune, NoQuiesce, Player, Record,
    Score, Search, SearchRng, SimultaneousSearch, SimultaneousSettings, Task, Time, TimeSettings, Uniform,
};

use crate::generic::{CAP, cap, no_move};
use crate::network::{Network, Squash, Views};
use crate::ropasci360::candidates::Selective;
use crate::ropasci360::evaluation::{Balance, judge, judge_with};
use crate::ropasci360::report::Patience;
use crate::ropasci360::searches::{SOLVED, nash_settings};
use crate::tuning::{Training, WEIGHTS, weights};
use crate::{BotInfo, Built, Options};
use opponent_model::Model;
use purse::Purse;
use settings::{EAGER, EVALUATION, Foresight, INNER, MODEL, SCALE, STAGES, WIDTH, stages};
pub use views::SymbolViews;

/// The trained weights: docs/strength/ropasci360.md has the commands that make them.
static CHAMPION: &[u8] = include_bytes!("network.bin");

/// The champion's learned judgement.
pub type Learned = Network<Position, SymbolViews>;

type SelectiveHooks = Hooks<Judge, Selective, NoQuiesce, Selective, NoExtend, Uniform>;
type FullHooks = Hooks<Judge, Selective, NoQuiesce, NoPrune, NoExtend, Uniform>;

/// What judges positions.
#[derive(Debug, Clone)]
enum Judge {
    /// The trained network.
    Learned(Learned),
    /// The weighted sum.
    Sum(Linear<Balance>),
}

impl Evaluate<Position> for Judge {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        match self {
            Judge::Learned(network) => network.evaluate(position, player),
            Judge::Sum(sum) => sum.evaluate(position, player),
        }
    }
}

/// With so few tokens on the board and no throws left every move is looked at.
const ENDGAME: u8 = 4;
/// After this many turns without a loss the price of a throw falls.
const QUIET: u32 = 10;
/// To this weight, from 1400: keeping throws back while both hide leads to nothing but the last turn.
const CHEAP_THROW: i32 = 200;
/// The share of the limits that goes into foreseeing a player who searches.
const FORESIGHT: f64 = 0.4;
/// The share of the time that all predictions may take together.
const MOST_FORESIGHT: f64 = 0.7;
/// What is less likely than this does not count as foreseen.
const LEAST_TRUST: f64 = 0.2;
/// Moves of the opponent besides the foreseen one that an answer reckons with.
const EXPECTED: usize = 3;
/// Time that is kept for finding an answer, an eighth of all time at most.
const ANSWERING: Duration = Duration::from_millis(8);
/// Nodes for a prediction where no time is set.
const PREDICTION: u64 = 50_000;
/// Nodes for a prediction by time: one per this many microseconds, so that predictions take a part of the time only.
const MICROS_PER_NODE: u128 = 10;

/// The bot.
pub(crate) struct Champion {
    /// Who keeps throws back, as long as something happens.
    patient: Mind,
    /// Who throws for a small gain already, when nothing does.
    eager: Mind,
    /// A search without leaving moves out, for endgames.
    full: SimultaneousSearch<Position, FullHooks>,
    scale: f64,
    /// Whether it loses its patience when nothing happens.
    impatient: bool,
    cap: Limits,
    foresight: Foresight,
    models: Vec<Model>,
    /// What foreseeing may cost.
    purse: Purse,
    /// The replies that the last stake reckoned with.
    reckoned: Vec<Move>,
    solver: Solver,
    rng: SearchRng,
}

/// A search, and what compares answers to foreseen moves.
struct Mind {
    /// The weighted sum, whatever the search judges by: it is cheap, and in matches it answered known programs better than the network.
    answers: Linear<Balance>,
    search: SimultaneousSearch<Position, SelectiveHooks>,
}

impl fmt::Debug for Champion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Champion").field("models", &self.models).finish_non_exhaustive()
    }
}

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "champion",
        "the strongest: matrix games over selective moves, plays a draw from the mixed strategy; foresees opponents that \
         play as a known program",
        Champion::build,
    )
    .with(CAP)
    .with(&[&MODEL, &EAGER, &STAGES, &INNER, &WIDTH, &SOLVED, &EVALUATION, &WEIGHTS, &SCALE])
}

impl Champion {
    fn build(options: &Options<'_>) -> Built<Position> {
        let stages = stages(options)?;
        let widest = stages.iter().map(|stage| stage.width).max().unwrap_or_else(|| options.get(&WIDTH));
        let selective = Selective::of_width(widest);
        let others = weights(options, judge().weights().len())?;
        // The network comes with the program and is checked by its tests; should it be unusable, the sum plays on.
        let network =
            Learned::from_bytes(CHAMPION).ok().filter(|_| others.is_none() && options.get(&EVALUATION));
        let sum = match others {
            None => judge(),
            Some(weights) => judge_with(weights).map_err(|error| options.misfit(error))?,
        };
        let scale = options.get(&SCALE);
        let inner_width = options.get(&INNER);
        let settings =
            SimultaneousSettings { half_win: scale, stages, inner_width, ..nash_settings(options) };
        let judge = |sum: &Linear<Balance>| match &network {
            Some(network) => Judge::Learned(network.clone()),
            None => Judge::Sum(sum.clone()),
        };
        let mind = |sum: Linear<Balance>| Mind {
            search: SimultaneousSearch::new(
                Hooks::new(judge(&sum)).with_order(selective).with_prune(selective),
                settings.clone(),
            ),
            answers: sum,
        };
        Ok(Box::new(Champion {
            full: SimultaneousSearch::new(Hooks::new(judge(&sum)).with_order(selective), settings.clone()),
            eager: mind(with_cheap_throws(&sum)),
            patient: mind(sum),
            scale,
            impatient: options.get(&EAGER),
            cap: cap(options),
            foresight: options.get(&MODEL),
            models: Vec::new(),
            purse: Purse::new(),
            reckoned: Vec::new(),
            solver: Solver::default(),
            rng: SearchRng::new(0, "champion"),
        }))
    }

    /// Whether throws are cheap now.
    fn is_eager(&self, record: &Record<Position>) -> bool {
        self.impatient && has_been_quiet(record)
    }

    /// What the opponent plays now by the model that was right most often, and how likely that is. Asks all models that are
    /// still worth it, so that each is tried, unless one can be built on alone. Takes the nodes that this costs off the limits.
    fn foresee(
        &mut self,
        task: &Task<'_, Position>,
        limits: &mut Limits,
        hard: Option<Duration>,
    ) -> Option<(Move, f64)> {
        if self.foresight != Foresight::Known {
            return None;
        }
        let started = task.clock.now();
        let nodes =
            hard.map_or(PREDICTION, |hard| (hard.as_micros() / MICROS_PER_NODE) as u64).min(PREDICTION);
        let share = Limits {
            // Two plies a turn.
            depth: limits.depth.map(|depth| depth.saturating_mul(2)),
            nodes: limits.nodes.map(|nodes| (nodes as f64 * FORESIGHT) as u64),
            time: hard.map(|hard| hard.mul_f64(FORESIGHT)).map(|hard| Time::Bounds { soft: hard, hard }),
            playouts: None,
        };
        let share = if share == Limits::default() { Limits::nodes(PREDICTION) } else { share };
        // All predictions together leave the search its share.
        let until = hard.map(|hard| started + hard.mul_f64(MOST_FORESIGHT));
        let patience = Patience { nodes, until: until.map(|until| (task.clock, until)) };
        for model in &mut self.models {
            model.observe(task.record, task.player.opponent());
        }
        let mut best: Option<(Move, f64)> = None;
        for model in self.models.iter_mut().filter(|model| !model.is_hopeless()) {
            if best.is_some_and(|(_, trust)| trust >= 1.0) {
                break;
            }
            if model.searches() {
                limits.nodes =
                    limits.nodes.map(|nodes| nodes.saturating_sub(share.nodes.unwrap_or(0)).max(1));
            }
            let trust = model.trust();
            let share = Limits {
                time: share.time.map(|time| match (time, until) {
                    (Time::Bounds { hard, .. }, Some(until)) => {
                        let hard = hard.min(until.saturating_sub(task.clock.now()));
                        Time::Bounds { soft: hard, hard }
                    }
                    (time, _) => time,
                }),
                ..share
            };
            if let Some(mv) = model.predict(task, patience, share)
                && best.is_none_or(|(_, most)| trust > most)
            {
                best = Some((mv, trust));
            }
        }
        best
    }
}

/// The tokens and throws that a player has left.
fn resources(position: &Position, player: Player) -> u8 {
    position.token_count(player) + position.throws_left(player)
}

/// Whether no token was lost for a while at any time of the game. A player who has thrown since would otherwise think that the
/// throws the enemy has kept are worth a draw.
fn has_been_quiet(record: &Record<Position>) -> bool {
    let mut left = None;
    let mut quiet = 0;
    record.replay().any(|(position, _)| {
        let now = Player::BOTH.map(|player| resources(&position, player));
        quiet = if left == Some(now) { quiet + 1 } else { 0 };
        left = Some(now);
        quiet >= QUIET
    })
}

/// The same evaluation with throws at the price for quiet times.
fn with_cheap_throws(judge: &Linear<Balance>) -> Linear<Balance> {
    let mut judge = judge.clone();
    if let Some(throws) = judge.weights_mut().get_mut(Balance::THROWS) {
        *throws = (*throws).min(CHEAP_THROW);
    }
    judge
}

/// Whether so little is left that no move need be left out.
fn is_endgame(position: &Position) -> bool {
    Player::BOTH.into_iter().all(|player| position.throws_left(player) == 0)
        && Player::BOTH.into_iter().map(|player| position.token_count(player)).sum::<u8>() <= ENDGAME
}

/// What `cargo xtask tune ropasci360 --network` needs to know.
pub fn training() -> Training<Position> {
    Training {
        lists: SymbolViews::LISTS,
        rows: SymbolViews::ROWS,
        see: |position, player, see| SymbolViews::see(position, player, see),
        both_sides: true,
        squash: Squash::Rational,
        chance: |score| {
            // Scores of the search are thousandths of a win.
            if score.is_win() {
                1.0
            } else if score.is_loss() {
                0.0
            } else {
                0.5 + score.value() as f32 / 2000.0
            }
        },
        pack: |trained| {
            let bytes = Learned::file_of(trained);
            let read = bytes.and_then(|bytes| Learned::from_bytes(&bytes).map(|_| bytes));
            read.map_err(|error| error.to_string())
        },
        home: "crates/agents/src/ropasci360/champion/network.bin",
        bot: "champion:model=off,evaluation=network,hash=1,depth=1",
        match_bot: "champion:model=off,evaluation=network",
    }
}

impl Bot<Position> for Champion {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.patient.search.new_game(seed);
        self.eager.search.new_game(seed);
        self.full.new_game(seed);
        self.models = if self.foresight == Foresight::Known { Model::all()? } else { Vec::new() };
        self.purse = Purse::new();
        self.reckoned.clear();
        self.rng = SearchRng::new(seed, "champion");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let started = task.clock.now();
        let mut limits = task.limits.and(self.cap);
        let bounds = limits.time.map(|time| TimeSettings::default().bounds(time, false));
        let opponent = task.player.opponent().index();
        let (turns, reckoned) = (task.record.turns(), &self.reckoned);
        self.purse.settle(turns.len(), |turn| {
            let reply = turns.get(turn)?[opponent];
            reckoned.iter().position(|&mv| mv == reply)
        });
        // Where the game goes round, what was foreseen did not come true, or led nowhere.
        let foreseen = self
            .foresee(task, &mut limits, bounds.map(|(_, hard)| hard))
            .filter(|_| task.record.occurrences() <= 1);
        let foreseen = foreseen.filter(|&(_, trust)| trust >= LEAST_TRUST);
        let mut used = task.clock.now().saturating_sub(started);
        let due = bounds.map(|(_, hard)| started + hard);
        if foreseen.is_some() || self.foresight == Foresight::Itself {
            used += bounds.map_or(ANSWERING, |(_, hard)| ANSWERING.min(hard / 8));
        }
        limits.time = bounds.map(|(soft, hard)| Time::Bounds {
            soft: soft.saturating_sub(used),
            hard: hard.saturating_sub(used),
        });
        let rest = Task {
            record: task.record,
            player: task.player,
            limits,
            stop: task.stop,
            clock: task.clock,
            watch: task.watch,
        };
        let analysis = if is_endgame(task.record.position()) {
            self.full.search(&rest)
        } else {
            let mind = if self.is_eager(task.record) { &mut self.eager } else { &mut self.patient };
            mind.search.search(&rest)
        };
        if self.foresight == Foresight::Itself
            && let Some(mixed) = &analysis.mixed
        {
            let expected = mixed.strategies[task.player.opponent().index()].clone();
            if let Some((mv, _)) = self.answer(task, due, &expected) {
                return Ok(Answer { mv, analysis: Some(analysis) });
            }
        }
        if let Some((foreseen, trust)) = foreseen
            && let Some(mixed) = &analysis.mixed
        {
            // The opponent plays as foreseen, or as the search expects.
            let mut likely: Vec<(Move, f64)> = mixed.strategies[task.player.opponent().index()].clone();
            likely.sort_by(|a, b| b.1.total_cmp(&a.1));
            likely.truncate(EXPECTED);
            let total: f64 = likely.iter().map(|&(_, chance)| chance).sum();
            for (_, chance) in &mut likely {
                *chance *= (1.0 - trust) / total.max(f64::MIN_POSITIVE);
            }
            likely.push((foreseen, trust));
            let own = &mixed.strategies[task.player.index()];
            if let Some((mv, _)) = self.answer(task, due, &likely)
                && self.dares(task, due, mv, own, &likely)
            {
                return Ok(Answer { mv, analysis: Some(analysis) });
            }
        }
        let mixed = analysis.mixed.as_ref().map(|mixed| &mixed.strategies[task.player.index()]);
        let mv = mixed
            .and_then(|strategy| draw(strategy, &mut self.rng))
            .or(analysis.best)
            .or_else(|| task.record.legal_moves(task.player).first().copied())
            .ok_or_else(no_move)?;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}

/// Draws from a mixed strategy; `None` if it is empty.
fn draw(strategy: &[(Move, f64)], rng: &mut SearchRng) -> Option<Move> {
    let total: f64 = strategy.iter().map(|&(_, weight)| weight).sum();
    let mut left = rng.unit() * total;
    let drawn = strategy.iter().find(|&&(_, weight)| {
        left -= weight;
        left < 0.0
    });
    drawn.or(strategy.first()).map(|&(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_time_is_remembered() {
        // A rock on either side that goes to and fro.
        let start: Position = "R4/6/7/8/9/8/7/6/4r 1 1 2".parse().expect("a position");
        let mut record = Record::new(start);
        let play = |record: &mut Record<Position>, upper: &str, lower: &str| {
            let turn = [upper, lower].map(|mv| mv.parse().expect("a move"));
            record.play(turn).expect("a legal turn");
        };
        let (there, back) = (["i1i2", "i2i3", "i3i4", "i4i5"], ["i5i4", "i4i3", "i3i2", "i2i1"]);
        let (lower_there, lower_back) = (["a9a8", "a8a7", "a7a6", "a6a5"], ["a5a6", "a6a7", "a7a8", "a8a9"]);
        for turn in 0..4 {
            assert!(!has_been_quiet(&record));
            play(&mut record, there[turn], lower_there[turn]);
        }
        for turn in 0..4 {
            assert!(!has_been_quiet(&record));
            play(&mut record, back[turn], lower_back[turn]);
        }
        play(&mut record, "p@i3", "a9a8");
        assert!(!has_been_quiet(&record), "nine turns; a throw is no loss");
        play(&mut record, "i1h1", "a8a9");
        assert!(has_been_quiet(&record));
        // The rock destroys the scissors that come out on its hex; the quiet time stays on the record.
        play(&mut record, "h1g1", "s@a9");
        assert_eq!(Player::BOTH.map(|player| resources(record.position(), player)), [9, 8]);
        assert!(has_been_quiet(&record));
    }

    #[test]
    fn throws_are_cheap_for_the_eager() {
        let cheap = with_cheap_throws(&judge());
        let differing: Vec<usize> = (0..judge().weights().len())
            .filter(|&feature| cheap.weights()[feature] != judge().weights()[feature])
            .collect();
        assert_eq!(differing, [Balance::THROWS]);
        assert_eq!(cheap.weights()[Balance::THROWS], CHEAP_THROW);
        let names = search_core::Features::<Position>::names(&Balance);
        assert_eq!(names[Balance::THROWS], "throws");
    }
}
