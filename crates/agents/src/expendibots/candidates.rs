//! Which moves the searches look at, and in which order; which leaves are searched on; how playouts move.

use ::expendibots::{Move, MoveList, Position};
use search_core::{Filter, Game, MoveSink, Order, Player, Prune, Quiesce, Rollout, SearchRng, TurnBased};

use super::report::ordering_keys::{Keys, MovementMaps};

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
            &mut Filter::new(moves, |mv: &Move| !mv.is_boom() || beside.contains(mv.from())),
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
    /// Uniform over the legal moves that are not boom without an enemy in the component.
    NoSuicide,
    /// The same, but who can win at once does.
    Decisive,
}

impl Rollout<Position> for Playout {
    fn choose(&self, position: &Position, player: Player, rng: &mut SearchRng) -> Option<Move> {
        if *self == Playout::Uniform {
            return position.sample(player, rng);
        }
        if *self == Playout::Decisive
            && let Some(mv) = position.winning_move()
            && player == position.to_move()
        {
            return Some(mv);
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
        position.moves_of(player, &mut Filter::new(&mut list, |mv: &Move| sensible(*mv)));
        if list.is_empty() {
            return position.sample(player, rng);
        }
        Some(list.as_slice()[rng.below(list.len())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
