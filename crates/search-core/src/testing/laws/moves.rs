//! Laws of the generator and of everything that is derived from it: lists, counters, samples, `is_legal`.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::differences::{Broken, holds, legal_texts, same};
use crate::strategies::Walk;
use crate::{Count, Filter, Game, Player};

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

/// List, counter, n-th move and filter all speak of the same moves.
pub fn sinks_agree<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        for player in Player::BOTH {
            let list = position.move_list(player);
            let list = list.as_ref();
            let at = |what: &str| format!("{what} of {player} at `{position}`");
            let mut plain: Vec<G::Move> = Vec::new();
            position.moves_of(player, &mut plain);
            same(&at("the list"), ["a `Vec`", "`Game::Moves`"], &plain.as_slice(), &list)?;
            let mut count = Count::default();
            position.moves_of(player, &mut count);
            let number = ["the list", "the counter"];
            same(&at("the number of moves"), number, &list.len(), &count.0)?;
            let number = ["the list", "`move_count`"];
            same(&at("the number of moves"), number, &list.len(), &position.move_count(player))?;
            let nth = ["the list", "`nth_move`"];
            for (index, &mv) in list.iter().enumerate() {
                same(&at(&format!("move {index}")), nth, &Some(mv), &position.nth_move(player, index))?;
            }
            same(
                &at("what stands behind the last move"),
                nth,
                &None,
                &position.nth_move(player, list.len()),
            )?;
            let mut passed: Vec<G::Move> = Vec::new();
            let mut index = 0;
            position.moves_of(
                player,
                &mut Filter::new(&mut passed, |_: &G::Move| {
                    index += 1;
                    index % 2 == 1
                }),
            );
            let every_other = list.iter().copied().step_by(2).collect::<Vec<_>>();
            same(&at("every other move"), ["the list", "a filter"], &every_other, &passed)?;
        }
    }
    Ok(())
}

/// `is_legal` says yes to the listed moves and to no other: it is asked about the moves of all positions of the game and of both
/// players.
pub fn is_legal_is_the_list<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    const PROBES: usize = 100;
    let mut known: HashSet<G::Move> = HashSet::new();
    let mut pool: Vec<G::Move> = Vec::new();
    let lists: Vec<[G::Moves; 2]> = walk
        .positions()
        .iter()
        .map(|position| Player::BOTH.map(|player| position.move_list(player)))
        .collect();
    for list in lists.iter().flatten() {
        pool.extend(list.as_ref().iter().copied().filter(|&mv| known.insert(mv)));
    }
    for (index, (position, lists)) in walk.positions().iter().zip(&lists).enumerate() {
        for (player, list) in Player::BOTH.into_iter().zip(lists) {
            let list = list.as_ref();
            // Of a large pool another part each time.
            let foreign =
                pool.iter().cycle().skip(index * PROBES % pool.len().max(1)).take(PROBES.min(pool.len()));
            for &mv in list.iter().take(PROBES).chain(foreign) {
                let listed = list.contains(&mv);
                holds(position.is_legal(player, mv) == listed, || {
                    let [says, list] =
                        if listed { ["denies", "lists it"] } else { ["allows", "does not list it"] };
                    format!(
                        "`is_legal` {says} the move `{mv}` of {player} at `{position}`; the generator {list}"
                    )
                })?;
            }
        }
    }
    Ok(())
}

/// `sample` draws legal moves only, and each of them now and then: looked at where the game stands last.
pub fn sample_reaches_every_move<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    let position = last_with_moves(walk);
    for player in Player::BOTH {
        let moves = position.move_list(player);
        let moves = moves.as_ref();
        let drawn = draw(position, player, moves)?;
        if let Some(never) = drawn.counts.iter().position(|&count| count == 0) {
            return Err(format!(
                "`sample` never drew the move `{}` of {player} at `{position}`, one of {}, in {} draws",
                moves[never],
                moves.len(),
                drawn.draws
            ));
        }
    }
    Ok(())
}

/// `sample` draws all legal moves equally often, as far as thousands of draws can tell: looked at where the game stands last.
///
/// The bound is that of the chi-square distribution that chance exceeds once in 10^13 draws of the law: what it reports is never
/// bad luck. A bias is seen if a move comes a good third too often or too seldom.
pub fn sample_is_uniform<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    let position = last_with_moves(walk);
    for player in Player::BOTH {
        let moves = position.move_list(player);
        let moves = moves.as_ref();
        if moves.len() < 2 {
            continue;
        }
        let drawn = draw(position, player, moves)?;
        let expected = drawn.draws as f64 / moves.len() as f64;
        let off = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
        let statistic: f64 = drawn.counts.iter().map(off).sum();
        // The tail of chi-square with k degrees of freedom beyond k + 2 sqrt(k x) + 2 x is at most e^-x.
        let (freedom, x) = ((moves.len() - 1) as f64, 30.0_f64);
        let bound = freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x;
        holds(statistic <= bound, || {
            let by_distance = |&(_, count): &(usize, &u32)| (f64::from(*count) - expected).abs() as u64;
            let worst = drawn.counts.iter().enumerate().max_by_key(by_distance).map_or(0, |(place, _)| place);
            format!(
                "`sample` is not uniform for {player} at `{position}`: it drew `{}` {} times of {}, expected about \
                 {expected:.0} (chi-square {statistic:.0}, by chance at most {bound:.0})",
                moves[worst], drawn.counts[worst], drawn.draws
            )
        })?;
    }
    Ok(())
}

/// How often each move of a list was drawn.
struct Drawn {
    counts: Vec<u32>,
    draws: usize,
}

fn draw<G: Game>(position: &G, player: Player, moves: &[G::Move]) -> Result<Drawn, Broken> {
    let mut rng = ChaCha8Rng::seed_from_u64(moves.len() as u64);
    let places: std::collections::HashMap<G::Move, usize> = moves.iter().copied().zip(0..).collect();
    // Forty of each: one that is as likely as the others is left out once in e^40 times.
    let draws = (40 * moves.len()).max(1000);
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws {
        match position.sample(player, &mut rng) {
            None if moves.is_empty() => return Ok(Drawn { counts, draws }),
            None => return Err(format!("`sample` drew nothing for {player}, who has moves at `{position}`")),
            Some(mv) => match places.get(&mv) {
                Some(&place) => counts[place] += 1,
                None => return Err(format!("`sample` drew `{mv}` for {player}, not legal at `{position}`")),
            },
        }
    }
    Ok(Drawn { counts, draws })
}

/// The last position of a game that goes on, or its start.
fn last_with_moves<G: Game>(walk: &Walk<G>) -> &G {
    walk.positions().iter().rev().find(|position| position.end().is_none()).unwrap_or(walk.start())
}
