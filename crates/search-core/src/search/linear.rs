//! A weighted sum of named features as an evaluation, with its weights in a small text file.

use std::error::Error;
use std::fmt;

use crate::{Evaluate, Player, Score};

/// A list of numbers that describe a position, each with a name. Tuning, explaining and playing all use the same list.
pub trait Features<G>: Send + Sync {
    /// The names, one per feature; distinct, of letters, digits, `_`, `-` and `.`.
    fn names(&self) -> Vec<String>;

    /// Writes the features of a position into `values` (as many as there are names), seen from the side of `player`:
    /// the features of one player are the negatives of the other's.
    fn extract(&self, position: &G, player: Player, values: &mut [i32]);
}

/// An evaluation that is a weighted sum of features: `sum(weight * feature) / scale`, rounded towards zero.
///
/// ```
/// use search_core::{Evaluate, Features, Linear, Player, Score};
/// struct Tokens;
/// impl Features<[i32; 2]> for Tokens {
///     fn names(&self) -> Vec<String> {
///         vec!["tokens".into()]
///     }
///     fn extract(&self, position: &[i32; 2], player: Player, values: &mut [i32]) {
///         values[0] = position[player.index()] - position[player.opponent().index()];
///     }
/// }
/// let linear = Linear::new(Tokens, vec![100]).unwrap();
/// assert_eq!(linear.evaluate(&[3, 1], Player::One), Score::new(200));
/// let text = linear.to_text();
/// assert_eq!(text, "scale 1\ntokens 100\n");
/// assert_eq!(Linear::from_text(Tokens, &text).unwrap().weights(), [100]);
/// ```
#[derive(Debug, Clone)]
pub struct Linear<F> {
    features: F,
    weights: Vec<i32>,
    scale: i32,
}

/// Most evaluations have few features: room for these is on the stack.
const INLINE: usize = 64;

impl<F> Linear<F> {
    /// Features with one weight each.
    pub fn new<G>(features: F, weights: Vec<i32>) -> Result<Self, WeightsError>
    where
        F: Features<G>,
    {
        let expected = features.names().len();
        if weights.len() == expected {
            Ok(Linear { features, weights, scale: 1 })
        } else {
            Err(WeightsError::Count { expected, found: weights.len() })
        }
    }

    /// The same with another divisor of the sum; 0 counts as 1.
    pub fn with_scale(mut self, scale: i32) -> Self {
        self.scale = if scale == 0 { 1 } else { scale };
        self
    }

    /// The features.
    pub fn features(&self) -> &F {
        &self.features
    }

    /// The weights, in the order of the features.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// The weights, to be changed in place.
    pub fn weights_mut(&mut self) -> &mut [i32] {
        &mut self.weights
    }

    /// The divisor of the sum.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Reads weights from a text: one `name weight` per line, `scale N` for the divisor, `#` starts a comment. Every
    /// feature must have a weight, and only once.
    pub fn from_text<G>(features: F, text: &str) -> Result<Self, WeightsError>
    where
        F: Features<G>,
    {
        let names = features.names();
        let mut weights: Vec<Option<i32>> = vec![None; names.len()];
        let mut scale = None;
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let bad = || WeightsError::Line { line: line_number, text: content.to_owned() };
            let mut words = content.split_whitespace();
            let (Some(name), Some(number), None) = (words.next(), words.next(), words.next()) else {
                return Err(bad());
            };
            let number: i32 = number.parse().map_err(|_| bad())?;
            let slot = if name == "scale" {
                if number == 0 {
                    return Err(bad());
                }
                &mut scale
            } else {
                let place = names.iter().position(|known| known == name).ok_or_else(|| {
                    WeightsError::Unknown { line: line_number, name: name.to_owned(), known: names.clone() }
                })?;
                &mut weights[place]
            };
            if slot.replace(number).is_some() {
                return Err(WeightsError::Twice { line: line_number, name: name.to_owned() });
            }
        }
        let weights = names
            .into_iter()
            .zip(weights)
            .map(|(name, weight)| weight.ok_or(WeightsError::Missing { name }))
            .collect::<Result<Vec<i32>, _>>()?;
        Ok(Linear { features, weights, scale: scale.unwrap_or(1) })
    }

    /// The weights as the text that [`Linear::from_text`] reads.
    pub fn to_text<G>(&self) -> String
    where
        F: Features<G>,
    {
        let mut text = format!("scale {}\n", self.scale);
        for (name, weight) in self.features.names().iter().zip(&self.weights) {
            text.push_str(name);
            text.push(' ');
            text.push_str(&weight.to_string());
            text.push('\n');
        }
        text
    }

    /// What each feature contributes to the value of a position: name, feature, weight.
    pub fn explain<G>(&self, position: &G, player: Player) -> Vec<(String, i32, i32)>
    where
        F: Features<G>,
    {
        let mut values = vec![0; self.weights.len()];
        self.features.extract(position, player, &mut values);
        self.features
            .names()
            .into_iter()
            .zip(values)
            .zip(&self.weights)
            .map(|((name, value), &weight)| (name, value, weight))
            .collect()
    }
}

