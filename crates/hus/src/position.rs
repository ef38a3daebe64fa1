//! What a position holds.

use search_core::{Player, TurnBased};

use crate::bytes::{Ring, at_least, words};

/// A position: the seeds in the 64 pits, the number of plies played, and whether the last move was infinite.
///
/// The player to move follows from the plies. After an infinite move the game is over, the seeds that were in hand are
/// missing, and the player who made it still is the one "to move".
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) rings: [Ring; 2],
    /// For each player the set of pits with at least one seed, and of those with at least two. Both follow from `rings`;
    /// a move carries them along with a few instructions, and they answer most questions without a look at the pits.
    pub(crate) occupied: [u32; 2],
    pub(crate) playable: [u32; 2],
    pub(crate) plies: u16,
    pub(crate) infinite: bool,
}

// One cache line of pits and a few counters.
const _: () = assert!(size_of::<Position>() <= 84);

impl Position {
    /// Seeds on the board, except after an infinite move.
    pub const SEEDS: u32 = 96;
    /// The ply after which the game is drawn: the first at which more than 5000 full turns have been played.
    pub const TURN_LIMIT: u32 = 10_002;

    /// The start position: two seeds in each of the pits 0 to 23 of both players.
    pub fn start() -> Position {
        let ring = std::array::from_fn(|pit| if pit < 24 { 2 } else { 0 });
        Position::from_parts([ring, ring], 0, false)
    }

    /// A position whose counts have been checked.
    pub(crate) fn from_parts(rings: [Ring; 2], plies: u16, infinite: bool) -> Position {
        let [occupied, playable] =
            [1, 2].map(|least| [0, 1].map(|player| at_least(words(&rings[player]), least)));
        Position { rings, occupied, playable, plies, infinite }
    }

    /// Plies played so far.
    #[inline]
    pub fn plies(&self) -> u32 {
        u32::from(self.plies)
    }

    /// Whether a move can capture now: not on either player's first move.
    #[inline]
    pub fn captures_allowed(&self) -> bool {
        self.plies >= 2
    }

    /// The player whose infinite move ended the game.
    pub fn infinite_by(&self) -> Option<Player> {
        self.infinite.then(|| self.to_move())
    }
}
