//! A small trained network that judges positions of any game, in whole numbers.
//!
//! A game says what it sees of a position from each side ([`Views`]): lists of rows of a table of weights. The rows of a list are added,
//! the sums cut down to the range from nothing to full, weighed and added: that is what the list is worth to its side, and the value
//! of a position is what one side's lists are worth less what the other's are. So the value for one player is the negative of that for
//! the other, whatever the weights. All sums are exact: the value is the same on every machine.
//!
//! The table is filled by `cargo xtask tune GAME --network`; see [`Training`](crate::tuning::Training).

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use search_core::{Evaluate, Game, Player, Score};
use thiserror::Error;

use crate::{Options, Setting, SpecError, Text};

/// Hidden units.
pub const WIDTH: usize = 16;
/// The most lists of a side.
pub const MOST_VIEWS: usize = 4;

/// The weights of one row, one per hidden unit.
type Row = [i16; WIDTH];

/// What a network sees of a position.
pub trait Views<G: Game>: fmt::Debug + Clone + Copy + Default + Send + Sync + 'static {
    /// A name with a version, such as `game-1`: a network made for other views is refused.
    const NAME: &'static str;
    /// How many lists each side has, [`MOST_VIEWS`] at most.
    const LISTS: usize;
    /// How many rows there are.
    const ROWS: usize;

    /// Names the rows of the lists of `player`, each as the number of the list and the row. A row may come twice, and the rows of
    /// a list in any order.
    fn see(position: &G, player: Player, see: impl FnMut(usize, usize));

    /// The rows of both players in one go, each after the number of the player. Override it where the two sides share work.
    #[inline]
    fn see_both(position: &G, mut see: impl FnMut(usize, usize, usize)) {
        for player in Player::BOTH {
            Self::see(position, player, |list, row| see(player.index(), list, row));
        }
    }
}

/// How a sum becomes an expected result from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Squash {
    /// The difference of the chances at these log odds.
    Logistic,
    /// `sum / (1 + |sum|)`, as the simultaneous search makes values of scores.
    Rational,
}

impl Squash {
    /// The chance that the sum stands for, from 0 to 1.
    pub fn chance(self, sum: f32) -> f32 {
        match self {
            Squash::Logistic => 1.0 / (1.0 + libm::expf(-sum)),
            Squash::Rational => 0.5 + 0.5 * sum / (1.0 + sum.abs()),
        }
    }

    /// The slope of the cross-entropy of the sum's chance, for this target.
    pub fn slope(self, sum: f32, target: f32) -> f32 {
        let error = self.chance(sum) - target;
        match self {
            Squash::Logistic => error,
            Squash::Rational => 2.0 * error / (1.0 + 2.0 * sum.abs()),
        }
    }
}

/// A network as training makes it: fractions, in which a hidden unit is full at 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The weights of the rows, row by row.
    pub rows: Vec<f32>,
    /// The weights of the hidden units.
    pub out: Vec<f32>,
    /// What is added to their sum; nothing where both sides are seen.
    pub bias: f32,
}

#[derive(Debug, PartialEq, Eq)]
struct Weights {
    rows: Vec<Row>,
    out: Row,
    /// What a hidden unit is full at.
    full: i16,
    /// The sum is divided by two to this power.
    shift: u8,
}

/// A network for the views `V`, which judges positions of `G`.
pub struct Network<G, V> {
    weights: Arc<Weights>,
    game: PhantomData<fn(&G, V)>,
}

impl<G, V> Clone for Network<G, V> {
    fn clone(&self) -> Self {
        Network { weights: Arc::clone(&self.weights), game: PhantomData }
    }
}

impl<G, V> fmt::Debug for Network<G, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("rows", &self.weights.rows.len()).finish_non_exhaustive()
    }
}

