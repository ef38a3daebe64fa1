//! Search of simultaneous games by backward induction: a matrix game at every node, solved exactly.

mod memo;
mod solve;

use std::marker::PhantomData;
use std::time::Duration;

use crate::matrix::Solver;
use crate::search::budget::{Budget, Shared};
use crate::search::path::Path;
use crate::{
    Analysis, Bound, Ends, HookSet, Mixed, Player, RootMove, Score, Search, Simultaneous, Stats, StopReason,
    Task, TimeSettings,
};
use memo::Memo;
use solve::Worker;

/// The settings of [`SimultaneousSearch`].
#[derive(Debug, Clone, PartialEq)]
pub struct SimultaneousSettings {
    /// Bounds nodes by the two serialized games: where they meet, no matrix has to be solved; elsewhere they show which
    /// moves cannot be part of an answer.
    pub serialized_bounds: bool,
    /// Solves a growing part of each matrix, adding best responses until there are none, instead of the whole.
    pub double_oracle: bool,
    /// Size of the table of solved positions in bytes, never exceeded; 0 for none.
    pub table_bytes: usize,
    /// A position that occurred before, in the game or in the line, counts as a draw.
    pub repetition: bool,
    /// Values of ended games: -1 to +1 by the outcome, or the payoffs of [`Game::utility`](crate::Game::utility).
    pub ends: Ends,
    /// With [`Ends::Outcome`]: the score of the evaluation that is worth half a win. Values are
    /// `score / (|score| + half_win)`.
    pub half_win: f64,
    /// What a turn later is worth; a little below 1 prefers quick wins. 1 for exact values.
    pub discount: f64,
    /// Differences of values below this do not matter.
    pub tolerance: f64,
    /// What is searched one after the other, each as far as it gets; afterwards one turn deeper each time with the width of the last.
    /// Without stages: every depth from 1 on, with all the moves that the hooks give.
    pub stages: Vec<Stage>,
    /// With stages: how many moves of each side, the best ranked, are looked at below the root.
    pub inner_width: usize,
    /// If the player has a single move, it is played at once.
    pub only_move: bool,
    /// How the time is divided.
    pub time: TimeSettings,
}

impl Default for SimultaneousSettings {
    fn default() -> Self {
        SimultaneousSettings {
            serialized_bounds: true,
            double_oracle: true,
            table_bytes: 16 << 20,
            repetition: true,
            ends: Ends::Outcome,
            half_win: 100.0,
            discount: 1.0,
            tolerance: 1e-9,
            stages: Vec::new(),
            inner_width: usize::MAX,
            only_move: true,
            time: TimeSettings::default(),
        }
    }
}

/// A search of an iterative deepening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// How deep, in turns.
    pub depth: u32,
    /// How many moves of each side are looked at now: those that the stage before played first, then the best ranked.
    pub width: usize,
}

impl SimultaneousSettings {
    /// The stage of this number, from 0.
    fn stage(&self, number: usize) -> Stage {
        match (self.stages.get(number), self.stages.last()) {
            (Some(&stage), _) => stage,
            (None, Some(last)) => {
                let further = (number - self.stages.len()) as u32 + 1;
                Stage { depth: last.depth.saturating_add(further), width: last.width }
            }
            (None, None) => Stage { depth: number as u32 + 1, width: usize::MAX },
        }
    }

    /// Plain backward induction: every matrix in full, nothing bounded, nothing remembered.
    pub fn plain() -> Self {
        SimultaneousSettings {
            serialized_bounds: false,
            double_oracle: false,
            table_bytes: 0,
            only_move: false,
            ..SimultaneousSettings::default()
        }
    }
}

/// Iterative-deepening backward induction over any simultaneous game: the answer is a mixed strategy with its value and
/// its gap in the searched game. Depth counts turns.
///
/// The hooks it uses: `evaluate` at the horizon, `prune` for selective moves, `order` for which moves are looked at
/// first.
#[derive(Debug)]
pub struct SimultaneousSearch<G: Simultaneous, H> {
    hooks: H,
    settings: SimultaneousSettings,
    memo: Option<Memo>,
    matrices: u64,
    game: PhantomData<fn() -> G>,
}

impl<G: Simultaneous, H: HookSet<G>> SimultaneousSearch<G, H> {
    /// A search with these hooks and settings. The table is allocated when a game begins.
    pub fn new(hooks: H, settings: SimultaneousSettings) -> Self {
        SimultaneousSearch { hooks, settings, memo: None, matrices: 0, game: PhantomData }
    }

    /// The settings.
    pub fn settings(&self) -> &SimultaneousSettings {
        &self.settings
    }

    /// How many matrix games the last search solved: those of double oracle are many, but small.
    pub fn matrices(&self) -> u64 {
        self.matrices
    }
}

