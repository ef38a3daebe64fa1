//! The course of a proof search: one position after the other, each with its two limits.

use std::time::Duration;

use super::table::{Entry, NEVER, Numbers, ProofTable, TALLEST};
use super::trail::{Trail, identity};
use super::{ProofAnalysis, ProofResult, ProofSettings, ProofStats};
use crate::search::budget::{Budget, Shared};
use crate::{Game, Outcome, Player, StopReason, Task, TurnBased};

/// The deepest line that the stack of a thread certainly holds.
const DEEPEST: u32 = 512;

/// The largest number that is not [`NEVER`].
const MANY: u32 = NEVER - 1;

/// How a position stands in the table whose disproof rests on the line that led to it: on other lines it may be won, but
/// there is no hurry to look.
const DOUBTFUL: Numbers = Numbers { proof: 1 << 10, disproof: 1 };

/// What a disproof rests on: the ply above which it does not hold, plus one; so 0 for one that holds in this search's
/// root alone, and [`Rest::NOTHING`] for one that holds everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rest(u32);

impl Rest {
    const NOTHING: Rest = Rest(u32::MAX);
    const ROOT: Rest = Rest(0);

    /// On a repetition of the position at `ply`.
    fn on(ply: usize) -> Rest {
        Rest(ply as u32 + 1)
    }

    /// Whether it holds for the position at `ply` on any line.
    fn holds_at(self, ply: u32) -> bool {
        self.0 > ply
    }
}

/// What is known of a position on the present line.
#[derive(Debug, Clone, Copy)]
struct Found {
    numbers: Numbers,
    /// Of a disproof: what it rests on.
    rest: Rest,
    /// Of a proof: plies to the end at most.
    height: u16,
}

impl Found {
    const WON: Found = Found { numbers: Numbers::PROVEN, rest: Rest::NOTHING, height: 0 };

    fn open(numbers: Numbers) -> Found {
        Found { numbers, rest: Rest::NOTHING, height: 0 }
    }

    fn not_won(rest: Rest) -> Found {
        Found { numbers: Numbers::DISPROVEN, rest, height: 0 }
    }
}

struct Worker<'a, G: TurnBased> {
    player: Player,
    settings: &'a ProofSettings,
    table: &'a mut ProofTable,
    budget: Budget<'a>,
    stats: ProofStats,
    trail: Trail,
    /// Where on the trail the line begins.
    root: usize,
    max_depth: u32,
    /// The moves of all positions of the line, one position behind the other.
    children: Vec<(G::Move, Found)>,
    /// A line was too long, or the turns ran out where that is a win: a disproof is none.
    doubt: bool,
}

/// Runs one search.
pub(super) fn run<G: TurnBased>(
    settings: &ProofSettings,
    table: &mut ProofTable,
    task: &Task<'_, G>,
    started: Duration,
) -> ProofAnalysis<G::Move> {
    let position = task.record.position();
    if let Some(end) = task.record.end().or_else(|| position.end()) {
        let won = end.outcome == Outcome::Win(task.player);
        return ProofAnalysis {
            result: if won { ProofResult::Proven } else { ProofResult::Disproven },
            plies: won.then_some(0),
            proof: if won { 0 } else { NEVER },
            disproof: if won { NEVER } else { 0 },
            stop: StopReason::GameOver,
            ..ProofAnalysis::default()
        };
    }
    let key = position.key();
    let mut trail = Trail::new();
    if G::REPETITION.is_some() {
        // The current position is the last of the history, unless it is one that the rule does not count.
        let history = task.record.history();
        let earlier = history.len() - usize::from(position.repetition_key().is_some() && !history.is_empty());
        history[..earlier].iter().for_each(|&key| trail.push(key));
    }
    let root = trail.len();
    trail.push(identity(position, key));
    let shared = Shared::default();
    let mut worker = Worker {
        player: task.player,
        settings,
        table,
        budget: Budget::of(task, &settings.time, &shared)
            .since(started)
            .with_count(task.limits.node_limit(), StopReason::Nodes),
        stats: ProofStats { nodes: 1, ..ProofStats::default() },
        trail,
        root,
        max_depth: settings.max_depth.min(task.limits.depth.unwrap_or(DEEPEST)).clamp(1, DEEPEST),
        children: Vec::new(),
        doubt: false,
    };
    let found = worker.expand(position, key, 0, Numbers { proof: NEVER, disproof: NEVER });
    worker.answer(position, key, found)
}

