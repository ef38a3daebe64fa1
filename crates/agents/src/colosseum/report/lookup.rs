//! The look-up table that the report proposes: game states that came up before, with what the search found there.

use std::collections::HashMap;

use ahash::RandomState;
use colosseum::Move;
use search_core::Bound;

/// As many states as the table takes; later ones are not entered. At most 100 MB, a fifth of what the contest allowed.
const MOST: usize = 1 << 21;

/// What a search found in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    depth: u32,
    value: i32,
    bound: Bound,
    /// The best move, if there was one.
    pub mv: Option<Move>,
}

impl Seen {
    /// The result of a search of this depth with this window.
    pub fn new(depth: u32, value: i32, mv: Option<Move>, alpha: i32, beta: i32) -> Seen {
        let bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        Seen { depth, value, bound, mv }
    }

    /// The value and the move, if they decide a search of this depth with this window.
    pub fn answers(&self, depth: u32, alpha: i32, beta: i32) -> Option<(i32, Option<Move>)> {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        (decides && self.depth == depth).then_some((self.value, self.mv))
    }
}

/// The table. It holds the states of one move of a game.
#[derive(Debug)]
pub struct Lookup {
    states: HashMap<u64, Seen, RandomState>,
}

impl Default for Lookup {
    fn default() -> Self {
        // Only looked up, never walked through, so the seeds decide nothing.
        Lookup { states: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)) }
    }
}

impl Lookup {
    /// What is known of the state with this key.
    pub fn get(&self, key: u64) -> Option<Seen> {
        self.states.get(&key).copied()
    }

    /// Enters what was found; a later search of the same state replaces it.
    pub fn enter(&mut self, key: u64, seen: Seen) {
        if self.states.len() < MOST || self.states.contains_key(&key) {
            self.states.insert(key, seen);
        }
    }

    /// The number of states in it.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::MoveChoice;
    use super::super::search::{Negamax, Rules};
    use super::*;
    use colosseum::{Edition, Position, Setup};
    use search_core::{Game, TurnBased, stream};

    /// Positions of random games on boards of 4 and 5.
    fn positions() -> Vec<Position> {
        let mut found = Vec::new();
        for seed in 0..12 {
            let setup = Setup::new(4 + (seed % 2) as u8, Edition::default()).expect("a size in range");
            let mut rng = stream(seed, "positions");
            let mut position = Position::initial(&setup, seed);
            while !position.is_over() {
                found.push(position);
                let Some(mv) = position.sample(position.to_move(), &mut rng) else { break };
                position.play(mv);
            }
        }
        found
    }

    #[test]
    fn the_table_and_the_window_leave_the_value_as_it_is() {
        let (mut plain, mut saved, mut narrowed) = (0, 0, 0);
        for position in positions() {
            for moves in [MoveChoice::Tree, MoveChoice::All] {
                let rules = Rules { moves, ..Rules::default() };
                let mut never = |_| false;
                let mut search = Negamax::new(rules, &mut never);
                let (value, _) = search.root(&position, 3).expect("not interrupted");
                plain += search.counts.nodes;

                let mut lookup = Lookup::default();
                for depth in 1..=3 {
                    let mut never = |_| false;
                    let mut search = Negamax::new(rules, &mut never).with_lookup(Some(&mut lookup));
                    let (again, mv) = search.root(&position, depth).expect("not interrupted");
                    if depth == 3 {
                        saved += search.counts.nodes;
                        assert_eq!(again, value, "{position} {moves:?}");
                        assert!(mv.is_none_or(|mv| position.is_legal(position.to_move(), mv)));
                    }
                }
                for expected in [value, value.saturating_add(7), value.saturating_sub(7), 0] {
                    let mut never = |_| false;
                    let mut search = Negamax::new(rules, &mut never);
                    let (again, _) = search.root_near(&position, 3, expected, 3).expect("not interrupted");
                    assert_eq!(again, value, "{position} {moves:?} from {expected}");
                    narrowed += u64::from(expected == value) * search.counts.nodes;
                }
            }
        }
        assert!(saved < plain, "{saved} {plain}");
        assert!(narrowed < plain, "{narrowed} {plain}");
    }

    #[test]
    fn an_entry_answers_only_its_own_depth_and_window() {
        let seen = |value| Seen::new(2, value, None, -5, 5);
        assert_eq!(seen(3).answers(2, -100, 100), Some((3, None)));
        assert_eq!(seen(3).answers(3, -100, 100), None);
        assert_eq!(seen(7).answers(2, -100, 100), None);
        assert_eq!(seen(7).answers(2, -100, 6), Some((7, None)));
        assert_eq!(seen(-7).answers(2, -6, 100), Some((-7, None)));
        assert_eq!(seen(-7).answers(2, -8, 100), None);
    }
}
