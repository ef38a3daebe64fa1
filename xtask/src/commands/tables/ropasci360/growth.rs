//! The cost of the RoPaSci search: leaves by depth, actions by throws.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use agents::ropasci360::{Movers, Pessimistic, Phase, RepetitionGuard, Settings, Tokens, generate};
use ropasci360::{Hex, Position, Symbol};
use search_core::{Player, SearchRng};

use super::actions;
use crate::commands::tables::verdict::Verdict;
use crate::commands::tables::{Effort, Section, fastest};

/// Three tokens a side on inner hexes, no swings, nobody in a throw zone: the report's example.
const EXAMPLE: &str = "5/6/2R1P2/8/4S2r1/8/2p1s2/6/5 3 3 20";

fn example() -> Tokens {
    // The text is a constant that a test reads.
    let position: Position = EXAMPLE.parse().unwrap_or_else(|error| unreachable!("{error}"));
    Tokens::new(&position, false)
}

/// The leaves of a tree of `depth` turns without any cut.
fn full_tree(tokens: &Tokens, depth: u32) -> u64 {
    if depth == 1 {
        return Player::BOTH.map(|player| actions(tokens, player) as u64).iter().product();
    }
    let [upper, lower] = Player::BOTH.map(|player| generate(tokens, player, Movers::Useful));
    let mut leaves = 0;
    for &first in &upper {
        for &second in &lower {
            let mut next = *tokens;
            next.play([first, second]);
            leaves += full_tree(&next, depth - 1);
        }
    }
    leaves
}

/// Nodes of the report's search.
fn searched(tokens: &Tokens, depth: u32) -> u64 {
    let settings = Settings::default();
    let mut search = Pessimistic::new(Player::One, Phase::Normal, &settings, Movers::Useful);
    black_box(search.root(tokens, depth, &RepetitionGuard::new(Player::One)));
    search.nodes
}

pub(super) fn leaves(effort: Effort) -> Section {
    let tokens = example();
    let mut section = Section {
        title: "Leaves of the search".to_owned(),
        text: format!(
            "The report's example: three tokens a side, no swings, nobody in a throw zone, so b = 3 * 6 + 3 = 21 and \
             b^(2d) leaves. Ours is counted at `{EXAMPLE}`; at depth 2 b is not the same everywhere: after the \
             first turn tokens stand beside each other and swing, or come into a throw zone."
        ),
        columns: vec![
            "depth",
            "printed",
            "ours, no cuts",
            "so the printed number",
            "ours, nodes with alpha-beta",
            "time, ratio to the slowest",
            "printed times, ratio",
        ],
        rows: Vec::new(),
    };
    let mut nodes = [0; 2];
    let spent: [Duration; 2] =
        fastest(effort.pick(1, 5), |piece| nodes[piece] = searched(&tokens, piece as u32 + 1));
    let slowest = spent[1].max(spent[0]).as_secs_f64();
    for (piece, printed, printed_time) in [(0, 441, 0.05 / 24.0), (1, 194_481, 1.0)] {
        let depth = piece as u32 + 1;
        let found = full_tree(&tokens, depth);
        section.rows.push(vec![
            depth.to_string(),
            printed.to_string(),
            found.to_string(),
            Verdict::of(found == printed).to_string(),
            nodes[piece].to_string(),
            format!("{:.4}", spent[piece].as_secs_f64() / slowest),
            format!("{printed_time:.4}"),
        ]);
    }
    let rate = |piece: usize| nodes[piece] as f64 / spent[piece].as_secs_f64().max(1e-9);
    let _ = write!(
        section.text,
        " The report's figure of about 8,000 nodes a second on the course server is 441 leaves in 0.05 s ({:.0} a second) and \
         194,481 in 24 s ({:.0}): the rate at depth 1 is {:.2} times that at depth 2. Ours is {:.2} times that at depth 2, and \
         that is {:.0} times 8,000 on this machine.",
        441.0 / 0.05,
        194_481.0 / 24.0,
        (441.0 / 0.05) / (194_481.0 / 24.0),
        rate(0) / rate(1),
        rate(1) / 8000.0
    );
    section
}

/// Random placements of `count` tokens a side, all of them thrown and none lost.
fn placement(count: u8, rng: &mut SearchRng) -> Option<Tokens> {
    let mut placed: Vec<(Hex, Player, Symbol)> = Vec::new();
    for player in Player::BOTH {
        for _ in 0..count {
            let hex = Hex::from_index(rng.below(Hex::COUNT))?;
            let symbol = placed.iter().find(|token| token.0 == hex).map(|token| token.2);
            placed.push((hex, player, symbol.unwrap_or(Symbol::ALL[rng.below(3)])));
        }
    }
    let position = Position::from_tokens(placed, [count; 2], 40).ok()?;
    Some(Tokens::new(&position, false))
}

/// The slope of the line through points at 1, 2, 3, ..., and how much of their scatter it explains.
fn line(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let (x, y) = (count.midpoint(1.0), values.iter().sum::<f64>() / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (place, value) in (1..).zip(values) {
        let (dx, dy) = (f64::from(place) - x, value - y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    (xy / xx, xy * xy / (xx * yy))
}

pub(super) fn growth(effort: Effort) -> Section {
    let samples = effort.pick(20, 400);
    let mut section = Section {
        title: "Growth with throws".to_owned(),
        text: String::new(),
        columns: vec![
            "tokens a side",
            "b by the formula",
            "b counted, mean",
            "b counted, most",
            "leaves of one turn, b^2",
            "of two turns, b^4",
            "times those with one token less",
        ],
        rows: Vec::new(),
    };
    let mut rng = SearchRng::new(1, "growth");
    let mut means: Vec<f64> = Vec::new();
    for count in 1..=9_u8 {
        let counts: Vec<usize> = (0..samples)
            .filter_map(|_| placement(count, &mut rng))
            .map(|tokens| actions(&tokens, Player::One))
            .collect();
        let mean = counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
        let throws = if count < 9 { 3 } else { 0 };
        section.rows.push(vec![
            count.to_string(),
            (6 * u32::from(count) + throws).to_string(),
            format!("{mean:.1}"),
            counts.iter().max().unwrap_or(&0).to_string(),
            format!("{:.0}", mean.powi(2)),
            format!("{:.0}", mean.powi(4)),
            means.last().map_or(String::new(), |before| format!("{:.1}", (mean / before).powi(4))),
        ]);
        means.push(mean);
    }
    // With nine thrown there are no throws left, so the line goes through the others.
    let (slope, explained) = line(&means[..8]);
    section.text = format!(
        "The report: an opponent who throws all tokens raises b by a linear amount, which weighs heavily at a depth of 2. For each \
         number of tokens on the board and thrown, {samples} random placements: the actions that the report's generator gives a \
         side, by the report's formula (6 moves a token, 3 throws) and counted. Through the first eight rows goes a line of \
         {slope:.1} actions a token that explains {:.1} % of the scatter, so the linear growth {}; the leaves of two turns grow \
         with its fourth power.",
        100.0 * explained,
        Verdict::of(explained > 0.95)
    );
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_has_the_printed_number_of_leaves() {
        let tokens = example();
        assert_eq!(full_tree(&tokens, 1), 441);
        assert_eq!(21_u64.pow(4), 194_481);
    }

    #[test]
    fn a_line_is_found() {
        let (slope, explained) = line(&[1.0, 4.0, 7.0, 10.0]);
        assert!((slope - 3.0).abs() < 1e-12 && (explained - 1.0).abs() < 1e-12);
        assert!(line(&[1.0, 9.0, 1.0, 9.0]).1 < 0.5);
    }
}
