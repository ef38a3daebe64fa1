//! The board drawn with letters.

use std::fmt::Write;

use search_core::{Paint, Player};

use crate::{Position, Square};

/// The board with White's stacks as `W` and Black's as `b`, each with its height.
pub(crate) fn draw(position: &Position, paint: Paint) -> String {
    const WHITE: &str = "\u{1b}[1;97;44m";
    const BLACK: &str = "\u{1b}[1;97;41m";
    const DIM: &str = "\u{1b}[2m";
    const RESET: &str = "\u{1b}[0m";
    let painted = |text: &str, code: &str| match paint {
        Paint::Plain => text.to_owned(),
        Paint::Ansi => format!("{code}{text}{RESET}"),
    };
    let mut picture = String::new();
    for rank in (0..8).rev() {
        picture.push(char::from(b'1' + rank));
        picture.push(' ');
        for file in 0..8 {
            let stack = Square::new(file, rank).and_then(|square| position.stack(square));
            picture.push(' ');
            picture.push_str(&match stack {
                Some((Player::One, height)) => painted(&format!("{:>3}", format!("W{height}")), WHITE),
                Some((Player::Two, height)) => painted(&format!("{:>3}", format!("b{height}")), BLACK),
                None => painted("  .", DIM),
            });
        }
        picture.push('\n');
    }
    picture.push_str("     a   b   c   d   e   f   g   h\n");
    let (side, mark) = if position.side() == Player::One { ("White", "W") } else { ("Black", "b") };
    let [white, black] = Player::BOTH.map(|player| position.tokens(player));
    // Writing into a string cannot fail.
    let _ = write!(
        picture,
        "{side} ({mark}) to move, ply {}, tokens: White {white}, Black {black}",
        position.plies()
    );
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_shows_owners_and_heights() {
        let position: Position = "7i/a3b3/8/3B4/8/7A/1C6/1C1AA1A1 b 29".parse().unwrap();
        let expected = "\
8    .   .   .   .   .   .   .  b9
7   b1   .   .   .  b2   .   .   .
6    .   .   .   .   .   .   .   .
5    .   .   .  W2   .   .   .   .
4    .   .   .   .   .   .   .   .
3    .   .   .   .   .   .   .  W1
2    .  W3   .   .   .   .   .   .
1    .  W3   .  W1  W1   .  W1   .
     a   b   c   d   e   f   g   h
Black (b) to move, ply 29, tokens: White 12, Black 12";
        assert_eq!(format!("{position:#}"), expected);
        let coloured = draw(&position, Paint::Ansi);
        assert!(coloured.contains("\u{1b}[1;97;41m b9\u{1b}[0m"));
        assert!(coloured.contains("\u{1b}[1;97;44m W3\u{1b}[0m"));
    }
}
