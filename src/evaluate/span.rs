//! Projections on the span of rows of a dictionary.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::Matrix;
use crate::kernel;

/// Singular values at or below the largest one times max(rows, columns) times this count as none: the
/// dictionary's numbers are `f32`, and known no better.
const PRECISION: f64 = f32::EPSILON as f64;

/// The square of that share, which eigenvalues of a Gram matrix are held against.
fn cutoff(rows: usize, cols: usize) -> f64 {
    let share = rows.max(cols) as f64 * PRECISION;
    share * share
}

/// Rows of `f32`, chosen by index, as a Gram matrix of `f64`: over the columns (D × D).
fn gram_of_columns(dictionary: &[f32], d: usize, rows: &[u32]) -> Matrix {
    /// Rows that are widened at a time.
    const BLOCK: usize = 512;
    let mut total = Matrix::zeros(d, d);
    for block in rows.chunks(BLOCK) {
        let mut wide = Matrix::zeros(block.len(), d);
        for (index, row) in block.iter().enumerate() {
            widen(row_of(dictionary, d, *row), wide.row_mut(index));
        }
        let gram = kernel::gram(&wide);
        total.data_mut().iter_mut().zip(gram.data()).for_each(|(sum, more)| *sum += more);
    }
    total
}

/// The chosen rows as columns of `f64` (D × n), whose Gram matrix is that of the rows.
fn columns(dictionary: &[f32], d: usize, rows: &[u32]) -> Matrix {
    let mut out = Matrix::zeros(d, rows.len());
    for (j, row) in rows.iter().enumerate() {
        for (i, value) in row_of(dictionary, d, *row).iter().enumerate() {
            out.row_mut(i)[j] = f64::from(*value);
        }
    }
    out
}

pub(super) fn row_of(dictionary: &[f32], d: usize, row: u32) -> &[f32] {
    &dictionary[row as usize * d..(row as usize + 1) * d]
}

pub(super) fn widen(from: &[f32], into: &mut [f64]) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into = f64::from(*from));
}

fn dot(a: &[f32], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * b).sum()
}

/// The largest eigenvalue of a positive semi-definite matrix, from below, to a few digits.
fn largest(matrix: &Matrix) -> f64 {
    const ROUNDS: usize = 60;
    let n = matrix.rows();
    // No eigenvector of a sensible dictionary is at right angles to this.
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64 / 16.0).collect();
    let mut value = 0.0;
    for _ in 0..ROUNDS {
        let next: Vec<f64> = matrix.iter_rows().map(|row| kernel::dot(row, &x)).collect();
        value = kernel::dot(&next, &next).sqrt();
        if value <= 0.0 {
            return 0.0;
        }
        x = next.into_iter().map(|entry| entry / value).collect();
    }
    value
}

/// Whether all eigenvalues of a symmetric matrix exceed `bound`: what is left has a Cholesky factor.
fn exceeds(mut matrix: Matrix, bound: f64) -> bool {
    let n = matrix.rows();
    for i in 0..n {
        let (above, rest) = matrix.data_mut().split_at_mut(i * n);
        let row = &mut rest[..n];
        row[i] -= bound;
        for j in 0..i {
            let other = &above[j * n..j * n + n];
            row[j] = (row[j] - kernel::dot(&row[..j], &other[..j])) / other[j];
        }
        let pivot = row[i] - kernel::dot(&row[..i], &row[..i]);
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        row[i] = pivot.sqrt();
    }
    true
}

/// Eigenvectors (as columns) and eigenvalues of a symmetric matrix.
fn eigen(matrix: &Matrix) -> Option<SymmetricEigen<f64, nalgebra::Dyn>> {
    /// Iterations allowed for each eigenvalue.
    const ITERATIONS: usize = 100;
    let n = matrix.rows();
    let matrix = DMatrix::from_row_slice(n, n, matrix.data());
    SymmetricEigen::try_new(matrix, f64::EPSILON, ITERATIONS * n)
}

/// What a dictionary's rows span together.
pub(super) enum RowSpace {
    /// Everything: projecting changes nothing.
    All,
    /// The span of orthonormal rows (rank × D), with its transpose.
    Basis(Matrix, Matrix),
}

