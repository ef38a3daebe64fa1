//! What the generic searches need to know of the game: the report's evaluations, orderings and quiescence ideas, the kept
//! and the rejected ones.

use std::sync::LazyLock;

use ::expendibots::{Move, MoveList, Position};
use search_core::{Evaluate, Game, MoveSink, Order, Player, Prune, Quiesce, Rollout, Score, SearchRng};

use super::keys::{BoomMap, Keys, MovementMaps};
use super::ratio::{WHOLE, whole_ratio};

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

/// The order in which moves are searched.
#[derive(Debug)]
pub(super) enum Ordering {
    /// As generated.
    None,
    /// Booms first.
    Booms,
    /// By the report's keys: booms by what they change, moves by boom map and movement map.
    Keys(Box<MovementMaps>),
}

impl Order<Position> for Ordering {
    fn rank(&self, position: &Position, player: Player, mv: Move) -> i32 {
        match self {
            Ordering::None => 0,
            Ordering::Booms => i32::from(mv.is_boom()),
            // Rounded to whole millionths; `rank_all` orders exactly.
            Ordering::Keys(maps) => (Keys::new(position, player, maps).of(mv) * 1e6) as i32,
        }
    }

    fn rank_all(&self, position: &Position, player: Player, moves: &[Move], ranks: &mut [i32]) {
        match self {
            Ordering::None => {}
            Ordering::Booms => {
                for (rank, mv) in ranks.iter_mut().zip(moves) {
                    *rank = i32::from(mv.is_boom());
                }
            }
            Ordering::Keys(maps) => {
                let mut keys = Keys::new(position, player, maps);
                let mut sorted: smallvec::SmallVec<[(f64, u16); 64]> =
                    moves.iter().enumerate().map(|(place, &mv)| (keys.of(mv), place as u16)).collect();
                sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut rank = 0;
                for (index, &(key, place)) in sorted.iter().enumerate() {
                    if index > 0 && key > sorted[index - 1].0 {
                        rank += 1;
                    }
                    ranks[usize::from(place)] = rank;
                }
            }
        }
    }

    fn is_active(&self) -> bool {
        !matches!(self, Ordering::None)
    }
}

/// Which moves a leaf is searched on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// None.
    Quiet,
    /// Booms beside an enemy, one for each component.
    Booms,
    /// These, and moves of stacks of at least this height that end beside an enemy.
    BoomsAndStacks(u8),
}

impl Quiesce<Position> for Noise {
    fn noisy_moves(&self, position: &Position, player: Player, moves: &mut MoveList) {
        if *self == Noise::Quiet {
            return;
        }
        for component in position.components_meeting(position.touching(player)) {
            if let Some(square) = (component.squares & position.stacks(player)).first() {
                moves.push(Move::boom(square));
            }
        }
        if let Noise::BoomsAndStacks(least) = *self {
            let beside = position.stacks(player.opponent()).grown();
            for from in position.stacks(player) {
                let height = position.height(from);
                if height < least {
                    continue;
                }
                for to in position.targets(from) & beside {
                    // A target of a stack is reached along a file or rank with 1 to `height` tokens.
                    (1..=height)
                        .filter_map(|count| Move::shift(count, from, to))
                        .for_each(|mv| moves.push(mv));
                }
            }
        }
    }

    fn is_active(&self) -> bool {
        *self != Noise::Quiet
    }
}

/// Leaves out booms that hit no enemy beside the stack: of every component of both colours enough is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Suicides {
    pub(super) pruned: bool,
}

impl Prune<Position> for Suicides {
    #[inline]
    fn keeps(&self, position: &Position, player: Player, mv: Move) -> bool {
        !mv.is_boom() || position.touching(player).contains(mv.from())
    }

    #[inline]
    fn candidates(&self, position: &Position, player: Player, moves: &mut MoveList) {
        let beside = position.touching(player);
        position.moves_of(
            player,
            &mut search_core::Filter::new(moves, |mv: &Move| !mv.is_boom() || beside.contains(mv.from())),
        );
    }

    fn is_active(&self) -> bool {
        self.pruned
    }
}

/// How playouts choose their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Playout {
    /// Uniform over all legal moves.
    Uniform,
    /// Uniform over the legal moves that are no boom without an enemy in the component.
    NoSuicide,
}

impl Rollout<Position> for Playout {
    fn choose(&self, position: &Position, player: Player, rng: &mut SearchRng) -> Option<Move> {
        if *self == Playout::Uniform {
            return position.sample(player, rng);
        }
        let contact = position.in_contact();
        let sensible = |mv: Move| !mv.is_boom() || contact.contains(mv.from());
        // Booms are a third of the moves at most times: drawing again is cheaper than listing.
        for _ in 0..16 {
            let drawn = position.sample(player, rng)?;
            if sensible(drawn) {
                return Some(drawn);
            }
        }
        let mut list = MoveList::default();
        position.moves_of(player, &mut search_core::Filter::new(&mut list, |mv: &Move| sensible(*mv)));
        if list.is_empty() {
            return position.sample(player, rng);
        }
        Some(list.as_slice()[rng.below(list.len())])
    }
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

    #[test]
    fn stacks_of_any_height_slingshot_with_k_1() {
        let position: Position = "8/8/8/8/8/2a5/8/B2A4 w 40".parse().expect("a position");
        let count = |least| {
            let mut moves = MoveList::default();
            Noise::BoomsAndStacks(least).noisy_moves(&position, Player::One, &mut moves);
            moves.len()
        };
        // The stack of two reaches b1 and c1 (not beside c3), a2 and a3: none is beside; the single token reaches d2 and
        // e1, c1, of which d2 is beside c3.
        assert_eq!((count(1), count(2)), (1, 0));
    }
}
