//! The champion's evaluation: a small network over the columns of the board, in whole numbers.
//!
//! A column is an inner pit with the outer pit behind it, which a capture takes together. Each of the 32 columns (16 of the
//! player to move, 16 of the opponent) names one of 64 rows of weights by its two counts, each cut down to 7; a column of the
//! opponent that a move captures on its way to the end of the inner row names one of 64 others. The seeds of the player to move name one more, so that
//! everything can depend on the phase. The rows are added, the sums cut down to the range from nothing to full, and weighed.
//! All sums are exact, so the value is the same on every machine.

use std::sync::Arc;

use hus::{Pit, Position};
use search_core::{Evaluate, Player, Score, TurnBased};
use thiserror::Error;

/// Hidden units.
const WIDTH: usize = 16;
/// Columns of a player.
const COLUMNS: usize = 16;
/// Classes of an own column: eight counts inside times eight outside.
const OWN: usize = 64;
/// Classes of a column of the opponent: the same, and the same again where it is attacked.
const OTHER: usize = 2 * OWN;
/// Possible numbers of seeds of the player to move.
const SEEDS: usize = Position::SEEDS as usize + 1;
/// Numbers in a file: the rows, the weights of the hidden units, the bias, the shift, the largest sum that counts.
const NUMBERS: usize = (COLUMNS * (OWN + OTHER) + SEEDS + 1) * WIDTH + 3;

/// The weights of one class, one per hidden unit.
type Row = [i16; WIDTH];

/// The trained weights: little-endian 16-bit numbers.
static CHAMPION: &[u8] = include_bytes!("network.bin");

#[derive(Debug, PartialEq, Eq)]
struct Weights {
    own: Vec<[Row; OWN]>,
    other: Vec<[Row; OTHER]>,
    seeds: Vec<Row>,
    out: Row,
    bias: i32,
    shift: u32,
    full: i16,
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
    /// A limit of the hidden sums that is not positive.
    #[error("expected a positive limit of the sums, found {0}")]
    Full(i16),
    /// Weights whose sum can leave the range of 16 bits.
    #[error("the weights of hidden unit {0} can add up to more than 16 bits hold")]
    Overflow(usize),
    /// Hidden units whose weighted sum can leave the range of scores.
    #[error("the hidden units can add up to more than a score holds")]
    Total,
    /// A number that is not finite.
    #[error("a weight is not a number")]
    NotFinite,
}

/// A network that judges positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network(Arc<Weights>);

impl Network {
    /// Hidden units.
    pub const WIDTH: usize = WIDTH;
    /// Rows of weights, one for every class of every column and every number of seeds.
    pub const ROWS: usize = COLUMNS * (OWN + OTHER) + SEEDS;
    /// Rows that a position names.
    pub const NAMED: usize = 2 * COLUMNS + 1;
    /// How many points of the value make one unit of the log odds.
    pub const POINTS: i32 = 1284;

    /// The network that `champion` plays with.
    ///
    /// ```
    /// use agents::hus::Network;
    /// use hus::Position;
    /// use search_core::{Evaluate, Player};
    /// let network = Network::champion()?;
    /// let start = Position::start();
    /// let value = network.evaluate(&start, Player::One);
    /// assert_eq!(value, -network.evaluate(&start, Player::Two));
    /// # Ok::<(), agents::hus::NetworkError>(())
    /// ```
    pub fn champion() -> Result<Network, NetworkError> {
        Network::from_bytes(CHAMPION)
    }

