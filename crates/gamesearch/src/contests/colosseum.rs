//! Colosseum Survival: a grid with walls; at the end each player's zone is coloured.

use ::colosseum::{Cell, Edition, Move, Position, Setup, Side};
use agents::Catalogue;
use arena::{Adapter, Area, Colour, Drawing, Figure, Shape, Target};
use search_core::{Player, TurnBased};

use super::adapters::COMP424;
use super::brushes::colosseum as brushes;
use crate::{Brush, Listed, Scale};

impl Listed for Position {
    const TITLE: &'static str = "Colosseum Survival";

    const SIDES: [&'static str; 2] = ["A", "B"];

    const SETUPS: &'static [(&'static str, &'static str)] = &[
        ("", "8 x 8"),
        ("size=6", "6 x 6"),
        ("size=7", "7 x 7"),
        ("size=9", "9 x 9"),
        ("size=10", "10 x 10"),
        ("size=12", "12 x 12"),
        ("size=4", "4 x 4"),
        ("size=8,edition=fall2023", "8 x 8, fall 2023"),
        ("size=6,edition=fall2023", "6 x 6, fall 2023"),
        ("size=10,edition=fall2023", "10 x 10, fall 2023"),
    ];

    const RULES: &'static str = include_str!("rules/colosseum.md");

    const GOAL: &'static str = "\
Each turn you walk at most as many steps as half the board is wide (rounded up), not through walls nor the other player, or
stay, and then put a wall on a free side of your cell.
The game ends when walls separate the players: no way leads from one to the other. You win if more cells are in your zone than
in the other's; equal zones are a draw, and cells that neither can reach belong to nobody.";

    const SCALES: &'static [(&'static str, Scale)] = &[
        ("greedy", Scale::new(0.0, 60.0)),
        ("mcts", Scale::new(400.0, 1000.0)),
        ("report", Scale::new(0.0, 3.0)),
        ("champion", Scale::new(0.0, 133.0)),
        ("level", Scale::new(0.0, 133.0)),
        ("", Scale::new(0.0, 15.0)),
    ];

    const OFFICIAL: Option<&'static str> = Some("movetime=2s,first=30s");

    // About half a millisecond a move each.
    const USUAL: &'static [(&'static str, &'static str)] = &[
        ("", "nodes=4000,playouts=800"),
        ("mcts", "playouts=800"),
        ("minimax", "nodes=16000"),
        ("champion", "nodes=2500"),
    ];

    const NOTATION: &'static str = "\
c4u     walk to column c, row 4, and put a wall on its upper side; r, d and l are right, lower and left";

    const PERFT: &'static str = ::colosseum::PERFT;

    const ADAPTERS: &'static [Adapter] = &[COMP424];

    fn openings(setup: &Setup) -> Option<&'static str> {
        let sizes = OPENINGS.iter().filter(|_| setup.edition() == Edition::default());
        sizes.copied().find_map(|(size, text)| (size == setup.size()).then_some(text))
    }

    const BRUSHES: &'static [Brush] = brushes::BRUSHES;

    fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
        brushes::edit(text, brush, target)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::colosseum::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }

    fn areas(position: &Self) -> Vec<Area> {
        let mut areas = Vec::new();
        let size = cell_size(position);
        for cell in cells(position) {
            let (x, y) = corner(position, cell);
            let name = match Player::BOTH.into_iter().find(|&player| position.cell(player) == cell) {
                Some(player) => format!("{cell}, {} stands here", Self::SIDES[player.index()]),
                None => cell.to_string(),
            };
            let figure = Figure::Rect(x, y, size, size, 0.0);
            areas.push(Area { target: cell.to_string(), figure, name, label: None });
        }
        // The sides lie over the cells.
        for cell in cells(position) {
            for side in [Side::Right, Side::Down] {
                let Some(other) = cell.neighbour(side).filter(|&other| position.has_cell(other)) else {
                    continue;
                };
                let wall = if position.has_wall(cell, side) { ", a wall" } else { "" };
                let name = format!("between {cell} and {other}{wall}");
                let figure = edge(position, cell, side);
                areas.push(Area { target: between(cell, side), figure, name, label: None });
            }
        }
        areas
    }

    fn path(_: &Self, _: Player, mv: Move) -> Vec<Target> {
        vec![mv.cell.to_string(), between(mv.cell, mv.side)]
    }

    fn passed(position: &Self) -> Option<Self> {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let [size, rows, one, two, ..] = fields[..] else { return None };
        let side = if position.to_move() == Player::One { 'b' } else { 'a' };
        format!("{size} {rows} {one} {two} {side} {}", position.plies() + 1).parse().ok()
    }
}

/// Balanced openings of the standard edition by the size of the board.
const OPENINGS: [(u8, &str); 7] = [
    (6, include_str!("openings/colosseum-6.txt")),
    (7, include_str!("openings/colosseum-7.txt")),
    (8, include_str!("openings/colosseum-8.txt")),
    (9, include_str!("openings/colosseum-9.txt")),
    (10, include_str!("openings/colosseum-10.txt")),
    (11, include_str!("openings/colosseum-11.txt")),
    (12, include_str!("openings/colosseum-12.txt")),
];

const EDGE: f64 = 24.0;
const BOARD: f64 = 420.0;

