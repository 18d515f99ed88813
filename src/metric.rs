//! The metrics, each for any decomposition.
//!
//! A decomposition of activations A (N × D) is a dictionary W (K × D) and codes c (N × K) with the
//! reconstruction Â = c·W (§3.1). Nothing here assumes an orthonormal dictionary; the fast path for
//! one, in [`crate::study`], is tested against these functions.

pub mod completeness;
pub mod fidelity;
mod ground_truth;
pub mod information;
pub mod score;
mod sparsity;

pub use ground_truth::{c_gt, c_gt_chance};
pub use sparsity::{ACTIVE_THRESHOLD, sparsity};

use crate::Matrix;

/// Why a metric has no value on the given data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// There is nothing to measure.
    #[error("{what} has no entries")]
    Empty {
        /// The empty argument.
        what: &'static str,
    },
    /// An entry is NaN or infinite.
    #[error("{what} holds a value that is not finite, at row {row}, column {column}")]
    NonFinite {
        /// The argument.
        what: &'static str,
        /// Row of the first such entry.
        row: usize,
        /// Column of the first such entry.
        column: usize,
    },
    /// Two arguments do not fit each other.
    #[error(
        "{what} is {} × {}, but {} × {} is needed",
        found.0, found.1, wanted.0, wanted.1
    )]
    Shape {
        /// The argument.
        what: &'static str,
        /// Its shape.
        found: (usize, usize),
        /// The shape it should have.
        wanted: (usize, usize),
    },
    /// The metric divides by a variance that is zero.
    #[error("{what} does not vary, so the metric that divides by its variance is undefined")]
    Constant {
        /// What does not vary.
        what: &'static str,
    },
    /// An index points outside.
    #[error("{what} {index} is outside 0..{len}")]
    Index {
        /// What is indexed.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        len: usize,
    },
}

impl MetricError {
    /// A stable code, e.g. `metric.constant`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "metric.empty",
            Self::NonFinite { .. } => "metric.non-finite",
            Self::Shape { .. } => "metric.shape",
            Self::Constant { .. } => "metric.constant",
            Self::Index { .. } => "metric.index",
        }
    }
}

/// Refuses an empty matrix and one with NaN or infinite entries.
pub(crate) fn check(what: &'static str, matrix: &Matrix) -> Result<(), MetricError> {
    if matrix.data().is_empty() {
        return Err(MetricError::Empty { what });
    }
    match matrix.data().iter().position(|value| !value.is_finite()) {
        Some(at) => Err(MetricError::NonFinite {
            what,
            row: at / matrix.cols(),
            column: at % matrix.cols(),
        }),
        None => Ok(()),
    }
}

pub(crate) fn check_shape(
    what: &'static str,
    matrix: &Matrix,
    wanted: (usize, usize),
) -> Result<(), MetricError> {
    if matrix.shape() == wanted {
        Ok(())
    } else {
        Err(MetricError::Shape { what, found: matrix.shape(), wanted })
    }
}

/// Means of the columns.
pub(crate) fn column_means(matrix: &Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; matrix.cols()];
    for row in matrix.iter_rows() {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let rows = matrix.rows() as f64;
    sums.iter_mut().for_each(|sum| *sum /= rows);
    sums
}

/// Σ (x − column mean)² over all entries.
pub(crate) fn total_sum_of_squares(matrix: &Matrix, means: &[f64]) -> f64 {
    matrix
        .iter_rows()
        .map(|row| row.iter().zip(means).map(|(x, mean)| (x - mean) * (x - mean)).sum::<f64>())
        .sum()
}

/// Population variance over all entries together, about their one grand mean.
pub(crate) fn grand_variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = crate::kernel::sum(values) / n;
    values.chunks(256).map(|c| c.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()).sum::<f64>()
        / n
}

/// Σ (x − y)² over all entries.
pub(crate) fn squared_error(a: &Matrix, b: &Matrix) -> f64 {
    a.iter_rows()
        .zip(b.iter_rows())
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>())
        .sum()
}
