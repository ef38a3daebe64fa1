//! Matrix games: our solver against linear programs in the crate `microlp`.

use std::hint::black_box;

use benches::Comparison;
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use search_core::SearchRng;
use search_core::matrix::{Matrix, Solver};

/// How many games a piece of work solves.
const GAMES: usize = 64;

/// Random matrix games of 20 by 20 payoffs between -1 and 1.
fn matrices(count: usize) -> Vec<Matrix> {
    let mut rng = SearchRng::new(1, "matrices");
    (0..count).map(|_| Matrix::from_fn(20, 20, |_, _| rng.unit() * 2.0 - 1.0)).collect()
}

/// The value as a linear program: the largest `value` that a mixture of rows gets against every column.
fn their_value(matrix: &Matrix) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let shares: Vec<_> = (0..matrix.rows()).map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
    problem.add_constraint(shares.iter().map(|&share| (share, 1.0)), ComparisonOp::Eq, 1.0);
    for column in 0..matrix.columns() {
        let payoffs = shares.iter().enumerate().map(|(row, &share)| (share, matrix.row(row)[column]));
        problem.add_constraint(payoffs.chain([(value, -1.0)]), ComparisonOp::Ge, 0.0);
    }
    match problem.solve() {
        Ok(outcome) => outcome.into_solution().map_or(f64::NAN, |solution| solution.objective()),
        Err(_) => f64::NAN,
    }
}

/// The rows of this part.
pub fn rows() -> Vec<Comparison> {
    let (ours, theirs) = (matrices(GAMES), matrices(GAMES));
    let mut solver = Solver::default();
    vec![Comparison::ratio(
        "search-matrix-20",
        "values and strategies of random 20x20 matrix games",
        "solves",
        move || {
            for matrix in &ours {
                black_box(solver.solve(black_box(matrix)));
            }
            GAMES as u64
        },
        "linear programs in microlp 0.7",
        move || {
            for matrix in &theirs {
                black_box(their_value(black_box(matrix)));
            }
            GAMES as u64
        },
        10.0,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_find_the_same_values() {
        for matrix in matrices(10) {
            let ours = Solver::default().solve(&matrix).value;
            assert!((ours - their_value(&matrix)).abs() < 1e-7);
        }
    }
}
