//! One node of the search, written once for all kinds of nodes.

use std::time::Duration;

use smallvec::SmallVec;

use super::AlphaBetaSettings;
use super::history::{Learning, Memory};
use super::lookup::{ENHANCED_FROM, SHARED_FROM, Verdict, WINS_FROM};
use super::picker::Picker;
use super::settings::ReductionTable;
use crate::search::budget::Budget;
use crate::search::hooks::searched_moves;
use crate::search::in_progress::InProgress;
use crate::search::path::Path;
use crate::search::table::{Entry, Table, to_table};
use crate::{Bound, Evaluate, Extend, HookSet, Player, Prune, Score, Stats, TurnBased};

/// Nodes with less depth left are not announced to other threads: every thread that reaches one searches it.
const ANNOUNCED_FROM: u32 = 5;

/// No line is longer than this.
pub(super) const MAX_PLY: u32 = 512;

/// The kind of a node, as constants: the compiler makes one search of each.
pub(super) trait Node {
    /// The root: its moves are kept from iteration to iteration.
    const ROOT: bool;
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The kind of the first child.
    type First: Node;
}

pub(super) struct Root;
pub(super) struct Principal;
pub(super) struct Scout;

impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type First = Principal;
}

impl Node for Principal {
    const ROOT: bool = false;
    const PV: bool = true;
    type First = Principal;
}

impl Node for Scout {
    const ROOT: bool = false;
    const PV: bool = false;
    type First = Scout;
}

/// The window of a node, and where it stands in the tree.
#[derive(Clone, Copy)]
pub(super) struct Frame<M> {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: u32,
    pub(super) ply: u32,
    /// Plies by which the line has been made longer already.
    pub(super) extended: u32,
    pub(super) previous: Option<M>,
}

/// What is known of the root moves, in their current order.
#[derive(Debug, Clone)]
pub(super) struct RootMoves<M> {
    pub(super) moves: Vec<M>,
    pub(super) scores: Vec<Score>,
    /// What the scores say.
    pub(super) bounds: Vec<Bound>,
    pub(super) nodes: Vec<u64>,
    /// The expected course after each, where several are wanted and this one is among the best so far.
    pub(super) courses: Vec<Vec<M>>,
    /// The place of the best move of this iteration, once there is one.
    pub(super) best: Option<usize>,
}

impl<M> RootMoves<M> {
    /// The score of the last of the `wanted` best moves so far; below everything if there are fewer.
    fn last_wanted(&self, wanted: usize) -> Score {
        let mut scores = self.scores.clone();
        scores.sort_by_key(|&score| std::cmp::Reverse(score));
        scores.get(wanted - 1).copied().unwrap_or(Score::MIN)
    }
}

/// One thread's search.
pub(super) struct Worker<'a, G: TurnBased, H> {
    pub(super) hooks: &'a H,
    pub(super) settings: &'a AlphaBetaSettings,
    pub(super) learning: Learning,
    pub(super) reductions: Option<ReductionTable>,
    pub(super) table: Option<&'a Table>,
    /// What this thread alone remembers of nodes near the leaves, where several threads search.
    pub(super) near: Option<&'a Table>,
    /// What all threads are searching now, where there are several.
    pub(super) in_progress: Option<&'a InProgress>,
    pub(super) memory: &'a mut Memory<G::Move>,
    pub(super) path: Path,
    pub(super) budget: Budget<'a>,
    pub(super) stats: Stats,
    pub(super) root: RootMoves<G::Move>,
    /// The moves of all nodes of the current line, as their pickers order them.
    pub(super) words: Vec<u64>,
    /// The line of each ply, as far as it is known.
    pub(super) lines: Vec<Vec<G::Move>>,
    pub(super) root_depth: u32,
    /// From which kept depth on an entry of the table was searched to the end of the game.
    pub(super) resolved_from: u32,
    /// Whether nodes with one ply left have a search of their own.
    pub(super) plain_frontier: bool,
    /// Whether something below this iteration was judged instead of searched to the end.
    pub(super) horizon: bool,
}