impl RowSpace {
    /// The row space of a dictionary (K × D); none where its eigenvalues cannot be found.
    pub fn of(dictionary: &[f32], d: usize) -> Option<Self> {
        let k = dictionary.len() / d;
        let all: Vec<u32> = (0..k as u32).collect();
        let share = cutoff(k, d);
        let rows: Vec<Vec<f64>> = if k >= d {
            let gram = gram_of_columns(dictionary, d, &all);
            let bound = largest(&gram) * share;
            if exceeds(gram.clone(), bound) {
                return Some(Self::All);
            }
            let found = eigen(&gram)?;
            let top = found.eigenvalues.max();
            let kept = |value: &f64| *value > top * share;
            let vectors = found.eigenvectors.column_iter().zip(found.eigenvalues.iter());
            vectors.filter(|v| kept(v.1)).map(|v| v.0.iter().copied().collect()).collect()
        } else {
            let found = eigen(&kernel::gram(&columns(dictionary, d, &all)))?;
            let top = found.eigenvalues.max();
            let kept = |value: &f64| *value > top * share;
            let vectors = found.eigenvectors.column_iter().zip(found.eigenvalues.iter());
            vectors
                .filter(|v| kept(v.1))
                .map(|(vector, value)| {
                    let mut row = vec![0.0; d];
                    let length = value.sqrt();
                    for (k, weight) in vector.iter().enumerate() {
                        let from = row_of(dictionary, d, k as u32);
                        kernel::add_scaled(&mut row, weight / length, from);
                    }
                    row
                })
                .collect()
        };
        let mut basis = Matrix::zeros(rows.len(), d);
        basis
            .data_mut()
            .chunks_exact_mut(d)
            .zip(&rows)
            .for_each(|(to, row)| to.copy_from_slice(row));
        let transposed = basis.transposed();
        Some(Self::Basis(basis, transposed))
    }

    /// How many dimensions it has, of `d`.
    pub fn rank(&self, d: usize) -> usize {
        match self {
            Self::All => d,
            Self::Basis(basis, _) => basis.rows(),
        }
    }

    /// What of rows (n × D) is outside.
    pub fn outside(&self, rows: &Matrix) -> Matrix {
        match self {
            Self::All => Matrix::zeros(rows.rows(), rows.cols()),
            Self::Basis(basis, transposed) => {
                let codes = kernel::product(rows, transposed);
                let mut inside = kernel::product(&codes, basis);
                let values = inside.data_mut().iter_mut().zip(rows.data());
                values.for_each(|(inside, all)| *inside = all - *inside);
                inside
            }
        }
    }
}

/// Pseudo-inverse of the smaller Gram matrix of a dictionary (K × D): K × K where K ≤ D, else D × D.
pub(super) fn inverse_gram(dictionary: &[f32], d: usize) -> Option<Matrix> {
    let k = dictionary.len() / d;
    let all: Vec<u32> = (0..k as u32).collect();
    let gram = if k <= d {
        kernel::gram(&columns(dictionary, d, &all))
    } else {
        gram_of_columns(dictionary, d, &all)
    };
    let found = eigen(&gram)?;
    let bound = found.eigenvalues.max() * cutoff(k, d);
    let n = gram.rows();
    let mut scaled = Matrix::zeros(n, n);
    let mut plain = Matrix::zeros(n, n);
    let pairs = found.eigenvectors.column_iter().zip(found.eigenvalues.iter());
    for (j, (vector, value)) in pairs.enumerate() {
        if *value > bound {
            for (i, entry) in vector.iter().enumerate() {
                scaled.row_mut(i)[j] = entry / value;
                plain.row_mut(j)[i] = *entry;
            }
        }
    }
    Some(kernel::product(&scaled, &plain))
}

/// Multiplications it takes to project on `n` rows of `d` entries.
pub(super) fn cost(n: usize, d: usize) -> f64 {
    let (n, d) = (n as f64, d as f64);
    let side = n.min(d);
    n * side * d / 2.0 + side * side * side / 6.0 + 2.0 * n * d
}

