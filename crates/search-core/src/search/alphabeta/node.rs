//! One node of the search, written once for all kinds of nodes.

use std::time::Duration;

use smallvec::SmallVec;

use super::AlphaBetaSettings;
use super::history::{Learning, Memory};
use super::lookup::{ENHANCED_FROM, SHARED_FROM, TableBound, WINS_FROM};
use super::picker::Picker;
use super::settings::ReductionTable;
use crate::search::budget::Budget;
use crate::search::hooks::searched_moves;
use crate::search::in_progress::InProgress;
use crate::search::path::{Arrival, Path};
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

/// What the table knows of a node that has to be searched.
#[derive(Default)]
struct Known<'a> {
    /// Where the node is remembered, if it is.
    table: Option<&'a Table>,
    key: u64,
    /// The turns left, where they are capped.
    turns: Option<u32>,
    /// Whether scores are taken from the table and put there.
    scores_count: bool,
    /// The move that was best, by its place in the generator's list.
    table_move: Option<u16>,
    /// Whether the window rests on what was not searched to the end.
    narrowed: bool,
}

/// What came out of the moves of a node.
struct Tried {
    best: Score,
    /// The place of the best move.
    place: Option<usize>,
    bound: Bound,
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

impl<'a, G: TurnBased, H: HookSet<G>> Worker<'a, G, H> {
    /// The score of `position` for `player`, who is to move there. Meaningless once the budget has stopped the search.
    pub(super) fn search<N: Node>(&mut self, position: &G, player: Player, frame: Frame<G::Move>) -> Score {
        let asked = frame.depth;
        self.stats.nodes += 1;
        if N::PV {
            self.clear_line(frame.ply);
        }
        if self.budget.must_stop(self.stats.nodes) {
            return Score::DRAW;
        }
        let repetition_key = match self.arrive_below::<N>(position, player, frame.ply) {
            Ok(key) => key,
            Err(score) => return score,
        };
        let mut frame = frame;
        if let Some(score) = self.look_at_horizon::<N>(position, player, &mut frame) {
            return score;
        }
        if !N::PV && frame.depth == 1 && self.plain_frontier {
            return self.frontier(position, player, repetition_key, &frame);
        }
        let mut known = Known::default();
        if let Some(score) = self.look_up::<N>(position, asked, &mut frame, &mut known) {
            return score;
        }

        // From here on it tells whether anything below this node was left open.
        let open_elsewhere = std::mem::replace(&mut self.horizon, known.narrowed);
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
        if !N::PV
            && known.scores_count
            && self.settings.enhanced_cutoffs
            && frame.depth >= ENHANCED_FROM
            && let Some(score) = self.known_answer(position, player, moves, known.turns, &frame)
        {
            self.horizon |= open_elsewhere;
            return score;
        }

        if let Some(key) = repetition_key {
            self.path.push(key);
        }
        let tried = self.try_moves::<N>(position, player, moves, known.table_move, frame);
        if repetition_key.is_some() {
            self.path.pop();
        }
        let resolved = !self.horizon;
        self.horizon |= open_elsewhere;
        if self.budget.stopped().is_none() {
            self.remember::<N>(
                position,
                player,
                moves,
                &known,
                &tried,
                self.kept_depth(asked, resolved),
                frame.ply,
            );
        }
        tried.best
    }

    /// The repetition key of a node, or its score if the game is over there. The root is searched whatever it repeats.
    #[inline(always)]
    fn arrive_below<N: Node>(
        &mut self,
        position: &G,
        player: Player,
        ply: u32,
    ) -> Result<Option<u64>, Score> {
        if N::ROOT { Ok(None) } else { self.arrive(position, player, ply) }
    }

    /// The score of a node that lies at the horizon or cannot matter; else the window and the depth are those it is searched
    /// with.
    #[inline(always)]
    fn look_at_horizon<N: Node>(
        &mut self,
        position: &G,
        player: Player,
        frame: &mut Frame<G::Move>,
    ) -> Option<Score> {
        let ply = frame.ply;
        if !N::ROOT && ply >= MAX_PLY {
            self.horizon = true;
            return Some(self.evaluate(position, player));
        }
        if frame.depth == 0 {
            if self.hooks.evaluate().can_judge(position) {
                self.horizon = true;
                return Some(if self.quiesces() {
                    self.noisy(position, player, frame.alpha, frame.beta, ply, 0)
                } else {
                    self.evaluate(position, player)
                });
            }
            frame.depth = 1;
        }
        if self.settings.distance_pruning && !N::ROOT {
            frame.alpha = frame.alpha.max(Score::loss_in(ply));
            frame.beta = frame.beta.min(Score::win_in(ply + 1));
            if frame.alpha >= frame.beta {
                return Some(frame.alpha);
            }
        }
        None
    }

