//! RoPaSci 360: the hexagon, Upper (the first player) at the top.

use std::f64::consts::PI;

use ::ropasci360::{Action, Hex, Move, Position, Symbol};
use agents::Catalogue;
use arena::{Adapter, Area, Colour, Drawing, Figure, Shape, Target};
use search_core::Player;

use super::adapters::COMP30024;
use super::brushes::ropasci360 as brushes;
use crate::{Brush, Listed, MeasureExploitability, Scale};

impl Listed for Position {
    const TITLE: &'static str = "RoPaSci 360";

    const SIDES: [&'static str; 2] = ["Upper", "Lower"];

    const RULES: &'static str = include_str!("rules/ropasci360.md");

    const GOAL: &'static str = "\
Both players move at the same time. Each turn you throw one of your nine tokens (rock, paper or scissors) into the rows within
reach (one more with every throw), or slide one to a neighbour hexagon, or swing it around a neighbour of your own by two.
Then rock beats scissors, scissors beat paper, paper beats rock where tokens meet, your own included; of all three none is left.
You win when your opponent has neither tokens nor throws left, or one token only and yours cannot be beaten any more.
Two tokens that cannot be beaten, a position for the third time, and 360 turns are a draw.";

    const SCALES: &'static [(&'static str, Scale)] = &[
        ("greedy", Scale::new(-73_000.0, 450_000.0)),
        ("minimax", Scale::new(0.0, 170_000.0)),
        ("alphabeta", Scale::new(0.0, 170_000.0)),
        ("mcts", Scale::new(0.0, 260.0)),
        ("nash", Scale::new(0.0, 450.0)),
        ("report", Scale::new(-72_000.0, 3_300_000.0)),
        ("champion", Scale::new(0.0, 549.0)),
        ("level", Scale::new(0.0, 549.0)),
        ("", Scale::POINTS),
    ];

    const OFFICIAL: Option<&'static str> = Some("gametime=60s");

    // About half a millisecond a move each.
    const USUAL: &'static [(&'static str, &'static str)] = &[
        ("", "nodes=1500,playouts=240"),
        ("mcts", "playouts=240"),
        ("minimax", "nodes=2500"),
        ("nash", "nodes=3000"),
        ("champion", "nodes=800"),
    ];

    const NOTATION: &'static str = "\
s@i3    throw scissors onto i3
e4e5    the token on e4 slides or swings to e5";

    const PERFT: &'static str = ::ropasci360::PERFT;

    const ADAPTERS: &'static [Adapter] = &[COMP30024];

    fn openings(_: &Self::Setup) -> Option<&'static str> {
        Some(include_str!("openings/ropasci360.txt"))
    }

    const BRUSHES: &'static [Brush] = brushes::BRUSHES;

    fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
        brushes::edit(text, brush, target)
    }

    fn catalogue() -> Catalogue<Self> {
        agents::ropasci360::catalogue()
    }

    fn exploitability() -> Option<MeasureExploitability<Self>> {
        Some(|position, player, turns, ends, most, strategy| {
            search_core::exploitability(position, player, turns, ends, most, strategy)
        })
    }

    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        draw(position, last)
    }

    fn areas(position: &Self) -> Vec<Area> {
        let board = Hex::all().map(|hex| Area {
            target: hex.to_string(),
            figure: Figure::Polygon(corners(place(hex))),
            name: name_of(position, hex),
            label: None,
        });
        let hands = Player::BOTH.into_iter().filter(|&player| position.throws_left(player) > 0);
        board
            .chain(hands.flat_map(|player| Symbol::ALL.map(|symbol| in_hand(position, player, symbol))))
            .collect()
    }

    fn path(_: &Self, player: Player, mv: Move) -> Vec<Target> {
        match mv.action() {
            Action::Throw { symbol, to } => vec![hand(player, symbol), to.to_string()],
            Action::Slide { from, to } | Action::Swing { from, to } => vec![from.to_string(), to.to_string()],
        }
    }
}

const RADIUS: f64 = 27.0;
const CENTRE: (f64, f64) = (250.0, 232.0);

/// The target of a token that is not thrown yet.
fn hand(player: Player, symbol: Symbol) -> Target {
    format!("{player}-{}", word(symbol))
}

fn word(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Rock => "rock",
        Symbol::Paper => "paper",
        Symbol::Scissors => "scissors",
    }
}

