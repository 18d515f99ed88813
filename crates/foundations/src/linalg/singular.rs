//! Right singular vectors that are what they are said to be.

use super::span::symmetric_eigen;
use super::{Matrix, gram, product, scale_by_power_of_two};
use nalgebra::{DMatrix, SVD};

use crate::kernel;

/// Share of the matrix's norm by which a decomposition may miss it: far above rounding, far below what
/// a wrong one misses.
const TOLERANCE: f64 = 1e-10;
/// Most sweeps of rotations; ten are many.
const SWEEPS_MAX: usize = 60;

/// Singular values, in no order, each with its right singular vector, a row.
pub struct RightSingularSystem {
    pub values: Vec<f64>,
    pub vectors: Matrix,
}

/// Decomposes a matrix (N × D). `epsilon` and `iterations` (0: without end) are nalgebra's; where its
/// result is not a decomposition of the matrix, which happens where singular values are 0 or nearly so
/// (nalgebra issue 1172), rotations of the rows find it. None where neither does.
pub fn right_singular_vectors(a: &Matrix, epsilon: f64, iterations: usize) -> Option<RightSingularSystem> {
    let (n, d) = a.shape();
    let whole = DMatrix::from_row_slice(n, d, a.data());
    let found = SVD::try_new(whole, false, true, epsilon, iterations).and_then(|svd| {
        let v_t = svd.v_t?;
        let rows = v_t.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>());
        let vectors = Matrix::from_vec(v_t.nrows(), d, rows.collect()).ok()?;
        Some(RightSingularSystem { values: svd.singular_values.as_slice().to_vec(), vectors })
    });
    let (a, exponent) = scale_by_power_of_two(a);
    let brought = |mut found: RightSingularSystem, by: i32| {
        found.values.iter_mut().for_each(|value| *value = libm::ldexp(*value, by));
        found
    };
    match found.map(|found| brought(found, -exponent)) {
        Some(found) if found.is_decomposition_of(&a) => Some(found),
        _ => jacobi_svd(&a),
    }
    .map(|found| brought(found, exponent))
}

/// The right singular vector of the largest singular value of a matrix that has no more rows than columns, by the
/// eigenvector u of its Gram matrix: Aᵀu, of no particular length. Unlike the small ones the largest singular value
/// loses nothing by being squared; None where its square would be too large or too small a number, or where there is
/// no eigenvector.
pub fn first_singular_vector(a: &Matrix) -> Option<Vec<f64>> {
    if a.rows() > a.cols() {
        return None;
    }
    let gram = product(a, &a.transposed());
    let trace: f64 = gram.data().iter().step_by(a.rows() + 1).sum();
    if !(1e-200..1e200).contains(&trace) {
        return None;
    }
    let found = symmetric_eigen(&gram)?;
    let u = found.eigenvectors.column(found.eigenvalues.imax());
    let mut direction = vec![0.0; a.cols()];
    for (weight, row) in u.iter().zip(a.iter_rows()) {
        direction.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
    }
    Some(direction)
}

impl RightSingularSystem {
    /// Whether A·V has orthogonal columns of the lengths that the values say, and nothing of A is
    /// outside V.
    fn is_decomposition_of(&self, a: &Matrix) -> bool {
        let products = product(a, &self.vectors.transposed());
        let gram = gram(&products);
        let total: f64 = a.data().iter().map(|x| x * x).sum();
        let slack = TOLERANCE * total;
        let fits = |i: usize, j: usize| {
            let wanted = if i == j { self.values[i] * self.values[i] } else { 0.0 };
            (gram.row(i)[j] - wanted).abs() <= slack
        };
        let count = self.values.len();
        let sum: f64 = self.values.iter().map(|value| value * value).sum();
        (sum - total).abs() <= slack * count as f64 && (0..count).all(|i| (0..count).all(|j| fits(i, j)))
    }
}

