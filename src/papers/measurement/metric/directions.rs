//! Directions held against each other in blocks, so that no table of all pairs is ever in memory.

use crate::kernel;
pub(in crate::papers::measurement) use crate::linalg::unit_rows;
use crate::statistics::{MetricError, StatisticsError, StudentT};
use crate::{Matrix, statistics};

/// Rows of a block.
pub(super) const BLOCK_ROWS: usize = 256;
/// What divides is at least this.
pub(super) const NORM_MIN: f64 = 1e-8;

/// The matrix of some rows that follow each other.
pub(super) fn row_range(matrix: &Matrix, from: usize, to: usize) -> Matrix {
    let mut out = Matrix::zeros(to - from, matrix.cols());
    for (row, index) in (from..to).enumerate() {
        out.row_mut(row).copy_from_slice(matrix.row(index));
    }
    out
}

/// First and last-but-one of every block.
pub(super) fn block_ranges(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).step_by(BLOCK_ROWS).map(move |from| (from, count.min(from + BLOCK_ROWS)))
}

/// Calls `each` with every block of A·Bᵀ, and where it begins: (row of A, row of B), rows of B brought to length 1. Blocks
/// of either come in ascending order beside any block of the other.
fn for_each_product_block(a: &Matrix, b: &Matrix, mut each: impl FnMut((usize, usize), &Matrix)) {
    for (first_b, end_b) in block_ranges(b.rows()) {
        let right = unit_rows(&row_range(b, first_b, end_b)).transposed();
        for (first_a, end_a) in block_ranges(a.rows()) {
            each((first_a, first_b), &product_block(a, (first_a, end_a), &right));
        }
    }
}

/// As [`for_each_product_block`] of a matrix with itself, but for the blocks that have a twin across the diagonal: rows of A do not
/// begin beyond those of B.
pub(super) fn for_each_gram_block(a: &Matrix, mut each: impl FnMut((usize, usize), &Matrix)) {
    for (first_b, end_b) in block_ranges(a.rows()) {
        let right = row_range(a, first_b, end_b).transposed();
        for (first_a, end_a) in block_ranges(end_b) {
            each((first_a, first_b), &product_block(a, (first_a, end_a), &right));
        }
    }
}

fn product_block(a: &Matrix, (from, to): (usize, usize), right: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(to - from, right.cols());
    let left = &a.data()[from * a.cols()..to * a.cols()];
    kernel::product(left, right.data(), a.cols(), right.cols(), out.data_mut());
    out
}

/// Of each row of two matrices the largest |cosine| with a row of the other, and with which; of equal ones the first.
pub(in crate::papers::measurement) struct NearestCosines {
    pub best_for_a: Vec<(f64, usize)>,
    pub best_for_b: Vec<(f64, usize)>,
}

impl NearestCosines {
    pub fn between(a: &Matrix, b: &Matrix) -> Self {
        let a = unit_rows(a);
        let mut of_a = vec![(-1.0, 0); a.rows()];
        let mut of_b = vec![(-1.0, 0); b.rows()];
        for_each_product_block(&a, b, |(first_a, first_b), block| {
            for (i, (row, best)) in block.iter_rows().zip(of_a.iter_mut().skip(first_a)).enumerate() {
                for (j, (cosine, other)) in row.iter().zip(of_b.iter_mut().skip(first_b)).enumerate() {
                    let cosine = cosine.abs();
                    if cosine > best.0 {
                        *best = (cosine, first_b + j);
                    }
                    if cosine > other.0 {
                        *other = (cosine, first_a + i);
                    }
                }
            }
        });
        Self { best_for_a: of_a, best_for_b: of_b }
    }

    /// ½(mean over A + mean over B) of the largest |cosine|.
    pub fn agreement(&self) -> f64 {
        let mean = |side: &[(f64, usize)]| side.iter().map(|(cosine, _)| cosine).sum::<f64>() / side.len() as f64;
        0.5 * (mean(&self.best_for_a) + mean(&self.best_for_b))
    }
}

