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

use std::collections::HashMap;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::reference::judge;
use crate::strategies::{Walk, starts, walks_from};
use crate::{
    Active, Count, Ends, Evaluate, Filter, Game, Player, Record, Score, Turn, for_each_turn, parse_turn,
    perft, perft_played, turn_count, turn_text,
};

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
    /// player. At the end of a game no evaluation is asked: there [`judge`](crate::reference::judge) gives exactly what the
    /// outcome is worth, and that is looked at too.
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

/// A second implementation of a game, for the differential law: as plain as it likes, it speaks in texts only.
/// Implemented by [`Through`] for everything that is a [`Game`] itself.
pub trait Oracle {
    /// The position of a text that the first implementation wrote.
    fn read(text: &str) -> Self;
    /// The text of the position.
    fn text(&self) -> String;
    /// The texts of the legal moves of `player`, in any order; none if the player is not active or the game is over.
    fn moves(&self, player: Player) -> Vec<String>;
    /// The end by facts of the position, written like an [`End`](crate::End): `p1 (elimination)`.
    fn end(&self) -> Option<String>;
    /// Plays a legal turn: the text of the move, or `first|second`.
    fn play(&mut self, turn: &str);
}

/// A [`Game`] as an [`Oracle`].
#[derive(Debug, Clone)]
pub struct Through<G>(pub G);

impl<G: Game> Oracle for Through<G> {
    fn read(text: &str) -> Self {
        Through(text.parse().unwrap_or_else(|error| panic!("the oracle cannot read `{text}`: {error}")))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn moves(&self, player: Player) -> Vec<String> {
        legal_texts(&self.0, player)
    }

    fn end(&self) -> Option<String> {
        self.0.end().map(|end| end.to_string())
    }

    fn play(&mut self, turn: &str) {
        match parse_turn::<G>(self.0.active(), turn) {
            Ok(turn) => self.0.play_turn(turn),
            Err(error) => panic!("the oracle cannot read the turn: {error}"),
        }
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

fn read<G: Game>(text: &str) -> Result<G, Broken> {
    text.parse()
        .map_err(|error| format!("the position `{text}` that the game wrote is not read again: {error}"))
}

/// No move is generated twice, as a value or as a text.
pub fn legal_moves_are_distinct<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        for player in Player::BOTH {
            let texts = legal_texts(position, player);
            if let Some([twice, ..]) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("the move `{twice}` of {player} comes twice at `{position}`"));
            }
        }
    }
    Ok(())
}

/// An unfinished position offers a move to every active player and none to the other; a finished one offers none and is a
/// leaf of perft.
pub fn only_a_finished_game_has_no_turn<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let end = position.end();
        for player in Player::BOTH {
            let count = position.move_count(player);
            let wanted = end.is_none() && position.active().includes(player);
            holds((count > 0) == wanted, || {
                let state = end.map_or("goes on".to_owned(), |end| format!("is over, {end}"));
                format!("`{position}` {state}, {:?} acts, but {player} has {count} moves", position.active())
            })?;
        }
        holds(end.is_none() || perft(position, 1) == 0, || {
            format!("`{position}` is over but no leaf of perft")
        })?;
    }
    Ok(())
}

/// A position is read back from its text as the same position: text, active players, end, moves, picture.
pub fn position_texts_round_trip<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let text = position.to_string();
        holds(!text.contains('\n'), || format!("the text of a position is one line, this is not: {text:?}"))?;
        let again: G = read(&text)?;
        same("the text read and written again", &text, &again.to_string())?;
        same("the active players after reading", &position.active(), &again.active())?;
        same("the end after reading", &position.end(), &again.end())?;
        same("the turns left after reading", &position.turns_left(), &again.turns_left())?;
        same("the picture after reading", &format!("{position:#}"), &format!("{again:#}"))?;
        for player in Player::BOTH {
            same("the moves after reading", &legal_texts(position, player), &legal_texts(&again, player))?;
            same("the utility after reading", &position.utility(player), &again.utility(player))?;
        }
    }
    Ok(())
}

