//! The champion's evaluation: a small network over the columns of the board, in whole numbers.
//!
//! A column is an inner pit with the outer pit behind it, which a capture takes together. Each of the 32 columns (16 of the
//! player to move, 16 of the opponent) names one of 64 rows of weights by its two counts, each cut down to 7; the seeds of
//! the player to move name one more, so that everything can depend on the phase. The rows are added, what is negative is
//! dropped, and the rest is weighed. All sums are exact, so the value is the same on every machine.

use std::sync::Arc;

use hus::{Hus, Pit};
use search_core::{Evaluate, Player, Score, TurnBased};
use thiserror::Error;

/// Hidden units.
const WIDTH: usize = 32;
/// Columns of both players.
const COLUMNS: usize = 32;
/// Classes of a column: eight counts inside times eight outside.
const CLASSES: usize = 64;
/// Possible numbers of seeds of the player to move.
const SEEDS: usize = Hus::SEEDS as usize + 1;
/// Numbers in a file: the rows, the weights of the hidden units, the bias, the shift.
const NUMBERS: usize = (COLUMNS * CLASSES + SEEDS + 1) * WIDTH + 2;

/// The weights of one class, one per hidden unit.
type Row = [i16; WIDTH];

/// The trained weights: little-endian 16-bit numbers.
static CHAMPION: &[u8] = include_bytes!("network.bin");

#[derive(Debug, PartialEq, Eq)]
struct Weights {
    columns: Vec<[Row; CLASSES]>,
    seeds: Vec<Row>,
    out: Row,
    bias: i32,
    shift: u32,
}

/// A file that holds no network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// A file of another length.
    #[error("expected {expected} bytes of weights, found {found}", expected = 2 * NUMBERS)]
    Length {
        /// How many bytes came.
        found: usize,
    },
    /// A shift that no sum survives.
    #[error("expected a shift from 0 to 20, found {0}")]
    Shift(i16),
    /// Weights whose sum can leave the range of 16 bits.
    #[error("the weights of hidden unit {0} can add up to more than 16 bits hold")]
    Overflow(usize),
}

/// A network that judges positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network(Arc<Weights>);

impl Network {
    /// The network that `champion` plays with.
    ///
    /// ```
    /// use agents::hus::Network;
    /// use hus::Hus;
    /// use search_core::{Evaluate, Player};
    /// let network = Network::champion()?;
    /// let start = Hus::start();
    /// let value = network.evaluate(&start, Player::One);
    /// assert_eq!(value, -network.evaluate(&start, Player::Two));
    /// # Ok::<(), agents::hus::NetworkError>(())
    /// ```
    pub fn champion() -> Result<Network, NetworkError> {
        Network::from_bytes(CHAMPION)
    }

