//! The course of a search: both players choose, the game goes on, and each learns from the result.

use super::SmMctsSettings;
use super::selector::{Choice, Scratch};
use super::tree::{ROOT, Tree};
use crate::matrix::Matrix;
use crate::search::budget::{Budget, Shared};
use crate::search::hooks::searched_moves;
use crate::search::path::{Arrival, Path};
use crate::{
    Analysis, Bound, Evaluate, HookSet, Mixed, Player, Rollout, RootMove, Score, SearchRng, Simultaneous,
    Stats, StopReason, Task,
};

/// A playout that has no cap of its own is cut here: a game without a turn cap may go on for ever.
const LONGEST_PLAYOUT: u32 = 10_000;

pub(super) fn run<G: Simultaneous, H: HookSet<G>>(
    hooks: &H,
    settings: &SmMctsSettings,
    tree: &mut Tree<G::Move>,
    seed: u64,
    task: &Task<'_, G>,
) -> Analysis<G::Move> {
    let position = task.record.position();
    if task.is_over() {
        return Analysis::game_over();
    }
    let started = task.clock.now();
    tree.clear();
    let lists = Player::BOTH.map(|player| searched_moves(hooks.prune(), position, player).as_ref().to_vec());
    let own = &lists[task.player.index()];
    // A single candidate of many legal moves still has a value to be found.
    if let ([only], true) = (position.move_list(task.player).as_ref(), settings.only_move) {
        return Analysis::only_move(*only);
    }
    let shared = Shared::default();
    let turns = task.record.turns().len();
    let budget = Budget::of(task, &settings.time, &shared).since(started);
    let mut worker = Worker {
        hooks,
        settings,
        tree,
        rng: SearchRng::new(seed.wrapping_add(turns as u64), "simultaneous playouts"),
        path: Path::new::<G>(task.record.history(), settings.repetition),
        budget: budget.with_count(task.limits.playouts, StopReason::Playouts),
        stats: Stats::default(),
        deepest: 0,
        line: Vec::new(),
        scratch: Scratch::default(),
    };
    let stop = if worker.tree.expand(ROOT, [&lists[0], &lists[1]]) {
        worker.run(task)
    } else {
        // Not even the root's moves fit into the memory: a move has to be given.
        StopReason::Nodes
    };
    let mut analysis = worker.summary(task.player);
    analysis.stop = stop;
    analysis.best = analysis.best.or_else(|| own.first().copied());
    analysis
}

struct Worker<'a, G: Simultaneous, H> {
    hooks: &'a H,
    settings: &'a SmMctsSettings,
    tree: &'a mut Tree<G::Move>,
    rng: SearchRng,
    path: Path,
    budget: Budget<'a>,
    stats: Stats,
    deepest: u32,
    line: Vec<Choice>,
    scratch: Scratch,
}

