//! Zero-sum matrix games: exact values and mixed strategies, with a check by best responses.
//!
//! ```
//! use search_core::matrix::{Matrix, solve};
//! // Rock, paper, scissors in which a win with rock counts double.
//! let game = Matrix::from_rows(&[&[0.0, -1.0, 2.0], &[1.0, 0.0, -1.0], &[-2.0, 1.0, 0.0]]).unwrap();
//! let solution = solve(&game);
//! assert!(solution.value.abs() < 1e-9 && solution.gap < 1e-9);
//! assert!((solution.row[1] - 0.5).abs() < 1e-9, "paper every other time");
//! ```

use std::error::Error;
use std::fmt;

/// The payoffs of a matrix game: what the row player gets and the column player loses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

/// Numbers that are not a matrix game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixError {
    /// A row has another length than the first.
    Ragged {
        /// The row's number, from 0.
        row: usize,
        /// The length of the first row.
        expected: usize,
        /// The length of this one.
        found: usize,
    },
    /// A payoff is infinite or not a number.
    NotFinite {
        /// The row's number, from 0.
        row: usize,
        /// The column's number, from 0.
        column: usize,
    },
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatrixError::Ragged { row, expected, found } => {
                write!(f, "expected {expected} payoffs in row {row}, found {found}")
            }
            MatrixError::NotFinite { row, column } => {
                write!(f, "expected a finite payoff in row {row}, column {column}")
            }
        }
    }
}

impl Error for MatrixError {}

impl Matrix {
    /// A matrix of given rows.
    pub fn from_rows(rows: &[&[f64]]) -> Result<Matrix, MatrixError> {
        let columns = rows.first().map_or(0, |row| row.len());
        let mut values = Vec::with_capacity(rows.len() * columns);
        for (index, row) in rows.iter().enumerate() {
            if row.len() != columns {
                return Err(MatrixError::Ragged { row: index, expected: columns, found: row.len() });
            }
            if let Some(column) = row.iter().position(|value| !value.is_finite()) {
                return Err(MatrixError::NotFinite { row: index, column });
            }
            values.extend_from_slice(row);
        }
        Ok(Matrix { rows: rows.len(), columns, values })
    }

    /// A matrix whose payoffs come from a function of row and column. What is not finite counts as 0.
    pub fn from_fn(rows: usize, columns: usize, mut payoff: impl FnMut(usize, usize) -> f64) -> Matrix {
        let mut values = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let value = payoff(row, column);
                values.push(if value.is_finite() { value } else { 0.0 });
            }
        }
        Matrix { rows, columns, values }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The payoffs of one row.
    #[inline]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// What the row player can get by a best response to a mixed strategy of the column player, and with which row.
    pub fn best_row(&self, column_strategy: &[f64]) -> (usize, f64) {
        let payoffs = (0..self.rows).map(|row| dot(self.row(row), column_strategy));
        first_best(payoffs, |new, old| new > old)
    }

    /// What the column player can hold the row player to by a best response to a mixed strategy, and with which column.
    pub fn best_column(&self, row_strategy: &[f64]) -> (usize, f64) {
        let mut payoffs = vec![0.0; self.columns];
        for (row, &weight) in row_strategy.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            for (payoff, value) in payoffs.iter_mut().zip(self.row(row)) {
                *payoff += weight * value;
            }
        }
        first_best(payoffs.into_iter(), |new, old| new < old)
    }

    /// How much the two players could gain together by best responses to these strategies; 0 for an equilibrium.
    pub fn gap(&self, row_strategy: &[f64], column_strategy: &[f64]) -> f64 {
        if self.values.is_empty() {
            return 0.0;
        }
        (self.best_row(column_strategy).1 - self.best_column(row_strategy).1).max(0.0)
    }
}

#[inline]
fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(a, b)| a * b).sum()
}

fn first_best(values: impl Iterator<Item = f64>, better: impl Fn(f64, f64) -> bool) -> (usize, f64) {
    let mut best: Option<(usize, f64)> = None;
    for (index, value) in values.enumerate() {
        if best.is_none_or(|(_, old)| better(value, old)) {
            best = Some((index, value));
        }
    }
    best.unwrap_or((0, 0.0))
}

/// A pair of mixed strategies with the value they give.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution {
    /// The payoff of the row player.
    pub value: f64,
    /// The probability of each row.
    pub row: Vec<f64>,
    /// The probability of each column.
    pub column: Vec<f64>,
    /// How much the two players could gain together by best responses: checked against the matrix itself.
    pub gap: f64,
}

