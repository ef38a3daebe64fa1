//! What the drawings of the four games share. Colours are names of the page's style sheet, so that pictures follow its light
//! and dark.

use search_core::Player;

/// The fill of a player's pieces.
pub(super) fn fill(player: Player) -> &'static str {
    match player {
        Player::One => "var(--accent)",
        Player::Two => "var(--accent2)",
    }
}

/// Centred text.
pub(super) fn text(x: f64, y: f64, size: u32, colour: &str, content: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"middle\" \
         dominant-baseline=\"central\">{content}</text>"
    )
}
