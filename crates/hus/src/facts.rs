//! Facts of a position that evaluations are made of. All are a handful of instructions.

use search_core::{Player, TurnBased};

use crate::bytes::{cleared, repeat, reverse, ring, sum, words};
use crate::{Pit, Position};

impl Position {
    /// The seeds in one pit of `player`.
    ///
    /// ```
    /// use hus::{Pit, Position};
    /// use search_core::Player;
    /// assert_eq!(Position::start().count(Player::One, "23".parse::<Pit>()?), 2);
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

    /// The pits of [`Position::mobility`] as a set of bits, bit 0 for pit 0.
    #[inline]
    pub fn playable(&self, player: Player) -> u32 {
        self.playable[player.index()]
    }

    /// Seeds of `player` that stand open to a capture: those of every column whose inner pit is not empty, with the
    /// outer pit behind it. Whether a move of the opponent really ends there is not looked at.
    ///
    /// ```
    /// use hus::Position;
    /// use search_core::Player;
    /// // Inner pits 16 to 23 hold two each, and so do the outer ones behind them.
    /// assert_eq!(Position::start().exposed(Player::One), 32);
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

    /// The opponent's columns that some move of the player to move captures on its way to the end of the inner row, as a set
    /// of bits: bit `c` for the outer pit `c` with the inner one before it. What a move takes after pit 31 is not looked at.
    ///
    /// ```
    /// use hus::Position;
    /// let position: Position = "0,0,0,0,0,0,0,0,1,0,1,1,0,1,1,0,0,3,0,3,4,1,1,1,5,0,0,0,0,1,0,0/\
    ///                      5,4,1,0,0,1,0,0,0,0,1,3,1,0,3,0,2,5,6,3,8,7,2,1,3,10,0,2,1,2,1,0 1 39".parse()?;
    /// // Pit 24 takes the column of pit 11 (`docs/rules/hus.md`).
    /// assert!(position.attacked() >> 11 & 1 == 1);
    /// assert_eq!(Position::start().attacked(), 0);
    /// # Ok::<(), hus::ParsePositionError>(())
    /// ```
    #[inline]
    pub fn attacked(&self) -> u32 {
        let mover = self.to_move().index();
        let occupied = self.occupied[mover];
        // The facing row runs the other way.
        let facing = if self.captures_allowed() { reverse(self.occupied[1 - mover] >> 16) << 16 } else { 0 };
        if occupied & facing == 0 {
            return 0;
        }
        // What a sowing that ends in a pit takes up: the column across from it, or its own seeds with the last one.
        let (own, other) = (words(&self.rings[mover]), words(&self.rings[1 - mover]));
        let prizes = [0, 0, other[3].swap_bytes() + other[0], other[2].swap_bytes() + other[1]];
        let prizes = cleared(prizes, !facing);
        let heaps = cleared(own.map(|word| word + repeat(1)), facing);
        let hands = ring(std::array::from_fn(|index| prizes[index] | heaps[index]));
        // What goes beyond the last pit falls out.
        let after = |pit: usize, seeds: u8| (1_u64 << (pit + usize::from(seeds)).min(63)) as u32;
        let mut ends = 0;
        let mut pits = self.playable[mover];
        while pits != 0 {
            let pit = pits.trailing_zeros() as usize % Pit::COUNT;
            pits &= pits - 1;
            ends |= after(pit, self.rings[mover][pit]);
        }
        // From where a sowing ends, all moves that come there go on alike, and always forward: each pit is looked at once, and
        // what lies there is what lay there before the move.
        let mut stops = ends & occupied;
        let mut waiting = stops;
        while waiting != 0 {
            let pit = waiting.trailing_zeros() as usize % Pit::COUNT;
            waiting &= waiting - 1;
            let end = after(pit, hands[pit]) & occupied;
            stops |= end;
            waiting |= end;
        }
        (stops & facing) >> 16
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

#[cfg(test)]
mod tests {
    use search_core::{Game, SearchRng};

    use super::*;

    /// The columns that the moves take, stop by stop, until they reach the end of the inner row.
    fn taken(position: &Position) -> u32 {
        let mover = position.to_move();
        let (own, other) = (position.counts(mover), position.counts(mover.opponent()));
        let mut columns = 0;
        for pit in position.move_list(mover) {
            let mut at = pit.index() + usize::from(own[pit.index()]);
            while at < 32 && own[at] > 0 {
                if at >= 16 && position.captures_allowed() && other[47 - at] > 0 {
                    columns |= 1 << (at - 16);
                    at += usize::from(other[47 - at] + other[at - 16]);
                } else {
                    at += usize::from(own[at]) + 1;
                }
            }
        }
        columns
    }

    #[test]
    fn attacked_columns_are_those_that_moves_take() {
        let mut rng = SearchRng::new(8, "attacked");
        let mut attacked = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            while let Some(pit) = position.sample(position.to_move(), &mut rng) {
                assert_eq!(position.attacked(), taken(&position), "{position}");
                attacked += position.attacked().count_ones();
                position.play(pit);
            }
        }
        assert!(attacked > 1000);
    }
}
