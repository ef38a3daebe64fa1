//! The laws themselves: each looks at one random game.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Broken, holds, legal_texts, same};
use crate::strategies::Walk;
use crate::{
    Active, Count, Filter, Game, Outcome, Player, Record, Turn, TurnBased, for_each_turn, parse_turn, perft,
    perft_played, turn_count, turn_text,
};

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
    let mut texts: HashMap<u64, String> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    for position in walk.positions() {
        for position in around(position) {
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

/// Where a player can win with one move [`TurnBased::winning_move`] names a move that does, and otherwise none. Not a part of
/// the battery, which holds for all kinds of games: a turn-based game that overrides the method asks for it by name,
/// `Laws::<MyGame>::new().check_one(winning_moves_win)`.
pub fn winning_moves_win<G: TurnBased>(walk: &Walk<G>) -> Result<(), Broken> {
    let wins = |position: &G, mv: G::Move| {
        position
            .after(mv)
            .end()
            .is_some_and(|end| end.outcome == Outcome::Win(position.to_move()) && !end.yields_to_repetition)
    };
    for position in walk.positions() {
        let moves = position.move_list(position.to_move());
        match position.winning_move() {
            Some(mv) => holds(moves.as_ref().contains(&mv) && wins(position, mv), || {
                format!("`{mv}` is named as a move that wins at `{position}`, but does not")
            })?,
            None => holds(!moves.as_ref().iter().any(|&mv| wins(position, mv)), || {
                format!("no move is named that wins at `{position}`, but there is one")
            })?,
        }
    }
    Ok(())
}

/// A position and those one turn after it, at most 64.
pub(super) fn around<G: Game>(position: &G) -> Vec<G> {
    const BRANCHES: usize = 64;
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
    around
}

fn read<G: Game>(text: &str) -> Result<G, Broken> {
    text.parse()
        .map_err(|error| format!("the position `{text}` that the game wrote is not read again: {error}"))
}
