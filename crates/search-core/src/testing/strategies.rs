//! Strategies for property tests: positions that a game can really reach, shrinking to a short list of moves.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Active, Game, Turn, turn_text};

/// A game played at random from a start, as far as it went: what a strategy yields. Its `Debug` form is the start, the
/// moves and the position they lead to, short enough to copy into a test.
#[derive(Clone)]
pub struct Walk<G: Game> {
    positions: Vec<G>,
    turns: Vec<G::Turn>,
    panicked: bool,
}

impl<G: Game> Walk<G> {
    /// Plays from `start`: each number chooses one of the legal turns, until they are used up or the game is over.
    pub fn new(start: G, choices: &[u64]) -> Walk<G> {
        let mut walk = Walk { positions: vec![start], turns: Vec::new(), panicked: false };
        for &choice in choices {
            // A game that panics is reported as a walk that goes no further, because proptest shrinks a failing test
            // but not a panic inside a strategy.
            match catch_unwind(AssertUnwindSafe(|| step(walk.last(), choice))) {
                Ok(Some((turn, next))) => {
                    walk.turns.push(turn);
                    walk.positions.push(next);
                }
                Ok(None) => break,
                Err(_) => {
                    walk.panicked = true;
                    break;
                }
            }
        }
        walk
    }

    /// Whether the game panicked while it generated or played the turn that would have come next.
    pub fn panicked(&self) -> bool {
        self.panicked
    }

    /// All positions, the start first.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The turns between them.
    pub fn turns(&self) -> &[G::Turn] {
        &self.turns
    }

    /// Where the walk started.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// Where the walk ended.
    pub fn last(&self) -> &G {
        // The start is put in first and nothing is ever taken out.
        &self.positions[self.positions.len() - 1]
    }

    /// The turns as text, in order.
    pub fn turn_texts(&self) -> Vec<String> {
        let texts = self.positions.iter().zip(&self.turns);
        texts.map(|(position, &turn)| turn_text::<G>(position.active(), turn)).collect()
    }
}

impl<G: Game> fmt::Debug for Walk<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "start `{}`, moves [{}], reached `{}`",
            self.start(),
            self.turn_texts().join(", "),
            self.last()
        )
    }
}

/// The turn that a number chooses and where it leads; `None` if the game is over.
fn step<G: Game>(position: &G, choice: u64) -> Option<(G::Turn, G)> {
    if position.end().is_some() {
        return None;
    }
    let turn = nth_turn(position, choice)?;
    let mut next = position.clone();
    next.play_turn(turn);
    Some((turn, next))
}

/// The legal turn that a number chooses: the low half for the first active player, the high half for the second.
fn nth_turn<G: Game>(position: &G, choice: u64) -> Option<G::Turn> {
    let active = position.active();
    let mut moves = [None, None];
    let mut number = choice;
    for player in active.players() {
        let count = position.move_count(player) as u64;
        if count == 0 {
            return None;
        }
        moves[player.index()] = position.nth_move(player, ((number & 0xffff_ffff) % count) as usize);
        if active == Active::Both {
            number >>= 32;
        }
    }
    G::Turn::from_moves(active, moves)
}

/// Start positions of the default set-up, for all seeds.
pub fn starts<G: Game>() -> impl Strategy<Value = G> {
    any::<u64>().prop_map(|seed| G::initial(&G::Setup::default(), seed))
}

/// Random games of up to `turns` turns from the starts of the default set-up.
///
/// ```
/// # use search_core::{Game, strategies::walks};
/// # use proptest::prelude::*;
/// # fn test<G: Game>() {
/// proptest!(|(walk in walks::<G>(20))| {
///     prop_assert!(walk.turns().len() <= 20);
/// });
/// # }
/// ```
pub fn walks<G: Game>(turns: usize) -> impl Strategy<Value = Walk<G>> {
    walks_from(starts::<G>(), turns)
}

/// Random games of up to `turns` turns from the starts that a strategy yields. Shrinks to fewer turns first, then to
/// earlier moves of the generator's order.
pub fn walks_from<G: Game>(starts: impl Strategy<Value = G>, turns: usize) -> impl Strategy<Value = Walk<G>> {
    (starts, vec(any::<u64>(), 0..=turns)).prop_map(|(start, choices)| Walk::new(start, &choices))
}

/// Positions that are reached within `turns` random turns, finished ones included.
pub fn positions<G: Game>(turns: usize) -> impl Strategy<Value = G> {
    walks::<G>(turns).prop_map(|walk| walk.last().clone())
}