/// Solves a matrix game exactly (but for rounding): by a saddle point in pure strategies if there is one, else by the
/// simplex method. Without rows or columns the value is 0.
pub fn solve(matrix: &Matrix) -> Solution {
    Solver::default().solve(matrix)
}

/// A solver that keeps its working memory from game to game.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    tableau: Vec<f64>,
    /// Which variable stands in which line: the number of a column's weight, or `columns` plus that of a row's slack.
    basic: Vec<usize>,
    free: Vec<usize>,
    pivots: u64,
    solves: u64,
}

/// Smaller numbers are rounding errors; the payoffs are brought to the range 1 to 2 first.
const TINY: f64 = 1e-11;

impl Solver {
    /// Pivots of the simplex method so far.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Matrix games solved so far, those with a saddle point included.
    pub fn solves(&self) -> u64 {
        self.solves
    }

    /// Solves a matrix game exactly, see [`solve`].
    pub fn solve(&mut self, matrix: &Matrix) -> Solution {
        self.solves += 1;
        if matrix.values.is_empty() {
            return Solution { row: even(matrix.rows), column: even(matrix.columns), ..Solution::default() };
        }
        if let Some(solution) = saddle_point(matrix) {
            return solution;
        }
        let (low, high) =
            matrix.values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
                (low.min(value), high.max(value))
            });
        let range = high - low;
        self.set_up(matrix, low, range);
        self.maximise(matrix.rows, matrix.columns);
        self.read(matrix)
    }

    /// The column player's program: maximise the sum of the weights where each row's payoff (between 1 and 2) is at
    /// most 1. Each line of the tableau is a row with its limit at the end; the last line is the goal.
    fn set_up(&mut self, matrix: &Matrix, low: f64, range: f64) {
        let (rows, columns) = (matrix.rows, matrix.columns);
        self.tableau.clear();
        let scale = 1.0 / range;
        for row in 0..rows {
            self.tableau.extend(matrix.row(row).iter().map(|value| (value - low) * scale + 1.0));
            self.tableau.push(1.0);
        }
        self.tableau.resize(rows * (columns + 1) + columns, 1.0);
        self.tableau.push(0.0);
        self.free.clear();
        self.free.extend(0..columns);
        self.basic.clear();
        self.basic.extend(columns..columns + rows);
    }

    /// Exchanges variables until the goal cannot grow. The steepest column enters, which is fast; after a run of steps
    /// that gain nothing, the smallest number enters and leaves (Bland's rule), which cannot go round in a circle.
    fn maximise(&mut self, rows: usize, columns: usize) {
        let width = columns + 1;
        let mut idle = 0;
        // Only rounding errors could make it go on for so long; the gap then says how far the answer is off.
        for _ in 0..50 * (rows + columns) + 1000 {
            let careful = idle > rows + columns;
            let goal = &self.tableau[rows * width..rows * width + columns];
            let entering = if careful {
                (0..columns).filter(|&column| goal[column] > TINY).min_by_key(|&column| self.free[column])
            } else {
                let (column, slope) = first_best(goal.iter().copied(), |new, old| new > old);
                (slope > TINY).then_some(column)
            };
            let Some(entering) = entering else { return };
            let mut leaving = None;
            let mut tightest = f64::INFINITY;
            for row in 0..rows {
                let factor = self.tableau[row * width + entering];
                if factor > TINY {
                    let ratio = self.tableau[row * width + columns] / factor;
                    let tied = careful
                        && ratio <= tightest + TINY
                        && leaving.is_some_and(|old: usize| self.basic[row] < self.basic[old]);
                    if ratio < tightest - if careful { TINY } else { 0.0 } || tied {
                        tightest = tightest.min(ratio);
                        leaving = Some(row);
                    }
                }
            }
            // All payoffs are positive: some row always limits the column.
            let Some(leaving) = leaving else { return };
            idle = if tightest > TINY { 0 } else { idle + 1 };
            self.pivot(rows, width, leaving, entering);
        }
    }

    #[inline]
    fn pivot(&mut self, rows: usize, width: usize, leaving: usize, entering: usize) {
        self.pivots += 1;
        let inverse = 1.0 / self.tableau[leaving * width + entering];
        let (above, rest) = self.tableau.split_at_mut(leaving * width);
        let (line, below) = rest.split_at_mut(width);
        for value in line.iter_mut() {
            *value *= inverse;
        }
        line[entering] = inverse;
        debug_assert_eq!(above.len() + line.len() + below.len(), (rows + 1) * width);
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let factor = other[entering];
            if factor != 0.0 {
                other[entering] = 0.0;
                for (value, step) in other.iter_mut().zip(line.iter()) {
                    *value -= factor * step;
                }
            }
        }
        std::mem::swap(&mut self.basic[leaving], &mut self.free[entering]);
    }

    /// The strategies in the final tableau: weights of columns are limits, weights of rows are slopes of the goal.
    fn read(&self, matrix: &Matrix) -> Solution {
        let (rows, columns) = (matrix.rows, matrix.columns);
        let width = columns + 1;
        let mut row = vec![0.0; rows];
        let mut column = vec![0.0; columns];
        for (line, &variable) in self.basic.iter().enumerate() {
            if variable < columns {
                column[variable] = self.tableau[line * width + columns].max(0.0);
            }
        }
        for (place, &variable) in self.free.iter().enumerate() {
            if variable >= columns {
                row[variable - columns] = (-self.tableau[rows * width + place]).max(0.0);
            }
        }
        normalise(&mut row);
        normalise(&mut column);
        finished(matrix, row, column)
    }
}

