//! Training of a network: batches, the slope of the loss, and steps by Adam.

use agents::network::{Squash, Trained, WIDTH};
use search_core::{SearchRng, derive_seed};

use super::super::regression::Epoch;
use super::examples::Examples;

/// How it is trained.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    /// How often every example is seen.
    pub(super) epochs: usize,
    /// Size of the first step; the last is nothing.
    pub(super) step: f32,
    /// Stop after this many epochs without a smaller loss on the games kept back, and keep the best network; 0 for never.
    pub(super) patience: usize,
    pub(super) seed: u64,
}

/// What is trained.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Rows of weights.
    pub(super) rows: usize,
    pub(super) squash: Squash,
    /// Whether something is added to the sum of the hidden units: not where both sides are seen.
    pub(super) bias: bool,
}

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
    fn zero(rows: usize) -> Numbers {
        Numbers { rows: vec![[0.0; WIDTH]; rows], out: [0.0; WIDTH], bias: 0.0 }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().chain([&mut self.out]).flatten().chain([&mut self.bias])
    }

    fn trained(&self) -> Trained {
        Trained { rows: self.rows.as_flattened().to_vec(), out: self.out.to_vec(), bias: self.bias }
    }
}

/// The sums of the hidden units over a list.
fn units(weights: &Numbers, rows: &[u16]) -> Row {
    let mut units = [0.0; WIDTH];
    for &row in rows {
        for (unit, weight) in units.iter_mut().zip(&weights.rows[usize::from(row)]) {
            *unit += weight;
        }
    }
    units
}

/// What the network makes of one example: the sum, and the hidden units of its lists.
fn forward(weights: &Numbers, examples: &Examples, example: usize, seen: &mut Vec<Row>) -> f32 {
    seen.clear();
    let mut total = 0.0;
    for (sign, rows) in examples.lists(example) {
        let units = units(weights, rows);
        let sum: f32 =
            units.iter().zip(&weights.out).map(|(unit, weight)| unit.clamp(0.0, 1.0) * weight).sum();
        total += sign * sum;
        seen.push(units);
    }
    total + weights.bias
}

/// The cross-entropy of a chance.
fn loss(chance: f32, target: f32) -> f64 {
    let chance = f64::from(chance).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -(target * libm::log(chance) + (1.0 - target) * libm::log(1.0 - chance))
}

/// Adds the slope of one example's loss, and hands back the loss.
fn learn(
    shape: Shape,
    weights: &Numbers,
    slopes: &mut Numbers,
    examples: &Examples,
    example: usize,
    seen: &mut Vec<Row>,
) -> f64 {
    let sum = forward(weights, examples, example, seen);
    let target = examples.target(example);
    let slope = shape.squash.slope(sum, target);
    for (units, (sign, rows)) in seen.iter().zip(examples.lists(example)) {
        let error = sign * slope;
        let mut below = [0.0; WIDTH];
        for (unit, below) in below.iter_mut().enumerate() {
            let sum = units[unit];
            slopes.out[unit] += error * sum.clamp(0.0, 1.0);
            // Empty and full units do not move.
            *below = if sum > 0.0 && sum < 1.0 { error * weights.out[unit] } else { 0.0 };
        }
        for &row in rows {
            for (slope, below) in slopes.rows[usize::from(row)].iter_mut().zip(&below) {
                *slope += below;
            }
        }
    }
    if shape.bias {
        slopes.bias += slope;
    }
    loss(shape.squash.chance(sum), target)
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

    fn new(rows: usize) -> Adam {
        Adam { mean: Numbers::zero(rows), square: Numbers::zero(rows), left: [1.0; 2] }
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
    schedule: Schedule,
    shape: Shape,
    examples: &Examples,
    kept_back: &Examples,
    mut watch: impl FnMut(&Epoch),
) -> (Trained, Vec<Epoch>) {
    let mut rng = SearchRng::new(derive_seed(schedule.seed, "training"), "network");
    let mut number = |size: f64| (size * (rng.unit() - 0.5)) as f32;
    let mut weights = Numbers::zero(shape.rows);
    for row in &mut weights.rows {
        row.fill_with(|| number(0.1));
    }
    weights.out.fill_with(|| number(0.5));
    let mut slopes = Numbers::zero(shape.rows);
    let mut adam = Adam::new(shape.rows);
    let steps = schedule.epochs * examples.len().div_ceil(BATCH);
    let mut done = 0;
    let mut order: Vec<u32> = (0..examples.len() as u32).collect();
    let mut epochs: Vec<Epoch> = Vec::new();
    let mut seen = Vec::new();
    let mut best: Option<(usize, f64, Trained)> = None;
    for number in 1..=schedule.epochs {
        shuffle(&mut order, &mut rng);
        let mut total = 0.0;
        for batch in order.chunks(BATCH) {
            for &place in batch {
                total += learn(shape, &weights, &mut slopes, examples, place as usize, &mut seen);
            }
            let size = schedule.step * (1.0 - done as f32 / steps as f32);
            adam.step(&mut weights, &mut slopes, batch.len(), size);
            done += 1;
        }
        let epoch = Epoch {
            number,
            training: total / examples.len().max(1) as f64,
            validation: judge(shape, &weights, kept_back),
        };
        watch(&epoch);
        epochs.push(epoch);
        if schedule.patience > 0 {
            if best.as_ref().is_none_or(|&(_, least, _)| epoch.validation < least) {
                best = Some((number, epoch.validation, weights.trained()));
            } else if best.as_ref().is_some_and(|&(at, ..)| number - at >= schedule.patience) {
                break;
            }
        }
    }
    (best.map_or_else(|| weights.trained(), |(_, _, trained)| trained), epochs)
}

fn shuffle(order: &mut [u32], rng: &mut SearchRng) {
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last + 1));
    }
}

