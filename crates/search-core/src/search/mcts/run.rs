//! The course of a Monte Carlo search: select, expand, play out, back up.

use std::time::Duration;

use super::logarithms::Logarithms;
use super::summary::summary;
use super::tree::{Hot, Proof, ROOT, Tree};
use super::{AtCap, FinalChoice, Growth, Mcts, MctsSettings, Selection};
use crate::search::budget::{Budget, Shared};
use crate::search::hooks::searched_moves;
use crate::search::path::{Arrival, Path};
use crate::{
    Analysis, Bound, Evaluate, HookSet, Order, Outcome, Player, Prune, Rollout, RootMove, Score, SearchRng,
    Stats, StopReason, Task, TurnBased, puct_bonus,
};

/// A playout that has no cap of its own is cut here: a game without a turn cap may go on for ever.
const LONGEST_PLAYOUT: u32 = 10_000;

pub(super) fn run<G: TurnBased, H: HookSet<G>>(
    search: &mut Mcts<G, H>,
    task: &Task<'_, G>,
) -> Analysis<G::Move> {
    let position = task.record.position();
    if task.is_over() {
        return Analysis::game_over();
    }
    let started = task.clock.now();
    let settings = search.settings.clone();
    let threads =
        if cfg!(all(feature = "threads", not(target_family = "wasm"))) { settings.threads.max(1) } else { 1 };
    if search.trees.len() != threads {
        search.trees.clear();
        search.trees.resize_with(threads, || Tree::new(settings.memory_bytes / threads));
    }
    if settings.reuse_tree {
        search.advance(task.record);
    } else {
        search.trees.iter_mut().for_each(Tree::clear);
        search.root = None;
    }
    let moves = searched_moves(search.hooks.prune(), position, position.to_move());
    if let ([only], true) = (moves.as_ref(), settings.only_move) {
        let row = RootMove { mv: *only, score: Score::DRAW, bound: Bound::Exact, visits: 0, weight: 1.0 };
        return Analysis { root: vec![row], ..Analysis::only_move(*only) };
    }

    let shared = Shared::default();
    let hooks = &search.hooks;
    let seed = search.seed.wrapping_add(task.record.turns().len() as u64);
    let workers: Vec<Worker<'_, G, H>> = search
        .trees
        .iter_mut()
        .enumerate()
        .map(|(number, tree)| {
            // Each thread has its own share of the playouts, so that the result does not depend on who is faster.
            let share = |limit: u64| (limit + threads as u64 - 1 - number as u64) / threads as u64;
            let limit = task.limits.playouts.map(share);
            Worker {
                hooks,
                settings: &settings,
                tree,
                rng: SearchRng::new(seed, &format!("playouts {number}")),
                path: Path::new::<G>(task.record.history(), settings.repetition),
                budget: Budget::of(task, &settings.time, &shared)
                    .since(started)
                    .with_count(limit, StopReason::Playouts),
                node_limit: task.limits.nodes.map(share),
                depth_limit: task.limits.depth,
                stats: Stats::default(),
                deepest: 0,
                line: Vec::new(),
                logarithms: Logarithms::shared(),
            }
        })
        .collect();
    let finished = on_threads(workers, task, &shared);
    let elapsed = finished[0].1.time;
    let mut analysis = summary(&search.trees, &settings, position.to_move());
    for (reason, stats, deepest) in &finished {
        analysis.stats += *stats;
        analysis.depth = analysis.depth.max(*deepest);
        if analysis.stop != StopReason::Proven {
            analysis.stop = *reason;
        }
    }
    analysis.stats.time = elapsed;
    // Only if not even the root's moves fit into the memory: a move has to be given.
    analysis.best = analysis.best.or_else(|| moves.as_ref().first().copied());
    analysis
}

type Finished = (StopReason, Stats, u32);

#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn on_threads<G: TurnBased, H: HookSet<G>>(
    mut workers: Vec<Worker<'_, G, H>>,
    task: &Task<'_, G>,
    shared: &Shared,
) -> Vec<Finished> {
    let others = workers.split_off(1);
    std::thread::scope(|scope| {
        let handles: Vec<_> = others
            .into_iter()
            .map(|mut worker| scope.spawn(move || worker.run(task, shared, false)))
            .collect();
        let mut finished: Vec<Finished> =
            workers.iter_mut().map(|worker| worker.run(task, shared, true)).collect();
        // A thread that panicked did so in a hook of the user's; the others' playouts still count.
        finished.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
        finished
    })
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn on_threads<G: TurnBased, H: HookSet<G>>(
    mut workers: Vec<Worker<'_, G, H>>,
    task: &Task<'_, G>,
    shared: &Shared,
) -> Vec<Finished> {
    workers.iter_mut().map(|worker| worker.run(task, shared, true)).collect()
}

/// One thread's search in its own tree.
struct Worker<'a, G: TurnBased, H> {
    hooks: &'a H,
    settings: &'a MctsSettings,
    tree: &'a mut Tree<G::Move>,
    rng: SearchRng,
    path: Path,
    budget: Budget<'a>,
    node_limit: Option<u64>,
    depth_limit: Option<u32>,
    stats: Stats,
    deepest: u32,
    /// The nodes of the current line, each with the player who moved there.
    line: Vec<(usize, Player)>,
    logarithms: &'a Logarithms,
}

