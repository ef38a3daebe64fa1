//! RoPaSci 360: the hexagon, Upper (the first player) at the top.

use std::f64::consts::PI;
use std::fmt::Write as _;

use ::ropasci360::{Hex, Move, Position, Symbol};
use agents::Catalogue;
use arena::Drawing;
use search_core::Player;

use super::draw::{fill, text};
use crate::Listed;

impl Listed for Position {
    const OFFICIAL: Option<&'static str> = Some("gametime=60s");

    const PERFT: &'static str = include_str!("../../../ropasci360/tests/data/perft.txt");

    fn catalogue() -> Catalogue<Self> {
        agents::ropasci360::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }
}

const RADIUS: f64 = 27.0;
const CENTRE: (f64, f64) = (250.0, 232.0);

/// The centre of a hex: row 4 is the top row.
fn place(hex: Hex) -> (f64, f64) {
    let (r, q) = (f64::from(hex.r()), f64::from(hex.q()));
    (CENTRE.0 + RADIUS * 3f64.sqrt() * (q + r / 2.0), CENTRE.1 - RADIUS * 1.5 * r)
}

fn draw(position: &Position, last: Option<(&Position, [Move; 2])>) -> Drawing {
    let mut board = String::new();
    for hex in Hex::all() {
        let (x, y) = place(hex);
        let corners: Vec<String> = (0..6)
            .map(|corner| {
                let angle = PI / 3.0 * f64::from(corner) + PI / 6.0;
                format!("{:.1},{:.1}", x + RADIUS * angle.cos(), y + RADIUS * angle.sin())
            })
            .collect();
        let _ = write!(
            board,
            "<polygon points=\"{}\" fill=\"var(--wood)\" stroke=\"var(--wood2)\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"8\" fill=\"var(--soft)\" text-anchor=\"middle\">{hex}</text>",
            corners.join(" "),
            y + 22.0
        );
    }
    let mut elements = vec![board];
    // The last turn: where each player's token came from and went.
    for player in Player::BOTH {
        elements.push(match last {
            None => "<g/>".to_owned(),
            Some((_, moves)) => {
                let mv = moves[player.index()];
                let (x, y) = place(mv.to());
                let ring = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"23\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>", fill(player));
                let line = mv.from().map_or(String::new(), |from| {
                    let (a, b) = place(from);
                    format!("<path d=\"M{a:.1} {b:.1}L{x:.1} {y:.1}\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/>", fill(player))
                });
                ring + &line
            }
        });
    }
    for hex in Hex::all() {
        let (x, y) = place(hex);
        let letter = match position.symbol_at(hex) {
            None => {
                elements.push("<g/>".to_owned());
                continue;
            }
            Some(Symbol::Rock) => "R",
            Some(Symbol::Paper) => "P",
            Some(Symbol::Scissors) => "S",
        };
        let counts = Player::BOTH.map(|player| position.count_at(player, hex));
        let both = counts.iter().all(|&count| count > 0);
        let mut stack = String::new();
        for player in Player::BOTH.into_iter().filter(|player| counts[player.index()] > 0) {
            // Both players can hold one hex with the same symbol: then they stand side by side.
            let shift = match (both, player) {
                (false, _) => 0.0,
                (true, Player::One) => -9.0,
                (true, Player::Two) => 9.0,
            };
            let count = counts[player.index()];
            let label = if count > 1 { format!("{count}{letter}") } else { letter.to_owned() };
            let _ = write!(
                stack,
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"{}\"/>{}",
                x + shift,
                if both { 11 } else { 17 },
                fill(player),
                text(x + shift, y, if both { 11 } else { 16 }, "var(--on)", &label)
            );
        }
        elements.push(stack);
    }
    for player in Player::BOTH {
        let (y, name) = if player == Player::One { (12.0, "Upper (p1)") } else { (456.0, "Lower (p2)") };
        let label = format!(
            "{name}: {} tokens, {} throws left",
            position.token_count(player),
            position.throws_left(player)
        );
        elements.push(text(CENTRE.0, y, 13, fill(player), &label));
    }
    elements.push(text(454.0, 30.0, 13, "var(--soft)", &format!("turn {}", position.turns())));
    Drawing { width: 500.0, height: 468.0, elements }
}
