//! Ten toy models that were trained by the project's own trainer, each a model that statistics generalise over.

use crate::model::Parameters;
use crate::papers::mui::baselines::{MODELS, Small};
use crate::toy_model::{self, FINAL, ToyModelError};

use super::UNTRAINED;

/// The same sizes as the toy model's, trained from another seed.
const OTHER: &str = "seed1-12000";

/// A trained model and the same before its training, by name. The first ones differ most: three seeds have these.
const TOYS: [(&str, &str); 10] = [
    (FINAL, UNTRAINED),
    ("w24-l2", "w24-l2-untrained"),
    ("w32-l3", "w32-l3-untrained"),
    ("w32-l2-seed1", "w32-l2-seed1-untrained"),
    ("w24-l3", "w24-l3-untrained"),
    (OTHER, UNTRAINED),
    ("w32-l2", "w32-l2-untrained"),
    ("w24-l3-seed1", "w24-l3-seed1-untrained"),
    ("w32-l3-1500", "w32-l3-1500-untrained"),
    ("w24-l2-seed1", "w24-l2-seed1-untrained"),
];

/// The shipped files that they are in.
pub(super) const FILES: [&str; 4] = [FINAL, UNTRAINED, OTHER, MODELS];

/// The model of a seed, as it is trained and before; both can be had by these names from then on.
pub(super) fn of_seed(seed: u32) -> Result<(&'static str, &'static str), ToyModelError> {
    let at = seed as usize % TOYS.len();
    let (name, untrained) = TOYS.get(at).copied().unwrap_or((FINAL, UNTRAINED));
    if toy_model::is_here(name) && toy_model::is_here(untrained) {
        return Ok((name, untrained));
    }
    let found = Small::shipped()?.into_iter().find(|(small, _)| small.name == name);
    if let Some((small, parameters)) = found {
        toy_model::keep_model(name, parameters);
        toy_model::keep_model(untrained, Parameters::drawn(small.config(), small.seed));
    }
    Ok((name, untrained))
}
