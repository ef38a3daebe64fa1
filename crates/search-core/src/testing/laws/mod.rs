//! The laws that every game keeps, as property tests: the whole battery in one line for a game of your own.
//!
//! ```
//! # mod example { use search_core::laws::Laws; pub fn battery<MyGame: search_core::Game>() {
//! search_core::laws::check::<MyGame>();                            // every law, 64 random games of up to 60 turns
//! Laws::<MyGame>::new().cases(1000).turns(200).check();            // the same for longer
//! # } }
//! ```
//!
//! In a test file, [`game_laws!`](crate::game_laws) makes one named test of each law. Every failure is shrunk to a short
//! list of moves.

mod battery;
mod numbers;
mod oracle;

use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

pub use self::battery::{
    equal_keys_mean_equal_positions, keys_are_those_from_scratch, legal_moves_are_distinct,
    move_texts_round_trip, only_a_finished_game_has_no_turn, perft_by_sink_is_perft_by_list,
    playing_is_repeatable, position_texts_round_trip, sinks_agree, the_record_agrees, turn_caps_count_down,
    utility_is_zero_sum, winning_moves_win,
};
pub use self::numbers::{action_indices_round_trip, planes_tell_positions_apart};
pub use self::oracle::{Oracle, Through};

use crate::reference::judge;
use crate::strategies::{Walk, starts, walks_from};
use crate::{Ends, Evaluate, Game, Player, Score, turn_text};

/// A broken law: what was expected and what came.
pub type Broken = String;

/// One law: looks at a random game and says what is wrong with it.
pub type Law<G> = fn(&Walk<G>) -> Result<(), Broken>;

/// Every law of [`Laws::check`], by name.
pub fn all<G: Game>() -> Vec<(&'static str, Law<G>)> {
    vec![
        ("legal moves are distinct", legal_moves_are_distinct),
        ("only a finished game has no turn", only_a_finished_game_has_no_turn),
        ("position texts round-trip", position_texts_round_trip),
        ("move texts round-trip", move_texts_round_trip),
        ("keys are those from scratch", keys_are_those_from_scratch),
        ("equal keys mean equal positions", equal_keys_mean_equal_positions),
        ("sinks agree", sinks_agree),
        ("perft by sink is perft by list", perft_by_sink_is_perft_by_list),
        ("playing is repeatable", playing_is_repeatable),
        ("the record agrees", the_record_agrees),
        ("utility is zero-sum", utility_is_zero_sum),
        ("turn caps count down", turn_caps_count_down),
    ]
}

/// Checks every law with the default effort. Panics with a short list of moves if one is broken.
pub fn check<G: Game>() {
    Laws::<G>::new().check();
}

/// Makes one `#[test]` of each law, for a game in one line: `search_core::game_laws!(MyGame);`. A second argument says
/// how hard to try or where games start: `search_core::game_laws!(MyGame, Laws::new().turns(200));`.
///
/// Needs the feature `proptest` of `search-core` among the dev-dependencies.
#[macro_export]
macro_rules! game_laws {
    ($game:ty) => {
        $crate::game_laws!($game, $crate::laws::Laws::<$game>::new());
    };
    ($game:ty, $laws:expr) => {
        $crate::game_laws!(@tests $game, $laws,
            legal_moves_are_distinct
            only_a_finished_game_has_no_turn
            position_texts_round_trip
            move_texts_round_trip
            keys_are_those_from_scratch
            equal_keys_mean_equal_positions
            sinks_agree
            perft_by_sink_is_perft_by_list
            playing_is_repeatable
            the_record_agrees
            utility_is_zero_sum
            turn_caps_count_down
        );
    };
    (@tests $game:ty, $laws:expr, $($law:ident)*) => {
        $(
            #[test]
            fn $law() {
                let laws: $crate::laws::Laws<$game> = $laws;
                laws.check_one($crate::laws::$law);
            }
        )*
    };
}

/// How hard to try, and where the games start.
#[derive(Debug, Clone)]
pub struct Laws<G: Game> {
    cases: u32,
    turns: usize,
    starts: BoxedStrategy<G>,
}

impl<G: Game> Default for Laws<G> {
    fn default() -> Self {
        Laws::new()
    }
}

impl<G: Game> Laws<G> {
    /// 64 random games of up to 60 turns from the default set-up.
    pub fn new() -> Self {
        Laws { cases: 64, turns: 60, starts: starts::<G>().boxed() }
    }

    /// How many random games.
    #[must_use]
    pub fn cases(self, cases: u32) -> Self {
        Laws { cases, ..self }
    }

    /// How many turns at most.
    #[must_use]
    pub fn turns(self, turns: usize) -> Self {
        Laws { turns, ..self }
    }

    /// Where the games start: other set-ups, or positions in the middle of a game.
    #[must_use]
    pub fn starts(self, starts: impl Strategy<Value = G> + 'static) -> Self {
        Laws { starts: starts.boxed(), ..self }
    }