/// The loss per example.
fn judge(shape: Shape, weights: &Numbers, examples: &Examples) -> f64 {
    let mut seen = Vec::new();
    let total: f64 = (0..examples.len())
        .map(|example| {
            let sum = forward(weights, examples, example, &mut seen);
            loss(shape.squash.chance(sum), examples.target(example))
        })
        .sum();
    total / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Developed;
    use search_core::Player;

    /// Random positions of a game whose chance is told by what a player has.
    fn examples<G: Developed>(count: usize, seed: u64, chance: impl Fn(&G) -> f32) -> (Examples, Shape) {
        let training = G::training().expect("a network");
        let mut rng = SearchRng::new(seed, "examples");
        let mut list = Examples::new(&training);
        let start = || G::initial(&G::Setup::default(), 0);
        let mut position = start();
        while list.len() < count {
            let active = position.active();
            let mut moves = [None, None];
            for player in active.players() {
                moves[player.index()] = position.sample(player, &mut rng);
            }
            let turn = search_core::Turn::from_moves(active, moves);
            let Some(turn) = turn.filter(|_| position.end().is_none()) else {
                position = start();
                continue;
            };
            let viewer = active.players().next().unwrap_or(Player::One);
            list.add(&training, &position, viewer, chance(&position));
            position.play_turn(turn);
        }
        let shape = Shape { rows: training.rows, squash: training.squash, bias: !training.both_sides };
        (list, shape)
    }

    fn seeds(position: &hus::Position) -> f32 {
        use search_core::TurnBased;
        position.seeds(position.to_move()) as f32 / 96.0
    }

    fn lives(position: &ropasci360::Position) -> f32 {
        let left = |player| f32::from(position.token_count(player) + position.throws_left(player));
        0.5 + (left(Player::One) - left(Player::Two)) / 20.0
    }

    fn learns<G: Developed>(count: usize, chance: fn(&G) -> f32) {
        let ((examples, shape), (kept_back, _)) =
            (examples::<G>(count, 1, chance), examples::<G>(1_000, 2, chance));
        let schedule = Schedule { epochs: 3, step: 0.01, patience: 0, seed: 5 };
        let (trained, epochs) = train(schedule, shape, &examples, &kept_back, |_| {});
        let least: f64 = (0..kept_back.len())
            .map(|example| loss(kept_back.target(example), kept_back.target(example)))
            .sum::<f64>()
            / kept_back.len() as f64;
        let [first, .., last] = epochs[..] else { panic!("three epochs") };
        assert!(last.validation < first.validation, "{epochs:?}");
        assert!(last.validation < least + 0.01, "{epochs:?}, at least {least}");
        assert_eq!(train(schedule, shape, &examples, &kept_back, |_| {}).0, trained);
        let training = G::training().expect("a network");
        assert!((training.pack)(&trained).is_ok());
    }

    #[test]
    fn it_learns_what_there_is_to_learn_and_the_same_every_time() {
        learns::<hus::Position>(20_000, seeds);
        learns::<ropasci360::Position>(20_000, lives);
    }

    #[test]
    fn it_stops_where_the_games_kept_back_are_judged_no_better() {
        // Nothing can be learned from chances without a pattern.
        let noise = |position: &hus::Position| (search_core::Game::key(position) % 1000) as f32 / 1000.0;
        let ((examples, shape), (kept_back, _)) = (examples(2_000, 1, noise), examples(500, 2, noise));
        let schedule = Schedule { epochs: 200, step: 0.02, patience: 3, seed: 5 };
        let (_, epochs) = train(schedule, shape, &examples, &kept_back, |_| {});
        assert!(epochs.len() < 200, "{}", epochs.len());
        let best = epochs.iter().map(|epoch| epoch.validation).fold(f64::INFINITY, f64::min);
        assert_eq!(epochs[epochs.len() - 4].validation, best);
    }

    /// The slopes are those of the loss: a small change of a weight changes the loss by so much.
    fn slopes_are_those_of_the_loss<G: Developed>(chance: fn(&G) -> f32) {
        let (examples, shape) = examples::<G>(40, 3, chance);
        let example = 39;
        let mut rng = SearchRng::new(4, "weights");
        let mut weights = Numbers::zero(shape.rows);
        weights.each().for_each(|weight| *weight = 0.1 * (rng.unit() as f32 - 0.35));
        let mut slopes = Numbers::zero(shape.rows);
        let mut seen = Vec::new();
        learn(shape, &weights, &mut slopes, &examples, example, &mut seen);
        let named = examples.lists(example).next().and_then(|(_, rows)| rows.first()).copied();
        let named = usize::from(named.expect("a row"));
        for unit in 0..WIDTH {
            for (place, slope) in [(Some(named), slopes.rows[named][unit]), (None, slopes.out[unit])] {
                let mut at = |change: f32| {
                    let mut weights = weights.clone();
                    match place {
                        Some(row) => weights.rows[row][unit] += change,
                        None => weights.out[unit] += change,
                    }
                    let sum = forward(&weights, &examples, example, &mut seen);
                    loss(shape.squash.chance(sum), examples.target(example))
                };
                let measured = (at(0.001) - at(-0.001)) / 0.002;
                assert!((measured - f64::from(slope)).abs() < 2e-3, "unit {unit}: {measured} and {slope}");
            }
        }
    }

    #[test]
    fn slopes_are_true() {
        slopes_are_those_of_the_loss(seeds);
        slopes_are_those_of_the_loss(lives);
    }
}