    /// Asks the table about a node: its score if that is known well enough; else a narrower window and a first move. A node
    /// that cannot be judged is searched deeper than asked for, but kept under the depth asked for.
    #[inline(always)]
    fn look_up<N: Node>(
        &mut self,
        position: &G,
        asked: u32,
        frame: &mut Frame<G::Move>,
        known: &mut Known<'a>,
    ) -> Option<Score> {
        let depth = frame.depth;
        let table = self.table_at(depth).filter(|_| depth >= self.settings.table_from)?;
        let key = position.key();
        // Where a cap on the turns lies within the remaining depth the score depends on the counter, which the key
        // leaves out: such scores are neither taken from the table nor put there. Moves are.
        let turns = position.turns_left();
        let scores_count = turns.is_none_or(|turns| turns > depth + self.beyond());
        *known = Known { table: Some(table), key, turns, scores_count, table_move: None, narrowed: false };
        // A node that was near the leaves in the last iteration is found where it was then.
        let earlier = self.near.filter(|_| depth < SHARED_FROM.saturating_add(self.settings.depth_step));
        let entry = table.get(key).or_else(|| earlier?.get(key))?;
        self.stats.table_hits += 1;
        known.table_move = entry.best;
        if !N::ROOT && scores_count && self.holds_before_cap(&entry, turns) {
            match self.bound_of(&entry, asked, frame.alpha, frame.beta, frame.ply) {
                TableBound::Decided(score) => {
                    self.horizon |= !self.is_resolved(&entry);
                    return Some(score);
                }
                TableBound::AtLeast(score) if score > frame.alpha => {
                    frame.alpha = score;
                    known.narrowed = !self.is_resolved(&entry);
                }
                TableBound::AtMost(score) if score < frame.beta => {
                    frame.beta = score;
                    known.narrowed = !self.is_resolved(&entry);
                }
                TableBound::AtLeast(_) | TableBound::AtMost(_) | TableBound::Open => {}
            }
        }
        None
    }

    /// Searches the moves of a node, best first, until one is too good.
    #[inline(always)]
    fn try_moves<N: Node>(
        &mut self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        table_move: Option<u16>,
        mut frame: Frame<G::Move>,
    ) -> Tried {
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
        let mut tried = Tried { best: Score::MIN, place: None, bound: Bound::Upper };
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
                && frame.depth >= ANNOUNCED_FROM
            {
                let word = InProgress::mark(next.key(), frame.depth);
                if !again && in_progress.contains(word) {
                    put_off.push(place);
                    continue;
                }
                in_progress.enter(word);
                mark = Some(word);
            }
            let nodes_before = self.stats.nodes;
            let score = self.child::<N>(position, player, mv, &next, number, frame);
            if let (Some(in_progress), Some(mark)) = (self.in_progress, mark) {
                in_progress.leave(mark);
            }
            if self.budget.stopped().is_some() {
                break;
            }
            if N::ROOT {
                self.note_at_root(place, score, &frame, nodes_before);
            }
            let several = N::ROOT && self.settings.lines > 1;
            if several && score > frame.alpha {
                let below = self.lines.get(1).map_or(&[][..], |line| line);
                self.root.courses[place] = std::iter::once(mv).chain(below.iter().copied()).collect();
            }
            if score > tried.best {
                tried.best = score;
                tried.place = Some(place);
                if N::ROOT {
                    self.root.best = Some(place);
                }
                if score > frame.alpha {
                    if !several {
                        frame.alpha = score;
                    }
                    tried.bound = Bound::Exact;
                    if N::PV {
                        self.extend_line(frame.ply, mv);
                    }
                }
                if frame.alpha >= frame.beta {
                    tried.bound = Bound::Lower;
                    self.cut(player, moves, &picker, mv, &frame);
                    break;
                }
            }
            if several {
                frame.alpha = frame.alpha.max(self.root.last_wanted(self.settings.lines));
            }
            number += 1;
        }
        picker.close(&mut self.words);
        tried
    }

    /// What is now known of a root move.
    #[inline]
    fn note_at_root(&mut self, place: usize, score: Score, frame: &Frame<G::Move>, nodes_before: u64) {
        self.root.scores[place] = score;
        self.root.bounds[place] = match score {
            score if score <= frame.alpha => Bound::Upper,
            score if score >= frame.beta => Bound::Lower,
            _ => Bound::Exact,
        };
        self.root.nodes[place] = self.stats.nodes - nodes_before;
    }

    /// Puts what came out at a node into the table.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "what a node is and what came out; it is inlined")]
    fn remember<N: Node>(
        &mut self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        known: &Known<'_>,
        tried: &Tried,
        depth: u32,
        ply: u32,
    ) {
        let Some(table) = known.table else { return };
        let best = tried.place.and_then(|place| self.place_in_generator::<N>(position, player, moves, place));
        let bound = known.scores_count.then_some(tried.bound);
        if bound.is_some() || best.is_some() {
            table.put(known.key, Entry { score: to_table(tried.best, ply), best, depth, bound });
        }
    }

    /// The repetition key of a position below the root, or the score if the game is over there.
    #[inline]
    pub(super) fn arrive(&mut self, position: &G, player: Player, ply: u32) -> Result<Option<u64>, Score> {
        match self.path.arrive(position) {
            Arrival::Ended(end) => Err(self.settings.ends.score(position, end, player, ply)),
            Arrival::Repeated(_) => {
                // A draw on this line, but perhaps not on another that leads to the same positions.
                self.horizon = true;
                Err(Score::DRAW)
            }
            Arrival::Open(key) => Ok(key),
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

    /// The score of `next` for `player`, no matter which side is to move there.
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
