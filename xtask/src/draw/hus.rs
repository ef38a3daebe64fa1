//! Hus: four rows of pits, the first player below.

use arena::Drawing;
use hus::{Hus, Pit};
use search_core::{Player, TurnBased};

use super::{fill, text};

const CELL: f64 = 40.0;
const GAP: f64 = 12.0;
const TOP: f64 = 26.0;

/// The centre of a pit, seen from the first player's side.
fn place(player: Player, pit: Pit) -> (f64, f64) {
    let index = pit.index();
    // 0 to 15 run left to right in the outer row, 16 to 31 back again in the inner one.
    let (column, inner) = if index < 16 { (index, false) } else { (31 - index, true) };
    let (column, row) = match (player, inner) {
        (Player::One, false) => (column, 3),
        (Player::One, true) => (column, 2),
        (Player::Two, false) => (15 - column, 0),
        (Player::Two, true) => (15 - column, 1),
    };
    let gap = if row >= 2 { GAP } else { 0.0 };
    (10.0 + (column as f64 + 0.5) * CELL, TOP + (f64::from(row) + 0.5) * CELL + gap)
}

pub(crate) fn draw(position: &Hus, last: Option<(&Hus, Pit)>) -> Drawing {
    let (width, height) = (20.0 + 16.0 * CELL, 2.0 * TOP + 4.0 * CELL + GAP);
    let mut elements = vec![format!(
        "<rect x=\"2\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"14\" fill=\"var(--wood)\"/>",
        TOP - 6.0,
        width - 4.0,
        4.0 * CELL + GAP + 12.0
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
            elements
                .push(format!("<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"17\" fill=\"var(--wood2)\" {ring}/>"));
            elements.push(match count {
                0 => "<g/>".to_owned(),
                count => {
                    // The area of the disc is the number of seeds, up to the size of the pit.
                    let radius = (5.0 * f64::from(count).sqrt()).clamp(8.0, 16.0);
                    format!(
                        "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{radius:.1}\" fill=\"{}\"/>{}",
                        fill(player),
                        text(x, y, 13, "#fff", &count.to_string())
                    )
                }
            });
        }
        let (y, name) = if player == Player::One { (height - 10.0, "p1") } else { (10.0, "p2") };
        let mark = if position.to_move() == player { " to move" } else { "" };
        let label = format!("{name}: {} seeds{mark}", position.seeds(player));
        elements.push(text(width / 2.0, y, 14, fill(player), &label));
    }
    Drawing { width, height, elements }
}
