//! Fixed work for the toy model, to measure its speed by: the ten tasks' prompts through it, all those of
//! a task at once, and steps of its training on one lesson.

use super::task::test_prompts;
use super::{FINAL_CHECKPOINT, ToyModelError, load_parameters};
use crate::model::{AdamW, Batch, Config, Model, ModelError, Training, TrainingBatch};
use crate::synthetic::language::{LanguageRng, Task, Text};

/// Prompts of each task.
const PROMPTS_PER_TASK: usize = 128;
/// Texts of the lesson, as many as the model was trained on at once.
const BATCH_TEXTS: usize = 64;
/// How much more a determined token counts in it.
const ANSWER_WEIGHT: f32 = 8.0;
/// Learning rate.
pub const LEARNING_RATE: f64 = 1e-3;

/// The model with what it is to work on.
pub struct Workload {
    model: Model,
    batches: Vec<Batch>,
    training: Training,
    lesson: TrainingBatch,
}

impl Workload {
    /// Lays out the last checkpoint, prompts and texts.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`] where the checkpoint is not here.
    pub fn new() -> Result<Self, ToyModelError> {
        let parameters = load_parameters(FINAL_CHECKPOINT)?;
        let batch = |task| Ok(Batch::new(&test_prompts(task, PROMPTS_PER_TASK)?.tokens)?);
        let batches = Task::ALL.into_iter().map(batch).collect::<Result<_, ToyModelError>>()?;
        let mut draws = LanguageRng::new(1);
        let texts: Vec<Text> = (0..BATCH_TEXTS).map(|_| Text::draw(&mut draws)).collect();
        Ok(Self {
            model: Model::new(&parameters),
            batches,
            training: Training::new(parameters, AdamW::default()),
            lesson: TrainingBatch::new(&texts, ANSWER_WEIGHT)?,
        })
    }

    /// The prompts of each task.
    #[must_use]
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// Tokens that [`forward`](Self::forward) reads.
    #[must_use]
    pub fn forward_token_count(&self) -> usize {
        self.batches.iter().map(|batch| batch.tokens().len()).sum()
    }

    /// Multiplications and additions of the products in [`forward`](Self::forward). Means, exponentials and
    /// activation functions are not counted, nor what attention computes of positions that it may not see.
    #[must_use]
    pub fn flops(&self) -> f64 {
        self.batches.iter().map(|batch| flops(self.model.config(), batch)).sum()
    }

    /// Computes the logits after every position of every prompt; returns their sum.
    ///
    /// # Errors
    /// None with the shipped checkpoint.
    pub fn forward(&self) -> Result<f64, ModelError> {
        let mut sum = 0.0;
        for batch in &self.batches {
            let logits = self.model.logits(batch, &mut ())?;
            sum += logits.iter().map(|logit| f64::from(*logit)).sum::<f64>();
        }
        Ok(sum)
    }

    /// What [`train`](Self::train) learns from.
    #[must_use]
    pub fn training_batch(&self) -> &TrainingBatch {
        &self.lesson
    }

    /// Tokens that a step of [`train`](Self::train) learns from.
    #[must_use]
    pub fn training_token_count(&self) -> usize {
        self.lesson.target_count()
    }

    /// Takes a step of training, forth, back and by AdamW; returns the loss before it.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn train(&mut self) -> Result<f64, ModelError> {
        self.training.step(&self.lesson, LEARNING_RATE)
    }
}

fn flops(config: &Config, batch: &Batch) -> f64 {
    let Config { layers, heads, d_model, d_head, d_mlp, vocabulary, .. } = *config;
    let (width, positions) = (heads * d_head, batch.position_count());
    let layer = 4 * d_model * width + 2 * d_model * d_mlp;
    let looks = positions * (positions + 1) / 2;
    let of_prompt = positions * (layers * layer + d_model * vocabulary) + layers * looks * 2 * width;
    (2 * batch.prompt_count() * of_prompt) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of one prompt of two tokens, by hand.
    #[test]
    fn operations_are_those_of_the_products() {
        let batch = Batch::new(&[[0, 1]]).unwrap();
        let products = 3 * (3 * 48 * 48 + 48 * 48 + 48 * 192 + 192 * 48) + 48 * 144;
        // One position looks at one, the other at two; in scores and in sums; 4 heads of 12, 3 layers.
        let attention = 3 * 2 * 12 * 4 * 3;
        assert_eq!(flops(&Config::TOY_MODEL, &batch), f64::from(2 * (2 * products + attention)));
    }
}
