//! What the tests from Python are compared with, played without Python: `native record GAME N` prints N random games, one a line;
//! `native playouts GAME N` plays N random games as fast as it can and prints how many turns they had.
//!
//! A line of the record: the start of the game, its turns, the key before each turn and after the last, the number of legal
//! turns there, the outcome and the reason, divided by tabs.

use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use gamesearch::{Listed, Visitor, contests};
use search_core::{Record, SearchRng, play_out, sample_turn, turn_count};

fn main() -> Result<(), Box<dyn Error>> {
    const USAGE: &str = "expected `record GAME N` or `playouts GAME N`";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, game, number] = &arguments[..] else { return Err(USAGE.into()) };
    let done = match command.as_str() {
        "record" => contests::with_game(game, Games(number.parse()?)),
        "playouts" => contests::with_game(game, Playouts(number.parse()?)),
        _ => return Err(USAGE.into()),
    };
    done.ok_or("there is no such game")?
}

/// Prints random games.
struct Games(u64);

impl Visitor for Games {
    type Output = Result<(), Box<dyn Error>>;

    fn visit<G: Listed>(self) -> Self::Output {
        let mut out = BufWriter::new(stdout().lock());
        for seed in 0..self.0 {
            let mut rng = SearchRng::new(seed, "native record");
            let mut record = Record::new(G::initial(&G::Setup::default(), seed));
            let (mut keys, mut counts) = (Vec::new(), Vec::new());
            loop {
                keys.push(format!("{:x}", record.position().key()));
                counts.push(turn_count(record.position()).to_string());
                if record.end().is_some() {
                    break;
                }
                let turn =
                    sample_turn(record.position(), &mut rng).ok_or("a game that goes on has a turn")?;
                record.play(turn)?;
            }
            let end = record.end().ok_or("the game is over")?;
            let (turns, keys, counts) = (record.turn_texts().join(" "), keys.join(" "), counts.join(" "));
            let (start, outcome, reason) = (record.start(), end.outcome, end.reason);
            writeln!(out, "{start}\t{turns}\t{keys}\t{counts}\t{outcome}\t{reason}")?;
        }
        Ok(out.flush()?)
    }
}

/// Plays random games from the start, as `gamesearch.playouts` does.
struct Playouts(u64);

impl Visitor for Playouts {
    type Output = Result<(), Box<dyn Error>>;

    fn visit<G: Listed>(self) -> Self::Output {
        let start = G::initial(&G::Setup::default(), 0);
        let mut rng = SearchRng::new(0, "playouts");
        let turns: u64 = (0..self.0).map(|_| u64::from(play_out(&mut start.clone(), &mut rng))).sum();
        println!("{turns}");
        Ok(())
    }
}
