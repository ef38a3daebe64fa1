//! The course of a search: iterations, windows, threads, and when it is enough.

use super::history::Memory;
use super::lookup::resolved_from;
use super::node::{Frame, MAX_PLY, Root, RootMoves, Worker};
use super::picker::sort_root;
use super::settings::ReductionTable;
use super::{AlphaBeta, TableUse};
use crate::search::budget::{Budget, Shared};
use crate::search::hooks::searched_moves;
use crate::search::in_progress::InProgress;

use crate::search::path::Path;
use crate::search::table::Table;
use crate::{
    Analysis, Bound, HookSet, Order, Prune, RootMove, Score, SearchRng, Stats, StopReason, Task, Time,
    TurnBased,
};

/// The most that each of several threads keeps to itself: about as much as a processor's own caches hold.
const NEAR_BYTES: usize = 1 << 18;

/// A table smaller than this is not worth dividing.
const LEAST_NEAR_BYTES: usize = 4096;

/// Runs one search on as many threads as the settings ask for.
pub(super) fn run<G: TurnBased, H: HookSet<G>>(
    search: &mut AlphaBeta<G, H>,
    task: &Task<'_, G>,
) -> Analysis<G::Move> {
    let position = task.record.position();
    if task.is_over() {
        return Analysis::game_over();
    }
    let started = task.clock.now();
    prepare(search);
    let settings = &search.settings;
    let threads = threads(settings);
    let uses_table = settings.table != TableUse::Off;
    let table = search.table.as_ref().filter(|_| uses_table);
    for table in table.into_iter().chain(&search.near) {
        table.age();
    }
    search.memories.iter_mut().for_each(Memory::fade);

    let mut moves = searched_moves(search.hooks.prune(), position, position.to_move()).as_ref().to_vec();
    if settings.shuffle {
        shuffle(&mut moves, &mut SearchRng::new(search.seed ^ position.key(), "root order"));
    }
    sort_by_order(&search.hooks, position, &mut moves);
    let count = moves.len();
    let root = RootMoves {
        moves,
        scores: vec![Score::MIN; count],
        bounds: vec![Bound::Exact; count],
        nodes: vec![0; count],
        courses: vec![Vec::new(); count],
        best: None,
    };
    let shared = Shared::default();
    let hooks = &search.hooks;
    let near = &search.near;
    let in_progress = (threads > 1).then(InProgress::new);
    let in_progress = in_progress.as_ref();
    let worker = |(number, memory): (usize, _)| Worker {
        hooks,
        settings,
        learning: settings.learning(),
        reductions: settings.reductions.map(ReductionTable::new),
        table,
        near: near.get(number),
        in_progress,
        memory,
        path: Path::new::<G>(task.record.history(), settings.repetition),
        budget: Budget::of(task, &settings.time, &shared)
            .since(started)
            .with_count(task.limits.node_limit(), StopReason::Nodes)
            .with_threads(threads > 1),
        stats: Stats::default(),
        root: root.clone(),
        words: Vec::new(),
        lines: vec![Vec::new(); 2],
        root_depth: 0,
        resolved_from: resolved_from(settings.table),
        plain_frontier: false,
        horizon: false,
    };

    let (first, others) = search.memories.split_at_mut(1);
    let main = worker((0, &mut first[0]));
    if others.is_empty() {
        return iterate(main, task, 0);
    }
    let helpers: Vec<_> = (1..).zip(others).map(worker).collect();
    on_threads(main, helpers, task, &shared)
}

/// How many threads a search has.
fn threads(settings: &super::AlphaBetaSettings) -> usize {
    if settings.table != TableUse::Off && can_spawn() { settings.threads.max(1) } else { 1 }
}

/// Allocates what searches need and keep: at the start of a game, so that it is no part of the first move's time.
pub(super) fn prepare<G: TurnBased, H: HookSet<G>>(search: &mut AlphaBeta<G, H>) {
    let settings = &search.settings;
    let threads = threads(settings);
    search.memories.resize_with(threads, Memory::new);
    if settings.table == TableUse::Off || search.table.is_some() {
        return;
    }
    // A table that several threads use cannot grow.
    let first = settings.table_first.filter(|_| threads == 1).unwrap_or(usize::MAX);
    // With several threads each has a small one of its own besides, out of the same bytes.
    let near = (settings.table_bytes / (8 * threads)).min(NEAR_BYTES);
    let own = if threads > 1 && near >= LEAST_NEAR_BYTES { threads } else { 0 };
    search.near = (0..own).map(|_| Table::new(near, near)).collect();
    search.table = Some(Table::new(settings.table_bytes - near * search.near.len(), first));
}

/// Whether threads can be had: the feature is on, and the platform has them.
fn can_spawn() -> bool {
    cfg!(all(feature = "threads", not(target_family = "wasm")))
}