/// A move is read back from its text as the same move, and so is a turn.
pub fn move_texts_round_trip<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        for player in Player::BOTH {
            for mv in position.move_list(player).as_ref() {
                let text = mv.to_string();
                match text.parse::<G::Move>() {
                    Ok(again) => same(&format!("the move `{text}` read again"), mv, &again)?,
                    Err(error) => {
                        return Err(format!("the legal move `{text}` at `{position}` is not read: {error}"));
                    }
                }
                holds(!text.contains(['|', ' ', '\n']), || format!("the move `{text}` holds a separator"))?;
            }
        }
    }
    for (position, &turn) in walk.positions().iter().zip(walk.turns()) {
        let text = turn_text::<G>(position.active(), turn);
        match parse_turn::<G>(position.active(), &text) {
            Ok(again) => same(&format!("the turn `{text}` read again"), &turn, &again)?,
            Err(error) => return Err(format!("the turn `{text}` at `{position}` is not read: {error}")),
        }
    }
    Ok(())
}

/// The keys that were carried along by playing are those of the position read from its text; and a repetition key is there
/// just in games with the rule.
pub fn keys_are_those_from_scratch<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let again: G = read(&position.to_string())?;
        same(&format!("the key of `{position}`"), &again.key(), &position.key())?;
        same(
            &format!("the repetition key of `{position}`"),
            &again.repetition_key(),
            &position.repetition_key(),
        )?;
        holds(position.repetition_key().is_none() || G::REPETITION.is_some(), || {
            format!("`{position}` has a repetition key, but the game has no repetition rule")
        })?;
    }
    Ok(())
}

/// On a random walk and one turn around it, positions have equal keys just if they are equal apart from the counter
/// ([`Game::key_text`]).
pub fn equal_keys_mean_equal_positions<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    const BRANCHES: usize = 64;
    let mut texts: HashMap<u64, String> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    for position in walk.positions() {
        let mut around = vec![position.clone()];
        if position.end().is_none() {
            for_each_turn(position, |turn| {
                if around.len() <= BRANCHES {
                    let mut next = position.clone();
                    next.play_turn(turn);
                    around.push(next);
                }
            });
        }
        for position in around {
            let (key, text) = (position.key(), position.key_text());
            let known = texts.entry(key).or_insert_with(|| text.clone());
            holds(*known == text, || {
                format!(
                    "one key {key:016x} for two positions, `{known}` and `{text}` (does the game's text hold a counter? then override `key_text`)"
                )
            })?;
            let known = *keys.entry(text).or_insert(key);
            holds(known == key, || {
                format!(
                    "two keys {known:016x} and {key:016x} for positions that differ at most in a counter, such as `{position}`"
                )
            })?;
        }
    }
    Ok(())
}

/// List, counter, n-th move, filter, `sample` and `is_legal` all speak of the same moves.
pub fn sinks_agree<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    let mut rng = ChaCha8Rng::seed_from_u64(walk.turns().len() as u64);
    let mut before: Option<[G::Moves; 2]> = None;
    for position in walk.positions() {
        let lists = Player::BOTH.map(|player| position.move_list(player));
        for player in Player::BOTH {
            let list = lists[player.index()].as_ref();
            let at = |what: &str| format!("{what} of {player} at `{position}`");
            let mut plain: Vec<G::Move> = Vec::new();
            position.moves_of(player, &mut plain);
            same(&at("the list"), &plain.as_slice(), &list)?;
            let mut count = Count::default();
            position.moves_of(player, &mut count);
            same(&at("the counter"), &list.len(), &count.0)?;
            same(&at("`move_count`"), &list.len(), &position.move_count(player))?;
            for (index, &mv) in list.iter().enumerate() {
                same(&at(&format!("`nth_move({index})`")), &Some(mv), &position.nth_move(player, index))?;
                holds(position.is_legal(player, mv), || {
                    at(&format!("`is_legal` denies the listed move `{mv}`"))
                })?;
            }
            same(&at("`nth_move` behind the last"), &None, &position.nth_move(player, list.len()))?;
            let mut passed: Vec<G::Move> = Vec::new();
            let mut index = 0;
            position.moves_of(
                player,
                &mut Filter::new(&mut passed, |_: &G::Move| {
                    index += 1;
                    index % 2 == 1
                }),
            );
            same(&at("the filter"), &list.iter().copied().step_by(2).collect::<Vec<_>>(), &passed)?;
            for _ in 0..3 {
                let drawn = position.sample(player, &mut rng);
                holds(drawn.map_or(list.is_empty(), |mv| list.contains(&mv)), || {
                    at(&format!("`sample` drew {drawn:?}, which is not legal: the moves"))
                })?;
            }
            // Moves of the position before, and of the other player, are a good supply of illegal ones.
            let foreign =
                before.iter().flatten().chain(&lists).flat_map(|moves| moves.as_ref().iter().take(100));
            for &mv in foreign {
                holds(position.is_legal(player, mv) == list.contains(&mv), || {
                    at(&format!("`is_legal` and the list differ on `{mv}`: the moves"))
                })?;
            }
        }
        before = Some(lists);
    }
    Ok(())
}

