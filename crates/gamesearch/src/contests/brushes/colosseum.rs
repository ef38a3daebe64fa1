//! Walls and the two players.

use ::colosseum::{Cell, Side};

use super::{OTHER_SIDE, at, fields, no_place, number, other_ply, unknown};
use crate::Brush;

pub(crate) const BRUSHES: &[Brush] =
    &[at("a", "A stands here"), at("b", "B stands here"), at("wall", "a wall, or none"), OTHER_SIDE];

pub(crate) fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
    let [size, rows, one, two, side, plies] = fields(text)?;
    let cell = |text: &str| text.parse::<Cell>().map_err(|_| no_place(text));
    match brush {
        "side" => {
            let plies = other_ply(&plies)?;
            let side = if number(&plies)? % 2 == 0 { 'a' } else { 'b' };
            Ok(format!("{size} {rows} {one} {two} {side} {plies}"))
        }
        "a" => Ok(format!("{size} {rows} {} {two} {side} {plies}", cell(target)?)),
        "b" => Ok(format!("{size} {rows} {one} {} {side} {plies}", cell(target)?)),
        "wall" => {
            let split = target.len().saturating_sub(1);
            let name = target.get(..split).ok_or_else(|| no_place(target))?;
            let wall = match target.get(split..) {
                Some("r") => Side::Right,
                Some("d") => Side::Down,
                _ => return Err(format!("a wall stands on a side of a cell, not on `{target}`")),
            };
            let cell = cell(name)?;
            let mut flags: Vec<Vec<u8>> = rows.split('/').map(row).collect::<Result<_, _>>()?;
            for (cell, bit) in [
                (Some(cell), if wall == Side::Right { 2 } else { 4 }),
                (cell.neighbour(wall), if wall == Side::Right { 8 } else { 1 }),
            ] {
                let flag = cell.and_then(|cell| {
                    flags.get_mut(usize::from(cell.row()))?.get_mut(usize::from(cell.column()))
                });
                *flag.ok_or_else(|| no_place(target))? ^= bit;
            }
            let rows: Vec<String> =
                flags.iter().map(|row| row.iter().filter_map(|&flag| digit_of(flag)).collect()).collect();
            Ok(format!("{size} {} {one} {two} {side} {plies}", rows.join("/")))
        }
        _ => Err(unknown(brush, BRUSHES)),
    }
}

/// A hexadecimal digit.
fn digit_of(flag: u8) -> Option<char> {
    char::from_digit(u32::from(flag), 16)
}

fn row(text: &str) -> Result<Vec<u8>, String> {
    let digit = |letter: char| {
        let digit = letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        digit.ok_or_else(|| format!("expected the walls of a cell, 0 to f, found `{letter}`"))
    };
    text.chars().map(digit).collect()
}
