//! Trying a law on random games, and making a game that breaks it as short as it gets.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::Laws;
use super::differences::Broken;
use crate::strategies::Walk;
use crate::{Game, quietly};

/// How many shorter games are tried.
const SHRINKS: u32 = 4000;

/// A game that breaks a law, made as short as it gets.
#[derive(Debug)]
pub struct Counterexample<G: Game> {
    /// The game.
    pub walk: Walk<G>,
    /// What is wrong with it.
    pub broken: Broken,
    /// The number of the game, from 1.
    pub game: u32,
    /// How many turns it had when it was found.
    pub turns: usize,
}

/// Tries a law on the random games that `laws` asks for; the first that breaks it comes back shrunk. An error where no game can be
/// drawn.
pub(super) fn first_failure<G: Game>(
    laws: &Laws<G>,
    law: &dyn Fn(&Walk<G>) -> Result<(), Broken>,
) -> Result<Option<Counterexample<G>>, String> {
    let games = laws.cases.saturating_mul(number_from("LAWS_FACTOR").unwrap_or(1));
    let mut runner = TestRunner::new_with_rng(Config::default(), test_rng(laws.seed));
    for game in 1..=games {
        let cannot = |reason: proptest::test_runner::Reason| format!("no game can be drawn: {reason}");
        let mut start = laws.starts.new_tree(&mut runner).map_err(cannot)?;
        let choices = vec(any::<u64>(), 0..=laws.turns).new_tree(&mut runner).map_err(cannot)?.current();
        let walk = Walk::new(start.current(), &choices);
        if let Err(broken) = verdict(law, &walk) {
            let turns = walk.tried().len();
            let mut shrinking = Shrinking { law, walk, broken, left: SHRINKS };
            shrinking.simplify_start(&mut *start, &choices);
            shrinking.shorten();
            let Shrinking { walk, broken, .. } = shrinking;
            return Ok(Some(Counterexample { walk, broken, game, turns }));
        }
    }
    Ok(None)
}

/// What a law says of one game. A game that panics breaks every law.
fn verdict<G: Game>(law: &dyn Fn(&Walk<G>) -> Result<(), Broken>, walk: &Walk<G>) -> Result<(), Broken> {
    match walk.panicked() {
        Some(panicked) => Err(panicked),
        None => {
            quietly(|| law(walk)).unwrap_or_else(|message| Err(format!("looking at it panics: {message}")))
        }
    }
}

/// A game that breaks a law, on its way to a shorter one.
struct Shrinking<'a, G: Game> {
    law: &'a dyn Fn(&Walk<G>) -> Result<(), Broken>,
    walk: Walk<G>,
    broken: Broken,
    left: u32,
}

impl<G: Game> Shrinking<'_, G> {
    /// Takes a walk in place of the one in hand if it breaks the law too.
    fn take(&mut self, walk: Walk<G>) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Err(broken) = verdict(self.law, &walk) else { return false };
        (self.walk, self.broken) = (walk, broken);
        true
    }

    /// A simpler start, where the strategy of the starts knows one.
    fn simplify_start(&mut self, start: &mut dyn ValueTree<Value = G>, choices: &[u64]) {
        let mut more = start.simplify();
        while more && self.left > SHRINKS / 2 {
            more = if self.take(Walk::new(start.current(), choices)) {
                start.simplify()
            } else {
                start.complicate()
            };
        }
    }

    /// Fewer turns: until nothing can be left out.
    fn shorten(&mut self) {
        self.cut_the_end();
        while self.left > 0 && (self.start_later() || self.drop_from_the_middle()) {
            self.cut_the_end();
        }
    }

    /// Ends the game as early as it breaks the law.
    fn cut_the_end(&mut self) {
        let turns = self.walk.tried();
        let start = self.walk.start().clone();
        for length in 0..turns.len() {
            if self.try_turns(start.clone(), &turns[..length]) {
                return;
            }
        }
    }

    /// Starts at a position in the middle, as it is read from its text.
    fn start_later(&mut self) -> bool {
        let turns = self.walk.tried();
        for skipped in (1..=turns.len()).rev() {
            let Some(position) = self.walk.positions().get(skipped) else { continue };
            let Ok(Ok(start)) = quietly(|| position.to_string().parse::<G>()) else { continue };
            if self.try_turns(start, &turns[skipped..]) {
                return true;
            }
        }
        false
    }

    /// Leaves out turns that the others do not need to be legal: many at once, then fewer.
    fn drop_from_the_middle(&mut self) -> bool {
        let mut shorter = false;
        let mut size = self.walk.tried().len() / 2;
        while size > 0 {
            let mut first = 0;
            while first + size <= self.walk.tried().len() {
                let mut turns = self.walk.tried();
                turns.drain(first..first + size);
                if self.try_turns(self.walk.start().clone(), &turns) {
                    shorter = true;
                } else {
                    first += 1;
                }
            }
            size /= 2;
        }
        shorter
    }

    fn try_turns(&mut self, start: G, turns: &[G::Turn]) -> bool {
        Walk::replay(start, turns).is_some_and(|walk| self.take(walk))
    }
}

/// A generator for property tests that draws the same in every run, unless a seed is given or `LAWS_SEED` has one.
fn test_rng(seed: Option<u64>) -> TestRng {
    let Some(seed) = seed.or_else(|| number_from("LAWS_SEED")) else {
        return TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

fn number_from<N: std::str::FromStr>(variable: &str) -> Option<N> {
    std::env::var(variable).ok()?.parse().ok()
}