/// The helpers search the same root, half of them an iteration ahead and from the other end of the list, meet the first
/// thread in the table, and put off what it is searching just now.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
fn on_threads<G: TurnBased, H: HookSet<G>>(
    main: Worker<'_, G, H>,
    helpers: Vec<Worker<'_, G, H>>,
    task: &Task<'_, G>,
    shared: &Shared,
) -> Analysis<G::Move> {
    std::thread::scope(|scope| {
        let handles: Vec<_> = helpers
            .into_iter()
            .zip(1..)
            .map(|(helper, number)| scope.spawn(move || iterate(helper, task, number)))
            .collect();
        let mut analysis = iterate(main, task, 0);
        shared.stop();
        for handle in handles {
            // A helper that panicked did so in a hook of the user's: the first thread's answer stands.
            if let Ok(other) = handle.join() {
                let time = analysis.stats.time;
                analysis.stats += other.stats;
                analysis.stats.time = time;
                if other.depth > analysis.depth && other.best.is_some() && analysis.stop != StopReason::Depth
                {
                    let stop = analysis.stop;
                    analysis = Analysis { stats: analysis.stats, stop, ..other };
                }
            }
        }
        analysis
    })
}

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
fn on_threads<G: TurnBased, H: HookSet<G>>(
    main: Worker<'_, G, H>,
    _: Vec<Worker<'_, G, H>>,
    task: &Task<'_, G>,
    _: &Shared,
) -> Analysis<G::Move> {
    iterate(main, task, 0)
}

/// Puts the root moves into the user's order; equal ranks stay as they are.
fn sort_by_order<G: TurnBased, H: HookSet<G>>(hooks: &H, position: &G, moves: &mut Vec<G::Move>) {
    if hooks.order().is_active() {
        let mut ranks = vec![0; moves.len()];
        hooks.order().rank_all(position, position.to_move(), moves, &mut ranks);
        let mut ranked: Vec<_> = ranks.into_iter().zip(moves.drain(..)).collect();
        ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        moves.extend(ranked.into_iter().map(|(_, mv)| mv));
    }
}

fn shuffle<M>(moves: &mut [M], rng: &mut SearchRng) {
    for index in (1..moves.len()).rev() {
        moves.swap(index, rng.below(index + 1));
    }
}

/// Deepens until a limit or a reason to stop is reached. `number` is 0 for the thread whose answer counts.
fn iterate<G: TurnBased, H: HookSet<G>>(
    mut worker: Worker<'_, G, H>,
    task: &Task<'_, G>,
    number: u32,
) -> Analysis<G::Move> {
    worker.plain_frontier = worker.has_plain_frontier();
    let settings = worker.settings;
    let last = task.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY);
    let step = settings.depth_step.max(1);
    let mut depth = if settings.iterative { settings.first_depth.clamp(1, last) } else { last };
    // Every other helper is one iteration ahead, so that it fills the table with what is needed next, and begins with the
    // moves that the others come to last.
    if number % 2 == 1 {
        if settings.iterative {
            depth += step;
        }
        worker.root.moves.reverse();
    }
    let mut analysis = Analysis::default();
    if let Some(&mv) = worker.root.moves.first() {
        analysis.best = Some(mv);
        analysis.pv = vec![mv];
    }
    let mut steady = 0;
    let stop = loop {
        let before = analysis.best;
        let score = window(&mut worker, task, depth, analysis.score);
        let stopped = worker.budget.stopped();
        if let Some(best) = worker.root.best {
            // An iteration that was cut short still counts if it found something: it tried the old best move first.
            let mv = worker.root.moves[best];
            if stopped.is_none() || worker.root.scores[best] > Score::MIN {
                analysis.best = Some(mv);
                analysis.score = if stopped.is_none() { score } else { worker.root.scores[best] };
                analysis.pv.clear();
                if worker.lines[0].first() == Some(&mv) {
                    analysis.pv.extend_from_slice(&worker.lines[0]);
                } else {
                    analysis.pv.push(mv);
                }
            }
            report_root(&worker, &mut analysis, best);
        }
        analysis.stats = Stats { time: worker.elapsed(), ..worker.stats };
        if let Some(reason) = stopped {
            break reason;
        }
        analysis.depth = depth;
        let all: u64 = worker.root.nodes.iter().sum();
        let share = worker.root.best.map_or(0, |best| worker.root.nodes[best]);
        if let Some(best) = worker.root.best {
            sort_root(&mut worker.root.moves, &mut worker.root.nodes, best);
        }
        if number == 0
            && let Some(watch) = task.watch
        {
            watch(&analysis);
        }
        steady = if before == analysis.best { steady + 1 } else { 0 };

        if settings.only_move && worker.root.moves.len() == 1 {
            break StopReason::OnlyMove;
        }
        if settings.stop_when_proven
            && let Some(reason) = settled(&worker, analysis.score, depth)
        {
            break reason;
        }
        if depth >= last {
            break StopReason::Depth;
        }
        if worker.budget.soft_over() {
            break StopReason::Time;
        }
        if settings.clearly_best && clearly_best(&worker, task, steady, share, all) {
            break StopReason::ClearlyBest;
        }
        if let Some(table) = worker.table.filter(|_| settings.threads <= 1) {
            table.grow();
        }
        depth = (depth + step).min(last);
    };
    analysis.stop = stop;
    analysis
}