/// A file that holds no network, or not the one that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// Something else.
    #[error("expected a file that begins with `{MAGIC}` and holds format {FORMAT}, found another beginning")]
    Magic,
    /// A network for other views.
    #[error("expected a network for the views `{expected}`, found one for `{found}`")]
    Views {
        /// What this program sees.
        expected: &'static str,
        /// What the network is for.
        found: String,
    },
    /// A file of another length.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// How many bytes it should have.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A file that was changed on its way.
    #[error("expected the checksum {expected:016x}, found {found:016x}: the file is damaged")]
    Checksum {
        /// What the contents add up to.
        expected: u64,
        /// What the file says.
        found: u64,
    },
    /// A scale that makes no sense.
    #[error("expected a positive limit of the sums and a shift up to 30, found {full} and {shift}")]
    Scale {
        /// The limit.
        full: i16,
        /// The shift.
        shift: u8,
    },
    /// Numbers that whole numbers cannot hold.
    #[error("the weights cannot be written as whole numbers: {0}")]
    Weights(&'static str),
}

/// The option that replaces a champion's network.
pub const NETWORK: Setting<Text> = Setting::text(
    "network",
    "FILE",
    "",
    "another network that judges positions, a file made by cargo xtask tune GAME --network; the champion's own without it",
);

/// What is in the file that [`NETWORK`] names; `None` if the option is not set.
pub fn file(options: &Options<'_>) -> Result<Option<Vec<u8>>, SpecError> {
    let path = options.get(&NETWORK);
    if path.is_empty() {
        return Ok(None);
    }
    let read = std::fs::read(path);
    read.map(Some).map_err(|error| options.wrong(&NETWORK, format_args!("a file that can be read ({error})")))
}

/// What a file begins with.
const MAGIC: &str = "views-network";
/// The version of the format.
const FORMAT: u8 = 1;

/// A checksum of bytes (FNV-1a, 64 bits).
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The beginning of a file for these views.
fn head(name: &str) -> Vec<u8> {
    let mut head = MAGIC.as_bytes().to_vec();
    head.extend([FORMAT, name.len() as u8]);
    head.extend(name.as_bytes());
    head
}

impl<G: Game, V: Views<G>> Network<G, V> {
    /// Score points of a sum of one: with [`Squash::Rational`], the score worth half a win in the search.
    pub const POINTS: i32 = 250;

