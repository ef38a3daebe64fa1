//! Tokens on squares.

use ::expendibots::Square;

use super::{OTHER_SIDE, at, fields, no_place, number, other_ply, unknown};
use crate::Brush;

pub(crate) const BRUSHES: &[Brush] = &[
    at("white", "a White token more"),
    at("black", "a Black token more"),
    at("less", "a token less"),
    at("none", "empty the square"),
    OTHER_SIDE,
];

/// The highest stack.
const HIGHEST: i32 = 12;

pub(crate) fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
    let [board, side, plies] = fields(text)?;
    if brush == "side" {
        let plies = other_ply(&plies)?;
        return Ok(format!("{board} {} {plies}", if number(&plies)? % 2 == 0 { 'w' } else { 'b' }));
    }
    let square: Square = target.parse().map_err(|_| no_place(target))?;
    // White stacks are positive, Black's negative.
    let mut ranks: Vec<Vec<i32>> = board.split('/').map(rank).collect::<Result<_, _>>()?;
    let stack = ranks
        .get_mut(7 - usize::from(square.rank()))
        .and_then(|rank| rank.get_mut(usize::from(square.file())))
        .ok_or_else(|| no_place(target))?;
    *stack = match brush {
        "white" => (*stack).max(0) + 1,
        "black" => (*stack).min(0) - 1,
        "less" | "none" if *stack == 0 => return Err(format!("{target} is empty already")),
        "less" => *stack - stack.signum(),
        "none" => 0,
        _ => return Err(unknown(brush, BRUSHES)),
    };
    if stack.abs() > HIGHEST {
        return Err(format!("{target} holds {HIGHEST} tokens already, as many as a player has"));
    }
    let ranks: Vec<String> = ranks.iter().map(|rank| written(rank)).collect();
    Ok(format!("{} {side} {plies}", ranks.join("/")))
}

fn rank(text: &str) -> Result<Vec<i32>, String> {
    let mut stacks = Vec::new();
    for letter in text.chars() {
        match letter {
            '1'..='8' => stacks.resize(stacks.len() + letter as usize - '0' as usize, 0),
            'A'..='L' => stacks.push(letter as i32 - 'A' as i32 + 1),
            'a'..='l' => stacks.push('a' as i32 - letter as i32 - 1),
            _ => return Err(format!("expected a stack or a run of empty squares, found `{letter}`")),
        }
    }
    Ok(stacks)
}

fn written(rank: &[i32]) -> String {
    let mut text = String::new();
    for run in rank.chunk_by(|one, other| *one == 0 && *other == 0) {
        match run[0] {
            0 => text.push_str(&run.len().to_string()),
            height if height > 0 => text.push((b'A' + height as u8 - 1) as char),
            height => text.push((b'a' + (-height) as u8 - 1) as char),
        }
    }
    text
}
