//! Panics of code that is not trusted, a game under test or a bot in a match: caught, and told in one line instead of printed.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// The last panic of this thread while it is quiet; `None` while it is not.
    static HEARD: RefCell<Option<String>> = const { RefCell::new(None) };
}

static LISTENING: Once = Once::new();

/// Runs `work`. If it panics, the answer is the panic's message and place, and nothing is printed: the caller says what
/// happened, once.
///
/// ```
/// assert_eq!(search_core::quietly(|| 3), Ok(3));
/// let said = search_core::quietly(|| panic!("out of ideas")).unwrap_err();
/// assert!(said.starts_with("out of ideas ("), "{said}");
/// ```
pub fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    LISTENING.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !hear(info) {
                before(info);
            }
        }));
    });
    let outside = HEARD.replace(Some("a panic without a message".to_owned()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let heard = HEARD.replace(outside);
    result.map_err(|_| heard.unwrap_or_default())
}

/// Keeps the message if this thread is quiet.
fn hear(info: &PanicHookInfo<'_>) -> bool {
    HEARD
        .try_with(|heard| {
            let mut heard = heard.borrow_mut();
            let quiet = heard.is_some();
            if quiet {
                let message = info.payload_as_str().unwrap_or("a panic without a message");
                let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
                *heard = Some(format!("{message}{}", place.unwrap_or_default()));
            }
            quiet
        })
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_comes_back_as_one_line() {
        let said = quietly(|| {
            let inner = quietly(|| panic!("inside"));
            assert!(inner.is_err_and(|said: String| said.starts_with("inside (")));
            panic!("outside {}", 7)
        });
        let said = said.err().map(|said: String| said).unwrap_or_default();
        assert!(said.starts_with("outside 7 (") && said.contains("panics.rs:"), "{said}");
        assert_eq!(quietly(|| 3), Ok(3));
    }
}
