//! Goofspiel with the prizes in random order, solved: which prize comes next is known before both players bid for it.
//!
//! Points won are won: what is still to play for depends on the two hands and the prizes left alone. Each such subgame is worth the
//! average, over the prizes that may come, of a matrix game of bids. So all of them are solved from the last card up, one layer of
//! as many cards after the other, and only the layer before is kept.

use search_core::matrix::{Matrix, Solution, Solver};

/// The most cards whose subgames are counted in a machine word and kept in memory.
pub const MOST_CARDS: u8 = 13;

/// What was found, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomPrizes {
    /// What the game is worth to the first player, in points.
    pub value: f64,
    /// The first bids of an equilibrium, card by card, for each first prize.
    pub bids: Vec<Vec<f64>>,
    /// How many subgames there are: hands and prizes left, the end and the start included.
    pub subgames: u64,
    /// How many of them were solved; the others are these with the players exchanged.
    pub solved: u64,
    /// Matrix games that were solved.
    pub matrices: u64,
    /// Bytes of the two layers that were the largest together.
    pub bytes: usize,
}

/// The subgames of a layer: three sets of this many cards out of all.
struct Sets {
    /// The sets, in the order of their words.
    members: Vec<u16>,
    /// The place of each word among them.
    place: Vec<u32>,
}

impl Sets {
    fn of(cards: u8, size: u8) -> Sets {
        let mut place = vec![0; 1 << cards];
        let members: Vec<u16> = (0..1_u32 << cards)
            .filter(|word| word.count_ones() == u32::from(size))
            .map(|word| word as u16)
            .collect();
        for (number, &word) in members.iter().enumerate() {
            place[usize::from(word)] = number as u32;
        }
        Sets { members, place }
    }

    fn place(&self, word: u16) -> usize {
        self.place[usize::from(word)] as usize
    }
}

/// The cards of a set, 0 for the lowest.
fn cards(word: u16) -> impl Iterator<Item = u16> + Clone {
    (0..16).filter(move |card| word >> card & 1 != 0)
}

/// The values of a layer, by both hands and the prizes left.
struct Layer {
    sets: Sets,
    values: Vec<f64>,
}

impl Layer {
    fn get(&self, one: u16, two: u16, prizes: u16) -> f64 {
        let count = self.sets.members.len();
        let [one, two, prizes] = [one, two, prizes].map(|word| self.sets.place(word));
        self.values[(one * count + two) * count + prizes]
    }
}

/// Solves the game with this many cards (1 to 13) and says after each layer how many cards were left in it.
pub fn solve(card_count: u8, mut layer_done: impl FnMut(u8)) -> RandomPrizes {
    let card_count = card_count.clamp(1, MOST_CARDS);
    let mut found =
        RandomPrizes { value: 0.0, bids: Vec::new(), subgames: 1, solved: 1, matrices: 0, bytes: 0 };
    let mut below = Layer { sets: Sets::of(card_count, 0), values: vec![0.0] };
    let mut solver = Solver::default();
    for size in 1..=card_count {
        let sets = Sets::of(card_count, size);
        let count = sets.members.len();
        let mut values = vec![0.0; count * count * count];
        found.bytes = found.bytes.max((values.len() + below.values.len()) * size_of::<f64>());
        for (first, &one) in sets.members.iter().enumerate() {
            for (second, &two) in sets.members[..=first].iter().enumerate() {
                for (third, &prizes) in sets.members.iter().enumerate() {
                    // Equal hands are worth nothing, but the start's bids are asked for.
                    let value = if one == two && size < card_count {
                        0.0
                    } else {
                        let mut sum = 0.0;
                        for prize in cards(prizes) {
                            let solution = bids(&below, one, two, prizes, prize, &mut solver);
                            found.matrices += 1;
                            sum += solution.value;
                            if size == card_count {
                                found.bids.push(solution.row);
                            }
                        }
                        found.solved += 1;
                        sum / f64::from(size)
                    };
                    values[(first * count + second) * count + third] = value;
                    values[(second * count + first) * count + third] = -value;
                }
            }
        }
        found.subgames += (count * count * count) as u64;
        below = Layer { sets, values };
        layer_done(size);
    }
    found.value = below.values[0];
    found
}

/// The matrix game of bids for a prize.
fn bids(below: &Layer, one: u16, two: u16, prizes: u16, prize: u16, solver: &mut Solver) -> Solution {
    let (own, other): (Vec<u16>, Vec<u16>) = (cards(one).collect(), cards(two).collect());
    let left = prizes & !(1 << prize);
    let matrix = Matrix::from_fn(own.len(), other.len(), |row, column| {
        let (mine, theirs) = (own[row], other[column]);
        let won = f64::from(prize + 1) * f64::from((mine > theirs) as i8 - (mine < theirs) as i8);
        won + below.get(one & !(1 << mine), two & !(1 << theirs), left)
    });
    solver.solve(&matrix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::matrix;

    /// Straight from the rules: the value for the first player.
    fn value(one: u16, two: u16, prizes: u16) -> f64 {
        let values = cards(prizes).map(|prize| {
            let (own, other): (Vec<u16>, Vec<u16>) = (cards(one).collect(), cards(two).collect());
            let game = Matrix::from_fn(own.len(), other.len(), |row, column| {
                let (mine, theirs) = (own[row], other[column]);
                let won = i32::from(prize + 1) * ((mine > theirs) as i32 - (mine < theirs) as i32);
                f64::from(won) + value(one & !(1 << mine), two & !(1 << theirs), prizes & !(1 << prize))
            });
            matrix::solve(&game).value
        });
        values.sum::<f64>() / f64::from(prizes.count_ones().max(1))
    }

    #[test]
    fn layers_are_worth_what_the_rules_say() {
        // Sets of three out of four cards with different hands, by a solver that stops there.
        let mut below = Layer { sets: Sets::of(4, 0), values: vec![0.0] };
        let mut solver = Solver::default();
        for size in 1..=3 {
            let sets = Sets::of(4, size);
            let mut values = Vec::new();
            for &one in &sets.members {
                for &two in &sets.members {
                    for &prizes in &sets.members {
                        let sum: f64 = cards(prizes)
                            .map(|prize| bids(&below, one, two, prizes, prize, &mut solver).value)
                            .sum();
                        let found = sum / f64::from(size);
                        assert!((found - value(one, two, prizes)).abs() < 1e-9);
                        values.push(found);
                    }
                }
            }
            below = Layer { sets, values };
        }
    }

    #[test]
    fn the_whole_game_is_fair_and_has_as_many_subgames_as_published() {
        let mut layers = Vec::new();
        let found = solve(5, |size| layers.push(size));
        assert_eq!(layers, [1, 2, 3, 4, 5]);
        assert!(found.value.abs() < 1e-9);
        // The sum of the cubes of the binomial coefficients.
        assert_eq!(found.subgames, 1 + 125 + 1000 + 1000 + 125 + 1);
        assert_eq!(found.bids.len(), 5);
        for bids in &found.bids {
            assert!((bids.iter().sum::<f64>() - 1.0).abs() < 1e-9 && bids.len() == 5);
        }
        // The highest card is for the highest prize.
        assert!(found.bids[4][4] > 0.5 && found.bids[0][4] < 1e-9);
    }
}