impl<G, F: Features<G>> Evaluate<G> for Linear<F> {
    #[inline]
    fn evaluate(&self, position: &G, player: Player) -> Score {
        let count = self.weights.len();
        let mut inline = [0; INLINE];
        let mut heap;
        let values = if count <= INLINE {
            &mut inline[..count]
        } else {
            heap = vec![0; count];
            &mut heap[..]
        };
        self.features.extract(position, player, values);
        let sum: i64 = values.iter().zip(&self.weights).map(|(&v, &w)| i64::from(v) * i64::from(w)).sum();
        let value = sum / i64::from(self.scale);
        Score::new(value.clamp(i64::from(-Score::BOUND), i64::from(Score::BOUND)) as i32)
    }
}

/// A text or a list that does not give each feature one weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightsError {
    /// The list of weights has the wrong length.
    Count {
        /// How many features there are.
        expected: usize,
        /// How many weights came.
        found: usize,
    },
    /// A line is not a name and a whole number.
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A name that no feature has.
    Unknown {
        /// The line's number, from 1.
        line: usize,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A weight was given twice.
    Twice {
        /// The line's number, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A feature has no weight.
    Missing {
        /// The name.
        name: String,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Count { expected, found } => {
                write!(f, "expected {expected} weights, one per feature, found {found}")
            }
            WeightsError::Line { line, text } => {
                write!(f, "line {line}: expected `name weight` with a whole number, found `{text}`")
            }
            WeightsError::Unknown { line, name, known } => {
                write!(f, "line {line}: no feature is called `{name}`; there are: {}", known.join(" "))
            }
            WeightsError::Twice { line, name } => write!(f, "line {line}: `{name}` has a weight already"),
            WeightsError::Missing { name } => write!(f, "the feature `{name}` has no weight"),
        }
    }
}

impl Error for WeightsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Pair;

    impl Features<[i32; 2]> for Pair {
        fn names(&self) -> Vec<String> {
            vec!["one".into(), "two".into()]
        }

        fn extract(&self, position: &[i32; 2], player: Player, values: &mut [i32]) {
            let sign = if player == Player::One { 1 } else { -1 };
            values[0] = sign * position[0];
            values[1] = sign * position[1];
        }
    }

    #[test]
    fn weights_round_trip_and_explain_the_value() {
        let linear = Linear::from_text(Pair, "# a comment\nscale 2\ntwo -3 # why\none 10\n").unwrap();
        assert_eq!(linear.evaluate(&[4, 2], Player::One), Score::new(17));
        assert_eq!(linear.evaluate(&[4, 2], Player::Two), Score::new(-17));
        assert_eq!(Linear::from_text(Pair, &linear.to_text()).unwrap().weights(), linear.weights());
        assert_eq!(linear.explain(&[4, 2], Player::One), [("one".into(), 4, 10), ("two".into(), 2, -3)]);
    }

    #[test]
    fn a_sum_beyond_the_range_stays_heuristic() {
        let linear = Linear::new(Pair, vec![i32::MAX, i32::MAX]).unwrap();
        assert!(!linear.evaluate(&[i32::MAX, i32::MAX], Player::One).is_decided());
    }

    #[test]
    fn bad_texts_say_what_is_wrong() {
        let fails = |text: &str| Linear::from_text(Pair, text).unwrap_err().to_string();
        assert_eq!(fails("one 1\n"), "the feature `two` has no weight");
        assert_eq!(fails("one 1\none 2\n"), "line 2: `one` has a weight already");
        assert_eq!(fails("three 1"), "line 1: no feature is called `three`; there are: one two");
        assert_eq!(fails("one x"), "line 1: expected `name weight` with a whole number, found `one x`");
        assert_eq!(fails("scale 0"), "line 1: expected `name weight` with a whole number, found `scale 0`");
        assert_eq!(
            Linear::new(Pair, vec![1]).unwrap_err().to_string(),
            "expected 2 weights, one per feature, found 1"
        );
    }
}
