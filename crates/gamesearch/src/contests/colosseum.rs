//! Colosseum Survival: a grid with walls; at the end each player's zone is coloured.

use std::fmt::Write as _;

use ::colosseum::{Cell, Move, Position, Side};
use agents::Catalogue;
use arena::Drawing;
use search_core::{Player, TurnBased};

use super::draw::{fill, text};
use crate::Listed;

impl Listed for Position {
    const OFFICIAL: Option<&'static str> = Some("movetime=2s,first=30s");

    const PERFT: &'static str = include_str!("../../../colosseum/tests/data/perft.txt");

    fn catalogue() -> Catalogue<Self> {
        agents::colosseum::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }
}

const EDGE: f64 = 24.0;

fn draw(position: &Position, last: Option<(&Position, Move)>) -> Drawing {
    let size = position.size();
    let cell_size = 420.0 / f64::from(size);
    let width = 2.0 * EDGE + 420.0;
    let corner =
        |cell: Cell| (EDGE + f64::from(cell.column()) * cell_size, EDGE + f64::from(cell.row()) * cell_size);
    let cells: Vec<Cell> =
        (0..size).flat_map(|row| (0..size).filter_map(move |column| Cell::new(row, column))).collect();
    let mut board =
        format!("<rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"420\" height=\"420\" fill=\"var(--wood)\"/>");
    for number in 0..size {
        let along = EDGE + (f64::from(number) + 0.5) * cell_size;
        board.push_str(&text(
            along,
            width - EDGE / 2.0,
            12,
            "var(--soft)",
            &char::from(b'a' + number).to_string(),
        ));
        board.push_str(&text(EDGE / 2.0, along, 12, "var(--soft)", &(number + 1).to_string()));
        let line = EDGE + f64::from(number) * cell_size;
        let _ = write!(
            board,
            "<path d=\"M{EDGE} {line:.1}H{0:.1}M{line:.1} {EDGE}V{0:.1}\" stroke=\"var(--wood2)\" fill=\"none\"/>",
            EDGE + 420.0
        );
    }
    let mut elements = vec![board];
    let over = position.is_over();
    for &cell in &cells {
        let (x, y) = corner(cell);
        let owner = Player::BOTH.into_iter().find(|&player| over && position.zone(player).contains(cell));
        elements.push(match owner {
            Some(player) => format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell_size:.1}\" height=\"{cell_size:.1}\" fill=\"{}\" opacity=\".3\"/>",
                fill(player)
            ),
            None => "<g/>".to_owned(),
        });
    }
    for &cell in &cells {
        let (x, y) = corner(cell);
        for side in [Side::Up, Side::Left, Side::Down, Side::Right] {
            // Each inner wall once: as the upper or left side; the border as what it is.
            let border_only = matches!(side, Side::Down | Side::Right);
            if border_only && cell.neighbour(side).is_some_and(|neighbour| position.has_cell(neighbour)) {
                continue;
            }
            let path = match side {
                Side::Up => format!("M{x:.1} {y:.1}h{cell_size:.1}"),
                Side::Left => format!("M{x:.1} {y:.1}v{cell_size:.1}"),
                Side::Down => format!("M{x:.1} {:.1}h{cell_size:.1}", y + cell_size),
                Side::Right => format!("M{:.1} {y:.1}v{cell_size:.1}", x + cell_size),
            };
            let new = last.is_some_and(|(before, _)| !before.has_wall(cell, side));
            elements.push(if position.has_wall(cell, side) {
                let colour = if new { "var(--loss)" } else { "var(--ink)" };
                format!(
                    "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"4\" stroke-linecap=\"round\"/>"
                )
            } else {
                "<g/>".to_owned()
            });
        }
    }
    for player in Player::BOTH {
        let (x, y) = corner(position.cell(player));
        let (x, y) = (x + cell_size / 2.0, y + cell_size / 2.0);
        let name = if player == Player::One { "A" } else { "B" };
        elements.push(format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{}\"/>{}",
            cell_size * 0.33,
            fill(player),
            text(x, y, 15, "var(--on)", name)
        ));
    }
    let label = match position.scores() {
        Some([one, two]) if over => format!("A {one} cells, B {two}"),
        _ if position.to_move() == Player::One => "A (p1) to move".to_owned(),
        _ => "B (p2) to move".to_owned(),
    };
    elements.push(text(width / 2.0, EDGE / 2.0, 13, "var(--ink)", &label));
    Drawing { width, height: width, elements }
}
