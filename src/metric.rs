//! The metrics, each for any decomposition.
//!
//! A decomposition of activations A (N × D) is a dictionary W (K × D) and codes c (N × K) with the
//! reconstruction Â = c·W (§3.1). Nothing here assumes an orthonormal dictionary; the fast path for
//! one, in [`crate::study`], is tested against these functions.

pub mod completeness;
pub mod fidelity;
mod ground_truth;
pub mod information;
pub mod recovery;
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
    /// A histogram needs at least two bins.
    #[error("{bins} bins are asked for; allowed: 2 or more")]
    Bins {
        /// The number asked for.
        bins: usize,
    },
    /// No decomposition of a matrix was found.
    #[error("no singular value decomposition of the dictionary was found")]
    Undetermined,
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
            Self::Bins { .. } => "metric.bins",
            Self::Index { .. } => "metric.index",
            Self::Undetermined => "metric.undetermined",
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

/// Means of the columns, summed about the first row: exact where a column is constant.
pub(crate) fn column_means(matrix: &Matrix) -> Vec<f64> {
    let mut means = vec![0.0; matrix.cols()];
    if matrix.rows() == 0 {
        return means;
    }
    let about = matrix.row(0);
    for row in matrix.iter_rows() {
        for ((sum, value), about) in means.iter_mut().zip(row).zip(about) {
            *sum += value - about;
        }
    }
    let rows = matrix.rows() as f64;
    means.iter_mut().zip(about).for_each(|(sum, about)| *sum = about + *sum / rows);
    means
}

/// Σ (x − column mean)² over all entries.
pub(crate) fn total_sum_of_squares(matrix: &Matrix, means: &[f64]) -> f64 {
    matrix
        .iter_rows()
        .map(|row| row.iter().zip(means).map(|(x, mean)| (x - mean) * (x - mean)).sum::<f64>())
        .sum()
}

/// Population variance over all entries together, about their one grand mean; exactly 0 where they
/// are all equal.
pub(crate) fn grand_variance(values: &[f64]) -> f64 {
    let Some(&about) = values.first() else { return 0.0 };
    let n = values.len() as f64;
    let mean = about + sum_by_chunks(values, |x| x - about) / n;
    sum_by_chunks(values, |x| (x - mean) * (x - mean)) / n
}

/// The sum of chunks' sums, each from its first value to its last. Several chunks are summed abreast,
/// since one addition would wait for the one before.
fn sum_by_chunks(values: &[f64], term: impl Fn(f64) -> f64) -> f64 {
    const CHUNK: usize = 256;
    const ABREAST: usize = 4;
    let mut total = 0.0;
    let groups = values.chunks_exact(ABREAST * CHUNK);
    let rest = groups.remainder();
    for group in groups {
        let (a, b) = group.split_at(2 * CHUNK);
        let ((a, b), (c, d)) = (a.split_at(CHUNK), b.split_at(CHUNK));
        let mut sums = [0.0; ABREAST];
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            sums.iter_mut().zip([a, b, c, d]).for_each(|(sum, x)| *sum += term(*x));
        }
        sums.into_iter().for_each(|sum| total += sum);
    }
    for chunk in rest.chunks(CHUNK) {
        total += chunk.iter().map(|x| term(*x)).sum::<f64>();
    }
    total
}

/// Σ (x − y)² over all entries.
pub(crate) fn squared_error(a: &Matrix, b: &Matrix) -> f64 {
    a.iter_rows()
        .zip(b.iter_rows())
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>())
        .sum()
}
