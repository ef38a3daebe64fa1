//! Symmetric matrices as the ratings need them. A tournament of a thousand bots has matrices of a million cells, so every
//! inner loop runs along rows.

/// A square matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The largest absolute value.
    pub(super) fn largest(&self) -> f64 {
        self.cells.iter().fold(0.0_f64, |largest, cell| largest.max(cell.abs()))
    }

    pub(super) fn transposed(&self) -> Matrix {
        /// Cells of a side of the squares that are turned over one after the other: both fit into the first cache.
        const SQUARE: usize = 32;
        let mut turned = Matrix::zero(self.size);
        for top in (0..self.size).step_by(SQUARE) {
            for left in (0..self.size).step_by(SQUARE) {
                for row in top..self.size.min(top + SQUARE) {
                    for column in left..self.size.min(left + SQUARE) {
                        turned.cells[column * self.size + row] = self.at(row, column);
                    }
                }
            }
        }
        turned
    }

    pub(super) fn product(&self, other: &Matrix) -> Matrix {
        /// Rows that share one pass over the other matrix.
        const BLOCK: usize = 4;
        let size = self.size;
        let mut product = Matrix::zero(size);
        for (block, rows) in product.cells.chunks_mut((BLOCK * size).max(1)).enumerate() {
            for middle in 0..size {
                let source = other.row(middle);
                for (place, row) in rows.chunks_mut(size).enumerate() {
                    let factor = self.at(block * BLOCK + place, middle);
                    if factor != 0.0 {
                        add_scaled(row, factor, source);
                    }
                }
            }
        }
        product
    }

    /// Splits a symmetric positive definite matrix (Cholesky); `None` if it is (nearly) singular.
    pub(super) fn split(&self) -> Option<Triangle> {
        let size = self.size;
        let least = 1e-13 * self.largest();
        let mut lower = Matrix::zero(size);
        for row in 0..size {
            let (before, here) = lower.cells.split_at_mut(row * size);
            for column in 0..row {
                let other = &before[column * size..=column * size + column];
                here[column] =
                    (self.at(row, column) - dot(&here[..column], &other[..column])) / other[column];
            }
            let rest = self.at(row, row) - dot(&here[..row], &here[..row]);
            if rest.is_nan() || rest <= least {
                return None;
            }
            here[row] = rest.sqrt();
        }
        Some(Triangle { lower })
    }
}

/// A lower triangle L, which times its own transpose is the matrix that was split.
#[derive(Debug)]
pub(super) struct Triangle {
    lower: Matrix,
}

impl Triangle {
    /// The vector that the matrix turns into this one.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let size = self.lower.size;
        let mut solution = vector.to_vec();
        for row in 0..size {
            let known = dot(&self.lower.row(row)[..row], &solution[..row]);
            solution[row] = (solution[row] - known) / self.lower.at(row, row);
        }
        for row in (0..size).rev() {
            let value = solution[row] / self.lower.at(row, row);
            solution[row] = value;
            add_scaled(&mut solution[..row], -value, &self.lower.row(row)[..row]);
        }
        solution
    }

    /// The vector that another matrix turns into this one, by conjugate gradients: in few steps if that matrix is near the one that
    /// was split (but for a direction that `vector` does not have). `None` if it is not.
    pub(super) fn solve_nearby(&self, other: &Matrix, vector: &[f64]) -> Option<Vec<f64>> {
        const MOST_STEPS: usize = 40;
        const TOLERANCE: f64 = 1e-13;
        let mut solution = vec![0.0; vector.len()];
        let mut rest = vector.to_vec();
        let mut better = self.solve(&rest);
        let mut direction = better.clone();
        let mut worth = dot(&rest, &better);
        let enough = worth * TOLERANCE * TOLERANCE;
        for _ in 0..MOST_STEPS {
            if worth <= enough {
                return Some(solution);
            }
            let image: Vec<f64> = (0..vector.len()).map(|row| dot(other.row(row), &direction)).collect();
            let length = worth / dot(&direction, &image);
            if !length.is_finite() || length <= 0.0 {
                return None;
            }
            add_scaled(&mut solution, length, &direction);
            add_scaled(&mut rest, -length, &image);
            better = self.solve(&rest);
            let before = std::mem::replace(&mut worth, dot(&rest, &better));
            let share = worth / before;
            for (part, better) in direction.iter_mut().zip(&better) {
                *part = better + share * *part;
            }
        }
        None
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.lower.size;
        // First that of the triangle.
        let mut turned = Matrix::zero(size);
        for row in 0..size {
            let (before, here) = turned.cells.split_at_mut(row * size);
            for middle in 0..row {
                let source = &before[middle * size..=middle * size + middle];
                add_scaled(&mut here[..=middle], -self.lower.at(row, middle), source);
            }
            here[row] = 1.0;
            let pivot = self.lower.at(row, row);
            here[..=row].iter_mut().for_each(|cell| *cell /= pivot);
        }
        let mut inverse = Matrix::zero(size);
        for middle in 0..size {
            let source = turned.row(middle);
            for row in 0..=middle {
                let start = row * size;
                add_scaled(&mut inverse.cells[start..=start + row], source[row], &source[..=row]);
            }
        }
        for row in 0..size {
            for column in row + 1..size {
                inverse.cells[row * size + column] = inverse.cells[column * size + row];
            }
        }
        inverse
    }
}