/// What of `a` is outside the span of chosen rows of a dictionary.
///
/// Rows are taken by the length of what they add to those before (a pivoted Cholesky factor of the
/// Gram matrix of the unit rows), until it falls to what `f32` does not resolve. None where
/// eigenvalues, which only more rows than dimensions can need, are not found.
pub(super) fn outside_rows(
    dictionary: &[f32],
    d: usize,
    rows: &[u32],
    a: &[f64],
) -> Option<Vec<f64>> {
    if rows.len() > d {
        let gram = gram_of_columns(dictionary, d, rows);
        let bound = largest(&gram) * cutoff(rows.len(), d);
        if exceeds(gram.clone(), bound) {
            return Some(vec![0.0; d]);
        }
        let found = eigen(&gram)?;
        let mut left = a.to_vec();
        for (vector, value) in found.eigenvectors.column_iter().zip(found.eigenvalues.iter()) {
            if *value > bound {
                let along = kernel::dot(vector.as_slice(), a);
                left.iter_mut().zip(vector.iter()).for_each(|(left, v)| *left -= along * v);
            }
        }
        return Some(left);
    }
    let n = rows.len();
    let gram = kernel::gram(&columns(dictionary, d, rows));
    let lengths: Vec<f64> = (0..n).map(|i| gram.row(i)[i].sqrt()).collect();
    let unit = |i: usize, j: usize| gram.row(i)[j] / (lengths[i] * lengths[j]);
    // Row i of the factor belongs to the i-th row that was taken.
    let mut factor = Matrix::zeros(n, n);
    let mut left: Vec<f64> = lengths.iter().map(|length| f64::from(*length > 0.0)).collect();
    let mut order: Vec<usize> = (0..n).collect();
    let mut rank = 0;
    while rank < n {
        let (mut at, mut most) = (rank, 0.0);
        for (place, row) in order.iter().enumerate().skip(rank) {
            if left[*row] > most {
                (at, most) = (place, left[*row]);
            }
        }
        if most <= cutoff(n, d) {
            break;
        }
        order.swap(rank, at);
        // The factor's rows are kept by row of the dictionary, not by place.
        let taken = order[rank];
        let pivot = most.sqrt();
        let done = factor.row(taken)[..rank].to_vec();
        factor.row_mut(taken)[rank] = pivot;
        for other in order.iter().skip(rank + 1) {
            if left[*other] > 0.0 {
                let row = factor.row_mut(*other);
                let entry = (unit(*other, taken) - kernel::dot(&row[..rank], &done)) / pivot;
                row[rank] = entry;
                left[*other] -= entry * entry;
            }
        }
        rank += 1;
    }
    // L·Lᵀ·x = unit rows · a, then a − Σ x·unit rows.
    let mut x = vec![0.0; rank];
    for i in 0..rank {
        let taken = order[i];
        let along = dot(row_of(dictionary, d, rows[taken]), a) / lengths[taken];
        let row = factor.row(taken);
        x[i] = (along - kernel::dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..rank).rev() {
        let below: f64 = (i + 1..rank).map(|j| factor.row(order[j])[i] * x[j]).sum();
        x[i] = (x[i] - below) / factor.row(order[i])[i];
    }
    let mut outside = a.to_vec();
    for (x, taken) in x.iter().zip(&order) {
        let row = row_of(dictionary, d, rows[*taken]);
        kernel::add_scaled(&mut outside, -x / lengths[*taken], row);
    }
    Some(outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;

    fn normals(rng: &mut NumpyRng, len: usize) -> Vec<f32> {
        (0..len).map(|_| rng.standard_normal() as f32).collect()
    }

    /// What is outside, by nalgebra's singular value decomposition.
    fn by_svd(rows: &[f32], d: usize, a: &[f64]) -> Vec<f64> {
        let wide: Vec<f64> = rows.iter().map(|value| f64::from(*value)).collect();
        let svd = DMatrix::from_row_slice(rows.len() / d, d, &wide).svd(false, true);
        let v_t = svd.v_t.unwrap();
        let top = svd.singular_values.max();
        let mut left = a.to_vec();
        for (v, s) in v_t.row_iter().zip(svd.singular_values.iter()) {
            if *s > top * 1e-4 {
                let along: f64 = v.iter().zip(a).map(|(v, a)| v * a).sum();
                left.iter_mut().zip(v.iter()).for_each(|(left, v)| *left -= along * v);
            }
        }
        left
    }

    #[test]
    fn projections_are_those_of_a_singular_value_decomposition() {
        let mut rng = NumpyRng::new(11);
        for (n, d, repeated) in
            [(1, 5, 0), (3, 8, 0), (8, 8, 0), (7, 9, 3), (20, 8, 0), (20, 8, 17), (30, 12, 25)]
        {
            let mut rows = normals(&mut rng, n * d);
            // The last rows are multiples and sums of the first ones.
            let fresh = n - repeated;
            for i in fresh..n {
                let (from, other) = (i % fresh, (i + 1) % fresh);
                for j in 0..d {
                    rows[i * d + j] = rows[from * d + j] + 0.5 * rows[other * d + j];
                }
            }
            let a: Vec<f64> = normals(&mut rng, d).iter().map(|x| f64::from(*x)).collect();
            let wanted = by_svd(&rows, d, &a);
            let indices: Vec<u32> = (0..n as u32).collect();
            let found = outside_rows(&rows, d, &indices, &a).unwrap();
            let space = RowSpace::of(&rows, d).unwrap();
            let all = space.outside(&Matrix::from_vec(1, d, a).unwrap());
            assert_eq!(space.rank(d), fresh.min(d), "{n} {d} {repeated}");
            for ((wanted, found), all) in wanted.iter().zip(&found).zip(all.data()) {
                assert!((wanted - found).abs() < 1e-5, "{n} {d} {repeated}: {wanted} {found}");
                assert!((wanted - all).abs() < 1e-5, "{n} {d} {repeated}: {wanted} {all}");
            }
        }
        // Rows of nothing span nothing.
        let a = [1.0, 2.0];
        assert_eq!(outside_rows(&[0.0; 4], 2, &[0, 1], &a).unwrap(), a);
        assert_eq!(outside_rows(&[0.0; 4], 2, &[], &a).unwrap(), a);
        assert_eq!(RowSpace::of(&[0.0; 6], 2).unwrap().rank(2), 0);
    }
}
