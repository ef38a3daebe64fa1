//! Random games on every official board size: how long they last and how many plies a second they make.
//!
//! `cargo run --release -p colosseum --example playouts [PLIES] [SIZE]`

use std::time::Instant;

use colosseum::{Edition, Position, Setup};
use rand_chacha::ChaCha8Rng;
use search_core::{Game, TurnBased, stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let wanted: u64 = arguments.next().map_or(Ok(2_000_000), |text| text.parse())?;
    let only: Option<u8> = arguments.next().map(|text| text.parse()).transpose()?;
    for size in 6..=12 {
        if only.is_some_and(|only| only != size) {
            continue;
        }
        let setup = Setup::new(size, Edition::default())?;
        let starts: Vec<Position> = (0..64).map(|seed| Position::initial(&setup, seed)).collect();
        let mut rng = stream(1, "playouts");
        let (mut games, mut plies) = (0, 0);
        let clock = Instant::now();
        for start in starts.iter().cycle() {
            if plies >= wanted {
                break;
            }
            plies += play_out(*start, &mut rng);
            games += 1;
        }
        let seconds = clock.elapsed().as_secs_f64();
        println!(
            "{setup}: {games} games of {:.1} plies, {:.2} million plies a second",
            plies as f64 / f64::from(games),
            plies as f64 / seconds / 1e6
        );
    }
    Ok(())
}

/// Plays a random game to its end and says how long it was.
fn play_out(mut position: Position, rng: &mut ChaCha8Rng) -> u64 {
    let mut plies = 0;
    while let Some(mv) = position.sample(position.to_move(), rng) {
        position.play(mv);
        plies += 1;
    }
    plies
}
