//! Projections on the span of rows of a dictionary.

use std::ops::Range;

use super::{Matrix, gram, product};
use nalgebra::{DMatrix, SymmetricEigen};
use serde::{Deserialize, Serialize};

use crate::kernel::{self, Number};

/// Singular values at or below the largest one times max(rows, columns) times this count as none:
/// weights are seldom known better than `f32` has them, and eigenvalues of their Gram matrix no better in `f64`.
const RANK_TOLERANCE: f64 = f32::EPSILON as f64;

/// The share of the largest singular value, of so many rows or columns, at or below which another one
/// is no direction.
#[must_use]
pub fn rank_threshold(rows: usize, cols: usize) -> f64 {
    rows.max(cols) as f64 * RANK_TOLERANCE
}

/// The square of that share, which eigenvalues of a Gram matrix are held against.
fn squared_threshold(rows: usize, cols: usize) -> f64 {
    let share = rank_threshold(rows, cols);
    share * share
}

/// Rows of weights, chosen by index, as a Gram matrix of `f64`: over the columns (D × D).
fn gram_of_columns<T: Number>(dictionary: &[T], d: usize, rows: &[u32]) -> Matrix {
    let mut total = Matrix::zeros(d, d);
    for block in rows.chunks(GRAM_PART_ROWS) {
        add_matrix(&mut total, &gram_part(dictionary, d, block));
    }
    total
}

/// Rows whose Gram matrix is one part of that of many.
pub const GRAM_PART_ROWS: usize = 512;

fn add_matrix(total: &mut Matrix, part: &Matrix) {
    total.data_mut().iter_mut().zip(part.data()).for_each(|(sum, more)| *sum += more);
}

fn gram_part<T: Number>(dictionary: &[T], d: usize, rows: &[u32]) -> Matrix {
    let mut wide = Matrix::zeros(rows.len(), d);
    for (index, row) in rows.iter().enumerate() {
        widen_into(dictionary_row(dictionary, d, *row), wide.row_mut(index));
    }
    gram(&wide)
}

/// The smaller Gram matrix of a dictionary (K × D), made of parts that are added in their order: over its columns
/// (D × D) where K ≥ D, else, in one part, over its rows (K × K).
pub struct Gram {
    /// The parts so far.
    pub matrix: Matrix,
}

impl Gram {
    /// Of no parts yet.
    pub fn new(k: usize, d: usize) -> Self {
        let side = k.min(d);
        Self { matrix: Matrix::zeros(side, side) }
    }

    /// Rows that make one part.
    pub fn rows_per_part(k: usize, d: usize) -> usize {
        if k < d { k } else { GRAM_PART_ROWS }
    }

    /// The part of some rows.
    pub fn compute_part<T: Number>(dictionary: &[T], d: usize, rows: Range<usize>) -> Matrix {
        let k = dictionary.len() / d;
        let rows: Vec<u32> = (rows.start as u32..rows.end as u32).collect();
        match k < d {
            true => gram(&rows_as_columns(dictionary, d, &rows)),
            false => gram_part(dictionary, d, &rows),
        }
    }

    /// Takes the next part.
    pub fn add_part(&mut self, part: &Matrix) {
        add_matrix(&mut self.matrix, part);
    }

    #[cfg(test)]
    pub(crate) fn of<T: Number>(dictionary: &[T], d: usize) -> Matrix {
        let k = dictionary.len() / d;
        let mut gram = Self::new(k, d);
        let size = Self::rows_per_part(k, d);
        for start in (0..k).step_by(size) {
            gram.add_part(&Self::compute_part(dictionary, d, start..(start + size).min(k)));
        }
        gram.matrix
    }
}

/// The chosen rows as columns of `f64` (D × n), whose Gram matrix is that of the rows.
fn rows_as_columns<T: Number>(dictionary: &[T], d: usize, rows: &[u32]) -> Matrix {
    let mut out = Matrix::zeros(d, rows.len());
    for (j, row) in rows.iter().enumerate() {
        for (i, value) in dictionary_row(dictionary, d, *row).iter().enumerate() {
            out.row_mut(i)[j] = (*value).into();
        }
    }
    out
}

/// A row of a dictionary (K × D).
pub(crate) fn dictionary_row<T: Number>(dictionary: &[T], d: usize, row: u32) -> &[T] {
    &dictionary[row as usize * d..(row as usize + 1) * d]
}

/// Writes numbers as `f64`, as many as both have.
pub fn widen_into<T: Number>(from: &[T], into: &mut [f64]) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into = (*from).into());
}

