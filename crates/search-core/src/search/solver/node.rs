//! One position of an exact search: what is known of it, what the table knows of the positions after it, and the moves one by
//! one.

use std::cmp::Reverse;

use super::insight::{Insight, RankedMove, RankedMoves, table_key};
use super::memory::MoveMemory;
use super::table::{Bounds, SolverTable};
use crate::search::Ends;
use crate::search::budget::Budget;
use crate::search::in_progress::InProgress;
use crate::{Player, Score, Stats, TurnBased};

/// So many moves are put in order as they come.
const FEW_MOVES: usize = 12;

/// The table is asked a second time for a move if the moves before it have taken more nodes than this.
const WORTH_ASKING: u64 = 40;

/// So many forced moves are followed without a node.
const LONGEST_FORCED: u32 = u64::BITS;

/// A position is announced to the other threads if those at its ply have taken more nodes than this on average.
const ANNOUNCED_FROM: f64 = 500.0;

/// Averages are kept for this many plies; what lies deeper is little work.
const AVERAGES: usize = 128;

/// One thread of an exact search.
pub(super) struct Worker<'a, G: TurnBased, I: Insight<G>> {
    pub(super) insight: &'a I,
    pub(super) table: &'a SolverTable,
    /// What the threads are at, where there are several.
    pub(super) in_progress: Option<&'a InProgress>,
    pub(super) budget: Budget<'a>,
    pub(super) stats: Stats,
    pub(super) ends: Ends,
    /// A line was longer than the insight says: nothing is known of it.
    pub(super) too_long: bool,
    pub(super) memory: MoveMemory<G::Move>,
    /// How many nodes a position at each ply has taken lately.
    pub(super) usual_work: [f64; AVERAGES],
    /// What the last study listed.
    pub(super) listed: RankedMoves<G::Move, I::Passed>,
    /// The moves that are left to search, of the position at the root first, of the present one last.
    pub(super) open: Vec<Open<G::Move, I::Passed>>,
}

/// Where in the tree a position stands, and what is asked of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<M> {
    /// Whether the score is at least this.
    pub(super) test: Score,
    pub(super) ply: u32,
    /// The move that led here.
    pub(super) previous: Option<M>,
}

/// A move that has to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open<M, P> {
    mv: M,
    rank: i64,
    key: u64,
    known: Bounds,
    passed: P,
    /// The table does not know the position after it.
    forced: bool,
    /// Another thread was searching it: it has had its turn once.
    put_off: bool,
}

/// Forced moves on the way from a position to one below it, and who had the move between them.
#[derive(Debug, Clone, Copy, Default)]
struct Forced {
    plies: u32,
    same: u64,
}

impl Forced {
    #[inline]
    fn step(&mut self, same: bool) {
        self.same = self.same << 1 | u64::from(same);
        self.plies += 1;
    }

    /// Bounds of the position below, as they are for the one above.
    #[inline]
    fn seen_from_above(self, mut bounds: Bounds) -> Bounds {
        for ply in 0..self.plies {
            bounds = bounds.seen_from_before(self.same >> ply & 1 != 0);
        }
        bounds
    }
}

/// The best that a position's moves are known to be worth, at least and at most.
#[derive(Debug, Clone, Copy)]
struct Best(Bounds);

impl Best {
    const NONE: Best = Best(Bounds { lower: Score::MIN, upper: Score::MIN });

    #[inline]
    fn with(self, Bounds { lower, upper }: Bounds) -> Best {
        Best(Bounds { lower: self.0.lower.max(lower), upper: self.0.upper.max(upper) })
    }
}

impl<'a, G: TurnBased, I: Insight<G>> Worker<'a, G, I> {
    pub(super) const NO_WORK: [f64; AVERAGES] = [0.0; AVERAGES];