impl<G: TurnBased, H: HookSet<G>> Worker<'_, G, H> {
    /// The score of `position` for `player`, who is to move there. Meaningless once the budget has stopped the search.
    pub(super) fn search<N: Node>(&mut self, position: &G, player: Player, frame: Frame<G::Move>) -> Score {
        let Frame { mut alpha, mut beta, depth: asked, ply, .. } = frame;
        let mut depth = asked;
        self.stats.nodes += 1;
        if N::PV {
            self.clear_line(ply);
        }
        if self.budget.must_stop(self.stats.nodes) {
            return Score::DRAW;
        }

        let mut repetition_key = None;
        if !N::ROOT {
            repetition_key = match self.arrive(position, player, ply) {
                Ok(key) => key,
                Err(score) => return score,
            };
            if ply >= MAX_PLY {
                self.horizon = true;
                return self.evaluate(position, player);
            }
        }
        if depth == 0 {
            if self.hooks.evaluate().can_judge(position) {
                self.horizon = true;
                return if self.quiesces() {
                    self.noisy(position, player, alpha, beta, ply, 0)
                } else {
                    self.evaluate(position, player)
                };
            }
            depth = 1;
        }
        if self.settings.distance_pruning && !N::ROOT {
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        if !N::PV && depth == 1 && self.plain_frontier {
            return self.frontier(position, player, repetition_key, &Frame { beta, depth, ..frame });
        }

        // Where a cap on the turns lies within the remaining depth the score depends on the counter, which the key
        // leaves out: such scores are neither taken from the table nor put there. Moves are.
        let mut key = 0;
        // A node that cannot be judged is searched deeper than asked for, but kept under the depth asked for.
        let mut table_move = None;
        let mut turns = None;
        let mut scores_count = false;
        let mut narrowed = false;
        let table = self.table_at(depth).filter(|_| depth >= self.settings.table_from);
        if let Some(table) = table {
            key = position.key();
            turns = position.turns_left();
            scores_count = turns.is_none_or(|turns| turns > depth + self.beyond());
            // A node that was near the leaves in the last iteration is found where it was then.
            let earlier = self.near.filter(|_| depth < SHARED_FROM.saturating_add(self.settings.depth_step));
            if let Some(entry) = table.get(key).or_else(|| earlier?.get(key)) {
                self.stats.table_hits += 1;
                table_move = entry.best;
                if !N::ROOT && scores_count && self.holds_before_cap(&entry, turns) {
                    match self.verdict(&entry, asked, alpha, beta, ply) {
                        Verdict::Decided(score) => {
                            self.horizon |= !self.is_resolved(&entry);
                            return score;
                        }
                        Verdict::AtLeast(score) if score > alpha => {
                            alpha = score;
                            narrowed = !self.is_resolved(&entry);
                        }
                        Verdict::AtMost(score) if score < beta => {
                            beta = score;
                            narrowed = !self.is_resolved(&entry);
                        }
                        Verdict::AtLeast(_) | Verdict::AtMost(_) | Verdict::Open => {}
                    }
                }
            }
        }

        // From here on it tells whether anything below this node was left open.
        let open_elsewhere = std::mem::replace(&mut self.horizon, narrowed);
        let (kept, listed);
        let moves: &[G::Move] = if N::ROOT {
            kept = self.root.moves.clone();
            &kept
        } else {
            listed = searched_moves(self.hooks.prune(), position, player);
            listed.as_ref()
        };
        if self.hooks.prune().is_active() {
            self.horizon = true;
        }
        if moves.is_empty() {
            self.horizon = true;
            // The contract rules it out; a game that breaks it gets a static answer.
            return self.evaluate(position, player);
        }
        let frame = Frame { beta, depth, ..frame };
        if !N::PV
            && scores_count
            && self.settings.enhanced_cutoffs
            && depth >= ENHANCED_FROM
            && let Some(score) = self.known_answer(position, player, moves, turns, &frame)
        {
            self.horizon |= open_elsewhere;
            return score;
        }
        // Most nodes with a move from the table are done after it: the others are ordered only when they are needed.
        let table_move = table_move.map(usize::from).filter(|&place| !N::ROOT && place < moves.len());
        let mut waiting = table_move.is_some();
        let mut picker = if N::ROOT {
            Picker::unordered(&mut self.words, moves.len())
        } else if let Some(place) = table_move {
            Picker::single(&mut self.words, place)
        } else {
            self.order(position, player, moves, None, &frame)
        };
        if let Some(key) = repetition_key {
            self.path.push(key);
        }

        let mut best = Score::MIN;
        let mut best_place = None;
        let mut bound = Bound::Upper;
        let mut number = 0;
        // Moves that another thread is searching: they come last.
        let mut put_off = SmallVec::<[usize; 8]>::new();
        loop {
            let mut again = false;
            let place = if let Some(place) = picker.next(&mut self.words) {
                place
            } else if std::mem::take(&mut waiting) {
                picker.close(&mut self.words);
                picker = self.order(position, player, moves, table_move, &frame);
                // The table's move comes first again.
                picker.next(&mut self.words);
                continue;
            } else if let Some(place) = put_off.pop() {
                again = true;
                place
            } else {
                break;
            };
            let mv = moves[place];
            let next = position.after(mv);
            let mut mark = None;
            if let Some(in_progress) = self.in_progress
                && number > 0
                && depth >= ANNOUNCED_FROM
            {
                let word = InProgress::mark(next.key(), depth);
                if !again && in_progress.contains(word) {
                    put_off.push(place);
                    continue;
                }
                in_progress.enter(word);
                mark = Some(word);
            }
            let nodes_before = self.stats.nodes;
            let score = self.child::<N>(position, player, mv, &next, number, Frame { alpha, ..frame });
            if let (Some(in_progress), Some(mark)) = (self.in_progress, mark) {
                in_progress.leave(mark);
            }
            if self.budget.stopped().is_some() {
                break;
            }
            if N::ROOT {
                self.root.scores[place] = score;
                self.root.bounds[place] = match score {
                    score if score <= alpha => Bound::Upper,
                    score if score >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                self.root.nodes[place] = self.stats.nodes - nodes_before;
            }
            let several = N::ROOT && self.settings.lines > 1;
            if several && score > alpha {
                let below = self.lines.get(1).map_or(&[][..], |line| line);
                self.root.courses[place] = std::iter::once(mv).chain(below.iter().copied()).collect();
            }
            if score > best {
                best = score;
                best_place = Some(place);
                if N::ROOT {
                    self.root.best = Some(place);
                }
                if score > alpha {
                    if !several {
                        alpha = score;
                    }
                    bound = Bound::Exact;
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                }
                if alpha >= beta {
                    bound = Bound::Lower;
                    self.cut(player, moves, &picker, mv, &frame);
                    break;
                }
            }
            if several {
                alpha = alpha.max(self.root.last_wanted(self.settings.lines));
            }
            number += 1;
        }
        picker.close(&mut self.words);
        if repetition_key.is_some() {
            self.path.pop();
        }
        let resolved = !self.horizon;
        self.horizon |= open_elsewhere;
        if self.budget.stopped().is_some() {
            return best;
        }
        if let Some(table) = table {
            let best_place =
                best_place.and_then(|place| self.place_in_generator::<N>(position, player, moves, place));
            let bound = scores_count.then_some(bound);
            if bound.is_some() || best_place.is_some() {
                let entry = Entry {
                    score: to_table(best, ply),
                    best: best_place,
                    depth: self.kept_depth(asked, resolved),
                    bound,
                };
                table.put(key, entry);
            }
        }
        best
    }

    /// The repetition key of a position below the root, or the score if the game is over there.
    #[inline]
    pub(super) fn arrive(&mut self, position: &G, player: Player, ply: u32) -> Result<Option<u64>, Score> {
        let end = position.end();
        if let Some(end) = end.filter(|end| !end.yields_to_repetition) {
            return Err(self.settings.ends.score(position, end, player, ply));
        }
        let key = self.path.key_of(position);
        if key.is_some_and(|key| self.path.contains(key)) {
            // A draw on this line, but perhaps not on another that leads to the same positions.
            self.horizon = true;
            return Err(Score::DRAW);
        }
        match end {
            Some(end) => Err(self.settings.ends.score(position, end, player, ply)),
            None => Ok(key),
        }
    }

    /// Searches the position after a move and gives its score for `player`, who made the move.
    #[inline]
    pub(super) fn child<N: Node>(
        &mut self,
        position: &G,
        player: Player,
        mv: G::Move,
        next: &G,
        number: u32,
        frame: Frame<G::Move>,
    ) -> Score {
        let Frame { alpha, beta, depth, ply, extended, .. } = frame;
        let mut extension = 0;
        if self.hooks.extend().is_active() {
            let room = self.root_depth.saturating_sub(extended);
            extension = self.hooks.extend().extension(position, mv, next, depth).min(room);
        }
        let below = Frame {
            alpha,
            beta,
            depth: depth - 1 + extension,
            ply: ply + 1,
            extended: extended + extension,
            previous: Some(mv),
        };
        // A leaf that is judged as it stands has no window and no line: most nodes are such leaves.
        if below.depth == 0 && !self.quiesces() && self.hooks.evaluate().can_judge(next) {
            if N::PV {
                self.clear_line(ply + 1);
            }
            return self.leaf(next, player, ply + 1);
        }
        // A node that would only find out that it wins at once is not entered.
        if self.settings.wins_first
            && below.depth >= WINS_FROM
            && let Some(score) = self.lost_at_once(next, player, &below)
        {
            if N::PV {
                self.clear_line(ply + 1);
            }
            return score;
        }
        // Where several lines are wanted the first few have nothing to be compared with.
        if number == 0
            || alpha == Score::MIN
            || (!self.settings.principal_variation && self.reductions.is_none())
        {
            return self.seen_by::<N::First>(player, next, below);
        }
        let reduction = match &self.reductions {
            Some(table) if extension == 0 => table.get(depth, number),
            _ => 0,
        };
        let null = Score::from_value(alpha.value() + 1);
        if reduction > 0 {
            self.horizon = true;
            let reduced = Frame { beta: null, depth: below.depth - reduction, ..below };
            let score = self.seen_by::<Scout>(player, next, reduced);
            if score <= alpha || self.budget.stopped().is_some() {
                return score;
            }
        }
        if self.settings.principal_variation {
            let score = self.seen_by::<Scout>(player, next, Frame { beta: null, ..below });
            if score <= alpha || score >= beta || !N::PV || self.budget.stopped().is_some() {
                if N::PV {
                    // It wrote no line: what stands there belongs to a sibling.
                    self.lines[ply as usize + 1].clear();
                }
                return score;
            }
        }
        self.seen_by::<N::First>(player, next, below)
    }

    /// The score of `next` for `player`, whoever is to move there.
    #[inline]
    fn seen_by<N: Node>(&mut self, player: Player, next: &G, frame: Frame<G::Move>) -> Score {
        let mover = next.to_move();
        if mover == player {
            self.search::<N>(next, mover, frame)
        } else {
            -self.search::<N>(next, mover, Frame { alpha: -frame.beta, beta: -frame.alpha, ..frame })
        }
    }

    #[inline]
    pub(super) fn evaluate(&mut self, position: &G, player: Player) -> Score {
        self.stats.evaluations += 1;
        self.hooks.evaluate().evaluate(position, player)
    }

    /// The place of a move in the generator's list: the root's list has an order of its own.
    #[inline]
    fn place_in_generator<N: Node>(
        &self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        place: usize,
    ) -> Option<u16> {
        let place = if N::ROOT {
            let list = searched_moves(self.hooks.prune(), position, player);
            list.as_ref().iter().position(|&mv| mv == moves[place])?
        } else {
            place
        };
        u16::try_from(place).ok().filter(|&place| place < u16::MAX)
    }

    #[inline]
    fn clear_line(&mut self, ply: u32) {
        let ply = ply as usize;
        if self.lines.len() <= ply + 1 {
            self.lines.resize(ply + 2, Vec::new());
        }
        self.lines[ply].clear();
    }

    #[inline]
    fn extend_line(&mut self, ply: u32, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// Time since the search started.
    pub(super) fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }
}
