//! What the champion's network sees: for each symbol of a side, its tokens with their prey and their hunters.
//!
//! The three symbols are alike by the rules, so the three lists of a side name rows of one table. Rows and columns are counted from
//! the own home, and the mirror image is the same.

use ropasci360::{Hex, HexSet, Position, Symbol};
use search_core::Player;

use crate::network::Views;

/// The views of the champion's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SymbolViews;

/// The places of the groups of rows, each behind the one before.
mod at {
    /// Own throws left.
    pub(super) const OWN_THROWS: usize = 0;
    /// The enemy's throws left.
    pub(super) const ENEMY_THROWS: usize = OWN_THROWS + 10;
    /// Tokens and throws less the enemy's, from -9 to 9.
    pub(super) const AHEAD: usize = ENEMY_THROWS + 10;
    /// Tokens of the symbol, prey and hunters, each up to 3, and whether the enemy has throws left.
    pub(super) const COUNTS: usize = AHEAD + 19;
    /// Own tokens of all symbols.
    pub(super) const OWN_TOKENS: usize = COUNTS + 128;
    /// Enemy tokens of all symbols.
    pub(super) const ENEMY_TOKENS: usize = OWN_TOKENS + 10;
    /// Each token: how far the next hunter and the next prey are, and whether it can be thrown on.
    pub(super) const TOKEN: usize = ENEMY_TOKENS + 10;
    /// Each token: its row from home, and how far it is from the middle of the row.
    pub(super) const PLACE: usize = TOKEN + 72;
    /// Each prey: how far the next own token is, how many are near, whether it can be thrown on.
    pub(super) const PREY: usize = PLACE + 45;
    /// Each prey with an own token near: how many hexes it can flee to.
    pub(super) const FLIGHT: usize = PREY + 36;
    /// Invincible: how many enemy tokens are left, up to 4, and whether the enemy has an invincible token of its own.
    pub(super) const INVINCIBLE: usize = FLIGHT + 14;
    /// Which of the own symbols are there beside this one: the prey's and the hunter's.
    pub(super) const BESIDE: usize = INVINCIBLE + 10;
    /// Turns played, in forties: what is not won by the last turn is drawn.
    pub(super) const TURNS: usize = BESIDE + 4;
    pub(super) const END: usize = TURNS + 9;
}

/// The hexes within 1, 2, 3 and 4 of a set.
#[derive(Clone, Copy)]
struct Around([HexSet; 4]);

impl Around {
    fn new(set: HexSet) -> Around {
        let mut around = [HexSet::EMPTY; 4];
        for hex in set {
            for (radius, near) in around.iter_mut().enumerate() {
                *near = *near | hex.within(radius as u8 + 1);
            }
        }
        Around(around)
    }

    /// 1 to 4 for the distance, 5 for farther, 0 for an empty set.
    fn class(&self, hex: Hex, set: HexSet) -> usize {
        if set.is_empty() {
            return 0;
        }
        self.0.iter().position(|near| near.contains(hex)).map_or(5, |place| place + 1)
    }
}

impl Views<Position> for SymbolViews {
    const NAME: &'static str = "ropasci360-symbols-2";
    const LISTS: usize = 3;
    const ROWS: usize = at::END;

