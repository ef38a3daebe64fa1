//! Hus: four rows of pits, the first player below.

use ::hus::{Pit, Position};
use agents::Catalogue;
use arena::{Adapter, Area, Colour, Drawing, Figure, Shape, Target};
use search_core::{Game as _, Player, TurnBased};

use super::adapters::{HUS_LINES, HUS_PLAYER};
use super::brushes::hus as brushes;
use crate::{Brush, Listed, Scale};

impl Listed for Position {
    const TITLE: &'static str = "Hus";

    const SIDES: [&'static str; 2] = ["South", "North"];

    const RULES: &'static str = include_str!("rules/hus.md");

    const GOAL: &'static str = "\
South (p1) owns the two lower rows, North (p2) the upper ones: a ring of 32 pits each, sown counter-clockwise.
Each turn you sow the seeds of one of your pits that has two or more, one by one. If the last one falls into an empty pit, your
move is over; into an occupied one, you take up what lies there and sow on. If that pit is in your inner row and the inner pit
opposite holds seeds, you take these and those behind it and sow them on instead (nobody on their first move).
A move with 200 sowings and no end in sight loses. You win when your opponent has no pit with two seeds or more.";

    // The report's bot counts its own side only, so that even chances are about two thirds of a full board.
    const SCALES: &'static [(&'static str, Scale)] = &[
        ("mcts", Scale::new(140.0, 240.0)),
        ("report", Scale::new(67.0, 9.0)),
        ("champion", Scale::new(0.0, 400.0)),
        ("level", Scale::new(0.0, 400.0)),
        ("", Scale::new(0.0, 20.0)),
    ];

    const OFFICIAL: Option<&'static str> = Some("movetime=2s,first=30s");

    // About half a millisecond a move each.
    const USUAL: &'static [(&'static str, &'static str)] = &[
        ("", "nodes=1800,playouts=110"),
        ("mcts", "playouts=110"),
        ("minimax", "nodes=9000"),
        ("champion", "nodes=1600"),
    ];

    const NOTATION: &'static str = "\
12      play pit 12 (0 to 15 are the outer row from your left, 16 to 31 the inner row back)";

    const PERFT: &'static str = ::hus::PERFT;

    const ADAPTERS: &'static [Adapter] = &[HUS_LINES, HUS_PLAYER];

    fn openings(_: &Self::Setup) -> Option<&'static str> {
        Some(include_str!("openings/hus.txt"))
    }

    const BRUSHES: &'static [Brush] = brushes::BRUSHES;

    fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
        brushes::edit(text, brush, target)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::hus::catalogue()
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }

    fn areas(position: &Self) -> Vec<Area> {
        let area = |player: Player, pit: Pit| {
            let (x, y) = place(player, pit);
            let count = position.count(player, pit);
            let side = Self::SIDES[player.index()];
            let seeds = if count == 1 { "seed" } else { "seeds" };
            let name = format!("{side}'s pit {pit}, {count} {seeds}");
            Area { target: target(player, pit), figure: Figure::Circle(x, y, 19.0), name, label: None }
        };
        let pits = |player| (0..32).filter_map(Pit::new).map(move |pit| area(player, pit));
        Player::BOTH.into_iter().flat_map(pits).collect()
    }

    fn path(_: &Self, player: Player, pit: Pit) -> Vec<Target> {
        vec![target(player, pit)]
    }

    fn passed(position: &Self) -> Option<Self> {
        let text = position.to_string();
        let (board, _) = text.split_once(' ')?;
        // A ply more, not less: with a ply less nobody might capture yet.
        let side = position.to_move().opponent().index();
        format!("{board} {side} {}", position.plies() + 1).parse().ok()
    }
}

const CELL: f64 = 40.0;
const GAP: f64 = 12.0;
const TOP: f64 = 26.0;
const WIDTH: f64 = 20.0 + 16.0 * CELL;
const HEIGHT: f64 = 2.0 * TOP + 4.0 * CELL + GAP;

fn target(player: Player, pit: Pit) -> Target {
    format!("{player}-{pit}")
}

/// The centre of a pit, seen from the first player's side.
fn place(player: Player, pit: Pit) -> (f64, f64) {
    let index = pit.index();
    // 0 to 15 run left to right in the outer row, 16 to 31 back again in the inner one.
    let (column, inner) = if index < 16 { (index, false) } else { (31 - index, true) };
    let (column, row) = match (player, inner) {
        (Player::One, false) => (column, 3.0),
        (Player::One, true) => (column, 2.0),
        (Player::Two, false) => (15 - column, 0.0),
        (Player::Two, true) => (15 - column, 1.0),
    };
    let gap = if row >= 2.0 { GAP } else { 0.0 };
    (10.0 + column as f64 * CELL + CELL / 2.0, TOP + row * CELL + CELL / 2.0 + gap)
}

fn draw(position: &Position, last: Option<(&Position, Pit)>) -> Drawing {
    let mut shapes =
        vec![Shape::card(2.0, TOP - 6.0, WIDTH - 4.0, 4.0 * CELL + GAP + 12.0, 14.0).fill(Colour::Wood)];
    let played = last.map(|(before, pit)| (before.to_move(), pit));
    for player in Player::BOTH {
        for pit in (0..32).filter_map(Pit::new) {
            let (x, y) = place(player, pit);
            let count = position.count(player, pit);
            let changed = last.is_some_and(|(before, _)| before.count(player, pit) != count);
            let bowl = Shape::circle(x, y, 17.0).fill(Colour::Dark);
            shapes.push(if played == Some((player, pit)) {
                bowl.stroke(Colour::Ink, 3.0)
            } else if changed {
                bowl.stroke(Colour::Ink, 1.5).dashed()
            } else {
                bowl
            });
            shapes.push(match count {
                0 => Shape::nothing(),
                count => {
                    // The area of the disc is the number of seeds, up to the size of the pit.
                    let radius = (5.0 * f64::from(count).sqrt()).clamp(10.0, 16.0).round();
                    Shape::group(vec![
                        Shape::circle(x, y, radius).fill(Colour::of(player)),
                        Shape::text(x, y, 16.0, Colour::On, count.to_string()),
                    ])
                }
            });
        }
        let (y, name) =
            if player == Player::One { (HEIGHT - 10.0, "South (p1)") } else { (10.0, "North (p2)") };
        let mark = if position.to_move() == player && position.end().is_none() { ", to move" } else { "" };
        let label = format!("{name}: {} seeds{mark}", position.seeds(player));
        shapes.push(Shape::text(WIDTH / 2.0, y, 16.0, Colour::of(player), label));
    }
    Drawing { width: WIDTH, height: HEIGHT, shapes }
}
