//! Training of the network: batches, the slope of the loss, and steps by Adam.

use agents::hus::{Network, Trained};
use search_core::{SearchRng, derive_seed};

use super::super::regression::Epoch;

/// A position to learn from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Example {
    pub(super) rows: [u16; Network::NAMED],
    /// The chance of the player to move, from 0 to 1.
    pub(super) target: f32,
}

/// How it is trained.
#[derive(Debug, Clone, Copy)]
pub(super) struct Training {
    /// How often every example is seen.
    pub(super) epochs: usize,
    /// Size of the first step; the last is nothing.
    pub(super) step: f32,
    pub(super) seed: u64,
}

const WIDTH: usize = Network::WIDTH;
/// Examples of one step.
const BATCH: usize = 2048;

type Row = [f32; WIDTH];

/// One number for every weight of a network.
#[derive(Debug, Clone)]
struct Numbers {
    rows: Vec<Row>,
    out: Row,
    bias: f32,
}

impl Numbers {
    fn zero() -> Numbers {
        Numbers { rows: vec![[0.0; WIDTH]; Network::ROWS], out: [0.0; WIDTH], bias: 0.0 }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().chain([&mut self.out]).flatten().chain([&mut self.bias])
    }
}

/// What the network makes of one example.
struct Forward {
    units: Row,
    chance: f32,
}

fn forward(weights: &Numbers, rows: &[u16]) -> Forward {
    let mut units = [0.0; WIDTH];
    for &row in rows {
        for (unit, weight) in units.iter_mut().zip(&weights.rows[usize::from(row)]) {
            *unit += weight;
        }
    }
    let sum: f32 = units.iter().zip(&weights.out).map(|(unit, weight)| unit.clamp(0.0, 1.0) * weight).sum();
    Forward { units, chance: 1.0 / (1.0 + libm::expf(-(sum + weights.bias))) }
}

/// The cross-entropy of a chance.
fn loss(chance: f32, target: f32) -> f64 {
    let chance = f64::from(chance).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -(target * libm::log(chance) + (1.0 - target) * libm::log(1.0 - chance))
}

/// Adds the slope of one example's loss, and hands back the loss.
fn learn(weights: &Numbers, slopes: &mut Numbers, example: &Example) -> f64 {
    let Forward { units, chance } = forward(weights, &example.rows);
    let error = chance - example.target;
    let mut below = [0.0; WIDTH];
    for (unit, below) in below.iter_mut().enumerate() {
        let sum = units[unit];
        slopes.out[unit] += error * sum.clamp(0.0, 1.0);
        // Empty and full units do not move.
        *below = if sum > 0.0 && sum < 1.0 { error * weights.out[unit] } else { 0.0 };
    }
    slopes.bias += error;
    for &row in &example.rows {
        for (slope, below) in slopes.rows[usize::from(row)].iter_mut().zip(&below) {
            *slope += below;
        }
    }
    loss(chance, example.target)
}

/// Adam: a step for each weight by the mean of its slopes over their spread.
struct Adam {
    mean: Numbers,
    square: Numbers,
    /// What is left of the first, empty averages.
    left: [f32; 2],
}

impl Adam {
    const KEPT: [f32; 2] = [0.9, 0.999];

    fn new() -> Adam {
        Adam { mean: Numbers::zero(), square: Numbers::zero(), left: [1.0; 2] }
    }

    /// One step; `slopes` holds sums over `count` examples and is emptied.
    fn step(&mut self, weights: &mut Numbers, slopes: &mut Numbers, count: usize, size: f32) {
        let [mean_kept, square_kept] = Adam::KEPT;
        self.left = [self.left[0] * mean_kept, self.left[1] * square_kept];
        let size = size * (1.0 - self.left[1]).sqrt() / (1.0 - self.left[0]);
        let share = 1.0 / count as f32;
        let averages = self.mean.each().zip(self.square.each());
        for ((weight, slope), (mean, square)) in weights.each().zip(slopes.each()).zip(averages) {
            let mine = *slope * share;
            *slope = 0.0;
            *mean = mean_kept * *mean + (1.0 - mean_kept) * mine;
            *square = square_kept * *square + (1.0 - square_kept) * mine * mine;
            *weight -= size * *mean / (square.sqrt() + 1e-8);
        }
    }
}