/// Σ aᵢ·bᵢ, from the first to the last.
pub fn dot<S: Number, T: Number>(a: &[S], b: &[T]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (*a).into() * (*b).into())
}

/// The largest eigenvalue of a positive semi-definite matrix, from below, to a few digits.
fn largest_eigenvalue(matrix: &Matrix) -> f64 {
    const POWER_ITERATIONS: usize = 60;
    let n = matrix.rows();
    // No eigenvector of a sensible dictionary is at right angles to this.
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64 / 16.0).collect();
    let mut value = 0.0;
    for _ in 0..POWER_ITERATIONS {
        let next: Vec<f64> = matrix.iter_rows().map(|row| kernel::dot(row, &x)).collect();
        value = kernel::dot(&next, &next).sqrt();
        if value <= 0.0 {
            return 0.0;
        }
        x = next.into_iter().map(|entry| entry / value).collect();
    }
    value
}

/// The Cholesky factor, in the lower triangle, of a symmetric matrix less `bound` on its diagonal: there
/// is one where all eigenvalues exceed the bound.
fn cholesky_shifted(mut matrix: Matrix, bound: f64) -> Option<Matrix> {
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
            return None;
        }
        row[i] = pivot.sqrt();
    }
    Some(matrix)
}

/// Whether all eigenvalues of a symmetric matrix exceed `bound`.
fn eigenvalues_exceed(matrix: Matrix, bound: f64) -> bool {
    cholesky_shifted(matrix, bound).is_some()
}

/// How large the squared lengths of rows that are taken from a dictionary (K × D, with the Gram matrix
/// of its columns) may be together, so that the others span everything for sure.
///
/// Taking rows off lowers an eigenvalue by no more than that sum (Weyl), and the smallest one is above
/// whatever bound all of them exceed.
pub fn removable_squared_length(gram: &Matrix, k: usize) -> f64 {
    /// How often a bound is halved; below, every row counts.
    const HALVINGS_MAX: i32 = 8;
    let d = gram.rows();
    let mean = (0..d).map(|i| gram.row(i)[i]).sum::<f64>() / d as f64;
    let least = largest_eigenvalue(gram) * squared_threshold(k, d);
    let mut bound = mean;
    for _ in 0..HALVINGS_MAX {
        bound /= 2.0;
        if eigenvalues_exceed(gram.clone(), bound) {
            return bound - least;
        }
    }
    0.0
}

/// Eigenvectors (as columns) and eigenvalues of a symmetric matrix.
pub(super) fn symmetric_eigen(matrix: &Matrix) -> Option<SymmetricEigen<f64, nalgebra::Dyn>> {
    /// Iterations allowed for each eigenvalue.
    const ITERATIONS_MAX: usize = 100;
    let n = matrix.rows();
    let matrix = DMatrix::from_row_slice(n, n, matrix.data());
    SymmetricEigen::try_new(matrix, f64::EPSILON, ITERATIONS_MAX * n)
}

/// Rows of L⁻¹·W: an orthonormal basis of W's row space, for the Cholesky factor L of W·Wᵀ.
fn orthonormal_rows<T: Number>(dictionary: &[T], d: usize, factor: &Matrix) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(factor.rows());
    for (i, weights) in factor.iter_rows().enumerate() {
        let mut row = vec![0.0; d];
        widen_into(dictionary_row(dictionary, d, i as u32), &mut row);
        for (other, weight) in rows.iter().zip(weights) {
            row.iter_mut().zip(other).for_each(|(value, other)| *value -= weight * other);
        }
        row.iter_mut().for_each(|value| *value /= weights[i]);
        rows.push(row);
    }
    rows
}

/// An orthonormal basis of a dictionary's row space by its smaller Gram matrix's eigenvectors.
fn eigenvector_basis<T: Number>(dictionary: &[T], d: usize, gram: &Matrix) -> Option<Vec<Vec<f64>>> {
    let k = dictionary.len() / d;
    let found = symmetric_eigen(gram)?;
    let bound = found.eigenvalues.max() * squared_threshold(k, d);
    let vectors = found.eigenvectors.column_iter().zip(found.eigenvalues.iter());
    let kept = vectors.filter(|(_, value)| **value > bound);
    Some(
        kept.map(|(vector, value)| {
            if k >= d {
                return vector.iter().copied().collect();
            }
            let mut row = vec![0.0; d];
            let length = value.sqrt();
            for (k, weight) in vector.iter().enumerate() {
                kernel::add_scaled(&mut row, weight / length, dictionary_row(dictionary, d, k as u32));
            }
            row
        })
        .collect(),
    )
}