impl<G: TurnBased, H: HookSet<G>> Worker<'_, G, H> {
    fn run(&mut self, task: &Task<'_, G>, shared: &Shared, watched: bool) -> Finished {
        let position = task.record.position();
        if !self.expand(ROOT, position) {
            // A tree kept from the last move may leave no room.
            self.tree.clear();
            self.expand(ROOT, position);
        }
        let mut next_news = 1024;
        let mut next_thought = 256;
        let reason = loop {
            if self.budget.must_stop(self.stats.playouts) {
                break self.budget.stopped().unwrap_or_default();
            }
            if self.node_limit.is_some_and(|limit| self.stats.nodes >= limit) {
                break StopReason::Nodes;
            }
            if self.depth_limit.is_some_and(|limit| self.deepest >= limit) {
                break StopReason::Depth;
            }
            if self.settings.solver && self.tree.node(ROOT).proof != Proof::Open {
                // The other trees cannot know better.
                shared.stop();
                break StopReason::Proven;
            }
            self.playout(position);
            if self.tree.full {
                self.tree.recycle();
            }
            if self.settings.clearly_best && self.stats.playouts >= next_thought {
                next_thought += 256;
                if self.cannot_change() {
                    break StopReason::ClearlyBest;
                }
            }
            if let (true, Some(watch), true) = (watched, task.watch, self.stats.playouts >= next_news) {
                next_news *= 2;
                let mut analysis =
                    summary(std::slice::from_ref(self.tree), self.settings, position.to_move());
                analysis.stats = Stats { time: self.budget.elapsed(), ..self.stats };
                analysis.depth = self.deepest;
                watch(&analysis);
            }
        };
        self.stats.time = self.budget.elapsed();
        (reason, self.stats, self.deepest)
    }

    /// One playout: down the tree, out to the end of the game, and back up.
    fn playout(&mut self, root: &G) {
        let mut position = root.clone();
        let mut at = ROOT;
        let known = self.path.len();
        self.line.clear();
        self.line.push((ROOT, root.to_move().opponent()));
        self.stats.playouts += 1;
        self.stats.nodes += 1;
        let mut proven = false;
        let mut in_hand = 0;
        // The value is that of the first player.
        let value = loop {
            let node = self.tree.node(at);
            if at != ROOT {
                if self.settings.solver && node.proof != Proof::Open {
                    break node.proof.value(Player::One);
                }
                let visits = node.visits;
                // Nothing is looked at again in a node that has children: the line that leads there is always the same.
                if !node.is_expanded() {
                    if let Some((outcome, by_rule)) = self.ended(&position) {
                        proven = self.settings.solver && by_rule;
                        if proven {
                            self.tree.prove(at, Proof::of(outcome), 0, self.line[self.line.len() - 1].1);
                        }
                        break Proof::of(outcome).value(Player::One);
                    }
                    let grows = self.settings.growth == Growth::Tree && visits >= self.settings.expand_after;
                    if !grows || !self.expand(at, &position) {
                        break self.roll_out(&position);
                    }
                }
                if let Some(key) = self.path.key_of(&position) {
                    self.path.push(key);
                }
            }
            let mover = position.to_move();
            let mut chosen = self.select(at, mover);
            if self.settings.solver
                && let Some(child) = chosen
                && self.tree.node(child).proof == Proof::Drawn
                && let Some(open) = self.most_visited_open(at)
            {
                // The draw is in hand and needs no more playouts: they go into what may be better, while the nodes above
                // count a draw.
                in_hand = self.line.len();
                chosen = Some(open);
            }
            let Some((child, mv)) = chosen.and_then(|child| Some((child, self.tree.node(child).mv?))) else {
                break self.roll_out(&position);
            };
            position.play(mv);
            self.stats.nodes += 1;
            at = child;
            self.line.push((at, mover));
        };
        self.path.truncate(known);
        self.deepest = self.deepest.max(self.line.len() as u32 - 1);
        for (place, &(index, chooser)) in self.line.iter().enumerate() {
            let value = if place < in_hand { 0.5 } else { value };
            self.tree.add(index, if chooser == Player::One { value } else { 1.0 - value });
        }
        if proven {
            self.back_up_proof();
        }
    }

    /// How the game ended in a position below the root, and whether by its rules (a repeat in the line counts as a draw
    /// here, but the rules may ask for more repeats).
    fn ended(&self, position: &G) -> Option<(Outcome, bool)> {
        match self.path.arrive(position) {
            Arrival::Ended(end) => Some((end.outcome, true)),
            Arrival::Repeated(_) => Some((Outcome::Draw, false)),
            Arrival::Open(_) => None,
        }
    }

    /// The last node of the line was just proven: what does that prove further up?
    fn back_up_proof(&mut self) {
        for place in (0..self.line.len() - 1).rev() {
            let (index, chooser) = self.line[place];
            let mover = self.line[place + 1].1;
            let Some((proof, plies)) = self.tree.verdict(index, mover) else { return };
            self.tree.prove(index, proof, plies, chooser);
        }
    }

    /// The child that the next playout goes through.
    #[inline]
    fn select(&self, at: usize, mover: Player) -> Option<usize> {
        let children = self.tree.children(at);
        if children.is_empty() {
            return None;
        }
        let first = children.start;
        if at == ROOT && self.settings.growth == Growth::Flat {
            return children.min_by_key(|&child| self.tree.node(child).visits);
        }
        let parent = self.tree.node(at);
        if let (Selection::Ucb1 { c }, true) = (self.settings.selection, self.settings.bias == 0.0) {
            let curiosity = c as f32 * self.logarithms.root_of_log(parent.visits);
            return Some(first + best_bound(self.tree.hot(children), curiosity));
        }
        // Before its first visit a child is thought to be as good as its parent.
        let average = parent.total / f64::from(parent.visits.max(1));
        let chooser = self.line.last().map_or(mover, |&(_, chooser)| chooser);
        let unknown = if chooser == mover { average } else { 1.0 - average };
        let mut best = first;
        let mut highest = f64::NEG_INFINITY;
        for child in children {
            let node = self.tree.node(child);
            let visits = f64::from(node.visits);
            let mean =
                if node.visits == 0 { unknown } else { f64::from(self.tree.hot(child..child + 1)[0].mean) };
            let prior = f64::from(node.prior);
            let curiosity = match self.settings.selection {
                Selection::Puct { c } => {
                    puct_bonus(prior, u64::from(node.visits), u64::from(parent.visits), c)
                }
                Selection::Ucb1 { .. } if node.visits == 0 => f64::from(u32::MAX) + prior,
                Selection::Ucb1 { c } => {
                    c * f64::from(self.logarithms.root_of_log(parent.visits)) / visits.sqrt()
                }
            };
            let value = mean + curiosity + self.settings.bias * prior / (1.0 + visits);
            if value > highest {
                (best, highest) = (child, value);
            }
        }
        Some(best)
    }

    /// The most promising child whose result is still open: the most visited, the first of equals.
    fn most_visited_open(&self, at: usize) -> Option<usize> {
        self.tree
            .children(at)
            .filter(|&child| self.tree.node(child).proof == Proof::Open)
            .max_by_key(|&child| (self.tree.node(child).visits, std::cmp::Reverse(child)))
    }

    /// Gives a node its children; `false` if there is no room for them.
    fn expand(&mut self, at: usize, position: &G) -> bool {
        if self.tree.node(at).is_expanded() {
            return true;
        }
        let mover = position.to_move();
        let moves = searched_moves(self.hooks.prune(), position, mover);
        let moves = moves.as_ref();
        let mut partial = self.hooks.prune().is_active();
        let wants_priors =
            self.settings.bias != 0.0 || matches!(self.settings.selection, Selection::Puct { .. });
        let keeps_few = self.settings.expand_best.filter(|&best| best.max(1) < moves.len());
        if !wants_priors && keeps_few.is_none() {
            return self.tree.expand(at, moves.iter().map(|&mv| (mv, 0.0)), partial);
        }
        let ranked = keeps_few.is_some() && self.hooks.order().is_active();
        let scores: Vec<Score> = if wants_priors || !ranked {
            moves.iter().map(|&mv| self.judge(&position.after(mv), mover)).collect()
        } else {
            vec![Score::DRAW; moves.len()]
        };
        let mut places: Vec<usize> = (0..moves.len()).collect();
        if let Some(best) = keeps_few {
            let mut ranks = vec![0; moves.len()];
            if ranked {
                self.hooks.order().rank_all(position, mover, moves, &mut ranks);
            } else {
                ranks.iter_mut().zip(&scores).for_each(|(rank, score)| *rank = score.value());
            }
            places.sort_by_key(|&place| std::cmp::Reverse(ranks[place]));
            places.truncate(best.max(1));
            partial = true;
        }
        let priors: Vec<f32> = match self.settings.selection {
            Selection::Puct { .. } => self.shares(places.iter().map(|&place| scores[place])),
            Selection::Ucb1 { .. } => places.iter().map(|&place| self.chance(scores[place]) as f32).collect(),
        };
        self.tree.expand(at, places.iter().map(|&place| moves[place]).zip(priors), partial)
    }

    /// The value of a position for `player`, finished or not.
    fn judge(&mut self, position: &G, player: Player) -> Score {
        if let Some(end) = position.end() {
            return Score::of_outcome(end.outcome, player, 0);
        }
        self.stats.evaluations += 1;
        self.hooks.evaluate().evaluate(position, player)
    }

    /// A score as a chance to win.
    fn chance(&self, score: Score) -> f64 {
        if score.is_decided() {
            return f64::from(u8::from(score.is_win()));
        }
        1.0 / (1.0 + libm::exp(-f64::from(score.value()) / self.settings.value_scale))
    }

    /// Scores as priors that add up to 1: `exp(score / scale)`, normalised.
    fn shares(&self, scores: impl Iterator<Item = Score> + Clone) -> Vec<f32> {
        let best = scores.clone().max().unwrap_or_default().value();
        let weights: Vec<f64> = scores
            .map(|score| libm::exp((f64::from(score.value()) - f64::from(best)) / self.settings.value_scale))
            .collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| (weight / sum) as f32).collect()
    }

    /// Plays the game out and gives its value for the first player.
    fn roll_out(&mut self, from: &G) -> f64 {
        let cap = self.settings.rollout_plies.unwrap_or(LONGEST_PLAYOUT);
        if cap == 0 {
            let score = self.judge(from, Player::One);
            return self.chance(score);
        }
        let count = self.settings.playouts_per_leaf.max(1);
        let ends_first = !self.hooks.rollout().knows_the_end();
        let mut sum = 0.0;
        for _ in 0..count {
            let mut position = from.clone();
            let mut plies = 0;
            sum += loop {
                if (ends_first || plies >= cap)
                    && let Some(end) = position.end()
                {
                    break Proof::of(end.outcome).value(Player::One);
                }
                if plies >= cap {
                    break self.cut(&position);
                }
                let mover = position.to_move();
                let Some(mv) = self.hooks.rollout().choose(&position, mover, &mut self.rng) else {
                    break match position.end() {
                        Some(end) => Proof::of(end.outcome).value(Player::One),
                        None => self.cut(&position),
                    };
                };
                position.play(mv);
                plies += 1;
            };
            self.stats.nodes += u64::from(plies);
        }
        sum / f64::from(count)
    }

    /// What a playout is worth that was cut.
    fn cut(&mut self, position: &G) -> f64 {
        match self.settings.at_cap {
            AtCap::Draw => 0.5,
            AtCap::Evaluate => {
                let score = self.judge(position, Player::One);
                self.chance(score)
            }
        }
    }

    /// Whether the clock decides and no other root move can become the most visited in the time that is left.
    fn cannot_change(&self) -> bool {
        if self.settings.final_choice != FinalChoice::MostVisits || self.settings.growth == Growth::Flat {
            return false;
        }
        let Some(left) = self.budget.time_left() else { return false };
        let elapsed = self.budget.elapsed().max(Duration::from_micros(1));
        let to_come = self.stats.playouts as f64 * left.as_secs_f64() / elapsed.as_secs_f64();
        let mut visits: Vec<u32> =
            self.tree.children(ROOT).map(|child| self.tree.node(child).visits).collect();
        visits.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
        visits.len() > 1 && f64::from(visits[0] - visits[1]) > to_come
    }
}

/// The place of the highest upper confidence bound; the first of equals.
#[inline]
fn best_bound(children: &[Hot], curiosity: f32) -> usize {
    let mut best = 0;
    let mut highest = f32::NEG_INFINITY;
    for (place, child) in children.iter().enumerate() {
        let bound = child.mean + curiosity * child.width;
        if bound > highest {
            (best, highest) = (place, bound);
        }
    }
    best
}
