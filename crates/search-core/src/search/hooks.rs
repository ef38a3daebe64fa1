//! What a searcher may know about a game: small traits, each with a default that costs nothing.
//!
//! A search takes one [`Hooks`] bundle. Only the evaluation has to be written; everything else has a default that the
//! compiler removes.
//!
//! ```
//! use search_core::{Hooks, NoQuiesce, Score};
//! # use search_core::{Player, Evaluate};
//! // Any closure from position and player to score is an evaluation.
//! let hooks = Hooks::new(|_position: &u8, _player: Player| Score::DRAW);
//! let hooks = hooks.with_quiesce(NoQuiesce);
//! # let _ = hooks;
//! ```

use std::fmt;
use std::marker::PhantomData;

use crate::{Filter, Game, MoveList, Player, Score, SearchRng, TurnBased};

/// Judges unfinished positions.
///
/// Any `Fn(&G, Player) -> Score` is one: a function, a closure whose types are written, or an [`EvaluateBy`] of a closure without
/// types. The value lies strictly within ±[`Score::BOUND`] (use [`Score::new`]); the
/// evaluation for one player must be the negative of the one for the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not evaluate positions of `{G}`",
    note = "a closure is an evaluation if its types are written: `|position: &MyGame, player: Player| Score::new(..)`",
    note = "`EvaluateBy::<MyGame, _>::new(|position, player| ..)` takes a closure without types"
)]
pub trait Evaluate<G>: Send + Sync {
    /// The value of an unfinished position, seen from the side of `player` (no matter which side is to move).
    fn evaluate(&self, position: &G, player: Player) -> Score;

    /// Whether a search may stop here and ask for the value. Where it answers `false` the search goes one ply deeper,
    /// whatever its depth: needed where a ply is half a turn.
    #[inline]
    fn can_judge(&self, position: &G) -> bool {
        let _ = position;
        true
    }
}

impl<G, F: Fn(&G, Player) -> Score + Send + Sync> Evaluate<G> for F {
    #[inline]
    fn evaluate(&self, position: &G, player: Player) -> Score {
        self(position, player)
    }
}

/// A closure as an evaluation of `G`: the types of its arguments follow from `G` and need not be written.
///
/// ```
/// use search_core::{EvaluateBy, Hooks, Score};
/// # struct MyGame { stones: i32 }
/// let hooks = Hooks::new(EvaluateBy::<MyGame, _>::new(|position, _player| Score::new(position.stones)));
/// # let _ = hooks;
/// ```
///
/// The bare closure would need them:
///
/// ```compile_fail
/// use search_core::{Evaluate, Score};
/// # struct MyGame { stones: i32 }
/// fn search<G>(evaluation: impl Evaluate<G>) {}
/// search::<MyGame>(|position, _player| Score::new(position.stones));
/// ```
#[derive(Clone, Copy)]
pub struct EvaluateBy<G, F> {
    function: F,
    game: PhantomData<fn(&G)>,
}

impl<G, F: Fn(&G, Player) -> Score + Send + Sync> EvaluateBy<G, F> {
    /// An evaluation that asks `function`.
    pub fn new(function: F) -> Self {
        EvaluateBy { function, game: PhantomData }
    }
}

impl<G, F> fmt::Debug for EvaluateBy<G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluateBy").finish_non_exhaustive()
    }
}

impl<G, F: Fn(&G, Player) -> Score + Send + Sync> Evaluate<G> for EvaluateBy<G, F> {
    #[inline]
    fn evaluate(&self, position: &G, player: Player) -> Score {
        (self.function)(position, player)
    }
}

/// Every unfinished position is worth nothing: for exact solving, and for Monte Carlo searches that never ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Zero;

impl<G> Evaluate<G> for Zero {
    #[inline]
    fn evaluate(&self, _: &G, _: Player) -> Score {
        Score::DRAW
    }
}