/// What a dictionary's rows span together.
#[derive(Clone, Serialize, Deserialize)]
pub enum RowSpace {
    /// Everything: projecting changes nothing.
    All,
    /// The span of orthonormal rows (rank × D), with its transpose.
    Basis(Matrix, Matrix),
}

impl RowSpace {
    /// The row space of a dictionary (K × D) with its smaller Gram matrix; none where eigenvalues, which
    /// are looked for where the rank is not full, cannot be found.
    pub fn from_gram<T: Number>(dictionary: &[T], d: usize, gram: &Matrix) -> Option<Self> {
        let k = dictionary.len() / d;
        let share = squared_threshold(k, d);
        let full = eigenvalues_exceed(gram.clone(), largest_eigenvalue(gram) * share);
        if full && k >= d {
            return Some(Self::All);
        }
        let rows = match cholesky_shifted(gram.clone(), 0.0).filter(|_| full) {
            Some(factor) => orthonormal_rows(dictionary, d, &factor),
            None => eigenvector_basis(dictionary, d, gram)?,
        };
        let mut basis = Matrix::zeros(rows.len(), d);
        let to = basis.data_mut().chunks_exact_mut(d);
        to.zip(&rows).for_each(|(to, row)| to.copy_from_slice(row));
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
    pub fn project_outside(&self, rows: &Matrix) -> Matrix {
        match self {
            Self::All => Matrix::zeros(rows.rows(), rows.cols()),
            Self::Basis(basis, transposed) => {
                let codes = product(rows, transposed);
                let mut inside = product(&codes, basis);
                let values = inside.data_mut().iter_mut().zip(rows.data());
                values.for_each(|(inside, all)| *inside = all - *inside);
                inside
            }
        }
    }
}

/// The pseudo-inverse of the smaller Gram matrix of a dictionary.
pub enum PseudoInverse {
    /// By the matrix's Cholesky factor.
    Factor(Matrix),
    /// Itself, where the rank is not full.
    Matrix(Matrix),
}

impl PseudoInverse {
    /// Of the smaller Gram matrix of a dictionary (K × D); none where eigenvalues are not found.
    pub fn from_gram(gram: &Matrix, k: usize, d: usize) -> Option<Self> {
        if eigenvalues_exceed(gram.clone(), largest_eigenvalue(gram) * squared_threshold(k, d))
            && let Some(factor) = cholesky_shifted(gram.clone(), 0.0)
        {
            return Some(Self::Factor(factor));
        }
        let found = symmetric_eigen(gram)?;
        let bound = found.eigenvalues.max() * squared_threshold(k, d);
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
        Some(Self::Matrix(product(&scaled, &plain)))
    }

