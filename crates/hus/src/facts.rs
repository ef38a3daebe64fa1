//! Facts of a position that evaluations are made of. All are a handful of instructions.

use search_core::{Player, TurnBased};

use crate::bytes::{cleared, reverse, sum, words};
use crate::{Hus, Pit};

impl Hus {
    /// The seeds in one pit of `player`.
    ///
    /// ```
    /// use hus::{Hus, Pit};
    /// use search_core::Player;
    /// assert_eq!(Hus::start().count(Player::One, "23".parse::<Pit>()?), 2);
    /// # Ok::<(), hus::ParsePitError>(())
    /// ```
    #[inline]
    pub fn count(&self, player: Player, pit: Pit) -> u32 {
        u32::from(self.rings[player.index()][pit.index()])
    }

    /// The seeds in all pits of `player`, in pit order.
    #[inline]
    pub fn counts(&self, player: Player) -> &[u8; Pit::COUNT] {
        &self.rings[player.index()]
    }

    /// All seeds of `player`.
    #[inline]
    pub fn seeds(&self, player: Player) -> u32 {
        sum(words(&self.rings[player.index()]))
    }

    /// Pits of `player` with two or more seeds: the moves `player` has or would have.
    #[inline]
    pub fn mobility(&self, player: Player) -> u32 {
        self.playable[player.index()].count_ones()
    }

    /// The pits of [`Hus::mobility`] as a set of bits, bit 0 for pit 0.
    #[inline]
    pub fn playable(&self, player: Player) -> u32 {
        self.playable[player.index()]
    }

    /// Seeds of `player` that stand open to a capture: those of every column whose inner pit is not empty, with the
    /// outer pit behind it. Whether a move of the opponent really ends there is not looked at.
    ///
    /// ```
    /// use hus::Hus;
    /// use search_core::Player;
    /// // Inner pits 16 to 23 hold two each, and so do the outer ones behind them.
    /// assert_eq!(Hus::start().exposed(Player::One), 32);
    /// ```
    #[inline]
    pub fn exposed(&self, player: Player) -> u32 {
        let inner = self.occupied[player.index()] & 0xffff_0000;
        let columns = inner | inner.reverse_bits();
        sum(cleared(words(&self.rings[player.index()]), !columns))
    }

    /// Columns of `player` that stand open to a capture: inner pits that are not empty.
    #[inline]
    pub fn open_columns(&self, player: Player) -> u32 {
        (self.occupied[player.index()] >> 16).count_ones()
    }

    /// The opponent's columns that the first sowing of some move of the player to move captures, as a set of bits: bit `c`
    /// for the outer pit `c` with the inner one before it. What a move takes later on is not looked at.
    ///
    /// ```
    /// use hus::Hus;
    /// let position: Hus = "0,0,0,0,0,0,0,0,1,0,1,1,0,1,1,0,0,3,0,3,4,1,1,1,5,0,0,0,0,1,0,0/\
    ///                      5,4,1,0,0,1,0,0,0,0,1,3,1,0,3,0,2,5,6,3,8,7,2,1,3,10,0,2,1,2,1,0 1 39".parse()?;
    /// // Pit 24 takes the column of pit 11 (`docs/rules/hus.md`).
    /// assert!(position.attacked() >> 11 & 1 == 1);
    /// assert_eq!(Hus::start().attacked(), 0);
    /// # Ok::<(), hus::ParseHusError>(())
    /// ```
    #[inline]
    pub fn attacked(&self) -> u32 {
        if !self.captures_allowed() {
            return 0;
        }
        let mover = self.to_move().index();
        let mut ends = 0;
        let mut pits = self.playable[mover];
        while pits != 0 {
            let pit = pits.trailing_zeros();
            pits &= pits - 1;
            ends |= 1_u32.rotate_left(pit + u32::from(self.rings[mover][pit as usize % Pit::COUNT]));
        }
        // The facing row runs the other way.
        (ends & self.occupied[mover]) >> 16 & reverse(self.occupied[1 - mover] >> 16)
    }

    /// Seeds that a capture of the player to move would take from the opponent's column facing this own pit; 0 for an
    /// outer pit or an empty facing pit.
    pub fn prize(&self, pit: Pit) -> u32 {
        let other = self.to_move().opponent();
        match (pit.facing(), pit.behind_facing()) {
            (Some(facing), Some(behind)) if self.count(other, facing) > 0 => {
                self.count(other, facing) + self.count(other, behind)
            }
            _ => 0,
        }
    }
}