/// Says which moves are worth searching first.
pub trait Order<G: Game>: Send + Sync {
    /// Ranks a move of `player`; larger ranks are searched first, equal ranks stay in the generator's order.
    fn rank(&self, position: &G, player: Player, mv: G::Move) -> i32;

    /// Ranks a whole list; override it where something has to be computed once per position. `ranks` has the length
    /// of `moves` and holds zeros.
    #[inline]
    fn rank_all(&self, position: &G, player: Player, moves: &[G::Move], ranks: &mut [i32]) {
        for (rank, &mv) in ranks.iter_mut().zip(moves) {
            *rank = self.rank(position, player, mv);
        }
    }

    /// `false` if this order ranks nothing and need not be asked.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}

/// Ranks moves by what an evaluation says about the positions after them: no other knowledge of the game is needed. Pays
/// at nodes with some depth left (`AlphaBetaSettings::order_from`), for every move is played and judged once more.
///
/// ```
/// use search_core::{ByEvaluation, Hooks, Zero};
/// let hooks = Hooks::new(Zero).with_order(ByEvaluation(Zero));
/// # let _ = hooks;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByEvaluation<E>(pub E);

impl<G: TurnBased, E: Evaluate<G>> Order<G> for ByEvaluation<E> {
    #[inline]
    fn rank(&self, position: &G, player: Player, mv: G::Move) -> i32 {
        let next = position.after(mv);
        match next.end() {
            Some(end) => Score::of_outcome(end.outcome, player, 0).value(),
            None if self.0.can_judge(&next) => self.0.evaluate(&next, player).value(),
            None => 0,
        }
    }
}

/// Moves stay in the generator's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoOrder;

impl<G: Game> Order<G> for NoOrder {
    #[inline]
    fn rank(&self, _: &G, _: Player, _: G::Move) -> i32 {
        0
    }

    #[inline]
    fn is_active(&self) -> bool {
        false
    }
}

/// Names the moves that a leaf must not be judged before: captures, explosions, threats.
pub trait Quiesce<G: Game>: Send + Sync {
    /// Puts the noisy moves of `player` (a part of the legal ones) into `moves`; none means the position is quiet.
    fn noisy_moves(&self, position: &G, player: Player, moves: &mut G::Moves);

    /// Whether `player` may also leave all noisy moves alone and take the static value. `false` where a noisy move is
    /// forced.
    #[inline]
    fn may_pass(&self, position: &G, player: Player) -> bool {
        let _ = (position, player);
        true
    }

    /// `false` if there are never noisy moves.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}

/// Leaves are judged as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoQuiesce;

impl<G: Game> Quiesce<G> for NoQuiesce {
    #[inline]
    fn noisy_moves(&self, _: &G, _: Player, _: &mut G::Moves) {}

    #[inline]
    fn is_active(&self) -> bool {
        false
    }
}

/// Leaves moves out of the search: those that can never be good, or all but a promising few.
///
/// A position where every move would be left out keeps them all. What is left out is never searched, so a result
/// found with an active `Prune` is not a proof unless the moves left out are truly bad.
pub trait Prune<G: Game>: Send + Sync {
    /// Whether `mv` is worth searching.
    fn keeps(&self, position: &G, player: Player, mv: G::Move) -> bool;

    /// Puts the moves worth searching into `moves`. Override it where a whole list is cheaper to make than to filter.
    #[inline]
    fn candidates(&self, position: &G, player: Player, moves: &mut G::Moves) {
        position.moves_of(player, &mut Filter::new(moves, |&mv: &G::Move| self.keeps(position, player, mv)));
    }

    /// `false` if all moves are always kept.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}

/// Every legal move is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoPrune;

impl<G: Game> Prune<G> for NoPrune {
    #[inline]
    fn keeps(&self, _: &G, _: Player, _: G::Move) -> bool {
        true
    }