/// The width of a cell.
fn cell_size(position: &Position) -> f64 {
    BOARD / f64::from(position.size())
}

/// The upper left corner of a cell.
fn corner(position: &Position, cell: Cell) -> (f64, f64) {
    let size = cell_size(position);
    (EDGE + f64::from(cell.column()) * size, EDGE + f64::from(cell.row()) * size)
}

/// The cells of the board, row by row.
fn cells(position: &Position) -> impl Iterator<Item = Cell> + use<> {
    let size = position.size();
    (0..size).flat_map(move |row| (0..size).filter_map(move |column| Cell::new(row, column)))
}

/// The two ends of a side.
fn ends(position: &Position, cell: Cell, side: Side) -> [(f64, f64); 2] {
    let ((x, y), size) = (corner(position, cell), cell_size(position));
    match side {
        Side::Up => [(x, y), (x + size, y)],
        Side::Left => [(x, y), (x, y + size)],
        Side::Down => [(x, y + size), (x + size, y + size)],
        Side::Right => [(x + size, y), (x + size, y + size)],
    }
}

/// The target of a side: the cell above or to the left of it, with the letter of the side.
fn between(cell: Cell, side: Side) -> Target {
    let (cell, side) = match side {
        Side::Up | Side::Left => match cell.neighbour(side) {
            Some(neighbour) => (neighbour, side.opposite()),
            None => (cell, side),
        },
        Side::Down | Side::Right => (cell, side),
    };
    format!("{cell}{}", side.letter())
}

/// Where a pointer means a side: a slim hexagon along it, which leaves its neighbours room.
fn edge(position: &Position, cell: Cell, side: Side) -> Figure {
    let [(x1, y1), (x2, y2)] = ends(position, cell, side);
    let half = cell_size(position) * 0.19;
    Figure::Polygon(if side == Side::Down {
        vec![
            (x1, y1),
            (x1 + half, y1 - half),
            (x2 - half, y2 - half),
            (x2, y2),
            (x2 - half, y2 + half),
            (x1 + half, y1 + half),
        ]
    } else {
        vec![
            (x1, y1),
            (x1 + half, y1 + half),
            (x2 + half, y2 - half),
            (x2, y2),
            (x2 - half, y2 - half),
            (x1 - half, y1 + half),
        ]
    })
}

fn draw(position: &Position, last: Option<(&Position, Move)>) -> Drawing {
    let (size, cell_size) = (position.size(), cell_size(position));
    let width = 2.0 * EDGE + BOARD;
    let far = EDGE + BOARD;
    let mut board = vec![Shape::rect(EDGE, EDGE, BOARD, BOARD).fill(Colour::Wood)];
    for number in 0..size {
        let along = EDGE + (f64::from(number) + 0.5) * cell_size;
        let column = char::from(b'a' + number).to_string();
        board.push(Shape::text(along, width - EDGE / 2.0, 12.0, Colour::Soft, column));
        board.push(Shape::text(EDGE / 2.0, along, 12.0, Colour::Soft, (number + 1).to_string()));
        let line = EDGE + f64::from(number) * cell_size;
        board.push(Shape::lines(vec![(EDGE, line), (far, line)]).stroke(Colour::Dark, 1.0));
        board.push(Shape::lines(vec![(line, EDGE), (line, far)]).stroke(Colour::Dark, 1.0));
    }
    let mut shapes = vec![Shape::group(board)];
    let over = position.is_over();
    for cell in cells(position) {
        let (x, y) = corner(position, cell);
        let owner = Player::BOTH.into_iter().find(|&player| over && position.zone(player).contains(cell));
        shapes.push(owner.map_or_else(Shape::nothing, |player| {
            Shape::rect(x, y, cell_size, cell_size).fill(Colour::of(player)).faint(0.3)
        }));
    }
    for cell in cells(position) {
        for side in [Side::Up, Side::Left, Side::Down, Side::Right] {
            // Each inner wall once: as the upper or left side; the border as what it is.
            let border_only = matches!(side, Side::Down | Side::Right);
            if border_only && cell.neighbour(side).is_some_and(|neighbour| position.has_cell(neighbour)) {
                continue;
            }
            let new = last.is_some_and(|(before, _)| !before.has_wall(cell, side));
            shapes.push(if position.has_wall(cell, side) {
                let colour = if new { Colour::Loss } else { Colour::Ink };
                Shape::lines(ends(position, cell, side).to_vec()).stroke(colour, 4.0)
            } else {
                Shape::nothing()
            });
        }
    }
    for player in Player::BOTH {
        let (x, y) = corner(position, position.cell(player));
        let (x, y) = (x + cell_size / 2.0, y + cell_size / 2.0);
        let name = if player == Player::One { "A" } else { "B" };
        shapes.push(Shape::circle(x, y, cell_size * 0.33).fill(Colour::of(player)));
        shapes.push(Shape::text(x, y, 15.0, Colour::On, name));
    }
    let label = match position.scores() {
        Some([one, two]) if over => format!("A {one} cells, B {two}"),
        _ if position.to_move() == Player::One => "A (p1) to move".to_owned(),
        _ => "B (p2) to move".to_owned(),
    };
    shapes.push(Shape::text(width / 2.0, EDGE / 2.0, 13.0, Colour::Ink, label));
    Drawing { width, height: width, shapes }
}
