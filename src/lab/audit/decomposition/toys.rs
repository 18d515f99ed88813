//! Ten trained toy models, each a unit that statistics generalise over: two from JAX, eight by the project's own trainer.

use crate::model::{Config, Parameters};
use crate::papers::mui::baselines::{MODELS, Small};
use crate::toy_model::{self, FINAL, ToyModelError};

use super::UNTRAINED;

/// A model of the toy model's sizes that was trained from the weights that are drawn by another seed, and those weights.
const OTHER: (&str, &str, u32) = ("seed1-12000", "seed1-untrained", 1);

/// A trained model and the same before its training, by name. The first ones differ most: three seeds have these.
const TOYS: [(&str, &str); 10] = [
    (FINAL, UNTRAINED),
    ("w24-l2", "w24-l2-untrained"),
    ("w32-l3", "w32-l3-untrained"),
    ("w32-l2-seed1", "w32-l2-seed1-untrained"),
    ("w24-l3", "w24-l3-untrained"),
    (OTHER.0, OTHER.1),
    ("w32-l2", "w32-l2-untrained"),
    ("w24-l3-seed1", "w24-l3-seed1-untrained"),
    ("w32-l3-1500", "w32-l3-1500-untrained"),
    ("w24-l2-seed1", "w24-l2-seed1-untrained"),
];

/// The shipped files that they are in.
pub(super) const FILES: [&str; 4] = [FINAL, UNTRAINED, OTHER.0, MODELS];

/// The model of a seed, as it is trained and before; both can be had by these names from then on.
pub(super) fn of_seed(seed: u32) -> Result<(&'static str, &'static str), ToyModelError> {
    let at = seed as usize % TOYS.len();
    let (name, untrained) = TOYS.get(at).copied().unwrap_or((FINAL, UNTRAINED));
    if toy_model::is_here(name) && toy_model::is_here(untrained) {
        return Ok((name, untrained));
    }
    if name == OTHER.0 {
        toy_model::keep_model(OTHER.1, Parameters::drawn(Config::LITTLE, OTHER.2));
        return Ok((name, untrained));
    }
    let found = Small::shipped()?.into_iter().find(|(small, _)| small.name == name);
    if let Some((small, parameters)) = found {
        toy_model::keep_model(name, parameters);
        toy_model::keep_model(untrained, Parameters::drawn(small.config(), small.seed));
    }
    Ok((name, untrained))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trained_model_stands_beside_the_weights_that_it_began_with() {
        let embedded = |parameters: &Parameters| {
            let values = parameters.tensor("embed.W_E").iter().copied().map(f64::from);
            values.collect::<Vec<f64>>()
        };
        let trained = embedded(&toy_model::parameters(OTHER.0).unwrap());
        let apart = |seed: u32| {
            let drawn = embedded(&Parameters::drawn(Config::LITTLE, seed));
            crate::statistics::pearson_coefficient(&trained, &drawn).unwrap()
        };
        // What is trained keeps half of what it began with, and nothing of another draw.
        assert!(apart(OTHER.2) > 0.5 && apart(0).abs() < 0.1, "{} {}", apart(OTHER.2), apart(0));
    }
}
