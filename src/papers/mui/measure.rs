//! The index measured: which neurons of the toy model each answer uses.

use serde::{Deserialize, Serialize};

use super::metric::{
    AnswerScores, IntegrationNodes, Neuron, NeuronUnion, Reading, contributions, direct_logit_effects,
};
use super::settings::{ACTIVATION_SCORE, INTEGRATED_GRADIENTS_SCORE, Settings};
use crate::Matrix;
use crate::model::{ActivationCache, Batch, Hook, Model, Parameters, Site, argmax_token, neuron_attributions};
use crate::synthetic::language::{Prompts, Task, Token};
use crate::toy_model::{self, ToyModelError, task};

/// Points at which integrated gradients are evaluated, as in the paper.
const GRADIENT_POINTS: usize = 10;

/// A model whose neurons are watched.
pub struct MeasuredModel {
    model: Model,
    parameters: Parameters,
    /// Of each layer, neurons × words.
    promotions: Vec<Matrix>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether the model finds the right word the likeliest of all.
    pub is_right: bool,
    /// The neurons that count as used, by rising layer and number.
    pub neurons: Vec<Neuron>,
}

/// Performance and index, as shares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiSeen"))]
pub struct TaskPoint {
    /// Share of right answers.
    pub accuracy: f64,
    /// The index.
    pub mui: f64,
}

/// What a model does on some prompts, before any neuron is selected.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardPass {
    /// Prompts × tokens up to where the neurons are read.
    tokens: Vec<Vec<Token>>,
    /// The word of each that is scored.
    words: Vec<Token>,
    /// Whether the model finds the right word the likeliest of all.
    right: Vec<bool>,
    /// Of each layer prompts × neurons.
    layers: Vec<Vec<f32>>,
}

impl ForwardPass {
    /// Prompts × tokens up to where the neurons are read.
    #[must_use]
    pub fn tokens(&self) -> &[Vec<Token>] {
        &self.tokens
    }

    /// The word of each prompt that is scored.
    #[must_use]
    pub fn scored_words(&self) -> &[Token] {
        &self.words
    }
}

/// How much each neuron has to do with some answers.
#[derive(Clone, Debug, PartialEq)]
pub struct NeuronScores {
    /// Answers × layers × neurons.
    answers: Vec<Vec<Vec<f64>>>,
    /// Whether the model finds the right word the likeliest of all.
    right: Vec<bool>,
    /// Neurons of a layer.
    neurons: usize,
}

impl NeuronScores {
    /// What each answer uses. Of the settings the threshold and the reading matter. A neuron whose score is not
    /// above 0 does nothing for the word and never counts.
    #[must_use]
    pub fn select(&self, settings: &Settings) -> Vec<Answer> {
        let each = self.answers.iter().zip(&self.right).map(|(layers, right)| {
            let mut neurons = match AnswerScores::new(layers.clone(), self.neurons) {
                Ok(scores) => scores.select(settings.threshold(), settings.reading()),
                // A model that has come to nothing uses nothing that can be told.
                Err(_) => Vec::new(),
            };
            neurons.retain(|(layer, neuron)| layers[*layer][*neuron] > 0.0);
            Answer { is_right: *right, neurons }
        });
        each.collect()
    }
}

/// A task's index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MuiMeasurement {
    /// Share of right answers.
    pub accuracy: f64,
    /// Share of all neurons that some answer uses.
    pub mui: f64,
    /// The same of right answers alone: fewer answers, unless all are right.
    pub mui_correct: f64,
}

