//! Moves and their notation.

use std::fmt;
use std::str::FromStr;

use crate::{Hex, ParseHexError, Symbol};

/// What a player does in one turn: throw a new token, or slide or swing one on the board.
///
/// Two bytes; [`Move::action`] opens it. Moves are ordered as their texts are.
///
/// ```
/// use ropasci360::{Action, Move, Symbol};
/// let swing: Move = "e4e6".parse().unwrap();
/// assert!(matches!(swing.action(), Action::Swing { .. }));
/// let throw: Move = "s@e5".parse().unwrap();
/// assert_eq!(throw, Move::throw(Symbol::Scissors, throw.to()));
/// assert!(swing < throw);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The hex a token leaves, or one of the three codes beyond the board for the symbol thrown.
    source: u8,
    to: u8,
}

/// The codes of thrown rock, paper and scissors: their order is that of the letters p, r, s.
const THROWN: [u8; 3] = [62, 61, 63];
const SYMBOL_OF_CODE: [Symbol; 3] = [Symbol::Paper, Symbol::Rock, Symbol::Scissors];

/// A move, opened.
///
/// ```
/// use ropasci360::{Action, Move};
/// let told = |text: &str| match text.parse::<Move>().unwrap().action() {
///     Action::Throw { symbol, to } => format!("{symbol} to {to}"),
///     Action::Slide { from, to } => format!("{from} slides to {to}"),
///     Action::Swing { from, to } => format!("{from} swings to {to}"),
/// };
/// assert_eq!([told("s@e5"), told("e4e5"), told("e4e6")], ["scissors to e5", "e4 slides to e5", "e4 swings to e6"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A new token comes from the hand.
    Throw {
        /// Its symbol.
        symbol: Symbol,
        /// Where it lands.
        to: Hex,
    },
    /// A token goes to a neighbour hex.
    Slide {
        /// Where it stands.
        from: Hex,
        /// Where it goes.
        to: Hex,
    },
    /// A token goes around another one of its side.
    Swing {
        /// Where it stands.
        from: Hex,
        /// Where it goes.
        to: Hex,
    },
}

impl Move {
    /// A throw.
    ///
    /// ```
    /// use ropasci360::{Move, Symbol};
    /// assert_eq!(Move::throw(Symbol::Rock, "e5".parse().unwrap()).to_string(), "r@e5");
    /// ```
    #[inline]
    pub const fn throw(symbol: Symbol, to: Hex) -> Move {
        Move { source: THROWN[symbol.index()], to: to.index() as u8 }
    }

    /// A slide or a swing; which of them follows from the distance. `None` if the distance is neither 1 nor 2.
    ///
    /// ```
    /// use ropasci360::{Hex, Move};
    /// let [e4, e6, e7] = ["e4", "e6", "e7"].map(|name| name.parse::<Hex>().unwrap());
    /// assert_eq!(Move::step(e4, e6), "e4e6".parse().ok());
    /// assert_eq!(Move::step(e4, e7), None);
    /// ```
    #[inline]
    pub const fn step(from: Hex, to: Hex) -> Option<Move> {
        match from.distance(to) {
            1 | 2 => Some(Move::trusted_step(from, to)),
            _ => None,
        }
    }

    /// A step whose distance the caller knows to be 1 or 2.
    #[inline]
    pub(crate) const fn trusted_step(from: Hex, to: Hex) -> Move {
        Move { source: from.index() as u8, to: to.index() as u8 }
    }

    /// Where the token arrives.
    ///
    /// ```
    /// use ropasci360::Move;
    /// assert_eq!("e4e6".parse::<Move>().unwrap().to(), "e6".parse().unwrap());
    /// ```
    #[inline]
    pub const fn to(self) -> Hex {
        Hex::trusted(self.to)
    }

    /// The hex a token leaves, `None` for a throw.
    ///
    /// ```
    /// use ropasci360::Move;
    /// assert_eq!("e4e6".parse::<Move>().unwrap().from(), "e4".parse().ok());
    /// assert_eq!("s@e6".parse::<Move>().unwrap().from(), None);
    /// ```
    #[inline]
    pub const fn from(self) -> Option<Hex> {
        Hex::from_index(self.source as usize)
    }

    /// The symbol thrown, `None` for a slide or swing.
    ///
    /// ```
    /// use ropasci360::{Move, Symbol};
    /// assert_eq!("s@e6".parse::<Move>().unwrap().thrown(), Some(Symbol::Scissors));
    /// assert_eq!("e4e6".parse::<Move>().unwrap().thrown(), None);
    /// ```
    #[inline]
    pub const fn thrown(self) -> Option<Symbol> {
        if self.is_throw() { Some(SYMBOL_OF_CODE[self.source as usize - Hex::COUNT]) } else { None }
    }

