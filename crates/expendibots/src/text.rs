//! Positions as text: the one-line notation.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use search_core::{Paint, Player};
use thiserror::Error;

use crate::square::clip;
use crate::{Position, PositionError, Square, picture};

/// A text that is not a position.
///
/// ```
/// use expendibots::{ParsePositionError, Position};
/// let error = "8/8/2a5/3A4/8/8/8/8 b 96".parse::<Position>().unwrap_err();
/// assert_eq!(error, ParsePositionError::Turn { expected: 'w', plies: 96, found: 'b' });
/// assert_eq!(error.to_string(), "expected the side `w` to move after 96 plies, found `b`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// Not three fields with one space between them.
    #[error("expected a position like `8/8/2a5/3A4/8/8/8/8 w 96` (board, side, plies), found `{found}`")]
    Form {
        /// What came instead.
        found: String,
    },
    /// Not eight ranks.
    #[error("expected 8 ranks separated by `/`, found {found}")]
    Ranks {
        /// How many ranks there are.
        found: usize,
    },
    /// A rank that does not fill eight squares.
    #[error("expected 8 squares on rank {rank}, found {found}")]
    Width {
        /// The rank, 1 to 8.
        rank: u8,
        /// How many squares it describes.
        found: usize,
    },
    /// A character that is neither a stack nor a run of empty squares.
    #[error(
        "on rank {rank}: expected `A` to `L`, `a` to `l` or one digit `1` to `8` for a run of empty squares, found `{found}`"
    )]
    Symbol {
        /// The rank, 1 to 8.
        rank: u8,
        /// The character.
        found: char,
    },
    /// Two runs of empty squares side by side.
    #[error("on rank {rank}: expected a run of empty squares as one digit, found two digits in a row")]
    Run {
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("expected the side to move `w` or `b`, found `{found}`")]
    Side {
        /// What came instead.
        found: String,
    },
    /// The number of plies is not a number from 0 to 500.
    #[error("expected the number of plies, 0 to 500 without leading zeros, found `{found}`")]
    Plies {
        /// What came instead.
        found: String,
    },
    /// The side to move contradicts the number of plies.
    #[error("expected the side `{expected}` to move after {plies} plies, found `{found}`")]
    Turn {
        /// Who moves after this many plies.
        expected: char,
        /// The number of plies.
        plies: u32,
        /// The side in the text.
        found: char,
    },
    /// The stacks do not make a position.
    #[error(transparent)]
    Stacks(#[from] PositionError),
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || ParsePositionError::Form { found: clip(text) };
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, side, plies] = fields[..] else { return Err(form()) };
        let found = match side {
            "w" => 'w',
            "b" => 'b',
            other => return Err(ParsePositionError::Side { found: clip(other) }),
        };
        let plies = parse_plies(plies)?;
        let stacks = parse_board(board)?;
        let expected = if plies % 2 == 0 { 'w' } else { 'b' };
        if expected != found {
            return Err(ParsePositionError::Turn { expected, plies, found });
        }
        Ok(Position::from_stacks(stacks, plies)?)
    }
}

fn parse_plies(text: &str) -> Result<u32, ParsePositionError> {
    let fail = || ParsePositionError::Plies { found: clip(text) };
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let plies = text.parse().ok().filter(|_| canonical).ok_or_else(fail)?;
    if plies > Position::TURN_LIMIT { Err(fail()) } else { Ok(plies) }
}

fn parse_board(text: &str) -> Result<Vec<(Square, Player, u8)>, ParsePositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(ParsePositionError::Ranks { found: ranks.len() });
    }
    let mut stacks = Vec::new();
    for (row, symbols) in ranks.into_iter().enumerate() {
        let y = 7 - row as u8;
        let rank = y + 1;
        let mut file = 0_usize;
        let mut after_digit = false;
        for symbol in symbols.chars() {
            let stack = match symbol {
                '1'..='8' if after_digit => return Err(ParsePositionError::Run { rank }),
                '1'..='8' => {
                    file += symbol as usize - '0' as usize;
                    after_digit = true;
                    continue;
                }
                'A'..='L' => (Player::One, symbol as u8 - b'A' + 1),
                'a'..='l' => (Player::Two, symbol as u8 - b'a' + 1),
                found => return Err(ParsePositionError::Symbol { rank, found }),
            };
            if let Some(square) = u8::try_from(file).ok().and_then(|file| Square::new(file, y)) {
                stacks.push((square, stack.0, stack.1));
            }
            file += 1;
            after_digit = false;
        }
        if file != 8 {
            return Err(ParsePositionError::Width { rank, found: file });
        }
    }
    Ok(stacks)
}

