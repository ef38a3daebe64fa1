//! The laws that every game keeps, as property tests: the whole battery in one line for a game of your own.
//!
//! ```
//! # mod example { use search_core::laws::Laws; pub fn battery<MyGame: search_core::TurnBased>() {
//! search_core::laws::check::<MyGame>();                            // every law, 64 random games of up to 60 turns
//! Laws::<MyGame>::new().cases(1000).turns(200).check();            // the same for longer
//! Laws::<MyGame>::new().check_turn_based();                        // with those of games in turns
//! # } }
//! ```
//!
//! In a test file, [`game_laws!`](crate::game_laws) makes one named test of each law, those of games in turns included where the
//! game is one. Every failure says which law in one sentence, and is shrunk to a short list of moves.
//!
//! # What no law can see
//!
//! A law compares a game with itself. Rules that are wrong everywhere alike keep all of them: the wrong player wins, a kind of move
//! is missing, a capture takes the wrong piece. What sees those is a second implementation, as plain as it can be and written from
//! the text of the rules instead of the code: an [`Oracle`], compared by [`Laws::agrees_with`]. The one of `docs/adding-a-game.md`
//! has fifty lines. For a second move generator alone there is [`Laws::moves_agree`].

mod battery;
mod differences;
mod keys;
mod moves;
mod numbers;
mod oracle;
mod play;
mod texts;
mod trial;
mod turn_based;

use std::cell::RefCell;
use std::fmt::{self, Debug};

use proptest::prelude::*;

#[doc(hidden)]
pub use self::battery::{AnyKind, InTurns};
pub use self::differences::Broken;
pub use self::keys::{equal_keys_mean_equal_positions, keys_are_those_from_scratch};
pub use self::moves::{
    is_legal_is_the_list, legal_moves_are_distinct, sample_is_uniform, sample_reaches_every_move, sinks_agree,
};
pub use self::numbers::{action_indices_round_trip, planes_tell_positions_apart};
pub use self::oracle::{Oracle, Through};
pub use self::play::{
    only_a_finished_game_has_no_turn, perft_by_sink_is_perft_by_list, playing_is_repeatable,
    the_record_agrees, turn_caps_count_down, utility_is_zero_sum,
};
pub use self::texts::{move_texts_round_trip, position_texts_round_trip};
pub use self::trial::Counterexample;
pub use self::turn_based::{to_move_is_active, winning_moves_win};

use self::differences::{holds, legal_texts, same, same_moves, sorted_texts};
use crate::reference::judge;
use crate::strategies::{Walk, starts};
use crate::{Ends, Evaluate, Game, Player, Score, TurnBased, turn_text};

/// One law.
pub struct Law<G: Game> {
    /// Its name: that of its function, and of the test that [`game_laws!`](crate::game_laws) makes of it.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// Looks at a random game and says what is wrong with it.
    pub check: fn(&Walk<G>) -> Result<(), Broken>,
}

impl<G: Game> Debug for Law<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Law").field("name", &self.name).field("says", &self.says).finish_non_exhaustive()
    }
}

macro_rules! laws {
    ($($law:ident: $says:literal)*) => {
        vec![$(Law { name: stringify!($law), says: $says, check: $law }),*]
    };
}