/// One-sided Jacobi: pairs of rows are rotated until all are orthogonal (Hestenes, 1958); they are the
/// right singular vectors then, times the singular values. More rows than columns are made a triangle
/// first.
fn jacobi_svd(a: &Matrix) -> Option<RightSingularSystem> {
    let (n, d) = a.shape();
    let mut rows: Vec<Vec<f64>> = if n > d {
        let triangle = DMatrix::from_row_slice(n, d, a.data()).qr().r();
        triangle.row_iter().map(|row| row.iter().copied().collect()).collect()
    } else {
        a.iter_rows().map(<[f64]>::to_vec).collect()
    };
    // What is so short that nothing of it is determined is left as it is.
    let total: f64 = rows.iter().map(|row| kernel::dot(row, row)).sum();
    let nothing = total * f64::EPSILON * f64::EPSILON;
    for _ in 0..SWEEPS_MAX {
        let mut turned = false;
        for j in 1..rows.len() {
            for i in 0..j {
                let (left, right) = rows.split_at_mut(j);
                let (first, second) = (&mut left[i], &mut right[0]);
                let (alpha, beta) = (kernel::dot(first, first), kernel::dot(second, second));
                let gamma = kernel::dot(first, second);
                let small = f64::EPSILON * f64::sqrt(alpha) * f64::sqrt(beta);
                if gamma.abs() <= small || alpha.min(beta) <= nothing {
                    continue;
                }
                turned = true;
                let zeta = (beta - alpha) / (2.0 * gamma);
                let t = f64::copysign(1.0, zeta) / (zeta.abs() + f64::sqrt(1.0 + zeta * zeta));
                let c = 1.0 / f64::sqrt(1.0 + t * t);
                let s = c * t;
                for (x, y) in first.iter_mut().zip(second.iter_mut()) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
        if !turned {
            // Of what is no longer than rounding, the direction says nothing.
            let least = f64::sqrt(total) * n.max(d) as f64 * f64::EPSILON;
            let mut values = Vec::new();
            for row in &mut rows {
                let value = f64::sqrt(kernel::dot(row, row));
                let value = if value > least { value } else { 0.0 };
                row.iter_mut().for_each(|x| *x = if value > 0.0 { *x / value } else { 0.0 });
                values.push(value);
            }
            let vectors = Matrix::from_rows(&rows).ok()?;
            return Some(RightSingularSystem { values, vectors });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;

    fn largest(found: &RightSingularSystem) -> f64 {
        found.values.iter().copied().fold(0.0, f64::max)
    }

    #[test]
    fn matrices_of_ones_have_the_one_value_they_have() {
        // Of these nalgebra's decomposition with vectors is wrong for more than a quarter.
        for n in 2..=30 {
            for d in 2..=30 {
                let ones = Matrix::from_vec(n, d, vec![1.0; n * d]).unwrap();
                let found = right_singular_vectors(&ones, 5.0 * f64::EPSILON, 0).unwrap();
                let wanted = f64::sqrt((n * d) as f64);
                assert!((largest(&found) - wanted).abs() < 1e-12 * wanted, "{n} × {d}");
                let at = found.values.iter().position(|v| *v == largest(&found)).unwrap();
                let entry = 1.0 / f64::sqrt(d as f64);
                assert!(found.vectors.row(at).iter().all(|x| (x.abs() - entry).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn the_first_direction_is_the_first_of_all() {
        let mut rng = NumpyRng::new(6);
        for (n, d) in [(1, 1), (1, 5), (3, 3), (7, 40), (20, 256)] {
            let mut a = Matrix::zeros(n, d);
            rng.fill_standard_normal(a.data_mut());
            let found = first_singular_vector(&a).unwrap();
            let all = right_singular_vectors(&a, f64::EPSILON, 100 * d).unwrap();
            let at = all.values.iter().position(|value| *value == largest(&all)).unwrap();
            let length = f64::sqrt(kernel::dot(&found, &found));
            let cosine = kernel::dot(&found, all.vectors.row(at)) / length;
            assert!((cosine.abs() - 1.0).abs() < 1e-12, "{n} × {d}: {cosine}");
        }
        assert_eq!(first_singular_vector(&Matrix::zeros(2, 3)), None);
        assert_eq!(first_singular_vector(&Matrix::from_vec(1, 1, vec![1e-150]).unwrap()), None);
        assert_eq!(first_singular_vector(&Matrix::from_vec(2, 1, vec![1.0, 2.0]).unwrap()), None);
    }

    #[test]
    fn sizes_make_no_difference() {
        let mut rng = NumpyRng::new(8);
        let mut a = Matrix::zeros(4, 6);
        rng.fill_standard_normal(a.data_mut());
        let usual = right_singular_vectors(&a, f64::EPSILON, 600).unwrap();
        for by in [-1000, -530, 500, 1000] {
            let mut other = a.clone();
            other.data_mut().iter_mut().for_each(|x| *x = libm::ldexp(*x, by));
            let found = right_singular_vectors(&other, f64::EPSILON, 600).unwrap();
            let ratio = libm::ldexp(largest(&found), -by) / largest(&usual);
            assert!((ratio - 1.0).abs() < 1e-12, "2^{by}: {ratio}");
        }
    }

    #[test]
    fn rotations_decompose_whatever_there_is() {
        let mut rng = NumpyRng::new(5);
        for case in 0..400 {
            let (n, d) = (1 + rng.next_word() as usize % 9, 1 + rng.next_word() as usize % 9);
            let mut a = Matrix::zeros(n, d);
            rng.fill_standard_normal(a.data_mut());
            // Equal rows, rows of zeros, and columns of very different size.
            for row in 1..n {
                match rng.next_word() % 4 {
                    0 => a.row_mut(row).fill(0.0),
                    1 => {
                        let before = a.row(row - 1).to_vec();
                        a.row_mut(row).copy_from_slice(&before);
                    }
                    _ => {}
                }
            }
            if case % 3 == 0 {
                for row in 0..n {
                    let values = a.row_mut(row).iter_mut().enumerate();
                    values.for_each(|(at, x)| *x = libm::ldexp(*x, -4 * at as i32));
                }
            }
            let found = jacobi_svd(&a).unwrap();
            assert!(found.is_decomposition_of(&a), "case {case}");
        }
    }
}
