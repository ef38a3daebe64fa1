//! The course of a solution: one question after the other, until nothing is left between the bounds.

use super::insight::{Insight, RankedMoves, table_key};
use super::memory::MoveMemory;
use super::node::{Question, Worker, test_after};
use super::table::{Bounds, SolverTable};
use super::{Goal, Solution, SolverSettings, analysis};
use crate::search::Ends;
use crate::search::budget::{Budget, Shared};
use crate::search::in_progress::InProgress;
use crate::{Score, Stats, StopReason, Task, TurnBased, Watcher};

/// Room for so many moves of a position to begin with.
const ROOM: usize = 16;

/// Solves the position of a task.
pub(super) fn solve<G: TurnBased, I: Insight<G>>(
    insight: &I,
    settings: &SolverSettings,
    table: &SolverTable,
    task: &Task<'_, G>,
) -> Solution<G::Move> {
    let position = task.record.position();
    let ends = if settings.goal == Goal::Payoff { Ends::Utility } else { Ends::Outcome };
    if let Some(end) = task.record.end().or_else(|| position.end()) {
        let score = ends.score(position, end, position.to_move(), 0);
        return Solution {
            lower: score,
            upper: score,
            best: None,
            line: Vec::new(),
            stop: StopReason::GameOver,
            stats: Stats::default(),
        };
    }
    let shared = Shared::default();
    let threads =
        if cfg!(all(feature = "threads", not(target_family = "wasm"))) { settings.threads.max(1) } else { 1 };
    let in_progress = (threads > 1).then(InProgress::new);
    let course = |_| Course {
        worker: Worker {
            insight,
            table,
            in_progress: in_progress.as_ref(),
            budget: Budget::of(task, &settings.time, &shared)
                .with_count(task.limits.node_limit(), StopReason::Nodes)
                .with_threads(threads > 1),
            stats: Stats::default(),
            ends,
            too_long: false,
            memory: MoveMemory::new(I::LEARNS),
            usual_work: Worker::<G, I>::NO_WORK,
            listed: RankedMoves::with_capacity(ROOM),
            open: Vec::with_capacity(16 * ROOM),
        },
        goal: settings.goal,
        follows: settings.line,
        solution: Solution {
            lower: Score::MIN,
            upper: Score::MAX,
            best: None,
            line: Vec::new(),
            stop: StopReason::Proven,
            stats: Stats::default(),
        },
        watch: None,
    };
    let main = Course { watch: task.watch, ..course(0) };
    let helpers: Vec<_> = (1..threads).map(course).collect();
    let (mut solution, helped) = on_threads(main, helpers, position, &shared);
    for stats in helped {
        solution.stats.nodes += stats.nodes;
        solution.stats.cutoffs += stats.cutoffs;
        solution.stats.first_move_cutoffs += stats.first_move_cutoffs;
        solution.stats.table_hits += stats.table_hits;
    }
    solution
}

/// The helpers answer the same questions, meet the first thread in the table, and put off what it is searching just now.
fn on_threads<G: TurnBased, I: Insight<G>>(
    main: Course<'_, '_, G, I>,
    helpers: Vec<Course<'_, '_, G, I>>,
    position: &G,
    shared: &Shared,
) -> (Solution<G::Move>, Vec<Stats>) {
    #[cfg(all(feature = "threads", not(target_family = "wasm")))]
    if !helpers.is_empty() {
        return std::thread::scope(|scope| {
            let handles: Vec<_> =
                helpers.into_iter().map(|helper| scope.spawn(move || helper.run(position).stats)).collect();
            let solution = main.run(position);
            shared.stop();
            // A helper that panicked did so in the user's insight; what it wrote into the table before holds.
            (solution, handles.into_iter().filter_map(|handle| handle.join().ok()).collect())
        });
    }
    let _ = (helpers, shared);
    (main.run(position), Vec::new())
}

struct Course<'a, 'b, G: TurnBased, I: Insight<G>> {
    worker: Worker<'a, G, I>,
    goal: Goal,
    follows: bool,
    solution: Solution<G::Move>,
    watch: Option<Watcher<'b, G::Move>>,
}

impl<G: TurnBased, I: Insight<G>> Course<'_, '_, G, I> {
    fn run(mut self, root: &G) -> Solution<G::Move> {
        if let Some(bounds) = self.close(root, true) {
            (self.solution.lower, self.solution.upper) = (bounds.lower, bounds.upper);
            if self.follows {
                self.follow(root.clone(), bounds);
            }
        }
        let Course { worker, solution, .. } = self;
        let stop = match worker.budget.stopped() {
            Some(reason) => reason,
            None if worker.too_long => StopReason::Depth,
            None => StopReason::Proven,
        };
        Solution { stop, stats: Stats { time: worker.budget.elapsed(), ..worker.stats }, ..solution }
    }

