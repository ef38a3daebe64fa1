//! Solves Goofspiel exactly and by sampling: `cargo run --release --example goofspiel -- [CARDS]`.

use search_core::{
    Ends, Game, Hooks, Limits, Player, Record, Search, SimultaneousSearch, SimultaneousSettings, SmMcts,
    SmMctsSettings, Zero, exploitability,
};
use toys::goofspiel::{Cards, Goofspiel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cards: Cards = std::env::args().nth(1).map_or(Ok(Cards::default()), |text| text.parse())?;
    let start = Goofspiel::initial(&cards, 0);
    let record = Record::new(start);
    let settings = SimultaneousSettings { ends: Ends::Utility, ..SimultaneousSettings::default() };
    let mut exact = SimultaneousSearch::new(Hooks::new(Zero), settings);
    let analysis = exact.analyse(&record, Limits::depth(u32::from(cards.0)));
    println!("{} cards, prizes falling; the first bid of an equilibrium:", cards.0);
    if let Some(mixed) = &analysis.mixed {
        for (card, share) in &mixed.strategies[0] {
            println!("  card {card}: {:5.1} %", 100.0 * share);
        }
        println!("  worth {:+.3} points, gap {:.1e}, {} nodes", mixed.value, mixed.gap, analysis.stats.nodes);
    }

    let mut sampled = SmMcts::new(Hooks::new(Zero), SmMctsSettings::default());
    sampled.new_game(1);
    let report =
        exploitability(&start, Player::One, u32::from(cards.0), Ends::Outcome, 1_000_000, |position| {
            let analysis = sampled.analyse(&Record::new(*position), Limits::playouts(10_000));
            let only = analysis.best.map(|mv| vec![(mv, 1.0)]).unwrap_or_default();
            analysis.mixed.map_or(only, |mixed| mixed.strategies[0].clone())
        })?;
    println!(
        "regret matching with 10,000 playouts a turn loses {:.3} wins against the best answer",
        report.loss
    );
    Ok(())
}
