//! Models of the planted language that are smaller than the little one, or were trained for less long, to be held
//! against each other.

use super::settings::TrainingData;
use super::settings::{NEW_WEIGHTS, Settings};
use super::training::{TrainingRequest, TrainingSession, model_config};
use crate::io::DataFile;
use crate::model::{Batch, Config, Model, Parameters};
use crate::synthetic::language::{CONTEXT_TOKENS, Grammar, LanguageRng, Text, Token, VOCABULARY};
use crate::toy_model::{self, ToyModelError};

/// The shipped file of [`BASELINES`].
pub const BASELINES_FILE: &str = "models";
/// The shipped file of [`SECOND_BASELINES`].
pub const SECOND_BASELINES_FILE: &str = "models-second";

/// A model that was trained as [`BaselineModel::train`] does, and shipped in float16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaselineModel {
    /// "w24-l2": width and layers; the seed or the steps where they are others.
    pub name: &'static str,
    /// Width of the residual stream.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// The seed of weights and texts.
    pub seed: u32,
    /// Steps of its training.
    pub steps: u32,
    /// The grammar of the texts that it learnt from.
    pub grammar: Grammar,
}

const fn first_baseline(name: &'static str, width: usize, layers: usize, seed: u32, steps: u32) -> BaselineModel {
    BaselineModel { name, width, layers, seed, steps, grammar: Grammar::First }
}

const fn second_baseline(name: &'static str, width: usize, layers: usize, seed: u32) -> BaselineModel {
    BaselineModel { grammar: Grammar::Second, ..first_baseline(name, width, layers, seed, TRAINING_STEPS) }
}

/// The steps of most of them: half of the toy model's.
const TRAINING_STEPS: u32 = 6_000;

/// Texts that none of them learnt from, by which their [`accuracy`](BaselineModel::accuracy) is known: their seed, how many.
const HELD_OUT_SEED_AND_COUNT: (u32, usize) = (9_200, 200);

/// All that learnt the first grammar.
pub const BASELINES: [BaselineModel; 14] = [
    first_baseline("w16-l1", 16, 1, 0, TRAINING_STEPS),
    first_baseline("w16-l2", 16, 2, 0, TRAINING_STEPS),
    first_baseline("w16-l3", 16, 3, 0, TRAINING_STEPS),
    first_baseline("w24-l1", 24, 1, 0, TRAINING_STEPS),
    first_baseline("w24-l2", 24, 2, 0, TRAINING_STEPS),
    first_baseline("w24-l3", 24, 3, 0, TRAINING_STEPS),
    first_baseline("w32-l1", 32, 1, 0, TRAINING_STEPS),
    first_baseline("w32-l2", 32, 2, 0, TRAINING_STEPS),
    first_baseline("w32-l3", 32, 3, 0, TRAINING_STEPS),
    first_baseline("w24-l2-seed1", 24, 2, 1, TRAINING_STEPS),
    first_baseline("w24-l3-seed1", 24, 3, 1, TRAINING_STEPS),
    first_baseline("w32-l2-seed1", 32, 2, 1, TRAINING_STEPS),
    first_baseline("w32-l3-1500", 32, 3, 2, 1_500),
    first_baseline("w32-l2-1500", 32, 2, 2, 1_500),
];

/// All that learnt the second grammar.
pub const SECOND_BASELINES: [BaselineModel; 5] = [
    second_baseline("second-w24-l2", 24, 2, 0),
    second_baseline("second-w24-l3", 24, 3, 0),
    second_baseline("second-w32-l2", 32, 2, 0),
    second_baseline("second-w32-l3", 32, 3, 0),
    second_baseline("second-w32-l2-seed1", 32, 2, 1),
];

impl BaselineModel {
    /// Its sizes.
    #[must_use]
    pub fn config(&self) -> Config {
        model_config(&self.training_settings())
    }

    /// The name of the shipped file that it is in.
    #[must_use]
    pub const fn file_name(&self) -> &'static str {
        match self.grammar {
            Grammar::First => BASELINES_FILE,
            Grammar::Second => SECOND_BASELINES_FILE,
        }
    }

    /// What its tensors' names begin with in the file of all.
    #[must_use]
    pub fn tensor_prefix(&self) -> String {
        format!("{}/", self.name)
    }

    /// All of the first grammar as they are shipped.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`] where their file is not here.
    pub fn load_all() -> Result<Vec<(Self, Parameters)>, ToyModelError> {
        let file = toy_model::open_file(BASELINES_FILE)?;
        let each = BASELINES.into_iter().map(|small| Ok((small, small.load_from(&file)?)));
        each.collect()
    }

    /// It as it is shipped.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`] where its file is not here.
    pub fn load(&self) -> Result<Parameters, ToyModelError> {
        self.load_from(&toy_model::open_file(self.file_name())?)
    }

    fn load_from(&self, file: &DataFile) -> Result<Parameters, ToyModelError> {
        Ok(Parameters::open_with_prefix(file, &self.tensor_prefix(), self.config())?)
    }

    /// Of the tokens that are determined in 200 held-out texts of its grammar, the share that weights find most likely.
    ///
    /// # Errors
    /// [`ToyModelError::Model`] for weights of other sizes than the language's.
    pub fn accuracy(&self, parameters: &Parameters) -> Result<f64, ToyModelError> {
        let mut draws = LanguageRng::new(HELD_OUT_SEED_AND_COUNT.0);
        let texts: Vec<Text> =
            (0..HELD_OUT_SEED_AND_COUNT.1).map(|_| Text::draw_in_grammar(self.grammar, &mut draws)).collect();
        let tokens: Vec<_> = texts.iter().map(|text| text.tokens.clone()).collect();
        let logits = Model::new(parameters).logits(&Batch::new(&tokens)?, &mut ())?;
        let rows: Vec<&[f32]> = logits.chunks_exact(VOCABULARY.len()).collect();
        let (mut right, mut all) = (0_u32, 0_u32);
        for (text, rows) in texts.iter().zip(rows.chunks_exact(CONTEXT_TOKENS)) {
            for at in &text.answer_positions {
                let before = at.checked_sub(1).and_then(|at| rows.get(at));
                let likely = before.and_then(|row| {
                    let logits = row.iter().enumerate();
                    Some(logits.max_by(|a, b| a.1.total_cmp(b.1))?.0 as Token)
                });
                right += u32::from(likely.is_some() && likely.as_ref() == text.tokens.get(*at));
                all += 1;
            }
        }
        Ok(f64::from(right) / f64::from(all))
    }

    fn training_settings(&self) -> Settings {
        Settings {
            begin: NEW_WEIGHTS.to_owned(),
            lessons: "language".to_owned(),
            width: self.width.to_string(),
            layers: self.layers,
            seed: self.seed,
            steps: self.steps,
            rate: 4e-3,
            // Nobody looks.
            prompts: 1,
            ..Settings::default()
        }
    }

    /// Trains it, from new weights on texts of the whole language in its grammar, at the rate that the toy model was trained
    /// with: minutes.
    ///
    /// # Errors
    /// [`ToyModelError`].
    pub fn train(&self) -> Result<Parameters, ToyModelError> {
        let settings = self.training_settings();
        let wanted = TrainingRequest { lessons: TrainingData::Language, seed: self.seed, control: false };
        let mut session = TrainingSession::new(wanted, &settings)?.with_grammar(self.grammar);
        while !session.is_done() {
            session.train_steps(u32::MAX)?;
        }
        Ok(session.parameters().clone())
    }
}
