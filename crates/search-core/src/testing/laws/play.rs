//! Laws of playing: who has moves, what a turn does, how a game ends and pays.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::differences::{Broken, holds, same};
use crate::strategies::Walk;
use crate::{Active, Game, Player, Record, Turn, for_each_turn, perft, perft_played, turn_count};

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

/// Counting the last turn, playing it, and going through lists give the same perft.
pub fn perft_by_sink_is_perft_by_list<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    // Depth 2 only where the last position is small enough; depth 1 everywhere.
    const LEAVES: u64 = 4_000;
    for position in walk.positions() {
        let expected = if position.end().is_some() { 0 } else { turn_count(position) };
        let mut visited = 0;
        for_each_turn(position, |_| visited += 1);
        let number = format!("the number of turns at `{position}`");
        same(&number, ["visited", "counted"], &visited, &expected)?;
        same(&number, ["visited", "perft 1"], &visited, &perft(position, 1))?;
    }
    let last = walk.last();
    if turn_count(last).pow(2) <= LEAVES {
        let by_list = perft_by_list(last, 2);
        let number = format!("perft 2 at `{last}`");
        same(&number, ["through lists", "counted"], &by_list, &perft(last, 2))?;
        same(&number, ["through lists", "every leaf played"], &by_list, &perft_played(last, 2))?;
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
            &format!("the position after the same turn at `{}`", walk.positions()[index]),
            ["played once", "played again"],
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
            "the position",
            ["in the game", "in the record"],
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
        let sum = format!("the sum of both players' utilities at `{position}`");
        same(&sum, ["zero-sum", "`utility`"], &0, &one.saturating_add(two))?;
        let sign = position.end().map_or(0, |end| end.outcome.sign(Player::One));
        let what = format!("the sign of the utility of p1 at `{position}`");
        same(&what, ["`end`", "`utility`"], &sign, &one.signum())?;
    }
    Ok(())
}

/// A cap on the number of turns comes one nearer with each turn, and the game is over when none is left.
pub fn turn_caps_count_down<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for pair in walk.positions().windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(Game::turns_left);
        if after.is_some() || before.is_some() {
            same(
                &format!("the number of turns left at `{}`", pair[1]),
                ["one less than before the turn", "`turns_left`"],
                &before.map(|left| left.wrapping_sub(1)),
                &after,
            )?;
        }
    }
    holds(walk.last().turns_left() != Some(0) || walk.last().end().is_some(), || {
        format!("no turn is left at `{}`, but the game goes on", walk.last())
    })
}

/// A game that is played on at random, the record counting repetitions, is over after at most `most` turns. Not every game keeps
/// this: it is asked for with [`Laws::longest`](super::Laws::longest).
pub(super) fn games_end<G: Game>(walk: &Walk<G>, most: usize) -> Result<(), Broken> {
    let mut record = Record::new(walk.start().clone());
    let mut rng = ChaCha8Rng::seed_from_u64(most as u64);
    let walked = walk.turns().iter().copied().map(Some).chain(std::iter::repeat(None)).take(most);
    for turn in walked {
        if record.end().is_some() {
            return Ok(());
        }
        let active = record.position().active();
        let turn = turn.or_else(|| {
            let moves = Player::BOTH.map(|player| record.position().sample(player, &mut rng));
            G::Turn::from_moves(active, moves)
        });
        let Some(turn) = turn else { break };
        if record.play(turn).is_err() {
            break;
        }
    }
    holds(record.end().is_some(), || {
        let played = record.turns().len();
        format!(
            "the game goes on after {played} turns, at `{}`; at most {most} were announced",
            record.position()
        )
    })
}