impl<G: TurnBased> Worker<'_, G> {
    /// The answer to the question at the root; the root's moves still stand in the list.
    fn answer(&mut self, position: &G, key: u64, found: Option<Found>) -> ProofAnalysis<G::Move> {
        let mut analysis = ProofAnalysis::default();
        let numbers = match found {
            Some(found) => found.numbers,
            None => self.table.get(key).map_or(Numbers { proof: 1, disproof: 1 }, |entry| entry.numbers),
        };
        (analysis.proof, analysis.disproof) = (numbers.proof, numbers.disproof);
        analysis.stop = self.budget.stopped().unwrap_or(StopReason::Proven);
        match found {
            Some(found) if found.numbers.proof == 0 => {
                analysis.result = ProofResult::Proven;
                analysis.plies = Some(u32::from(found.height));
                analysis.line = self.line(position, found.height);
                analysis.best = analysis.line.first().copied().filter(|_| position.to_move() == self.player);
            }
            Some(found) if found.numbers.disproof == 0 && !self.doubt => {
                analysis.result = ProofResult::Disproven;
            }
            Some(_) => {
                // Refuted within the longest line only.
                analysis.proof = MANY;
                analysis.disproof = 1;
                analysis.stop = StopReason::Depth;
            }
            None => {}
        }
        self.stats.time = self.budget.elapsed();
        analysis.stats = self.stats;
        analysis
    }

    /// The numbers of a position that the line has just reached.
    #[inline]
    fn first_look(&mut self, position: &G, ply: u32) -> Found {
        let end = position.end();
        if let Some(end) = end
            && !end.yields_to_repetition
        {
            let won = end.outcome == Outcome::Win(self.player);
            return if won { Found::WON } else { Found::not_won(Rest::NOTHING) };
        }
        let key = position.key();
        if let Some(place) = self.trail.find(identity(position, key)) {
            self.stats.repetitions += 1;
            // What stands in the record does so for all lines of this search.
            let rest = place.checked_sub(self.root).map_or(Rest::NOTHING, Rest::on);
            return Found::not_won(rest);
        }
        if let Some(end) = end {
            self.doubt |= end.outcome == Outcome::Win(self.player);
            return Found::not_won(Rest::ROOT);
        }
        let known = self.table.get(key);
        self.stats.table_hits += u64::from(known.is_some());
        // A proof that takes more turns than are left is none here.
        let known = known.filter(|entry| entry.numbers.proof > 0 || in_time(position, entry.height));
        if let Some(Entry { numbers, height }) = known
            && (numbers.proof == 0 || numbers.disproof == 0)
        {
            return Found { height, ..Found::open(numbers) };
        }
        if ply >= self.max_depth {
            self.doubt = true;
            return Found::not_won(Rest::ROOT);
        }
        if let Some(entry) = known {
            return Found::open(entry.numbers);
        }
        let mover = position.to_move();
        let moves = if self.settings.mobility { position.move_count(mover).max(1) as u32 } else { 1 };
        Found::open(if mover == self.player {
            Numbers { proof: 1, disproof: moves }
        } else {
            Numbers { proof: moves, disproof: 1 }
        })
    }

    /// Searches a position until one of its numbers reaches its limit; `None` if the search has to come back.
    fn expand(&mut self, position: &G, key: u64, ply: u32, limits: Numbers) -> Option<Found> {
        let mover = position.to_move();
        let own = mover == self.player;
        let before = self.stats.nodes;
        let first = self.children.len();
        self.stats.expanded += 1;
        self.stats.deepest = self.stats.deepest.max(ply);
        for &mv in position.move_list(mover).as_ref() {
            if self.budget.must_stop(self.stats.nodes) {
                return None;
            }
            self.stats.nodes += 1;
            let found = self.first_look(&position.after(mv), ply + 1);
            self.children.push((mv, found));
            let settled = if own { found.numbers.proof == 0 } else { found.numbers.disproof == 0 };
            if settled && found.rest == Rest::NOTHING {
                // The others no longer matter.
                self.children.truncate(first);
                self.children.push((mv, found));
                break;
            }
        }
        let found = loop {
            let sums = Sums::of(&self.children[first..], own);
            let numbers = sums.numbers(own);
            // What is proven or disproven is never disproven or proven, and so at any limit.
            if numbers.proof >= limits.proof || numbers.disproof >= limits.disproof {
                break self.summed_up(first, own, numbers);
            }
            let (mv, child) = self.children[first + sums.best];
            let below = self.child_limits(limits, &sums, child.numbers, own);
            let next = position.after(mv);
            let next_key = next.key();
            self.trail.push(identity(&next, next_key));
            let found = self.expand(&next, next_key, ply + 1, below);
            self.trail.pop();
            self.children[first + sums.best].1 = found?;
        };
        let numbers =
            if found.numbers.disproof == 0 && !found.rest.holds_at(ply) { DOUBTFUL } else { found.numbers };
        let entry = Entry { numbers, height: found.height };
        self.stats.replaced += u64::from(self.table.put(key, entry, self.stats.nodes - before));
        if ply > 0 {
            self.children.truncate(first);
        }
        Some(found)
    }

    /// The limits for the child that is searched next: until another one is better, or the position's own limits are
    /// reached.
    fn child_limits(&self, limits: Numbers, sums: &Sums, child: Numbers, own: bool) -> Numbers {
        let patient = |number: u32| {
            let more = (f64::from(number) * self.settings.patience.clamp(0.0, 100.0)) as u32;
            number.saturating_add(more.max(1))
        };
        let rest = |limit: u32, child: u32| {
            // All others stay as they are.
            if limit == NEVER { NEVER } else { limit - (sums.total - child).min(limit) }
        };
        if own {
            Numbers {
                proof: limits.proof.min(patient(sums.second)),
                disproof: rest(limits.disproof, child.disproof),
            }
        } else {
            Numbers {
                proof: rest(limits.proof, child.proof),
                disproof: limits.disproof.min(patient(sums.second)),
            }
        }
    }

    /// What the moves from `first` on make of their position.
    fn summed_up(&self, first: usize, own: bool, numbers: Numbers) -> Found {
        let children = || self.children[first..].iter().map(|&(_, found)| found);
        let mut found = Found::open(numbers);
        if numbers.proof == 0 {
            let heights = children().filter(|child| child.numbers.proof == 0).map(|child| child.height);
            let height = if own { heights.min() } else { heights.max() };
            found.height = height.unwrap_or(TALLEST).saturating_add(1);
        } else if numbers.disproof == 0 {
            let rests = children().filter(|child| child.numbers.disproof == 0).map(|child| child.rest);
            // The opponent needs one refutation and takes the one that holds most widely.
            found.rest = if own { rests.min() } else { rests.max() }.unwrap_or(Rest::ROOT);
        }
        found
    }

    /// A line of the proof of the root.
    fn line(&mut self, root: &G, height: u16) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut position = root.clone();
        let mut height = height;
        while position.end().is_none() && line.len() < DEEPEST as usize {
            let mover = position.to_move();
            let known: Vec<(G::Move, u16)> = if line.is_empty() {
                let proven = self.children.iter().filter(|(_, found)| found.numbers.proof == 0);
                proven.map(|&(mv, found)| (mv, found.height)).collect()
            } else {
                let moves = position.move_list(mover);
                let known = |&mv: &G::Move| Some((mv, self.proven_height(&position.after(mv))?));
                moves.as_ref().iter().filter_map(known).collect()
            };
            // Only what comes nearer to the end: entries may have been replaced by those of longer ways.
            let nearer = known.into_iter().filter(|&(_, child)| child < height || line.is_empty());
            let next = if mover == self.player {
                nearer.min_by_key(|&(_, child)| child)
            } else {
                nearer.max_by_key(|&(_, child)| child)
            };
            let Some((mv, child)) = next else { break };
            line.push(mv);
            position.play(mv);
            height = child;
        }
        line
    }

    /// Plies to the end of a position that the table knows as won.
    fn proven_height(&self, position: &G) -> Option<u16> {
        if let Some(end) = position.end() {
            return (end.outcome == Outcome::Win(self.player) && !end.yields_to_repetition).then_some(0);
        }
        let entry = self.table.get(position.key()).filter(|entry| entry.numbers.proof == 0)?;
        in_time(position, entry.height).then_some(entry.height)
    }
}