    /// Reads a network: the rows of the player to move's columns 0 to 15 (column `c` is the outer pit `c` with the inner pit
    /// `31 - c`), each class `8 * inner + outer` in order, the same for the opponent's, the rows of 0 to 96 seeds, the
    /// weights of the hidden units, the bias and the shift.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if bytes.len() != 2 * NUMBERS {
            return Err(NetworkError::Length { found: bytes.len() });
        }
        let mut numbers = bytes.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let mut next = || numbers.next().unwrap_or(0);
        let mut row = || -> Row { std::array::from_fn(|_| next()) };
        let columns: Vec<[Row; CLASSES]> = (0..COLUMNS).map(|_| std::array::from_fn(|_| row())).collect();
        let seeds: Vec<Row> = (0..SEEDS).map(|_| row()).collect();
        let out = row();
        let bias = i32::from(next());
        let shift = next();
        let shift =
            u32::try_from(shift).ok().filter(|&shift| shift <= 20).ok_or(NetworkError::Shift(shift))?;
        for unit in 0..WIDTH {
            let most = |rows: &[Row]| rows.iter().map(|row| i32::from(row[unit])).max().unwrap_or(0);
            let least = |rows: &[Row]| rows.iter().map(|row| i32::from(row[unit])).min().unwrap_or(0);
            let high: i32 = columns.iter().map(|rows| most(rows)).sum::<i32>() + most(&seeds);
            let low: i32 = columns.iter().map(|rows| least(rows)).sum::<i32>() + least(&seeds);
            if high > i32::from(i16::MAX) || low < i32::from(i16::MIN) {
                return Err(NetworkError::Overflow(unit));
            }
        }
        Ok(Network(Arc::new(Weights { columns, seeds, out, bias, shift })))
    }

    /// The value of a position for the player to move, given both rings and the seeds of the player to move.
    #[inline]
    fn value(&self, own: &[u8; Pit::COUNT], other: &[u8; Pit::COUNT], seeds: u32) -> i32 {
        let weights = &*self.0;
        let mut sums = weights.seeds.get(seeds as usize).copied().unwrap_or([0; WIDTH]);
        let (ours, theirs) = weights.columns.split_at(COLUMNS / 2);
        for (columns, ring) in [(ours, own), (theirs, other)] {
            for (rows, class) in columns.iter().zip(classes(ring)) {
                // Checked when the weights were read: the sums cannot leave their range.
                for (sum, weight) in sums.iter_mut().zip(&rows[usize::from(class) % CLASSES]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        }
        let total: i32 = sums
            .iter()
            .zip(&weights.out)
            .map(|(&sum, &weight)| i32::from(sum.max(0)) * i32::from(weight))
            .sum();
        (total >> weights.shift) + weights.bias
    }
}

impl Evaluate<Hus> for Network {
    #[inline]
    fn evaluate(&self, position: &Hus, player: Player) -> Score {
        let mover = position.to_move();
        let (own, other) = (position.counts(mover), position.counts(mover.opponent()));
        let value = self.value(own, other, position.seeds(mover));
        Score::new(if mover == player { value } else { -value })
    }
}

/// The classes of the sixteen columns of a ring, eight at a time.
#[inline]
fn classes(ring: &[u8; Pit::COUNT]) -> [u8; 16] {
    let words = ring.as_chunks::<8>().0;
    let word = |index: usize| words.get(index).map_or(0, |&bytes| u64::from_le_bytes(bytes));
    // The inner row runs the other way.
    let left = up_to_seven(word(3).swap_bytes()) << 3 | up_to_seven(word(0));
    let right = up_to_seven(word(2).swap_bytes()) << 3 | up_to_seven(word(1));
    let mut classes = [0; 16];
    classes[..8].copy_from_slice(&left.to_le_bytes());
    classes[8..].copy_from_slice(&right.to_le_bytes());
    classes
}

/// Eight counts below 128, each cut down to 7.
#[inline]
const fn up_to_seven(counts: u64) -> u64 {
    let high = (counts + 0x7878_7878_7878_7878) & 0x8080_8080_8080_8080;
    let ones = high >> 7;
    counts & !(high | (high - ones)) | (ones * 7)
}

#[cfg(test)]
mod tests {
    use search_core::{Game, SearchRng};

    use super::*;

    #[test]
    fn classes_are_the_counts_of_the_columns() {
        let mut rng = SearchRng::new(4, "classes");
        for _ in 0..500 {
            let ring: [u8; 32] =
                std::array::from_fn(|_| if rng.below(9) == 0 { rng.below(96) } else { rng.below(10) } as u8);
            for (column, class) in classes(&ring).into_iter().enumerate() {
                assert_eq!(class, 8 * ring[31 - column].min(7) + ring[column].min(7));
            }
        }
    }

    /// The sum as the words describe it, pit by pit.
    fn plain(network: &Network, position: &Hus) -> i32 {
        let weights = &network.0;
        let mover = position.to_move();
        let mut sums = weights.seeds[position.seeds(mover) as usize].map(i32::from);
        for (side, player) in [mover, mover.opponent()].into_iter().enumerate() {
            let counts = position.counts(player);
            for column in 0..16 {
                let class = 8 * counts[31 - column].min(7) + counts[column].min(7);
                let row = &weights.columns[16 * side + column][usize::from(class)];
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += i32::from(weight);
                }
            }
        }
        let total: i32 =
            sums.iter().zip(weights.out).map(|(&sum, weight)| sum.max(0) * i32::from(weight)).sum();
        (total >> weights.shift) + weights.bias
    }

    #[test]
    fn it_is_the_sum_of_its_rows() {
        let network = Network::champion().expect("the weights that come with it");
        let mut rng = SearchRng::new(3, "network");
        let mut position = Hus::start();
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            let value = plain(&network, &position);
            assert_eq!(network.evaluate(&position, position.to_move()).value(), value, "{position}");
            assert_eq!(network.evaluate(&position, position.to_move().opponent()).value(), -value);
            position.play(pit);
        }
        assert!(position.plies() > 10);
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(Network::from_bytes(&[0; 10]), Err(NetworkError::Length { found: 10 }));
        let mut bytes = vec![0; 2 * NUMBERS];
        assert!(Network::from_bytes(&bytes).is_ok());
        bytes[2 * NUMBERS - 2] = 21;
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Shift(21)));
        let large = vec![0x7f; 2 * NUMBERS];
        assert_eq!(Network::from_bytes(&large), Err(NetworkError::Shift(0x7f7f)));
        bytes[2 * NUMBERS - 2] = 0;
        // The same large weight in every class of two columns.
        for number in 0..2 * CLASSES * WIDTH {
            bytes[2 * number + 1] = 0x7f;
        }
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Overflow(0)));
    }
}