/// Counting the last turn, playing it, and going through lists give the same perft.
pub fn perft_by_sink_is_perft_by_list<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    // Depth 2 only where the last position is small enough; depth 1 everywhere.
    const LEAVES: u64 = 4_000;
    for position in walk.positions() {
        let expected = if position.end().is_some() { 0 } else { turn_count(position) };
        let mut visited = 0;
        for_each_turn(position, |_| visited += 1);
        same(&format!("the number of turns at `{position}`"), &visited, &expected)?;
        same(&format!("perft 1 at `{position}`"), &visited, &perft(position, 1))?;
    }
    let last = walk.last();
    if turn_count(last).pow(2) <= LEAVES {
        let by_list = perft_by_list(last, 2);
        same(&format!("perft 2 at `{last}`"), &by_list, &perft(last, 2))?;
        same(&format!("played perft 2 at `{last}`"), &by_list, &perft_played(last, 2))?;
    }
    Ok(())
}

fn perft_by_list<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.end().is_some() {
        return 0;
    }
    let active = position.active();
    let [ones, twos] = Player::BOTH.map(|player| match active {
        Active::One(mover) if mover != player => vec![None],
        _ => position.move_list(player).as_ref().iter().copied().map(Some).collect(),
    });
    let mut leaves = 0;
    for &one in &ones {
        for &two in &twos {
            if let Some(turn) = G::Turn::from_moves(active, [one, two]) {
                let mut next = position.clone();
                next.play_turn(turn);
                leaves += perft_by_list(&next, depth - 1);
            }
        }
    }
    leaves
}

/// Playing a turn twice from copies gives the same position, and every legal turn can be played (checked one turn around
/// the walk).
pub fn playing_is_repeatable<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    const BRANCHES: u32 = 200;
    for (index, &turn) in walk.turns().iter().enumerate() {
        let mut next = walk.positions()[index].clone();
        next.play_turn(turn);
        same(
            "the position after the same turn",
            &walk.positions()[index + 1].to_string(),
            &next.to_string(),
        )?;
    }
    let last = walk.last();
    let mut left = BRANCHES;
    if last.end().is_none() {
        for_each_turn(last, |turn| {
            if left > 0 {
                left -= 1;
                last.clone().play_turn(turn);
            }
        });
    }
    Ok(())
}

/// The referee's record accepts the walk and refuses a turn after the end.
pub fn the_record_agrees<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    let mut record = Record::new(walk.start().clone());
    for (index, &turn) in walk.turns().iter().enumerate() {
        if record.end().is_some() {
            // Only repetition ends a record before the walk.
            holds(record.occurrences() >= G::REPETITION.unwrap_or(u32::MAX), || {
                format!("the record is over at `{}`, the position is not", record.position())
            })?;
            return holds(record.play(turn).is_err(), || {
                "the record accepts a turn after the end".to_owned()
            });
        }
        if let Err(refused) = record.play(turn) {
            return Err(format!("the record refuses a legal turn: {refused}"));
        }
        same(
            "the position of the record",
            &walk.positions()[index + 1].to_string(),
            &record.position().to_string(),
        )?;
    }
    Ok(())
}

/// What one player wins the other loses, nothing is paid before the end, and the sign is that of the outcome.
pub fn utility_is_zero_sum<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let [one, two] = Player::BOTH.map(|player| position.utility(player));
        same(&format!("the sum of the utilities at `{position}`"), &0, &one.saturating_add(two))?;
        let sign = position.end().map_or(0, |end| end.outcome.sign(Player::One));
        same(&format!("the sign of the utility of p1 at `{position}`"), &sign, &one.signum())?;
    }
    Ok(())
}

/// A cap on the number of turns comes one nearer with each turn, and the game is over when none is left.
pub fn turn_caps_count_down<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for pair in walk.positions().windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(Game::turns_left);
        if after.is_some() || before.is_some() {
            same(
                &format!("the turns left at `{}`", pair[1]),
                &before.map(|left| left.wrapping_sub(1)),
                &after,
            )?;
        }
    }
    holds(walk.last().turns_left() != Some(0) || walk.last().end().is_some(), || {
        format!("no turn is left at `{}`, but the game goes on", walk.last())
    })
}
