//! The crate against a second implementation of the rules.

use ropasci360::{Position, strategies};
use search_core::laws::{Laws, Through};

use crate::naive::Naive;

#[test]
fn the_second_implementation_agrees_on_random_games() {
    Laws::<Position>::new().cases(150).turns(150).agrees_with::<Through<Naive>>();
}

#[test]
fn the_second_implementation_agrees_on_games_from_strange_positions() {
    Laws::<Position>::new()
        .cases(300)
        .turns(25)
        .starts(strategies::anything())
        .agrees_with::<Through<Naive>>();
}