    #[inline]
    fn see(position: &Position, player: Player, mut see: impl FnMut(usize, usize)) {
        let enemy = player.opponent();
        let [own_throws, enemy_throws] = [player, enemy].map(|side| usize::from(position.throws_left(side)));
        let [own_tokens, enemy_tokens] = [player, enemy].map(|side| usize::from(position.token_count(side)));
        let ahead = (9 + own_throws + own_tokens).saturating_sub(enemy_throws + enemy_tokens).min(18);
        let [own, theirs] =
            [player, enemy].map(|side| Symbol::ALL.map(|symbol| position.tokens(side, symbol)));
        let [own_around, enemy_around] = [own, theirs].map(|sets| sets.map(Around::new));
        let occupied = position.occupied(enemy);
        // What stands on a hex with an enemy token is not thrown on lightly.
        let open_to_throws =
            if enemy_throws > 0 { position.throw_zone(enemy) - occupied } else { HexSet::EMPTY };
        let own_zone = if own_throws > 0 { position.throw_zone(player) } else { HexSet::EMPTY };
        let enemy_invincible = position.has_invincible(enemy);
        for symbol in Symbol::ALL {
            let list = symbol.index();
            let (prey, hunter) = (symbol.prey().index(), symbol.hunter().index());
            let count = |side, symbol| usize::from(position.symbol_count(side, symbol)).min(3);
            let counts = [count(player, symbol), count(enemy, symbol.prey()), count(enemy, symbol.hunter())];
            see(list, at::OWN_THROWS + own_throws.min(9));
            see(list, at::ENEMY_THROWS + enemy_throws.min(9));
            see(list, at::AHEAD + ahead);
            let counts_class = (counts[0] * 4 + counts[1]) * 4 + counts[2];
            see(list, at::COUNTS + 2 * counts_class + usize::from(enemy_throws > 0));
            see(list, at::OWN_TOKENS + own_tokens.min(9));
            see(list, at::ENEMY_TOKENS + enemy_tokens.min(9));
            let beside = 2 * usize::from(!own[prey].is_empty()) + usize::from(!own[hunter].is_empty());
            see(list, at::BESIDE + beside);
            see(list, at::TURNS + (position.turns() as usize / 40).min(8));
            for hex in own[list] {
                let hunted = enemy_around[hunter].class(hex, theirs[hunter]);
                let hunting = enemy_around[prey].class(hex, theirs[prey]);
                let open = usize::from(open_to_throws.contains(hex));
                let row = usize::from(if player == Player::One { 4 - hex.r() } else { hex.r() + 4 } as u8);
                let aside = usize::from((2 * hex.q() + hex.r()).unsigned_abs() / 2);
                for _ in 0..position.count_at(player, hex) {
                    see(list, at::TOKEN + 2 * (6 * hunted + hunting) + open);
                    see(list, at::PLACE + 5 * row.min(8) + aside.min(4));
                }
            }
            let attacked = if own[list].is_empty() {
                HexSet::EMPTY
            } else {
                own[list] | position.reach_of(player, symbol)
            };
            for hex in theirs[prey] {
                let near = (hex.within(3) & own[list]).len().min(2);
                let zone = usize::from(own_zone.contains(hex));
                let class = own_around[list].class(hex, own[list]);
                see(list, at::PREY + 2 * (3 * class + near) + zone);
                if near > 0 {
                    let flights = (hex.neighbours() - attacked).len().min(6);
                    let urgent = usize::from((1..=2).contains(&class));
                    see(list, at::FLIGHT + 2 * flights + urgent);
                }
            }
            if position.is_invincible(player, symbol) {
                see(list, at::INVINCIBLE + 2 * enemy_tokens.min(4) + usize::from(enemy_invincible));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ropasci360::Symmetry;
    use search_core::{Evaluate, Game, SearchRng};

    use super::*;
    use crate::ropasci360::champion::{CHAMPION, Learned};

    fn positions(seed: u64) -> Vec<Position> {
        let mut rng = SearchRng::new(seed, "positions");
        let mut positions = Vec::new();
        let mut position = Position::start();
        while positions.len() < 400 && position.end().is_none() {
            let turn = Player::BOTH.map(|player| position.sample(player, &mut rng).unwrap());
            position.play_turn(turn);
            positions.push(position);
            if position.end().is_some() {
                positions.pop();
                position = Position::start();
            }
        }
        positions
    }

    #[test]
    fn every_row_lies_in_the_table() {
        for position in positions(1) {
            for player in Player::BOTH {
                let mut lists = [0; SymbolViews::LISTS];
                SymbolViews::see(&position, player, |list, row| {
                    assert!(row < SymbolViews::ROWS, "{row} in {position}");
                    lists[list] += 1;
                });
                assert!(lists.iter().all(|&rows| (8..80).contains(&rows)), "{lists:?} in {position}");
            }
        }
    }

    /// Exchanged players, the mirror and other symbols change nothing but the sign.
    #[test]
    fn what_is_the_same_by_the_rules_has_the_same_value() {
        let network = Learned::from_bytes(CHAMPION).expect("the weights that come with it");
        let mut differing = 0;
        for position in positions(2) {
            let value = network.evaluate(&position, Player::One);
            assert_eq!(network.evaluate(&position, Player::Two), -value);
            for symmetry in Symmetry::of(&position) {
                let player = symmetry.apply_player(Player::One);
                let throws = Player::BOTH.into_iter().any(|player| position.throws_left(player) > 0);
                let same = network.evaluate(&symmetry.apply(&position), player) == value;
                assert!(same || !throws, "{position}");
                differing += u32::from(!same);
            }
            assert!(value.value().abs() < 5_000, "{value} in {position}");
        }
        // Once nothing can be thrown the board has symmetries more, which move the home rows.
        assert!(differing < 40_000);
    }
}
