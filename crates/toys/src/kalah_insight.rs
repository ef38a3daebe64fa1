//! What can be proven of a position of Kalah at a glance, for the solver.

use search_core::{Insight, Known, RankedMove, RankedMoves, Score, TurnBased};

use crate::kalah::{House, Kalah, MOST_SEEDS};

/// What is still to win, and that only the seeds in the houses decide who gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Harvest;

/// The most seeds on a board with this many houses for each player.
const fn most_seeds(houses: usize) -> u32 {
    2 * houses as u32 * MOST_SEEDS as u32
}

/// Places for all seeds and houses of the largest board.
const MOST: usize = most_seeds(6) as usize + 12;

/// `BINOMIAL[n][k - 1]`: in how many ways k of n places can be chosen.
static BINOMIAL: [[u64; 12]; MOST] = {
    let mut table = [[0; 12]; MOST];
    let mut n = 0;
    while n < MOST {
        let mut k = 1;
        while k <= 12 {
            table[n][k - 1] = choose(n as u64, k as u64);
            k += 1;
        }
        n += 1;
    }
    table
};

const fn choose(n: u64, k: u64) -> u64 {
    let (mut ways, mut step) = (1_u64, 0);
    while step < k {
        if n < k {
            return 0;
        }
        ways = ways * (n - step) / (step + 1);
        step += 1;
    }
    ways
}

impl<const HOUSES: usize> Insight<Kalah<HOUSES>> for Harvest {
    type Passed = ();

    const KEY_BITS: u32 = {
        let houses = 2 * HOUSES as u64;
        u64::BITS - (choose(most_seeds(HOUSES) as u64 + houses, houses) - 1).leading_zeros()
    };
    // Every move brings seeds nearer to their owner's store or into one.
    const LONGEST: u32 = 1000;
    const PAYOFF: u32 = most_seeds(HOUSES);

    /// The number of this distribution of seeds over the houses, seen from the mover, among all of as many seeds or fewer.
    #[inline]
    fn key(&self, position: &Kalah<HOUSES>) -> u64 {
        let mover = position.to_move();
        let houses = position.houses(mover).iter().chain(position.houses(mover.opponent()));
        let (mut key, mut place) = (0, 0);
        for (index, &seeds) in houses.enumerate() {
            place += usize::from(seeds);
            key += BINOMIAL[place + index][index];
        }
        key
    }

    #[inline]
    fn banked(&self, position: &Kalah<HOUSES>) -> i32 {
        position.lead(position.to_move())
    }

    #[inline]
    fn glance(&self, position: &Kalah<HOUSES>) -> Known {
        let (lead, left) = (position.lead(position.to_move()), position.seeds_left() as i32);
        Known { lower: Score::new(lead - left), upper: Score::new(lead + left) }
    }

    /// Moves that give another move first, the nearest to the store before the others; then captures, the largest first.
    #[inline]
    fn study(&self, position: &Kalah<HOUSES>, _: Option<()>, moves: &mut RankedMoves<House>) -> Known {
        let own = position.houses(position.to_move());
        for (place, _) in own.iter().enumerate().filter(|&(_, &seeds)| seeds > 0) {
            let house = House(place as u8);
            let rank = match position.gains(house) {
                (_, true) => 100 + i32::from(house.0),
                (captured, false) => captured as i32,
            };
            moves.push(RankedMove { mv: house, rank, passed: (), forced: false });
        }
        Known::NOTHING
    }
}
