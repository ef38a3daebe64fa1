//! What an exact search may know of a game, all of it proven.

use std::fmt::Debug;

use crate::{MoveSink, Player, Score, TurnBased, split_mix};

/// What is known of a position before any of its moves is tried: the true score lies between the two, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The mover gets this at least.
    pub lower: Score,
    /// The mover gets this at most.
    pub upper: Score,
}

impl Known {
    /// Nothing is known.
    pub const NOTHING: Known = Known { lower: Score::MIN, upper: Score::MAX };

    /// The score itself is known.
    #[inline]
    pub const fn exactly(score: Score) -> Known {
        Known { lower: score, upper: score }
    }
}

/// What a [`Solver`](crate::Solver) may know of a game. Everything has a default that costs nothing.
///
/// Unlike the hooks of the heuristic searches everything here has to be *true*: bounds that hold, moves left out only where that
/// cannot change the score. So what a solver finds is a proof whatever its insight.
pub trait Insight<G: TurnBased>: Send + Sync {
    /// What [`Insight::study`] hands on from a position to one after a move, so that it is not found out twice; `()` where that is
    /// nothing.
    type Passed: Copy + Default + Debug + Send;

    /// How many of the low bits of [`Insight::key`] are used, from 1 to 64. Where keys are short and distinct, an entry of the
    /// table takes eight bytes instead of sixteen.
    const KEY_BITS: u32 = 64;

    /// No game that is solved lasts longer than this many plies, counted from the position put to the solver. A longer line is
    /// found out, and left unsolved.
    const LONGEST: u32 = 1000;

    /// The largest payoff, where games are solved for their payoffs: [`Game::utility`](crate::Game::utility) lies within plus and
    /// minus this, and so does what is left of it beside [`Insight::banked`].
    const PAYOFF: u32 = 0;

    /// Whether moves of equal rank are tried in the order of what has helped elsewhere. `false` where the order in which
    /// [`Insight::study`] lists them is better.
    const LEARNS: bool = true;

    /// Whether [`Insight::study`] knows the score wherever a move ends the game, so that no move it lists does.
    const SEES_ENDS: bool = false;

    /// The key of an unfinished position in the table. Positions that mirror each other may share one, and have the same score then.
    #[inline]
    fn key(&self, position: &G) -> u64 {
        position.key()
    }

    /// What the mover has of the payoff already, whatever comes: the table keeps the rest, so that positions which differ in this
    /// alone may share a [key](Insight::key). Asked only where games are solved for their payoffs.
    #[inline]
    fn banked(&self, position: &G) -> i32 {
        let _ = position;
        0
    }

    /// Bounds that are seen at a glance, before the table is asked for the position or it is [studied](Insight::study).
    #[inline]
    fn glance(&self, position: &G) -> Known {
        let _ = position;
        Known::NOTHING
    }

    /// Bounds of the score of an unfinished position, from what can be seen without searching: "nobody can win any more", a pairing
    /// strategy, what is left to capture. Scores count from this position: `win_in(1)` is a win with this move.
    ///
    /// Puts the moves worth trying into `moves`, each with a rank: larger ranks are tried first, equal ones by
    /// [`Insight::LEARNS`]. A move may be left out if it is sure that another one listed is at least as good (moves that lose at once,
    /// when others do not; moves that do not parry the only threat), or if the score is known anyway.
    ///
    /// `passed` is what was handed on with the move that led here; `None` if no move did, or that move was not listed by a study.
    #[inline]
    fn study(
        &self,
        position: &G,
        passed: Option<Self::Passed>,
        moves: &mut RankedMoves<G::Move, Self::Passed>,
    ) -> Known {
        let _ = passed;
        position.moves_of(position.to_move(), &mut Unranked(moves));
        Known::NOTHING
    }
}