impl<G: Simultaneous, H: HookSet<G>> Search<G> for SimultaneousSearch<G, H> {
    fn new_game(&mut self, _: u64) {
        // Before the first move's time begins.
        self.memo.get_or_insert_with(|| Memo::new(self.settings.table_bytes)).clear();
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        let position = task.record.position();
        if task.is_over() {
            return Analysis::game_over();
        }
        let started = task.clock.now();
        let memo = self.memo.get_or_insert_with(|| Memo::new(self.settings.table_bytes));
        let shared = Shared::default();
        let mut worker = Worker {
            hooks: &self.hooks,
            settings: &self.settings,
            memo,
            path: Path::new::<G>(task.record.history(), self.settings.repetition),
            budget: Budget::of(task, &self.settings.time, &shared)
                .since(started)
                .with_count(task.limits.node_limit(), StopReason::Nodes),
            stats: Stats::default(),
            solver: Solver::default(),
            horizon: false,
            game: PhantomData,
        };
        let mut lists = worker.move_lists(position);
        // What the hooks left out at the root is left out by every stage.
        let pruned = worker.horizon;
        if self.settings.only_move
            && let [only] = position.move_list(task.player).as_ref()
        {
            return Analysis::only_move(*only);
        }
        let mut analysis =
            Analysis { best: lists[task.player.index()].first().copied(), ..Analysis::default() };
        let last = task.limits.depth.unwrap_or(MAX_TURNS).clamp(1, MAX_TURNS);
        let mut spent = Duration::ZERO;
        for number in 0.. {
            let Stage { depth, width } = self.settings.stage(number);
            if depth > last {
                break;
            }
            worker.stats.nodes += 1;
            let looked_at = lists.each_ref().map(|list| list[..width.clamp(1, list.len())].to_vec());
            let narrowed = (0..2).any(|side| looked_at[side].len() < lists[side].len());
            worker.horizon = pruned || narrowed;
            let found = worker.equilibrium(position, depth, &looked_at);
            analysis.stats = Stats { time: worker.budget.elapsed(), ..worker.stats };
            if let Some(reason) = worker.budget.stopped() {
                analysis.stop = reason;
                break;
            }
            // Where the moves that are played stand in what was found, the likeliest first.
            let places = [0, 1].map(|side| {
                let shares = &found.strategies[side];
                let mut places: Vec<usize> =
                    (0..shares.len()).filter(|&place| shares[place].1 > 0.0).collect();
                places.sort_by(|&a, &b| shares[b].1.total_cmp(&shares[a].1));
                places
            });
            let strategies = [0, 1].map(|side| {
                let of = |&place: &usize| {
                    let (number, share) = found.strategies[side][place];
                    (looked_at[side][number], share)
                };
                places[side].iter().map(of).collect::<Vec<(G::Move, f64)>>()
            });
            let sign = if task.player == Player::One { 1.0 } else { -1.0 };
            let row =
                |&row: &usize| places[1].iter().map(|&column| sign * found.payoffs[row][column]).collect();
            let payoffs = places[0].iter().map(row).collect();
            let value = sign * found.value;
            report(&mut analysis, task.player, self.settings.score(value, depth), &strategies);
            analysis.mixed = Some(Mixed { strategies, value, gap: found.gap, payoffs });
            analysis.depth = depth;
            analysis.stop = StopReason::Depth;
            if let Some(watch) = task.watch {
                watch(&analysis);
            }
            if !worker.horizon {
                analysis.stop = StopReason::Proven;
                break;
            }
            // The next stage takes longer than this one did: what cannot be finished is not begun.
            let elapsed = worker.budget.elapsed();
            let took = elapsed.saturating_sub(spent);
            if worker.budget.soft_over() || worker.budget.time_left().is_some_and(|left| left < took) {
                analysis.stop = StopReason::Time;
                break;
            }
            spent = elapsed;
            // The moves that are played now are looked at first in the next iteration.
            if let Some(mixed) = &analysis.mixed {
                for (list, strategy) in lists.iter_mut().zip(&mixed.strategies) {
                    list.sort_by_key(|mv| {
                        strategy.iter().position(|(played, _)| played == mv).unwrap_or(usize::MAX)
                    });
                }
            }
        }
        self.matrices = worker.solver.solves();
        analysis
    }
}

/// Deeper than any iteration gets.
const MAX_TURNS: u32 = 200;

fn report<M: Copy + PartialEq>(
    analysis: &mut Analysis<M>,
    player: Player,
    score: Score,
    strategies: &[Vec<(M, f64)>; 2],
) {
    let own = &strategies[player.index()];
    analysis.score = score;
    analysis.best = own.first().map(|&(mv, _)| mv).or(analysis.best);
    analysis.pv = analysis.best.into_iter().collect();
    analysis.root = own
        .iter()
        .map(|&(mv, weight)| RootMove { mv, score, bound: Bound::Exact, visits: 0, weight })
        .collect();
}

impl SimultaneousSettings {
    /// A value as a score, for people and logs: thousandths of a win, or payoffs.
    fn score(&self, value: f64, depth: u32) -> Score {
        match self.ends {
            Ends::Outcome if value >= 1.0 - self.tolerance => Score::win_in(depth),
            Ends::Outcome if value <= self.tolerance - 1.0 => Score::loss_in(depth),
            Ends::Outcome => Score::new((value * 1000.0) as i32),
            Ends::Utility => Score::new(value as i32),
        }
    }
}