    /// Reads a network. The file: `views-network`, a byte with the version 1, a byte with the length of the name of the views, the
    /// name; then little-endian 16-bit numbers: the rows, the weights of the hidden units, the limit of the sums, the shift; then the
    /// checksum of all before as a little-endian 64-bit number (FNV-1a).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let start = MAGIC.len();
        if !bytes.starts_with(MAGIC.as_bytes()) || bytes.get(start) != Some(&FORMAT) {
            return Err(NetworkError::Magic);
        }
        let length = bytes.get(start + 1).map_or(0, |&length| usize::from(length));
        let name = bytes.get(start + 2..start + 2 + length).unwrap_or_default();
        if name != V::NAME.as_bytes() {
            let found = String::from_utf8_lossy(name).into_owned();
            return Err(NetworkError::Views { expected: V::NAME, found });
        }
        let begin = start + 2 + length;
        let expected = begin + 2 * ((V::ROWS + 1) * WIDTH + 2) + 8;
        let Some((contents, sum)) = bytes.split_last_chunk::<8>().filter(|_| bytes.len() == expected) else {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        };
        let (expected, found) = (checksum(contents), u64::from_le_bytes(*sum));
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        let numbers = contents.get(begin..).unwrap_or_default();
        let mut numbers = numbers.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let mut next = || numbers.next().unwrap_or(0);
        let mut row = || -> Row { std::array::from_fn(|_| next()) };
        let rows: Vec<Row> = (0..V::ROWS).map(|_| row()).collect();
        let out = row();
        let (full, shift) = (next(), u8::try_from(next()).unwrap_or(u8::MAX));
        if full <= 0 || shift > 30 {
            return Err(NetworkError::Scale { full, shift });
        }
        Ok(Network { weights: Arc::new(Weights { rows, out, full, shift }), game: PhantomData })
    }

    /// The file of the whole-number network nearest to a trained one.
    pub fn file_of(trained: &Trained) -> Result<Vec<u8>, NetworkError> {
        if trained.rows.len() != V::ROWS * WIDTH || trained.out.len() != WIDTH {
            return Err(NetworkError::Weights("there are not as many as the views have rows"));
        }
        let all = || trained.rows.iter().chain(&trained.out);
        if !all().all(|number| number.is_finite()) {
            return Err(NetworkError::Weights("one of them is not a number"));
        }
        let largest = |numbers: &[f32]| numbers.iter().fold(1e-6_f32, |most, number| most.max(number.abs()));
        let scale = (32_000.0 / largest(&trained.rows)).min(8192.0).floor();
        // The points that a sum of one is worth.
        let unit = |shift: u8| Self::POINTS as f32 * 2.0_f32.powi(i32::from(shift)) / scale;
        let heaviest = largest(&trained.out);
        let shift = (0..=24).rev().find(|&shift| heaviest * unit(shift) < 32_000.0);
        let shift = shift.ok_or(NetworkError::Weights("the hidden units weigh too much"))?;
        let rows = trained.rows.iter().map(|weight| weight * scale);
        let out = trained.out.iter().map(|weight| weight * unit(shift));
        let numbers = rows.chain(out).map(|number| number.round() as i16);
        let numbers = numbers.chain([scale as i16, i16::from(shift)]);
        let mut bytes = head(V::NAME);
        bytes.extend(numbers.flat_map(i16::to_le_bytes));
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// What the lists of each player are worth to it.
    #[inline]
    fn sides(&self, position: &G) -> [i64; 2] {
        let weights = &*self.weights;
        let mut sums = [[[0_i32; WIDTH]; MOST_VIEWS]; 2];
        V::see_both(position, |side, list, row| {
            let sums = sums.get_mut(side).and_then(|sums| sums.get_mut(list));
            if let (Some(sums), Some(row)) = (sums, weights.rows.get(row)) {
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += i32::from(weight);
                }
            }
        });
        let full = i32::from(weights.full);
        let worth = |sums: &[i32; WIDTH]| -> i64 {
            let units = sums.iter().zip(&weights.out);
            // What is cut down fits 16 bits, as a weight does: such products are cheap.
            let product =
                |(&sum, &weight): (&i32, &i16)| i32::from(sum.clamp(0, full) as i16) * i32::from(weight);
            units.map(|unit| i64::from(product(unit))).sum()
        };
        sums.map(|sums| sums.iter().take(V::LISTS).map(worth).sum())
    }
}

impl<G: Game, V: Views<G>> Evaluate<G> for Network<G, V> {
    #[inline]
    fn evaluate(&self, position: &G, player: Player) -> Score {
        let sides = self.sides(position);
        let total = sides[player.index()] - sides[player.opponent().index()];
        let half = (1_i64 << self.weights.shift) / 2;
        // Away from zero by halves in both directions, so that the two players see the same.
        let points = (total.abs() + half) >> self.weights.shift;
        Score::new((points.min(i64::from(Score::BOUND) - 1) * total.signum()) as i32)
    }
}

#[cfg(all(test, feature = "hus"))]
mod tests {
    use hus::Position;
    use search_core::{Game, SearchRng, TurnBased};

    use super::*;

    /// The seeds in each pit, as many as the table has classes for.
    #[derive(Debug, Clone, Copy, Default)]
    struct Pits;

    const CLASSES: usize = 8;

    impl Views<Position> for Pits {
        const NAME: &'static str = "pits-1";
        const LISTS: usize = 2;
        const ROWS: usize = 32 * CLASSES + 2;

