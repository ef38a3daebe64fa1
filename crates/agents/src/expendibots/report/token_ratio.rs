//! The report's evaluation: own tokens against enemy tokens as a ratio.

use ::expendibots::Position;
use search_core::Player;

/// What the authors' program gives a decided game, before its factor of 1000.
pub(crate) const DECIDED: f64 = 1e7;

/// The factor of the authors' scores.
pub(crate) const SCALE: f64 = 1000.0;

/// (own + 1) / (enemy + 1), with the program's special values when a side has no tokens left.
pub(crate) fn ratio(own: u8, enemy: u8) -> f64 {
    match (own, enemy) {
        (0, 0) => 0.0,
        (_, 0) => DECIDED,
        (0, _) => -DECIDED,
        _ => f64::from(own + 1) / f64::from(enemy + 1),
    }
}

/// [`ratio`] of a position for `player`.
pub(crate) fn ratio_of(position: &Position, player: Player) -> f64 {
    ratio(position.tokens(player), position.tokens(player.opponent()))
}

/// A multiple of every number from 1 to 13, so that every ratio of token counts times this is whole.
pub(crate) const WHOLE: i32 = 360_360;

/// (own + 1) / (enemy + 1) as a whole number that orders exactly like the ratio. Seen from the other side the ratio is
/// turned over, which negation does not do: the difference to the other side's ratio keeps the order and is zero-sum.
pub(crate) fn whole_ratio(own: u8, enemy: u8) -> i32 {
    let (own, enemy) = (i32::from(own) + 1, i32::from(enemy) + 1);
    own * (WHOLE / enemy) - enemy * (WHOLE / own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_order_like_the_ratio() {
        let pairs: Vec<(u8, u8)> = (1..=12).flat_map(|own| (1..=12).map(move |enemy| (own, enemy))).collect();
        for &(a, b) in &pairs {
            assert_eq!(whole_ratio(a, b), -whole_ratio(b, a));
            for &(c, d) in &pairs {
                let by_ratio = ratio(a, b).partial_cmp(&ratio(c, d)).unwrap();
                assert_eq!(whole_ratio(a, b).cmp(&whole_ratio(c, d)), by_ratio, "{a}:{b} and {c}:{d}");
            }
        }
    }
}
