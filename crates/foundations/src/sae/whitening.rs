//! Activations that are whitened before they are encoded, x' = (x − μ)·M, and what is reconstructed of them times M⁻¹, plus
//! μ: folded into an autoencoder's numbers, which then are those of activations as they are.

use super::{Activation, SaeError};
use crate::io::{Array, DataFile};
use crate::{Matrix, kernel, linalg};

/// μ, M and M⁻¹.
pub struct Whitening {
    mean: Vec<f64>,
    /// Mᵀ: d × D.
    turned: Matrix,
    /// d × D.
    inverse: Matrix,
}

impl Whitening {
    /// Of the tensors `mean`, `matrix` (D × d) and `inverse_matrix` (d × D) of a file, where d are whitened dimensions.
    ///
    /// # Errors
    /// [`SaeError::Io`] for tensors that are not there or do not fit.
    pub fn open(weights: &DataFile, whitened: usize) -> Result<Self, SaeError> {
        let (mean, matrix) = (weights.array("mean")?, weights.array("matrix")?);
        let inverse = weights.array("inverse_matrix")?;
        let width = matrix.rows();
        matrix.expect_shape(width, whitened, "activations × whitened activations")?;
        inverse.expect_shape(whitened, width, "whitened activations × activations")?;
        mean.expect_shape(1, width, "one a dimension")?;
        let square = |values: Vec<f64>| {
            let mut out = Matrix::zeros(whitened, width);
            out.data_mut().copy_from_slice(&values);
            out
        };
        let turned = square(matrix.read_columns_as()?);
        let inverse = square(Array::read_all_as(inverse)?);
        Ok(Self { mean: mean.read_all_as()?, turned, inverse })
    }

    /// D.
    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// An encoder (K × d), from whose input `subtracted` was taken off before: the one of x (K × D), and what its biases
    /// grow by.
    pub fn fold_encoder(&self, of: &Matrix, subtracted: Option<&[f64]>) -> (Matrix, Vec<f64>) {
        let encoder = linalg::product(of, &self.turned);
        let rows = encoder.iter_rows().zip(of.iter_rows());
        let shift = rows.map(|(after, before)| {
            let subtracted = subtracted.map_or(0.0, |offset| kernel::dot(before, offset));
            -kernel::dot(after, &self.mean) - subtracted
        });
        let shift = shift.collect();
        (encoder, shift)
    }

    /// A decoder's rows (K × d), as rows of D.
    pub fn fold_decoder(&self, of: &Matrix) -> Matrix {
        linalg::product(of, &self.inverse)
    }

    /// A decoder's bias (d), as one of D.
    pub fn fold_decoder_bias(&self, of: &[f64]) -> Vec<f64> {
        let mut row = Matrix::zeros(1, of.len());
        row.data_mut().copy_from_slice(of);
        let offset = linalg::product(&row, &self.inverse);
        offset.row(0).iter().zip(&self.mean).map(|(b, mean)| b + mean).collect()
    }
}

/// Adds to the biases of latents before they are gated.
pub fn shift_biases(bias: &mut [f64], activation: &mut Activation, shift: &[f64]) {
    bias.iter_mut().zip(shift).for_each(|(bias, shift)| *bias += shift);
    if let Activation::Gated { gains, offsets } = activation {
        let latents = offsets.iter_mut().zip(gains.iter().zip(shift));
        latents.for_each(|(offset, (gain, shift))| *offset += gain * shift);
    }
}
