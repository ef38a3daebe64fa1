//! `cargo run --release --example connect_four [DEPTH]`: perft of Connect Four through the contract of a game.

use std::time::Instant;

use search_core::perft;
use toys::connect_four::ConnectFour;

fn main() {
    let depth = std::env::args().nth(1).map_or(Ok(8), |text| text.parse());
    let Ok(depth @ 1..=42) = depth else {
        eprintln!("usage: connect_four [DEPTH], a depth from 1 to 42");
        std::process::exit(2);
    };
    println!("{:#}\n", ConnectFour::EMPTY);
    for depth in 1..=depth {
        let start = Instant::now();
        let leaves = perft(&ConnectFour::EMPTY, depth);
        println!("perft {depth:2} {leaves:>14} in {:.3} s", start.elapsed().as_secs_f64());
    }
}
