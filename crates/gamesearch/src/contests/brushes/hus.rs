//! Seeds in pits.

use super::{OTHER_SIDE, at, fields, no_place, number, other_ply, unknown};
use crate::Brush;

pub(crate) const BRUSHES: &[Brush] =
    &[at("more", "a seed more"), at("less", "a seed less"), at("none", "empty the pit"), OTHER_SIDE];

pub(crate) fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
    let [board, side, plies] = fields(text)?;
    if brush == "side" {
        let plies = other_ply(&plies)?;
        return Ok(format!("{board} {} {plies}", number(&plies)? % 2));
    }
    if !BRUSHES.iter().any(|known| known.name == brush) {
        return Err(unknown(brush, BRUSHES));
    }
    let (player, pit) = target.split_once('-').ok_or_else(|| no_place(target))?;
    let player = ["p1", "p2"].iter().position(|name| *name == player).ok_or_else(|| no_place(target))?;
    let mut rings: Vec<Vec<String>> =
        board.split('/').map(|ring| ring.split(',').map(str::to_owned).collect()).collect();
    let pit: usize = pit.parse().map_err(|_| no_place(target))?;
    let count = rings.get_mut(player).and_then(|ring| ring.get_mut(pit)).ok_or_else(|| no_place(target))?;
    let seeds = number(count)?;
    let seeds = match brush {
        "more" => seeds.saturating_add(1),
        _ if seeds == 0 => return Err(format!("{target} is empty already")),
        "less" => seeds - 1,
        _ => 0,
    };
    *count = seeds.to_string();
    let rings: Vec<String> = rings.iter().map(|ring| ring.join(",")).collect();
    Ok(format!("{} {side} {plies}", rings.join("/")))
}
