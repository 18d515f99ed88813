//! Autoencoders trained on the toy model's residual stream.

use serde::{Deserialize, Serialize};

use super::residual_stream::residual_stream;
use super::{FINAL_CHECKPOINT, ToyModelError};
use crate::Matrix;
use crate::sae::train::{Autoencoder, Metrics, TrainConfig, TrainError, Trainer};
use crate::synthetic::language::draw_texts;

/// The seed of the texts that autoencoders are trained on.
const TEXTS_SEED: u32 = 11;
/// Most texts that one is trained on.
pub const TEXTS_MAX: usize = 6_000;

/// What is trained, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "LittleTrainingWanted"))]
#[serde(default, deny_unknown_fields)]
pub struct TrainingOptions {
    /// How.
    pub config: TrainConfig,
    /// The checkpoint whose residual stream is read: the untrained one for a control.
    pub checkpoint: String,
    /// Texts whose tokens it is trained on, 10 to 6,000.
    pub texts: usize,
}

impl Default for TrainingOptions {
    fn default() -> Self {
        Self { config: TrainConfig::default(), checkpoint: FINAL_CHECKPOINT.to_owned(), texts: 1_000 }
    }
}

/// Why nothing can be trained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The model cannot be had.
    #[error(transparent)]
    ToyModel(#[from] ToyModelError),
    /// The trainer refuses.
    #[error(transparent)]
    Train(#[from] TrainError),
}

/// A training under way. Rows are scaled to a mean square deviation of 1, which is folded back into what
/// comes of it.
pub struct TrainingSession {
    trainer: Trainer,
    scale: f64,
}

impl TrainingSession {
    /// Begins.
    ///
    /// # Errors
    /// [`TrainingError`].
    pub fn new(wanted: &TrainingOptions) -> Result<Self, TrainingError> {
        if !(10..=TEXTS_MAX).contains(&wanted.texts) {
            let allowed = format!("10 to {TEXTS_MAX}");
            let found = wanted.texts;
            return Err(ToyModelError::Count { field: "texts", found, allowed }.into());
        }
        let model = super::load_model(&wanted.checkpoint)?;
        let rows = residual_stream(&model, &draw_texts(TEXTS_SEED, wanted.texts))?;
        let width = model.config().d_model;
        let mut data = Matrix::zeros(rows.len() / width, width);
        data.data_mut().iter_mut().zip(&rows).for_each(|(out, x)| *out = f64::from(*x));
        let mut means = vec![0.0; width];
        for row in data.data().chunks_exact(width) {
            means.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        means.iter_mut().for_each(|sum| *sum /= data.rows() as f64);
        let square = |row: &[f64]| -> f64 { row.iter().zip(&means).map(|(x, mean)| (x - mean) * (x - mean)).sum() };
        let squares: f64 = data.data().chunks_exact(width).map(square).sum();
        let scale = 1.0 / f64::sqrt((squares / rows.len() as f64).max(f64::MIN_POSITIVE));
        data.data_mut().iter_mut().for_each(|x| *x *= scale);
        Ok(Self { trainer: Trainer::new(wanted.config.clone(), &data)?, scale })
    }

    /// Takes steps.
    ///
    /// # Errors
    /// As [`Trainer::step`].
    pub fn step(&mut self, steps: u32) -> Result<Metrics, TrainError> {
        self.trainer.step(steps)
    }

    /// What it has come to, for rows as the model has them.
    #[must_use]
    pub fn autoencoder(&self) -> Autoencoder {
        self.trainer.autoencoder().unscale(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sae::train::Family;
    use crate::toy_model::{Dictionary, load_dictionary, load_model, store_dictionary};

    #[test]
    fn what_is_trained_explains_the_stream_and_can_be_used_as_a_dictionary() {
        let config = TrainConfig { latents: 64, steps: 60, ..TrainConfig::for_family(Family::TopK) };
        let wanted = TrainingOptions { config, texts: 60, ..TrainingOptions::default() };
        let mut session = TrainingSession::new(&wanted).unwrap();
        let first = session.step(1).unwrap();
        let last = session.step(59).unwrap();
        assert!(last.loss < first.loss && last.explained > 0.3, "{first:?} {last:?}");
        store_dictionary("trained", Dictionary::from_trained(session.autoencoder())).unwrap();
        let rows = residual_stream(&load_model(FINAL_CHECKPOINT).unwrap(), &draw_texts(2, 3)).unwrap();
        let found = load_dictionary("trained").unwrap();
        let codes = found.encode(&rows);
        for row in codes.chunks_exact(found.latent_count()) {
            assert!(row.iter().filter(|value| **value > 0.0).count() <= 8);
        }
        assert!(codes.iter().any(|value| *value > 0.0));
        assert_eq!(found.direction(3).len(), 48);
        assert!(TrainingSession::new(&TrainingOptions { texts: 1, ..wanted }).is_err());
    }
}