    /// Whether the search has to come back without an answer.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.too_long || self.budget.stopped().is_some()
    }

    /// Bounds of an unfinished position's score that answer the question; they mean nothing if the search had to stop.
    pub(super) fn search(
        &mut self,
        position: &G,
        key: u64,
        known: Bounds,
        question: Question<G::Move>,
        passed: Option<I::Passed>,
    ) -> Bounds {
        self.stats.nodes += 1;
        self.too_long |= question.ply > I::LONGEST;
        if self.too_long || self.budget.must_stop(self.stats.nodes) {
            return Bounds::NONE;
        }
        let bounds = known.narrowed(self.study(position, passed));
        if bounds.decide(question.test) {
            return bounds;
        }
        if let [only] = self.listed[..] {
            return bounds.narrowed(self.follow_forced(position, only, question));
        }
        let first = self.open.len();
        let bounds = self.try_moves(position, key, bounds, question);
        self.open.truncate(first);
        bounds
    }

    /// What the insight proves of a position; the moves worth trying are listed.
    #[inline]
    fn study(&mut self, position: &G, passed: Option<I::Passed>) -> Bounds {
        self.listed.clear();
        self.insight.study(position, passed, &mut self.listed).into()
    }

    /// Bounds of a position where one move alone is worth trying: that of the next position with a choice, found without a node, an
    /// entry of the table or an order for those between.
    fn follow_forced(
        &mut self,
        position: &G,
        only: RankedMove<G::Move, I::Passed>,
        Question { mut test, mut ply, .. }: Question<G::Move>,
    ) -> Bounds {
        let mut forced = Forced::default();
        let mut position = position.clone();
        let mut only = only;
        loop {
            let mover = position.to_move();
            let next = position.after(only.mv);
            let same = next.to_move() == mover;
            forced.step(same);
            test = test_after(test, same);
            ply += 1;
            if !I::SEES_ENDS
                && let Some(end) = next.end()
            {
                let score = self.ends.score(&next, end, next.to_move(), 0);
                return forced.seen_from_above(Bounds { lower: score, upper: score });
            }
            let mut known = self.insight.glance(&next).into();
            if Bounds::decide(known, test) {
                return forced.seen_from_above(known);
            }
            self.too_long |= ply > I::LONGEST;
            if self.too_long {
                return Bounds::NONE;
            }
            known = known.narrowed(self.study(&next, Some(only.passed)));
            if known.decide(test) {
                return forced.seen_from_above(known);
            }
            if let ([another], true) = (&self.listed[..], forced.plies < LONGEST_FORCED) {
                (position, only) = (next, *another);
                continue;
            }
            let key = table_key(self.insight, &next);
            if let Some(found) = self.recall(&next, key) {
                self.stats.table_hits += 1;
                known = known.narrowed(found);
                if known.decide(test) {
                    return forced.seen_from_above(known);
                }
            }
            let first = self.open.len();
            let question = Question { test, ply, previous: Some(only.mv) };
            let found = self.try_moves(&next, key, known, question);
            self.open.truncate(first);
            return forced.seen_from_above(found);
        }
    }

    /// Bounds of a position whose moves are listed, from these.
    fn try_moves(&mut self, position: &G, key: u64, bounds: Bounds, question: Question<G::Move>) -> Bounds {
        let Question { test, ply, previous } = question;
        let before = self.stats.nodes;
        let mover = position.to_move();
        let first = self.open.len();
        self.open_listed(mover, previous);

        let mut best = Best::NONE;
        let mut end = first;
        for index in first..self.open.len() {
            let open = self.open[index];
            let next = position.after(open.mv);
            match self.look(position, &next, test, open.forced, &mut best) {
                Look::Good(found) => return bounds.at_least(found),
                Look::Settled => {}
                Look::Open(key, known) => {
                    self.open[end] = Open { key, known, ..open };
                    end += 1;
                }
            }
        }
        self.open.truncate(end);

        let mut index = first;
        while index < self.open.len() {
            let Open { mv, key: next_key, put_off, mut known, passed, .. } = self.open[index];
            let next = position.after(mv);
            let same = next.to_move() == mover;
            if self.stats.nodes - before > WORTH_ASKING {
                // What was found below the moves before it may tell something of this one.
                known = self.recall(&next, next_key).unwrap_or(known);
                let seen = known.seen_from_before(same);
                if seen.decide(test) {
                    best = best.with(seen);
                    if seen.lower >= test {
                        break;
                    }
                    index += 1;
                    continue;
                }
            }
            let asked = Question { test: test_after(test, same), ply: ply + 1, previous: Some(mv) };
            let mark = self.mark(next_key, asked);
            if let (Some((in_progress, mark)), false) = (mark, put_off)
                && index > first
                && in_progress.contains(mark)
            {
                self.open.push(Open { put_off: true, ..self.open[index] });
                index += 1;
                continue;
            }
            if let Some((in_progress, mark)) = mark {
                in_progress.enter(mark);
            }
            let found = self.search(&next, next_key, known, asked, Some(passed));
            if let Some((in_progress, mark)) = mark {
                in_progress.leave(mark);
            }
            if self.is_over() {
                return bounds;
            }
            let found = found.seen_from_before(same);
            best = best.with(found);
            if found.lower >= test {
                self.stats.first_move_cutoffs += u64::from(index == first);
                if I::LEARNS {
                    let tried = self.open[first..index].iter().map(|open| open.mv);
                    self.memory.reward(mover, mv, tried, previous);
                }
                break;
            }
            index += 1;
        }
        let bounds = if best.0.lower >= test {
            self.stats.cutoffs += 1;
            bounds.at_least(best.0.lower)
        } else {
            bounds.narrowed(best.0)
        };
        self.remember(position, key, bounds, self.stats.nodes - before, ply);
        bounds
    }

    /// Puts the moves that are listed on top of those to search, in the order of their ranks.
    #[inline]
    fn open_listed(&mut self, mover: Player, previous: Option<G::Move>) {
        let first = self.open.len();
        let few = self.listed.len() <= FEW_MOVES;
        for &RankedMove { mv, rank, passed, forced } in &self.listed {
            let rank = i64::from(rank) << 32;
            let rank = if I::LEARNS { rank + self.memory.worth(mover, mv, previous) } else { rank };
            let mut place = self.open.len();
            self.open.push(Open { mv, rank, key: 0, known: Bounds::NONE, passed, forced, put_off: false });
            while few && place > first && self.open[place - 1].rank < rank {
                self.open.swap(place - 1, place);
                place -= 1;
            }
        }
        if !few {
            self.open[first..].sort_by_key(|open| Reverse(open.rank));
        }
    }

    /// What is known of a move without a search: by the rules, at a glance, or by the table, which is asked for all moves of a
    /// position before the first is searched, so that the memory's answers come together.
    #[inline]
    fn look(&mut self, position: &G, next: &G, test: Score, forced: bool, best: &mut Best) -> Look {
        let mover = position.to_move();
        let same = next.to_move() == mover;
        let mut settled = |seen: Bounds| {
            *best = best.with(seen);
            if seen.lower >= test { Look::Good(seen.lower) } else { Look::Settled }
        };
        if !I::SEES_ENDS
            && let Some(end) = next.end()
        {
            let score = self.ends.score(next, end, mover, 1);
            return settled(Bounds { lower: score, upper: score });
        }
        let seen = Bounds::from(self.insight.glance(next)).seen_from_before(same);
        if seen.decide(test) {
            return settled(seen);
        }
        let key = table_key(self.insight, next);
        if forced {
            return Look::Open(key, Bounds::NONE);
        }
        let Some(known) = self.recall(next, key) else { return Look::Open(key, Bounds::NONE) };
        self.stats.table_hits += 1;
        let seen = known.seen_from_before(same);
        if seen.decide(test) { settled(seen) } else { Look::Open(key, known) }
    }

    /// The word under which a position is announced to the other threads, if it is worth it.
    #[inline]
    fn mark(&self, key: u64, question: Question<G::Move>) -> Option<(&'a InProgress, u64)> {
        let in_progress = self.in_progress?;
        let usual = self.usual_work.get(question.ply as usize)?;
        (*usual > ANNOUNCED_FROM).then(|| (in_progress, InProgress::mark(key, question.test.value() as u32)))
    }

    /// What the table knows of a position.
    #[inline]
    pub(super) fn recall(&self, position: &G, key: u64) -> Option<Bounds> {
        self.table.get(key).map(|found| found.raised(self.banked(position)))
    }

    /// What the table leaves out of a position's payoff.
    #[inline]
    fn banked(&self, position: &G) -> i32 {
        if self.ends == Ends::Utility { self.insight.banked(position) } else { 0 }
    }

    /// Leaves a position: the table remembers what was found.
    #[inline]
    fn remember(&mut self, position: &G, key: u64, bounds: Bounds, work: u64, ply: u32) {
        self.table.put(key, bounds.raised(-self.banked(position)), work);
        if self.in_progress.is_some()
            && let Some(usual) = self.usual_work.get_mut(ply as usize)
        {
            *usual += (work as f64 - *usual) / 16.0;
        }
    }
}

/// What a look at a move shows.
enum Look {
    /// It is worth this at least, which is good enough.
    Good(Score),
    /// It is not good enough.
    Settled,
    /// It has to be searched: the key of the position after it, and what is known of that.
    Open(u64, Bounds),
}

/// What has to be asked after a move, so that "is it at least `test`?" gets its answer (if the other player is to move then: the
/// opposite answer).
#[inline]
pub(super) fn test_after(test: Score, same: bool) -> Score {
    let value = test.value();
    let deeper = if test.is_win() {
        value + 1
    } else if test.is_loss() {
        value - 1
    } else {
        value
    };
    Score::from_value(if same { deeper } else { 1 - deeper })
}
