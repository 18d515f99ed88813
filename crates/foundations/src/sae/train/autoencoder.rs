use serde::{Deserialize, Serialize};

use super::codes::{exponentials, select_elementwise};
use super::{Codes, Family, Parameters, TrainConfig};
use crate::Matrix;
use crate::kernel::single_precision::{TopKSelector, WeightPanels, affine};
use crate::statistics;
use crate::statistics::MetricError;

/// Rows encoded at a time.
const BLOCK_ROWS: usize = 256;

/// An autoencoder to measure or to keep: it encodes each row by itself.
///
/// TopK takes each row's k largest codes, as in training. BatchTopK and Matryoshka take h where it
/// exceeds one threshold: the mean, over the batches of training, of the smallest code taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autoencoder {
    parameters: Parameters,
    k: usize,
    threshold: f32,
}

impl Autoencoder {
    pub(super) fn from_parameters(config: &TrainConfig, parameters: &Parameters, threshold: Option<f32>) -> Self {
        // Before the first batch every positive h counts.
        let threshold = threshold.unwrap_or(0.0);
        Self { parameters: parameters.clone(), k: config.k, threshold }
    }

    /// Its parameters.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The same autoencoder for activations as they were before they were multiplied by `scale` (see
    /// [`Sample::scale`](crate::synthetic::Sample)): it gives each of them the same codes. The
    /// decoder's rows are of norm 1/scale then.
    #[must_use]
    pub fn unscale(mut self, scale: f64) -> Self {
        if scale != 1.0 {
            let by = |values: &mut [f32], factor: f64| {
                values.iter_mut().for_each(|value| *value = (f64::from(*value) * factor) as f32);
            };
            by(self.parameters.encoder_mut(), scale);
            by(self.parameters.decoder_mut(), 1.0 / scale);
            by(self.parameters.b_dec_mut(), 1.0 / scale);
        }
        self
    }

    /// Codes a row, of the families that have k.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// The threshold of each latent: JumpReLU's θ, or the one of BatchTopK and Matryoshka; none for
    /// the other families.
    #[must_use]
    pub fn thresholds(&self) -> Option<Vec<f32>> {
        match self.parameters.family() {
            Family::JumpRelu => Some(self.parameters.extra(0).iter().map(|log| libm::expf(*log)).collect()),
            family if family.uses_batch_top_k() => Some(vec![self.threshold; self.parameters.latent_count()]),
            _ => None,
        }
    }

    /// Codes of rows of activations (N × D).
    ///
    /// # Errors
    /// [`MetricError::Empty`], [`MetricError::NonFinite`], [`MetricError::Shape`].
    pub fn encode_sparse(&self, activations: &Matrix) -> Result<Codes, MetricError> {
        let (d, latents) = (self.parameters.input_width(), self.parameters.latent_count());
        statistics::check_shape("activations", activations, (activations.rows(), d))?;
        statistics::check_matrix("activations", activations)?;
        let mut panels = WeightPanels::default();
        panels.fill(self.parameters.encoder(), d);
        let mut exp = Vec::new();
        exponentials(&self.parameters, &mut exp);
        let (mut centred, mut pre) = (Vec::new(), Vec::new());
        let (mut codes, mut list) = (Codes::default(), Vec::new());
        let mut selector = TopKSelector::default();
        for block in activations.data().chunks(BLOCK_ROWS * d) {
            centred.clear();
            for row in block.chunks_exact(d) {
                let row = row.iter().zip(self.parameters.b_dec());
                centred.extend(row.map(|(x, mean)| *x as f32 - mean));
            }
            pre.resize(block.len() / d * latents, 0.0);
            affine(&centred, &panels, self.parameters.b_enc(), &mut pre);
            for pre in pre.chunks_exact(latents) {
                match self.parameters.family() {
                    Family::TopK => {
                        selector.top_k(pre, self.k, &mut list);
                        list.iter().for_each(|(latent, value)| codes.push(*latent, *value));
                        codes.end_row();
                    }
                    family if family.uses_batch_top_k() => {
                        let active = (0u32..).zip(pre).filter(|(_, h)| **h > self.threshold);
                        active.for_each(|(latent, h)| codes.push(latent, *h));
                        codes.end_row();
                    }
                    _ => select_elementwise(&self.parameters, &exp, pre, &mut codes),
                }
            }
        }
        Ok(codes)
    }

    /// Codes of rows of activations (N × D), as a matrix: N × F.
    ///
    /// # Errors
    /// As [`encode_sparse`](Self::encode_sparse).
    pub fn encode(&self, activations: &Matrix) -> Result<Matrix, MetricError> {
        let sparse = self.encode_sparse(activations)?;
        let mut out = Matrix::zeros(activations.rows(), self.parameters.latent_count());
        for (index, row) in sparse.rows().enumerate() {
            let out = out.row_mut(index);
            row.iter().for_each(|(latent, value)| out[*latent as usize] = f64::from(*value));
        }
        Ok(out)
    }

    /// W_dec: F × D.
    #[must_use]
    pub fn decoder(&self) -> Matrix {
        let mut out = Matrix::zeros(self.parameters.latent_count(), self.parameters.input_width());
        let values = out.data_mut().iter_mut().zip(self.parameters.decoder());
        values.for_each(|(out, value)| *out = f64::from(*value));
        out
    }

    /// b_dec: D values.
    #[must_use]
    pub fn b_dec(&self) -> Vec<f64> {
        self.parameters.b_dec().iter().map(|value| f64::from(*value)).collect()
    }
}
