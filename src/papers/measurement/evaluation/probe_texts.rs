//! Texts that a linear probe learns from, and what it is about.

use crate::linalg::Matrix;
use crate::model::Model;
use crate::papers::measurement::MeasurementError;
use crate::papers::measurement::metric::{Probe, ProbeScore, TrainTestSplit, probe_accuracy, train_test_split};
use crate::papers::measurement::toy_model::TEXTS_SEED_AND_COUNT;
use crate::rng::NumpyRng;
use crate::synthetic::language::{Concept, Task, concept_label, draw_texts};
use crate::toy_model::residual_stream::residual_stream;

/// The concept that a task is about.
#[must_use]
pub fn concept_of_task(task: Task) -> Concept {
    match task {
        Task::Ioi => Concept::Person,
        Task::Copy | Task::Recall => Concept::Object,
        Task::Count | Task::Sum | Task::Sum3 => Concept::Number,
        Task::Agree => Concept::Animal,
        Task::Colour => Concept::Colour,
        Task::Mood => Concept::Positive,
        Task::Request => Concept::Unsafe,
    }
}

/// Natural texts (seed 2, 600 of them) that clearly express a concept or do not at all, each with the mean over its
/// positions of `blocks.1.hook_resid_post`, the first position left out: what the probes of EX24 and EX25 learn from.
/// Texts in which one word alone expresses the concept (label 1) are left out.
#[derive(Clone, Debug)]
pub struct ProbeTexts {
    inputs: Matrix,
    labels: Vec<bool>,
}

impl ProbeTexts {
    /// As a model reads them.
    ///
    /// # Errors
    /// [`MeasurementError`], for a model that does not know the texts' words.
    pub fn from_model(model: &Model, concept: Concept) -> Result<Self, MeasurementError> {
        let mut texts = draw_texts(TEXTS_SEED_AND_COUNT.0, TEXTS_SEED_AND_COUNT.1);
        texts.retain(|text| concept_label(text, concept) != 1);
        let labels = texts.iter().map(|text| concept_label(text, concept) == 2).collect();
        let width = model.config().d_model;
        let all = residual_stream(model, &texts)?;
        let numbers = (all.len() / texts.len().max(1)).max(width);
        let mut inputs = Matrix::zeros(texts.len(), width);
        for (index, text) in all.chunks_exact(numbers).enumerate() {
            let positions = (numbers / width) as f64;
            let mean = inputs.row_mut(index);
            for row in text.chunks_exact(width) {
                mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(*x) / positions);
            }
        }
        Ok(Self { inputs, labels })
    }

    /// How many texts there are.
    #[must_use]
    pub fn text_count(&self) -> usize {
        self.labels.len()
    }

    /// How many of them express the concept.
    #[must_use]
    pub fn positive_count(&self) -> usize {
        self.labels.iter().filter(|label| **label).count()
    }

    /// How good a probe is that learns from 70 % of the texts and is scored on the others; the seed draws which.
    ///
    /// # Errors
    /// As [`probe_accuracy`].
    pub fn score_probe(&self, seed: u32) -> Result<ProbeScore, MeasurementError> {
        Ok(probe_accuracy(&self.inputs, &self.labels, seed)?)
    }

    /// The same with labels in another order, `RandomState(seed).permutation`: there is nothing to learn.
    ///
    /// # Errors
    /// As [`Self::score_probe`].
    pub fn score_shuffled_labels(&self, seed: u32) -> Result<ProbeScore, MeasurementError> {
        let order = NumpyRng::new(seed).permutation(self.labels.len() as u32);
        let labels = order.iter().filter_map(|at| self.labels.get(*at as usize).copied());
        Ok(probe_accuracy(&self.inputs, &labels.collect::<Vec<bool>>(), seed)?)
    }

    /// Of each text held out its place and whether the probe is right about it, 1 or 0; by place.
    ///
    /// # Errors
    /// As [`Self::score_probe`].
    pub fn correct_on_test(&self, seed: u32) -> Result<(Vec<usize>, Vec<f64>), MeasurementError> {
        let TrainTestSplit { train, mut test } = train_test_split(self.text_count(), seed)?;
        test.sort_unstable();
        let picked = |rows: &[u32]| -> Vec<bool> {
            rows.iter().filter_map(|at| self.labels.get(*at as usize).copied()).collect()
        };
        let probe = Probe::fit(&self.inputs.select_rows(&train), &picked(&train))?;
        let held = self.inputs.select_rows(&test);
        let each = held.iter_rows().zip(picked(&test));
        let right = each.map(|(row, label)| if (probe.log_odds(row) > 0.0) == label { 1.0 } else { 0.0 });
        let right: Vec<f64> = right.collect();
        Ok((test.into_iter().map(|at| at as usize).collect(), right))
    }
}
