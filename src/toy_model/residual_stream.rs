//! The residual stream of texts, where autoencoders read it.

use super::{AUTOENCODER_LAYER, Dictionary, ToyModelError};
use crate::model::{Batch, Model};
use crate::synthetic::language::Token;

/// Texts that are computed at once: their numbers stay in the caches.
const TEXTS_AT_ONCE: usize = 64;

/// `blocks.1.hook_resid_post` of texts of one length, without the first token, which is the same in all:
/// texts × (positions − 1) × d_model.
///
/// # Errors
/// As [`Model::logits`].
pub fn residual_stream(model: &Model, texts: &[Vec<Token>]) -> Result<Vec<f32>, ToyModelError> {
    residual_stream_after(model, texts, AUTOENCODER_LAYER)
}

/// The same after another layer.
///
/// # Errors
/// As [`Model::residual_after`].
pub fn residual_stream_after(model: &Model, texts: &[Vec<Token>], layer: usize) -> Result<Vec<f32>, ToyModelError> {
    let width = model.config().d_model;
    let mut all = Vec::new();
    for texts in texts.chunks(TEXTS_AT_ONCE) {
        let batch = Batch::new(texts)?;
        let residual = model.residual_after(&batch, layer, &mut ())?;
        for text in residual.chunks_exact(batch.position_count() * width) {
            all.extend_from_slice(&text[width..]);
        }
    }
    Ok(all)
}

/// Latents of texts' tokens, the first of each text left out.
#[derive(Clone, Debug)]
pub struct Codes {
    latents: usize,
    /// Tokens of a text.
    tokens: usize,
    values: Vec<f32>,
}

impl Codes {
    /// Of the residual stream of texts, each of `tokens` tokens, as [`residual_stream`] gives it.
    #[must_use]
    pub fn encode(dictionary: &Dictionary, residual: &[f32], tokens: usize) -> Self {
        Self { latents: dictionary.latent_count(), tokens, values: dictionary.encode(residual) }
    }

    /// How many latents.
    #[must_use]
    pub fn latent_count(&self) -> usize {
        self.latents
    }

    /// Each text's tokens × latents.
    pub fn by_text(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact((self.tokens * self.latents).max(1))
    }

    /// Every token's latents, text after text.
    pub fn by_token(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.latents.max(1))
    }

    /// Each text's activations of a latent, token by token.
    pub fn latent_by_text(&self, latent: usize) -> impl Iterator<Item = Vec<f64>> {
        self.by_text()
            .map(move |text| text.iter().skip(latent).step_by(self.latents).map(|value| f64::from(*value)).collect())
    }

    /// A latent's activations on the tokens of a text.
    #[must_use]
    pub fn latent_on_text(&self, text: usize, latent: usize) -> Vec<f32> {
        let found = self.by_text().nth(text).unwrap_or(&[]);
        found.iter().skip(latent).step_by(self.latents.max(1)).copied().collect()
    }
}