/// Both strategies with value and gap read off the matrix itself.
fn finished(matrix: &Matrix, row: Vec<f64>, column: Vec<f64>) -> Solution {
    let most = matrix.best_row(&column).1;
    let least = matrix.best_column(&row).1;
    Solution { value: f64::midpoint(most, least), gap: (most - least).max(0.0), row, column }
}

fn even(count: usize) -> Vec<f64> {
    vec![1.0 / count.max(1) as f64; count]
}

fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let count = weights.len();
    for weight in weights.iter_mut() {
        *weight = if sum > 0.0 { *weight / sum } else { 1.0 / count as f64 };
    }
}

/// A row and a column from which neither player wants to move alone.
fn saddle_point(matrix: &Matrix) -> Option<Solution> {
    let lowest = |row: usize| matrix.row(row).iter().copied().fold(f64::INFINITY, f64::min);
    let (row, floor) = first_best((0..matrix.rows).map(lowest), |new, old| new > old);
    let mut highest = vec![f64::NEG_INFINITY; matrix.columns];
    for line in 0..matrix.rows {
        for (most, &value) in highest.iter_mut().zip(matrix.row(line)) {
            *most = most.max(value);
        }
    }
    let (column, ceiling) = first_best(highest.into_iter(), |new, old| new < old);
    (floor >= ceiling).then(|| {
        let mut solution = Solution {
            value: floor,
            row: vec![0.0; matrix.rows],
            column: vec![0.0; matrix.columns],
            gap: 0.0,
        };
        solution.row[row] = 1.0;
        solution.column[column] = 1.0;
        solution
    })
}

/// Approaches an equilibrium by regret matching plus: both players in turn, the averages weighted by the iteration.
/// The gap of the answer shrinks at least with the square root of the iterations, in practice much faster.
pub fn regret_matching_plus(matrix: &Matrix, iterations: u32) -> Solution {
    if matrix.values.is_empty() {
        return Solver::default().solve(matrix);
    }
    let mut row = even(matrix.rows);
    let mut column = even(matrix.columns);
    let mut row_regrets = vec![0.0; matrix.rows];
    let mut column_regrets = vec![0.0; matrix.columns];
    let mut row_sum = row.clone();
    let mut column_sum = column.clone();
    let mut payoffs = vec![0.0; matrix.columns];
    for iteration in 1..=iterations {
        let weight = f64::from(iteration);
        let values: Vec<f64> = (0..matrix.rows).map(|index| dot(matrix.row(index), &column)).collect();
        let value = dot(&values, &row);
        match_regrets(&mut row_regrets, &mut row, values.iter().map(|payoff| payoff - value));
        payoffs.fill(0.0);
        for (index, &share) in row.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            for (payoff, cell) in payoffs.iter_mut().zip(matrix.row(index)) {
                *payoff += share * cell;
            }
        }
        let value = dot(&payoffs, &column);
        match_regrets(&mut column_regrets, &mut column, payoffs.iter().map(|payoff| value - payoff));
        for (sum, share) in row_sum.iter_mut().zip(&row) {
            *sum += weight * share;
        }
        for (sum, share) in column_sum.iter_mut().zip(&column) {
            *sum += weight * share;
        }
    }
    normalise(&mut row_sum);
    normalise(&mut column_sum);
    finished(matrix, row_sum, column_sum)
}

