//! Moves as numbers: what networks, other frameworks and tables by action ask of a game.

use crate::{Game, Player};

/// A game whose moves are numbered densely: every action of the game has one number below [`Indexed::ACTIONS`], whatever the
/// position, and every number below it is an action.
///
/// The laws are in `laws::action_indices_round_trip` (feature `proptest`).
///
/// ```
/// # use search_core::{Game, Indexed, Player};
/// # fn example<G: Indexed>(position: &G) {
/// // The mask of a policy head: which of its outputs are legal here.
/// let mut mask = vec![false; G::ACTIONS];
/// position.mark_legal(Player::One, &mut mask);
/// assert_eq!(mask.iter().filter(|&&legal| legal).count(), position.move_count(Player::One));
/// # }
/// ```
pub trait Indexed: Game {
    /// The number of actions.
    const ACTIONS: usize;

    /// The number of a move, below [`Indexed::ACTIONS`]. It does not depend on the position.
    fn index_of(mv: Self::Move) -> usize;

    /// The move with a number: the reverse of [`Indexed::index_of`]. `None` from [`Indexed::ACTIONS`] on.
    fn action(index: usize) -> Option<Self::Move>;

    /// The number of actions that games of one set-up use: the first ones. All of them, unless the board's size is a matter of
    /// the set-up.
    fn actions_in(setup: &Self::Setup) -> usize {
        let _ = setup;
        Self::ACTIONS
    }

    /// Sets the entries of the legal actions of `player` to true and leaves the others alone. Actions beyond the end of the
    /// mask are left out.
    fn mark_legal(&self, player: Player, mask: &mut [bool]) {
        for &mv in self.move_list(player).as_ref() {
            if let Some(legal) = mask.get_mut(Self::index_of(mv)) {
                *legal = true;
            }
        }
    }
}
