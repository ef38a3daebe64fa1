//! One move told step by step, for teaching and for viewers.

use search_core::{Game, TurnBased};

use crate::sowing::SOWING_LIMIT;
use crate::{Pit, Position};

/// One step of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// `seeds` seeds went one by one into the pits after `from`, the last into `to`.
    Sow {
        /// The pit before the first seed.
        from: Pit,
        /// How many.
        seeds: u32,
        /// Where the last one fell.
        to: Pit,
    },
    /// All `seeds` seeds of the mover's own pit were taken up to sow on.
    Relay {
        /// The pit, now empty.
        pit: Pit,
        /// How many.
        seeds: u32,
    },
    /// The opponent's column facing `pit` was taken to sow on; the mover's pit keeps its seeds.
    Capture {
        /// The mover's pit where the sowing ended.
        pit: Pit,
        /// Seeds from the opponent's inner pit.
        inner: u32,
        /// Seeds from the opponent's outer pit behind it.
        outer: u32,
    },
    /// The last seed fell into an empty pit: the move is over.
    Stop {
        /// The pit.
        pit: Pit,
    },
    /// The 200th sowing ended in an occupied pit: the move is infinite, the seeds just taken up are gone.
    Infinite {
        /// Seeds in hand.
        seeds: u32,
    },
}

impl Position {
    /// Plays a legal move like `play` and tells every step in order.
    ///
    /// ```
    /// use hus::{Pit, Position, Step};
    /// let mut position = Position::start();
    /// let mut relays = 0;
    /// position.play_traced("0".parse::<Pit>()?, |step| {
    ///     if let Step::Relay { .. } = step {
    ///         relays += 1;
    ///     }
    /// });
    /// assert_eq!(relays, 8);
    /// # Ok::<(), hus::ParsePitError>(())
    /// ```
    pub fn play_traced(&mut self, pit: Pit, mut observe: impl FnMut(Step)) {
        debug_assert!(self.is_legal(self.to_move(), pit), "illegal move {pit} in {self}");
        let mover = self.to_move().index();
        let captures_allowed = self.captures_allowed();
        let mut rings = self.rings;
        let mut at = pit;
        let mut hand = std::mem::take(&mut rings[mover][pit.index()]);
        let mut infinite = false;

        for sowing in 1..=SOWING_LIMIT {
            let from = at;
            for step in 1..=usize::from(hand) {
                at = Pit::wrapping(from.index() + step);
                rings[mover][at.index()] += 1;
            }
            observe(Step::Sow { from, seeds: u32::from(hand), to: at });
            if rings[mover][at.index()] == 1 {
                observe(Step::Stop { pit: at });
                break;
            }
            let column = at.facing().zip(at.behind_facing()).filter(|_| captures_allowed);
            match column {
                Some((facing, behind)) if rings[1 - mover][facing.index()] > 0 => {
                    let inner = std::mem::take(&mut rings[1 - mover][facing.index()]);
                    let outer = std::mem::take(&mut rings[1 - mover][behind.index()]);
                    hand = inner + outer;
                    observe(Step::Capture { pit: at, inner: u32::from(inner), outer: u32::from(outer) });
                }
                _ => {
                    hand = std::mem::take(&mut rings[mover][at.index()]);
                    observe(Step::Relay { pit: at, seeds: u32::from(hand) });
                }
            }
            if sowing == SOWING_LIMIT {
                infinite = true;
                observe(Step::Infinite { seeds: u32::from(hand) });
            }
        }
        *self = Position::from_parts(rings, self.plies + u16::from(!infinite), infinite);
    }

    /// The steps of a legal move, without playing it here.
    pub fn trace(&self, pit: Pit) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut position = *self;
        position.play_traced(pit, |step| steps.push(step));
        steps
    }
}
