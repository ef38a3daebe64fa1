//! Statistics held against known strengths, and against another implementation.

mod beside;

use arena::statistics::{
    Cluster, Decision, ErrorModel, RatingsOptions, Sample, Sprt, elo_interval, elo_of_score, rate,
    score_interval, score_of_elo,
};
use gamesearch::Failure;
use search_core::split_mix;

/// Where the share of 95 % intervals that hold the truth has to lie.
const COVERED: std::ops::RangeInclusive<f64> = 0.94..=0.965;
/// The true strengths of the players, and the true advantage of the first mover.
const STRENGTHS: [f64; 4] = [0.0, 40.0, -60.0, 20.0];
const ADVANTAGE: f64 = 30.0;
/// How many pairs each pairing plays.
const PAIRS: usize = 40;
/// The two hypotheses of the sequential tests, in normalized Elo.
const HYPOTHESES: [f64; 2] = [0.0, 30.0];

/// Plays tournaments of known strengths and sequential tests, and asks scipy; whether everything is as it should be.
pub(super) fn run(tournaments: u64, seed: u64) -> Result<bool, Failure> {
    let covered = coverage(tournaments, seed);
    let bounded = error_rates(tournaments / 5, seed);
    Ok(beside::run(seed)? && covered && bounded)
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn new(seed: u64, number: u64) -> Dice {
        Dice(split_mix(seed) ^ split_mix(number.wrapping_mul(2)))
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (split_mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.share() * bound as f64) as u64
    }
}

/// The scores of a pair of games between players of these strengths: of the first-named, as first and as second mover. The two games
/// hang together, as games from one opening do, and each by itself comes out as the strengths say.
fn pair(difference: f64, dice: &mut Dice) -> [f64; 2] {
    let luck = dice.share();
    let other = if dice.share() < 0.4 { luck } else { dice.share() };
    [(difference + ADVANTAGE, luck), (difference - ADVANTAGE, other)].map(|(difference, luck)| {
        let score = score_of_elo(difference);
        let draws = score.min(1.0 - score) * 0.6;
        let wins = score - draws / 2.0;
        if luck < wins {
            1.0
        } else if luck < wins + draws {
            0.5
        } else {
            0.0
        }
    })
}

/// Counts, in several threads, of what the numbers below `most` say yes to.
fn counted<const N: usize>(most: u64, look: impl Fn(u64) -> [bool; N] + Sync) -> [u64; N] {
    let threads = gamesearch::processors() as u64;
    let mut counts = [0; N];
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let look = &look;
                scope.spawn(move || {
                    let mut counts = [0_u64; N];
                    for number in (thread..most).step_by(threads as usize) {
                        for (count, yes) in counts.iter_mut().zip(look(number)) {
                            *count += u64::from(yes);
                        }
                    }
                    counts
                })
            })
            .collect();
        for worker in workers {
            // A thread that panics takes the command with it.
            let found = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            counts.iter_mut().zip(found).for_each(|(count, more)| *count += more);
        }
    });
    counts
}

