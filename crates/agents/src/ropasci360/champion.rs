//! The strongest bot: matrix games over selective moves, draws from their mixed strategies, and, against an opponent that
//! plays just as a known program does, the best answer to what that program plays next.

use std::fmt;
use std::time::Duration;

use ropasci360::{Move, Position};
use search_core::matrix::{Matrix, Solver};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Evaluate, FailureKind, Game, Hooks, Limits, Linear, NoExtend, NoPrune,
    NoQuiesce, Player, Prune, Record, RootMove, Score, Search, SearchRng, SimultaneousSearch,
    SimultaneousSettings, Task, Time, TimeSettings, Uniform,
};

use super::bots::{VALUE_SCALE, nash_settings};
use super::judge::{Balance, judge, judge_with};
use super::model::Model;
use super::report::ReportSettings;
use super::selective::Selective;
use crate::generic::{self, CAP};
use crate::{BotInfo, OptionInfo, Options, SpecError, Values};

type SelectiveHooks = Hooks<Linear<Balance>, Selective, NoQuiesce, Selective, NoExtend, Uniform>;
type FullHooks = Hooks<Linear<Balance>, Selective, NoQuiesce, NoPrune, NoExtend, Uniform>;

/// With so few tokens on the board and no throws left every move is looked at.
const ENDGAME: u8 = 4;
/// How many answers to a foreseen move are looked at beyond the turn.
const ANSWERS: usize = 24;
/// The moves of each side in the turn after a foreseen one.
const AFTERWARDS: Selective = Selective { width: 6, throws: 2 };
/// A position that occurred before is worth a little less than a draw: going round leads nowhere.
const REPEATED: f64 = -0.02;
/// Nodes for a prediction where no time is set.
const PREDICTION: u64 = 50_000;
/// Nodes for a prediction by time: one in so many microseconds, so that predictions take a part of the time only.
const MICROS_PER_NODE: u128 = 10;

/// The bot.
pub struct Champion {
    search: SimultaneousSearch<Position, SelectiveHooks>,
    /// The same without leaving moves out, for endgames.
    full: SimultaneousSearch<Position, FullHooks>,
    judge: Linear<Balance>,
    scale: f64,
    cap: Limits,
    modelling: bool,
    models: Vec<Model>,
    solver: Solver,
    rng: SearchRng,
}

impl fmt::Debug for Champion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Champion").field("models", &self.models).finish_non_exhaustive()
    }
}

