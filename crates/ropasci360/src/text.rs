//! The one-line text of a position.

use std::fmt;
use std::str::FromStr;

use search_core::{Game, Paint, Player};

use crate::{Hex, Position, PositionError, Symbol};

/// A text that is not a position.
///
/// ```
/// use ropasci360::{ParsePositionError, Position};
/// let error = "3RR/6/7/8/9/8/7/6/5 1 0 3".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "p1 has used 1 throws but has 2 tokens on the board");
/// assert_eq!("5/6/7 0 0 0".parse::<Position>(), Err(ParsePositionError::Rows(3)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not four fields.
    #[error(
        "expected `ROWS UPPER_THROWS LOWER_THROWS TURNS`, four fields separated by single spaces, found `{0}`"
    )]
    Fields(String),
    /// Not nine rows.
    #[error("expected 9 rows joined by `/`, found {0}")]
    Rows(usize),
    /// A row that describes another number of hexes than it has.
    #[error("row `{row}` has {expected} hexes, but `{text}` describes {found}")]
    RowLength {
        /// The letter of the row.
        row: char,
        /// The text of the row.
        text: String,
        /// The hexes of the row.
        expected: usize,
        /// The hexes described.
        found: usize,
    },
    /// Two digits side by side, or a 0.
    #[error(
        "in row `{row}`, `{text}`: a run of empty hexes is one digit from 1 to 9 and never stands beside another"
    )]
    Run {
        /// The letter of the row.
        row: char,
        /// The text of the row.
        text: String,
    },
    /// A letter that is not a token.
    #[error("in row `{row}`: expected a token `R P S r p s`, a digit or `(`, found `{found}`")]
    Letter {
        /// The letter of the row.
        row: char,
        /// What came instead.
        found: char,
    },
    /// Parentheses that are not closed, hold less than two tokens, or hold them in another order.
    #[error(
        "in row `{row}`: expected two or more tokens in parentheses, Upper's (capitals) first, found `({found}`"
    )]
    Stack {
        /// The letter of the row.
        row: char,
        /// What stands after the parenthesis.
        found: String,
    },
    /// A number that cannot be read.
    #[error("expected {what}, found `{found}`")]
    Number {
        /// Which number, and its range.
        what: &'static str,
        /// What came instead.
        found: String,
    },
    /// What stands there does not make a position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// The hexes of each row from `i` down to `a`.
fn rows() -> impl Iterator<Item = (char, Vec<Hex>)> {
    (-4..=4_i8).rev().map(|r| {
        let letter = char::from(b'a' + (r + 4) as u8);
        (letter, (-4..=4).filter_map(|q| Hex::new(r, q)).collect())
    })
}

/// The letter of a token: capital for Upper.
pub(crate) fn letter(player: Player, symbol: Symbol) -> char {
    match player {
        Player::One => symbol.letter().to_ascii_uppercase(),
        Player::Two => symbol.letter(),
    }
}

fn token(letter: char) -> Option<(Player, Symbol)> {
    let player = if letter.is_ascii_uppercase() { Player::One } else { Player::Two };
    Some((player, Symbol::from_letter(letter.to_ascii_lowercase())?))
}

impl fmt::Display for Position {
    /// The one-line text; `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&self.picture(Paint::Plain));
        }
        let mut text = String::with_capacity(64);
        for (row, hexes) in rows() {
            if row != 'i' {
                text.push('/');
            }
            let mut empty = 0;
            for hex in hexes {
                let Some(symbol) = self.symbol_at(hex) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text.push(char::from(b'0' + empty));
                    empty = 0;
                }
                let counts = Player::BOTH.map(|player| self.count_at(player, hex));
                let stacked = counts[0] + counts[1] > 1;
                if stacked {
                    text.push('(');
                }
                for player in Player::BOTH {
                    text.extend((0..counts[player.index()]).map(|_| letter(player, symbol)));
                }
                if stacked {
                    text.push(')');
                }
            }
            if empty > 0 {
                text.push(char::from(b'0' + empty));
            }
        }
        f.pad(&format!("{text} {} {} {}", self.throws[0], self.throws[1], self.turns))
    }
}

/// Reads one row: a symbol and counts for each hex, appended to `tokens`.
fn parse_row(
    row: char,
    text: &str,
    hexes: &[Hex],
    tokens: &mut Vec<(Hex, Player, Symbol)>,
) -> Result<(), ParsePositionError> {
    let mut at = 0;
    let mut after_digit = false;
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        let run = next.to_digit(10);
        if run == Some(0) || run.is_some() && after_digit {
            return Err(ParsePositionError::Run { row, text: text.to_owned() });
        }
        after_digit = run.is_some();
        if let Some(run) = run {
            at += run as usize;
            continue;
        }
        // Beyond the end of the row tokens are only counted, for the message.
        let hex = hexes.get(at).copied();
        at += 1;
        let mut put = |(player, symbol)| tokens.extend(hex.map(|hex| (hex, player, symbol)));
        if next == '(' {
            let stack: String = rest.by_ref().take_while(|&letter| letter != ')').collect();
            let found: Option<Vec<_>> = stack.chars().map(token).collect();
            let closed = text.len() - rest.as_str().len() > 0
                && text[..text.len() - rest.as_str().len()].ends_with(')');
            match found {
                Some(found) if closed && found.len() > 1 && found.is_sorted_by_key(|&(player, _)| player) => {
                    found.into_iter().for_each(put);
                }
                _ => return Err(ParsePositionError::Stack { row, found: stack }),
            }
        } else {
            put(token(next).ok_or(ParsePositionError::Letter { row, found: next })?);
        }
    }
    if at != hexes.len() {
        let text = text.to_owned();
        return Err(ParsePositionError::RowLength { row, text, expected: hexes.len(), found: at });
    }
    Ok(())
}

