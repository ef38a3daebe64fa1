//! Spec strings: `name[:key=value,...]`, or `name:number` for the bot's first option.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A bot's name with its options, as written; whether they exist is the [`Catalogue`](crate::Catalogue)'s to say.
///
/// ```
/// use agents::Spec;
/// let spec: Spec = "alphabeta:depth=4,order=booms".parse()?;
/// assert_eq!(spec.name(), "alphabeta");
/// assert_eq!(spec.options()[0], ("depth".to_owned(), "4".to_owned()));
/// assert_eq!(spec.to_string(), "alphabeta:depth=4,order=booms");
/// // A number alone sets the bot's first option.
/// let spec: Spec = "level:3".parse()?;
/// assert_eq!(spec.options()[0], (String::new(), "3".to_owned()));
/// # Ok::<(), agents::ParseSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    name: String,
    options: Vec<(String, String)>,
}

impl Spec {
    /// The bot's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options as written, in order; a number alone has no key.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.options.iter().enumerate() {
            let equals = if key.is_empty() { "" } else { "=" };
            write!(f, "{}{key}{equals}{value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// A text that is not a spec string.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseSpecError {
    /// There is no name.
    #[error("expected a bot such as `random` or `mcts:playouts=2000`, found `{0}`")]
    NoName(String),
    /// An option is not of the form `key=value`.
    #[error("in `{spec}`: expected `key=value` after `:` or `,`, found `{option}`")]
    NotAnOption {
        /// The whole spec.
        spec: String,
        /// The part that is wrong.
        option: String,
    },
    /// A key stands twice.
    #[error("in `{spec}`: the option `{key}` is given twice")]
    Twice {
        /// The whole spec.
        spec: String,
        /// The key.
        key: String,
    },
}

impl FromStr for Spec {
    type Err = ParseSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            return Err(ParseSpecError::NoName(text.to_owned()));
        }
        let mut options: Vec<(String, String)> = Vec::new();
        for (index, option) in rest.into_iter().flat_map(|rest| rest.split(',')).enumerate() {
            let alone = option.trim();
            if index == 0 && !alone.is_empty() && alone.bytes().all(|byte| byte.is_ascii_digit()) {
                options.push((String::new(), alone.to_owned()));
                continue;
            }
            let (key, value) = option
                .split_once('=')
                .map(|(key, value)| (key.trim(), value.trim()))
                .filter(|(key, value)| !key.is_empty() && !value.is_empty())
                .ok_or_else(|| ParseSpecError::NotAnOption {
                    spec: text.to_owned(),
                    option: option.to_owned(),
                })?;
            if options.iter().any(|(known, _)| known == key) {
                return Err(ParseSpecError::Twice { spec: text.to_owned(), key: key.to_owned() });
            }
            options.push((key.to_owned(), value.to_owned()));
        }
        Ok(Spec { name: name.to_owned(), options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert_eq!(error(""), "expected a bot such as `random` or `mcts:playouts=2000`, found ``");
        assert_eq!(error("mcts:c"), "in `mcts:c`: expected `key=value` after `:` or `,`, found `c`");
        assert_eq!(error("mcts:"), "in `mcts:`: expected `key=value` after `:` or `,`, found ``");
        assert_eq!(error("mcts:c=1,3"), "in `mcts:c=1,3`: expected `key=value` after `:` or `,`, found `3`");
        assert_eq!(error("mcts:c=1,c=2"), "in `mcts:c=1,c=2`: the option `c` is given twice");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
    }
}
