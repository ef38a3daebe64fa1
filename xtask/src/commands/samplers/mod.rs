//! `cargo xtask samplers`: how fast each selector of the simultaneous tree search approaches an equilibrium.

mod drawing;
mod measured;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use gamesearch::{CommandResult, Failure};
use ropasci360::Position;
use search_core::{Game, Selector, Simultaneous};
use toys::goofspiel::{Cards, Goofspiel};
use toys::oshi_zumo::{OshiZumo, Ring};

use measured::{Curve, Measurement};

/// Measure how far each selector of the simultaneous tree search is from an equilibrium, by playouts
///
/// Searches each game from its start with every selector, one to five seeds and more and more playouts, and computes what the two
/// strategies in the tree lose to best responses in the whole game (half the sum of both players' losses, in wins; positions that
/// the tree does not reach are played at random). The same settings give the same figures on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  cargo xtask samplers\n  \
    cargo xtask samplers --games goofspiel-5 --playouts 256000 --seeds 5\n  \
    cargo xtask samplers --svg docs/performance/exploitability.svg")]
pub(crate) struct Samplers {
    /// The games [default: all but goofspiel-7]
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    games: Vec<String>,
    /// The most playouts of a search; the curves begin at a thousand and go on in steps of four
    #[arg(long, default_value_t = 64_000, value_parser = clap::value_parser!(u64).range(1000..))]
    playouts: u64,
    /// How many searches each figure is the average of
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Size of a search's tree in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Draw the curves to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A selector as it is measured: its name, its parameters, and whether averages are passed on.
#[derive(Debug, Clone, Copy)]
struct Method {
    name: &'static str,
    selector: Selector,
    averaged: bool,
}

const METHODS: [Method; 7] = [
    Method { name: "decoupled UCT", selector: Selector::DecoupledUct { c: 1.4 }, averaged: false },
    Method { name: "Exp3", selector: Selector::Exp3 { exploration: 0.1 }, averaged: false },
    Method { name: "Exp3, averaged", selector: Selector::Exp3 { exploration: 0.1 }, averaged: true },
    Method {
        name: "regret matching",
        selector: Selector::RegretMatching { exploration: 0.1 },
        averaged: false,
    },
    Method {
        name: "regret matching, averaged",
        selector: Selector::RegretMatching { exploration: 0.1 },
        averaged: true,
    },
    Method {
        name: "outcome sampling",
        selector: Selector::OutcomeSampling { exploration: 0.3 },
        averaged: false,
    },
    Method { name: "matrix UCB", selector: Selector::MatrixUcb { c: 0.5 }, averaged: false },
];

/// Two endings of RoPaSci 360 without throws, three turns before the draw by the turn limit.
const ENDINGS: [(&str, &str); 2] = [
    ("ropasci360-apart", "5/6/7/8/3S1R2p/4s3/7/6/5 9 9 357"),
    ("ropasci360-close", "5/6/7/4P3/4R2s1/3r4/7/6/5 9 9 357"),
];

/// The names of all games.
fn names() -> Vec<&'static str> {
    let goofspiel = ["goofspiel-5", "goofspiel-6", "goofspiel-7"];
    goofspiel.into_iter().chain(["oshi-zumo"]).chain(ENDINGS.map(|(name, _)| name)).collect()
}

pub(crate) fn run(arguments: &Samplers) -> CommandResult {
    let all = names();
    let wanted: Vec<&str> = if arguments.games.is_empty() {
        all.iter().copied().filter(|&name| name != "goofspiel-7").collect()
    } else {
        arguments.games.iter().map(String::as_str).collect()
    };
    if let Some(unknown) = wanted.iter().find(|name| !all.contains(name)) {
        let nearest = agents::nearest(unknown, all.iter().copied());
        let hint = nearest.map_or(String::new(), |nearest| format!(", did you mean `{nearest}`?"));
        return Err(Failure::usage(format!(
            "no game is called `{unknown}`{hint} (they are {})",
            all.join(", ")
        )));
    }
    let mut panels = Vec::new();
    for name in wanted {
        let curves = measure(name, arguments)?;
        anstream::println!(
            "{name}, {} seeds, exploitability in wins:\n{}\n",
            arguments.seeds,
            table(&curves)
        );
        panels.push((name.to_owned(), curves));
    }
    if let Some(path) = &arguments.svg {
        let svg = drawing::draw(&panels).map_err(Failure::failed)?;
        fs::write(path, svg).map_err(Failure::cannot("write", &path))?;
        anstream::println!("the curves are in {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The curves of one game.
fn measure(name: &str, arguments: &Samplers) -> Result<Vec<Curve>, Failure> {
    if let Some(cards) = name.strip_prefix("goofspiel-") {
        let cards: Cards = cards.parse().map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        return Ok(curves(&Goofspiel::initial(&cards, 0), arguments));
    }
    if name == "oshi-zumo" {
        let ring = Ring { coins: 8, places: 2, least: 1 };
        return Ok(curves(&OshiZumo::initial(&ring, 0), arguments));
    }
    let text = ENDINGS.iter().find(|(ending, _)| *ending == name).map_or("", |(_, text)| text);
    let position: Position = text.parse().map_err(|error| Failure::failed(format!("{name}: {error}")))?;
    Ok(curves(&position, arguments))
}

fn curves<G: Simultaneous>(start: &G, arguments: &Samplers) -> Vec<Curve> {
    let mut most = Vec::new();
    let mut playouts = 1000;
    while playouts <= arguments.playouts {
        most.push(playouts);
        playouts *= 4;
    }
    let measurement = Measurement {
        start,
        playouts: &most,
        seeds: arguments.seeds,
        bytes: (arguments.memory as usize) << 20,
    };
    METHODS
        .iter()
        .map(|method| {
            let curve = measurement.curve(method);
            anstream::eprintln!("measured {} with {}: {:.1} s", G::NAME, method.name, curve.seconds);
            curve
        })
        .collect()
}

/// The curves as a table in Markdown.
fn table(curves: &[Curve]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let playouts = curves.first().map(|curve| curve.points.clone()).unwrap_or_default();
    let mut header = vec!["selector".to_owned()];
    header.extend(playouts.iter().map(|(playouts, _)| format!("{playouts} playouts")));
    header.push("microseconds a playout".to_owned());
    table.set_header(header);
    for curve in curves {
        let mut row = vec![curve.name.to_owned()];
        row.extend(curve.points.iter().map(|(_, loss)| format!("{loss:.4}")));
        row.push(format!("{:.1}", curve.microseconds));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_open_and_near_their_end() {
        for (name, text) in ENDINGS {
            let position: Position = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((position.end(), position.turns_left()), (None, Some(3)), "{name}");
        }
    }

    #[test]
    fn a_curve_falls_and_is_the_same_every_time() {
        let start = Goofspiel::initial(&Cards(4), 0);
        let measurement = Measurement { start: &start, playouts: &[1000, 16_000], seeds: 1, bytes: 8 << 20 };
        let method = &METHODS[3];
        let [one, two] = [measurement.curve(method), measurement.curve(method)];
        assert_eq!(one.points, two.points);
        let [(1000, first), (16_000, last)] = one.points[..] else { panic!("{:?}", one.points) };
        assert!(last < first && last < 0.2 && last > -1e-9, "{first} and then {last}");
    }
}
