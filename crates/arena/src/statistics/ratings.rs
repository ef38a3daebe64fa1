//! Joint ratings of all players of a tournament: the Bradley-Terry model, a draw being half a point.
//!
//! The chance that the first mover `i` beats `j` is `1 / (1 + exp(-K (r_i - r_j + h)))` with `K = ln 10 / 400` and the
//! first-mover advantage `h`. Ratings come from Newton's method on the score equations, in the gauge where they sum to
//! zero; their covariance is the pseudo-inverse of the information matrix (Fisher), or the sandwich around the sum of
//! squared scores of each cluster of dependent games (robust).

use std::f64::consts::LN_10;

use thiserror::Error;

use super::matrix::{Matrix, Triangle, dot};
use super::normal::Z95;

/// Natural units per Elo point.
const K: f64 = LN_10 / 400.0;

/// Games that belong together (a pair from one opening, or one game alone), and how often they went that way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// The two players.
    pub players: [usize; 2],
    /// The score of `players[0]`: in the game where it moved first, and in the game where it moved second.
    pub scores: [Option<f64>; 2],
    /// How many such clusters there are.
    pub count: f64,
}

/// What the model assumes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingsOptions {
    /// Whether the first-mover advantage is estimated; else it is 0.
    pub advantage: bool,
    /// Virtual draws per player, spread evenly over all opponents and both seats; 0 for none.
    pub prior: f64,
}

impl Default for RatingsOptions {
    /// The runner's: the advantage is free, and two virtual draws per player keep every rating finite.
    fn default() -> Self {
        RatingsOptions { advantage: true, prior: 2.0 }
    }
}

/// Which errors are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorModel {
    /// From the model: right if all games are independent.
    Fisher,
    /// From the scatter of the clusters: right whatever the dependence within a cluster.
    Robust,
}

/// Why no ratings came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RatingsError {
    /// Without a prior a rating has no finite value: a player won or lost everything, or groups never met.
    #[error("the results do not connect the players: a rating would be infinite")]
    Unbounded,
    /// A cluster names a player that does not exist.
    #[error("player {0} does not exist")]
    UnknownPlayer(usize),
}

/// Ratings that sum to zero, with their covariances.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    values: Vec<f64>,
    advantage: Option<f64>,
    /// The covariance by the model.
    fisher: Matrix,
    /// The same times the scatter: one more factor of `fisher` makes it the robust covariance. Of that a table needs some
    /// cells in each row, never all of them.
    half: Matrix,
}

impl Ratings {
    /// The ratings in Elo; they sum to zero.
    pub fn ratings(&self) -> &[f64] {
        &self.values
    }

    /// The first-mover advantage in Elo, if it was estimated.
    pub fn advantage(&self) -> Option<f64> {
        self.advantage
    }

    fn covariance(&self, model: ErrorModel, a: usize, b: usize) -> f64 {
        match model {
            ErrorModel::Fisher => self.fisher.at(a, b),
            // The matrix is symmetric, so its row is its column.
            ErrorModel::Robust => dot(self.half.row(a), self.fisher.row(b)),
        }
    }

    /// Half the width of the 95 % interval of a rating.
    pub fn error(&self, player: usize, model: ErrorModel) -> f64 {
        Z95 * self.covariance(model, player, player).max(0.0).sqrt() / K
    }

    /// Half the width of the 95 % interval of the first-mover advantage, if it was estimated.
    pub fn advantage_error(&self, model: ErrorModel) -> Option<f64> {
        let last = self.values.len();
        self.advantage.map(|_| Z95 * self.covariance(model, last, last).max(0.0).sqrt() / K)
    }

    /// How much higher `a` is rated than `b`, and half the width of that difference's own 95 % interval.
    pub fn difference(&self, a: usize, b: usize, model: ErrorModel) -> (f64, f64) {
        let covariance = |a, b| self.covariance(model, a, b);
        let variance = covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b);
        (self.values[a] - self.values[b], Z95 * variance.max(0.0).sqrt() / K)
    }
}

/// One game as the model sees it: first mover, second mover, score of the first mover, weight.
struct Played {
    first: usize,
    second: usize,
    score: f64,
    weight: f64,
}

impl Cluster {
    fn games(&self) -> impl Iterator<Item = Played> {
        let [a, b] = self.players;
        let first = self.scores[0].map(|score| Played { first: a, second: b, score, weight: self.count });
        let second = self.scores[1].map(|score| Played {
            first: b,
            second: a,
            score: 1.0 - score,
            weight: self.count,
        });
        first.into_iter().chain(second)
    }
}