    /// The bounds between which nothing is left to ask; `None` if the search had to stop.
    fn close(&mut self, position: &G, is_root: bool) -> Option<Bounds> {
        let key = table_key(self.worker.insight, position);
        let mut bounds = self.worker.recall(position, key).unwrap_or(Bounds::NONE);
        while let Some(test) = self.question(bounds) {
            bounds = self.ask(position, key, bounds, test)?;
            // Another thread may know more.
            bounds = self.worker.recall(position, key).map_or(bounds, |found| bounds.narrowed(found));
            if is_root {
                self.tell(bounds);
            }
        }
        Some(bounds)
    }

    /// Asks one question.
    fn ask(&mut self, position: &G, key: u64, known: Bounds, test: Score) -> Option<Bounds> {
        let found = self.worker.search(position, key, known, Question { test, ply: 0, previous: None }, None);
        (!self.worker.is_over()).then(|| known.narrowed(found))
    }

    fn tell(&mut self, bounds: Bounds) {
        (self.solution.lower, self.solution.upper) = (bounds.lower, bounds.upper);
        self.solution.stats = Stats { time: self.worker.budget.elapsed(), ..self.worker.stats };
        if let Some(watch) = self.watch {
            watch(&analysis(&self.solution));
        }
    }

    /// What has to be asked next: first the outcome, then halves of what is left.
    fn question(&self, Bounds { lower, upper }: Bounds) -> Option<Score> {
        if lower >= upper {
            return None;
        }
        let win = Score::new(1);
        if self.goal == Goal::Payoff {
            let (low, high) =
                (lower.max(Score::new(i32::MIN)).value(), upper.min(Score::new(i32::MAX)).value());
            let largest = I::PAYOFF as i32;
            let (low, high) = (low.max(-largest), high.min(largest));
            // Payoffs are mostly small: away from nothing by steps that double.
            let middle = low + (high - low + 1) / 2;
            let middle = if low <= 0 && high > 0 {
                middle.clamp(low + 1, 1.max(low + 1))
            } else if middle > 0 {
                middle.min(2 * low.max(1)).max(low + 1)
            } else {
                middle.max(2 * high.min(-1)).clamp(low + 1, high)
            };
            return (low < high).then(|| Score::new(middle));
        }
        if upper >= win && lower < win {
            return Some(win);
        }
        if upper >= Score::DRAW && lower < Score::DRAW {
            return Some(Score::DRAW);
        }
        if self.goal == Goal::Outcome {
            return None;
        }
        // The distance: halves of the plies that are left.
        let longest = I::LONGEST.saturating_add(1);
        if lower >= win {
            let slow = lower.plies_to_end().unwrap_or(longest).min(longest);
            let quick = upper.plies_to_end().unwrap_or(0);
            let test = u32::midpoint(quick, slow);
            Some(Score::win_in(test.min(slow.saturating_sub(1))))
        } else {
            let quick = lower.plies_to_end().unwrap_or(0);
            let slow = upper.plies_to_end().unwrap_or(longest).min(longest);
            Some(Score::loss_in(((quick + slow).div_ceil(2)).max(quick + 1)))
        }
    }

    /// The line of the proof: at each position a move that keeps the score.
    fn follow(&mut self, mut position: G, mut bounds: Bounds) {
        while position.end().is_none() && self.solution.line.len() <= I::LONGEST as usize {
            let Some((mv, next)) = self.keeper(&position, bounds.lower) else { return };
            self.solution.best = self.solution.best.or(Some(mv));
            self.solution.line.push(mv);
            if next.end().is_some() {
                return;
            }
            let Some(found) = self.close(&next, false) else { return };
            bounds = found;
            position = next;
        }
    }

    /// A move that is worth at least `score`.
    fn keeper(&mut self, position: &G, score: Score) -> Option<(G::Move, G)> {
        let mover = position.to_move();
        let ends = self.worker.ends;
        let moves = position.move_list(mover);
        let mut unsettled = Vec::new();
        for &mv in moves.as_ref() {
            let next = position.after(mv);
            if let Some(end) = next.end() {
                if ends.score(&next, end, mover, 1) >= score {
                    return Some((mv, next));
                }
                continue;
            }
            let same = next.to_move() == mover;
            let key = table_key(self.worker.insight, &next);
            let known = self.worker.recall(&next, key).unwrap_or(Bounds::NONE);
            let seen = known.seen_from_before(same);
            if seen.lower >= score {
                return Some((mv, next));
            }
            if seen.upper >= score {
                unsettled.push((seen.upper, mv, next, key, known, same));
            }
        }
        unsettled.sort_by_key(|&(upper, ..)| std::cmp::Reverse(upper));
        for (_, mv, next, key, known, same) in unsettled {
            let found = self.ask(&next, key, known, test_after(score, same))?;
            if found.seen_from_before(same).lower >= score {
                return Some((mv, next));
            }
        }
        None
    }
}