    /// Reads a network: the rows of the player to move's columns 0 to 15 (column `c` is the outer pit `c` with the inner pit
    /// `31 - c`), each class `8 * inner + outer` in order, the opponent's columns, each with the classes of a column that
    /// is not attacked and then of one that is, the rows of 0 to 96 seeds, the weights of the hidden units, the bias, the shift and the largest sum of a hidden unit that counts.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if bytes.len() != 2 * NUMBERS {
            return Err(NetworkError::Length { found: bytes.len() });
        }
        let mut numbers = bytes.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let mut next = || numbers.next().unwrap_or(0);
        let mut row = || -> Row { std::array::from_fn(|_| next()) };
        let own: Vec<[Row; OWN]> = (0..COLUMNS).map(|_| std::array::from_fn(|_| row())).collect();
        let other: Vec<[Row; OTHER]> = (0..COLUMNS).map(|_| std::array::from_fn(|_| row())).collect();
        let seeds: Vec<Row> = (0..SEEDS).map(|_| row()).collect();
        let out = row();
        let bias = i32::from(next());
        let shift = next();
        let shift =
            u32::try_from(shift).ok().filter(|&shift| shift <= 20).ok_or(NetworkError::Shift(shift))?;
        let full = next();
        if full <= 0 {
            return Err(NetworkError::Full(full));
        }
        let mut most_total = 0;
        for unit in 0..WIDTH {
            let most = |rows: &[Row]| rows.iter().map(|row| i32::from(row[unit])).max().unwrap_or(0);
            let least = |rows: &[Row]| rows.iter().map(|row| i32::from(row[unit])).min().unwrap_or(0);
            let columns = || own.iter().map(|rows| &rows[..]).chain(other.iter().map(|rows| &rows[..]));
            let high: i32 = columns().map(most).sum::<i32>() + most(&seeds);
            let low: i32 = columns().map(least).sum::<i32>() + least(&seeds);
            if high > i32::from(i16::MAX) || low < i32::from(i16::MIN) {
                return Err(NetworkError::Overflow(unit));
            }
            most_total += i64::from(high.clamp(0, i32::from(full))) * i64::from(out[unit]).abs();
        }
        if most_total > i64::from(i32::MAX) || (most_total >> shift) + 32_768 > i64::from(Score::BOUND) {
            return Err(NetworkError::Total);
        }
        Ok(Network(Arc::new(Weights { own, other, seeds, out, bias, shift, full })))
    }

    /// The rows that a position names: one for each column of the player to move, one for each of the opponent's, one for
    /// the seeds.
    pub fn rows(position: &Position) -> [u16; Network::NAMED] {
        let mover = position.to_move();
        let own = classes(position.counts(mover));
        let other = with_attacks(classes(position.counts(mover.opponent())), position.attacked());
        let seeds = position.seeds(mover) as usize % SEEDS;
        std::array::from_fn(|place| {
            let row = if let Some(&class) = own.get(place) {
                place * OWN + usize::from(class)
            } else if let Some(&class) = other.get(place - COLUMNS) {
                COLUMNS * OWN + (place - COLUMNS) * OTHER + usize::from(class)
            } else {
                COLUMNS * (OWN + OTHER) + seeds
            };
            row as u16
        })
    }

    /// The value of a position for the player to move.
    #[inline]
    fn value(&self, position: &Position) -> i32 {
        let weights = &*self.0;
        let mover = position.to_move();
        let own = classes(position.counts(mover));
        let other = with_attacks(classes(position.counts(mover.opponent())), position.attacked());
        let mut sums = weights.seeds.get(position.seeds(mover) as usize).copied().unwrap_or([0; WIDTH]);
        for (rows, class) in weights.own.iter().zip(own) {
            add(&mut sums, &rows[usize::from(class) % OWN]);
        }
        for (rows, class) in weights.other.iter().zip(other) {
            add(&mut sums, &rows[usize::from(class) % OTHER]);
        }
        let full = weights.full;
        let total: i32 = sums
            .iter()
            .zip(&weights.out)
            .map(|(&sum, &weight)| i32::from(sum.max(0).min(full)) * i32::from(weight))
            .sum();
        (total >> weights.shift) + weights.bias
    }
}

impl Evaluate<Position> for Network {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        let value = self.value(position);
        Score::new(if position.to_move() == player { value } else { -value })
    }
}

/// A network as training makes it: fractions, in which a hidden unit is full at 1 and the value is the logarithm of the odds.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The rows in the order of [`Network::rows`].
    pub rows: Vec<[f32; WIDTH]>,
    /// The weights of the hidden units.
    pub out: [f32; WIDTH],
    /// What is added to their sum.
    pub bias: f32,
}

impl Trained {
    /// The numbers that the training found, each in its place.
    pub fn of(trained: &crate::network::Trained) -> Result<Trained, NetworkError> {
        let (rows, rest) = trained.rows.as_chunks::<WIDTH>();
        let length = NetworkError::Length { found: 2 * trained.rows.len() };
        if !rest.is_empty() {
            return Err(length);
        }
        let out = trained.out.as_slice().try_into().map_err(|_| length)?;
        Ok(Trained { rows: rows.to_vec(), out, bias: trained.bias })
    }

    /// The file of the whole-number network nearest to this one, as [`Network::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        let all = self.rows.iter().chain([&self.out]).flatten().chain([&self.bias]);
        if !all.into_iter().all(|number| number.is_finite()) {
            return Err(NetworkError::NotFinite);
        }
        if self.rows.len() != Network::ROWS {
            return Err(NetworkError::Length { found: 2 * self.rows.len() * WIDTH });
        }
        // The largest scale in which no sum leaves 16 bits, with room for rounding.
        let mut largest = 1.0_f32;
        let (own, rest) = self.rows.split_at(COLUMNS * OWN);
        let (other, seeds) = rest.split_at(COLUMNS * OTHER);
        for unit in 0..WIDTH {
            for sign in [1.0, -1.0] {
                let most = |rows: &[[f32; WIDTH]]| {
                    rows.iter().map(|row| sign * row[unit]).fold(f32::NEG_INFINITY, f32::max)
                };
                let columns = own.chunks(OWN).chain(other.chunks(OTHER));
                let sum: f32 = columns.map(most).sum::<f32>() + most(seeds);
                largest = largest.max(sum);
            }
        }
        let scale = (32_700.0 / largest).min(4096.0);
        // And the largest power of two by which the weights of the units can be multiplied.
        let points = Network::POINTS as f32;
        let heaviest = self.out.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
        let total: f32 = self.out.iter().map(|weight| weight.abs()).sum();
        let fits = |shift: i32| {
            let unit = points * 2.0_f32.powi(shift) / scale;
            heaviest * unit < 32_000.0 && total * unit * scale < 2.0e9
        };
        let shift = (0..=20).rev().find(|&shift| fits(shift)).ok_or(NetworkError::Total)?;
        let unit = points * 2.0_f32.powi(shift) / scale;
        let rows = self.rows.iter().flatten().map(|weight| weight * scale);
        let out = self.out.iter().map(|weight| weight * unit);
        let rest = [self.bias * points, shift as f32, scale];
        Ok(rows.chain(out).chain(rest).flat_map(|number| (number.round() as i16).to_le_bytes()).collect())
    }
}

