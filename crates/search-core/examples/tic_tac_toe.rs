//! `cargo run --release --example tic_tac_toe`: solves tic-tac-toe by minimax and by alpha-beta, and compares the effort.

use search_core::{Ends, Record, Zero, reference};
use toys::tic_tac_toe::TicTacToe;

fn main() {
    let record = Record::new(TicTacToe::default());
    let full = reference::minimax(&record, 9, &Zero, Ends::Outcome);
    let pruned = reference::alpha_beta(&record, 9, &Zero, Ends::Outcome);
    println!("value for the first player: {}", full.score);
    println!("minimax     {:>7} nodes, {:>7} leaves", full.nodes, full.leaves);
    println!("alpha-beta  {:>7} nodes, {:>7} leaves", pruned.nodes, pruned.leaves);
}
