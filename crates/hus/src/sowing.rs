//! Playing a move, fast.
//!
//! The sowings of one move form a single path round the ring: each goes on where the one before ended, one seed to a
//! pit. So within a lap every pit is reached once at most, and what lies there, and across from it, is what lay there
//! when the lap began. The loop below therefore only reads: it hops from the last pit of a sowing to the last pit of the
//! next and notes its stops. Whether the move goes on, and whether a stop captures or relays, is told by sets of bits, so
//! that the one branch that cannot be foreseen, the end of the move, is decided early; the seeds taken up are a
//! selection. The board is brought up to date once, with whole rows, when the move ends or a lap is full.

use std::hint::select_unpredictable;

use search_core::TurnBased;

use crate::bytes::{SEEDS, cleared, reverse, ring, words};
use crate::{Pit, Position};

/// A move whose sowing with this number ends in an occupied pit is infinite.
pub const SOWING_LIMIT: u32 = 200;

/// Pits that can be visited before the board must be brought up to date: all but the one where the lap started.
const LAP: usize = 31;

/// Where a move is in its current lap.
#[derive(Clone, Copy)]
struct Lap {
    /// The pit before the first seed.
    start: usize,
    /// Seeds laid so far.
    laid: usize,
    /// The pits where seeds were taken up, or from across which they were.
    stops: u32,
    /// The pits where a stop captures.
    capturing: u32,
}

impl Position {
    /// Plays a pit of the player to move that holds two or more seeds.
    #[inline]
    pub(crate) fn sow(&mut self, pit: Pit) {
        let mover = self.to_move().index();
        let start = pit.index();
        let mut lap = self.lap(mover, start);
        // The first pit is emptied like one that relays.
        lap.stops = 1 << start;
        lap.capturing &= !lap.stops;
        let mut hand = usize::from(self.rings[mover][start]);
        let mut sowings = 0;

        loop {
            lap.laid += hand;
            if lap.laid > LAP {
                lap = self.finish_laps(mover, lap);
            }
            let at = (lap.start + lap.laid) % Pit::COUNT;
            sowings += 1;
            if self.occupied[mover] >> at & 1 == 0 {
                break;
            }
            lap.stops |= 1 << at;
            // For an inner pit the facing one is 47 - at, and behind that is at - 16.
            let prize = self.rings[1 - mover][at ^ 15] + self.rings[1 - mover][at ^ 16];
            let heap = self.rings[mover][at] + 1;
            hand = usize::from(select_unpredictable(lap.capturing >> at & 1 == 1, prize, heap));
            if sowings == SOWING_LIMIT {
                self.infinite = true;
                break;
            }
        }
        self.settle(mover, &lap);
        self.plies += u16::from(!self.infinite);
    }

    /// A new lap of `mover` on the board as it is.
    #[inline]
    fn lap(&self, mover: usize, start: usize) -> Lap {
        // The facing row runs the other way: 47 - at.
        let facing = reverse(self.occupied[1 - mover] >> 16) << 16;
        let capturing = if self.captures_allowed() { facing } else { 0 };
        Lap { start, laid: 0, stops: 0, capturing }
    }

    /// Brings the board up to date for full laps, until the last seed falls within a new one.
    #[cold]
    #[inline(never)]
    fn finish_laps(&mut self, mover: usize, mut lap: Lap) -> Lap {
        while lap.laid > LAP {
            let left = lap.laid - LAP;
            self.settle(mover, &Lap { laid: LAP, ..lap });
            lap = Lap { laid: left, ..self.lap(mover, (lap.start + LAP) % Pit::COUNT) };
        }
        lap
    }

    /// Brings the board up to date: the seeds laid, then the emptied pits and the captured columns.
    #[inline]
    fn settle(&mut self, mover: usize, lap: &Lap) {
        let scooped = lap.stops & !lap.capturing;
        let captured = (lap.stops & lap.capturing) >> 16;

        let mut seeds = [0; 32];
        seeds.copy_from_slice(&SEEDS[lap.laid % 32][LAP - lap.start % 32..][..32]);
        let mut counts = words(&self.rings[mover]);
        for (count, laid) in counts.iter_mut().zip(words(&seeds)) {
            *count += laid;
        }
        self.rings[mover] = ring(cleared(counts, scooped));
        let covered = ((1_u32 << (lap.laid % 32)) - 1).rotate_left(lap.start as u32 + 1);
        self.playable[mover] = (self.playable[mover] | covered & self.occupied[mover]) & !scooped;
        self.occupied[mover] = (self.occupied[mover] | covered) & !scooped;

        let emptied = captured | reverse(captured) << 16;
        self.rings[1 - mover] = ring(cleared(words(&self.rings[1 - mover]), emptied));
        self.playable[1 - mover] &= !emptied;
        self.occupied[1 - mover] &= !emptied;
    }
}
