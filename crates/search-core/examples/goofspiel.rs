//! Goofspiel, exactly and by sampling:
//!
//! - `cargo run --release --example goofspiel -- [CARDS]`: prizes falling, an equilibrium and a sampled strategy,
//! - `cargo run --release --example goofspiel -- random [CARDS]`: prizes in random order, every subgame solved.

use std::time::Instant;

use search_core::{
    Ends, Game, Hooks, Limits, Player, Record, Search, SimultaneousSearch, SimultaneousSettings, SmMcts,
    SmMctsSettings, Zero, exploitability,
};
use toys::goofspiel::{Cards, Goofspiel};
use toys::goofspiel_random;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => falling(Cards::default()),
        ["random"] => random(Cards(8)),
        ["random", cards] => random(cards.parse()?),
        [cards] => falling(cards.parse()?),
        _ => Err("usage: goofspiel [CARDS] or goofspiel random [CARDS], with 1 to 13 cards".into()),
    }
}

fn random(cards: Cards) -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let found = goofspiel_random::solve(cards.0, |size| {
        eprintln!("{:>8.1} s: all subgames with {size} cards", started.elapsed().as_secs_f64());
    });
    println!("{cards} cards, prizes in random order; the first bids of an equilibrium in per cent:");
    print!("prize");
    (1..=cards.0).for_each(|card| print!(" {card:>5}"));
    println!();
    for (prize, bids) in found.bids.iter().enumerate() {
        print!("{:>5}", prize + 1);
        bids.iter().for_each(|share| print!(" {:>5.1}", 100.0 * share));
        println!();
    }
    println!(
        "worth {:+.3} points; {} subgames, {} of them solved, by {} matrix games, in {:.2} s with {} MB",
        // Rounded as it is printed, without a sign of nothing.
        (found.value * 1000.0).round() / 1000.0 + 0.0,
        found.subgames,
        found.solved,
        found.matrices,
        started.elapsed().as_secs_f64(),
        found.bytes >> 20
    );
    Ok(())
}

fn falling(cards: Cards) -> Result<(), Box<dyn std::error::Error>> {
    let start = Goofspiel::initial(&cards, 0);
    let record = Record::new(start);
    let settings = SimultaneousSettings { ends: Ends::Utility, ..SimultaneousSettings::default() };
    let mut exact = SimultaneousSearch::new(Hooks::new(Zero), settings);
    let analysis = exact.analyse(&record, Limits::depth(u32::from(cards.0)));
    println!("{cards} cards, prizes falling; the first bid of an equilibrium:");
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
