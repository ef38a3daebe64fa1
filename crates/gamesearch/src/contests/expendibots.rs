//! Expendibots: an eight by eight board with stacks; the first player is White.

use ::expendibots::{Action, Move, Position, Square};
use agents::Catalogue;
use arena::{Adapter, Area, Colour, Drawing, Figure, Shape, Target};
use search_core::{Game as _, Player, TurnBased};

use super::adapters::COMP30024;
use super::brushes::expendibots as brushes;
use crate::{Brush, Listed, Scale};

impl Listed for Position {
    const TITLE: &'static str = "Expendibots";

    const SIDES: [&'static str; 2] = ["White", "Black"];

    const RULES: &'static str = include_str!("rules/expendibots.md");

    const GOAL: &'static str = "\
White (p1) and Black (p2) have twelve tokens each; those on one square are a stack. Each turn, with one of your stacks, either
- move any number of its tokens in a straight line, at most as many squares as the stack was high, over everything in between,
  onto an empty square or your own tokens; or
- boom: the stack explodes with every stack that touches it, even at a corner, of either colour, and those that touch these.
You win when your opponent has no token left and you have. If the last ones go together, or a position occurs for the fourth
time, or after 250 turns, it is a draw.";

    const SCALES: &'static [(&'static str, Scale)] = &[
        ("minimax", Scale::new(0.0, 350_000.0)),
        ("alphabeta", Scale::new(0.0, 80_000.0)),
        ("mcts", Scale::new(0.0, 340.0)),
        // The ratio of the sides' tokens, in thousandths.
        ("report", Scale::new(1080.0, 300.0)),
        ("champion", Scale::new(0.0, 95.0)),
        ("level", Scale::new(0.0, 95.0)),
        ("", Scale::POINTS),
    ];

    const OFFICIAL: Option<&'static str> = Some("gametime=60s");

    // About half a millisecond a move each.
    const USUAL: &'static [(&'static str, &'static str)] = &[
        ("", "nodes=2500,playouts=450"),
        ("mcts", "playouts=450"),
        ("minimax", "nodes=18000"),
        ("champion", "nodes=2000"),
    ];

    const NOTATION: &'static str = "\
2a1a3   two tokens go from a1 to a3
b7!     the stack on b7 booms";

    const PERFT: &'static str = ::expendibots::PERFT;

    const ADAPTERS: &'static [Adapter] = &[COMP30024];

    fn openings(_: &Self::Setup) -> Option<&'static str> {
        Some(include_str!("openings/expendibots.txt"))
    }

    const BRUSHES: &'static [Brush] = brushes::BRUSHES;

    fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
        brushes::edit(text, brush, target)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::expendibots::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }

    fn areas(position: &Self) -> Vec<Area> {
        let area = |square: Square| {
            let (x, y) = place(square);
            let figure = Figure::Rect(x - CELL / 2.0, y - CELL / 2.0, CELL, CELL, 0.0);
            let name = match position.stack(square) {
                None => format!("{square}, empty"),
                Some((player, 1)) => format!("{square}, 1 {} token", Self::SIDES[player.index()]),
                Some((player, height)) => {
                    format!("{square}, {height} {} tokens", Self::SIDES[player.index()])
                }
            };
            Area { target: square.to_string(), figure, name, label: None }
        };
        Square::all().map(area).collect()
    }

    fn path(position: &Self, _: Player, mv: Move) -> Vec<Target> {
        match mv.action() {
            Action::Boom(square) => vec![square.to_string(), "boom".to_owned()],
            // A single token needs no number.
            Action::Shift { from, to, .. } if position.height(from) == 1 => {
                vec![from.to_string(), to.to_string()]
            }
            Action::Shift { count, from, to } => vec![from.to_string(), count.to_string(), to.to_string()],
        }
    }

    fn passed(position: &Self) -> Option<Self> {
        let stacks = Square::all()
            .filter_map(|square| position.stack(square).map(|(player, height)| (square, player, height)));
        let plies = position.plies();
        Position::from_stacks(stacks, if plies == 0 { 1 } else { plies - 1 }).ok()
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
    let mut board = Vec::new();
    for square in Square::all() {
        let (x, y) = place(square);
        let dark = (square.file() + square.rank()) % 2 == 0;
        let colour = if dark { Colour::Dark } else { Colour::Wood };
        board.push(Shape::rect(x - CELL / 2.0, y - CELL / 2.0, CELL, CELL).fill(colour));
    }
    for number in 0..8_u8 {
        let along = EDGE + (f64::from(number) + 0.5) * CELL;
        let file = char::from(b'a' + number).to_string();
        board.push(Shape::text(along, size - EDGE / 2.0, 12.0, Colour::Soft, file));
        board.push(Shape::text(EDGE / 2.0, along, 12.0, Colour::Soft, (8 - number).to_string()));
    }
    let mut shapes = vec![Shape::group(board)];
    shapes.extend(Square::all().map(|square| piece(position, last, square)));
    let mover = match position.to_move() {
        _ if position.end().is_some() => "game over",
        Player::One => "White (p1) to move",
        Player::Two => "Black (p2) to move",
    };
    let label =
        format!("{mover}, {} : {} tokens", position.tokens(Player::One), position.tokens(Player::Two));
    shapes.push(Shape::text(size / 2.0, EDGE / 2.0, 13.0, Colour::of(position.to_move()), label));
    Drawing { width: size, height: size, shapes }
}

/// What stands on a square, or what the last move left there.
fn piece(position: &Position, last: Option<(&Position, Move)>, square: Square) -> Shape {
    let (x, y) = place(square);
    // What the last move blew up is shown where it stood.
    let gone =
        last.and_then(|(before, _)| before.stack(square)).is_some() && position.stack(square).is_none();
    let moved = last.is_some_and(|(_, mv)| mv.from() == square || (!mv.is_boom() && mv.to() == square));
    let boom = gone && last.is_some_and(|(_, mv)| mv.is_boom());
    match position.stack(square) {
        Some((player, height)) => {
            let layers = u32::from(height).min(4);
            let mut stack: Vec<Shape> = (0..layers)
                .map(|layer| {
                    Shape::circle(x, y - f64::from(layer) * 3.0, 17.0)
                        .fill(Colour::of(player))
                        .stroke(Colour::Card, 1.0)
                })
                .collect();
            let top = y - f64::from(layers - 1) * 3.0;
            if moved {
                stack.push(Shape::circle(x, top, 17.0).stroke(Colour::Ink, 3.0));
            }
            stack.push(Shape::text(x, top, 16.0, Colour::On, height.to_string()));
            Shape::group(stack)
        }
        None if boom => Shape::text(x, y, 26.0, Colour::Loss, "✸"),
        None if moved => Shape::circle(x, y, 6.0).stroke(Colour::Ink, 2.0),
        None => Shape::nothing(),
    }
}
