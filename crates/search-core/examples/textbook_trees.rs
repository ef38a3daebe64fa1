//! `cargo run --release --example textbook_trees [TREE]`: minimax and alpha-beta on a tree given as text.

use search_core::{Ends, Record, Zero, reference};
use toys::textbook_tree::Tree;

fn main() {
    let text = std::env::args().nth(1).unwrap_or("p1 0(0(3 12 8) 0(2 4 6) 0(14 5 2))".to_owned());
    let tree: Tree = match text.parse() {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    };
    println!("{tree}");
    let record = Record::new(tree);
    for (name, found) in [
        ("minimax", reference::minimax(&record, 64, &Zero, Ends::Utility)),
        ("alpha-beta", reference::alpha_beta(&record, 64, &Zero, Ends::Utility)),
    ] {
        let best = found.best.map_or("none".to_owned(), |branch| branch.to_string());
        println!("{name:10}  value {}, best branch {best}, {} leaves", found.score, found.leaves);
    }
}
