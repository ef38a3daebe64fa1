//! What the transposition table says about a node, and about its moves before the first is searched.

use super::TableUse;
use super::node::{Frame, Worker};
use crate::search::table::{Entry, Table, from_table};
use crate::{Bound, Extend, HookSet, Player, Score, TurnBased};

/// The depth under which the table keeps what was searched to the end of the game: true at any depth.
const RESOLVED: u32 = 255;

/// The same where entries count at exactly their own depth: added to it, and no depth from here on is kept.
const RESOLVED_AT: u32 = 128;

/// From which kept depth on an entry was searched to the end of the game.
pub(super) fn resolved_from(table: TableUse) -> u32 {
    if table == TableUse::ExactDepth { RESOLVED_AT } else { RESOLVED }
}

/// From this depth on threads share what they find. Below it lie most nodes and little worth sharing, and a line of memory
/// that another processor has written comes late.
pub(super) const SHARED_FROM: u32 = 4;

/// Nodes with less depth left do not pay for looking all their moves up.
pub(super) const ENHANCED_FROM: u32 = 3;

/// Nodes with less depth left are quickly searched: they find a win at once themselves.
pub(super) const WINS_FROM: u32 = 2;

/// What the table knows about a node.
pub(super) enum TableBound {
    Open,
    AtLeast(Score),
    AtMost(Score),
    Decided(Score),
}

impl<'a, G: TurnBased, H: HookSet<G>> Worker<'a, G, H> {
    /// How far a line may go on below its depth.
    #[inline]
    pub(super) fn beyond(&self) -> u32 {
        let extensions = if self.hooks.extend().is_active() { self.root_depth } else { 0 };
        let noisy = if self.quiesces() { self.settings.quiescence_depth } else { 0 };
        extensions + noisy
    }

    /// Whether an entry was searched to the end of the game.
    #[inline]
    pub(super) fn is_resolved(&self, entry: &Entry) -> bool {
        entry.depth >= self.resolved_from
    }

    /// Under which depth the table keeps a node that was to be searched `asked` plies deep.
    #[inline]
    pub(super) fn kept_depth(&self, asked: u32, resolved: bool) -> u32 {
        match self.settings.table {
            TableUse::AtLeast if resolved => RESOLVED,
            TableUse::ExactDepth => {
                let resolved = resolved && asked < RESOLVED_AT - 1;
                asked.min(RESOLVED_AT - 1) + u32::from(resolved) * RESOLVED_AT
            }
            _ => asked.min(RESOLVED - 1),
        }
    }

    /// Whether an entry speaks of nothing that happens after the last turn: it may stem from a search further away from
    /// the cap than this node.
    #[inline]
    pub(super) fn holds_before_cap(&self, entry: &Entry, turns: Option<u32>) -> bool {
        turns.is_none_or(|turns| {
            turns > entry.depth + self.beyond()
                || entry.score.plies_to_end().is_some_and(|plies| plies <= turns)
        })
    }

    /// What an entry of the table says about a node with this window.
    #[inline]
    pub(super) fn bound_of(
        &self,
        entry: &Entry,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: u32,
    ) -> TableBound {
        let deep_enough = match self.settings.table {
            TableUse::Off | TableUse::MovesOnly => false,
            TableUse::ExactDepth => entry.depth % RESOLVED_AT == depth && depth < RESOLVED_AT - 1,
            TableUse::AtLeast => entry.depth >= depth.min(RESOLVED - 1),
        };
        if !deep_enough {
            return TableBound::Open;
        }
        let score = from_table(entry.score, ply);
        match entry.bound {
            None => TableBound::Open,
            Some(Bound::Exact) => TableBound::Decided(score),
            Some(Bound::Lower) if score >= beta => TableBound::Decided(score),
            Some(Bound::Upper) if score <= alpha => TableBound::Decided(score),
            Some(Bound::Lower) => TableBound::AtLeast(score),
            Some(Bound::Upper) => TableBound::AtMost(score),
        }
    }

    /// Where nodes with this depth left are remembered.
    #[inline]
    pub(super) fn table_at(&self, depth: u32) -> Option<&'a Table> {
        if depth < SHARED_FROM && self.near.is_some() { self.near } else { self.table }
    }

    /// The score for `player` of a position, at the node of `frame`, in which the other one wins with the next move; nothing
    /// where that is not bad enough to leave the position alone.
    #[inline(always)]
    pub(super) fn lost_at_once(&self, position: &G, player: Player, frame: &Frame<G::Move>) -> Option<Score> {
        let next = position.after(position.winning_move()?);
        // What repeats is a draw, whichever side could win there.
        let repeats = self.path.key_of(position).is_some_and(|key| self.path.contains(key));
        if repeats || position.to_move() == player {
            return None;
        }
        let score = self.settings.ends.score(&next, next.end()?, player, frame.ply + 1);
        (score <= frame.alpha).then_some(score)
    }

    /// What the table knows of the positions after the moves, if it knows one to be too good. `turns` are those left at
    /// the node, where they are capped.
    pub(super) fn known_answer(
        &mut self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        turns: Option<u32>,
        &Frame { beta, depth, ply, .. }: &Frame<G::Move>,
    ) -> Option<Score> {
        let table = self.table_at(depth - 1)?;
        let turns = turns.map(|turns| turns.saturating_sub(1));
        for &mv in moves {
            let next = position.after(mv);
            // A move of the same player again would need the other bound; such turns are rare. What repeats is a draw.
            if next.to_move() != player
                && let Some(entry) = table.get(next.key())
                && let TableBound::Decided(score) =
                    self.bound_of(&entry, depth - 1, -beta, Score::MAX, ply + 1)
                && -score >= beta
                && self.path.key_of(&next).is_none_or(|key| !self.path.contains(key))
                && self.holds_before_cap(&entry, turns)
            {
                self.stats.table_hits += 1;
                self.stats.cutoffs += 1;
                self.horizon |= !self.is_resolved(&entry);
                return Some(-score);
            }
        }
        None
    }
}
