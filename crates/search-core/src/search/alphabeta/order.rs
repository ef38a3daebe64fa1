//! A node's moves in order, and what is learned when one of them was too good.

use super::history::Learning;
use super::node::{Frame, Worker};
use super::picker::{Picker, Ranks};
use crate::{HookSet, Order, Player, TurnBased};

impl<G: TurnBased, H: HookSet<G>> Worker<'_, G, H> {
    /// The moves of a node, the most promising first; the table's move leads, wherever it came from.
    #[inline]
    pub(super) fn order(
        &mut self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        table_move: Option<usize>,
        frame: &Frame<G::Move>,
    ) -> Picker {
        let ranked = self.hooks.order().is_active() && frame.depth >= self.settings.order_from;
        let learning = self.learning;
        if ranked || learning.classes() || !learning.counts() {
            return self.order_by_all(position, player, moves, table_move, frame, learning);
        }
        let counts = self.memory.counts(learning, player, frame.previous);
        let list = moves.iter().enumerate();
        let list = list.map(|(place, &mv)| Picker::plain_word(counts.promise(mv), place));
        Picker::ordered(&mut self.words, list, table_move)
    }

    /// The same with the user's order, killers and counter-moves.
    pub(super) fn order_by_all(
        &mut self,
        position: &G,
        player: Player,
        moves: &[G::Move],
        table_move: Option<usize>,
        frame: &Frame<G::Move>,
        learning: Learning,
    ) -> Picker {
        let ranked = self.hooks.order().is_active() && frame.depth >= self.settings.order_from;
        if !ranked && !learning.classes() && !learning.counts() && table_move.is_none() {
            return Picker::unordered(&mut self.words, moves.len());
        }
        let hints = self.memory.hints(learning, frame.ply, player, frame.previous);
        let list = moves.iter().enumerate();
        if !ranked {
            let list = list.map(|(place, &mv)| Picker::plain_word(hints.promise(mv), place));
            return Picker::ordered(&mut self.words, list, table_move);
        }
        let mut ranks = Ranks::new();
        ranks.resize(moves.len(), 0);
        self.hooks.order().rank_all(position, player, moves, &mut ranks);
        let first = self.settings.order_first;
        let list =
            list.zip(&ranks).map(|((place, &mv), &rank)| Picker::word(rank, hints.promise(mv), first, place));
        Picker::ordered(&mut self.words, list, table_move)
    }

    /// Notes that a move was too good: the last one that the picker handed out.
    #[inline]
    pub(super) fn cut(
        &mut self,
        player: Player,
        moves: &[G::Move],
        picker: &Picker,
        mv: G::Move,
        frame: &Frame<G::Move>,
    ) {
        let tried = picker.tried(&self.words);
        self.stats.cutoffs += 1;
        self.stats.first_move_cutoffs += u64::from(tried.len() == 0);
        // A move that was put off was handed out before others.
        let tried = tried.map(|place| moves[place]).filter(|&other| other != mv);
        self.memory.reward(self.learning, (frame.ply, frame.depth), player, frame.previous, mv, tried);
    }
}