/// The expected largest |cosine| of a direction with `others` random directions of a space of `width`
/// dimensions: what agreement there is by chance.
///
/// # Formula
/// ∫₀¹ 1 − G(x)^F dx with G(x) = P(|cos| ≤ x) = P(|T| ≤ x√(D−1)/√(1−x²)), T of Student's distribution with D − 1
/// degrees of freedom; Simpson's rule over 1,024 intervals. In one dimension it is 1.
///
/// # Errors
/// [`StatisticsError::TooFew`] without a dimension or a direction.
///
/// # Examples
/// ```
/// use sfc_bench::papers::measurement::metric::chance_agreement;
/// assert_eq!(format!("{:.2}", chance_agreement(16, 32)?), "0.56");
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn chance_agreement(width: usize, others: usize) -> Result<f64, StatisticsError> {
    const SIMPSON_INTERVALS: u32 = 1_024;
    for (what, found) in [("the width", width), ("the directions", others)] {
        if found == 0 {
            return Err(StatisticsError::TooFew { what, found, needed: 1 });
        }
    }
    if width == 1 {
        return Ok(1.0);
    }
    let freedom = (width - 1) as f64;
    let student = StudentT::new(freedom)?;
    let exceeded = |x: f64| {
        let t = x * f64::sqrt(freedom) / f64::sqrt((1.0 - x) * (1.0 + x));
        let within = if x < 1.0 { 1.0 - student.two_sided_p_value(t) } else { 1.0 };
        1.0 - libm::pow(within.max(0.0), others as f64)
    };
    let step = 1.0 / f64::from(SIMPSON_INTERVALS);
    let sum: f64 = (0..=SIMPSON_INTERVALS)
        .map(|at| {
            let weight = match at {
                0 | SIMPSON_INTERVALS => 1.0,
                at if at % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * exceeded(f64::from(at) * step)
        })
        .sum();
    Ok(sum * step / 3.0)
}

/// Refuses directions that are none, not finite, not as many as features, or of another width.
pub(super) fn check_directions(
    what: &'static str,
    directions: &Matrix,
    wanted: (usize, usize),
) -> Result<(), MetricError> {
    statistics::check_shape(what, directions, wanted)?;
    statistics::check_matrix(what, directions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumpyRng;

    #[test]
    fn blocks_make_the_same_as_all_at_once() {
        let mut rng = NumpyRng::new(3);
        let mut draw = |rows| {
            let mut matrix = Matrix::zeros(rows, 5);
            rng.fill_standard_normal(matrix.data_mut());
            matrix
        };
        let (a, b) = (draw(2 * BLOCK_ROWS + 3), draw(BLOCK_ROWS + 1));
        let cosines = crate::linalg::product(&unit_rows(&a), &unit_rows(&b).transposed());
        let found = NearestCosines::between(&a, &b);
        for (row, best) in cosines.iter_rows().zip(&found.best_for_a) {
            let most = row.iter().fold(0.0, |most: f64, cosine| most.max(cosine.abs()));
            assert_eq!(*best, (most, row.iter().position(|cosine| cosine.abs() == most).unwrap()));
        }
        let columns = cosines.transposed();
        for (row, best) in columns.iter_rows().zip(&found.best_for_b) {
            let most = row.iter().fold(0.0, |most: f64, cosine| most.max(cosine.abs()));
            assert_eq!(*best, (most, row.iter().position(|cosine| cosine.abs() == most).unwrap()));
        }
    }

    #[test]
    fn chance_is_what_random_directions_come_to() {
        for (width, others) in [(2, 5), (16, 32), (48, 256)] {
            let mut rng = NumpyRng::new(1);
            let mut sum = 0.0;
            let rounds = 40;
            for _ in 0..rounds {
                let mut a = Matrix::zeros(64, width);
                let mut b = Matrix::zeros(others, width);
                rng.fill_standard_normal(a.data_mut());
                rng.fill_standard_normal(b.data_mut());
                let found = NearestCosines::between(&a, &b);
                sum += found.best_for_a.iter().map(|(cosine, _)| cosine).sum::<f64>() / 64.0;
            }
            let wanted = sum / f64::from(rounds);
            let found = chance_agreement(width, others).unwrap();
            assert!((found - wanted).abs() < 0.01, "{width}, {others}: {found} and {wanted}");
        }
        assert_eq!(chance_agreement(1, 9), Ok(1.0));
        assert!(chance_agreement(4, 0).is_err());
    }
}