impl Champion {
    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        let option = |key, values, default, about| OptionInfo { key, values, default, about };
        let mut options = CAP.to_vec();
        options.extend([
            option(
                "model",
                Values::Choice(&["on", "off"]),
                "on",
                "answers the next move of an opponent that has played just as a known program does",
            ),
            option("width", Values::Integer(2, 400), "10", "moves of each player that are looked at"),
            option("hash", Values::Integer(0, 65_536), "16", "size of the table of solved positions in MiB"),
            option(
                "weights",
                Values::Text("whole numbers joined by `/`"),
                "",
                "other weights of the evaluation's features",
            ),
            option("scale", Values::Number(1.0, 1e6), "250", "the score that is worth half a win"),
        ]);
        BotInfo {
            name: "champion",
            about: "the strongest: matrix games over selective moves, plays a draw from the mixed strategy; foresees \
                    opponents that play as a known program",
            options,
            build: Champion::build,
        }
    }

    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let width = options.integer("width").unwrap_or(10) as usize;
        let selective = Selective { width, throws: width.div_ceil(3) };
        let judge = match options.text("weights") {
            "" => judge(),
            weights => judge_with(weights).ok_or_else(|| SpecError::Value {
                bot: "champion",
                key: "weights",
                expected: format!("{} whole numbers joined by `/`", judge().weights().len()),
                found: weights.to_owned(),
            })?,
        };
        let scale = options.number("scale").unwrap_or(VALUE_SCALE);
        let settings = SimultaneousSettings {
            value_scale: scale,
            ..nash_settings((options.integer("hash").unwrap_or(16) as usize) << 20)
        };
        let hooks = Hooks::new(judge.clone()).with_order(selective);
        Ok(Box::new(Champion {
            full: SimultaneousSearch::new(hooks.clone(), settings.clone()),
            search: SimultaneousSearch::new(hooks.with_prune(selective), settings),
            judge,
            scale,
            cap: generic::cap(options),
            modelling: options.text("model") == "on",
            models: Vec::new(),
            solver: Solver::default(),
            rng: SearchRng::new(0, "champion"),
        }))
    }

    /// What a believed model says that the opponent plays now. Asks all models that are still worth it, so that each is
    /// tried.
    fn foresee(
        &mut self,
        record: &Record<Position>,
        opponent: Player,
        hard: Option<Duration>,
    ) -> Option<Move> {
        if self.models.is_empty() && self.modelling {
            self.models = vec![Model::new(ReportSettings::program()), Model::new(ReportSettings::text())];
        }
        let most_nodes =
            hard.map_or(PREDICTION, |hard| (hard.as_micros() / MICROS_PER_NODE) as u64).min(PREDICTION);
        let mut believed = None;
        for model in &mut self.models {
            model.observe(record, opponent);
        }
        for model in self.models.iter_mut().filter(|model| !model.is_hopeless()) {
            let prediction = model.predict(record, opponent, most_nodes);
            if model.is_believed() && believed.is_none() {
                believed = prediction;
            }
        }
        believed
    }

    /// The value of a position for the first player: its end, or a matrix game over few moves judged after one turn.
    fn value(&mut self, position: &Position) -> f64 {
        if let Some(end) = position.end() {
            return f64::from(end.outcome.sign(Player::One));
        }
        let [upper, lower] = Player::BOTH.map(|player| {
            let mut moves = <Position as Game>::Moves::default();
            AFTERWARDS.candidates(position, player, &mut moves);
            moves
        });
        let (judge, scale) = (&self.judge, self.scale);
        let matrix = Matrix::from_fn(upper.len(), lower.len(), |row, column| {
            let mut next = *position;
            next.play_turn([upper[row], lower[column]]);
            match next.end() {
                Some(end) => f64::from(end.outcome.sign(Player::One)),
                None => worth(judge.evaluate(&next, Player::One), scale),
            }
        });
        self.solver.solve(&matrix).value
    }

    /// The best answer to a move of the opponent.
    fn answer(&mut self, record: &Record<Position>, player: Player, foreseen: Move) -> Option<(Move, f64)> {
        let position = record.position();
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        let mut answers: Vec<(f64, Move, Position)> = Vec::new();
        for &mv in position.move_list(player).as_ref() {
            let mut next = *position;
            next.play_turn(if player == Player::One { [mv, foreseen] } else { [foreseen, mv] });
            let value = match next.end() {
                Some(end) => f64::from(end.outcome.sign(player)),
                None => worth(self.judge.evaluate(&next, player), self.scale),
            };
            answers.push((value, mv, next));
        }
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<(Move, f64)> = None;
        for (_, mv, next) in answers.into_iter().take(ANSWERS) {
            let repeated = next.repetition_key().is_some_and(|key| record.history().contains(&key));
            let value = if repeated { REPEATED } else { sign * self.value(&next) };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        best
    }
}

/// Whether so little is left that no move need be left out.
fn is_endgame(position: &Position) -> bool {
    Player::BOTH.into_iter().all(|player| position.throws_left(player) == 0)
        && Player::BOTH.into_iter().map(|player| position.token_count(player)).sum::<u8>() <= ENDGAME
}

/// A score as a value from -1 to 1.
fn worth(score: Score, scale: f64) -> f64 {
    let score = f64::from(score.value());
    score / (score.abs() + scale)
}

impl Bot<Position> for Champion {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.search.new_game(seed);
        self.full.new_game(seed);
        self.models.clear();
        self.rng = SearchRng::new(seed, "champion");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let started = task.clock.now();
        let mut limits = task.limits.and(self.cap);
        let bounds = limits.time.map(|time| TimeSettings::default().bounds(time, false));
        let opponent = task.player.opponent();
        let foreseen = self.foresee(task.record, opponent, bounds.map(|(_, hard)| hard));
        if let Some(foreseen) = foreseen
            && let Some((mv, value)) = self.answer(task.record, task.player, foreseen)
        {
            let score = Score::new((value * 1000.0) as i32);
            let mut analysis =
                Analysis { best: Some(mv), score, pv: vec![mv], depth: 1, ..Analysis::default() };
            analysis.root = vec![RootMove { mv, score, visits: 1, weight: 1.0 }];
            analysis.stats.time = task.clock.now().saturating_sub(started);
            return Ok(Answer { mv, analysis: Some(analysis) });
        }
        let used = task.clock.now().saturating_sub(started);
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
            self.search.search(&rest)
        };
        let mixed = analysis.mixed.as_ref().map(|mixed| &mixed.strategies[task.player.index()]);
        let mv = mixed
            .and_then(|strategy| draw(strategy, &mut self.rng))
            .or(analysis.best)
            .or_else(|| task.record.legal_moves(task.player).first().copied())
            .ok_or_else(|| BotFailure::new(FailureKind::Protocol, "asked for a move where there is none"))?;
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
