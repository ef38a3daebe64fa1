//! What all pages have around them.

use maud::{DOCTYPE, Markup, html};

/// A whole page. `up` leads to the folder of the first one: empty, `../` or `../../`.
pub(crate) fn whole(title: &str, up: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The names of secret folders must not be told to other hosts by what is followed from there.
                meta name="referrer" content="no-referrer";
                // Nothing that a team writes can run here: only the site's own script does.
                meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src data:; object-src 'none'; base-uri 'none'; form-action 'none'";
                title { (title) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href={ (up) "style.css" };
            }
            body { (body) }
        }
    };
    page.into_string()
}
