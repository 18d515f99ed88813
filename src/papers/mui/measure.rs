//! The index measured: which neurons of the little model each answer uses.

use serde::Serialize;

use super::experiment::{Experiment, experiment};
use super::metric::{Neuron, Reading, Scores, Union, contributions, promotions};
use super::report::{CheckpointFound, Growth, Report, TaskFound};
use super::settings::Settings;
use crate::Matrix;
use crate::little::{self, CHECKPOINTS, LittleError, task};
use crate::model::{Batch, Hook, Model, Parameters, Site, Taken, greatest};
use crate::world::language::{Prompts, Task, Token};

/// A model whose neurons are watched.
pub struct Subject {
    model: Model,
    /// Of each layer, neurons × words.
    promotions: Vec<Matrix>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether the model finds the right word the likeliest of all.
    pub right: bool,
    /// The neurons that count as used, by rising layer and number.
    pub neurons: Vec<Neuron>,
}

/// A task's index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Index {
    /// Share of right answers.
    pub accuracy: f64,
    /// Share of all neurons that some answer uses.
    pub mui: f64,
    /// The same of right answers alone: fewer answers, unless all are right.
    pub mui_correct: f64,
}

impl Subject {
    /// A model by its weights.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        let config = *parameters.config();
        let wide = |name: &str, rows: usize, cols: usize| {
            let values = parameters.tensor(name).iter().map(|value| f64::from(*value)).collect();
            Matrix::from_vec(rows, cols, values).unwrap_or_else(|_| Matrix::zeros(rows, cols))
        };
        let unembed = wide("unembed.W_U", config.d_model, config.vocabulary);
        let of = |layer: usize| {
            let out = wide(&format!("blocks.{layer}.mlp.W_out"), config.d_mlp, config.d_model);
            // Both have d_model by the model's own shapes.
            promotions(&out, &unembed)
                .unwrap_or_else(|_| Matrix::zeros(config.d_mlp, config.vocabulary))
        };
        Self { model: Model::new(parameters), promotions: (0..config.layers).map(of).collect() }
    }

    /// A checkpoint by its name.
    ///
    /// # Errors
    /// [`LittleError::Unknown`], [`LittleError::Absent`].
    pub fn shipped(checkpoint: &str) -> Result<Self, LittleError> {
        Ok(Self::new(&little::parameters(checkpoint)?))
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// No neuron used yet.
    #[must_use]
    pub fn union(&self) -> Union {
        let config = self.model.config();
        Union::new(config.layers, config.d_mlp)
    }

    /// What each prompt's answer uses. A neuron whose score is not above 0 does nothing for the word and never
    /// counts.
    ///
    /// # Errors
    /// [`LittleError::Model`] where prompts are too long for the model.
    pub fn answers(
        &self,
        prompts: &Prompts,
        settings: &Settings,
    ) -> Result<Vec<Answer>, LittleError> {
        let config = *self.model.config();
        let hooks: Vec<Hook> =
            (0..config.layers).map(|layer| Hook::Block(layer, Site::MlpPost)).collect();
        let mut taken = Taken::of(&hooks);
        let batch = Batch::new(&prompts.tokens)?;
        let mut positions = batch.positions();
        let logits = self.model.last_logits(&batch, &mut taken)?;
        let likeliest: Vec<Token> =
            logits.chunks_exact(config.vocabulary.max(1)).map(greatest).collect();
        let words: Vec<Token> =
            if settings.own_word() { likeliest.clone() } else { prompts.answer.clone() };
        let reading = settings.reading();
        if reading == Reading::Code {
            // The code reads a word's neurons where the word itself stands, not where it is predicted.
            let said: Vec<Vec<Token>> = prompts
                .tokens
                .iter()
                .zip(&words)
                .map(|(prompt, word)| prompt.iter().copied().chain([*word]).collect())
                .collect();
            taken = Taken::of(&hooks);
            positions += 1;
            self.model.last_logits(&Batch::new(&said)?, &mut taken)?;
        }
        let mut answers = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            let last = (at + 1) * positions - 1;
            let layers = hooks.iter().zip(&self.promotions).map(|(hook, promotions)| {
                let values = &taken.get(*hook)[last * config.d_mlp..][..config.d_mlp];
                let values: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
                match settings.score.as_str() {
                    "activation" => values,
                    _ => contributions(promotions, *word as usize, &values),
                }
            });
            let layers: Vec<Vec<f64>> = layers.collect();
            let mut neurons = match Scores::new(layers.clone(), config.d_mlp) {
                Ok(scores) => scores.selected(settings.threshold(), reading),
                // A model that has come to nothing uses nothing that can be told.
                Err(_) => Vec::new(),
            };
            neurons.retain(|(layer, neuron)| layers[*layer][*neuron] > 0.0);
            let right = likeliest[at] == prompts.answer[at];
            answers.push(Answer { right, neurons });
        }
        Ok(answers)
    }

    /// Of every answer to a task's test prompts, what it uses.
    ///
    /// # Errors
    /// As [`Self::answers`].
    pub fn task(&self, task: Task, settings: &Settings) -> Result<Vec<Answer>, LittleError> {
        self.answers(&task::tested(task, settings.prompts)?, settings)
    }

    /// What some answers of this model use.
    pub fn used<'a>(&self, answers: impl IntoIterator<Item = &'a Answer>) -> Union {
        let mut union = self.union();
        for answer in answers {
            // They are this model's own.
            let _ = union.add(&answer.neurons);
        }
        union
    }

    /// Accuracy and index of some answers.
    #[must_use]
    pub fn index(&self, answers: &[Answer]) -> Index {
        let of = |wanted: fn(&Answer) -> bool| {
            self.used(answers.iter().filter(|answer| wanted(answer))).index()
        };
        let right = answers.iter().filter(|answer| answer.right).count();
        Index {
            accuracy: right as f64 / answers.len().max(1) as f64,
            mui: of(|_| true),
            mui_correct: of(|answer| answer.right),
        }
    }

    /// The index after the first 1, 2, … answers.
    #[must_use]
    pub fn growth(&self, answers: &[Answer]) -> Vec<f64> {
        let mut union = self.union();
        let each = answers.iter().map(|answer| {
            // They are this model's own.
            let _ = union.add(&answer.neurons);
            union.index()
        });
        each.collect()
    }
}

