//! Text from outside, made fit to be shown.
//!
//! A bot chooses its own name, its moves and what it writes to its error stream. Written to a terminal as they are,
//! these could move the cursor, fill the clipboard, or turn the reading direction so that a line says something else
//! than it seems to. So all text from outside passes through here before it is shown.

use std::borrow::Cow;

/// The text on one line: control characters, line breaks, marks of the reading direction and invisible characters are
/// written as escapes, everything else stays.
///
/// ```
/// use arena::shown;
/// assert_eq!(shown("Zug nach e4, schön"), "Zug nach e4, schön");
/// assert_eq!(shown("\u{1b}]52;c;aGk=\u{7}"), r"\u{1b}]52;c;aGk=\u{7}");
/// assert_eq!(shown("two\nlines"), r"two\nlines");
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// The text with its lines: as [`shown`], but line breaks and tabulators stay, for error streams and the like.
///
/// ```
/// use arena::shown_lines;
/// assert_eq!(shown_lines("Traceback:\r\n\t\u{1b}[31mboom"), "Traceback:\n\t\\u{1b}[31mboom");
/// ```
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    // The line ends of another system are line ends as well.
    if text.contains("\r\n") {
        return Cow::Owned(escape(&text.replace("\r\n", "\n"), is_layout).into_owned());
    }
    escape(text, is_layout)
}

fn is_layout(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !keep(c);
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !hidden(c) => out.push(c),
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

/// Whether a character does something else than to be seen.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Marks, embeddings, overrides and isolates of the reading direction.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators.
            | '\u{2028}' | '\u{2029}'
            // Characters without width that no script needs, so that two names that look alike are alike.
            | '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_harmless_is_not_copied() {
        for text in ["", "plain", "naïve 日本語 😀 می‌خواهم", r"a\nb"] {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert!(matches!(shown_lines("a\n\tb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_reaches_the_terminal() {
        for (text, expected) in [
            ("\u{1b}[2J", r"\u{1b}[2J"),
            ("\u{9b}31m", r"\u{9b}31m"),
            ("a\u{8}\u{8}b", r"a\u{8}\u{8}b"),
            ("a\r\nb\tc", r"a\r\nb\tc"),
            ("\u{202e}won", r"\u{202e}won"),
            ("a\u{2066}b\u{2069}", r"a\u{2066}b\u{2069}"),
            ("a\u{2028}b", r"a\u{2028}b"),
            ("cham\u{200b}pion", r"cham\u{200b}pion"),
            ("\u{7f}\u{0}", r"\u{7f}\u{0}"),
        ] {
            assert_eq!(shown(text), expected);
        }
        assert_eq!(shown_lines("a\rb\r\nc\u{1b}"), "a\\rb\nc\\u{1b}");
    }

    proptest! {
        #[test]
        fn shown_text_has_nothing_to_hide(text in "\\PC*|[\\x00-\\xff\\u{2000}-\\u{2070}]*") {
            let once = shown(&text).into_owned();
            prop_assert!(!once.contains(is_hidden));
            prop_assert_eq!(shown(&once), once.as_str());
            prop_assert!(!shown_lines(&text).contains(|c| is_hidden(c) && !is_layout(c)));
        }
    }
}