/// Every law of [`Laws::check`] that looks at one game at a time.
pub fn all<G: Game>() -> Vec<Law<G>> {
    laws! {
        legal_moves_are_distinct: "no move is generated twice"
        only_a_finished_game_has_no_turn: "an unfinished position has moves for just the active players, a finished one for nobody"
        position_texts_round_trip: "a position is read back from its text as the same position"
        move_texts_round_trip: "a move is read back from its text as the same move"
        keys_are_those_from_scratch: "keys that playing carries along are those of the position read from its text"
        equal_keys_mean_equal_positions: "keys are equal just if positions are equal but for a counter"
        sinks_agree: "list, counter, n-th move and filter speak of the same moves"
        is_legal_is_the_list: "`is_legal` says yes to the generated moves and to no other"
        sample_reaches_every_move: "`sample` draws legal moves only, and each of them now and then"
        sample_is_uniform: "`sample` draws all legal moves equally often"
        perft_by_sink_is_perft_by_list: "counting the last turn, playing it and going through lists give the same perft"
        playing_is_repeatable: "the same turn from the same position leads to the same position"
        the_record_agrees: "the referee's record accepts every generated turn and leads to the same positions"
        utility_is_zero_sum: "what one player wins the other loses, with the sign of the outcome, and nothing before the end"
        turn_caps_count_down: "a cap on the turns comes one nearer with each, and none left is the end"
    }
}

/// The laws of games in which the players move one after the other, besides those of [`all`].
pub fn turn_based<G: TurnBased>() -> Vec<Law<G>> {
    laws! {
        to_move_is_active: "`to_move` names the player whom `active` names"
        winning_moves_win: "`winning_move` names a move that wins at once where there is one, and otherwise none"
    }
}

/// Laws that no function of one game is enough for: name and sentence.
const KEYS_OVER_GAMES: (&str, &str) = (
    "keys_agree_over_games",
    "keys are equal just if positions are equal but for a counter, over all games together",
);
const GAMES_END: (&str, &str) =
    ("games_end_in_time", "every game ends within the number of turns that was announced");

/// Whether the keys of a game agree with those of the games before.
fn admit<G: Game>(keys: &RefCell<keys::Keys>, walk: &Walk<G>) -> Result<(), Broken> {
    walk.positions().iter().try_for_each(|position| keys.borrow_mut().admit(position))
}

/// Checks every law of [`Laws::check`] with the default effort. Panics with a short list of moves if one is broken.
#[track_caller]
pub fn check<G: Game>() {
    Laws::<G>::new().check();
}

/// How hard to try, and where the games start.
#[derive(Debug, Clone)]
pub struct Laws<G: Game> {
    cases: u32,
    turns: usize,
    longest: Option<usize>,
    seed: Option<u64>,
    starts: BoxedStrategy<G>,
}

/// What became of one law.
#[derive(Debug)]
pub struct Finding<G: Game> {
    /// Its name.
    pub name: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// A game that breaks it, as short as it gets, if one was found; an error where no game can be drawn.
    pub found: Result<Option<Counterexample<G>>, String>,
}

impl<G: Game> Default for Laws<G> {
    fn default() -> Self {
        Laws::new()
    }
}

impl<G: Game> Laws<G> {
    /// 64 random games of up to 60 turns from the default set-up, of any length.
    pub fn new() -> Self {
        Laws { cases: 64, turns: 60, longest: None, seed: None, starts: starts::<G>().boxed() }
    }

    /// How many random games.
    #[must_use]
    pub fn cases(self, cases: u32) -> Self {
        Laws { cases, ..self }
    }

    /// How many turns are looked at, at most.
    #[must_use]
    pub fn turns(self, turns: usize) -> Self {
        Laws { turns, ..self }
    }