/// Reads a number in the canonical form, without sign or leading zeros.
fn number(text: &str, what: &'static str) -> Result<u32, ParsePositionError> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(number) if canonical => Ok(number),
        _ => Err(ParsePositionError::Number { what, found: text.to_owned() }),
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, upper, lower, turns] = fields[..] else {
            return Err(ParsePositionError::Fields(text.to_owned()));
        };
        let found = board.split('/').count();
        if found != 9 {
            return Err(ParsePositionError::Rows(found));
        }
        let mut tokens = Vec::new();
        for ((row, hexes), text) in rows().zip(board.split('/')) {
            parse_row(row, text, &hexes, &mut tokens)?;
        }
        let mut throws = [0; 2];
        for (player, field) in Player::BOTH.into_iter().zip([upper, lower]) {
            let found = number(field, "the number of throws used, 0 to 9")?;
            throws[player.index()] =
                u8::try_from(found).map_err(|_| PositionError::Throws { player, found })?;
        }
        let turns = number(turns, "the number of turns played, 0 to 360")?;
        Ok(Position::from_tokens(tokens, throws, turns)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_positions_round_trip() {
        for text in [
            "5/6/7/8/9/8/7/6/5 0 0 0",
            "3R1/6/7/1P6/9/2p5/5s1/5r/5 2 3 74",
            "4r/5(RRRRr)/5(RR)1/3Ss3/(Ss)8/8/7/1(pp)4/1(ppp)3 8 9 13",
            "5/4(RRRR)1/5(Rrr)1/s7/4S4/S5R1/4(pp)2/6/(ppp)4 9 9 92",
        ] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_texts_are_told_what_was_expected() {
        let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
        assert!(error("").starts_with("expected `ROWS UPPER_THROWS LOWER_THROWS TURNS`"));
        assert_eq!(error("5/6/7 0 0 0"), "expected 9 rows joined by `/`, found 3");
        assert_eq!(error("6/6/7/8/9/8/7/6/5 0 0 0"), "row `i` has 5 hexes, but `6` describes 6");
        assert_eq!(error("5/6/7/8/9/8/7/6/5R 1 0 1"), "row `a` has 5 hexes, but `5R` describes 6");
        assert!(error("23/6/7/8/9/8/7/6/5 0 0 0").contains("never stands beside another"));
        assert!(error("05/6/7/8/9/8/7/6/5 0 0 0").contains("one digit from 1 to 9"));
        assert_eq!(
            error("4X/6/7/8/9/8/7/6/5 0 0 0"),
            "in row `i`: expected a token `R P S r p s`, a digit or `(`, found `X`"
        );
        assert_eq!(
            error("4(Rs)/6/7/8/9/8/7/6/5 1 1 1"),
            "all tokens on one hex have the same symbol, but i5 has rock and scissors"
        );
        for stack in ["(R)", "(rR)", "()", "(RR", "(R4)", "(é)"] {
            assert!(error(&format!("4{stack}/6/7/8/9/8/7/6/5 2 2 2")).contains("in parentheses"), "{stack}");
        }
        assert_eq!(error("5/6/7/8/9/8/7/6/5 10 0 20"), "expected at most 9 throws of p1, found 10");
        assert_eq!(error("5/6/7/8/9/8/7/6/5 0 300 20"), "expected at most 9 throws of p2, found 300");
        assert_eq!(error("5/6/7/8/9/8/7/6/5 0 0 361"), "expected at most 360 turns played, found 361");
        assert_eq!(
            error("5/6/7/8/9/8/7/6/5 -1 0 3"),
            "expected the number of throws used, 0 to 9, found `-1`"
        );
        assert_eq!(
            error("5/6/7/8/9/8/7/6/5 0 0 03"),
            "expected the number of turns played, 0 to 360, found `03`"
        );
        assert_eq!(error("3RR/6/7/8/9/8/7/6/5 1 0 3"), "p1 has used 1 throws but has 2 tokens on the board");
        let many = format!("4({})/6/7/8/9/8/7/6/5 9 9 20", "R".repeat(40));
        assert_eq!(error(&many), "p1 has used 9 throws but has 40 tokens on the board");
    }
}