    /// Whether this is a throw.
    ///
    /// ```
    /// use ropasci360::Move;
    /// assert!("s@e6".parse::<Move>().unwrap().is_throw());
    /// assert!(!"e4e6".parse::<Move>().unwrap().is_throw());
    /// ```
    #[inline]
    pub const fn is_throw(self) -> bool {
        self.source as usize >= Hex::COUNT
    }

    /// What the move does.
    ///
    /// ```
    /// use ropasci360::{Action, Move};
    /// let slide: Move = "e4e5".parse().unwrap();
    /// assert_eq!(slide.action(), Action::Slide { from: slide.from().unwrap(), to: slide.to() });
    /// ```
    pub const fn action(self) -> Action {
        let to = self.to();
        match (self.from(), self.thrown()) {
            (Some(from), _) if from.distance(to) == 1 => Action::Slide { from, to },
            (Some(from), _) => Action::Swing { from, to },
            (None, Some(symbol)) => Action::Throw { symbol, to },
            // A source is a hex or a symbol code: the constructors make nothing else.
            (None, None) => unreachable!(),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.thrown() {
            Some(symbol) => format!("{}@{}", symbol.letter(), self.to()),
            None => format!("{}{}", Hex::trusted(self.source), self.to()),
        })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

/// A text that is not a move.
///
/// ```
/// use ropasci360::{Move, ParseMoveError};
/// assert!(matches!("s@e0".parse::<Move>(), Err(ParseMoveError::Hex { .. })));
/// assert!(matches!("x@e5".parse::<Move>(), Err(ParseMoveError::Symbol { .. })));
/// assert!(matches!("e4e7".parse::<Move>(), Err(ParseMoveError::Distance { distance: 3, .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// Neither of the two forms.
    #[error("expected a throw such as `s@e5` or a slide or swing such as `e4e6`, found `{0}`")]
    Form(String),
    /// A throw of something that is not a symbol.
    #[error("expected the symbol `r`, `p` or `s` before the `@` of `{text}`, found `{found}`")]
    Symbol {
        /// The whole text.
        text: String,
        /// What stands in place of the symbol.
        found: String,
    },
    /// A hex that is not on the board.
    #[error("in `{text}`: {cause}")]
    Hex {
        /// The whole text.
        text: String,
        /// What is wrong with the hex.
        cause: ParseHexError,
    },
    /// A step to the same hex or further than a swing goes.
    #[error("`{text}` goes {distance} hexes; a slide goes 1 and a swing 2")]
    Distance {
        /// The whole text.
        text: String,
        /// The distance of the two hexes.
        distance: u8,
    },
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = |part: &str| {
            part.parse::<Hex>().map_err(|cause| ParseMoveError::Hex { text: text.to_owned(), cause })
        };
        if let Some((letter, to)) = text.split_once('@') {
            let mut letters = letter.chars();
            let symbol = letters.next().filter(|_| letters.next().is_none()).and_then(Symbol::from_letter);
            let symbol = symbol
                .ok_or_else(|| ParseMoveError::Symbol { text: text.to_owned(), found: letter.to_owned() })?;
            return Ok(Move::throw(symbol, hex(to)?));
        }
        if text.len() != 4 || !text.is_ascii() {
            return Err(ParseMoveError::Form(text.to_owned()));
        }
        let (from, to) = (hex(&text[..2])?, hex(&text[2..])?);
        Move::step(from, to)
            .ok_or_else(|| ParseMoveError::Distance { text: text.to_owned(), distance: from.distance(to) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_one_text_and_the_order_is_that_of_the_texts() {
        let throws = Symbol::ALL.iter().flat_map(|&s| Hex::all().map(move |to| Move::throw(s, to)));
        let steps = Hex::all().flat_map(|from| Hex::all().filter_map(move |to| Move::step(from, to)));
        let mut moves: Vec<Move> = throws.chain(steps).collect();
        moves.sort();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert!(texts.is_sorted());
        for (mv, text) in moves.iter().zip(&texts) {
            assert_eq!(text.parse(), Ok(*mv));
        }
    }

    #[test]
    fn bad_texts_are_told_what_was_expected() {
        let error = |text: &str| text.parse::<Move>().unwrap_err().to_string();
        assert_eq!(error("x@e5"), "expected the symbol `r`, `p` or `s` before the `@` of `x@e5`, found `x`");
        assert!(error("R@e5").contains("found `R`"));
        assert!(error("s@e0").starts_with("in `s@e0`: expected a hex"));
        assert_eq!(error("e4e7"), "`e4e7` goes 3 hexes; a slide goes 1 and a swing 2");
        assert_eq!(error("e4e4"), "`e4e4` goes 0 hexes; a slide goes 1 and a swing 2");
        for text in ["", "e4", "e4e", "e4e5e6", "é4e", "pass", "@", "rr@e5"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
