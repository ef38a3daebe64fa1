//! The report's evaluation: seven features and three sets of weights.

use ropasci360::{Hex, Position, Symbol};
use search_core::Player;

use super::token_lists::Tokens;

/// What the agent is about, and so which weights count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A careful attack: most of the game.
    Normal,
    /// The enemy has an invincible token: only a draw is left, run.
    Survival,
    /// The agent has an invincible token: take all, quickly.
    Chase,
}

impl Phase {
    /// The phase of a board for a player, as the report means it. The authors' program always stays in [`Phase::Normal`].
    pub fn of(tokens: &Tokens, player: Player) -> Phase {
        if tokens.has_invincible(player) {
            Phase::Chase
        } else if tokens.has_invincible(player.opponent()) {
            Phase::Survival
        } else {
            Phase::Normal
        }
    }

    /// The weights of this phase as the report lists them, without signs: own tokens lost, enemy tokens lost, throws left, throw
    /// zones, distances, the penalty for beating nothing, that for an invincible enemy token.
    pub fn listed_weights(self) -> [f64; 7] {
        let Weights { own_lost, enemy_lost, throws, beats_none } = self.weights();
        let whole = [-own_lost, enemy_lost, throws, ZONE].map(|weight| weight as f64);
        let [own_lost, enemy_lost, throws, zone] = whole;
        [own_lost, enemy_lost, throws, zone, 1.0, beats_none.abs(), -ENEMY_INVINCIBLE]
    }

    fn weights(self) -> Weights {
        match self {
            Phase::Normal => {
                Weights { own_lost: -10_000, enemy_lost: 10_000, throws: 5_000, beats_none: -5_000.0 }
            }
            Phase::Survival => {
                Weights { own_lost: -1_000_000, enemy_lost: 1_000, throws: 5_000, beats_none: 0.0 }
            }
            Phase::Chase => {
                Weights { own_lost: -1_000, enemy_lost: 1_000_000, throws: 0, beats_none: -50_000.0 }
            }
        }
    }
}

/// The weights that differ between the phases.
struct Weights {
    own_lost: i64,
    enemy_lost: i64,
    throws: i64,
    beats_none: f64,
}

const ZONE: i64 = 990;
const ENEMY_INVINCIBLE: f64 = -1_000_000.0;
/// The value of a won board.
pub const WON: f64 = 100_000_000.0;

/// How the distances of tokens count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// As the program does it: squared closeness, from which the enemy's throw-zone count is taken off by a slip.
    Program,
    /// The same without the slip: the enemy's own distance feature is taken off.
    Fixed,
    /// As the report describes it: plain distances, prey near and hunters far.
    Plain,
}

/// The parts of the evaluation that are options.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How distances count.
    pub distance: Distance,
    /// Whether the throw-zone counts are lowered by one, as the program does.
    pub lowered_zones: bool,
    /// Weight of each enemy token that can be taken; the authors tried it and set it to 0.
    pub eatable: f64,
    /// Weight of each row that a token has left its home behind; tried and set to 0.
    pub advance: f64,
    /// Weight of each different symbol on the board; tried and set to 0.
    pub diversity: f64,
    /// Penalty if throws left and different symbols on the board are fewer than three together (a note: 10 or 100).
    pub reserve: f64,
    /// Penalty for each symbol with more than three own tokens (a note).
    pub crowd: f64,
    /// Whether every value is rounded to one decimal, as exact arithmetic would have it.
    pub rounded: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            distance: Distance::Program,
            lowered_zones: true,
            eatable: 0.0,
            advance: 0.0,
            diversity: 0.0,
            reserve: 0.0,
            crowd: 0.0,
            rounded: false,
        }
    }
}

/// The features of a board for one player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// Own tokens thrown and no longer on the board.
    pub own_lost: i64,
    /// The same of the enemy.
    pub enemy_lost: i64,
    /// Own throws left.
    pub own_throws_left: i64,
    /// The enemy's throws left.
    pub enemy_throws_left: i64,
    /// Enemy tokens that can be thrown on.
    pub own_zone: i64,
    /// Own tokens that the enemy can throw on.
    pub enemy_zone: i64,
    /// The distance feature of the own tokens.
    pub distance: f64,
    /// Whether no own token beats any enemy token on the board.
    pub beats_none: bool,
    /// Whether the player has an invincible token.
    pub own_invincible: bool,
    /// Whether the enemy has one.
    pub enemy_invincible: bool,
}

