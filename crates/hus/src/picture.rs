//! The board drawn for people, as player 0 sees it.

use std::fmt::Write as _;

use search_core::{Game as _, Paint, Player, TurnBased};

use crate::Position;

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// The four rows with the numbers of the outer and inner pits above and below, and who is to move.
pub(crate) fn draw(position: &Position, paint: Paint) -> String {
    let left_to_right: Vec<usize> = (0..16).collect();
    let outer = |reversed: bool| -> Vec<usize> {
        if reversed { left_to_right.iter().rev().copied().collect() } else { left_to_right.clone() }
    };
    let inner =
        |reversed: bool| -> Vec<usize> { outer(reversed).into_iter().map(|column| 31 - column).collect() };

    let mut text = String::new();
    let labels = |text: &mut String, pits: &[usize]| {
        let line = pits.iter().fold(String::new(), |line, pit| line + &format!("{pit:>3}"));
        line_of(text, "", &if paint == Paint::Ansi { format!("{DIM}{line}{PLAIN}") } else { line });
    };
    let row = |text: &mut String, player: Player, name: &str, pits: &[usize]| {
        let line: String = pits.iter().map(|&pit| cell(position, player, pit, paint)).collect();
        line_of(text, &format!("{player} {name}"), &line);
    };

    labels(&mut text, &outer(true));
    row(&mut text, Player::Two, "outer", &outer(true));
    row(&mut text, Player::Two, "inner", &inner(true));
    labels(&mut text, &inner(true));
    line_of(&mut text, "", &format!(" {}", "-".repeat(47)));
    labels(&mut text, &inner(false));
    row(&mut text, Player::One, "inner", &inner(false));
    row(&mut text, Player::One, "outer", &outer(false));
    labels(&mut text, &outer(false));
    let seeds = Player::BOTH.map(|player| format!("{player} {} seeds", position.seeds(player))).join(", ");
    let now = match position.end() {
        Some(end) => format!("over: {end}"),
        None => format!("{} to move", position.to_move()),
    };
    let _ = write!(text, "{now}, {} plies played; {seeds}", position.plies());
    text
}

fn line_of(text: &mut String, label: &str, cells: &str) {
    let _ = writeln!(text, "{label:<8}{cells}");
}

/// One pit: empty ones as a dot, those that can be played now in bold.
fn cell(position: &Position, player: Player, pit: usize, paint: Paint) -> String {
    let count = position.rings[player.index()][pit];
    let digits = if count == 0 { "  .".to_owned() } else { format!("{count:>3}") };
    let colour = match count {
        _ if paint == Paint::Plain => None,
        0 => Some(DIM),
        2.. if player == position.to_move() => Some(BOLD),
        _ => None,
    };
    colour.map_or(digits.clone(), |colour| format!("{colour}{digits}{PLAIN}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_pinned() {
        let position: Position = "0,0,0,0,0,0,0,0,1,0,1,1,0,1,1,0,0,3,0,3,4,1,1,1,5,0,0,0,0,1,0,0/5,4,1,0,0,1,0,0,0,0,1,3,1,0,3,0,2,5,6,3,8,7,2,1,3,10,0,2,1,2,1,0 1 39"
            .parse()
            .expect("a position");
        let expected = "         15 14 13 12 11 10  9  8  7  6  5  4  3  2  1  0
p2 outer  .  3  .  1  3  1  .  .  .  .  1  .  .  1  4  5
p2 inner  2  5  6  3  8  7  2  1  3 10  .  2  1  2  1  .
         16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
         -----------------------------------------------
         31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16
p1 inner  .  .  1  .  .  .  .  5  1  1  1  4  3  .  3  .
p1 outer  .  .  .  .  .  .  .  .  1  .  1  1  .  1  1  .
          0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
p2 to move, 39 plies played; p1 24 seeds, p2 72 seeds";
        assert_eq!(position.picture(Paint::Plain), expected);
        assert_eq!(format!("{position:#}"), expected);
    }

    #[test]
    fn colours_leave_the_text_alone() {
        let position = Position::start();
        let mut coloured = position.picture(Paint::Ansi);
        assert!(coloured.contains(BOLD));
        for code in [BOLD, DIM, PLAIN] {
            coloured = coloured.replace(code, "");
        }
        assert_eq!(coloured, position.picture(Paint::Plain));
    }
}