impl MeasuredModel {
    /// A model by its weights.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let config = *parameters.config();
        let unembed = parameters.tensor("unembed.W_U");
        let unembed = matrix_from_f32(unembed, config.d_model, config.vocabulary);
        let of = |layer: usize| {
            let out = parameters.tensor(&format!("blocks.{layer}.mlp.W_out"));
            let out = matrix_from_f32(out, config.d_mlp, config.d_model);
            // Both have d_model by the model's own shapes.
            direct_logit_effects(&out, &unembed).unwrap_or_else(|_| Matrix::zeros(config.d_mlp, config.vocabulary))
        };
        let promotions = (0..config.layers).map(of).collect();
        Self { model: Model::new(parameters), parameters: parameters.clone(), promotions }
    }

    /// A checkpoint by its name.
    ///
    /// # Errors
    /// [`ToyModelError::Unknown`], [`ToyModelError::Absent`].
    pub fn load(checkpoint: &str) -> Result<Self, ToyModelError> {
        Ok(Self::new(&toy_model::load_parameters(checkpoint)?))
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// No neuron used yet.
    #[must_use]
    pub fn empty_union(&self) -> NeuronUnion {
        let config = self.model.config();
        NeuronUnion::new(config.layers, config.d_mlp)
    }

    /// What each prompt's answer uses. A neuron whose score is not above 0 does nothing for the word and never
    /// counts.
    ///
    /// # Errors
    /// [`ToyModelError::Model`] where prompts are too long for the model.
    pub fn measure_answers(&self, prompts: &Prompts, settings: &Settings) -> Result<Vec<Answer>, ToyModelError> {
        self.measure_targets(&prompts.tokens, &prompts.answers, settings)
    }

    /// The same of whatever stands before some words.
    ///
    /// # Errors
    /// As [`Self::measure_answers`].
    pub fn measure_targets(
        &self,
        tokens: &[Vec<Token>],
        words: &[Token],
        settings: &Settings,
    ) -> Result<Vec<Answer>, ToyModelError> {
        let passed = self.run_prompts(tokens, words, settings)?;
        Ok(self.score_neurons(&passed, settings)?.select(settings))
    }

    /// What the model does before some right words. Of the settings the word and the reading matter.
    ///
    /// # Errors
    /// As [`Self::measure_answers`].
    pub fn run_prompts(
        &self,
        tokens: &[Vec<Token>],
        answers: &[Token],
        settings: &Settings,
    ) -> Result<ForwardPass, ToyModelError> {
        let config = *self.model.config();
        let hooks: Vec<Hook> = (0..config.layers).map(|layer| Hook::Block(layer, Site::MlpPost)).collect();
        let mut taken = ActivationCache::for_hooks(&hooks);
        let batch = Batch::new(tokens)?;
        let mut positions = batch.position_count();
        let logits = self.model.last_logits(&batch, &mut taken)?;
        let likeliest: Vec<Token> = logits.chunks_exact(config.vocabulary.max(1)).map(argmax_token).collect();
        let right = likeliest.iter().zip(answers).map(|(said, answer)| said == answer).collect();
        let words = if settings.scores_predicted_word() { likeliest } else { answers.to_vec() };
        let mut tokens = tokens.to_vec();
        if settings.reading() == Reading::Code {
            // The code reads a word's neurons where the word itself stands, not where it is predicted.
            tokens.iter_mut().zip(&words).for_each(|(prompt, word)| prompt.push(*word));
            taken = ActivationCache::for_hooks(&hooks);
            positions += 1;
            self.model.last_logits(&Batch::new(&tokens)?, &mut taken)?;
        }
        let last = |hook: &Hook| -> Vec<f32> {
            let prompts = taken.get(*hook).chunks_exact((positions * config.d_mlp).max(1));
            prompts.flat_map(|rows| &rows[rows.len() - config.d_mlp..]).copied().collect()
        };
        Ok(ForwardPass { tokens, words, right, layers: hooks.iter().map(last).collect() })
    }

    /// How much each neuron has to do with each of these answers. Of the settings the score and the reading
    /// matter.
    ///
    /// # Errors
    /// As [`Self::measure_answers`].
    pub fn score_neurons(&self, passed: &ForwardPass, settings: &Settings) -> Result<NeuronScores, ToyModelError> {
        let width = self.model.config().d_mlp;
        let by_gradient = settings.score == INTEGRATED_GRADIENTS_SCORE;
        let attributed = if by_gradient {
            let nodes = match settings.reading() {
                Reading::Document => IntegrationNodes::Document,
                Reading::Code => IntegrationNodes::Code,
            };
            let nodes: Vec<f64> = (0..GRADIENT_POINTS).map(|k| nodes.position(k, GRADIENT_POINTS)).collect();
            neuron_attributions(&self.parameters, &passed.tokens, &passed.words, &nodes)?
        } else {
            Vec::new()
        };
        let values = if by_gradient { &attributed } else { &passed.layers };
        let answers = passed.words.iter().enumerate().map(|(at, word)| {
            let layers = values.iter().zip(&self.promotions).map(|(values, promotions)| {
                let values = values[at * width..][..width].iter().map(|value| f64::from(*value));
                let values: Vec<f64> = values.collect();
                match settings.score.as_str() {
                    ACTIVATION_SCORE | INTEGRATED_GRADIENTS_SCORE => values,
                    _ => contributions(promotions, *word as usize, &values),
                }
            });
            layers.collect()
        });
        Ok(NeuronScores { answers: answers.collect(), right: passed.right.clone(), neurons: width })
    }

    /// Of every answer to a task's test prompts, what it uses.
    ///
    /// # Errors
    /// As [`Self::measure_answers`].
    pub fn measure_task(&self, task: Task, settings: &Settings) -> Result<Vec<Answer>, ToyModelError> {
        self.measure_answers(&task::test_prompts(task, settings.prompts)?, settings)
    }

    /// What some answers of this model use.
    pub fn used_neurons<'a>(&self, answers: impl IntoIterator<Item = &'a Answer>) -> NeuronUnion {
        let mut union = self.empty_union();
        for answer in answers {
            // They are this model's own.
            let _ = union.add_answer(&answer.neurons);
        }
        union
    }

    /// Accuracy and index of some answers.
    #[must_use]
    pub fn summarise_answers(&self, answers: &[Answer]) -> MuiMeasurement {
        let of = |wanted: fn(&Answer) -> bool| self.used_neurons(answers.iter().filter(|answer| wanted(answer))).mui();
        let right = answers.iter().filter(|answer| answer.is_right).count();
        MuiMeasurement {
            accuracy: right as f64 / answers.len().max(1) as f64,
            mui: of(|_| true),
            mui_correct: of(|answer| answer.is_right),
        }
    }

    /// The index after the first 1, 2, … answers.
    #[must_use]
    pub fn mui_growth(&self, answers: &[Answer]) -> Vec<f64> {
        let mut union = self.empty_union();
        let each = answers.iter().map(|answer| {
            // They are this model's own.
            let _ = union.add_answer(&answer.neurons);
            union.mui()
        });
        each.collect()
    }
}

