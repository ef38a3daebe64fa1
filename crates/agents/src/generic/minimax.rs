//! The generic minimax bot: iterative deepening without any pruning, the baseline of everything faster.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use search_core::{
    Analysis, Bound, Evaluate, Player, RootMove, Score, Search, SearchRng, StopReason, Task, TimeSettings,
    TurnBased,
};

/// Full-width minimax to a growing depth. Of equal moves one is drawn by seed.
pub struct Minimax<G, E> {
    evaluate: E,
    rng: SearchRng,
    game: PhantomData<fn(G)>,
}

impl<G, E> fmt::Debug for Minimax<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minimax").finish_non_exhaustive()
    }
}

impl<G: TurnBased, E: Evaluate<G>> Minimax<G, E> {
    /// A minimax search with this evaluation at the leaves.
    pub fn new(evaluate: E) -> Self {
        Minimax { evaluate, rng: SearchRng::new(0, "minimax"), game: PhantomData }
    }
}

/// One running search.
struct Run<'a, G: TurnBased, E> {
    task: &'a Task<'a, G>,
    evaluate: &'a E,
    started: Duration,
    hard: Option<Duration>,
    analysis: Analysis<G::Move>,
    stop: Option<StopReason>,
}

impl<G: TurnBased, E: Evaluate<G>> Run<'_, G, E> {
    fn elapsed(&self) -> Duration {
        self.task.clock.now().saturating_sub(self.started)
    }

    /// Counts a node, and looks at the limits (at flag and clock every 256 nodes).
    fn enter(&mut self) -> bool {
        let nodes = &mut self.analysis.stats.nodes;
        *nodes += 1;
        if self.task.limits.node_limit().is_some_and(|limit| *nodes > limit) {
            self.stop = Some(StopReason::Nodes);
        } else if nodes.is_multiple_of(256) {
            if self.task.stop.is_set() {
                self.stop = Some(StopReason::Stopped);
            } else if self.hard.is_some_and(|hard| self.elapsed() >= hard) {
                self.stop = Some(StopReason::Time);
            }
        }
        self.stop.is_none()
    }

    /// The value of a position for `player`, whose ancestor asked; the mover may be either.
    fn value(&mut self, position: &G, depth: u32, ply: u32, path: &mut Vec<u64>) -> Score {
        if !self.enter() {
            return Score::DRAW;
        }
        let mover = position.to_move();
        if let Some(end) = position.end().filter(|end| !end.yields_to_repetition) {
            return Score::of_outcome(end.outcome, mover, ply);
        }
        let key = G::REPETITION.and(position.repetition_key());
        if let Some(key) = key
            && (path.contains(&key) || self.task.record.history().contains(&key))
        {
            return Score::DRAW;
        }
        if let Some(end) = position.end() {
            return Score::of_outcome(end.outcome, mover, ply);
        }
        if depth == 0 && self.evaluate.can_judge(position) {
            self.analysis.stats.evaluations += 1;
            return self.evaluate.evaluate(position, mover);
        }
        path.extend(key);
        let mut best = Score::MIN;
        for &mv in position.move_list(mover).as_ref() {
            let next = position.after(mv);
            let value = self.value(&next, depth.saturating_sub(1), ply + 1, path);
            let value = if next.to_move() == mover { value } else { -value };
            best = best.max(value);
            if self.stop.is_some() {
                break;
            }
        }
        path.truncate(path.len() - usize::from(key.is_some()));
        best
    }

    /// Every root move with its value at one depth; `None` if a limit came first.
    fn iteration(&mut self, player: Player, depth: u32) -> Option<Vec<RootMove<G::Move>>> {
        let position = self.task.record.position();
        let mut root = Vec::new();
        if !self.enter() {
            return None;
        }
        for &mv in position.move_list(player).as_ref() {
            let before = self.analysis.stats.nodes;
            let next = position.after(mv);
            let value = self.value(&next, depth - 1, 1, &mut Vec::new());
            if self.stop.is_some() {
                return None;
            }
            let score = if next.to_move() == player { value } else { -value };
            root.push(RootMove {
                mv,
                score,
                bound: Bound::Exact,
                visits: self.analysis.stats.nodes - before,
                weight: 0.0,
            });
        }
        Some(root)
    }
}

impl<G: TurnBased, E: Evaluate<G>> Search<G> for Minimax<G, E> {
    fn new_game(&mut self, seed: u64) {
        self.rng = SearchRng::new(seed, "minimax");
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        let first_move = task.record.turns().len() < 2;
        let mut run = Run {
            task,
            evaluate: &self.evaluate,
            started: task.clock.now(),
            hard: task.limits.time.map(|time| TimeSettings::default().bounds(time, first_move).1),
            analysis: Analysis::game_over(),
            stop: None,
        };
        let legal = task.record.legal_moves(task.player);
        if !legal.is_empty() {
            run.analysis.stop = StopReason::Depth;
            run.analysis.best = Some(legal[self.rng.below(legal.len())]);
        }
        let deepest = if legal.is_empty() { 0 } else { task.limits.depth.unwrap_or(u32::MAX) };
        let mut depth = 0;
        while depth < deepest {
            depth += 1;
            let Some(mut root) = run.iteration(task.player, depth) else { break };
            root.sort_by_key(|entry| -entry.score);
            let ties = root.iter().take_while(|entry| entry.score == root[0].score).count();
            let best = root[self.rng.below(ties)];
            run.analysis.best = Some(best.mv);
            run.analysis.score = best.score;
            run.analysis.pv = vec![best.mv];
            run.analysis.depth = depth;
            run.analysis.root = root;
            run.analysis.stats.time = run.elapsed();
            if let Some(watch) = task.watch {
                watch(&run.analysis);
            }
            if best.score.is_decided() || legal.len() == 1 {
                run.stop = Some(if legal.len() == 1 { StopReason::OnlyMove } else { StopReason::Proven });
                break;
            }
        }
        run.analysis.stop = run.stop.unwrap_or(run.analysis.stop);
        run.analysis.stats.time = run.elapsed();
        run.analysis
    }
}
