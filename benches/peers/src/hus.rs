//! Random playouts of Hus against random playouts of Oware by `board-game`: two games of sowing, plies per second.

use std::hint::black_box;

use benches::Comparison;
use board_game::board::Board;
use board_game::games::oware::OwareBoard;
use rand08::SeedableRng;
use search_core::{Game, SearchRng, TurnBased};

/// Games per piece of work.
const GAMES: u32 = 1000;

/// Random games of Oware can go round in circles; so long a one is given up.
const LONGEST: u64 = 2000;

fn ours(rng: &mut SearchRng) -> u64 {
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut position = hus::Position::start();
        while let Some(pit) = position.sample(position.to_move(), rng) {
            position.play(pit);
            plies += 1;
        }
        black_box(position.end());
    }
    plies
}

/// The usual board of twelve pits with four seeds each.
fn oware(rng: &mut rand08::rngs::SmallRng) -> u64 {
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut board = OwareBoard::<6>::default();
        let last = plies + LONGEST;
        while plies < last && board.play_random_available_move(rng).is_ok() {
            plies += 1;
        }
        black_box(board.outcome());
    }
    plies
}

/// The rows of this game.
pub(crate) fn rows() -> Vec<Comparison> {
    let mut own = SearchRng::new(1, "hus playouts");
    let mut other = rand08::rngs::SmallRng::seed_from_u64(1);
    vec![Comparison::ratio(
        "hus-playouts-oware",
        "1,000 uniform random games from the start",
        "plies",
        move || ours(&mut own),
        "board-game 0.8, Oware",
        move || oware(&mut other),
        1.3,
    )]
}