    /// Draws other games than those of every run; so does the environment variable `LAWS_SEED` where none is given here.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Laws { seed: Some(seed), ..self }
    }

    /// One more law: every game is over after at most `turns` turns, draws by repetition included.
    #[must_use]
    pub fn longest(self, turns: usize) -> Self {
        Laws { longest: Some(turns), ..self }
    }

    /// Where the games start: other set-ups, or positions in the middle of a game.
    #[must_use]
    pub fn starts(self, starts: impl Strategy<Value = G> + 'static) -> Self {
        Laws { starts: starts.boxed(), ..self }
    }

    /// All games start at this position.
    #[must_use]
    pub fn starting_at(self, start: G) -> Self {
        self.starts(Just(start))
    }

    /// Checks every law that holds for all kinds of games. Panics with a short list of moves if one is broken.
    #[track_caller]
    pub fn check(&self) {
        for Law { name, says, check } in all::<G>() {
            self.run(Some((name, says)), &check);
        }
        self.check_keys_over_games();
        self.check_length();
    }

    /// Checks every law, those of games in turns included. Panics with a short list of moves if one is broken.
    #[track_caller]
    pub fn check_turn_based(&self)
    where
        G: TurnBased,
    {
        self.check();
        for Law { name, says, check } in turn_based::<G>() {
            self.run(Some((name, says)), &check);
        }
    }

    /// Looks at every law of [`Laws::check`] one after the other, and tells of each what was found instead of panicking.
    ///
    /// ```
    /// # mod example { use search_core::laws::Laws; use search_core::Game;
    /// # pub fn broken<MyGame: Game>() {
    /// for finding in Laws::<MyGame>::new().seed(7).findings() {
    ///     println!("{}: {}", finding.name, if let Ok(None) = finding.found { "kept" } else { "broken" });
    /// }
    /// # } }
    /// ```
    pub fn findings(&self) -> impl Iterator<Item = Finding<G>> {
        let listed = all::<G>().into_iter().map(|Law { name, says, check }| Finding {
            name,
            says,
            found: self.find(check),
        });
        let over_games = || {
            let keys = RefCell::new(keys::Keys::default());
            let (name, says) = KEYS_OVER_GAMES;
            Finding { name, says, found: self.find(|walk| admit(&keys, walk)) }
        };
        let length = self.longest.map(|most| {
            let (name, says) = GAMES_END;
            Finding { name, says, found: self.find(|walk| play::games_end(walk, most)) }
        });
        listed.chain(std::iter::once_with(over_games)).chain(length)
    }

    /// Checks one law of [`all`], by its name. Panics with a short list of moves if it is broken, and if there is no such law.
    #[track_caller]
    pub fn check_named(&self, name: &str) {
        self.check_listed(all(), name);
    }

    #[track_caller]
    fn check_listed(&self, laws: Vec<Law<G>>, name: &str) {
        match laws.into_iter().find(|law| law.name == name) {
            Some(Law { name, says, check }) => self.run(Some((name, says)), &check),
            None => panic!("there is no law `{name}`"),
        }
    }

    /// Checks one law, of this module or your own. Panics with a short list of moves if it is broken.
    ///
    /// The random games are the same in every run: a test that passed on one machine passes on the next. For a longer
    /// look, the environment variable `LAWS_FACTOR` multiplies the number of games and `LAWS_SEED` draws others.
    ///
    /// A game that breaks the law is made shorter as long as it breaks it: its start gets simpler where the strategy of the starts
    /// can, it starts at a later position, read from its text, it ends earlier, and turns in the middle are left out where those
    /// behind them stay legal.
    #[track_caller]
    pub fn check_one(&self, law: impl Fn(&Walk<G>) -> Result<(), Broken>) {
        self.run(None, &law);
    }

    /// Looks for a random game that breaks one law, of this module or your own, and hands it back as short as [`Laws::check_one`]
    /// makes it, instead of panicking. An error where no game can be drawn.
    ///
    /// ```
    /// # mod example { use search_core::laws::Laws; use search_core::Game;
    /// # pub fn longest<MyGame: Game>() -> Result<(), String> {
    /// let law = |walk: &search_core::strategies::Walk<MyGame>| match walk.turns().len() {
    ///     0..40 => Ok(()),
    ///     turns => Err(format!("{turns} turns")),
    /// };
    /// if let Some(found) = Laws::<MyGame>::new().find(law)? {
    ///     println!("{} in {:?}", found.broken, found.walk);
    /// }
    /// # Ok(()) } }
    /// ```
    pub fn find(
        &self,
        law: impl Fn(&Walk<G>) -> Result<(), Broken>,
    ) -> Result<Option<Counterexample<G>>, String> {
        trial::first_failure(self, &law)
    }

    /// Checks that keys tell positions of different games apart too: `equal_keys_mean_equal_positions` over all games together.
    #[track_caller]
    pub fn check_keys_over_games(&self) {
        let keys = RefCell::new(keys::Keys::default());
        self.run(Some(KEYS_OVER_GAMES), &|walk| admit(&keys, walk));
    }

    /// Checks that games end within the bound of [`Laws::longest`], if there is one.
    #[track_caller]
    pub fn check_length(&self) {
        if let Some(most) = self.longest {
            self.run(Some(GAMES_END), &|walk| play::games_end(walk, most));
        }
    }

    /// The differential law for a move generator: `moves` lists the same moves as the game itself, in any order. A failure says
    /// which moves only one of the two lists, where, and how to get there.
    ///
    /// ```
    /// # mod example { use search_core::laws::Laws; use search_core::{Game, Player};
    /// # pub fn compare<MyGame: Game>(my_moves: fn(&MyGame, Player) -> Vec<MyGame::Move>) {
    /// Laws::<MyGame>::new().moves_agree(|position, player| my_moves(position, player));
    /// # } }
    /// ```
    #[track_caller]
    pub fn moves_agree(&self, moves: impl Fn(&G, Player) -> Vec<G::Move>) {
        let says = "your generator lists the moves of the game, in any order";
        self.run(Some(("moves_agree", says)), &|walk| {
            for position in walk.positions() {
                for player in Player::BOTH {
                    let theirs = sorted_texts(&moves(position, player));
                    same_moves(
                        &format!("the moves of {player} at `{position}`"),
                        ["in the game", "in your generator"],
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
    #[track_caller]
    pub fn agrees_with<O: Oracle>(&self) {
        const SIDES: [&str; 2] = ["in the game", "in the oracle"];
        let says = "both implementations agree on every text, every legal move and the end";
        self.run(Some(("agrees_with", says)), &|walk| {
            let mut oracle = O::read(&walk.start().to_string());
            let turns = walk.turns().iter().map(Some).chain([None]);
            for (position, turn) in walk.positions().iter().zip(turns) {
                same("the text of the position", SIDES, &position.to_string(), &oracle.text())?;
                let end = position.end().map(|end| end.to_string());
                same(&format!("the end at `{position}`"), SIDES, &end, &oracle.end())?;
                for player in Player::BOTH {
                    let mut theirs = oracle.moves(player);
                    theirs.sort_unstable();
                    same_moves(
                        &format!("the moves of {player} at `{position}`"),
                        SIDES,
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
    #[track_caller]
    pub fn evaluation(&self, evaluate: &impl Evaluate<G>) {
        let says = "an evaluation lies between loss and win, and is the negative for the other player";
        self.run(Some(("evaluation", says)), &|walk| {
            for position in walk.positions() {
                let [one, two] = Player::BOTH.map(|player| judge(position, player, evaluate, Ends::Outcome));
                let sides = ["for p1", "for p2, negated"];
                same(&format!("the value of `{position}`"), sides, &one, &-two)?;
                match position.end() {
                    Some(end) => same(
                        &format!("the value for p1 of the finished `{position}`"),
                        ["by the outcome", "as judged"],
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

    /// Tries a law and panics with the report if a game breaks it.
    #[track_caller]
    fn run(&self, name: Option<(&str, &str)>, law: &dyn Fn(&Walk<G>) -> Result<(), Broken>) {
        match trial::first_failure(self, law) {
            Ok(None) => {}
            Err(reason) => panic!("the law could not be tried: {reason}"),
            Ok(Some(Counterexample { walk, broken, game, turns })) => {
                let law =
                    name.map_or("a law".to_owned(), |(name, says)| format!("the law `{name}` ({says})"));
                let broken = broken.replace('\n', "\n  ");
                panic!("{law} is broken by game {game}, shrunk from {turns} turns:\n  {walk:?}\n  {broken}");
            }
        }
    }
}