impl<G: Simultaneous, H: HookSet<G>> Worker<'_, G, H> {
    fn run(&mut self, task: &Task<'_, G>) -> StopReason {
        let mut next_news = 1024;
        loop {
            if self.budget.must_stop(self.stats.playouts) {
                return self.budget.stopped().unwrap_or_default();
            }
            if task.limits.nodes.is_some_and(|limit| self.stats.nodes >= limit) {
                return StopReason::Nodes;
            }
            if task.limits.depth.is_some_and(|limit| self.deepest >= limit) {
                return StopReason::Depth;
            }
            self.playout(task.record.position());
            if let (Some(watch), true) = (task.watch, self.stats.playouts >= next_news) {
                next_news *= 2;
                watch(&self.summary(task.player));
            }
        }
    }

    /// One playout: both players choose down the tree, the game is played out, and both learn.
    fn playout(&mut self, root: &G) {
        let mut position = root.clone();
        let mut at = ROOT;
        let known = self.path.len();
        self.line.clear();
        self.stats.playouts += 1;
        self.stats.nodes += 1;
        let mut leaf = None;
        // The value is that of the first player, from 0 to 1.
        let value = loop {
            if at != ROOT {
                if let Some(value) = self.ended(&position) {
                    break value;
                }
                if !self.tree.node(at).is_expanded() {
                    let lists =
                        Player::BOTH.map(|player| searched_moves(self.hooks.prune(), &position, player));
                    // A new node is first played out once, and gets its moves when it is seen again.
                    if self.tree.node(at).visits == 0
                        || !self.tree.expand(at, [lists[0].as_ref(), lists[1].as_ref()])
                    {
                        break self.roll_out(&position);
                    }
                }
                if let Some(key) = self.path.key_of(&position) {
                    self.path.push(key);
                }
            }
            let selector = self.settings.selector;
            let choice = selector.choose(self.tree, at, &mut self.rng, &mut self.scratch);
            let moves = [0, 1].map(|side| self.tree.actions(at, side)[choice.pair[side]].mv);
            position.play(moves);
            self.stats.nodes += 1;
            self.line.push(choice);
            match self.tree.child_or_new(at, choice.pair) {
                Some(child) => at = child,
                None => break self.ended(&position).unwrap_or_else(|| self.roll_out(&position)),
            }
            leaf = Some(at);
        };
        self.path.truncate(known);
        self.deepest = self.deepest.max(self.line.len() as u32);
        if let Some(leaf) = leaf.filter(|leaf| self.line.last().is_none_or(|choice| choice.node != *leaf)) {
            self.tree.add(leaf, value);
        }
        self.settings.selector.learn(self.tree, &self.line, value, self.settings.averaged);
    }

    /// The value of a position in which the game is over or repeats itself.
    fn ended(&self, position: &G) -> Option<f64> {
        match self.path.arrive(position) {
            Arrival::Ended(end) => Some(f64::midpoint(1.0, f64::from(end.outcome.sign(Player::One)))),
            Arrival::Repeated(_) => Some(0.5),
            Arrival::Open(_) => None,
        }
    }

    /// Plays the game out and gives its value for the first player.
    fn roll_out(&mut self, from: &G) -> f64 {
        let cap = self.settings.rollout_turns.unwrap_or(LONGEST_PLAYOUT);
        let mut position = from.clone();
        for turn in 0..=cap {
            if let Some(end) = position.end() {
                return f64::midpoint(1.0, f64::from(end.outcome.sign(Player::One)));
            }
            if turn == cap {
                break;
            }
            let rollout = self.hooks.rollout();
            let moves = Player::BOTH.map(|player| rollout.choose(&position, player, &mut self.rng));
            let [Some(one), Some(two)] = moves else { break };
            position.play([one, two]);
            self.stats.nodes += 1;
        }
        self.stats.evaluations += 1;
        let score = self.hooks.evaluate().evaluate(&position, Player::One);
        f64::midpoint(1.0, score.share_of_a_win(self.settings.half_win))
    }

    /// What the tree says about the root, for one player.
    fn summary(&self, player: Player) -> Analysis<G::Move> {
        let SmMctsSettings { selector, least_share, .. } = *self.settings;
        let shares = [0, 1].map(|side| selector.strategy(self.tree, ROOT, side, least_share));
        let strategies = [0, 1].map(|side: usize| {
            let actions = self.tree.actions(ROOT, side);
            let mut strategy: Vec<(G::Move, f64)> =
                actions.iter().zip(&shares[side]).map(|(action, &share)| (action.mv, share)).collect();
            strategy.retain(|&(_, share)| share > 0.0);
            strategy.sort_by(|a, b| b.1.total_cmp(&a.1));
            strategy
        });
        let root = self.tree.node(ROOT);
        let mean = root.mean().unwrap_or(0.5);
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        // The gap within the matrix of averages seen so far; pairs that were never tried count as the average.
        let matrix = Matrix::from_fn(shares[0].len(), shares[1].len(), |row, column| {
            let child = self.tree.child(ROOT, [row, column]);
            2.0 * child.and_then(|child| self.tree.node(child).mean()).unwrap_or(mean) - 1.0
        });
        let gap = matrix.gap(&shares[0], &shares[1]);
        let value = sign * (2.0 * mean - 1.0);
        let side = player.index();
        let mut rows: Vec<RootMove<G::Move>> = self
            .tree
            .actions(ROOT, side)
            .iter()
            .zip(&shares[side])
            .map(|(action, &weight)| {
                let mean = if action.visits == 0 { 0.5 } else { action.total / f64::from(action.visits) };
                let score = Score::new(((2.0 * mean - 1.0) * 1000.0) as i32);
                RootMove {
                    mv: action.mv,
                    score,
                    bound: Bound::Exact,
                    visits: u64::from(action.visits),
                    weight,
                }
            })
            .collect();
        rows.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let best = rows.first().map(|row| row.mv);
        Analysis {
            best,
            score: Score::new((value * 1000.0) as i32),
            pv: best.into_iter().collect(),
            depth: self.deepest,
            stop: StopReason::default(),
            stats: Stats { time: self.budget.elapsed(), ..self.stats },
            root: rows,
            lines: Vec::new(),
            mixed: Some(Mixed { strategies, value, gap, payoffs: Vec::new() }),
        }
    }
}
