//! The board drawn for people.

use std::fmt::Write;

use search_core::{Paint, Player};

use crate::text::letter;
use crate::{Hex, Position};

/// The width of a hex; neighbouring rows are shifted by half of it.
const WIDTH: usize = 6;
const UPPER_COLOUR: &str = "\x1b[1;34m";
const LOWER_COLOUR: &str = "\x1b[1;31m";
const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

/// What stands on a hex: each side's letter, with a number for a stack.
fn cell(position: &Position, hex: Hex, paint: Paint) -> String {
    let Some(symbol) = position.symbol_at(hex) else {
        return centred(".", 1, paint, DIM);
    };
    let mut text = String::new();
    let mut width = 0;
    for (player, colour) in Player::BOTH.into_iter().zip([UPPER_COLOUR, LOWER_COLOUR]) {
        let part = match position.count_at(player, hex) {
            0 => continue,
            1 => letter(player, symbol).to_string(),
            count => format!("{}{count}", letter(player, symbol)),
        };
        width += part.len();
        text += &painted(&part, paint, colour);
    }
    centred(&text, width, Paint::Plain, "")
}

fn painted(text: &str, paint: Paint, colour: &str) -> String {
    match paint {
        Paint::Plain => text.to_owned(),
        Paint::Ansi => format!("{colour}{text}{RESET}"),
    }
}

/// `text`, which shows as `width` characters, in the middle of a hex.
fn centred(text: &str, width: usize, paint: Paint, colour: &str) -> String {
    let left = (WIDTH - width) / 2;
    let right = WIDTH - width - left;
    format!("{}{}{}", " ".repeat(left), painted(text, paint, colour), " ".repeat(right))
}

/// Rows from `i` down to `a`, each with the names of its first and last hex, then throws and turn.
pub(crate) fn draw(position: &Position, paint: Paint) -> String {
    let mut text = String::new();
    for r in (-4..=4_i8).rev() {
        let hexes: Vec<Hex> = (-4..=4).filter_map(|q| Hex::new(r, q)).collect();
        text += &" ".repeat(r.unsigned_abs() as usize * WIDTH / 2);
        // A row has five hexes at least.
        text += &painted(&format!("{:<2}", hexes[0]), paint, DIM);
        for &hex in &hexes {
            text += &cell(position, hex, paint);
        }
        text += &painted(&hexes[hexes.len() - 1].to_string(), paint, DIM);
        text.push('\n');
    }
    let _ = write!(
        text,
        "turn {}; throws left: Upper (capitals) {}, Lower {}",
        position.turns(),
        position.throws_left(Player::One),
        position.throws_left(Player::Two)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Game;

    #[test]
    fn the_picture_shows_stacks_and_shared_hexes() {
        let text = "4r/5(RRRRr)/5(RR)1/3Ss3/(Ss)8/8/7/1(pp)4/1(ppp)3 8 9 13";
        let position: Position = text.parse().unwrap();
        let expected = "            i1  .     .     .     .     r   i5\n         \
                                 h1  .     .     .     .     .    R4r  h6\n      \
                              g1  .     .     .     .     .     R2    .   g7\n   \
                           f1  .     .     .     S     s     .     .     .   f8\n\
                        e1  Ss    .     .     .     .     .     .     .     .   e9\n   \
                           d2  .     .     .     .     .     .     .     .   d9\n      \
                              c3  .     .     .     .     .     .     .   c9\n         \
                                 b4  .     p2    .     .     .     .   b9\n            \
                                    a5  .     p3    .     .     .   a9\n\
                        turn 13; throws left: Upper (capitals) 1, Lower 0";
        println!("{position:#}");
        assert_eq!(format!("{position:#}"), expected);
        let coloured = position.picture(Paint::Ansi);
        assert!(coloured.contains("\x1b[1;34mR4\x1b[0m\x1b[1;31mr\x1b[0m"));
        let mut stripped = coloured;
        for code in [UPPER_COLOUR, LOWER_COLOUR, DIM, RESET] {
            stripped = stripped.replace(code, "");
        }
        assert_eq!(stripped, expected);
    }
}