/// Whether intervals that are called 95 % hold the truth so often.
fn coverage(tournaments: u64, seed: u64) -> bool {
    const WHAT: [&str; 5] = [
        "ratings, errors from the pairs",
        "differences of two ratings, errors from the pairs",
        "first-mover advantage, errors from the pairs",
        "Elo of a match of 100 pairs",
        "score of a match of 100 pairs",
    ];
    let mean = STRENGTHS.iter().sum::<f64>() / STRENGTHS.len() as f64;
    let counts = counted(tournaments, |number| {
        let dice = &mut Dice::new(seed, number);
        let mut clusters = Vec::new();
        for (a, strength) in STRENGTHS.iter().enumerate() {
            for (b, other) in STRENGTHS.iter().enumerate().skip(a + 1) {
                for _ in 0..PAIRS {
                    let scores = pair(strength - other, dice).map(Some);
                    clusters.push(Cluster { players: [a, b], scores, count: 1.0 });
                }
            }
        }
        let Ok(ratings) = rate(STRENGTHS.len(), &clusters, RatingsOptions::default()) else {
            return [false; 5];
        };
        // One player after the other, one pairing after the other.
        let player = number as usize % STRENGTHS.len();
        let other =
            (player + 1 + number as usize / STRENGTHS.len() % (STRENGTHS.len() - 1)) % STRENGTHS.len();
        let holds = |found: f64, error: f64, truth: f64| (found - truth).abs() <= error;
        let (difference, error) = ratings.difference(player, other, ErrorModel::Robust);
        let mut counts = [0_u64; 5];
        for _ in 0..100 {
            let [first, second] = pair(50.0, dice);
            counts[(2.0 * (first + second)) as usize] += 1;
        }
        let sample = Sample::pairs(counts);
        let truth = f64::midpoint(score_of_elo(50.0 + ADVANTAGE), score_of_elo(50.0 - ADVANTAGE));
        let within = |low: Option<f64>, high: Option<f64>, truth: f64| {
            low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high)
        };
        let (elo, score) = (elo_interval(&sample), score_interval(&sample));
        [
            holds(
                ratings.ratings()[player],
                ratings.error(player, ErrorModel::Robust),
                STRENGTHS[player] - mean,
            ),
            holds(difference, error, STRENGTHS[player] - STRENGTHS[other]),
            holds(
                ratings.advantage().unwrap_or(f64::NAN),
                ratings.advantage_error(ErrorModel::Robust).unwrap_or_default(),
                ADVANTAGE,
            ),
            within(elo.low, elo.high, elo_of_score(truth).unwrap_or_default()),
            within(score.low, score.high, truth),
        ]
    });
    let mut passed = true;
    for (what, count) in WHAT.iter().zip(counts) {
        let share = count as f64 / tournaments as f64;
        // With fewer tournaments than ten thousand the share itself is less sure.
        let slack =
            2.0 * (0.05 * 0.95 / tournaments as f64).sqrt() * f64::from(u8::from(tournaments < 10_000));
        let right = (COVERED.start() - slack..=COVERED.end() + slack).contains(&share);
        passed &= right;
        let verdict = if right { "" } else { ": NOT between 94 and 96.5 %" };
        anstream::println!(
            "{:.2} % of {tournaments} intervals hold the truth: {what}{verdict}",
            100.0 * share
        );
    }
    passed
}

/// The probabilities of the five results of a pair, under which the mean lies this many deviations above a half.
fn pairs_at(deviations: f64) -> [f64; 5] {
    const EVEN: [f64; 5] = [0.06, 0.19, 0.5, 0.19, 0.06];
    let tilted = |tilt: f64| {
        let mut shares = [0.0; 5];
        for (index, share) in shares.iter_mut().enumerate() {
            *share = EVEN[index] * (tilt * index as f64).exp();
        }
        let sum: f64 = shares.iter().sum();
        shares.map(|share| share / sum)
    };
    let found = |shares: [f64; 5]| {
        let moment = |power: i32| -> f64 {
            shares.iter().enumerate().map(|(index, share)| share * (index as f64 / 4.0).powi(power)).sum()
        };
        (moment(1) - 0.5) / (moment(2) - moment(1).powi(2)).sqrt()
    };
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if found(tilted(middle)) < deviations { low = middle } else { high = middle }
    }
    tilted(low)
}

/// Whether sequential tests err as seldom as they promise, on each side.
fn error_rates(tests: u64, seed: u64) -> bool {
    let test = Sprt::new(HYPOTHESES[0], HYPOTHESES[1]);
    let mut passed = true;
    for (truth, wrong, promised) in
        [(test.elo0, Decision::Accepted, test.alpha), (test.elo1, Decision::Rejected, test.beta)]
    {
        // Deviations of a pair: a pair has twice the variance of a game in the mean of both.
        let shares = pairs_at(std::f64::consts::SQRT_2 * truth / (800.0 / std::f64::consts::LN_10));
        let [errors] = counted(tests, |number| {
            let dice = &mut Dice::new(seed ^ truth.to_bits(), number);
            let mut counts = [0; 5];
            for _ in 0..100_000 {
                let mut luck = dice.share();
                let result = shares.iter().position(|share| {
                    luck -= share;
                    luck < 0.0
                });
                counts[result.unwrap_or(4)] += 1;
                if let Some(decision) = test.decide(&Sample::pairs(counts)) {
                    return [decision == wrong];
                }
            }
            // A test that does not end is no good either.
            [true]
        });
        let rate = errors as f64 / tests as f64;
        let most = promised + 3.0 * (promised * (1.0 - promised) / tests as f64).sqrt();
        let right = rate <= most;
        passed &= right;
        anstream::println!(
            "{:.2} % of {tests} sequential tests of {} against {} err where {truth} is true, promised are {:.0} %{}",
            100.0 * rate,
            test.elo0,
            test.elo1,
            100.0 * promised,
            if right { "" } else { ": TOO MANY" }
        );
    }
    passed
}
