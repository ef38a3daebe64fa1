//! Strategies for property tests: positions that a game can really reach, shrinking to a short list of moves.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Active, Game, Player, Turn, quietly, turn_text};

/// A game played at random from a start, as far as it went: what a strategy yields. Its `Debug` form is the start, the
/// moves and the position they lead to, short enough to copy into a test.
#[derive(Clone)]
pub struct Walk<G: Game> {
    positions: Vec<G>,
    turns: Vec<G::Turn>,
    panic: Option<Panic<G>>,
}

/// Why a walk could not go on.
#[derive(Clone)]
struct Panic<G: Game> {
    /// The turn that was being played; `None` if the moves were being generated.
    turn: Option<G::Turn>,
    message: String,
}

impl<G: Game> Walk<G> {
    /// Plays from `start`: each number chooses one of the legal turns, until they are used up or the game is over.
    pub fn new(start: G, choices: &[u64]) -> Walk<G> {
        let mut walk = Walk { positions: vec![start], turns: Vec::new(), panic: None };
        for &choice in choices {
            // A game that panics is reported as a walk that goes no further, because proptest shrinks a failing test
            // but not a panic inside a strategy.
            match quietly(|| chosen_turn(walk.last(), choice)) {
                Ok(Some(turn)) => walk.step(turn),
                Ok(None) => break,
                Err(message) => walk.panic = Some(Panic { turn: None, message }),
            }
            if walk.panic.is_some() {
                return walk;
            }
        }
        walk.look();
        walk
    }

    /// Plays these turns from `start`, as far as nothing panics. `None` if one of them is not legal where it comes.
    pub fn replay(start: G, turns: &[G::Turn]) -> Option<Walk<G>> {
        let mut walk = Walk { positions: vec![start], turns: Vec::new(), panic: None };
        for &turn in turns {
            match quietly(|| is_legal_turn(walk.last(), turn)) {
                Ok(true) => walk.step(turn),
                Ok(false) => return None,
                Err(message) => walk.panic = Some(Panic { turn: None, message }),
            }
            if walk.panic.is_some() {
                return Some(walk);
            }
        }
        walk.look();
        Some(walk)
    }

    /// Generates the moves at the end of the walk, to see whether that panics.
    fn look(&mut self) {
        let looked = quietly(|| {
            let counts = Player::BOTH.map(|player| self.last().move_list(player).as_ref().len());
            (self.last().end(), counts)
        });
        if let Err(message) = looked {
            self.panic = Some(Panic { turn: None, message });
        }
    }

    /// Plays a legal turn.
    fn step(&mut self, turn: G::Turn) {
        let played = quietly(|| {
            let mut next = self.last().clone();
            next.play_turn(turn);
            next
        });
        match played {
            Ok(next) => {
                self.turns.push(turn);
                self.positions.push(next);
            }
            Err(message) => self.panic = Some(Panic { turn: Some(turn), message }),
        }
    }

    /// What the game was doing when it panicked, and the panic's message; `None` if it did not.
    pub fn panicked(&self) -> Option<String> {
        let Panic { turn, message } = self.panic.as_ref()?;
        let active = self.last().active();
        let doing = turn.map_or("generating the moves".to_owned(), |turn| {
            format!("playing the legal turn `{}`", turn_text::<G>(active, turn))
        });
        Some(format!("{doing} panics: {message}"))
    }

    /// All turns that were tried: those played, and the one that panicked.
    pub(super) fn tried(&self) -> Vec<G::Turn> {
        self.turns.iter().copied().chain(self.panic.as_ref().and_then(|panic| panic.turn)).collect()
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
        if self.turns.is_empty() {
            return write!(f, "start `{}`, no moves", self.start());
        }
        write!(
            f,
            "start `{}`, moves [{}], reached `{}`",
            self.start(),
            self.turn_texts().join(", "),
            self.last()
        )
    }
}

/// The turn that a number chooses; `None` if the game is over.
fn chosen_turn<G: Game>(position: &G, choice: u64) -> Option<G::Turn> {
    if position.end().is_some() { None } else { nth_turn(position, choice) }
}

/// Whether the lists of moves hold every move of a turn. (What `is_legal` says is itself under test.)
fn is_legal_turn<G: Game>(position: &G, turn: G::Turn) -> bool {
    let active = position.active();
    position.end().is_none()
        && active.players().all(|player| {
            turn.move_of(active, player).is_some_and(|mv| position.move_list(player).as_ref().contains(&mv))
        })
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
/// earlier moves of the generator's order. (The laws shrink harder: see [`Laws::check_one`](crate::laws::Laws::check_one).)
pub fn walks_from<G: Game>(starts: impl Strategy<Value = G>, turns: usize) -> impl Strategy<Value = Walk<G>> {
    (starts, vec(any::<u64>(), 0..=turns)).prop_map(|(start, choices)| Walk::new(start, &choices))
}

/// Positions that are reached within `turns` random turns, finished ones included.
pub fn positions<G: Game>(turns: usize) -> impl Strategy<Value = G> {
    walks::<G>(turns).prop_map(|walk| walk.last().clone())
}
