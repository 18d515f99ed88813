use nalgebra::{DMatrix, SymmetricEigen};

use super::singular::{RightSingularSystem, right_singular_vectors};
use super::{Matrix, column_means, gram, product, subtract_mean};
use crate::order::argsort_descending;

/// Iterations allowed for each eigenvalue or singular value.
const ITERATIONS_MAX: usize = 100;

/// Why activations give no such dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// K exceeds the numerical rank: further directions would be arbitrary, and C_GT with them.
    #[error("the activations have rank {rank}, so k can be at most {rank}; it is {k}")]
    RankDeficient {
        /// The requested K.
        k: usize,
        /// The numerical rank.
        rank: usize,
    },
    /// All activations (or all deviations from their mean) are zero.
    #[error(
        "the activations are zero, or all rows equal where they are centred, so they have no singular \
         vectors; raise weight_scale or bias_scale"
    )]
    Zero,
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration did not converge")]
    NoConvergence,
}

impl DictionaryError {
    /// A stable code, e.g. `dictionary.rank-deficient`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::RankDeficient { .. } => "dictionary.rank-deficient",
            Self::Zero => "dictionary.zero",
            Self::NoConvergence => "dictionary.no-convergence",
        }
    }
}

/// The right singular vectors of activations H (N × D), in order of falling singular value.
///
/// They are the eigenvectors of HᵀH, which takes a fraction of the time of a decomposition of H; only
/// where that would cost accuracy (singular values that differ much in size) is H itself decomposed.
/// The paper does not centre H; the centred variant (principal components) subtracts the mean row
/// first, codes the deviations, and adds the mean to every reconstruction. Each vector's sign makes
/// its entry of largest magnitude positive (the lowest index among equals).
#[derive(Clone, Debug, PartialEq)]
pub struct SvdDictionary {
    /// D × rank: one direction a column, so that a product with it makes codes.
    directions: Matrix,
    /// The mean row; none when uncentred.
    mean: Option<Vec<f64>>,
}

impl SvdDictionary {
    /// All directions that `h` determines.
    ///
    /// A direction counts as determined when its singular value exceeds the largest one times
    /// max(N, D) · ε.
    ///
    /// # Errors
    /// [`DictionaryError::Zero`] when there is none.
    pub fn new(h: &Matrix, centred: bool) -> Result<Self, DictionaryError> {
        let mean = centred.then(|| column_means(h));
        let shifted = mean.as_ref().map(|mean| subtract_mean(h, mean));
        let measured = shifted.as_ref().unwrap_or(h);
        let directions = match directions_from_gram(measured)? {
            Some(directions) => directions,
            None => directions_from_svd(measured)?,
        };
        Ok(Self { directions, mean })
    }

    /// How many directions the activations determine.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.directions.cols()
    }

    /// Checks that the dictionary has `k` directions.
    ///
    /// # Errors
    /// [`DictionaryError::RankDeficient`] when it has fewer.
    pub fn check_rank(&self, k: usize) -> Result<(), DictionaryError> {
        let rank = self.rank();
        if k <= rank { Ok(()) } else { Err(DictionaryError::RankDeficient { k, rank }) }
    }

    /// The directions as columns: D × rank.
    #[must_use]
    pub fn directions(&self) -> &Matrix {
        &self.directions
    }

    /// The mean row of a centred dictionary.
    #[must_use]
    pub fn mean(&self) -> Option<&[f64]> {
        self.mean.as_deref()
    }

    /// Codes of rows of activations on the first `k` directions: N × k.
    ///
    /// # Errors
    /// As [`SvdDictionary::check_rank`].
    pub fn encode(&self, h: &Matrix, k: usize) -> Result<Matrix, DictionaryError> {
        self.check_rank(k)?;
        let directions = self.directions.first_cols(k);
        match &self.mean {
            None => Ok(product(h, &directions)),
            Some(mean) => Ok(product(&subtract_mean(h, mean), &directions)),
        }
    }

    /// Reconstructions from codes on the first directions: N × D.
    #[must_use]
    pub fn decode(&self, codes: &Matrix) -> Matrix {
        let dictionary = self.directions.first_cols(codes.cols()).transposed();
        let mut out = product(codes, &dictionary);
        if let Some(mean) = &self.mean {
            for row in out.data_mut().chunks_exact_mut(mean.len()) {
                row.iter_mut().zip(mean).for_each(|(value, mean)| *value += mean);
            }
        }
        out
    }

    /// A readout W (o × D) of what the first `k` directions miss: W − (W·V)·Vᵀ. Applied to
    /// deviations from the mean (or to the activations, uncentred) it gives f(a) − f(π(a)).
    #[must_use]
    pub fn residual_readout(&self, readout: &Matrix, k: usize) -> Matrix {
        let directions = self.directions.first_cols(k);
        let held = product(&product(readout, &directions), &directions.transposed());
        let mut out = readout.clone();
        out.data_mut().iter_mut().zip(held.data()).for_each(|(value, held)| *value -= held);
        out
    }
}