    #[inline]
    fn is_active(&self) -> bool {
        false
    }
}

/// The moves a search looks at: the candidates of `prune`, or all moves if it is idle or keeps none.
#[inline]
pub(crate) fn searched_moves<G: Game, P: Prune<G>>(prune: &P, position: &G, player: Player) -> G::Moves {
    let mut moves = G::Moves::default();
    if prune.is_active() {
        prune.candidates(position, player, &mut moves);
        if !moves.as_ref().is_empty() {
            return moves;
        }
        MoveList::clear(&mut moves);
    }
    position.moves_of(player, &mut moves);
    moves
}

/// Makes some lines longer.
pub trait Extend<G: Game>: Send + Sync {
    /// By how many plies the search below `mv` goes deeper than usual; `next` is the position after it. A search
    /// bounds the sum over a line by the depth of its iteration.
    fn extension(&self, position: &G, mv: G::Move, next: &G, depth: u32) -> u32;

    /// `false` if nothing is ever extended.
    #[inline]
    fn is_active(&self) -> bool {
        true
    }
}

/// All lines have the same length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoExtend;

impl<G: Game> Extend<G> for NoExtend {
    #[inline]
    fn extension(&self, _: &G, _: G::Move, _: &G, _: u32) -> u32 {
        0
    }

    #[inline]
    fn is_active(&self) -> bool {
        false
    }
}

/// Chooses the moves of a playout.
pub trait Rollout<G: Game>: Send + Sync {
    /// A move of `player` in a playout; `None` if there is none. It must be legal.
    fn choose(&self, position: &G, player: Player, rng: &mut SearchRng) -> Option<G::Move>;

    /// `true` if it may be asked in a finished position too and gives `None` there: then the end is not looked for before
    /// every move of a playout.
    #[inline]
    fn knows_the_end(&self) -> bool {
        false
    }
}

/// Playouts draw every move uniformly among the legal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uniform;

impl<G: Game> Rollout<G> for Uniform {
    #[inline]
    fn choose(&self, position: &G, player: Player, rng: &mut SearchRng) -> Option<G::Move> {
        position.sample(player, rng)
    }

    /// A finished game has no moves: that is a law.
    #[inline]
    fn knows_the_end(&self) -> bool {
        true
    }
}

/// Playouts in which a player who can win at once does ("decisive moves"), and otherwise moves as another rule says.
///
/// Pays where a game sees a win with one move at a glance ([`TurnBased::winning_move`](crate::TurnBased::winning_move)), and costs
/// much where all moves have to be played for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decisive<R = Uniform> {
    /// How moves are chosen where none wins at once.
    pub otherwise: R,
    /// `false` to choose as `otherwise` does everywhere.
    pub active: bool,
}

impl<G: TurnBased, R: Rollout<G>> Rollout<G> for Decisive<R> {
    #[inline]
    fn choose(&self, position: &G, player: Player, rng: &mut SearchRng) -> Option<G::Move> {
        if self.active
            && player == position.to_move()
            && let Some(mv) = position.winning_move()
        {
            return Some(mv);
        }
        self.otherwise.choose(position, player, rng)
    }

    /// A finished game has no winning move either: that is a law.
    #[inline]
    fn knows_the_end(&self) -> bool {
        self.otherwise.knows_the_end()
    }
}

/// The hooks of a search in one bundle. Start with [`Hooks::new`] and replace what you know better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hooks<E = Zero, O = NoOrder, Q = NoQuiesce, P = NoPrune, X = NoExtend, R = Uniform> {
    /// Judges leaves.
    pub evaluate: E,
    /// Sorts moves.
    pub order: O,
    /// Names noisy moves.
    pub quiesce: Q,
    /// Leaves moves out.
    pub prune: P,
    /// Makes lines longer.
    pub extend: X,
    /// Plays out games.
    pub rollout: R,
}

impl<E> Hooks<E> {
    /// An evaluation, and nothing else.
    pub fn new(evaluate: E) -> Self {
        Hooks {
            evaluate,
            order: NoOrder,
            quiesce: NoQuiesce,
            prune: NoPrune,
            extend: NoExtend,
            rollout: Uniform,
        }
    }
}

impl<E, O, Q, P, X, R> Hooks<E, O, Q, P, X, R> {
    /// The same with another order of moves.
    pub fn with_order<T>(self, order: T) -> Hooks<E, T, Q, P, X, R> {
        let Hooks { evaluate, quiesce, prune, extend, rollout, .. } = self;
        Hooks { evaluate, order, quiesce, prune, extend, rollout }
    }