/// Rates `players` players by these results.
///
/// ```
/// use arena::statistics::{Cluster, RatingsOptions, rate};
/// let even = Cluster { players: [0, 1], scores: [Some(1.0), Some(0.0)], count: 10.0 };
/// let ratings = rate(2, &[even], RatingsOptions::default()).unwrap();
/// assert!(ratings.ratings()[0].abs() < 1e-9 && ratings.advantage().unwrap() > 200.0);
/// ```
pub fn rate(players: usize, clusters: &[Cluster], options: RatingsOptions) -> Result<Ratings, RatingsError> {
    rate_near(players, clusters, options, None)
}

/// The same for results that are nearly those of other ratings, which are a good place to start from.
pub(crate) fn rate_near(
    players: usize,
    clusters: &[Cluster],
    options: RatingsOptions,
    near: Option<&Ratings>,
) -> Result<Ratings, RatingsError> {
    if let Some(&stranger) =
        clusters.iter().flat_map(|cluster| &cluster.players).find(|&&player| player >= players)
    {
        return Err(RatingsError::UnknownPlayer(stranger));
    }
    let size = players + usize::from(options.advantage);
    let prior = prior_games(players, options.prior);
    let mut parameters = vec![0.0; size];
    let mut is_near = false;
    if let Some(near) = near.filter(|near| near.values.len() == players) {
        let known = near.values.iter().copied().chain(near.advantage);
        parameters.iter_mut().zip(known).for_each(|(parameter, elo)| *parameter = elo * K);
        is_near = true;
    }
    let mut before = f64::INFINITY;
    let mut information = Matrix::zero(size);
    let mut triangle = None;
    for _ in 0..200 {
        let mut gradient = vec![0.0; size];
        information = Matrix::zero(size);
        let games = clusters.iter().flat_map(Cluster::games);
        for game in games.chain(prior_iter(&prior)) {
            let direction = Direction::of(&game, players, options.advantage);
            let chance = direction.chance(&parameters);
            direction.add_to(&mut gradient, game.weight * (game.score - chance));
            direction.add_square_to(&mut information, game.weight * chance * (1.0 - chance));
        }
        let step = newton_step(&information, players, &gradient, &mut triangle)?;
        // A full Newton step can overshoot far from the solution; four natural units are a factor of 55 in the odds.
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        // Nor does it come nearer from everywhere: one that begins at zero does, one that begins at other ratings may go to and fro
        // for ever. Near the solution each step is much shorter than the one before.
        if is_near && longest > 0.5 * before {
            is_near = false;
            parameters.fill(0.0);
            triangle = None;
            continue;
        }
        before = longest;
        let scale = if longest > 4.0 { 4.0 / longest } else { 1.0 };
        for (parameter, part) in parameters.iter_mut().zip(&step) {
            *parameter += scale * part;
        }
        // The next step would be about the square of this one.
        if longest < 1e-9 {
            break;
        }
        if parameters.iter().any(|parameter| parameter.abs() > 30.0) {
            return Err(RatingsError::Unbounded);
        }
    }
    let fisher = pseudo_inverse(&information, players).ok_or(RatingsError::Unbounded)?;
    let mut scatter = Matrix::zero(size);
    for cluster in clusters {
        // Only the two players and the advantage: a score of thousands of entries is nearly all zeros.
        let [a, b] = cluster.players;
        let mut score = [(a, 0.0), (b, 0.0), (players, 0.0)];
        for game in cluster.games() {
            let chance = Direction::of(&game, players, options.advantage).chance(&parameters);
            let surplus = game.score - chance;
            let sign = if game.first == a { 1.0 } else { -1.0 };
            score[0].1 += sign * surplus;
            score[1].1 -= sign * surplus;
            score[2].1 += surplus;
        }
        let score = &score[..2 + usize::from(options.advantage)];
        for &(row, left) in score {
            for &(column, right) in score {
                scatter.add(row, column, cluster.count * left * right);
            }
        }
    }
    // Both are symmetric, so this is the product the other way round; the scatter of few pairings is nearly all zeros.
    let half = scatter.product(&fisher).transposed();
    let mean = parameters[..players].iter().sum::<f64>() / players.max(1) as f64;
    Ok(Ratings {
        values: parameters[..players].iter().map(|rating| (rating - mean) / K).collect(),
        advantage: options.advantage.then(|| parameters[players] / K),
        fisher,
        half,
    })
}

/// From this size on an information matrix is split only where that of an earlier step is of no use: splitting takes the cube of the
/// size, the rest its square.
const LARGE: usize = 64;

