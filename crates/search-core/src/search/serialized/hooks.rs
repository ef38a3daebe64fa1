//! The hooks of a simultaneous game carried over to its serialized form.

use crate::{
    Evaluate, Extend, Hooks, Order, Player, Prune, Quiesce, Rollout, Score, SearchRng, Serialized,
    Simultaneous,
};

/// A hook of a simultaneous game, used on its [`Serialized`] form: moves are ranked and left out by the position before
/// the turn, and nothing is judged while a move is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Serially<H>(pub H);

impl<G: Simultaneous, E: Evaluate<G>> Evaluate<Serialized<G>> for Serially<E> {
    #[inline]
    fn evaluate(&self, position: &Serialized<G>, player: Player) -> Score {
        self.0.evaluate(position.game(), player)
    }

    #[inline]
    fn can_judge(&self, position: &Serialized<G>) -> bool {
        position.pending().is_none() && self.0.can_judge(position.game())
    }
}

impl<G: Simultaneous, O: Order<G>> Order<Serialized<G>> for Serially<O> {
    #[inline]
    fn rank(&self, position: &Serialized<G>, player: Player, mv: G::Move) -> i32 {
        self.0.rank(position.game(), player, mv)
    }

    #[inline]
    fn rank_all(&self, position: &Serialized<G>, player: Player, moves: &[G::Move], ranks: &mut [i32]) {
        self.0.rank_all(position.game(), player, moves, ranks);
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

impl<G: Simultaneous, Q: Quiesce<G>> Quiesce<Serialized<G>> for Serially<Q> {
    #[inline]
    fn noisy_moves(&self, position: &Serialized<G>, player: Player, moves: &mut G::Moves) {
        self.0.noisy_moves(position.game(), player, moves);
    }

    #[inline]
    fn may_pass(&self, position: &Serialized<G>, player: Player) -> bool {
        self.0.may_pass(position.game(), player)
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

impl<G: Simultaneous, P: Prune<G>> Prune<Serialized<G>> for Serially<P> {
    #[inline]
    fn keeps(&self, position: &Serialized<G>, player: Player, mv: G::Move) -> bool {
        self.0.keeps(position.game(), player, mv)
    }

    #[inline]
    fn candidates(&self, position: &Serialized<G>, player: Player, moves: &mut G::Moves) {
        self.0.candidates(position.game(), player, moves);
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

impl<G: Simultaneous, X: Extend<G>> Extend<Serialized<G>> for Serially<X> {
    /// Only whole turns are extended, by two plies for each of the inner hook's.
    #[inline]
    fn extension(&self, position: &Serialized<G>, mv: G::Move, next: &Serialized<G>, depth: u32) -> u32 {
        if position.pending().is_none() {
            return 0;
        }
        2 * self.0.extension(position.game(), mv, next.game(), depth)
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

impl<G: Simultaneous, R: Rollout<G>> Rollout<Serialized<G>> for Serially<R> {
    #[inline]
    fn choose(&self, position: &Serialized<G>, player: Player, rng: &mut SearchRng) -> Option<G::Move> {
        self.0.choose(position.game(), player, rng)
    }
}

impl<E, O, Q, P, X, R> Hooks<E, O, Q, P, X, R> {
    /// The same hooks for the [`Serialized`] form of the game.
    #[expect(clippy::type_complexity, reason = "every hook in its wrapper: nobody has to write this type")]
    pub fn serially(
        self,
    ) -> Hooks<Serially<E>, Serially<O>, Serially<Q>, Serially<P>, Serially<X>, Serially<R>> {
        Hooks {
            evaluate: Serially(self.evaluate),
            order: Serially(self.order),
            quiesce: Serially(self.quiesce),
            prune: Serially(self.prune),
            extend: Serially(self.extend),
            rollout: Serially(self.rollout),
        }
    }
}
