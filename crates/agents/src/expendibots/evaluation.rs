//! The report's evaluation in whole numbers, and the variants that it rejected.

use std::sync::LazyLock;

use ::expendibots::Position;
use search_core::{Evaluate, Player, Score};

use super::report::ordering_keys::{BoomMap, MovementMaps};
use super::report::token_ratio::{WHOLE, whole_ratio};

/// What the evaluation counts besides tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Terms {
    /// Tokens only.
    Ratio,
    /// Tokens, and the ratio of available moves.
    Mobility,
    /// Tokens, and the ratio of components.
    Components,
    /// 300 times the ratio of tokens, and 2 for each token (test bench).
    Tokens,
    /// The ratio of tokens in each component, summed (test bench).
    Parts,
    /// The ordering keys of all stacks where they stand (test bench).
    Keys,
}

/// The report's evaluation as a zero-sum number: the ratio seen from one side less the ratio seen from the other, which
/// orders positions exactly like the ratio.
#[derive(Debug, Clone, Copy)]
pub(super) struct RatioEvaluation {
    pub(super) terms: Terms,
    /// Judge the board after every component of both colours has exploded, as the authors' program does.
    pub(super) mixed: bool,
}

/// The value of a side that has tokens when the other has none left, if the leaf routine blew them up.
const DECIDED: i32 = 500_000_000;

impl Evaluate<Position> for RatioEvaluation {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        if !self.mixed {
            return Score::new(self.static_value(position, player));
        }
        let quiet = position.without(position.in_contact());
        Score::new(match (quiet.tokens(player), quiet.tokens(player.opponent())) {
            (0, 0) => 0,
            (_, 0) => DECIDED,
            (0, _) => -DECIDED,
            _ => self.static_value(&quiet, player),
        })
    }
}

impl RatioEvaluation {
    fn static_value(self, position: &Position, player: Player) -> i32 {
        let enemy = player.opponent();
        match self.terms {
            Terms::Ratio | Terms::Mobility | Terms::Components => {}
            Terms::Tokens => return tokens_value(position, player),
            Terms::Parts => return parts_value(position, player),
            Terms::Keys => {
                return (1e4 * (keys_value(position, player) - keys_value(position, enemy))).round() as i32;
            }
        }
        let tokens = whole_ratio(position.tokens(player), position.tokens(enemy));
        let count = |player: Player| match self.terms {
            Terms::Mobility => position.mobility(player) as i32,
            Terms::Components => position.components_meeting(position.stacks(player)).count() as i32,
            _ => 0,
        };
        let (own, other) = (count(player) + 1, count(enemy) + 1);
        tokens + own * WHOLE / other - other * WHOLE / own
    }
}

/// "300 * ratio + 2 per own token", own less the enemy's; `WHOLE` stands for 300.
fn tokens_value(position: &Position, player: Player) -> i32 {
    let (own, other) = (position.tokens(player), position.tokens(player.opponent()));
    whole_ratio(own, other) + (WHOLE / 150) * (i32::from(own) - i32::from(other))
}

/// The ratio of each component, summed. A component of one colour counts for its owner.
fn parts_value(position: &Position, player: Player) -> i32 {
    let enemy = player.opponent();
    position
        .components()
        .map(|component| whole_ratio(component.tokens(player), component.tokens(enemy)))
        .sum()
}

/// The sum of the keys that the stacks of `player` have where they stand.
fn keys_value(position: &Position, player: Player) -> f64 {
    static MAPS: LazyLock<MovementMaps> = LazyLock::new(MovementMaps::new);
    let map = BoomMap::new(position, player);
    position.stacks(player).iter().map(|square| map.key(&MAPS, position.height(square), square)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(terms: Terms, text: &str, player: Player) -> i32 {
        let position: Position = text.parse().expect("a position");
        RatioEvaluation { terms, mixed: false }.evaluate(&position, player).value()
    }

    #[test]
    fn every_evaluation_is_zero_sum_and_counts_what_it_says() {
        let text = "aa6/8/8/8/4b3/8/8/A1A2C2 w 40";
        for terms in
            [Terms::Ratio, Terms::Mobility, Terms::Components, Terms::Tokens, Terms::Parts, Terms::Keys]
        {
            assert_eq!(value(terms, text, Player::One), -value(terms, text, Player::Two), "{terms:?}");
        }
        // Five tokens against four: 6/5 - 5/6, and 2/300 for the token ahead.
        let ratio = WHOLE * 6 / 5 - WHOLE * 5 / 6;
        assert_eq!(value(Terms::Ratio, text, Player::One), ratio);
        assert_eq!(value(Terms::Tokens, text, Player::One), ratio + WHOLE / 150);
        // Components of 1, 1, 3 against 2, 2 tokens: 2 - 1/2 twice and 4 - 1/4, less 3 - 1/3 twice.
        let parts = 2 * (2 * WHOLE - WHOLE / 2) + (4 * WHOLE - WHOLE / 4) - 2 * (3 * WHOLE - WHOLE / 3);
        assert_eq!(value(Terms::Parts, text, Player::One), parts);
        // The same stack for both sides: the same keys. A higher one reaches further.
        assert_eq!(value(Terms::Keys, "8/8/8/8/8/8/a7/A7 w 40", Player::One), 0);
        assert_ne!(value(Terms::Keys, "8/8/8/a7/8/8/8/B7 w 40", Player::One), 0);
    }
}
