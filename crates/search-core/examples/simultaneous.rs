//! `cargo run --release --example simultaneous`: what two simultaneous games are worth if one player shows the move first.

use search_core::{Ends, Player, Record, Serialized, Serially, Simultaneous, Standard, Zero, reference};
use toys::matrix_games::{BiasedRps, TwoStage};

/// The value for the first player if `leader` shows every move first.
fn value_if_first<G: Simultaneous<Setup = Standard>>(leader: Player) -> i32 {
    let record = Record::new(Serialized::new(G::initial(&Standard, 0), leader));
    let score = reference::minimax(&record, 8, &Serially(Zero), Ends::Utility).score.value();
    if leader == Player::One { score } else { -score }
}

fn show<G: Simultaneous<Setup = Standard>>(value: &str) {
    let [low, high] = Player::BOTH.map(value_if_first::<G>);
    println!("{:10} between {low:3} (p1 shows first) and {high:3} (p2 shows first); truly {value}", G::NAME);
}

fn main() {
    show::<BiasedRps>("0");
    show::<TwoStage>("3/4");
}