/// Numbers in double precision, `rows` × `cols`; zeros where they are not so many.
pub(super) fn matrix_from_f32(values: &[f32], rows: usize, cols: usize) -> Matrix {
    Matrix::from_f32(rows, cols, values.iter().copied()).unwrap_or_else(|_| Matrix::zeros(rows, cols))
}

/// Accuracy and index of every task at a checkpoint, in the tasks' order.
///
/// # Errors
/// [`ToyModelError`].
pub fn measure_tasks(settings: &Settings) -> Result<Vec<(Task, MuiMeasurement)>, ToyModelError> {
    let subject = MeasuredModel::load(&settings.checkpoint)?;
    let each = Task::ALL.into_iter().map(|task| {
        let answers = subject.measure_task(task, settings)?;
        Ok((task, subject.summarise_answers(&answers)))
    });
    each.collect()
}

/// A task's index at a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiTaskFound"))]
pub struct TaskMeasurement {
    /// The task's name.
    pub task: String,
    /// Share of right answers.
    pub accuracy: f64,
    /// Share of all neurons that some answer uses.
    pub mui: f64,
    /// The same of right answers alone.
    pub mui_correct: f64,
}

impl TaskMeasurement {
    /// Of a task.
    #[must_use]
    pub fn from_measurement(task: &str, index: MuiMeasurement) -> Self {
        let MuiMeasurement { accuracy, mui, mui_correct } = index;
        Self { task: task.to_owned(), accuracy, mui, mui_correct }
    }

    /// Performance and index in percent, as the law has them.
    #[must_use]
    pub fn to_percent(&self) -> (f64, f64) {
        (100.0 * self.accuracy, 100.0 * self.mui)
    }
}