impl fmt::Display for Position {
    /// The one-line notation; the alternate form `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&picture::draw(self, Paint::Plain));
        }
        let mut text = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut empty = 0_u8;
            for file in 0..8 {
                let Some((player, height)) = Square::new(file, rank).and_then(|square| self.stack(square))
                else {
                    empty += 1;
                    continue;
                };
                push_run(&mut text, &mut empty);
                let first = if player == Player::One { b'A' } else { b'a' };
                text.push(char::from(first + height - 1));
            }
            push_run(&mut text, &mut empty);
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if self.side() == Player::One { 'w' } else { 'b' };
        write!(text, " {side} {}", self.plies())?;
        f.pad(&text)
    }
}

fn push_run(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0";

    fn message(text: &str) -> String {
        text.parse::<Position>().unwrap_err().to_string()
    }

    #[test]
    fn texts_round_trip() {
        let texts = [
            START,
            "2a3ab/1a4a1/a1a1E2b/4a3/2a5/8/4A1A1/AA1A1A1A w 46",
            "8/1L6/8/8/8/8/8/4l3 b 43",
            "8/8/8/8/8/8/8/8 b 81",
            "8/8/8/8/8/8/8/6A1 w 500",
        ];
        for text in texts {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        assert_eq!(START.parse(), Ok(Position::start()));
    }

    #[test]
    fn bad_positions_are_named() {
        let form = |text: &str| {
            format!(
                "expected a position like `8/8/2a5/3A4/8/8/8/8 w 96` (board, side, plies), found `{text}`"
            )
        };
        assert_eq!(message(""), form(""));
        assert_eq!(message("8/8/8/8/8/8/8/A7 w"), form("8/8/8/8/8/8/8/A7 w"));
        assert_eq!(message("8/8/8/8/8/8/8/A7  w 0"), form("8/8/8/8/8/8/8/A7  w 0"));
        assert_eq!(message("8/8/8/8/8/8/A7 w 0"), "expected 8 ranks separated by `/`, found 7");
        assert_eq!(message("8/8/8/8/8/8/8/8/A7 w 0"), "expected 8 ranks separated by `/`, found 9");
        assert_eq!(message("8/8/8/8/8/8/A6/A7 w 0"), "expected 8 squares on rank 2, found 7");
        assert_eq!(message("8/8/8/8/8/8/A8/A7 w 0"), "expected 8 squares on rank 2, found 9");
        assert_eq!(message("8/8/8/8/8/8/8/AAAAAAAAAAAAA w 0"), "expected 8 squares on rank 1, found 13");
        assert_eq!(
            message("8/8/8/8/8/8/M7/A7 w 0"),
            "on rank 2: expected `A` to `L`, `a` to `l` or one digit `1` to `8` for a run of empty squares, found `M`"
        );
        assert_eq!(
            message("8/8/8/8/8/8/43A/A7 w 0"),
            "on rank 2: expected a run of empty squares as one digit, found two digits in a row"
        );
        assert_eq!(message("8/8/8/8/8/8/8/A7 x 0"), "expected the side to move `w` or `b`, found `x`");
        for plies in ["", "-1", "+1", "01", "501", "99999999999", "1.5"] {
            assert_eq!(
                message(&format!("8/8/8/8/8/8/8/A7 w {plies}")),
                format!("expected the number of plies, 0 to 500 without leading zeros, found `{plies}`")
            );
        }
        assert_eq!(message("8/8/8/8/8/8/8/A7 w 1"), "expected the side `b` to move after 1 plies, found `w`");
        assert_eq!(message("8/8/8/8/8/8/8/8 w 0"), "expected tokens on the board at ply 0, found none");
        assert_eq!(message("8/8/8/8/AAA5/8/AAAAA3/AAAAA3 w 0"), "expected at most 12 tokens of p1, found 13");
        assert_eq!(message("8/8/8/8/8/8/8/la6 w 0"), "expected at most 12 tokens of p2, found 13");
    }
}
