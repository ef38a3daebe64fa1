//! All ways to place a few tokens of one player, numbered, and the moves between them.

use expendibots::{Direction, Square, SquareSet};

/// The most tokens of one player that are numbered.
pub(crate) const MOST: usize = 4;

/// The squares of a player's tokens in ascending order, a square once for each token on it.
pub(crate) type Tokens = smallvec::SmallVec<[u8; MOST]>;

/// `n` over `k`.
const fn choose(n: u32, k: u32) -> u32 {
    let mut result = 1;
    let mut factor = 0;
    while factor < k {
        result = result * (n - factor) / (factor + 1);
        factor += 1;
    }
    result
}

/// `CHOOSE[k][n]` is `n` over `k + 1`.
const CHOOSE: [[u32; 64 + MOST]; MOST] = {
    let mut table = [[0; 64 + MOST]; MOST];
    let mut k = 0;
    while k < MOST {
        let mut n = k + 1;
        while n < 64 + MOST {
            table[k][n] = choose(n as u32, k as u32 + 1);
            n += 1;
        }
        k += 1;
    }
    table
};

/// The number of a placement among those with as many tokens.
#[inline]
pub(crate) fn number(tokens: &[u8]) -> usize {
    // Adding their places makes the squares distinct; distinct squares are numbered as usual for combinations.
    tokens.iter().enumerate().map(|(place, &square)| CHOOSE[place][usize::from(square) + place]).sum::<u32>()
        as usize
}

/// The placements that a move leads to, of each placement.
#[derive(Debug, Default)]
struct Edges {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Edges {
    #[inline]
    fn of(&self, placement: usize) -> &[u32] {
        &self.ends[self.starts[placement] as usize..self.starts[placement + 1] as usize]
    }

    /// The same moves taken back.
    fn reversed(&self) -> Edges {
        let mut starts = vec![0; self.starts.len()];
        for &end in &self.ends {
            starts[end as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut next = starts.clone();
        let mut ends = vec![0; self.ends.len()];
        for from in 0..self.starts.len() - 1 {
            for &end in self.of(from) {
                let slot = &mut next[end as usize];
                ends[*slot as usize] = from as u32;
                *slot += 1;
            }
        }
        Edges { starts, ends }
    }
}

/// All placements of a number of tokens.
#[derive(Debug)]
pub(crate) struct Placements {
    tokens: Vec<Tokens>,
    occupied: Vec<SquareSet>,
    forward: Edges,
    backward: Edges,
}

impl Placements {
    /// All placements of `count` tokens, 1 to [`MOST`].
    pub(crate) fn new(count: usize) -> Placements {
        let mut tokens: Vec<Tokens> = vec![Tokens::new()];
        for _ in 0..count {
            // Sorted by the last token first: that is the order of the numbers.
            let longer = (0..64_u8).flat_map(|last| {
                let fits = move |shorter: &&Tokens| shorter.last().is_none_or(|&before| before <= last);
                tokens.iter().filter(fits).map(move |shorter| shorter.iter().copied().chain([last]).collect())
            });
            tokens = longer.collect();
        }
        let occupied: Vec<SquareSet> = tokens
            .iter()
            .map(|tokens| tokens.iter().filter_map(|&square| square_at(square)).collect())
            .collect();
        let mut forward = Edges { starts: vec![0], ends: Vec::new() };
        for (tokens, &occupied) in tokens.iter().zip(&occupied) {
            for from in occupied {
                push_moves(tokens, from, &mut forward.ends);
            }
            forward.starts.push(forward.ends.len() as u32);
        }
        let backward = forward.reversed();
        Placements { tokens, occupied, forward, backward }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The squares of the tokens of a placement.
    #[inline]
    pub(crate) fn tokens(&self, placement: usize) -> &[u8] {
        &self.tokens[placement]
    }

    /// The squares that a placement takes.
    #[inline]
    pub(crate) fn occupied(&self, placement: usize) -> SquareSet {
        self.occupied[placement]
    }

    /// Where the moves of a placement lead to, booms aside. A move is legal if the opponent has none of the squares
    /// of where it leads to.
    #[inline]
    pub(crate) fn after(&self, placement: usize, enemy: SquareSet) -> impl Iterator<Item = usize> {
        self.free(&self.forward, placement, enemy)
    }

    /// Where moves that lead to a placement come from.
    #[inline]
    pub(crate) fn before(&self, placement: usize, enemy: SquareSet) -> impl Iterator<Item = usize> {
        self.free(&self.backward, placement, enemy)
    }

    #[inline]
    fn free<'a>(
        &'a self,
        edges: &'a Edges,
        placement: usize,
        enemy: SquareSet,
    ) -> impl Iterator<Item = usize> + 'a {
        edges
            .of(placement)
            .iter()
            .map(|&end| end as usize)
            .filter(move |&end| !self.occupied[end].meets(enemy))
    }
}

fn square_at(index: u8) -> Option<Square> {
    Square::from_index(usize::from(index))
}

/// The numbers of the placements after each move of the stack on `from`.
fn push_moves(tokens: &[u8], from: Square, ends: &mut Vec<u32>) {
    let source = from.index() as u8;
    let height: usize = tokens.iter().map(|&square| usize::from(square == source)).sum();
    for distance in 1..=height.min(7) as u8 {
        for to in Direction::ALL.into_iter().filter_map(|direction| from.step(direction, distance)) {
            let mut moved: Tokens = tokens.into();
            for _ in 0..height {
                if let Some(token) = moved.iter_mut().find(|square| **square == source) {
                    *token = to.index() as u8;
                }
                let mut sorted = moved.clone();
                sorted.sort_unstable();
                ends.push(number(&sorted) as u32);
            }
        }
    }
}
