//! What a message asks for: the fields of a JSON object, each with an error that says what was expected.

use search_core::Player;
use serde_json::{Map, Value};

/// A request or a job.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Ask<'a> {
    fn given(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text that has to be there.
    pub(super) fn text(self, key: &str) -> Result<&'a str, String> {
        self.maybe_text(key)?.ok_or_else(|| format!("expected a text for `{key}`, found nothing"))
    }

    /// A text, if it is there.
    pub(super) fn maybe_text(self, key: &str) -> Result<Option<&'a str>, String> {
        let Some(value) = self.given(key) else { return Ok(None) };
        let text =
            value.as_str().ok_or_else(|| format!("expected a text for `{key}`, found {}", short(value)))?;
        Ok(Some(text))
    }

    /// A whole number, if it is there.
    pub(super) fn maybe_number(self, key: &str) -> Result<Option<u64>, String> {
        let Some(value) = self.given(key) else { return Ok(None) };
        let number = value.as_u64().or_else(|| {
            // A number from a script has no kind: 3.0 is 3.
            value
                .as_f64()
                .filter(|float| float.fract() == 0.0 && (0.0..1e15).contains(float))
                .map(|float| float as u64)
        });
        let number =
            number.ok_or_else(|| format!("expected a whole number for `{key}`, found {}", short(value)))?;
        Ok(Some(number))
    }

    /// A number with a fraction, if it is there.
    pub(super) fn maybe_float(self, key: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.given(key) else { return Ok(None) };
        let number =
            value.as_f64().ok_or_else(|| format!("expected a number for `{key}`, found {}", short(value)))?;
        Ok(Some(number))
    }

    /// A whole number with a default.
    pub(super) fn number(self, key: &str, default: u64) -> Result<u64, String> {
        Ok(self.maybe_number(key)?.unwrap_or(default))
    }

    /// A player that has to be there.
    pub(super) fn player(self, key: &str) -> Result<Player, String> {
        self.text(key)?.parse().map_err(|error| format!("`{key}`: {error}"))
    }

    /// Any value, if it is there.
    pub(super) fn value(self, key: &str) -> Option<&'a Value> {
        self.given(key)
    }

    /// Two texts, if they are there.
    pub(super) fn maybe_pair(self, key: &str) -> Result<Option<[String; 2]>, String> {
        let Some(value) = self.given(key) else { return Ok(None) };
        let pair = value.as_array().and_then(|list| match &list[..] {
            [Value::String(one), Value::String(two)] => Some([one.clone(), two.clone()]),
            _ => None,
        });
        pair.map(Some).ok_or_else(|| format!("expected two texts for `{key}`, found {}", short(value)))
    }

    /// A list of texts, empty if it is not there.
    pub(super) fn texts(self, key: &str) -> Result<Vec<&'a str>, String> {
        let Some(value) = self.given(key) else { return Ok(Vec::new()) };
        let texts =
            value.as_array().and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<&str>>>());
        texts.ok_or_else(|| format!("expected a list of texts for `{key}`, found {}", short(value)))
    }

    /// Whether a flag is set.
    pub(super) fn flag(self, key: &str) -> Result<bool, String> {
        let Some(value) = self.given(key) else { return Ok(false) };
        value
            .as_bool()
            .ok_or_else(|| format!("expected `true` or `false` for `{key}`, found {}", short(value)))
    }
}

/// A value for an error message.
fn short(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return format!("`{text}`");
    }
    format!("`{}…`", text.chars().take(LONGEST).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrong_kinds_are_named() {
        let value = json!({ "a": "x", "n": 3.0, "p": "p2", "pair": ["x", "y"], "nothing": null });
        let ask = Ask(value.as_object().unwrap());
        assert_eq!(ask.text("a"), Ok("x"));
        assert_eq!(ask.number("n", 1), Ok(3));
        assert_eq!(ask.number("m", 1), Ok(1));
        assert_eq!(ask.player("p"), Ok(Player::Two));
        assert_eq!(ask.maybe_text("nothing"), Ok(None));
        assert_eq!(ask.maybe_pair("pair"), Ok(Some(["x".to_owned(), "y".to_owned()])));
        assert_eq!(ask.text("n").unwrap_err(), "expected a text for `n`, found `3.0`");
        assert_eq!(ask.text("z").unwrap_err(), "expected a text for `z`, found nothing");
        assert_eq!(ask.number("a", 1).unwrap_err(), "expected a whole number for `a`, found `\"x\"`");
        assert!(ask.player("a").unwrap_err().contains("expected the player `p1` or `p2`, found `x`"));
        assert!(ask.maybe_pair("a").unwrap_err().contains("two texts"));
    }
}
