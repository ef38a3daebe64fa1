//! The two textbook searches, written to be read: plain minimax and plain alpha-beta to a fixed depth. They are the oracles
//! of everything faster, and the text of `docs/adversarial-search.md` points here.

use crate::{Ends, Evaluate, Game, Player, Record, Score, TurnBased};

/// What a reference search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution<M> {
    /// The value for the player to move.
    pub score: Score,
    /// A best move, the first of equals; `None` at depth 0 or if the game is over.
    pub best: Option<M>,
    /// Positions visited, the root included.
    pub nodes: u64,
    /// Those of them that were judged without looking further: finished, repeated, or at the depth limit.
    pub leaves: u64,
}

/// The textbook's evaluation: the utility of a finished position, the guess of `evaluate` for any other, seen from the side
/// of `player`. A guess is never a proven win or loss ([`Score::new`] sees to it).
pub fn judge<G: Game>(position: &G, player: Player, evaluate: &impl Evaluate<G>, ends: Ends) -> Score {
    match position.end() {
        Some(end) => ends.score(position, end, player, 0),
        None => evaluate.evaluate(position, player),
    }
}

/// Minimax: the value of the current position of a record if both play their best for `depth` plies.
///
/// Positions that have occurred in the record or on the line count as draws in games with a repetition rule.
///
/// ```
/// # use search_core::{Ends, Record, TurnBased, Zero, reference};
/// # fn test<G: TurnBased>(start: G) {
/// let record = Record::new(start);
/// let full = reference::minimax(&record, 4, &Zero, Ends::Outcome);
/// let pruned = reference::alpha_beta(&record, 4, &Zero, Ends::Outcome);
/// assert_eq!(full.score, pruned.score);
/// assert!(pruned.nodes <= full.nodes);
/// # }
/// ```
pub fn minimax<G: TurnBased>(
    record: &Record<G>,
    depth: u32,
    evaluate: &impl Evaluate<G>,
    ends: Ends,
) -> Solution<G::Move> {
    let mut walk = Walk::new(record, evaluate, ends);
    let (score, best) = walk.minimax(record.position(), depth, 0);
    Solution { score, best, nodes: walk.nodes, leaves: walk.leaves }
}

/// Alpha-beta, fail-soft, in the generator's order: the value of [`minimax`] from fewer positions, because a line is left as
/// soon as one of the players has something better elsewhere.
pub fn alpha_beta<G: TurnBased>(
    record: &Record<G>,
    depth: u32,
    evaluate: &impl Evaluate<G>,
    ends: Ends,
) -> Solution<G::Move> {
    let mut walk = Walk::new(record, evaluate, ends);
    let (score, best) = walk.alpha_beta(record.position(), depth, 0, Score::MIN, Score::MAX);
    Solution { score, best, nodes: walk.nodes, leaves: walk.leaves }
}

/// What both searches share.
struct Walk<'a, E> {
    evaluate: &'a E,
    ends: Ends,
    /// The repetition keys of the game and of the line, the current position last.
    path: Vec<u64>,
    nodes: u64,
    leaves: u64,
}

impl<'a, E> Walk<'a, E> {
    fn new<G: TurnBased>(record: &Record<G>, evaluate: &'a E, ends: Ends) -> Self {
        Walk { evaluate, ends, path: record.history().to_vec(), nodes: 0, leaves: 0 }
    }

    fn minimax<G: TurnBased>(&mut self, position: &G, depth: u32, ply: u32) -> (Score, Option<G::Move>)
    where
        E: Evaluate<G>,
    {
        let mover = position.to_move();
        if let Some(score) = self.leaf(position, depth, ply) {
            return (score, None);
        }
        let mut best = (Score::MIN, None);
        for &mv in position.move_list(mover).as_ref() {
            let next = position.after(mv);
            let visited = self.enter(&next);
            let (score, _) = self.minimax(&next, depth.saturating_sub(1), ply + 1);
            self.path.truncate(visited);
            let score = seen_by(mover, &next, score);
            if best.1.is_none() || score > best.0 {
                best = (score, Some(mv));
            }
        }
        best
    }

    fn alpha_beta<G: TurnBased>(
        &mut self,
        position: &G,
        depth: u32,
        ply: u32,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, Option<G::Move>)
    where
        E: Evaluate<G>,
    {
        let mover = position.to_move();
        if let Some(score) = self.leaf(position, depth, ply) {
            return (score, None);
        }
        let mut best = (Score::MIN, None);
        for &mv in position.move_list(mover).as_ref() {
            let next = position.after(mv);
            // The window belongs to the mover; turn it round if the other player moves next.
            let (low, high) = if next.to_move() == mover { (alpha, beta) } else { (-beta, -alpha) };
            let visited = self.enter(&next);
            let (score, _) = self.alpha_beta(&next, depth.saturating_sub(1), ply + 1, low, high);
            self.path.truncate(visited);
            let score = seen_by(mover, &next, score);
            if best.1.is_none() || score > best.0 {
                best = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                // The opponent has something better earlier on and will not let this position come about.
                break;
            }
        }
        best
    }

    /// Puts a position on the path; returns the length to take the path back to.
    fn enter<G: Game>(&mut self, position: &G) -> usize {
        let before = self.path.len();
        if G::REPETITION.is_some() {
            self.path.extend(position.repetition_key());
        }
        before
    }

    /// Counts a node, and judges it if it is a leaf: ends by the rules of the board, then repetition, then a cap on the
    /// turns, then the depth. The root is judged by its end only.
    fn leaf<G: TurnBased>(&mut self, position: &G, depth: u32, ply: u32) -> Option<Score>
    where
        E: Evaluate<G>,
    {
        let mover = position.to_move();
        self.nodes += 1;
        let end = position.end();
        let score = if let Some(end) = end.filter(|end| !end.yields_to_repetition) {
            Some(self.ends.score(position, end, mover, ply))
        } else if ply > 0 && self.is_repeated(position) {
            Some(Score::DRAW)
        } else if let Some(end) = end {
            Some(self.ends.score(position, end, mover, ply))
        } else if depth == 0 && self.evaluate.can_judge(position) {
            Some(self.evaluate.evaluate(position, mover))
        } else {
            None
        };
        self.leaves += u64::from(score.is_some());
        score
    }

    /// Whether the position, the last of the path, stands on it before.
    fn is_repeated<G: Game>(&self, position: &G) -> bool {
        let (Some(key), true) = (position.repetition_key(), G::REPETITION.is_some()) else { return false };
        self.path.split_last().is_some_and(|(_, before)| before.contains(&key))
    }
}

/// A score of the player who moves in `next`, as `player` sees it.
fn seen_by<G: TurnBased>(player: Player, next: &G, score: Score) -> Score {
    if next.to_move() == player { score } else { -score }
}