impl Features {
    /// The features of a board.
    pub fn of(tokens: &Tokens, player: Player, settings: &Settings) -> Features {
        let enemy = player.opponent();
        let lost = |side: Player| tokens.thrown(side) as i64 - tokens.count(side) as i64;
        let left = |side: Player| (Position::THROWS - tokens.thrown(side)) as i64;
        let zone = |side: Player| {
            let count = tokens.throwable(side).count() as i64;
            if settings.lowered_zones { (count - 1).max(0) } else { count }
        };
        let beats = |symbol: Symbol| {
            !tokens.of(player, symbol).is_empty() && !tokens.of(enemy, symbol.prey()).is_empty()
        };
        Features {
            own_lost: lost(player),
            enemy_lost: lost(enemy),
            own_throws_left: left(player),
            enemy_throws_left: left(enemy),
            own_zone: zone(player),
            enemy_zone: zone(enemy),
            distance: match settings.distance {
                Distance::Program | Distance::Fixed => closeness(tokens, player),
                Distance::Plain => plain_distance(tokens, player),
            },
            beats_none: !Symbol::ALL.into_iter().any(beats),
            own_invincible: tokens.has_invincible(player),
            enemy_invincible: tokens.has_invincible(enemy),
        }
    }
}

/// Squared closeness of two hexes by their distance.
static CLOSENESS: [[u8; Hex::COUNT]; Hex::COUNT] = {
    let mut table = [[0; Hex::COUNT]; Hex::COUNT];
    let mut a = 0;
    while a < Hex::COUNT {
        let mut b = 0;
        while b < Hex::COUNT {
            if let (Some(from), Some(to)) = (Hex::from_index(a), Hex::from_index(b)) {
                let close = 10 - from.distance(to);
                table[a][b] = close * close;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

fn closeness_sum(from: Hex, others: &[Hex]) -> i64 {
    let row = &CLOSENESS[from.index()];
    others.iter().map(|to| row[to.index()] as i64).sum()
}

/// The program's distance feature, in its order of double operations.
fn closeness(tokens: &Tokens, player: Player) -> f64 {
    let enemy = player.opponent();
    let mut sum = 0.0;
    for token in tokens.all(player) {
        let prey = closeness_sum(token.hex, tokens.of(enemy, token.symbol.prey()));
        let hunters = if tokens.is_safe(player, token.hex) {
            0
        } else {
            closeness_sum(token.hex, tokens.of(enemy, token.symbol.hunter()))
        };
        let own_beaten = closeness_sum(token.hex, tokens.of(player, token.symbol.prey()));
        let own_same = closeness_sum(token.hex, tokens.of(player, token.symbol));
        sum += (prey * 2 - hunters) as f64 + own_beaten as f64 * 0.1 + (own_same - 100) as f64 * 0.2;
    }
    sum
}

/// The report's distance feature: the sum of the distances to hunters less that of the distances to prey, so that prey
/// attracts.
fn plain_distance(tokens: &Tokens, player: Player) -> f64 {
    let enemy = player.opponent();
    let far = |from: Hex, others: &[Hex]| others.iter().map(|&to| from.distance(to) as i64).sum::<i64>();
    let each = tokens.all(player).map(|token| {
        far(token.hex, tokens.of(enemy, token.symbol.hunter()))
            - far(token.hex, tokens.of(enemy, token.symbol.prey()))
    });
    each.sum::<i64>() as f64
}

/// The value of a board for a player.
pub fn evaluate(tokens: &Tokens, player: Player, phase: Phase, settings: &Settings) -> f64 {
    let features = Features::of(tokens, player, settings);
    let value = weigh(&features, tokens, player, phase, settings);
    if settings.rounded { (value * 10.0).round() / 10.0 } else { value }
}

fn weigh(features: &Features, tokens: &Tokens, player: Player, phase: Phase, settings: &Settings) -> f64 {
    let enemy = player.opponent();
    match (features.own_invincible, features.enemy_invincible) {
        (true, true) => return 0.0,
        (true, false) if tokens.count(enemy) <= 1 => return WON,
        (false, true) if tokens.count(player) <= 1 => return -WON,
        _ => {}
    }
    let weights = phase.weights();
    let whole = weights.own_lost * features.own_lost
        + weights.enemy_lost * features.enemy_lost
        + weights.throws * (features.own_throws_left - features.enemy_throws_left)
        + ZONE * (features.own_zone - features.enemy_zone);
    let against = match settings.distance {
        Distance::Program => features.enemy_zone as f64,
        Distance::Fixed => closeness(tokens, enemy),
        Distance::Plain => 0.0,
    };
    let mut value = whole as f64 + (features.distance - against);
    if features.beats_none {
        value += weights.beats_none;
    }
    if features.enemy_invincible {
        value += ENEMY_INVINCIBLE;
    }
    if settings.eatable != 0.0 {
        value += settings.eatable * tokens.eatable(player).len() as f64;
    }
    if settings.advance != 0.0 {
        let rows = |token: super::token_lists::Token| match player {
            Player::One => 4 - token.hex.r(),
            Player::Two => 4 + token.hex.r(),
        };
        value += settings.advance * tokens.all(player).map(|token| rows(token) as f64).sum::<f64>();
    }
    let symbols = || Symbol::ALL.into_iter().filter(|&symbol| !tokens.of(player, symbol).is_empty()).count();
    if settings.diversity != 0.0 {
        value += settings.diversity * symbols() as f64;
    }
    if settings.reserve != 0.0 && features.own_throws_left + (symbols() as i64) < 3 {
        value -= settings.reserve;
    }
    if settings.crowd != 0.0 {
        let crowded = Symbol::ALL.into_iter().filter(|&symbol| tokens.of(player, symbol).len() > 3).count();
        value -= settings.crowd * crowded as f64;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use ropasci360::Position;

    fn value(text: &str, phase: Phase, settings: &Settings) -> f64 {
        let tokens = Tokens::new(&text.parse::<Position>().expect("a position"), false);
        evaluate(&tokens, Player::One, phase, settings)
    }

    #[test]
    fn a_lone_token_counts_no_distance_to_itself() {
        // One rock a side, equal throws: nothing beats anything, 8 throws each, no zone, closeness 0 + 0.2 * (100 - 100).
        let text = "R4/6/7/8/9/8/7/6/r4 1 1 10";
        assert_eq!(value(text, Phase::Normal, &Settings::default()), -5_000.0);
        assert_eq!(value(text, Phase::Survival, &Settings::default()), 0.0);
        assert_eq!(value(text, Phase::Chase, &Settings::default()), -50_000.0);
    }

    #[test]
    fn a_safe_token_has_no_hunters_and_counts_in_no_zone() {
        // Upper's rock shares e5 with a rock; the paper beside it does not count against it.
        let shared = "5/6/7/8/4(Rr)p3/8/7/6/5 9 9 20";
        let alone = "5/6/7/8/4Rp3/8/7/6/5 9 9 20";
        let tokens = |text: &str| Tokens::new(&text.parse::<Position>().expect("a position"), false);
        let settings = Settings::default();
        assert_eq!(Features::of(&tokens(shared), Player::One, &settings).distance, 0.0);
        assert_eq!(Features::of(&tokens(alone), Player::One, &settings).distance, -81.0);
        assert!(tokens(shared).eatable(Player::Two).is_empty());
        assert_eq!(tokens(alone).eatable(Player::Two).len(), 1);
    }

    #[test]
    fn invincible_tokens_decide_first() {
        let settings = Settings::default();
        // Upper's paper against a rock, Lower out of throws and with one token: won, although Upper still has throws.
        assert_eq!(value("5/6/7/8/4P4/8/7/6/r4 8 9 20", Phase::Normal, &settings), WON);
        // With two tokens it is not over.
        assert!(value("5/6/7/8/4P4/8/7/6/rr3 8 9 20", Phase::Normal, &settings) < WON);
        // The other way round, with the last token of Upper.
        assert_eq!(value("5/6/7/8/4R4/8/7/6/p4 9 8 20", Phase::Normal, &settings), -WON);
        // Rock against rock, all thrown: both are invincible.
        assert_eq!(value("5/6/7/8/4R4/8/7/6/r4 9 9 20", Phase::Normal, &settings), 0.0);
    }

    #[test]
    fn zones_are_lowered_by_one_but_not_below_none() {
        let zones = |text: &str, lowered_zones| {
            let tokens = Tokens::new(&text.parse::<Position>().expect("a position"), false);
            let settings = Settings { lowered_zones, ..Settings::default() };
            let features = Features::of(&tokens, Player::One, &settings);
            (features.own_zone, features.enemy_zone)
        };
        // Two rocks in Upper's home row, which is its zone with no throw used; Lower reaches nothing of Upper's.
        let two = "rr3/6/7/8/4P4/8/7/6/5 1 2 10";
        assert_eq!(zones(two, true), (1, 0));
        assert_eq!(zones(two, false), (2, 0));
        let one = "r4/6/7/8/4P4/8/7/6/5 1 2 10";
        assert_eq!((zones(one, true), zones(one, false)), ((0, 0), (1, 0)));
    }

    #[test]
    fn the_notes_are_penalties() {
        // Nine throws used, rocks only: one symbol and no throw, four tokens of one symbol.
        let text = "RRRR1/6/7/8/9/8/7/6/s1ss1 9 9 20";
        let plain = value(text, Phase::Normal, &Settings::default());
        let with = |settings: Settings| plain - value(text, Phase::Normal, &settings);
        assert_eq!(with(Settings { reserve: 100.0, ..Settings::default() }), 100.0);
        assert_eq!(with(Settings { crowd: 10.0, ..Settings::default() }), 10.0);
    }
}
