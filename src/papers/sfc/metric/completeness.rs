//! Completeness C: how much of the downstream computation survives the projection on the
//! dictionary's row space (Eq. 3).

use crate::linalg;
use serde::{Deserialize, Serialize};

use crate::Matrix;

use crate::linalg::column_means;
use crate::linalg::right_singular_vectors;
use crate::linalg::span::rank_threshold;
use crate::statistics::{MetricError, check_matrix, check_shape, grand_variance, squared_error, total_sum_of_squares};

/// How completeness (Eq. 3) is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CompletenessReading {
    /// 100 rows (all, where there are fewer) picked by the completeness seed; error and variance over all their output
    /// entries together (one grand mean). This gives the paper's digits.
    #[default]
    Paper,
    /// All rows; mean squared distance over total variance (about the mean output). The textbook
    /// reading of Eq. 3.
    Total,
}

/// Rows the paper's reading looks at.
pub const PAPER_ROW_COUNT: usize = 100;

/// Completeness of outputs f(a) against the outputs f(π(a)) of the projected activations (Eq. 3),
/// both M × o.
///
/// # Formula
/// C = 1 − error/variance. [`CompletenessReading::Paper`]: mean squared difference over all M·o
/// entries, over the variance of all entries about their one grand mean.
/// [`CompletenessReading::Total`]: mean squared distance of the rows over their total variance
/// about the mean row. At most 1; negative when the projection does worse than the mean.
///
/// Which rows to look at is the caller's affair: the paper's reading takes [`PAPER_ROW_COUNT`] of them.
///
/// # Errors
/// [`MetricError::Constant`] when the outputs do not vary; [`MetricError::Empty`],
/// [`MetricError::NonFinite`], [`MetricError::Shape`].
pub fn completeness(reading: CompletenessReading, outputs: &Matrix, projected: &Matrix) -> Result<f64, MetricError> {
    check_matrix("outputs", outputs)?;
    check_shape("outputs of the projection", projected, outputs.shape())?;
    check_matrix("outputs of the projection", projected)?;
    completeness_from_error(reading, outputs, squared_error(outputs, projected))
}

/// As [`completeness`], from Σ‖f(a) − f(π(a))‖² over all rows.
pub(crate) fn completeness_from_error(
    reading: CompletenessReading,
    outputs: &Matrix,
    squared_error: f64,
) -> Result<f64, MetricError> {
    let deviations = match reading {
        CompletenessReading::Paper => grand_variance(outputs.data()) * outputs.data().len() as f64,
        CompletenessReading::Total => total_sum_of_squares(outputs, &column_means(outputs)),
    };
    if deviations > 0.0 {
        // Both error and deviations are sums; the means of Eq. 3 divide both by the same number.
        Ok(1.0 - squared_error / deviations)
    } else {
        Err(MetricError::Constant { what: "the network's output" })
    }
}

/// An orthonormal basis of a dictionary's row space.
#[derive(Clone, Debug, PartialEq)]
pub struct RowSpace {
    basis: Matrix,
}

impl RowSpace {
    /// The row space of `dictionary` (K × D), from its singular value decomposition: the right
    /// singular vectors whose singular value exceeds s_max · max(K, D) · ε.
    ///
    /// # Errors
    /// [`MetricError::Empty`], [`MetricError::NonFinite`], and [`MetricError::Undetermined`] where no
    /// decomposition is found.
    pub fn from_dictionary(dictionary: &Matrix) -> Result<Self, MetricError> {
        let (k, d) = dictionary.shape();
        Self::above_relative_cutoff(dictionary, k.max(d) as f64 * f64::EPSILON)
    }

    /// As [`RowSpace::from_dictionary`], of what single precision resolves, in which autoencoders are kept: singular
    /// values above s_max · max(K, D) · 2⁻²³.
    ///
    /// # Errors
    /// As [`RowSpace::from_dictionary`].
    pub fn from_f32_dictionary(dictionary: &Matrix) -> Result<Self, MetricError> {
        let (k, d) = dictionary.shape();
        Self::above_relative_cutoff(dictionary, rank_threshold(k, d))
    }

    /// By the singular values above a share of the largest.
    fn above_relative_cutoff(dictionary: &Matrix, share: f64) -> Result<Self, MetricError> {
        check_matrix("dictionary", dictionary)?;
        let d = dictionary.cols();
        let found = right_singular_vectors(dictionary, 5.0 * f64::EPSILON, 0).ok_or(MetricError::Undetermined)?;
        let largest = found.values.iter().copied().fold(0.0, f64::max);
        let cutoff = largest * share;
        let rows: Vec<Vec<f64>> = found
            .vectors
            .iter_rows()
            .zip(&found.values)
            .filter(|(_, value)| **value > cutoff)
            .map(|(row, _)| row.to_vec())
            .collect();
        let mut basis = Matrix::zeros(0, d);
        if !rows.is_empty() {
            basis = Matrix::from_rows(&rows)?;
        }
        Ok(Self { basis })
    }

    /// The basis vectors: rank × D, orthonormal rows.
    #[must_use]
    pub fn basis(&self) -> &Matrix {
        &self.basis
    }

    /// The projections π(a) = a·BᵀB of rows of activations (N × D).
    ///
    /// # Errors
    /// [`MetricError::Shape`] when the rows have another width.
    pub fn project(&self, a: &Matrix) -> Result<Matrix, MetricError> {
        check_shape("activations", a, (a.rows(), self.basis.cols()))?;
        let codes = linalg::product(a, &self.basis.transposed());
        Ok(linalg::product(&codes, &self.basis))
    }
}
