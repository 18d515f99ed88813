//! Models of the planted language that are smaller than the little one, or were trained for less long, to be held
//! against each other.

use super::settings::TrainingData;
use super::settings::{NEW, Settings};
use super::training::{Session, TrainingRequest, config_of};
use crate::model::{Config, Parameters};
use crate::toy_model::{self, ToyModelError};

/// The shipped file of all of them.
pub const MODELS: &str = "models";

/// A model that was trained as [`Small::train`] does, and shipped in float16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
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
}

const fn small(name: &'static str, width: usize, layers: usize, seed: u32, steps: u32) -> Small {
    Small { name, width, layers, seed, steps }
}

/// The steps of most of them: half of the toy model's.
const STEPS: u32 = 6_000;

/// All of them.
pub const SMALL: [Small; 14] = [
    small("w16-l1", 16, 1, 0, STEPS),
    small("w16-l2", 16, 2, 0, STEPS),
    small("w16-l3", 16, 3, 0, STEPS),
    small("w24-l1", 24, 1, 0, STEPS),
    small("w24-l2", 24, 2, 0, STEPS),
    small("w24-l3", 24, 3, 0, STEPS),
    small("w32-l1", 32, 1, 0, STEPS),
    small("w32-l2", 32, 2, 0, STEPS),
    small("w32-l3", 32, 3, 0, STEPS),
    small("w24-l2-seed1", 24, 2, 1, STEPS),
    small("w24-l3-seed1", 24, 3, 1, STEPS),
    small("w32-l2-seed1", 32, 2, 1, STEPS),
    small("w32-l3-1500", 32, 3, 2, 1_500),
    small("w32-l2-1500", 32, 2, 2, 1_500),
];

impl Small {
    /// Its sizes.
    #[must_use]
    pub fn config(&self) -> Config {
        config_of(&self.settings())
    }

    /// What its tensors' names begin with in the file of all.
    #[must_use]
    pub fn before(&self) -> String {
        format!("{}/", self.name)
    }

    /// All of them as they are shipped.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`] where their file is not here.
    pub fn shipped() -> Result<Vec<(Self, Parameters)>, ToyModelError> {
        let file = toy_model::file(MODELS)?;
        let each = SMALL.into_iter().map(|small| {
            Ok((small, Parameters::open_one(&file, &small.before(), small.config())?))
        });
        each.collect()
    }

    fn settings(&self) -> Settings {
        Settings {
            begin: NEW.to_owned(),
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

    /// Trains it, from new weights on texts of the whole language, at the rate that the toy model was trained
    /// with: minutes.
    ///
    /// # Errors
    /// [`ToyModelError`].
    pub fn train(&self) -> Result<Parameters, ToyModelError> {
        let settings = self.settings();
        let wanted =
            TrainingRequest { lessons: TrainingData::Language, seed: self.seed, control: false };
        let mut session = Session::new(wanted, &settings)?;
        while !session.is_done() {
            session.go(u32::MAX)?;
        }
        Ok(session.parameters().clone())
    }
}
