//! Facts about positions that bots ask for: threats, invincible tokens, distances.

use search_core::Player;

use crate::{Hex, HexSet, Position, Symbol};

/// A token that can take enemy tokens with one slide or swing.
///
/// ```
/// use ropasci360::Position;
/// use search_core::Player;
/// let position: Position = "5/6/7/8/3Rs4/8/7/6/5 1 1 10".parse().unwrap();
/// let threat = position.threats(Player::One).next().unwrap();
/// assert_eq!(format!("{} {} {}", threat.symbol, threat.from, threat.to), "rock e4 e5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threat {
    /// Where the attacker stands.
    pub from: Hex,
    /// Where its prey stands.
    pub to: Hex,
    /// The symbol of the attacker.
    pub symbol: Symbol,
}

impl Position {
    /// The hexes that some token of `player` with this symbol reaches with one slide or swing.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol};
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/9/8/7/6/R3R 2 0 10".parse().unwrap();
    /// assert_eq!(position.reach_of(Player::One, Symbol::Rock).to_string(), "a6 a8 b4 b5 b8 b9");
    /// assert!(position.reach_of(Player::One, Symbol::Paper).is_empty());
    /// ```
    #[inline]
    pub fn reach_of(&self, player: Player, symbol: Symbol) -> HexSet {
        let own = self.own(player.index());
        let bits = self
            .tokens(player, symbol)
            .into_iter()
            .fold(0, |set, hex| set | crate::position::reach(own, hex.index()));
        HexSet::from_bits(bits)
    }

    /// The hexes of enemy tokens that `player` can take with one slide or swing, as long as they stay.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3Rs4/8/7/6/5 1 1 10".parse().unwrap();
    /// assert_eq!(position.prey(Player::One).to_string(), "e5");
    /// assert!(position.prey(Player::Two).is_empty());
    /// ```
    pub fn prey(&self, player: Player) -> HexSet {
        let enemy = player.opponent();
        Symbol::ALL.into_iter().fold(HexSet::EMPTY, |set, symbol| {
            let targets = self.tokens(enemy, symbol.prey());
            if targets.is_empty() { set } else { set | (targets & self.reach_of(player, symbol)) }
        })
    }