/// Adds regrets, never below 0, and plays in proportion to them.
fn match_regrets(regrets: &mut [f64], strategy: &mut [f64], news: impl Iterator<Item = f64>) {
    for (regret, new) in regrets.iter_mut().zip(news) {
        *regret = (*regret + new).max(0.0);
    }
    strategy.copy_from_slice(regrets);
    normalise(strategy);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchRng;

    fn game(rows: &[&[f64]]) -> Matrix {
        Matrix::from_rows(rows).expect("a matrix")
    }

    #[test]
    fn known_games_have_their_known_values() {
        for (matrix, value, row) in [
            (game(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]), 0.0, vec![1.0 / 3.0; 3]),
            // Matching pennies with unequal stakes: (3 * 1 - 0) / (3 + 1) by the formula for two by two.
            (game(&[&[3.0, 0.0], &[0.0, 1.0]]), 0.75, vec![0.25, 0.75]),
            (game(&[&[-2.0, 3.0], &[3.0, -4.0]]), 1.0 / 12.0, vec![7.0 / 12.0, 5.0 / 12.0]),
            // A saddle point.
            (game(&[&[4.0, 2.0, 5.0], &[1.0, 0.0, 9.0]]), 2.0, vec![1.0, 0.0]),
            (game(&[&[7.0]]), 7.0, vec![1.0]),
        ] {
            let solution = solve(&matrix);
            assert!((solution.value - value).abs() < 1e-9, "{matrix:?}: {solution:?}");
            assert!(solution.gap < 1e-9);
            for (found, expected) in solution.row.iter().zip(&row) {
                assert!((found - expected).abs() < 1e-9, "{matrix:?}: {solution:?}");
            }
        }
        assert_eq!(solve(&Matrix::default()).value, 0.0);
    }

    #[test]
    fn two_by_two_games_follow_the_formula() {
        let mut rng = SearchRng::new(1, "two by two");
        for _ in 0..2000 {
            let cells: Vec<f64> = (0..4).map(|_| rng.below(21) as f64 - 10.0).collect();
            let [a, b, c, d] = cells[..] else { unreachable!("four cells were drawn") };
            let floor = a.min(b).max(c.min(d));
            let ceiling = a.max(c).min(b.max(d));
            let value = if floor >= ceiling { floor } else { (a * d - b * c) / (a + d - b - c) };
            let solution = solve(&game(&[&[a, b], &[c, d]]));
            assert!((solution.value - value).abs() < 1e-9, "{cells:?}: {solution:?}, not {value}");
        }
    }

    #[test]
    fn random_games_leave_no_gap() {
        let mut rng = SearchRng::new(1, "matrices");
        let mut solver = Solver::default();
        for round in 0..2000 {
            let (rows, columns) = (1 + rng.below(25), 1 + rng.below(25));
            // Few distinct payoffs make ties and degenerate steps, many make none.
            let kinds = [2, 3, 7, 1000][round % 4];
            let matrix = Matrix::from_fn(rows, columns, |_, _| rng.below(kinds) as f64);
            let solution = solver.solve(&matrix);
            assert!(solution.gap < 1e-8 * kinds as f64, "{rows}x{columns} of {kinds}: gap {}", solution.gap);
            for strategy in [&solution.row, &solution.column] {
                assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(strategy.iter().all(|&share| share >= 0.0));
            }
        }
    }

    #[test]
    fn regret_matching_comes_close() {
        let mut rng = SearchRng::new(2, "matrices");
        for _ in 0..20 {
            let matrix = Matrix::from_fn(6, 9, |_, _| rng.unit() * 2.0 - 1.0);
            let exact = solve(&matrix);
            let close = regret_matching_plus(&matrix, 2000);
            assert!(close.gap < 0.01, "gap {}", close.gap);
            assert!((close.value - exact.value).abs() <= close.gap + 1e-9);
        }
    }

    #[test]
    fn bad_numbers_are_refused() {
        assert_eq!(
            Matrix::from_rows(&[&[1.0], &[1.0, 2.0]]).unwrap_err().to_string(),
            "expected 1 payoffs in row 1, found 2"
        );
        assert_eq!(
            Matrix::from_rows(&[&[1.0, f64::NAN]]).unwrap_err().to_string(),
            "expected a finite payoff in row 0, column 1"
        );
    }
}
