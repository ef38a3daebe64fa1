//! RoPaSci 360: turns played, random playouts, and both against the naive implementation of the tests.

#[path = "../../crates/ropasci360/tests/it/naive.rs"]
mod naive;

use std::hint::black_box;

use naive::Naive;
use ropasci360::Position;
use search_core::{Game, Player, SearchRng, for_each_turn};

use crate::Comparison;

/// The perft positions, each with the depth to which all its turns are played.
const POSITIONS: [(&str, u32); 6] = [
    ("5/6/7/8/9/8/7/6/5 0 0 0", 2),
    ("3R1/6/7/1P6/9/2p5/5s1/5r/5 2 3 74", 1),
    ("4r/5(RRRRr)/5(RR)1/3Ss3/(Ss)8/8/7/1(pp)4/1(ppp)3 8 9 13", 1),
    ("5/4(RRRR)1/5(Rrr)1/s7/4S4/S5R1/4(pp)2/6/(ppp)4 9 9 92", 2),
    ("5/6/7/8/1S5pp/8/7/6/2p2 9 9 279", 3),
    ("4S/S5/7/8/9/1r6/7/6/5 2 9 357", 2),
];

/// Games of one piece of playouts.
const GAMES: u64 = 200;
/// The same for the naive implementation.
const NAIVE_GAMES: u64 = 5;

/// The rows of this part.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![
        Comparison::ratio(
            "ropasci360-turns",
            "every joint turn below the six perft positions played, end test included",
            "turns",
            all_turns::<Position>,
            "arrays and loops",
            all_turns::<Naive>,
            20.0,
        ),
        Comparison::ratio(
            "ropasci360-playouts",
            "random playouts from the start",
            "turns",
            playouts::<Position>(GAMES),
            "arrays and loops",
            playouts::<Naive>(NAIVE_GAMES),
            30.0,
        ),
    ]
}

fn all_turns<G: Game>() -> u64 {
    POSITIONS
        .iter()
        .filter_map(|&(text, depth)| Some((text.parse::<G>().ok()?, depth)))
        .map(|(position, depth)| below(black_box(&position), depth))
        .sum()
}

/// The number of turns played down to `depth`; finished positions go no further.
fn below<G: Game>(position: &G, depth: u32) -> u64 {
    let mut played = 0;
    for_each_turn(position, |turn| {
        let mut next = position.clone();
        next.play_turn(turn);
        played += 1;
        if black_box(next.end()).is_none() && depth > 1 {
            played += below(&next, depth - 1);
        }
    });
    played
}

/// Each piece of work plays other games than the one before.
fn playouts<G: Game>(games: u64) -> impl FnMut() -> u64 {
    let mut rng = SearchRng::new(360, "playouts");
    move || (0..games).map(|_| playout::<G>(&mut rng)).sum()
}

/// The turns of one random game.
fn playout<G: Game>(rng: &mut SearchRng) -> u64 {
    let mut position = G::initial(&G::Setup::default(), 0);
    let mut turns = 0;
    while position.end().is_none() {
        let moves = Player::BOTH.map(|player| position.sample(player, rng));
        let Some(turn) = search_core::Turn::from_moves(position.active(), moves) else { break };
        position.play_turn(turn);
        turns += 1;
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_implementations_play_the_same_turns() {
        assert_eq!(all_turns::<Position>(), all_turns::<Naive>());
    }
}
