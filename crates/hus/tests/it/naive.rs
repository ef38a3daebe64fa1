//! Hus written straight from the rules with arrays and loops: the oracle of the tests and the baseline of the benches.

use std::fmt;

/// A position of the oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Naive {
    /// The counts of both players in pit order.
    pub(crate) pits: [[u8; 32]; 2],
    /// The player to move.
    pub(crate) side: usize,
    /// Plies played.
    pub(crate) plies: u32,
    /// Whether the last move was infinite.
    pub(crate) infinite: bool,
}

/// The result as the oracle sees it: the winner, or none for a draw, and the reason.
pub(crate) type Verdict = (Option<usize>, &'static str);

impl Naive {
    /// The start position.
    pub(crate) fn start() -> Naive {
        let mut ring = [0; 32];
        ring[..24].fill(2);
        Naive { pits: [ring, ring], side: 0, plies: 0, infinite: false }
    }

    /// The pits that can be played, and how many there are.
    pub(crate) fn legal(&self) -> ([usize; 32], usize) {
        let mut moves = [0; 32];
        let mut count = 0;
        if self.infinite || self.plies / 2 > 5000 {
            return (moves, 0);
        }
        for pit in 0..32 {
            moves[count] = pit;
            count += usize::from(self.pits[self.side][pit] >= 2);
        }
        (moves, count)
    }

    /// Plays a pit of the side to move.
    pub(crate) fn play(&mut self, pit: usize) {
        let (own, other) = (self.side, 1 - self.side);
        let mut at = pit;
        let mut hand = self.pits[own][at];
        self.pits[own][at] = 0;
        let mut sowings = 0;
        loop {
            for _ in 0..hand {
                at = (at + 1) % 32;
                self.pits[own][at] += 1;
            }
            sowings += 1;
            if self.pits[own][at] == 1 {
                break;
            }
            if self.plies >= 2 && at >= 16 && self.pits[other][47 - at] > 0 {
                hand = self.pits[other][47 - at] + self.pits[other][at - 16];
                self.pits[other][47 - at] = 0;
                self.pits[other][at - 16] = 0;
            } else {
                hand = self.pits[own][at];
                self.pits[own][at] = 0;
            }
            if sowings == 200 {
                self.infinite = true;
                return;
            }
        }
        self.side = other;
        self.plies += 1;
    }

    /// The end of the game, checks in the order of the rules.
    pub(crate) fn end(&self) -> Option<Verdict> {
        if self.infinite {
            Some((Some(1 - self.side), "infinite-move"))
        } else if (0..32).all(|pit| self.pits[self.side][pit] < 2) {
            Some((Some(1 - self.side), "no-moves"))
        } else if self.plies / 2 > 5000 {
            Some((None, "turn-limit"))
        } else {
            None
        }
    }
}

impl fmt::Display for Naive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ring = |player: usize| self.pits[player].map(|count| count.to_string()).join(",");
        write!(f, "{}/{} {} {}", ring(0), ring(1), self.side, self.plies)
    }
}