    /// The same with another quiescence.
    pub fn with_quiesce<T>(self, quiesce: T) -> Hooks<E, O, T, P, X, R> {
        let Hooks { evaluate, order, prune, extend, rollout, .. } = self;
        Hooks { evaluate, order, quiesce, prune, extend, rollout }
    }

    /// The same with another forward pruning.
    pub fn with_prune<T>(self, prune: T) -> Hooks<E, O, Q, T, X, R> {
        let Hooks { evaluate, order, quiesce, extend, rollout, .. } = self;
        Hooks { evaluate, order, quiesce, prune, extend, rollout }
    }

    /// The same with other extensions.
    pub fn with_extend<T>(self, extend: T) -> Hooks<E, O, Q, P, T, R> {
        let Hooks { evaluate, order, quiesce, prune, rollout, .. } = self;
        Hooks { evaluate, order, quiesce, prune, extend, rollout }
    }

    /// The same with other playouts.
    pub fn with_rollout<T>(self, rollout: T) -> Hooks<E, O, Q, P, X, T> {
        let Hooks { evaluate, order, quiesce, prune, extend, .. } = self;
        Hooks { evaluate, order, quiesce, prune, extend, rollout }
    }
}

/// The bundle of hooks as a bound of the searches: one name for seven. [`Hooks`] is the only one.
pub trait HookSet<G: Game>: sealed::Sealed + Send + Sync {
    /// Judges leaves.
    type Evaluate: Evaluate<G>;
    /// Sorts moves.
    type Order: Order<G>;
    /// Names noisy moves.
    type Quiesce: Quiesce<G>;
    /// Leaves moves out.
    type Prune: Prune<G>;
    /// Makes lines longer.
    type Extend: Extend<G>;
    /// Plays out games.
    type Rollout: Rollout<G>;

    /// The evaluation.
    fn evaluate(&self) -> &Self::Evaluate;
    /// The order of moves.
    fn order(&self) -> &Self::Order;
    /// The quiescence.
    fn quiesce(&self) -> &Self::Quiesce;
    /// The forward pruning.
    fn prune(&self) -> &Self::Prune;
    /// The extensions.
    fn extend(&self) -> &Self::Extend;
    /// The playouts.
    fn rollout(&self) -> &Self::Rollout;
}

mod sealed {
    pub trait Sealed {}
    impl<E, O, Q, P, X, R> Sealed for super::Hooks<E, O, Q, P, X, R> {}
}

impl<G, E, O, Q, P, X, R> HookSet<G> for Hooks<E, O, Q, P, X, R>
where
    G: Game,
    E: Evaluate<G>,
    O: Order<G>,
    Q: Quiesce<G>,
    P: Prune<G>,
    X: Extend<G>,
    R: Rollout<G>,
{
    type Evaluate = E;
    type Order = O;
    type Quiesce = Q;
    type Prune = P;
    type Extend = X;
    type Rollout = R;

    #[inline]
    fn evaluate(&self) -> &E {
        &self.evaluate
    }

    #[inline]
    fn order(&self) -> &O {
        &self.order
    }

    #[inline]
    fn quiesce(&self) -> &Q {
        &self.quiesce
    }

    #[inline]
    fn prune(&self) -> &P {
        &self.prune
    }

    #[inline]
    fn extend(&self) -> &X {
        &self.extend
    }

    #[inline]
    fn rollout(&self) -> &R {
        &self.rollout
    }
}
