use serde::{Deserialize, Serialize};

use super::Family;
use crate::NumpyRng;

/// An autoencoder's parameters, or numbers of the same shape such as their gradients.
///
/// One row a latent in both matrices, as `torch.nn.Linear` keeps an encoder; SAELens transposes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "TrainParameters"))]
pub struct Parameters {
    family: Family,
    inputs: usize,
    latents: usize,
    /// W_enc (F × D), W_dec (F × D), b_enc (F), b_dec (D), then what the family has besides: ln θ (F)
    /// of JumpReLU; r and b_mag (F each) of Gated.
    values: Vec<f32>,
}

impl Parameters {
    /// Zeros.
    #[must_use]
    pub fn zeros(family: Family, inputs: usize, latents: usize) -> Self {
        let more = match family {
            Family::JumpRelu => 1,
            Family::Gated => 2,
            _ => 0,
        };
        let len = 2 * inputs * latents + inputs + (1 + more) * latents;
        Self { family, inputs, latents, values: vec![0.0; len] }
    }

    /// Where training begins: decoder rows of norm 1 in random directions, the encoder equal to the
    /// decoder, b_dec as given, other biases 0, θ as given.
    pub(super) fn random_init(
        family: Family,
        latents: usize,
        b_dec: &[f32],
        threshold: f32,
        rng: &mut NumpyRng,
    ) -> Self {
        let inputs = b_dec.len();
        let mut out = Self::zeros(family, inputs, latents);
        for row in out.decoder_mut().chunks_exact_mut(inputs) {
            let direction: Vec<f64> = (0..inputs).map(|_| rng.standard_normal()).collect();
            let norm = f64::sqrt(direction.iter().map(|x| x * x).sum());
            row.iter_mut().zip(&direction).for_each(|(out, x)| *out = (x / norm) as f32);
        }
        let decoder = out.decoder().to_vec();
        out.encoder_mut().copy_from_slice(&decoder);
        out.b_dec_mut().copy_from_slice(b_dec);
        if family == Family::JumpRelu {
            out.extra_mut(0).fill(libm::logf(threshold));
        }
        out
    }

    /// Which family's.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// Input width D.
    #[must_use]
    pub fn input_width(&self) -> usize {
        self.inputs
    }

    /// Latents F.
    #[must_use]
    pub fn latent_count(&self) -> usize {
        self.latents
    }

    /// All of them, in the order W_enc, W_dec, b_enc, b_dec, extras.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All of them.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    fn matrix_len(&self) -> usize {
        self.inputs * self.latents
    }

    /// W_enc: F × D.
    #[must_use]
    pub fn encoder(&self) -> &[f32] {
        &self.values[..self.matrix_len()]
    }

    /// W_enc: F × D.
    pub fn encoder_mut(&mut self) -> &mut [f32] {
        let end = self.matrix_len();
        &mut self.values[..end]
    }

    /// W_dec: F × D.
    #[must_use]
    pub fn decoder(&self) -> &[f32] {
        &self.values[self.matrix_len()..2 * self.matrix_len()]
    }

    /// W_dec: F × D.
    pub fn decoder_mut(&mut self) -> &mut [f32] {
        let size = self.matrix_len();
        &mut self.values[size..2 * size]
    }

    /// W_enc and W_dec.
    pub(super) fn matrices_mut(&mut self) -> (&mut [f32], &mut [f32]) {
        let size = self.matrix_len();
        self.values[..2 * size].split_at_mut(size)
    }

    /// b_enc: F values.
    #[must_use]
    pub fn b_enc(&self) -> &[f32] {
        let start = 2 * self.matrix_len();
        &self.values[start..start + self.latents]
    }

    /// b_enc: F values.
    pub fn b_enc_mut(&mut self) -> &mut [f32] {
        let (start, len) = (2 * self.matrix_len(), self.latents);
        &mut self.values[start..start + len]
    }

    /// b_dec: D values.
    #[must_use]
    pub fn b_dec(&self) -> &[f32] {
        let start = 2 * self.matrix_len() + self.latents;
        &self.values[start..start + self.inputs]
    }

    /// b_dec: D values.
    pub fn b_dec_mut(&mut self) -> &mut [f32] {
        let (start, len) = (2 * self.matrix_len() + self.latents, self.inputs);
        &mut self.values[start..start + len]
    }

    /// What the family has besides, F values: JumpReLU's ln θ as 0; Gated's r as 0 and b_mag as 1.
    ///
    /// # Panics
    /// When the family has no such values, as indexing does.
    #[must_use]
    pub fn extra(&self, which: usize) -> &[f32] {
        let start = 2 * self.matrix_len() + self.inputs + (1 + which) * self.latents;
        &self.values[start..start + self.latents]
    }

    /// As [`extra`](Self::extra).
    ///
    /// # Panics
    /// When the family has no such values, as indexing does.
    pub fn extra_mut(&mut self, which: usize) -> &mut [f32] {
        let len = self.latents;
        let start = 2 * self.matrix_len() + self.inputs + (1 + which) * len;
        &mut self.values[start..start + len]
    }

    /// Places, among all values, of those that belong to one latent alone.
    pub(super) fn indices_of_latent(&self, latent: usize) -> impl Iterator<Item = usize> + use<> {
        let (size, inputs, latents) = (self.matrix_len(), self.inputs, self.latents);
        let row = latent * inputs..(latent + 1) * inputs;
        let biases = std::iter::once(2 * size + latent);
        let extras = (2 * size + latents + inputs + latent..self.values.len()).step_by(latents);
        row.clone().chain(row.map(move |at| at + size)).chain(biases).chain(extras)
    }

    /// Makes every row of the decoder unit; one of norm 0 stays.
    pub(super) fn normalise_decoder(&mut self) {
        let inputs = self.inputs;
        for row in self.decoder_mut().chunks_exact_mut(inputs) {
            let norm = f32::sqrt(crate::kernel::single_precision::dot(row, row));
            if norm > 0.0 {
                let factor = 1.0 / norm;
                row.iter_mut().for_each(|value| *value *= factor);
            }
        }
    }
}
