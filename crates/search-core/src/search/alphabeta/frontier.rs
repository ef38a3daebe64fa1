//! Nodes one ply above the leaves: about half of all nodes that have moves, so they have a search of their own.

use super::node::{Frame, Scout, Worker};
use crate::search::hooks::searched_moves;
use crate::{Evaluate, Extend, HookSet, Player, Prune, Score, TurnBased};

impl<G: TurnBased, H: HookSet<G>> Worker<'_, G, H> {
    /// Whether nodes with one ply left only play their moves and judge what comes out: no table, no noisy moves below, no
    /// extensions. (Reductions never touch them.)
    pub(super) fn has_plain_frontier(&self) -> bool {
        (self.table.is_none() || self.settings.table_from > 1)
            && !self.quiesces()
            && !self.hooks.extend().is_active()
    }

    /// What [`Worker::search`] does at a node off the principal variation with one ply left, where the frontier is plain.
    pub(super) fn frontier(
        &mut self,
        position: &G,
        player: Player,
        repetition_key: Option<u64>,
        frame: &Frame<G::Move>,
    ) -> Score {
        let moves = searched_moves(self.hooks.prune(), position, player);
        let moves = moves.as_ref();
        if moves.is_empty() || self.hooks.prune().is_active() {
            self.horizon = true;
        }
        if moves.is_empty() {
            return self.evaluate(position, player);
        }
        let mut picker = self.order(position, player, moves, None, frame);
        if let Some(key) = repetition_key {
            self.path.push(key);
        }
        let mut best = Score::MIN;
        let mut number = 0;
        while let Some(place) = picker.next(&mut self.words) {
            let mv = moves[place];
            let next = position.after(mv);
            let score = if self.hooks.evaluate().can_judge(&next) {
                self.leaf(&next, player, frame.ply + 1)
            } else {
                self.child::<Scout>(position, player, mv, &next, number, *frame)
            };
            if self.budget.stopped().is_some() {
                break;
            }
            best = best.max(score);
            if best >= frame.beta {
                self.cut(player, moves, &picker, mv, frame);
                break;
            }
            number += 1;
        }
        picker.close(&mut self.words);
        if repetition_key.is_some() {
            self.path.pop();
        }
        best
    }

    /// The score for `player` of a position that is judged as it stands.
    #[inline(always)]
    pub(super) fn leaf(&mut self, position: &G, player: Player, ply: u32) -> Score {
        self.stats.nodes += 1;
        if self.budget.must_stop(self.stats.nodes) {
            return Score::DRAW;
        }
        if let Err(score) = self.arrive(position, player, ply) {
            return score;
        }
        self.horizon = true;
        self.evaluate(position, player)
    }
}