/// Trains a network from nothing; `watch` hears of every epoch. The examples kept back only judge it.
pub(super) fn train(
    training: Training,
    examples: &[Example],
    kept_back: &[Example],
    mut watch: impl FnMut(&Epoch),
) -> (Trained, Vec<Epoch>) {
    let mut rng = SearchRng::new(derive_seed(training.seed, "training"), "network");
    let mut number = |size: f64| (size * (rng.unit() - 0.5)) as f32;
    let mut weights = Numbers::zero();
    for row in &mut weights.rows {
        row.fill_with(|| number(0.1));
    }
    weights.out.fill_with(|| number(0.5));
    let mut slopes = Numbers::zero();
    let mut adam = Adam::new();
    let steps = training.epochs * examples.len().div_ceil(BATCH);
    let mut done = 0;
    let mut order: Vec<u32> = (0..examples.len() as u32).collect();
    let mut epochs = Vec::new();
    for number in 1..=training.epochs {
        shuffle(&mut order, &mut rng);
        let mut total = 0.0;
        for batch in order.chunks(BATCH) {
            for &place in batch {
                total += learn(&weights, &mut slopes, &examples[place as usize]);
            }
            let size = training.step * (1.0 - done as f32 / steps as f32);
            adam.step(&mut weights, &mut slopes, batch.len(), size);
            done += 1;
        }
        let epoch = Epoch {
            number,
            training: total / examples.len().max(1) as f64,
            validation: judge(&weights, kept_back),
        };
        watch(&epoch);
        epochs.push(epoch);
    }
    (Trained { rows: weights.rows, out: weights.out, bias: weights.bias }, epochs)
}

fn shuffle(order: &mut [u32], rng: &mut SearchRng) {
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last + 1));
    }
}

/// The loss per example.
fn judge(weights: &Numbers, examples: &[Example]) -> f64 {
    let total: f64 =
        examples.iter().map(|example| loss(forward(weights, &example.rows).chance, example.target)).sum();
    total / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use hus::Position;
    use search_core::{Game, TurnBased};

    /// Random positions whose chance is told by the share of the seeds.
    fn examples(count: usize, seed: u64) -> Vec<Example> {
        let mut rng = SearchRng::new(seed, "examples");
        let mut list = Vec::new();
        let mut position = Position::start();
        while list.len() < count {
            let Some(pit) = position.sample(position.to_move(), &mut rng) else {
                position = Position::start();
                continue;
            };
            let seeds = position.seeds(position.to_move()) as f32;
            list.push(Example { rows: Network::rows(&position), target: seeds / 96.0 });
            position.play(pit);
        }
        list
    }

    #[test]
    fn it_learns_what_there_is_to_learn_and_the_same_every_time() {
        let (examples, kept_back) = (examples(20_000, 1), examples(1_000, 2));
        let training = Training { epochs: 3, step: 0.01, seed: 5 };
        let (trained, epochs) = train(training, &examples, &kept_back, |_| {});
        let least: f64 = kept_back.iter().map(|example| loss(example.target, example.target)).sum::<f64>()
            / kept_back.len() as f64;
        let [first, .., last] = epochs[..] else { panic!("three epochs") };
        assert!(last.validation < first.validation, "{epochs:?}");
        assert!(last.validation < least + 0.01, "{epochs:?}, at least {least}");
        assert_eq!(train(training, &examples, &kept_back, |_| {}).0, trained);
        assert!(Network::from_bytes(&trained.to_bytes().unwrap()).is_ok());
    }

    /// The slopes are those of the loss: a small change of a weight changes the loss by so much.
    #[test]
    fn slopes_are_true() {
        let example = &examples(40, 3)[39];
        let mut rng = SearchRng::new(4, "weights");
        let mut weights = Numbers::zero();
        weights.each().for_each(|weight| *weight = 0.2 * (rng.unit() as f32 - 0.4));
        let mut slopes = Numbers::zero();
        learn(&weights, &mut slopes, example);
        let named = usize::from(example.rows[7]);
        for unit in 0..WIDTH {
            for (place, slope) in [(Some(named), slopes.rows[named][unit]), (None, slopes.out[unit])] {
                let at = |change: f32| {
                    let mut weights = weights.clone();
                    match place {
                        Some(row) => weights.rows[row][unit] += change,
                        None => weights.out[unit] += change,
                    }
                    loss(forward(&weights, &example.rows).chance, example.target)
                };
                let measured = (at(0.001) - at(-0.001)) / 0.002;
                assert!((measured - f64::from(slope)).abs() < 2e-3, "unit {unit}: {measured} and {slope}");
            }
        }
    }
}