/// Whether a proof comes to its end before the turns run out.
#[inline]
fn in_time<G: Game>(position: &G, height: u16) -> bool {
    position.turns_left().is_none_or(|left| height < TALLEST && u32::from(height) < left)
}

/// What the numbers of the children come to.
struct Sums {
    /// The place of the child with the least number of the mover's kind.
    best: usize,
    least: u32,
    /// The least of the others.
    second: u32,
    /// The sum of the other kind.
    total: u32,
}

impl Sums {
    fn of<M>(children: &[(M, Found)], own: bool) -> Sums {
        let mut sums = Sums { best: 0, least: NEVER, second: NEVER, total: 0 };
        for (place, (_, found)) in children.iter().enumerate() {
            let Numbers { proof, disproof } = found.numbers;
            let (wanted, other) = if own { (proof, disproof) } else { (disproof, proof) };
            if wanted < sums.least {
                (sums.best, sums.second, sums.least) = (place, sums.least, wanted);
            } else {
                sums.second = sums.second.min(wanted);
            }
            // One child that never will is enough; many that may stay short of never.
            sums.total = if other == NEVER || sums.total == NEVER {
                NEVER
            } else {
                sums.total.saturating_add(other).min(MANY)
            };
        }
        sums
    }

    fn numbers(&self, own: bool) -> Numbers {
        if own {
            Numbers { proof: self.least, disproof: self.total }
        } else {
            Numbers { proof: self.total, disproof: self.least }
        }
    }
}
