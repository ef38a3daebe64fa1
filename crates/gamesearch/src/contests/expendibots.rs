//! Expendibots: an eight by eight board with stacks; the first player is White.

use std::fmt::Write as _;

use ::expendibots::{Move, Position, Square};
use agents::Catalogue;
use arena::Drawing;
use search_core::{Game as _, Player, TurnBased};

use super::draw::{fill, text};
use crate::Listed;

impl Listed for Position {
    const OFFICIAL: Option<&'static str> = Some("gametime=60s");

    const PERFT: &'static str = include_str!("../../../expendibots/tests/data/perft.txt");

    fn catalogue() -> Catalogue<Self> {
        agents::expendibots::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }
}

const CELL: f64 = 48.0;
const EDGE: f64 = 22.0;

/// The centre of a square; rank 1 is at the bottom.
fn place(square: Square) -> (f64, f64) {
    (EDGE + (f64::from(square.file()) + 0.5) * CELL, EDGE + (7.0 - f64::from(square.rank()) + 0.5) * CELL)
}

fn draw(position: &Position, last: Option<(&Position, Move)>) -> Drawing {
    let size = 2.0 * EDGE + 8.0 * CELL;
    let mut elements = Vec::new();
    let mut board = String::new();
    for square in Square::all() {
        let (x, y) = place(square);
        let dark = (square.file() + square.rank()) % 2 == 0;
        let colour = if dark { "var(--wood2)" } else { "var(--wood)" };
        let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
        let _ = write!(
            board,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\"/>"
        );
    }
    for number in 0..8_u8 {
        let along = EDGE + (f64::from(number) + 0.5) * CELL;
        let file = char::from(b'a' + number).to_string();
        board.push_str(&text(along, size - EDGE / 2.0, 12, "var(--soft)", &file));
        board.push_str(&text(EDGE / 2.0, along, 12, "var(--soft)", &(8 - number).to_string()));
    }
    elements.push(board);
    for square in Square::all() {
        let (x, y) = place(square);
        // What the last move blew up is shown where it stood.
        let gone =
            last.and_then(|(before, _)| before.stack(square)).is_some() && position.stack(square).is_none();
        let moved = last.is_some_and(|(_, mv)| mv.from() == square || (!mv.is_boom() && mv.to() == square));
        let boom = gone && last.is_some_and(|(_, mv)| mv.is_boom());
        elements.push(match position.stack(square) {
            Some((player, height)) => {
                let ring = if moved { "stroke=\"var(--ink)\" stroke-width=\"3\"" } else { "" };
                let mut stack = String::new();
                for layer in 0..u32::from(height).min(4) {
                    let lift = f64::from(layer) * 3.0;
                    let _ = write!(stack, "<circle cx=\"{x:.0}\" cy=\"{:.0}\" r=\"17\" fill=\"{}\" stroke=\"var(--card)\" stroke-width=\"1\"/>",
                        y - lift,
                        fill(player));
                }
                let top = y - f64::from(u32::from(height).min(4) - 1) * 3.0;
                format!(
                    "{stack}<circle cx=\"{x:.0}\" cy=\"{top:.0}\" r=\"17\" fill=\"none\" {ring}/>{}",
                    text(x, top, 16, "var(--on)", &height.to_string())
                )
            }
            None if boom => text(x, y, 26, "var(--loss)", "✸"),
            None if moved => {
                format!("<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"6\" fill=\"none\" stroke=\"var(--ink)\" stroke-width=\"2\"/>")
            }
            None => "<g/>".to_owned(),
        });
    }
    let mover = match position.to_move() {
        _ if position.end().is_some() => "game over",
        Player::One => "White (p1) to move",
        Player::Two => "Black (p2) to move",
    };
    let label =
        format!("{mover}, {} : {} tokens", position.tokens(Player::One), position.tokens(Player::Two));
    elements.push(text(size / 2.0, EDGE / 2.0, 13, fill(position.to_move()), &label));
    Drawing { width: size, height: size, elements }
}