        fn see(position: &Position, player: Player, mut see: impl FnMut(usize, usize)) {
            for (pit, &seeds) in position.counts(player).iter().enumerate() {
                see(pit % 2, pit * CLASSES + usize::from(seeds).min(CLASSES - 1));
            }
            see(0, 32 * CLASSES + usize::from(position.to_move() == player));
        }
    }

    type Sown = Network<Position, Pits>;

    fn trained() -> Trained {
        let mut rng = SearchRng::new(9, "trained");
        let mut number = |size: f64| (size * (2.0 * rng.unit() - 1.0)) as f32;
        let rows = (0..Pits::ROWS * WIDTH).map(|_| number(0.3)).collect();
        Trained { rows, out: (0..WIDTH).map(|_| number(1.5)).collect(), bias: 0.0 }
    }

    /// The sum as training computes it.
    fn plain(trained: &Trained, position: &Position, player: Player) -> f32 {
        let mut sums = [[0.0; WIDTH]; 2];
        Pits::see(position, player, |list, row| {
            for (sum, weight) in sums[list].iter_mut().zip(&trained.rows[row * WIDTH..]) {
                *sum += weight;
            }
        });
        let units = sums.iter().flat_map(|sums| sums.iter().zip(&trained.out));
        units.map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight).sum()
    }

    #[test]
    fn a_trained_network_becomes_the_nearest_whole_numbers() {
        let trained = trained();
        let network = Sown::from_bytes(&Sown::file_of(&trained).unwrap()).unwrap();
        let mut rng = SearchRng::new(10, "positions");
        let mut position = Position::start();
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            let [one, two] = Player::BOTH.map(|player| plain(&trained, &position, player));
            let wanted = (one - two) * Sown::POINTS as f32;
            let value = network.evaluate(&position, Player::One).value();
            assert!((value as f32 - wanted).abs() < 3.0, "{value} instead of {wanted} in {position}");
            assert_eq!(network.evaluate(&position, Player::Two).value(), -value);
            position.play(pit);
        }
        assert!(position.plies() > 10);
    }

    #[test]
    fn other_files_are_refused() {
        let bytes = Sown::file_of(&trained()).unwrap();
        let refused = |bytes: &[u8]| Sown::from_bytes(bytes).unwrap_err();
        assert_eq!(refused(b"something else"), NetworkError::Magic);
        assert_eq!(refused(&[]), NetworkError::Magic);
        let mut other = bytes.clone();
        other[MAGIC.len() + 2] = b'q';
        let found = "qits-1".to_owned();
        assert_eq!(refused(&other), NetworkError::Views { expected: "pits-1", found });
        let short = &bytes[..bytes.len() - 1];
        let length = NetworkError::Length { expected: bytes.len(), found: short.len() };
        assert_eq!(refused(short), length);
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 1;
        assert!(matches!(refused(&damaged), NetworkError::Checksum { .. }));
        let spoilt = Trained { out: vec![f32::NAN; WIDTH], ..trained() };
        assert!(matches!(Sown::file_of(&spoilt), Err(NetworkError::Weights(_))));
        let few = Trained { rows: Vec::new(), ..trained() };
        assert!(matches!(Sown::file_of(&few), Err(NetworkError::Weights(_))));
    }

    #[test]
    fn slopes_are_those_of_the_chance() {
        for squash in [Squash::Logistic, Squash::Rational] {
            for (sum, target) in [(0.3_f32, 1.0_f32), (-2.0, 0.2), (4.0, 0.5)] {
                let loss = |sum: f32| {
                    let chance = squash.chance(sum);
                    -(target * libm::logf(chance) + (1.0 - target) * libm::logf(1.0 - chance))
                };
                let measured = (loss(sum + 0.01) - loss(sum - 0.01)) / 0.02;
                assert!((measured - squash.slope(sum, target)).abs() < 2e-3, "{squash:?} at {sum}");
            }
        }
    }
}
