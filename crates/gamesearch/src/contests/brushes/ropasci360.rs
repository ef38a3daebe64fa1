//! Tokens on hexes, and the throws used.

use ::ropasci360::Hex;

use super::{at, fields, no_place, number, unknown};
use crate::Brush;

pub(crate) const BRUSHES: &[Brush] = &[
    at("R", "a rock of Upper"),
    at("P", "a paper of Upper"),
    at("S", "scissors of Upper"),
    at("r", "a rock of Lower"),
    at("p", "a paper of Lower"),
    at("s", "scissors of Lower"),
    at("none", "empty the hexagon"),
    Brush { name: "thrown-p1", title: "Upper has thrown one more", needs_target: false },
    Brush { name: "thrown-p2", title: "Lower has thrown one more", needs_target: false },
];

/// The throws of a player.
const THROWS: u32 = 9;

pub(crate) fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
    let [rows, upper, lower, turns] = fields(text)?;
    let mut used = [number(&upper)?, number(&lower)?];
    let mut board: Vec<Vec<String>> = rows.split('/').map(row).collect::<Result<_, _>>()?;
    match brush {
        // After the ninth throw comes none.
        "thrown-p1" => used[0] = (used[0] + 1) % (THROWS + 1),
        "thrown-p2" => used[1] = (used[1] + 1) % (THROWS + 1),
        "none" => {
            let tokens = place(&mut board, target)?;
            if std::mem::take(tokens).is_empty() {
                return Err(format!("{target} is empty already"));
            }
        }
        _ if !BRUSHES.iter().any(|known| known.name == brush) => return Err(unknown(brush, BRUSHES)),
        token => {
            let tokens = place(&mut board, target)?;
            // Another symbol takes the place of what stood there.
            if !tokens.to_lowercase().starts_with(&token.to_lowercase()) {
                tokens.clear();
            }
            let upper = token.chars().all(char::is_uppercase);
            tokens.insert_str(if upper { 0 } else { tokens.len() }, token);
        }
    }
    // Tokens were thrown, and throws took turns.
    for (used, upper) in used.iter_mut().zip([true, false]) {
        let letters = board.iter().flatten().flat_map(|tokens| tokens.chars());
        let count = letters.filter(|letter| letter.is_uppercase() == upper).count();
        *used = (*used).max(u32::try_from(count).unwrap_or(u32::MAX));
    }
    let turns = number(&turns)?.max(used[0]).max(used[1]);
    let rows: Vec<String> = board.iter().map(|row| written(row)).collect();
    Ok(format!("{} {} {} {turns}", rows.join("/"), used[0], used[1]))
}

/// The tokens on a hex.
fn place<'a>(board: &'a mut [Vec<String>], target: &str) -> Result<&'a mut String, String> {
    let hex: Hex = target.parse().map_err(|_| no_place(target))?;
    let row = usize::try_from(4 - hex.r()).map_err(|_| no_place(target))?;
    // A row begins at the column that is on the board.
    let first = (-4).max(-4 - hex.r());
    let column = usize::try_from(hex.q() - first).map_err(|_| no_place(target))?;
    board.get_mut(row).and_then(|row| row.get_mut(column)).ok_or_else(|| no_place(target))
}

/// The tokens on each hex of a row.
fn row(text: &str) -> Result<Vec<String>, String> {
    let mut hexes = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '1'..='9' => hexes.resize(hexes.len() + letter as usize - '0' as usize, String::new()),
            '(' => hexes.push(letters.by_ref().take_while(|letter| *letter != ')').collect()),
            _ if "RPSrps".contains(letter) => hexes.push(letter.to_string()),
            _ => {
                return Err(format!(
                    "expected a token, a stack or a run of empty hexagons, found `{letter}`"
                ));
            }
        }
    }
    Ok(hexes)
}

fn written(row: &[String]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|one, other| one.is_empty() && other.is_empty()) {
        match run[0].len() {
            0 => text.push_str(&run.len().to_string()),
            1 => text.push_str(&run[0]),
            _ => text.extend(["(", &run[0], ")"]),
        }
    }
    text
}