/// Below this share of the largest eigenvalue, HᵀH (whose condition is the square of H's) no longer
/// holds the directions to the accuracy that a decomposition of H gives.
const GRAM_EIGENVALUE_RATIO_MIN: f64 = 1e-5;

/// Eigenvectors of HᵀH by falling eigenvalue, as columns; none where H is too ill conditioned.
fn directions_from_gram(h: &Matrix) -> Result<Option<Matrix>, DictionaryError> {
    let (n, d) = h.shape();
    if n < d {
        return Ok(None);
    }
    let gram = gram(h);
    if gram.data().iter().all(|value| *value == 0.0) {
        return Err(DictionaryError::Zero);
    }
    let gram = DMatrix::from_row_slice(d, d, gram.data());
    let eigen =
        SymmetricEigen::try_new(gram, f64::EPSILON, ITERATIONS_MAX * d).ok_or(DictionaryError::NoConvergence)?;
    let order = argsort_descending(eigen.eigenvalues.iter().copied());
    let value = |at: Option<&usize>| at.map_or(0.0, |index| eigen.eigenvalues[*index]);
    if value(order.last()) < GRAM_EIGENVALUE_RATIO_MIN * value(order.first()) {
        return Ok(None);
    }
    Ok(Some(columns_with_fixed_signs(d, &order, |index| eigen.eigenvectors.column(index).iter().copied().collect())))
}

/// Right singular vectors by a decomposition of H, or of the triangle of its QR decomposition.
fn directions_from_svd(h: &Matrix) -> Result<Matrix, DictionaryError> {
    let (n, d) = h.shape();
    let mut square = h.clone();
    if n > d {
        let r = DMatrix::from_row_slice(n, d, h.data()).qr().r();
        let rows = r.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>());
        square = Matrix::from_vec(d, d, rows.collect()).map_err(|_| DictionaryError::NoConvergence)?;
    }
    let RightSingularSystem { values, vectors } =
        right_singular_vectors(&square, f64::EPSILON, ITERATIONS_MAX * d).ok_or(DictionaryError::NoConvergence)?;
    let mut order = argsort_descending(values.iter().copied());
    let largest = order.first().map_or(0.0, |index| values[*index]);
    order.retain(|index| values[*index] > largest * n.max(d) as f64 * f64::EPSILON);
    if order.is_empty() {
        return Err(DictionaryError::Zero);
    }
    Ok(columns_with_fixed_signs(d, &order, |index| vectors.row(index).to_vec()))
}

/// A matrix of `rows` rows with the given vectors as columns, signs fixed.
fn columns_with_fixed_signs(rows: usize, order: &[usize], vector: impl Fn(usize) -> Vec<f64>) -> Matrix {
    let mut out = Matrix::zeros(rows, order.len());
    for (col, &index) in order.iter().enumerate() {
        let vector = vector(index);
        let flip = sign_of_largest(vector.iter().copied());
        for (row, value) in vector.iter().enumerate() {
            out.row_mut(row)[col] = flip * value;
        }
    }
    out
}

fn sign_of_largest(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.fold(0.0, |best: f64, value| if value.abs() > best.abs() { value } else { best });
    if largest < 0.0 { -1.0 } else { 1.0 }
}
