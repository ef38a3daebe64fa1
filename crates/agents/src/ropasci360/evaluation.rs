//! A zero-sum evaluation for the simultaneous searches: a weighted sum of named features.

use ropasci360::{Hex, HexSet, Position, Symbol};
use search_core::{Evaluate, Features, Linear, Player, Score};

use super::report::{Phase, Settings, Tokens, evaluate};

/// The features of a position, each the player's own less the enemy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance;

const NAMES: [&str; 12] = [
    "resources",
    "throws",
    "hunt",
    "nearest",
    "unanswered",
    "exposed",
    "variety",
    "doubles",
    "attacks",
    "invincible",
    "cornered",
    "toothless",
];

impl Balance {
    /// The place of the throws left among the features.
    pub(super) const THROWS: usize = 1;
}

/// The weights of the features, in hundredths of a token; the sum is divided by 16.
const WEIGHTS: [i32; 12] = [1600, 1400, 2, 20, -200, -20, 140, -50, 400, 14_000, 2800, -350];
const SCALE: i32 = 16;

/// The evaluation with the weights in use.
pub fn judge() -> Linear<Balance> {
    let linear = Linear::new(Balance, WEIGHTS.to_vec());
    // There is one weight for each name: a test builds it.
    linear.unwrap_or_else(|error| unreachable!("{error}")).with_scale(SCALE)
}

/// The evaluation with other weights, as whole numbers in the order of the features joined by `/`; `None` if they are
/// not that.
pub fn judge_with(weights: &str) -> Option<Linear<Balance>> {
    let weights: Option<Vec<i32>> = weights.split('/').map(|weight| weight.parse().ok()).collect();
    Some(Linear::new(Balance, weights?).ok()?.with_scale(SCALE))
}

/// Squared closeness by distance.
const CLOSE: [i32; 9] = [64, 49, 36, 25, 16, 9, 4, 1, 0];

/// What one side brings.
struct Side {
    values: [i32; 12],
}

impl Side {
    fn new(position: &Position, player: Player) -> Side {
        let enemy = player.opponent();
        let throws = position.throws_left(player) as i32;
        let mut hunt = 0;
        let mut nearest = 0;
        let mut unanswered = 0;
        let mut variety = 0;
        let mut doubles = 0;
        for symbol in Symbol::ALL {
            let own = position.tokens(player, symbol);
            let prey = position.tokens(enemy, symbol.prey());
            variety += i32::from(!own.is_empty());
            doubles += (position.symbol_count(player, symbol) as i32 - 1).max(0);
            if prey.is_empty() {
                continue;
            }
            if own.is_empty() {
                unanswered += 1;
                continue;
            }
            for target in prey {
                let mut closest = 8;
                for hunter in own {
                    let distance = hunter.distance(target) as usize;
                    closest = closest.min(distance);
                    hunt += CLOSE[distance];
                }
                nearest += 8 - closest as i32;
            }
        }
        // Tokens on a hex with an enemy token of the same symbol are not thrown on lightly.
        let zone = position.throw_zone(enemy);
        let exposed = ((position.occupied(player) & zone) - position.occupied(enemy)).len() as i32;
        let invincible = position.has_invincible(player);
        let enemies = position.token_count(enemy) as i32;
        Side {
            values: [
                position.token_count(player) as i32 + throws,
                throws,
                hunt,
                nearest,
                unanswered,
                exposed,
                variety,
                doubles,
                position.prey(player).len() as i32,
                i32::from(invincible),
                if invincible { (4 - enemies).max(0) } else { 0 },
                i32::from(!position.can_beat_something(player)),
            ],
        }
    }
}

impl Features<Position> for Balance {
    fn names(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    fn extract(&self, position: &Position, player: Player, values: &mut [i32]) {
        let own = Side::new(position, player);
        let enemy = Side::new(position, player.opponent());
        for ((value, own), enemy) in values.iter_mut().zip(own.values).zip(enemy.values) {
            *value = own - enemy;
        }
    }
}

/// The report's evaluation, of boards whose tokens were added in the order of the text, in tenths.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReportEvaluation(pub Settings);

impl Evaluate<Position> for ReportEvaluation {
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        let tokens = Tokens::new(position, false);
        let value = evaluate(&tokens, player, Phase::Normal, &self.0);
        Score::new((value * 10.0).round() as i32)
    }
}

/// The hexes that the tokens of `player` with this symbol attack, those they stand on included.
pub(super) fn guarded(position: &Position, player: Player, symbol: Symbol) -> HexSet {
    let own = position.tokens(player, symbol);
    if own.is_empty() { own } else { own | position.reach_of(player, symbol) }
}

/// The sum of the squared closeness of a hex to a set.
pub(super) fn closeness(from: Hex, others: HexSet) -> i32 {
    others.into_iter().map(|to| CLOSE[from.distance(to) as usize]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;
    use search_core::Game;

    #[test]
    fn the_evaluation_is_zero_sum_and_sees_material() {
        let judge = judge();
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        for _ in 0..30 {
            let mut position = Position::start();
            while position.end().is_none() {
                let [one, two] = Player::BOTH.map(|player| judge.evaluate(&position, player));
                assert_eq!(one, -two);
                let turn = Player::BOTH.map(|player| position.sample(player, &mut rng).unwrap());
                position.play_turn(turn);
            }
        }
        let ahead: Position = "5/6/2R4/8/9/8/4r2/6/5 1 2 9".parse().unwrap();
        assert!(judge.evaluate(&ahead, Player::One) > Score::new(50));
    }
}
