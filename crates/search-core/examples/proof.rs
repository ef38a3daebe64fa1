//! Proves a win in Connect Four: `cargo run --release -p search-core --example proof`.

use search_core::{Limits, Player, ProofResult, ProofSearch, ProofSettings, Record};
use toys::connect_four::ConnectFour;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut record = Record::new(ConnectFour::EMPTY);
    for column in "c a d a".split(' ') {
        record.play(column.parse()?)?;
    }
    println!("{:#}", record.position());
    let mut search = ProofSearch::new(ProofSettings::default());
    for player in Player::BOTH {
        let analysis = search.prove(&record, player, Limits::nodes(2_000_000));
        let nodes = analysis.stats.nodes;
        match analysis.result {
            ProofResult::Proven => {
                let line: Vec<String> = analysis.line.iter().map(ToString::to_string).collect();
                println!("{player} wins: {} ({nodes} nodes)", line.join(" "));
            }
            ProofResult::Disproven => println!("{player} cannot force a win ({nodes} nodes)"),
            ProofResult::Unknown => println!("{player}: not known after {nodes} nodes"),
        }
    }
    Ok(())
}