/// The sum of products, in four strands that do not wait for one another.
pub(super) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (left.chunks_exact(4), right.chunks_exact(4));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(l, r)| l * r).sum();
    for (l, r) in left.zip(right) {
        for strand in 0..4 {
            sums[strand] += l[strand] * r[strand];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn add_scaled(row: &mut [f64], factor: f64, source: &[f64]) {
    for (cell, value) in row.iter_mut().zip(source) {
        *cell += factor * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric positive definite matrix without a pattern.
    fn sample(size: usize) -> Matrix {
        let mut half = Matrix::zero(size);
        let mut state = 7_u64;
        for cell in &mut half.cells {
            state = search_core::split_mix(state);
            *cell = (state % 1000) as f64 / 500.0 - 1.0;
        }
        let mut whole = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                whole.add(row, column, dot(half.row(row), half.row(column)));
            }
            whole.add(row, row, 1.0);
        }
        whole
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        for size in [1, 2, 3, 4, 5, 9, 33] {
            let matrix = sample(size);
            let triangle = matrix.split().unwrap();
            let inverse = triangle.inverse();
            let product = matrix.product(&inverse);
            let vector: Vec<f64> = (0..size).map(|place| place as f64 - 1.5).collect();
            let solution = triangle.solve(&vector);
            for (row, solved) in solution.iter().enumerate() {
                assert!((dot(inverse.row(row), &vector) - solved).abs() < 1e-9, "{size}: {row}");
                for column in 0..size {
                    let expected = f64::from(u8::from(row == column));
                    assert!((product.at(row, column) - expected).abs() < 1e-9, "{size}: {row} {column}");
                }
            }
        }
    }

    #[test]
    fn a_nearby_matrix_is_solved_without_being_split() {
        for size in [1, 2, 5, 33, 70] {
            let (near, mut matrix) = (sample(size).split().unwrap(), sample(size));
            for place in 0..size {
                matrix.add(place, place, 0.5 + place as f64 / size as f64);
            }
            let vector: Vec<f64> = (0..size).map(|place| place as f64 - 1.5).collect();
            let expected = matrix.split().unwrap().solve(&vector);
            let solved = near.solve_nearby(&matrix, &vector).unwrap();
            for (solved, expected) in solved.iter().zip(&expected) {
                assert!((solved - expected).abs() < 1e-9, "{size}: {solved} not {expected}");
            }
            let zero = near.solve_nearby(&matrix, &vec![0.0; size]).unwrap();
            assert!(zero.iter().all(|&part| part == 0.0));
        }
        // Nothing is near a matrix that turns everything round.
        let mut other = Matrix::zero(2);
        (0..2).for_each(|place| other.add(place, place, -1.0));
        assert_eq!(sample(2).split().unwrap().solve_nearby(&other, &[1.0, 2.0]), None);
    }

    #[test]
    fn a_matrix_is_turned_over() {
        for size in [0, 1, 3, 32, 45] {
            let mut matrix = Matrix::zero(size);
            (0..size).for_each(|row| {
                (0..size).for_each(|column| matrix.add(row, column, (row * 100 + column) as f64));
            });
            let turned = matrix.transposed();
            assert!(
                (0..size).all(|row| (0..size).all(|column| turned.at(column, row) == matrix.at(row, column)))
            );
        }
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        let mut matrix = Matrix::zero(2);
        (0..2).for_each(|row| (0..2).for_each(|column| matrix.add(row, column, 1.0)));
        assert!(matrix.split().is_none());
        assert!(Matrix::zero(1).split().is_none());
        assert_eq!(Matrix::zero(0).split().unwrap().inverse(), Matrix::zero(0));
    }
}
