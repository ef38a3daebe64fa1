//! The board drawn with Unicode box characters.

use search_core::{Game, Paint, Player, TurnBased};

use crate::{Cell, Position, Side};

/// The corner characters by the walls that meet there: up 1, right 2, down 4, left 8.
const CORNERS: [char; 16] = ['·', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// Several lines: column letters, the board with row numbers, and what the state of the game is.
pub(crate) fn draw(position: &Position, paint: Paint) -> String {
    let size = position.size();
    let mut text = String::from("    ");
    for column in 0..size {
        text.extend([' ', char::from(b'a' + column), ' ', ' ']);
    }
    trim_end(&mut text);
    for line in 0..=size {
        text.push_str("\n   ");
        for column in 0..=size {
            text.push(corner(position, line, column));
            if column < size {
                text.push_str(if wall_above(position, line, column) { "───" } else { "   " });
            }
        }
        trim_end(&mut text);
        if line < size {
            let number = format!("\n{:2} ", line + 1);
            text.push_str(&number);
            for column in 0..=size {
                text.push(if wall_left(position, line, column) { '│' } else { ' ' });
                if column < size {
                    push_cell(&mut text, position, line, column, paint);
                }
            }
            trim_end(&mut text);
        }
    }
    text.push('\n');
    text.push_str(&state(position));
    text
}

fn push_cell(text: &mut String, position: &Position, row: u8, column: u8, paint: Paint) {
    let cell = Cell::new(row, column);
    let player = Player::BOTH.into_iter().find(|&player| Some(position.cell(player)) == cell);
    let (name, colour) = match player {
        None => return text.push_str("   "),
        Some(Player::One) => ('A', "31"),
        Some(Player::Two) => ('B', "34"),
    };
    let painted = match paint {
        Paint::Plain => format!(" {name} "),
        Paint::Ansi => format!(" \u{1b}[1;{colour}m{name}\u{1b}[0m "),
    };
    text.push_str(&painted);
}

fn state(position: &Position) -> String {
    if let (Some([one, two]), Some(end)) = (position.scores(), position.end()) {
        return format!("A {one} : {two} B, {end}");
    }
    let name = match position.to_move() {
        Player::One => 'A',
        Player::Two => 'B',
    };
    format!("{name} to move, at most {} steps", position.max_steps())
}

/// Whether there is a wall on the line above a row, over a column; the last line is the lower border.
fn wall_above(position: &Position, line: u8, column: u8) -> bool {
    Cell::new(line, column)
        .filter(|&cell| position.has_cell(cell))
        .map_or_else(|| column < position.size(), |cell| position.has_wall(cell, Side::Up))
}

/// Whether there is a wall on the line left of a column, in a row; the last line is the right border.
fn wall_left(position: &Position, row: u8, line: u8) -> bool {
    Cell::new(row, line)
        .filter(|&cell| position.has_cell(cell))
        .map_or_else(|| row < position.size(), |cell| position.has_wall(cell, Side::Left))
}

/// The character where lines cross: row line and column line.
fn corner(position: &Position, row: u8, column: u8) -> char {
    let up = row > 0 && wall_left(position, row - 1, column);
    let right = wall_above(position, row, column);
    let down = wall_left(position, row, column);
    let left = column > 0 && wall_above(position, row, column - 1);
    let index = usize::from(up) | usize::from(right) << 1 | usize::from(down) << 2 | usize::from(left) << 3;
    CORNERS[index]
}

fn trim_end(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
}