/// A move worth trying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedMove<M, P = ()> {
    /// The move.
    pub mv: M,
    /// Larger ranks are tried first.
    pub rank: i32,
    /// What the study of the position after it may know ([`Insight::Passed`]).
    pub passed: P,
    /// Whether the study of the position after it lists one move at most: the table is not asked for it, since it does not know it.
    pub forced: bool,
}

/// Moves with their ranks.
pub type RankedMoves<M, P = ()> = Vec<RankedMove<M, P>>;

/// Takes moves without a rank.
struct Unranked<'a, M: Copy, P>(&'a mut RankedMoves<M, P>);

impl<M: Copy, P: Copy + Default> MoveSink<M> for Unranked<'_, M, P> {
    #[inline]
    fn push(&mut self, mv: M) {
        self.0.push(RankedMove { mv, rank: 0, passed: P::default(), forced: false });
    }
}

/// Nothing but the rules of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RulesOnly;

impl<G: TurnBased> Insight<G> for RulesOnly {
    type Passed = ();

    #[inline]
    fn glance(&self, position: &G) -> Known {
        match position.winning_move() {
            Some(_) => Known::exactly(Score::win_in(1)),
            None => Known::NOTHING,
        }
    }
}

/// Nothing but the rules, looked at two plies ahead: moves that leave the opponent no reply without a win with one move for us win,
/// and those that leave few such replies are tried first. Pays where a game can be won suddenly and sees it at a glance
/// ([`TurnBased::winning_move`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Foresight;

impl Foresight {
    /// After how many replies of the opponent the player `mover` has no win with one move.
    #[inline]
    fn safe_replies<G: TurnBased>(mover: Player, next: &G) -> usize {
        let replies = next.move_list(next.to_move());
        let is_safe = |&&reply: &&G::Move| {
            let after = next.after(reply);
            after.end().is_some() || after.to_move() != mover || after.winning_move().is_none()
        };
        replies.as_ref().iter().filter(is_safe).count()
    }
}

impl<G: TurnBased> Insight<G> for Foresight {
    type Passed = ();

    #[inline]
    fn glance(&self, position: &G) -> Known {
        Insight::<G>::glance(&RulesOnly, position)
    }

    fn study(&self, position: &G, _: Option<()>, moves: &mut RankedMoves<G::Move>) -> Known {
        let mut list = |mv, rank| moves.push(RankedMove { mv, rank, passed: (), forced: false });
        // Nobody glanced at the position that is put to the solver.
        if position.winning_move().is_some() {
            return Known::exactly(Score::win_in(1));
        }
        let mover = position.to_move();
        let mut known = Known::NOTHING;
        for &mv in position.move_list(mover).as_ref() {
            // Where a player can lose by their own move, another move may still win sooner: all are listed.
            if known.lower.is_win() {
                list(mv, 0);
                continue;
            }
            let next = position.after(mv);
            // What ends the game, goes on with the same player, or lets the opponent win, is judged elsewhere.
            if next.to_move() == mover || next.end().is_some() || next.winning_move().is_some() {
                list(mv, 0);
                continue;
            }
            let safe = Foresight::safe_replies(mover, &next);
            if safe == 0 {
                known.lower = Score::win_in(3);
            }
            list(mv, if safe == 0 { 1 } else { -(safe as i32) });
        }
        known
    }
}

/// Nothing but the rules, for a game whose payoffs lie within plus and minus `LARGEST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Payoffs<const LARGEST: u32>;

impl<G: TurnBased, const LARGEST: u32> Insight<G> for Payoffs<LARGEST> {
    type Passed = ();

    const PAYOFF: u32 = LARGEST;
}

/// The key under which the table knows a position.
#[inline]
pub(super) fn table_key<G: TurnBased, I: Insight<G>>(insight: &I, position: &G) -> u64 {
    let key = insight.key(position);
    match position.turns_left() {
        // The score depends on how far the cap is, which keys leave out.
        Some(left) => split_mix(key ^ split_mix(u64::from(left))),
        None => key,
    }
}