    /// Checks every law. Panics with a short list of moves if one is broken.
    pub fn check(&self) {
        let laws = all::<G>();
        self.check_one(|walk| {
            laws.iter().try_for_each(|(name, law)| law(walk).map_err(|broken| format!("{name}: {broken}")))
        });
    }

    /// Checks one law, of this module or your own. Panics with a short list of moves if it is broken.
    ///
    /// The random games are the same in every run: a test that passed on one machine passes on the next. For a longer
    /// look, the environment variable `LAWS_FACTOR` multiplies the number of games and `LAWS_SEED` draws others.
    pub fn check_one(&self, law: impl Fn(&Walk<G>) -> Result<(), Broken>) {
        let cases = self.cases.saturating_mul(number_from("LAWS_FACTOR").unwrap_or(1));
        let config =
            Config { cases, failure_persistence: None, max_shrink_iters: 10_000, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, test_rng());
        let result = runner.run(&walks_from(self.starts.clone(), self.turns), |walk| {
            if walk.panicked() {
                return Err(TestCaseError::fail("playing panics after these moves"));
            }
            law(&walk).map_err(TestCaseError::fail)
        });
        report(result);
    }

    /// The differential law for a move generator: `moves` lists the same moves as the game itself, in any order.
    pub fn moves_agree(&self, moves: impl Fn(&G, Player) -> Vec<G::Move>) {
        self.check_one(|walk| {
            for position in walk.positions() {
                for player in Player::BOTH {
                    let theirs = sorted_texts(&moves(position, player));
                    same(
                        &format!("the moves of {player} at `{position}`"),
                        &legal_texts(position, player),
                        &theirs,
                    )?;
                }
            }
            Ok(())
        });
    }

    /// The differential law for a whole second implementation: on random games both agree on every text, every legal
    /// move and the end.
    pub fn agrees_with<O: Oracle>(&self) {
        self.check_one(|walk| {
            let mut oracle = O::read(&walk.start().to_string());
            let turns = walk.turns().iter().map(Some).chain([None]);
            for (position, turn) in walk.positions().iter().zip(turns) {
                same("the text of the position", &position.to_string(), &oracle.text())?;
                let end = position.end().map(|end| end.to_string());
                same(&format!("the end at `{position}`"), &end, &oracle.end())?;
                for player in Player::BOTH {
                    let mut theirs = oracle.moves(player);
                    theirs.sort_unstable();
                    same(
                        &format!("the moves of {player} at `{position}`"),
                        &legal_texts(position, player),
                        &theirs,
                    )?;
                }
                if let Some(&turn) = turn {
                    oracle.play(&turn_text::<G>(position.active(), turn));
                }
            }
            Ok(())
        });
    }

    /// The law of an evaluation: strictly between loss and win while the game goes on, and the negative for the other
    /// player. At the end of a game no evaluation is asked: there [`judge`] gives exactly what the outcome is worth, and that
    /// is looked at too.
    pub fn evaluation(&self, evaluate: &impl Evaluate<G>) {
        self.check_one(|walk| {
            for position in walk.positions() {
                let [one, two] = Player::BOTH.map(|player| judge(position, player, evaluate, Ends::Outcome));
                same(&format!("the value of `{position}`, seen from both sides,"), &one, &-two)?;
                match position.end() {
                    Some(end) => same(
                        &format!("the value for p1 of the finished `{position}`"),
                        &Score::of_outcome(end.outcome, Player::One, 0),
                        &one,
                    )?,
                    None => holds(!one.is_decided(), || {
                        format!("`{position}` goes on, but its value for p1 is {one}")
                    })?,
                }
            }
            Ok(())
        });
    }
}

/// A generator for property tests that draws the same in every run, unless `LAWS_SEED` asks for another.
fn test_rng() -> TestRng {
    let Some(seed) = number_from::<u64>("LAWS_SEED") else {
        return TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

fn number_from<N: std::str::FromStr>(variable: &str) -> Option<N> {
    std::env::var(variable).ok()?.parse().ok()
}

fn report<T: Debug>(result: Result<(), TestError<T>>) {
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, walk)) => panic!("{reason}\n  {walk:?}"),
        Err(TestError::Abort(reason)) => panic!("the law could not be tried: {reason}"),
    }
}

fn same<T: PartialEq + Debug>(what: &str, ours: &T, theirs: &T) -> Result<(), Broken> {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{what} differs\n  one says   {ours:?}\n  other says {theirs:?}"))
    }
}

fn holds(condition: bool, broken: impl FnOnce() -> Broken) -> Result<(), Broken> {
    if condition { Ok(()) } else { Err(broken()) }
}

fn sorted_texts<M: ToString>(moves: &[M]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

fn legal_texts<G: Game>(position: &G, player: Player) -> Vec<String> {
    sorted_texts(position.move_list(player).as_ref())
}
