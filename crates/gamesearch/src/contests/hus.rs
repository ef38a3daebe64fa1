//! Hus: four rows of pits, the first player below.

use ::hus::{Pit, Position};
use agents::Catalogue;
use arena::Drawing;
use search_core::{Game as _, Player, TurnBased};

use super::draw::{fill, text};
use crate::Listed;

impl Listed for Position {
    const OFFICIAL: Option<&'static str> = Some("movetime=2s,first=30s");

    const PERFT: &'static str = include_str!("../../../hus/tests/data/perft.txt");

    fn catalogue() -> Catalogue<Self> {
        agents::hus::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }
}

// Whole numbers: a report holds hundreds of thousands of pits, and fractions take long to write.
const CELL: i32 = 40;
const GAP: i32 = 12;
const TOP: i32 = 26;

/// The centre of a pit, seen from the first player's side.
fn place(player: Player, pit: Pit) -> (i32, i32) {
    let index = pit.index() as i32;
    // 0 to 15 run left to right in the outer row, 16 to 31 back again in the inner one.
    let (column, inner) = if index < 16 { (index, false) } else { (31 - index, true) };
    let (column, row) = match (player, inner) {
        (Player::One, false) => (column, 3),
        (Player::One, true) => (column, 2),
        (Player::Two, false) => (15 - column, 0),
        (Player::Two, true) => (15 - column, 1),
    };
    let gap = if row >= 2 { GAP } else { 0 };
    (10 + column * CELL + CELL / 2, TOP + row * CELL + CELL / 2 + gap)
}

fn draw(position: &Position, last: Option<(&Position, Pit)>) -> Drawing {
    let (width, height) = (20 + 16 * CELL, 2 * TOP + 4 * CELL + GAP);
    let mut elements = vec![format!(
        "<rect x=\"2\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"14\" fill=\"var(--wood)\"/>",
        TOP - 6,
        width - 4,
        4 * CELL + GAP + 12
    )];
    let played = last.map(|(before, pit)| (before.to_move(), pit));
    for player in Player::BOTH {
        for pit in (0..32).filter_map(Pit::new) {
            let (x, y) = place(player, pit);
            let count = position.count(player, pit);
            let changed = last.is_some_and(|(before, _)| before.count(player, pit) != count);
            let ring = if played == Some((player, pit)) {
                "stroke=\"var(--ink)\" stroke-width=\"3\""
            } else if changed {
                "stroke=\"var(--ink)\" stroke-width=\"1.5\" stroke-dasharray=\"3 2\""
            } else {
                "stroke=\"var(--wood2)\" stroke-width=\"1\""
            };
            elements.push(format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"var(--wood2)\" {ring}/>"));
            elements.push(match count {
                0 => "<g/>".to_owned(),
                count => {
                    // The area of the disc is the number of seeds, up to the size of the pit.
                    let radius = (5.0 * f64::from(count).sqrt()).clamp(10.0, 16.0).round() as i32;
                    format!(
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/><text x=\"{x}\" y=\"{y}\" \
                         font-size=\"16\" fill=\"var(--on)\" text-anchor=\"middle\" \
                         dominant-baseline=\"central\">{count}</text>",
                        fill(player)
                    )
                }
            });
        }
        let (y, name) = if player == Player::One { (height - 10, "p1") } else { (10, "p2") };
        let mark = if position.to_move() == player && position.end().is_none() { ", to move" } else { "" };
        let label = format!("{name}: {} seeds{mark}", position.seeds(player));
        elements.push(text(f64::from(width / 2), f64::from(y), 16, fill(player), &label));
    }
    Drawing { width: f64::from(width), height: f64::from(height), elements }
}
