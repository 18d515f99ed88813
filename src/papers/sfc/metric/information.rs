//! The information-theoretic analogues (§3.5, §5.5): rate for sparsity, distortion for fidelity,
//! relevance for completeness.
//!
//! The paper prints no formula for any of them. Rate and distortion were identified by their
//! printed values; relevance was not, and what stands here is a definition of ours.

use crate::Matrix;
use crate::kernel::dot;
use crate::statistics::{
    Bins, MetricError, PearsonSums, check_matrix, check_shape, entropy, grand_variance, squared_error,
};

/// Bins of the rate's histograms.
pub const RATE_BINS: usize = 30;

/// Rate: mean over the features of the entropy of a histogram of that feature's codes.
///
/// # Formula
/// R = 1/K Σₖ H(histogram of cₖ) / ln bins, with natural logarithms and `numpy.histogram`'s bins:
/// equal ones from the feature's least to its greatest code, the last one closed, zeros included; a
/// constant feature has entropy 0. From 0 to 1; `codes` is N × K.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Bins`] for fewer than two.
pub fn rate(codes: &Matrix, bins: usize) -> Result<f64, MetricError> {
    check_matrix("codes", codes)?;
    if bins < 2 {
        return Err(MetricError::Bins { bins });
    }
    let mut edges = Bins::new(bins);
    let mut counts = vec![0; bins];
    let mut total = 0.0;
    for column in codes.transposed().iter_rows() {
        let first = column.iter().copied().fold(f64::INFINITY, f64::min);
        let last = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if first < last {
            edges.set_range(first, last);
            counts.fill(0);
            column.iter().for_each(|code| counts[edges.bin_index(*code)] += 1);
            total += entropy(&counts, column.len());
        }
    }
    Ok(total / (codes.cols() as f64 * libm::log(bins as f64)))
}

/// Distortion: mean squared error over the variance of the activations, both over all entries
/// together.
///
/// # Formula
/// mean((A − Â)²) / var(A), var about the one grand mean; 0 for a perfect reconstruction. (§3.5 says
/// "1 − F", but the printed values are these.)
///
/// # Errors
/// [`MetricError::Constant`] when all activations are equal; [`MetricError::Empty`],
/// [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn distortion(a: &Matrix, a_hat: &Matrix) -> Result<f64, MetricError> {
    check_matrix("activations", a)?;
    check_shape("reconstruction", a_hat, a.shape())?;
    check_matrix("reconstruction", a_hat)?;
    let entries = a.data().len();
    let variance = grand_variance(a.data());
    if variance > 0.0 {
        Ok(squared_error(a, a_hat) / entries as f64 / variance)
    } else {
        Err(MetricError::Constant { what: "the activations" })
    }
}

/// Relevance, in a definition of ours: |Pearson correlation| of the codes' norms with the outputs'.
///
/// # Formula
/// |r(‖cᵢ‖₂, ‖yᵢ‖₂)| over the rows; 0 when either does not vary. The paper prints "near 0.335" and
/// no formula; on its data this gives 0.359 at λ = 0 and 0.347 at λ = 0.95.
///
/// # Errors
/// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Shape`] when the numbers
/// of rows differ.
pub fn relevance(codes: &Matrix, outputs: &Matrix) -> Result<f64, MetricError> {
    check_matrix("codes", codes)?;
    check_matrix("outputs", outputs)?;
    check_shape("outputs", outputs, (codes.rows(), outputs.cols()))?;
    let (x, y) = (row_norms(codes), row_norms(outputs));
    let mut sums = PearsonSums::new(x[0], y[0]);
    x.iter().zip(&y).for_each(|(x, y)| sums.add(*x, *y));
    Ok(sums.correlation().abs())
}

/// ‖·‖₂ of each row.
pub(crate) fn row_norms(matrix: &Matrix) -> Vec<f64> {
    matrix.iter_rows().map(|row| f64::sqrt(dot(row, row))).collect()
}
