//! Playing a move, fast.
//!
//! The sowings of one move form a single path round the ring: each goes on where the one before ended, one seed to a
//! pit. So within a lap every pit is reached once at most, and what lies there is what lay there when the lap began. The
//! loop below therefore only *reads*: it hops from the last pit of a sowing to the last pit of the next and notes which
//! pits were scooped and which columns captured. The board is brought up to date once, with whole words, when the move
//! ends or a lap is full. Apart from the end of the move there is no branch that depends on the board: whether a stop
//! relays or captures is a selection.

use search_core::TurnBased;

use crate::bytes::{EXPANDED, SEEDS, at_least, ring, words};
use crate::{Hus, Pit};

/// A move whose sowing with this number ends in an occupied pit is infinite.
pub const SOWING_LIMIT: u32 = 200;

/// Pits that can be visited before the next flush: all but the one where the lap started.
const LAP: usize = 31;

impl Hus {
    /// Plays a pit of the player to move that holds two or more seeds.
    #[inline]
    pub(crate) fn sow(&mut self, pit: Pit) {
        let mover = self.to_move().index();
        let other = 1 - mover;
        let capturing = if self.captures_allowed() { 0xffff_0000_u32 } else { 0 };

        let mut start = pit.index();
        let mut hand = usize::from(self.rings[mover][start]);
        // Of this lap: the seeds laid, the pits emptied, the stops that captured.
        let mut laid = 0;
        let mut scooped = 1_u32 << start;
        let mut captured = 0_u32;
        let mut sowings = 0;

        loop {
            laid += hand;
            while laid > LAP {
                self.settle(mover, start, LAP, scooped, captured);
                start = (start + LAP) % Pit::COUNT;
                laid -= LAP;
                scooped = 0;
                captured = 0;
            }
            let at = (start + laid) % Pit::COUNT;
            let before = self.rings[mover][at];
            sowings += 1;
            if before == 0 {
                break;
            }
            // For an inner pit these are the facing pit, 47 - at, and the one behind it, at - 16.
            let inner = self.rings[other][at ^ 15];
            let outer = self.rings[other][at ^ 16];
            let captures = capturing >> at & u32::from(inner != 0);
            hand = usize::from(if captures != 0 { inner + outer } else { before + 1 });
            captured |= captures << at;
            scooped |= (captures ^ 1) << at;
            if sowings == SOWING_LIMIT {
                self.infinite = true;
                break;
            }
        }
        self.settle(mover, start, laid, scooped, captured);
        self.playable[mover] = at_least(words(&self.rings[mover]), 2);
        self.plies += u16::from(!self.infinite);
    }

    /// Brings the board up to date: `laid` seeds after `start`, then the emptied pits and the captured columns.
    #[inline]
    fn settle(&mut self, mover: usize, start: usize, laid: usize, scooped: u32, captured: u32) {
        let own = &mut self.rings[mover];
        let mut seeds = [0; 32];
        seeds.copy_from_slice(&SEEDS[laid % 32][LAP - start % 32..][..32]);
        let mut counts = words(own);
        for (index, (count, laid)) in counts.iter_mut().zip(words(&seeds)).enumerate() {
            *count = (*count + laid) & !EXPANDED[(scooped >> (8 * index)) as usize & 0xff];
        }
        *own = ring(counts);

        let columns =
            [EXPANDED[(captured >> 16) as usize & 0xff], EXPANDED[(captured >> 24) as usize & 0xff]];
        let theirs = &mut self.rings[1 - mover];
        let [outer_low, outer_high, inner_low, inner_high] = words(theirs);
        // The inner row runs against the outer one.
        *theirs = ring([
            outer_low & !columns[0],
            outer_high & !columns[1],
            inner_low & !columns[1].swap_bytes(),
            inner_high & !columns[0].swap_bytes(),
        ]);
        let outer = captured >> 16;
        self.playable[1 - mover] &= !(outer | outer.reverse_bits());
    }
}