/// Every task's index at a checkpoint.
///
/// # Errors
/// [`LittleError`].
pub fn checkpoint(settings: &Settings, name: &str) -> Result<CheckpointFound, LittleError> {
    let settings = Settings { checkpoint: name.to_owned(), ..settings.clone() };
    let found = measured(&settings)?.into_iter();
    let tasks = found.map(|(task, index)| TaskFound::of(task.name(), index)).collect();
    Ok(CheckpointFound { checkpoint: settings.checkpoint, tasks })
}

/// How the opened checkpoint's index grows, of the opened task and of all in turn.
///
/// # Errors
/// [`LittleError`].
pub fn growth(settings: &Settings) -> Result<Growth, LittleError> {
    let subject = Subject::shipped(&settings.checkpoint)?;
    let each: Result<Vec<Vec<Answer>>, LittleError> =
        Task::ALL.into_iter().map(|task| subject.task(task, settings)).collect();
    let each = each?;
    let own = each.get(settings.task() as usize).map_or(&[][..], Vec::as_slice);
    let mixed: Vec<Answer> = (0..settings.prompts)
        .flat_map(|at| each.iter().filter_map(move |answers| answers.get(at).cloned()))
        .collect();
    Ok(Growth { task: subject.growth(own), mixed: subject.growth(&mixed) })
}

/// All shipped checkpoints, telling how far it is.
///
/// # Errors
/// [`LittleError`].
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, LittleError> {
    let mut report = Report::new(settings.clone());
    for (done, name) in CHECKPOINTS.into_iter().enumerate() {
        tell(name, done as f64 / (CHECKPOINTS.len() + 1) as f64);
        report.add(checkpoint(settings, name)?);
    }
    tell("growth", CHECKPOINTS.len() as f64 / (CHECKPOINTS.len() + 1) as f64);
    report.growth = Some(growth(settings)?);
    for which in Experiment::ALL {
        tell(which.name(), CHECKPOINTS.len() as f64 / (CHECKPOINTS.len() + 1) as f64);
        report.experiments.take(experiment(settings, which)?);
    }
    Ok(report)
}

/// Accuracy and index of every task at a checkpoint, in the tasks' order.
///
/// # Errors
/// [`LittleError`].
pub fn measured(settings: &Settings) -> Result<Vec<(Task, Index)>, LittleError> {
    let subject = Subject::shipped(&settings.checkpoint)?;
    let each = Task::ALL.into_iter().map(|task| {
        let answers = subject.task(task, settings)?;
        Ok((task, subject.index(&answers)))
    });
    each.collect()
}