    /// Rows times it.
    pub fn apply(&self, mut rows: Matrix) -> Matrix {
        let lower = match self {
            Self::Matrix(inverse) => return product(&rows, inverse),
            Self::Factor(lower) => lower,
        };
        let n = lower.rows();
        for index in 0..rows.rows() {
            let x = rows.row_mut(index);
            for i in 0..n {
                let row = lower.row(i);
                x[i] = (x[i] - kernel::dot(&row[..i], &x[..i])) / row[i];
            }
            for i in (0..n).rev() {
                let row = lower.row(i);
                let (before, at) = x.split_at_mut(i);
                at[0] /= row[i];
                before.iter_mut().zip(row).for_each(|(value, entry)| *value -= at[0] * entry);
            }
        }
        rows
    }
}

/// Multiplications it takes to project on `n` rows of `d` entries, of `k` in all.
pub fn projection_cost(n: usize, k: usize, d: usize) -> f64 {
    let idle = (k - n) as f64;
    let (n, d) = (n as f64, d as f64);
    if idle <= 0.0 {
        // On all of them, which has been prepared.
        return 2.0 * d * d;
    }
    let side = n.min(d);
    let summed = if n > d { n.min(idle) } else { n };
    summed * side * d / 2.0 + side * side * side / 6.0 + 2.0 * n * d
}

/// A difference of Gram matrices is taken where it is not this much smaller than what it is made of.
const CANCELLATION_MAX: f64 = 1e3;

/// What of `a` is outside the span of chosen rows of a dictionary.
///
/// Rows are taken by the length of what they add to those before (a pivoted Cholesky factor of the
/// Gram matrix of the unit rows), until it falls to what `f32` does not resolve. None where
/// eigenvalues, which only more rows than dimensions can need, are not found. `whole` is the
/// dictionary's own smaller Gram matrix: of most of its rows, one less that of the few others is quicker.
pub fn rows_outside_span<T: Number>(
    dictionary: &[T],
    d: usize,
    rows: &[u32],
    a: &[f64],
    whole: &Matrix,
) -> Option<Vec<f64>> {
    if rows.len() > d {
        let k = (dictionary.len() / d) as u32;
        let gram = if 2 * rows.len() > k as usize {
            let mut taken = rows.iter().peekable();
            let others = (0..k).filter(|row| taken.next_if_eq(&row).is_none());
            let mut gram = gram_of_columns(dictionary, d, &others.collect::<Vec<u32>>());
            let entries = gram.data_mut().iter_mut().zip(whole.data());
            entries.for_each(|(entry, all)| *entry = all - *entry);
            // Where a few others outweigh all these by far, nothing but rounding would be left.
            let trace = |gram: &Matrix| (0..d).map(|at| gram.row(at)[at]).sum::<f64>();
            if trace(&gram) * CANCELLATION_MAX < trace(whole) {
                gram = gram_of_columns(dictionary, d, rows);
            }
            gram
        } else {
            gram_of_columns(dictionary, d, rows)
        };
        let bound = largest_eigenvalue(&gram) * squared_threshold(rows.len(), d);
        if eigenvalues_exceed(gram.clone(), bound) {
            return Some(vec![0.0; d]);
        }
        let found = symmetric_eigen(&gram)?;
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
    let gram = gram(&rows_as_columns(dictionary, d, rows));
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
        if most <= squared_threshold(n, d) {
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
        let along = dot(dictionary_row(dictionary, d, rows[taken]), a) / lengths[taken];
        let row = factor.row(taken);
        x[i] = (along - kernel::dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..rank).rev() {
        let below: f64 = (i + 1..rank).map(|j| factor.row(order[j])[i] * x[j]).sum();
        x[i] = (x[i] - below) / factor.row(order[i])[i];
    }
    let mut outside = a.to_vec();
    for (x, taken) in x.iter().zip(&order) {
        let row = dictionary_row(dictionary, d, rows[*taken]);
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
        let mut spared = 0;
        for (n, d, repeated) in
            [(1, 5, 0), (3, 8, 0), (8, 8, 0), (7, 9, 3), (20, 8, 0), (20, 8, 17), (30, 12, 25), (200, 5, 0)]
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
            let gram = Gram::of(&rows, d);
            let found = rows_outside_span(&rows, d, &indices, &a, &gram).unwrap();
            let space = RowSpace::from_gram(&rows, d, &gram).unwrap();
            if matches!(space, RowSpace::All) && n > d {
                let few = removable_squared_length(&gram, n);
                let others: Vec<u32> = (1..n as u32).collect();
                let one = dot(&rows[..d], &rows[..d]);
                if one < few {
                    let left = rows_outside_span(&rows, d, &others, &a, &gram).unwrap();
                    assert!(left.iter().all(|left| *left == 0.0), "{n} {d} {repeated}");
                    spared += 1;
                }
            }
            let all = space.project_outside(&Matrix::from_vec(1, d, a.clone()).unwrap());
            assert_eq!(space.rank(d), fresh.min(d), "{n} {d} {repeated}");
            // Most of more rows: what the others add is taken off again.
            let more = [rows.clone(), normals(&mut rng, d)].concat();
            let most = rows_outside_span(&more, d, &indices, &a, &Gram::of(&more, d)).unwrap();
            for (found, most) in found.iter().zip(&most) {
                assert!((found - most).abs() < 1e-5, "{n} {d} {repeated}: {found} {most}");
            }
            for ((wanted, found), all) in wanted.iter().zip(&found).zip(all.data()) {
                assert!((wanted - found).abs() < 1e-5, "{n} {d} {repeated}: {wanted} {found}");
                assert!((wanted - all).abs() < 1e-5, "{n} {d} {repeated}: {wanted} {all}");
            }
        }
        assert!(spared > 0);
        // Rows of nothing span nothing.
        let a = [1.0, 2.0];
        let none = Matrix::zeros(2, 2);
        assert_eq!(rows_outside_span(&[0.0; 4], 2, &[0, 1], &a, &none).unwrap(), a);
        assert_eq!(rows_outside_span(&[0.0; 4], 2, &[], &a, &none).unwrap(), a);
        assert_eq!(RowSpace::from_gram(&[0.0; 6], 2, &none).unwrap().rank(2), 0);
    }
}
