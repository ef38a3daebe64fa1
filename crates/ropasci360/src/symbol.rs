//! Rock, paper, scissors.

use std::fmt;

/// The symbol of a token. Rock beats scissors, scissors beat paper, paper beats rock.
///
/// ```
/// use ropasci360::Symbol;
/// assert!(Symbol::Rock.beats(Symbol::Scissors));
/// assert_eq!(Symbol::Scissors.to_string(), "scissors");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// `r`
    Rock,
    /// `p`
    Paper,
    /// `s`
    Scissors,
}

impl Symbol {
    /// All symbols; each is beaten by the next, the last by the first.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert!(Symbol::ALL[1].beats(Symbol::ALL[0]) && Symbol::ALL[0].beats(Symbol::ALL[2]));
    /// ```
    pub const ALL: [Symbol; 3] = [Symbol::Rock, Symbol::Paper, Symbol::Scissors];

    /// 0 for rock, 1 for paper, 2 for scissors: an index into arrays of three.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert!(Symbol::ALL.iter().enumerate().all(|(index, symbol)| symbol.index() == index));
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The symbol that this one beats.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert_eq!(Symbol::Rock.prey(), Symbol::Scissors);
    /// assert_eq!(Symbol::Rock.hunter(), Symbol::Paper);
    /// ```
    #[inline]
    pub const fn prey(self) -> Symbol {
        match self {
            Symbol::Rock => Symbol::Scissors,
            Symbol::Paper => Symbol::Rock,
            Symbol::Scissors => Symbol::Paper,
        }
    }

    /// The symbol that beats this one.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert_eq!(Symbol::Scissors.hunter(), Symbol::Rock);
    /// ```
    #[inline]
    pub const fn hunter(self) -> Symbol {
        match self {
            Symbol::Rock => Symbol::Paper,
            Symbol::Paper => Symbol::Scissors,
            Symbol::Scissors => Symbol::Rock,
        }
    }

    /// Whether this symbol beats `other`.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert!(Symbol::Paper.beats(Symbol::Rock));
    /// assert!(!Symbol::Paper.beats(Symbol::Paper));
    /// ```
    #[inline]
    pub const fn beats(self, other: Symbol) -> bool {
        self.prey() as u8 == other as u8
    }

    /// The letter in lower case.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert_eq!(Symbol::ALL.map(Symbol::letter), ['r', 'p', 's']);
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Symbol::Rock => 'r',
            Symbol::Paper => 'p',
            Symbol::Scissors => 's',
        }
    }

    /// The symbol of a letter in lower case.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert_eq!(Symbol::from_letter('p'), Some(Symbol::Paper));
    /// assert_eq!(Symbol::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Symbol> {
        match letter {
            'r' => Some(Symbol::Rock),
            'p' => Some(Symbol::Paper),
            's' => Some(Symbol::Scissors),
            _ => None,
        }
    }

    /// The symbol `steps` places on in the circle rock, paper, scissors.
    ///
    /// ```
    /// use ropasci360::Symbol;
    /// assert_eq!(Symbol::Rock.rotated(1), Symbol::Paper);
    /// assert_eq!(Symbol::Rock.rotated(3), Symbol::Rock);
    /// ```
    #[inline]
    pub const fn rotated(self, steps: u8) -> Symbol {
        Symbol::ALL[(self as usize + steps as usize) % 3]
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Symbol::Rock => "rock",
            Symbol::Paper => "paper",
            Symbol::Scissors => "scissors",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_closes() {
        for symbol in Symbol::ALL {
            assert_eq!(symbol.hunter(), symbol.rotated(1));
            assert_eq!(symbol.prey(), symbol.rotated(2));
            assert_eq!(symbol.prey().hunter(), symbol);
            assert!(symbol.hunter().beats(symbol) && !symbol.beats(symbol) && !symbol.beats(symbol.hunter()));
            assert_eq!(Symbol::from_letter(symbol.letter()), Some(symbol));
        }
    }
}
