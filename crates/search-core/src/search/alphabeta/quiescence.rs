//! Below the horizon: noisy moves only, until the position is quiet.

use super::history::Learning;
use super::node::{Frame, Worker};
use crate::search::hooks::searched_moves;

use crate::{Evaluate, HookSet, Player, Quiesce, Score, TurnBased};

impl<G: TurnBased, H: HookSet<G>> Worker<'_, G, H> {
    #[inline]
    pub(super) fn quiesces(&self) -> bool {
        self.hooks.quiesce().is_active() && self.settings.quiescence_depth > 0
    }

    /// Searches noisy moves below the horizon until the position is quiet.
    pub(super) fn noisy(
        &mut self,
        position: &G,
        player: Player,
        alpha: Score,
        beta: Score,
        ply: u32,
        deep: u32,
    ) -> Score {
        let mut alpha = alpha;
        let mut best = Score::MIN;
        let mut moves = G::Moves::default();
        if self.hooks.evaluate().can_judge(position) {
            if deep >= self.settings.quiescence_depth {
                return self.evaluate(position, player);
            }
            self.hooks.quiesce().noisy_moves(position, player, &mut moves);
            if moves.as_ref().is_empty() {
                return self.evaluate(position, player);
            }
            if self.hooks.quiesce().may_pass(position, player) {
                best = self.evaluate(position, player);
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        } else {
            // Half a turn is never left standing: whatever the other player can answer is looked at.
            moves = searched_moves(self.hooks.prune(), position, player);
        }
        let frame = Frame { alpha, beta, depth: 0, ply, extended: 0, previous: None };
        let mut picker = self.order_by_all(position, player, moves.as_ref(), None, &frame, Learning::NOTHING);
        while let Some(place) = picker.next(&mut self.words) {
            let mv = moves.as_ref()[place];
            let next = position.after(mv);
            self.stats.nodes += 1;
            self.stats.quiescence_nodes += 1;
            if self.budget.must_stop(self.stats.nodes) {
                return best;
            }
            let mover = next.to_move();
            let score = if let Some(end) = next.end() {
                self.settings.ends.score(&next, end, player, ply + 1)
            } else if mover == player {
                self.noisy(&next, mover, alpha, beta, ply + 1, deep + 1)
            } else {
                -self.noisy(&next, mover, -beta, -alpha, ply + 1, deep + 1)
            };
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        picker.close(&mut self.words);
        best
    }
}