/// One iteration, in a narrow window first if the settings ask for it.
fn window<G: TurnBased, H: HookSet<G>>(
    worker: &mut Worker<'_, G, H>,
    task: &Task<'_, G>,
    depth: u32,
    guess: Score,
) -> Score {
    worker.root_depth = depth;
    worker.horizon = false;
    let narrow = worker.settings.lines <= 1 && depth > 1 && !guess.is_decided();
    let mut half = worker.settings.aspiration.filter(|&half| half > 0 && narrow);
    let (mut alpha, mut beta) = (Score::MIN, Score::MAX);
    if let Some(half) = half {
        alpha = Score::from_value(guess.value().saturating_sub(half));
        beta = Score::from_value(guess.value().saturating_add(half));
    }
    loop {
        worker.root.best = None;
        worker.root.scores.fill(Score::MIN);
        worker.root.courses.iter_mut().for_each(Vec::clear);
        let frame = Frame { alpha, beta, depth, ply: 0, extended: 0, previous: None };
        let position = task.record.position();
        let score = worker.search::<Root>(position, position.to_move(), frame);
        let failed_low = score <= alpha && alpha > Score::MIN;
        let failed_high = score >= beta && beta < Score::MAX;
        if worker.budget.stopped().is_some() {
            if alpha > Score::MIN && worker.root.best.is_some_and(|best| worker.root.scores[best] <= alpha) {
                // Only an upper bound: no reason to prefer this move to the last iteration's.
                worker.root.best = None;
            }
            return score;
        }
        if !failed_low && !failed_high {
            return score;
        }
        // Widen on the side that failed, each time by more.
        let wider = half.unwrap_or(1).saturating_mul(4);
        half = Some(wider);
        if failed_low {
            alpha = if wider > 1 << 24 { Score::MIN } else { Score::from_value(score.value() - wider) };
        }
        if failed_high {
            beta = if wider > 1 << 24 { Score::MAX } else { Score::from_value(score.value() + wider) };
        }
        if score.is_decided() {
            (alpha, beta) = (Score::MIN, Score::MAX);
        }
    }
}

/// Whether more depth would not change the result, and with what right: where moves are left out on purpose a win may rest
/// on a defence that was never looked at.
fn settled<G: TurnBased, H: HookSet<G>>(
    worker: &Worker<'_, G, H>,
    score: Score,
    depth: u32,
) -> Option<StopReason> {
    if !worker.horizon {
        return Some(StopReason::Proven);
    }
    if worker.settings.lines > 1 {
        // The best move wins, but what the others are worth is still open.
        return None;
    }
    let complete = !worker.hooks.prune().is_active();
    let within = score.plies_to_end().is_some_and(|plies| plies <= depth);
    within.then_some(if complete { StopReason::Proven } else { StopReason::Decided })
}

/// Whether the clock decides and the best move has long been taking nearly all of the work.
fn clearly_best<G: TurnBased, H: HookSet<G>>(
    worker: &Worker<'_, G, H>,
    task: &Task<'_, G>,
    steady: u32,
    share: u64,
    all: u64,
) -> bool {
    let Some(soft) = worker.budget.soft else { return false };
    // Time that is lost if it is not used is given up only late and only for a very clear case.
    let (steps, percent, part) = match task.limits.time {
        Some(Time::Game { .. }) => (4, 90, 3),
        _ => (6, 97, 2),
    };
    steady >= steps
        && share.saturating_mul(100) >= all.saturating_mul(percent)
        && worker.elapsed() >= soft / part
}

fn report_root<G: TurnBased, H: HookSet<G>>(
    worker: &Worker<'_, G, H>,
    analysis: &mut Analysis<G::Move>,
    best: usize,
) {
    let all: u64 = worker.root.nodes.iter().sum();
    let before = std::mem::take(&mut analysis.root).into_iter().zip(std::mem::take(&mut analysis.lines));
    let before: Vec<_> = if worker.settings.lines > 1 { before.collect() } else { Vec::new() };
    analysis.root = worker
        .root
        .moves
        .iter()
        .enumerate()
        .filter(|&(place, _)| worker.root.scores[place] > Score::MIN)
        .map(|(place, &mv)| RootMove {
            mv,
            score: worker.root.scores[place],
            bound: worker.root.bounds[place],
            visits: worker.root.nodes[place],
            weight: if all == 0 { 0.0 } else { worker.root.nodes[place] as f64 / all as f64 },
        })
        .collect();
    let best = worker.root.moves[best];
    // Stable: moves that were only bounded stay in the order in which they were searched.
    analysis.root.sort_by_key(|row| (row.mv != best, std::cmp::Reverse(row.score)));
    if worker.settings.lines <= 1 {
        return;
    }
    let course = |row: &RootMove<G::Move>| {
        let place = worker.root.moves.iter().position(|&mv| mv == row.mv);
        place.map_or_else(Vec::new, |place| worker.root.courses[place].clone())
    };
    analysis.lines = analysis.root.iter().map(course).collect();
    // An iteration that was cut short has not come to all moves: those keep what the last one said.
    for (row, line) in before {
        if analysis.root.iter().all(|known| known.mv != row.mv) {
            analysis.root.push(row);
            analysis.lines.push(line);
        }
    }
}
