//! Test sets of Connect Four: random positions by number of stones, for measuring solvers.

use std::collections::HashSet;

use search_core::{Game, SearchRng, TurnBased};

use crate::connect_four::{Column, ConnectFour};

/// The classes of the test sets, from easy to hard: how many stones lie on the board.
pub const CLASSES: [u32; 5] = [32, 26, 20, 16, 12];

/// How many positions of a class there are to be measured with.
pub const MEASURED: usize = 200;

/// How many more are kept apart, to be looked at once when all is done.
pub const KEPT_APART: usize = 50;

/// The seed of the test sets.
pub const SEED: u64 = 27;

/// A position of a test set with the moves that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPosition {
    /// The position.
    pub position: ConnectFour,
    /// The columns from 1, such as `4433`.
    pub moves: String,
}

/// The first `count` positions with this many stones: from games of random moves, none of which ends the game and after which the
/// player to move has no win with one move; no position twice, mirrored or not.
///
/// There are fewer only where the board has no more of them: `None` for more stones than 40 or if no more are found.
pub fn positions(stones: u32, count: usize, seed: u64) -> Option<Vec<TestPosition>> {
    let mut rng = SearchRng::new(seed, &format!("connect-four positions of {stones} stones"));
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut in_vain = 0;
    while found.len() < count {
        let test = random(stones, &mut rng).filter(|test| {
            test.position.winning_move().is_none() && seen.insert(test.position.mirrored_word())
        });
        match test {
            Some(test) => {
                found.push(test);
                in_vain = 0;
            }
            None => in_vain += 1,
        }
        if in_vain > 1_000_000 {
            return None;
        }
    }
    Some(found)
}

/// A game of random moves; nothing if it ends too soon.
fn random(stones: u32, rng: &mut SearchRng) -> Option<TestPosition> {
    let mut position = ConnectFour::EMPTY;
    let mut moves = String::new();
    for _ in 0..stones {
        let column: Column = position.sample(position.to_move(), rng)?;
        position.play(column);
        moves.push_str(&(column.index() + 1).to_string());
    }
    position.end().is_none().then_some(TestPosition { position, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_what_it_says_and_the_same_every_time() {
        let set = positions(12, 30, SEED).expect("a class");
        assert_eq!(Some(&set), positions(12, 30, SEED).as_ref());
        // A longer set begins with the shorter one, so that those kept apart stay apart.
        assert_eq!(set[..20], positions(12, 20, SEED).expect("a class"));
        for TestPosition { position, moves } in &set {
            assert_eq!((position.stones(), moves.len()), (12, 12));
            assert!(position.end().is_none() && position.winning_move().is_none());
        }
        assert_eq!(positions(43, 1, SEED), None);
    }
}