/// What the information matrix turns into the gradient. `triangle` is the split matrix of an earlier step, renewed if need be.
fn newton_step(
    information: &Matrix,
    players: usize,
    gradient: &[f64],
    triangle: &mut Option<Triangle>,
) -> Result<Vec<f64>, RatingsError> {
    if information.size() >= LARGE
        && let Some(triangle) = triangle
        && let Some(step) = triangle.solve_nearby(information, gradient)
    {
        return Ok(step);
    }
    Ok(triangle.insert(regular(information, players).ok_or(RatingsError::Unbounded)?).solve(gradient))
}

/// The virtual draws: every ordered pairing once, with its weight.
fn prior_games(players: usize, draws: f64) -> Vec<(usize, usize, f64)> {
    if players < 2 || draws <= 0.0 {
        return Vec::new();
    }
    let weight = draws / (2.0 * (players - 1) as f64);
    let ordered =
        |first| (0..players).filter(move |&second| second != first).map(move |second| (first, second));
    (0..players).flat_map(ordered).map(|(first, second)| (first, second, weight)).collect()
}

fn prior_iter(prior: &[(usize, usize, f64)]) -> impl Iterator<Item = Played> {
    prior.iter().map(|&(first, second, weight)| Played { first, second, score: 0.5, weight })
}

/// The derivative of a game's log-odds by the parameters: +1 for the first mover, -1 for the second, +1 for `h`.
struct Direction {
    entries: [(usize, f64); 3],
    length: usize,
}

impl Direction {
    fn of(game: &Played, players: usize, advantage: bool) -> Direction {
        Direction {
            entries: [(game.first, 1.0), (game.second, -1.0), (players, 1.0)],
            length: 2 + usize::from(advantage),
        }
    }

    fn entries(&self) -> &[(usize, f64)] {
        &self.entries[..self.length]
    }

    fn chance(&self, parameters: &[f64]) -> f64 {
        let odds: f64 = self.entries().iter().map(|&(index, sign)| sign * parameters[index]).sum();
        1.0 / (1.0 + (-odds).exp())
    }

    fn add_to(&self, vector: &mut [f64], factor: f64) {
        for &(index, sign) in self.entries() {
            vector[index] += sign * factor;
        }
    }

    fn add_square_to(&self, matrix: &mut Matrix, factor: f64) {
        for &(row, left) in self.entries() {
            for &(column, right) in self.entries() {
                matrix.add(row, column, factor * left * right);
            }
        }
    }
}

/// An information matrix without its only null direction, a common shift of all ratings. The score equations never
/// point along that direction, so solving with it is solving with the pseudo-inverse.
fn regular(information: &Matrix, players: usize) -> Option<Triangle> {
    let mut shifted = information.clone();
    let share = shift(information, players)?;
    for row in 0..players {
        for column in 0..players {
            shifted.add(row, column, share);
        }
    }
    shifted.split()
}

/// What is added to every cell of the players. Any multiple of the projector on the shift does; one of the matrix's own
/// size keeps the elimination well conditioned.
fn shift(information: &Matrix, players: usize) -> Option<f64> {
    let weight = information.largest();
    (players == 0 || weight > 0.0).then(|| weight / players.max(1) as f64)
}

/// The pseudo-inverse of an information matrix.
fn pseudo_inverse(information: &Matrix, players: usize) -> Option<Matrix> {
    let mut inverse = regular(information, players)?.inverse();
    // The projector times a number is turned over by turning the number over.
    let count = players.max(1) as f64;
    let share = 1.0 / (shift(information, players)? * count * count);
    for row in 0..players {
        for column in 0..players {
            inverse.add(row, column, -share);
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where they are far away, so that steps from there go to and fro.
    #[test]
    fn where_ratings_start_from_changes_nothing() {
        let all_lost = |player| Cluster { players: [0, player], scores: [Some(1.0); 2], count: 12.0 };
        for players in [3, 70] {
            let even = Cluster { players: [0, 1], scores: [Some(1.0), Some(0.0)], count: 12.0 };
            let lopsided: Vec<Cluster> = (2..players).map(all_lost).chain([even]).collect();
            for advantage in [false, true] {
                let options = RatingsOptions { advantage, ..RatingsOptions::default() };
                let near = rate(players, &lopsided, options).unwrap();
                for results in [&lopsided[..], &lopsided[1..], &[even], &[all_lost(1), even]] {
                    let expected = rate(players, results, options).unwrap();
                    let found = rate_near(players, results, options, Some(&near)).unwrap();
                    for player in 0..players {
                        let [expected, found] = [&expected, &found]
                            .map(|rated| (rated.ratings()[player], rated.error(player, ErrorModel::Robust)));
                        assert!((found.0 - expected.0).abs() < 1e-6, "{found:?} not {expected:?}");
                        assert!((found.1 - expected.1).abs() < 1e-6, "{found:?} not {expected:?}");
                    }
                }
            }
        }
    }
}