/// Adds a row. Checked when the weights were read: the sums cannot leave their range.
#[inline]
fn add(sums: &mut Row, row: &Row) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// The classes of columns of which those in the set are attacked.
#[inline]
fn with_attacks(classes: [u8; COLUMNS], attacked: u32) -> [u8; COLUMNS] {
    // Each bit of a byte at its own byte, moved to where it counts 64.
    let spread = |bits: u32| {
        let own_bit = (u64::from(bits & 0xff) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        // Zero stays below 128, everything else reaches it.
        ((((own_bit & 0x7f7f_7f7f_7f7f_7f7f) + 0x7f7f_7f7f_7f7f_7f7f) | own_bit) >> 1) & 0x4040_4040_4040_4040
    };
    let [left, right] = [spread(attacked), spread(attacked >> 8)].map(u64::to_le_bytes);
    std::array::from_fn(|column| classes[column] | if column < 8 { left[column] } else { right[column - 8] })
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
    fn plain(network: &Network, position: &Position) -> i32 {
        let weights = &network.0;
        let mover = position.to_move();
        let mut sums = weights.seeds[position.seeds(mover) as usize].map(i32::from);
        let attacked = position.attacked();
        for column in 0..16 {
            let class = |player| {
                let counts = position.counts(player);
                usize::from(8 * counts[31 - column].min(7) + counts[column].min(7))
            };
            let attack = 64 * (attacked >> column & 1) as usize;
            let rows = [
                &weights.own[column][class(mover)],
                &weights.other[column][class(mover.opponent()) + attack],
            ];
            for row in rows {
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += i32::from(weight);
                }
            }
        }
        let total: i32 = sums
            .iter()
            .zip(weights.out)
            .map(|(&sum, weight)| sum.clamp(0, i32::from(weights.full)) * i32::from(weight))
            .sum();
        (total >> weights.shift) + weights.bias
    }

    #[test]
    fn it_is_the_sum_of_its_rows() {
        let network = Network::champion().expect("the weights that come with it");
        let mut rng = SearchRng::new(3, "network");
        let mut position = Position::start();
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
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Full(0)));
        bytes[2 * NUMBERS - 1] = 0x10;
        assert!(Network::from_bytes(&bytes).is_ok());
        bytes[2 * NUMBERS - 4] = 21;
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Shift(21)));
        let large = vec![0x7f; 2 * NUMBERS];
        assert_eq!(Network::from_bytes(&large), Err(NetworkError::Shift(0x7f7f)));
        bytes[2 * NUMBERS - 4] = 0;
        // The same large weight in every class of two columns.
        for number in 0..2 * OWN * WIDTH {
            bytes[2 * number + 1] = 0x7f;
        }
        assert_eq!(Network::from_bytes(&bytes), Err(NetworkError::Overflow(0)));
    }

    #[test]
    fn a_trained_network_becomes_the_nearest_whole_numbers() {
        let mut rng = SearchRng::new(9, "trained");
        let mut number = |size: f64| (size * (2.0 * rng.unit() - 1.0)) as f32;
        let trained = Trained {
            rows: (0..Network::ROWS).map(|_| std::array::from_fn(|_| number(0.2))).collect(),
            out: std::array::from_fn(|_| number(1.5)),
            bias: number(0.5),
        };
        let network = Network::from_bytes(&trained.to_bytes().expect("small weights")).expect("a whole file");
        let mut rng = SearchRng::new(10, "positions");
        let mut position = Position::start();
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            let mut sums = [0.0; WIDTH];
            for row in Network::rows(&position) {
                for (sum, weight) in sums.iter_mut().zip(trained.rows[usize::from(row)]) {
                    *sum += weight;
                }
            }
            let total: f32 =
                sums.iter().zip(trained.out).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum();
            let wanted = (total + trained.bias) * Network::POINTS as f32;
            let value = network.evaluate(&position, position.to_move()).value() as f32;
            assert!((value - wanted).abs() < 25.0, "{value} instead of {wanted} in {position}");
            position.play(pit);
        }
        let spoilt = Trained { bias: f32::NAN, ..trained.clone() };
        assert_eq!(spoilt.to_bytes(), Err(NetworkError::NotFinite));
        let short = Trained { rows: Vec::new(), ..trained };
        assert_eq!(short.to_bytes(), Err(NetworkError::Length { found: 0 }));
    }
}