/// A token in hand: the free corner on the player's side of the board.
fn in_hand(position: &Position, player: Player, symbol: Symbol) -> Area {
    let (x, y) = if player == Player::One { (26.0, 52.0) } else { (402.0, 416.0) };
    let x = x + 36.0 * symbol.index() as f64;
    let left = position.throws_left(player);
    let side = Position::SIDES[player.index()];
    Area {
        target: hand(player, symbol),
        figure: Figure::Circle(x, y, 15.0),
        name: format!("throw a {} of {side}, {left} throws left", word(symbol)),
        label: Some(word(symbol)[..1].to_uppercase()),
    }
}

/// What a screen reader says of a hex.
fn name_of(position: &Position, hex: Hex) -> String {
    let Some(symbol) = position.symbol_at(hex) else { return format!("{hex}, empty") };
    let tokens = Player::BOTH.into_iter().filter_map(|player| match position.count_at(player, hex) {
        0 => None,
        count => Some(format!("{count} {} of {}", word(symbol), Position::SIDES[player.index()])),
    });
    format!("{hex}, {}", tokens.collect::<Vec<_>>().join(" and "))
}

/// The centre of a hex: row 4 is the top row.
fn place(hex: Hex) -> (f64, f64) {
    let (r, q) = (f64::from(hex.r()), f64::from(hex.q()));
    (CENTRE.0 + RADIUS * 3f64.sqrt() * (q + r / 2.0), CENTRE.1 - RADIUS * 1.5 * r)
}

/// The corners of a hex.
fn corners((x, y): (f64, f64)) -> Vec<(f64, f64)> {
    (0..6)
        .map(|corner| {
            let angle = PI / 3.0 * f64::from(corner) + PI / 6.0;
            (x + RADIUS * angle.cos(), y + RADIUS * angle.sin())
        })
        .collect()
}

fn draw(position: &Position, last: Option<(&Position, [Move; 2])>) -> Drawing {
    let mut board = Vec::new();
    for hex in Hex::all() {
        let (x, y) = place(hex);
        board.push(Shape::polygon(corners((x, y))).fill(Colour::Wood).stroke(Colour::Dark, 1.0));
        board.push(Shape::text(x, y + 19.0, 8.0, Colour::Soft, hex.to_string()));
    }
    let mut shapes = vec![Shape::group(board)];
    // The last turn: where each player's token came from and went.
    for player in Player::BOTH {
        shapes.push(last.map_or_else(Shape::nothing, |(_, moves)| {
            let (mv, colour) = (moves[player.index()], Colour::of(player));
            let (x, y) = place(mv.to());
            let mut trace = vec![Shape::circle(x, y, 23.0).stroke(colour, 2.0)];
            if let Some(from) = mv.from() {
                trace.push(Shape::lines(vec![place(from), (x, y)]).stroke(colour, 2.0).dashed());
            }
            Shape::group(trace)
        }));
    }
    shapes.extend(Hex::all().map(|hex| tokens(position, hex)));
    for player in Player::BOTH {
        let (y, name) = if player == Player::One { (12.0, "Upper (p1)") } else { (456.0, "Lower (p2)") };
        let label = format!(
            "{name}: {} tokens, {} throws left",
            position.token_count(player),
            position.throws_left(player)
        );
        shapes.push(Shape::text(CENTRE.0, y, 13.0, Colour::of(player), label));
    }
    shapes.push(Shape::text(454.0, 30.0, 13.0, Colour::Soft, format!("turn {}", position.turns())));
    Drawing { width: 500.0, height: 468.0, shapes }
}

/// The tokens on a hex.
fn tokens(position: &Position, hex: Hex) -> Shape {
    let letter = match position.symbol_at(hex) {
        None => return Shape::nothing(),
        Some(Symbol::Rock) => "R",
        Some(Symbol::Paper) => "P",
        Some(Symbol::Scissors) => "S",
    };
    let (x, y) = place(hex);
    let counts = Player::BOTH.map(|player| position.count_at(player, hex));
    let both = counts.iter().all(|&count| count > 0);
    let mut stack = Vec::new();
    for player in Player::BOTH.into_iter().filter(|player| counts[player.index()] > 0) {
        // Both players can hold one hex with the same symbol: then they stand side by side.
        let x = match (both, player) {
            (false, _) => x,
            (true, Player::One) => x - 9.0,
            (true, Player::Two) => x + 9.0,
        };
        let count = counts[player.index()];
        let label = if count > 1 { format!("{count}{letter}") } else { letter.to_owned() };
        let (radius, size) = if both { (11.0, 11.0) } else { (17.0, 16.0) };
        stack.push(Shape::circle(x, y, radius).fill(Colour::of(player)));
        stack.push(Shape::text(x, y, size, Colour::On, label));
    }
    Shape::group(stack)
}