    /// Who of `player` can take whom with one slide or swing: one threat for each pair of hexes, in order.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3RPs3/8/7/6/5 2 1 10".parse().unwrap();
    /// assert_eq!(position.threats(Player::One).map(|threat| threat.to.to_string()).collect::<Vec<_>>(), ["e6"]);
    /// assert_eq!(position.threats(Player::Two).map(|threat| threat.to.to_string()).collect::<Vec<_>>(), ["e5"]);
    /// ```
    pub fn threats(&self, player: Player) -> impl Iterator<Item = Threat> + '_ {
        self.occupied(player).into_iter().flat_map(move |from| {
            let symbol = self.symbol_at(from).unwrap_or(Symbol::Rock);
            let targets = self.tokens(player.opponent(), symbol.prey()) & self.reach(player, from);
            targets.into_iter().map(move |to| Threat { from, to, symbol })
        })
    }

    /// The hexes of enemy tokens that `player` can hit with a throw, as long as they stay.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "1s3/6/7/8/9/8/7/6/5 0 1 1".parse().unwrap();
    /// assert_eq!(position.throwable(Player::One).to_string(), "i2");
    /// ```
    #[inline]
    pub fn throwable(&self, player: Player) -> HexSet {
        self.throw_zone(player) & self.occupied(player.opponent())
    }

    /// Whether tokens of `player` with this symbol, if there are any, are invincible: the opponent has no throw left and
    /// nothing on the board that beats them.
    ///
    /// ```
    /// use ropasci360::{Position, Symbol};
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3SR4/8/7/6/rs3 9 9 20".parse().unwrap();
    /// assert!(position.is_invincible(Player::One, Symbol::Rock));
    /// assert!(!position.is_invincible(Player::One, Symbol::Scissors));
    /// ```
    #[inline]
    pub fn is_invincible(&self, player: Player, symbol: Symbol) -> bool {
        self.invincible_bits(player.index()) & 1 << symbol.index() != 0
    }

    /// Whether `player` has an invincible token.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3S5/8/7/6/pp3 8 9 20".parse().unwrap();
    /// assert!(position.has_invincible(Player::One));
    /// assert!(!position.has_invincible(Player::Two));
    /// ```
    #[inline]
    pub fn has_invincible(&self, player: Player) -> bool {
        self.invincible_bits(player.index()) != 0
    }

    /// The hexes of the invincible tokens of `player`.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3SR4/8/7/6/rs3 9 9 20".parse().unwrap();
    /// assert_eq!(position.invincible(Player::One).to_string(), "e5");
    /// ```
    pub fn invincible(&self, player: Player) -> HexSet {
        let symbols = Symbol::ALL.into_iter().filter(|&symbol| self.is_invincible(player, symbol));
        symbols.fold(HexSet::EMPTY, |set, symbol| set | self.tokens(player, symbol))
    }

    /// Whether `player` has a token that beats some enemy token on the board.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3R5/8/7/6/s4 1 1 10".parse().unwrap();
    /// assert!(position.can_beat_something(Player::One));
    /// assert!(!position.can_beat_something(Player::Two));
    /// ```
    pub fn can_beat_something(&self, player: Player) -> bool {
        Symbol::ALL.into_iter().any(|symbol| {
            !self.tokens(player, symbol).is_empty()
                && !self.tokens(player.opponent(), symbol.prey()).is_empty()
        })
    }

    /// All tokens of `player`, by hex, with the number of each.
    ///
    /// ```
    /// use ropasci360::Position;
    /// use search_core::Player;
    /// let position: Position = "5/6/7/8/3(RRr)5/8/7/6/P4 3 1 10".parse().unwrap();
    /// let stacks = position.stacks(Player::One).map(|(hex, symbol, count)| format!("{hex} {symbol} {count}"));
    /// assert_eq!(stacks.collect::<Vec<_>>(), ["a5 paper 1", "e4 rock 2"]);
    /// ```
    pub fn stacks(&self, player: Player) -> impl Iterator<Item = (Hex, Symbol, u8)> + '_ {
        self.occupied(player).into_iter().map(move |hex| {
            let symbol = self.symbol_at(hex).unwrap_or(Symbol::Rock);
            (hex, symbol, self.count_at(player, hex))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_go_over_pivots() {
        let position: Position = "5/6/7/8/3RPs3/8/7/6/5 2 1 10".parse().unwrap();
        let threats: Vec<String> = position
            .threats(Player::One)
            .map(|threat| format!("{}{} {}", threat.from, threat.to, threat.symbol))
            .collect();
        assert_eq!(threats, ["e4e6 rock"]);
        assert_eq!(position.prey(Player::One).to_string(), "e6");
        assert_eq!(position.prey(Player::Two).to_string(), "e5");
        assert!(position.can_beat_something(Player::One));
    }

    #[test]
    fn an_invincible_token_needs_an_enemy_out_of_throws() {
        let invincible = |text: &str| {
            let position: Position = text.parse().unwrap();
            Player::BOTH.map(|player| position.invincible(player).to_string())
        };
        assert_eq!(invincible("5/6/7/8/3S5/8/7/6/pp3 8 9 20"), ["e4", ""]);
        assert_eq!(invincible("5/6/7/8/3S5/8/7/6/rp3 8 9 20"), ["", ""]);
        assert_eq!(invincible("5/6/7/8/3S5/8/7/6/pp3 8 8 20"), ["", ""]);
        assert_eq!(invincible("5/6/7/8/3S5/8/7/6/rs3 9 9 20"), ["", "a5 a6"]);
        assert_eq!(invincible("5/6/7/8/3SR4/8/7/6/rs3 9 9 20"), ["e5", "a5"]);
    }

    #[test]
    fn throws_hit_only_in_the_zone() {
        let position: Position = "1s3/6/7/8/9/8/7/6/5 0 1 1".parse().unwrap();
        assert_eq!(position.throwable(Player::One).to_string(), "i2");
        assert_eq!(position.throwable(Player::Two), HexSet::EMPTY);
    }
}
