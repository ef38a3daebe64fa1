//! The playground's page, put together: one file with its style, its script, and what is behind it.

/// What is behind a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine<'a> {
    /// The games as WebAssembly, compressed with `deflate` (the form that browsers call so: zlib) and in base64. The page needs
    /// nothing but itself.
    Wasm(&'a str),
    /// The program that serves the page, behind a WebSocket.
    Program,
}

const TEMPLATE: &str = include_str!("../../playground/page/page.html");
const STYLE: &str = include_str!("../../playground/page/dist/page.css");
const SCRIPT: &str = include_str!("../../playground/page/dist/page.js");
const WORKER: &str = include_str!("../../playground/page/dist/worker.js");

/// The whole page.
///
/// ```
/// use gamesearch::page::{Engine, page};
/// let page = page(Engine::Wasm("eJwDAAAAAAE="));
/// assert!(page.starts_with("<!doctype html>") && page.contains("eJwDAAAAAAE="));
/// ```
pub fn page(engine: Engine<'_>) -> String {
    let (meta, behind) = match engine {
        Engine::Program => ("<meta name=\"engine\" content=\"ws\">", String::new()),
        Engine::Wasm(base64) => (
            "",
            format!(
                "<script id=\"worker\" type=\"text/plain\">{WORKER}</script>\n\
                 <script id=\"wasm\" type=\"text/plain\" data-compression=\"deflate\">{base64}</script>"
            ),
        ),
    };
    // From front to back, so that nothing in a part is taken for a place.
    let parts = [("{meta}", meta), ("{style}", STYLE), ("{engine}", &behind), ("{script}", SCRIPT)];
    let mut page =
        String::with_capacity(TEMPLATE.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = TEMPLATE;
    for (place, part) in parts {
        if let Some((before, after)) = rest.split_once(place) {
            page.push_str(before);
            page.push_str(part);
            rest = after;
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole() {
        for (engine, wasm) in [(Engine::Wasm("QUJD"), true), (Engine::Program, false)] {
            let page = page(engine);
            for place in ["{meta}", "{style}", "{engine}", "{script}"] {
                assert_eq!(
                    page.matches(place).count(),
                    SCRIPT.matches(place).count() + WORKER.matches(place).count() * usize::from(wasm)
                );
            }
            assert_eq!(page.contains(">QUJD</script>"), wasm);
            assert_eq!(page.contains("name=\"engine\" content=\"ws\""), !wasm);
            assert!(page.contains(SCRIPT) && page.contains(STYLE) && page.ends_with("</html>\n"));
            // What would end a part early.
            assert!(
                !SCRIPT.contains("</script") && !WORKER.contains("</script") && !STYLE.contains("</style")
            );
        }
    }
}
